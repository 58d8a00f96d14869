# s/events.py


@dataclass(init=False, repr=False, eq=False)
class A(Record):
    """The schema `A`."""

    __slots__ = ("part", "inline", "type")
    part: Part | None
    inline: AInline | None
    type: Literal["a"]

    def __init__(
        self,
        part: Part | None = None,
        inline: AInline | None = None,
        type: Literal["a"] = "a",
        _wire: Kept | None = None,
    ) -> None:
        self.part = part
        self.inline = inline
        self.type = type
        self._wire = _wire


Ev: TypeAlias = Union[A, UnknownEvent]
Event: TypeAlias = Ev

EVENTS: dict[str, type[Record]] = {"a": A}

TABLES: dict[str, Table] = {
    "A": Table(A, {"type": ("const", "a")}, {"part": "Part", "inline": "AInline"})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class AInline(Record):
    """`inline` in `A`."""

    __slots__ = ("text",)
    text: str | None

    def __init__(self, text: str | None = None, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Part(Record):
    """The schema `Part`."""

    __slots__ = ("text",)
    text: str | None

    def __init__(self, text: str | None = None, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


TABLES: dict[str, Table] = {
    "AInline": Table(AInline, {}, {"text": "str"}),
    "Part": Table(Part, {}, {"text": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
