"""The kinds of finding, with their levels.

Reads nothing; returns a table, the one place that says how bad a kind of finding is, where its rule stands and what a right
stream has there. Never looks at a stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "info"]
LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""The worst first. error: a client that follows the rules reads something else than was meant, or fails. warning: a rule is
broken, and a careful client copes. info: worth knowing."""


@dataclass(frozen=True)
class Kind:
    """One kind of finding: its stable id, its level, the group it is of, the source of its rule and what is right.

    source  {stream} stands for the name of the stream
    """

    id: str
    level: Level
    group: str
    source: str
    right: str


_HTTP, _SSE, _FRAGMENT = "RFC 9110", "WHATWG HTML 9.2", "spec/fragments/{stream}.yaml"
_SCHEMA, _RULES = "catalogue: models of {stream}", "spec/fragments/{stream}.yaml: rules"

_ROWS: tuple[tuple[str, Level, str, str, str], ...] = (
    # id, level, group, source, what a right stream has
    ("http-status", "error", "framing", f"{_HTTP} 15", "The status is 200."),
    ("content-type", "warning", "framing", f"{_SSE}.5", "The content type is text/event-stream."),
    ("not-utf-8", "error", "framing", f"{_SSE}.5", "All bytes are UTF-8."),
    ("event-line", "warning", "framing", f"{_FRAGMENT}: framing", "The event: line says what the payload's tag says."),
    ("no-event-line", "info", "framing", f"{_FRAGMENT}: framing", "Each event has an event: line; clients do without it."),
    ("event-line-lost", "warning", "framing", f"{_FRAGMENT}: framing", "Each event has an event: line, by which clients find it."),
    ("incomplete-event", "warning", "framing", f"{_SSE}.6", "A blank line ends the last event; without it the event is discarded."),
    ("unexpected-done", "info", "framing", f"{_FRAGMENT}: framing", "There is no [DONE]."),
    ("no-done", "warning", "framing", f"{_FRAGMENT}: framing", "The stream ends with [DONE]."),
    ("after-done-marker", "warning", "framing", f"{_FRAGMENT}: framing", "Nothing comes after [DONE]."),
    ("empty", "error", "framing", f"{_SSE}.6", "The body has events."),
    ("error-body", "error", "framing", f"{_SSE}.5", "The body is an event stream, and an error has an HTTP status of its own."),
    ("json-body", "warning", "framing", f"{_SSE}.5", "The body is an event stream."),
    ("no-data-field", "error", "framing", f"{_SSE}.6", "Each line of a payload begins with data:."),
    ("too-large", "error", "framing", "limit of the reader, 64 MB an event", "Each event is smaller than the limit."),
    ("not-json", "error", "payload", "RFC 8259", "The data of each event is JSON."),
    ("not-an-object", "error", "payload", _SCHEMA, "The data of each event is a JSON object."),
    ("no-tag", "error", "payload", f"{_FRAGMENT}: tag", "Each payload has its tag."),
    ("not-decodable", "error", "payload", _SCHEMA, "Each payload can be decoded."),
    ("too-deep", "error", "payload", "limit of the reader, 200 levels", "Payloads are nested less deep."),
    ("wrong-stream", "error", "payload", f"{_FRAGMENT}: events", "The events are those of the stream."),
    ("unknown-event", "info", "payload", f"{_FRAGMENT}: events", "The tag is one of the stream's."),
    ("unknown-property", "info", "payload", _SCHEMA, "The property is declared."),
    ("unknown-value", "warning", "payload", _SCHEMA, "The value is one of those that the schema lists."),
    ("new-value", "info", "payload", _SCHEMA, "The value is one of those known; others may be added."),
    ("unknown-member", "warning", "payload", _SCHEMA, "The object is one of the union's members."),
    ("missing-property", "error", "payload", _SCHEMA, "The required property is there."),
    ("wrong-type", "error", "payload", _SCHEMA, "The value is of the declared type."),
    ("null-value", "warning", "payload", _SCHEMA, "The value is not null, or the property is left out."),
    ("input-not-json", "warning", "payload", _RULES, "The pieces, joined, are JSON."),
    ("sequence-gap", "error", "numbers", f"{_FRAGMENT}: sequence", "Numbers begin with the first one and go on without a gap."),
    ("sequence-back", "error", "numbers", f"{_FRAGMENT}: sequence", "Numbers only rise."),
    ("sequence-repeat", "error", "numbers", f"{_FRAGMENT}: sequence", "Each number comes once."),
    ("wrong-index", "error", "numbers", _RULES, "An index is an integer from 0, and that of its entry."),
    ("missing-index", "warning", "numbers", _RULES, "The event says which entry it is about."),
    ("index-gap", "error", "numbers", _RULES, "The indexes of a list begin with 0 and have no gap."),
    ("not-first", "error", "order", f"{_FRAGMENT}: order.stages", "The stream begins with its first event."),
    ("stage-order", "error", "order", f"{_FRAGMENT}: order.stages", "Events come in the order of the stages."),
    ("repeated", "error", "order", f"{_FRAGMENT}: order.once", "The event comes once."),
    ("unannounced", "error", "order", _RULES, "An entry begins before anything is added to it."),
    ("announced-twice", "error", "order", _RULES, "An entry begins once."),
    ("index-reused", "error", "order", _RULES, "Each entry has an index of its own."),
    ("wrong-kind", "error", "order", _RULES, "What is added fits the type of the entry."),
    ("id-changed", "warning", "order", _RULES, "An entry has one id."),
    ("id-differs", "warning", "order", _RULES, "The id is that of the entry at the index."),
    ("after-done", "error", "order", _RULES, "Nothing is added to an entry or a text that is finished."),
    ("done-twice", "warning", "order", _RULES, "An entry or a text is finished once."),
    ("done-unannounced", "error", "order", _RULES, "What is finished has begun."),
    ("open-at-done", "warning", "order", _RULES, "Parts and texts are finished before the entry that holds them."),
    ("never-done", "warning", "order", f"{_FRAGMENT}: order.finished_by", "All that began is finished before the end."),
    ("replaced", "error", "order", _RULES, "An entry keeps its type."),
    ("status-back", "error", "order", f"{_FRAGMENT}: order.statuses", "A status only goes forward."),
    ("status-open", "warning", "order", f"{_FRAGMENT}: order.statuses", "A finished entry has one of the last statuses, such as completed."),
    ("status-misfit", "error", "order", f"{_FRAGMENT}: order.ends", "The status of the response is the one that its event stands for."),
    ("identity-differs", "error", "order", f"{_FRAGMENT}: order.identities", "An entry has one call_id and one name from begin to end."),
    ("id-reused", "error", "order", f"{_FRAGMENT}: order.unique", "Each entry has ids of its own."),
    ("output-order", "warning", "order", f"{_FRAGMENT}: order.identities", "The finished response has the entries in the order of their indexes."),
    ("never-streamed", "warning", "order", f"{_FRAGMENT}: order.identities", "What the finished response holds was streamed before."),
    ("no-finish", "error", "order", f"{_FRAGMENT}: order.finished_by", "The event that finishes all comes before the terminal one."),
    ("not-given", "warning", "order", f"{_FRAGMENT}: order.given", "The stream says why it ended."),
    ("unsigned", "info", "order", f"{_FRAGMENT}: order.signed", "A finished entry of this type has the property."),
    ("changed", "warning", "order", f"{_FRAGMENT}: order.steady", "The value is the same in all events."),
    ("unfinished", "error", "order", _RULES, "A response ends before another one begins."),
    ("after-finish", "error", "order", _RULES, "A choice gets nothing after its finish_reason."),
    ("cut-short", "error", "order", _RULES, "The stream goes on until each choice has its finish_reason."),
    ("not-finished", "warning", "order", _RULES, "Each choice gets a finish_reason."),
    ("error-event", "warning", "order", f"{_FRAGMENT}: error", "The response ends without an error."),
    ("no-terminal", "error", "order", f"{_FRAGMENT}: terminal", "A terminal event ends the stream."),
    ("terminal-twice", "error", "order", f"{_FRAGMENT}: terminal", "There is exactly one terminal event."),
    ("after-terminal", "error", "order", f"{_FRAGMENT}: terminal", "Nothing comes after the terminal event."),
    ("disagreement", "error", "sums", _RULES, "Deltas add up to the text, the entry and the final object."),
    ("filled", "info", "sums", _RULES, "The finished object holds what was streamed."),
    ("no-usage", "warning", "sums", f"{_FRAGMENT}: usage", "The event has the usage."),
    ("usage-unsent", "info", "sums", f"{_FRAGMENT}: usage", "The usage comes where the request asks for it."),
    ("usage-sum", "warning", "sums", f"{_FRAGMENT}: usage.total", "The total is the sum of its parts."),
    ("missing-source", "warning", "payload", _RULES, "The event has what its rule takes from it."),
    ("missing-snapshot", "error", "payload", _RULES, "The event has the snapshot."),
    ("repaired", "info", "payload", "spec/fragments/dialects", "The server leaves nothing out."),
    ("other-problem", "warning", "payload", "problems of the generated package", "There is no such problem."),
    ("more-problems", "info", "payload", "limit of the reader, 1,000 problems", "There are fewer problems."),
)  # fmt: skip

KINDS = {row[0]: Kind(*row) for row in _ROWS}
"""All kinds by id, in the order in which they are listed."""

OTHER = "other-problem"
"""What a problem of the package is that this table does not know yet."""

RENAMED = {"index-filled": "missing-index", "closed-twice": "done-twice"}
"""Problems of the package that are findings under another id; all others keep their kind."""

IN_SCHEMA = {
    "wrong-type": ("wrong-type", "null-value"),
    "missing-source": ("not-json", "missing-property", "null-value", "wrong-type"),
    "missing-snapshot": ("not-json", "missing-property", "null-value", "wrong-type"),
    "missing-index": ("not-json", "missing-property", "null-value", "wrong-type"),
    "wrong-index": ("wrong-type",),
    "no-usage": ("not-json",),
    "not-given": ("not-json",),
    "unknown-event": ("not-json", "not-an-object", "no-tag", "not-decodable"),
}
"""Findings of the accumulator and of the rules that only repeat one of these of the same event, which says more."""


def at_or_above(level: str, threshold: str) -> bool:
    """Whether a level fails a run with `--fail-on threshold`: a level, or "none"."""
    return threshold != "none" and LEVELS.index(level) <= LEVELS.index(threshold)
