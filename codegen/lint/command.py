"""The run of `codegen lint`: captures in, findings out.

Reads what the command line asks for; prints and returns the exit code. Never decides what a finding is.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from typing import TextIO

from codegen.errors import Finding, SpecError
from codegen.lint import report_data, report_text
from codegen.lint.captures import Capture, captures_in, paths_of
from codegen.lint.detect import detect
from codegen.lint.kinds import at_or_above
from codegen.lint.linter import Linter
from codegen.lint.result import Result
from codegen.lint.package import Checked, Package
from codegen.lint.streamless import without_stream
from codegen.lint.timeline import Timeline
from codegen.progress import doing

FINE, FOUND, UNUSABLE = 0, 1, 2


def lint(options: argparse.Namespace) -> int:
    """Check captures and tell what was found."""
    package = Package(options.out)
    if options.list_rules:
        print("\n".join(_rules(package)))
        return FINE
    if not options.captures:
        raise SpecError(
            [Finding("codegen lint", "no capture is named", "Name files, folders or -.")]
        )
    paths = paths_of(options.captures)
    run = _Run(options, package, len(paths) > 1)
    for path in paths:
        run.check(path)
    run.write()
    for unusable in run.unusable:
        print(unusable, file=sys.stderr)
    if run.unusable:
        return UNUSABLE
    return FOUND if any(at_or_above(level, options.fail_on) for level in run.levels) else FINE


class _Run:
    """What one run of the command has found so far."""

    def __init__(self, options: argparse.Namespace, package: Package, is_many: bool) -> None:
        self._options, self._package = options, package
        self._out: TextIO = sys.stderr if options.final else sys.stdout
        self._is_text = options.format == "text" and not options.summary
        timeline = options.timeline or ("none" if is_many or options.quiet else "short")
        self._timeline = timeline if self._is_text else "none"
        self._checked: dict[str, Checked] = {}
        self._read = 0
        self.results: list[Result] = []
        self.unusable: list[Finding] = []
        self.levels: set[str] = set()

    def check(self, path: str) -> None:
        """Check the captures of one file."""
        self._read = 0
        size = 0 if path == "-" else os.path.getsize(path)
        is_told = path == "-" and self._timeline != "none"  # its events are printed as they come

        def advance(count: int) -> None:
            self._read += count
            if not is_told:
                doing(f"reading {path}, bytes", self._read, size)

        try:
            for capture in captures_in(path):
                self._try(capture, advance)
        except SpecError as error:
            self.unusable += error.findings

    def _try(self, capture: Capture, advance: Callable[[int], None]) -> None:
        """Check a capture; where it cannot be used, those after it still can."""
        try:
            self._one(capture, advance)
        except SpecError as error:
            self.unusable += error.findings

    def _one(self, capture: Capture, advance: Callable[[int], None]) -> None:
        options = self._options
        name, how = options.stream, "--stream"
        if not name:
            found = detect(capture, self._package.streams)
            name, how = found.name, found.how
        if not name:
            result = without_stream(capture, how)
            if result is not None:
                return self._done(result, None)
            action = "Name the stream by --stream."
            raise SpecError([Finding(capture.name, f"no stream is recognisable: {how}", action)])
        checked = self._stream(name)
        result = Result(capture, name, how, options.dialect)
        timeline = None
        if self._timeline != "none":
            timeline = Timeline(checked, self._print, self._timeline == "short")
        result = Linter(checked, result, timeline.watch if timeline else None, advance).run()
        if timeline is not None:
            timeline.end()
            self._print("")
        self._done(result, checked)

    def _done(self, result: Result, checked: Checked | None) -> None:
        self.levels.update(level for level, count in result.findings.levels.items() if count)
        if self._is_text and (result.findings.counts or not self._options.quiet):
            self._print(report_text.heading(result))
            for line in report_text.lines(result):
                self._print(f"  {line}")
        if self._options.final and checked is not None:
            self._final(result, checked)
        result.final = None  # it holds the accumulated object
        result.capture.peek, result.capture.chunks = b"", ()
        self.results.append(result)

    def _final(self, result: Result, checked: Checked) -> None:
        for lane in result.lanes or [None]:
            try:
                value = result.final(lane) if result.final and result.lanes else None
            except checked.runtime.errors.StreamError as error:
                print(f"{result.capture.name}: no final object: {error}", file=sys.stderr)
                value = None
            print(json.dumps(value))

    def _stream(self, name: str) -> Checked:
        if name not in self._checked:
            checked = self._package.checked(name)
            known = [dialect.name for dialect in checked.stream.dialects]
            if self._options.dialect and self._options.dialect not in known:
                what = f"{name} has no dialect {self._options.dialect!r}"
                action = f"Name one of: {', '.join(known)}." if known else "Leave it out."
                raise SpecError([Finding(f"--dialect {self._options.dialect}", what, action)])
            self._checked[name] = checked
        return self._checked[name]

    def _print(self, line: str) -> None:
        print(line, file=self._out)

    def write(self) -> None:
        """Write what comes after the last capture."""
        options = self._options
        if options.summary and options.format == "text":
            from codegen.lint.summary import write

            write(self.results, self._out)
        elif options.format == "json":
            self._out.write(report_data.as_json(self.results, self.unusable))
        elif options.format == "github":
            self._out.write(report_data.as_github(self.results, self.unusable))
        elif options.format == "junit":
            self._out.write(report_data.as_junit(self.results, self.unusable, options.fail_on))


def _rules(package: Package) -> list[str]:
    """All kinds of finding, and the rules of order and usage that the fragments have as data."""
    lines = [*report_text.rules(), "", "rules of order and usage, by stream:"]
    for stream in package.streams:
        lines += report_text.stream_rules(stream)
    return lines
