"""The kinds of change between two catalogues, with their levels.

Reads nothing; returns a table, the one place that says how bad a kind of change is and why. Never looks at a catalogue.

"Received" is for streams that a server sends and a client reads; "sent" for streams that a client sends, where a promise of
the server becomes a demand on the client, so that most levels turn round.
"""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = ("breaking", "dangerous", "additive", "info")
"""The worst first. breaking: who handles the old cannot handle the new. dangerous: who is careless breaks. additive: there is
more to use. info: nothing that a reader of the stream can notice."""
FAIL_ON = (*LEVELS[:3], "any", "none")
"""What `--fail-on` takes."""


@dataclass(frozen=True)
class Kind:
    """One kind of change: its stable id, its level on a stream that is received and on one that is sent, and why."""

    id: str
    received: str
    sent: str
    reason: str

    def level(self, direction: str) -> str:
        """The level on a stream of that direction: "client" for one that the client sends."""
        return self.sent if direction == "client" else self.received


_ROWS = (
    # id, received, sent, reason
    ("event-added", "dangerous", "additive", "A reader that stops at an unknown tag stops here."),
    ("event-removed", "breaking", "breaking", "Who waits for the event, or sends it, is no longer understood."),
    ("event-renamed", "breaking", "breaking", "Code that matches the old tag no longer matches."),
    ("event-moved", "breaking", "breaking", "The event is now part of another stream than where it is handled."),
    ("schema-renamed", "info", "info", "The bytes are the same; only a class has another name."),
    ("schema-replaced", "info", "info", "The value is described by another schema; what that changes stands beneath."),
    ("field-added", "additive", "additive", "Nobody has to read it or to send it."),
    ("required-field-added", "additive", "breaking", "A reader may count on it; a sender that leaves it out is refused."),
    ("field-removed", "breaking", "dangerous", "A reader that needs it finds nothing; a sender may be refused or ignored."),
    ("field-renamed", "breaking", "breaking", "The same value stands under another name."),
    ("type-changed", "breaking", "breaking", "The value is of another type than the code expects."),
    ("type-widened", "breaking", "additive", "A reader meets values of other types as well; what was sent may still be sent."),
    ("type-narrowed", "additive", "breaking", "A reader may count on less than it met before; a sender of the rest is refused."),
    ("made-optional", "breaking", "additive", "A reader that counts on the field finds nothing; a sender may leave it out."),
    ("made-required", "additive", "breaking", "A reader may count on the field; a sender that leaves it out is refused."),
    ("made-nullable", "dangerous", "additive", "A reader that uses the value without looking meets null."),
    ("no-longer-nullable", "additive", "breaking", "A reader meets null no more; a sender of null is refused."),
    ("enum-value-added", "dangerous", "additive", "A reader that knows the values by heart meets a new one."),
    ("enum-value-removed", "info", "breaking", "A reader meets the value no more; a sender of it is refused."),
    ("enum-value-listed", "info", "additive", "An open list names one more of the values that were allowed all along."),
    ("enum-value-unlisted", "info", "dangerous", "An open list no longer names it; it is allowed still, and may mean nothing."),
    ("enum-opened", "dangerous", "additive", "A reader can no longer count on the listed values."),
    ("enum-closed", "additive", "breaking", "A reader may count on the listed values; a sender of another is refused."),
    ("union-member-added", "dangerous", "additive", "A reader meets a shape that it has no branch for."),
    ("union-member-removed", "dangerous", "breaking", "A reader's branch for it never runs; a sender of it is refused."),
    ("constant-changed", "breaking", "breaking", "Code that compares with the old value no longer matches."),
    ("format-added", "info", "dangerous", "A reader meets no other texts than before; a sender of one may be refused."),
    ("format-removed", "dangerous", "additive", "A reader that takes the value apart meets one that it cannot."),
    ("format-changed", "dangerous", "dangerous", "The value is made differently; who takes it apart or makes it the old way fails."),
    ("bound-narrowed", "info", "breaking", "A reader meets less than before; a sender of the rest is refused."),
    ("bound-widened", "dangerous", "additive", "A reader that relies on the bound, say for its columns, meets more than that."),
    ("bound-changed", "dangerous", "dangerous", "Other values are allowed, neither more nor fewer: a reader may meet, a sender send, one too many."),
    ("keyword-changed", "info", "dangerous", "A rule changed that we do not read (such as propertyNames or not); a sender may be refused."),
    ("default-changed", "info", "dangerous", "What is left out means something else."),
    ("object-closed", "info", "breaking", "Undeclared properties are no longer allowed; a sender of one is refused."),
    ("object-opened", "info", "additive", "Undeclared properties are allowed from now on."),
    ("deprecation-changed", "info", "info", "Whether the field should still be used changed; the bytes did not."),
    ("tag-property-changed", "breaking", "breaking", "The tag that tells the events apart stands in another property."),
    ("stream-added", "additive", "additive", "A stream is new; nobody reads or sends it yet."),
    ("stream-removed", "breaking", "breaking", "The union is gone, or has no events any more."),
)  # fmt: skip

KINDS = {row[0]: Kind(*row) for row in _ROWS}
"""All kinds by id, in the order in which they are listed."""


def worst(levels: list[str]) -> str:
    """The worst of some levels; info for none."""
    return min(levels, key=LEVELS.index, default="info")


def at_or_above(level: str, threshold: str) -> bool:
    """Whether a level fails a run with `--fail-on threshold`: a level, "any", or "none"."""
    if threshold in ("any", "none"):
        return threshold == "any"
    return LEVELS.index(level) <= LEVELS.index(threshold)
