"""A drift, told to people.

Reads a `Drift`; returns text, Markdown or workflow annotations: for each source what became of it, then what `codegen diff`
prints. Never leaves out a source that failed.
"""

from __future__ import annotations

import textwrap

from codegen.changes import Accepted
from codegen.drift_verdicts import Drift, Verdict
from codegen.report import github, markdown, text
from codegen.sources import Entry
from codegen.visible import visible

_SIGNS = {"moved": "🔶", "not moved": "✅", "unreachable": "❌", "unreadable": "❌"}


def headline(verdict: Verdict) -> str:
    """One source in one sentence."""
    entry = verdict.entry
    if verdict.failed:
        return f"{entry.name}: {verdict.state}, so nothing is known about drift"
    if verdict.quiet:
        return f"{entry.name}: {verdict.quiet}"
    if verdict.comparison is None:
        since = f" since {entry.date}" if entry.date else ""
        return f"{entry.name}: not moved{since}"
    way = "moved within" if verdict.version == entry.version else "moved to"
    told = text.summary(verdict.comparison)
    if not says_more(verdict):
        told += " codegen drift --update records it."
    return f"{entry.name}: {way} {verdict.found}; {told}"


def origin(verdict: Verdict) -> str:
    """Where the source lies, and what was recorded of it."""
    entry = verdict.entry
    if isinstance(entry, Entry):
        version = entry.version or "without number"
        return (
            f"{entry.url}, recorded: version {version} of {entry.date}, sha256 {entry.sha256[:7]}"
        )
    return f"releases of {entry.package}, recorded: version {entry.version}"


def summary(drift: Drift) -> str:
    """One line a source."""
    return (
        "\n".join(line for each in drift.verdicts for line in _wrapped(headline(each), "")) + "\n"
    )


def render_text(
    drift: Drift, paint: text.Painter = text.plain, more: text.More = text.nothing
) -> str:
    """For a terminal."""
    lines: list[str] = []
    for verdict in drift.verdicts:
        lines += [*_wrapped(headline(verdict), ""), *_wrapped(origin(verdict), "  ")]
        for finding in verdict.errors:
            lines += _wrapped(str(finding), "  ")
        if verdict.todo:
            lines += ["", f"to do in spec/ ({len(verdict.todo)})"]
            for finding in verdict.todo:
                lines += _wrapped(str(finding), "  ")
        if verdict.comparison and says_more(verdict):
            lines += ["", text.render(verdict.comparison, paint, more).rstrip("\n")]
        lines.append("")
    for entry in drift.unmatched:
        lines += [*_wrapped(unmatched(entry), ""), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def says_more(verdict: Verdict) -> bool:
    """Whether there is more to tell about a source that moved than that."""
    found = verdict.comparison
    return found is not None and bool(found.changes or found.accepted or found.expired)


def _annotation(command: str, title: str, message: str) -> str:
    """A workflow command; escaped as the toolkit of GitHub's actions does it (`command.ts`, escapeData)."""
    safe = visible(message).replace("%", "%25")
    return f"::{command} title={title}::{safe}"


def unmatched(entry: Accepted) -> str:
    """That an entry of spec/accepted.yaml is done with."""
    return f"spec/accepted.yaml: {entry.id} matches no change of any source. Remove it if it is done with."


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(
        visible(line),
        text.WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def render_markdown(drift: Drift) -> str:
    """For a job summary or an issue; what does not fit there is left out, and the sources come first."""
    lines = ["# Drift", ""]
    for verdict in drift.verdicts:
        sign = "⏸️" if verdict.quiet else _SIGNS[verdict.state]
        lines.append(f"- {sign} {markdown.escaped(headline(verdict))}")
    for verdict in drift.verdicts:
        if verdict.errors or verdict.todo:
            lines += ["", f"## {verdict.entry.name}", "", markdown.escaped(origin(verdict)), ""]
            lines += [f"- ❌ {markdown.escaped(str(each))}" for each in verdict.errors]
            lines += [f"- to do: {markdown.escaped(str(each))}" for each in verdict.todo]
        if verdict.comparison and says_more(verdict):
            lines += ["", markdown.render(verdict.comparison).rstrip("\n")]
    for entry in drift.unmatched:
        lines += ["", markdown.escaped(unmatched(entry))]
    whole = "\n".join(lines) + "\n"
    if len(whole) <= markdown.LIMIT:
        return whole
    kept = whole[: markdown.LIMIT].rpartition("\n")[0]
    return f"{kept}\n\nThe rest does not fit here: run `codegen drift`.\n"


def render_github(drift: Drift) -> str:
    """Annotations of a workflow."""
    lines = []
    for verdict in drift.verdicts:
        command = "error" if verdict.failed else "warning" if verdict.quiet else "notice"
        lines.append(_annotation(command, "drift", headline(verdict)))
        lines += [_annotation("error", "drift", str(each)) for each in verdict.errors]
        lines += [_annotation("warning", "to do", str(each)) for each in verdict.todo]
        if verdict.comparison and says_more(verdict):
            lines.append(github.render(verdict.comparison).rstrip("\n"))
    lines += [_annotation("notice", "accepted", unmatched(each)) for each in drift.unmatched]
    return "\n".join(lines) + "\n"
