"""What the flags of generated cases stand for, and what those cases have.

Reads nothing; the flags of cases written by hand stand in `spec/vectors/flags.yaml`. Never has a flag that no case has.
"""

from __future__ import annotations

from typing import Any


def _note(kind: str, description: str, effect: str) -> dict[str, Any]:
    return {"kind": kind, "description": description, "effect": effect}


NOTES: dict[str, Any] = {
    "RequiredOnly": _note(
        "types",
        "The payload has nothing but what the specification requires.",
        "A reader that needs optional properties loses the event, or adds them when it writes it again.",
    ),
    "Everything": _note(
        "types",
        "The payload has every property, and so have the objects in it.",
        "A reader that knows only some properties drops the others.",
    ),
    "NullKept": _note(
        "types",
        "A property that may be absent holds null.",
        "A writer that leaves null out, or puts it where nothing was, changes the payload.",
    ),
    "NullNotAllowed": _note(
        "types",
        "A property that may be absent holds null, which its type does not have.",
        "A checker that takes null for absent does not see that the server broke its specification.",
    ),
    "UnknownProperty": _note(
        "drift",
        "The payload has a property that the specification does not have.",
        "Strict readers stop, careless ones drop it; it may be the next version's most important property.",
    ),
    "UnknownValue": _note(
        "drift",
        "An enum has a value that the specification does not have.",
        "A closed enum type stops the stream when the list grows.",
    ),
    "UnknownMember": _note(
        "drift",
        "A union holds an object of a type that the specification does not have.",
        "A closed union stops the stream, or the object is read as a member that it is not.",
    ),
    "MissingProperty": _note(
        "drift",
        "A required property is absent, as many servers have it.",
        "A strict reader loses the event; one that fills in defaults writes what the server never sent.",
    ),
    "WrongType": _note(
        "drift",
        "A property holds a value of another JSON type.",
        "A strict reader loses the event; one that converts writes back something else.",
    ),
    "UnknownTag": _note(
        "drift",
        "The event's type is not in the specification.",
        "A closed union stops the stream, or the event is read as the class of another.",
    ),
    "NoTag": _note(
        "types",
        "The property that says which event it is has no text.",
        "A reader that takes the first class that fits hands out an event that nobody sent.",
    ),
    "NotAnObject": _note(
        "types",
        "The payload is no JSON object.",
        "Reading on raises an error of the language in place of one that says what came.",
    ),
    "Scenario": _note(
        "lifecycle",
        "A stream as a server should send it, from its first event to its end.",
        "What goes wrong here goes wrong for every user.",
    ),
}

COMMENTS = {
    "RequiredOnly": "Nothing but what the specification requires.",
    "Everything": "Every property of the event and of the objects in it.",
    "NullKept": "Null in every property that may be absent and may be null.",
    "NullNotAllowed": "Null in a property that may be absent and may not be null.",
    "UnknownProperty": "A property that the specification does not have.",
    "UnknownValue": "A value that the specification's list does not have.",
    "UnknownMember": "An object of a type that the union does not have.",
    "MissingProperty": "A required property is not there.",
    "WrongType": "A property holds a value of another JSON type.",
    "NoTag": "No text stands where the tag should.",
    "UnknownTag": "An event that the specification does not have.",
    "NotAnObject": "What comes is no JSON object.",
}
"""Flag → what a generated case with it has."""
