"""What holds for the whole suite: stable property tests, and no silent skips where a machine promises everything."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("suite")

pytest.register_assert_rewrite(
    "tests.case_views", "tests.case_words_events", "tests.case_words_streams"
)

NO_SKIPS = "STREAM_EVENTS_NO_SKIPS"
"""Set it, and a skipped test fails the run: for machines on which nothing may be missing."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was skipped, so that a summary without failures does not hide it."""
    for report in terminalreporter.getreports("skipped") if os.environ.get(NO_SKIPS) else ():
        terminalreporter.write_line(f"skipped, which {NO_SKIPS} forbids: {report.nodeid}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with skipped tests where none may be."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get(NO_SKIPS) and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
