"""What a YAML scalar means.

Reads one scalar event; returns str, int, float, bool or None by the core schema of YAML 1.2.2 (section 10.3.2);
never guesses: `on`, `yes`, dates and times are strings, and a value that JSON does not have is refused.
"""

from __future__ import annotations

import math
import re
from typing import Any

_CONSTANTS = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
# Every scalar that is not a string begins with one of these; most strings do not.
_FIRST = frozenset("~nNtTfF+-.0123456789")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_STRING_TAGS = ("!", "tag:yaml.org,2002:str")
_TYPES: dict[str, type] = {
    "tag:yaml.org,2002:null": type(None),
    "tag:yaml.org,2002:bool": bool,
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
}


class NotPlain(Exception):
    """The scalar has no counterpart in JSON. `what` and `action` are those of a finding."""

    def __init__(self, what: str, action: str) -> None:
        super().__init__(what)
        self.what = what
        self.action = action


def plain_value(event: Any) -> Any:
    """The value of a scalar event; NotPlain for infinities, NaN, unknown tags and absurdly long integers."""
    text: str = event.value
    if event.tag is None:
        if not event.implicit[0] or (text and text[0] not in _FIRST):
            return text
        return _resolve(text)
    if event.tag in _STRING_TAGS:
        return text
    wanted = _TYPES.get(event.tag)
    if wanted is None:
        action = "Remove the tag; only plain YAML values are read."
        raise NotPlain(f"the tag {event.tag} is not allowed", action)
    value = _resolve(text)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise NotPlain(f"{text!r} is not what its tag {event.tag} says", "Correct one of the two.")
    return value


def plain_key(event: Any) -> str:
    """The key that a scalar event means: its string, or the digits of a decimal integer (`200:`).

    NotPlain for other numbers, booleans and null, for which JSON has no key, and for the merge key `<<`, which
    YAML 1.2 does not have.
    """
    text: str = event.value
    if event.tag is None and event.implicit[0] and text == "<<":
        raise NotPlain("the merge key << is not part of YAML 1.2", "Write the merged keys out.")
    value = plain_value(event)
    if isinstance(value, str):
        return value
    if type(value) is int and _CANONICAL_INTEGER.fullmatch(text):
        return text
    raise NotPlain(f"the key {text or 'null'} is not a string", "Put it in quotes.")


def _resolve(text: str) -> Any:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    try:
        return _number(text)
    except ValueError:  # CPython refuses to convert more than 4,300 digits
        raise NotPlain("this integer has too many digits", "Write a shorter number.") from None


def _number(text: str) -> Any:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        value = float(text)
        if math.isfinite(value):
            return value
        raise NotPlain(f"{text} is too large for a number", "Write a smaller number.")
    if _OCTAL.fullmatch(text):
        return _sayable(int(text[2:], 8))
    if _HEXADECIMAL.fullmatch(text):
        return _sayable(int(text, 16))
    if _NOT_FINITE.fullmatch(text):
        raise NotPlain(f"{text} is not a number that JSON has", "Put it in quotes or remove it.")
    return text


def _sayable(value: int) -> int:
    """The integer; ValueError where it has more decimal digits than CPython converts, as for a decimal one."""
    str(value)
    return value
