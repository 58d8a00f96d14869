"""What every decoded object is: a slotted dataclass that remembers how it came.

Reads nothing. Gives `Record`, from which every generated class inherits, the classes for what the specification does
not know, and `Problem`. Never looks at a table: what the fields of a class are is said by the class itself.
"""

from __future__ import annotations

import enum
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

REPR_LIMIT = 120
"""Characters of one value that `repr` shows, so that logs hold no whole payloads."""


class Mark(enum.Enum):
    """How a field was on the wire, where that is not what its value says.

    ABSENT and NULL are of fields that read as None; ELSEWHERE is of the tag that the payload lacks and the event line has,
    NULL_ELSEWHERE of one that is null in the payload.
    """

    ABSENT = "absent"
    NULL = "null"
    ELSEWHERE = "elsewhere"
    NULL_ELSEWHERE = "null elsewhere"


class Kept(NamedTuple):
    """What a payload held besides its fields: undeclared properties by name, marks by attribute."""

    unknown: dict[str, Any]
    marks: dict[str, Mark]


@dataclass(init=False, repr=False, eq=False)
class _Carried:
    """Tells `dataclasses.replace` to hand `_wire` on, without making it one of `dataclasses.fields`."""

    __slots__ = ()
    _wire: InitVar[Kept | None] = field(default=None, kw_only=True)


# Python 3.10's typing.get_type_hints cannot evaluate an InitVar, and nobody asks for the hint of this one.
_Carried.__annotations__.clear()


class Record(_Carried):
    """A typed object of a specification.

    A field reads as None where the property is absent or null; which of the two it was is kept beside the fields.
    Two records are equal when `encode` gives equal values. A record belongs to whoever holds it: it may be changed.
    """

    __slots__ = ("_wire",)
    if TYPE_CHECKING:
        _wire: Kept | None

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = self.__slots__
        return all(getattr(self, name) == getattr(other, name) for name in names) and _kept(
            self
        ) == _kept(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={_short(value)}"
            for name in self.__slots__
            if (value := getattr(self, name)) is not None
        )
        return f"{type(self).__name__}({shown})"


def _kept(record: Any) -> tuple[dict[str, Any], dict[str, Mark]]:
    """What is kept beside the fields and still counts: a mark of None ends when its field is set."""
    kept = record._wire
    if kept is None:
        return {}, {}
    return kept.unknown, {
        name: mark
        for name, mark in kept.marks.items()
        if mark in (Mark.ELSEWHERE, Mark.NULL_ELSEWHERE) or getattr(record, name) is None
    }


def _short(value: Any) -> str:
    if isinstance(value, str) and len(value) > REPR_LIMIT:
        value = value[:REPR_LIMIT] + "…"
    elif isinstance(value, (list, dict)) and len(value) > 3:
        return f"<{type(value).__name__} of {len(value)}>"
    try:
        text = repr(value)
    except RecursionError:  # of values that were handed over as mappings: a text is never that deep
        return f"<{type(value).__name__} nested too deep>"
    return text if len(text) <= 2 * REPR_LIMIT else text[: 2 * REPR_LIMIT] + "…"


def _shown(record: Any, names: tuple[str, ...]) -> str:
    shown = ", ".join(f"{name}={_short(getattr(record, name))}" for name in names)
    return f"{type(record).__name__}({shown})"


class _Unknown(Record):
    __slots__ = ()
    type: ClassVar[None] = None


@dataclass(init=False, repr=False, eq=False)
class UnknownEvent(_Unknown):
    """An event whose tag the specification does not know, or data that is no event at all.

    tag    the tag on the wire, None where there is none
    data   the whole payload: a dict, or the text where it is not a JSON object
    `type` is always None, so that comparing `event.type` with a tag tells it from every known event.
    """

    __slots__ = ("tag", "data")
    tag: str | None
    data: Any

    def __init__(self, tag: str | None, data: Any, *, _wire: Kept | None = None) -> None:
        self.tag = tag
        self.data = data
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class UnknownObject(_Unknown):
    """A member of a union of payloads that the specification does not know.

    tag    the value of the union's tag property, None where there is none
    data   the whole object
    """

    __slots__ = ("tag", "data")
    tag: str | None
    data: dict[str, Any]

    def __init__(self, tag: str | None, data: dict[str, Any], *, _wire: Kept | None = None) -> None:
        self.tag = tag
        self.data = data
        self._wire = _wire


Level = Literal["error", "warning", "info"]


@dataclass(frozen=True, repr=False)
class Problem:
    """Something that a stream or a payload did that it should not have. `repr` and `str` cut what is long.

    kind      a stable name of what went wrong, such as "wrong-type"
    level     error: the specification is broken; warning: drift; info: allowed, worth knowing
    message   one sentence
    path      where in the payload, such as ".response.output[0].status"; "" for the whole
    tag       the event's tag, where one is concerned
    sequence_number  the event's sequence number, where it has one
    """

    kind: str
    level: Level
    message: str
    path: str = ""
    tag: str | None = None
    sequence_number: int | None = None

    def __repr__(self) -> str:
        return _shown(self, ("kind", "level", "message", "path", "tag", "sequence_number"))

    def __str__(self) -> str:
        text = f"{self.path}: {self.message}" if self.path else self.message
        return text if len(text) <= 4 * REPR_LIMIT else text[: 4 * REPR_LIMIT] + "…"


@dataclass(frozen=True, repr=False)
class ErrorInfo:
    """What a stream failed with, in one form for flat errors, nested ones and bare text. `repr` cuts what is long.

    status  the HTTP status that came with it, where it has one
    data    the error as it was on the wire
    """

    message: str
    code: str | int | None = None
    type: str | None = None
    param: str | None = None
    data: Any = field(default=None, repr=False)
    status: int | None = None

    def __repr__(self) -> str:
        return _shown(self, ("message", "code", "type", "param", "status"))

    @classmethod
    def of(cls, error: Any) -> ErrorInfo | None:
        """The error of a JSON value: an object with or without `error` inside, or text; None for null."""
        if error is None:
            return None
        outer = error if isinstance(error, dict) else {}
        inner = outer.get("error")
        if not inner and isinstance(outer.get("errors"), list) and outer["errors"]:
            inner = outer["errors"][0]
        if isinstance(inner, (dict, str)) and inner:
            error = inner
        if not isinstance(error, dict):
            return cls(str(error), data=error)
        message = next((error[name] for name in ("message", "detail") if error.get(name)), None)
        found = (each.get(name) for each in (outer, error) for name in ("status", "status_code"))
        return cls(
            message if isinstance(message, str) else "",
            error.get("code"),
            error.get("type"),
            error.get("param"),
            error,
            next((status for status in found if type(status) is int), None),
        )
