# s/events.py


@dataclass(init=False, repr=False, eq=False)
class A(Record):
    """The schema `A`."""

    __slots__ = ("type",)
    type: str

    def __init__(self, type: str, _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class B(Record):
    """The schema `B`."""

    __slots__ = ("next", "type")
    next: B | None
    type: Literal["b"]

    def __init__(
        self, next: B | None = None, type: Literal["b"] = "b", _wire: Kept | None = None
    ) -> None:
        self.next = next
        self.type = type
        self._wire = _wire


Ev: TypeAlias = Union[B, A, UnknownEvent]
Event: TypeAlias = Ev

EVENTS: dict[str, type[B] | type[Record]] = {"b": B, "first": A}

TABLES: dict[str, Table] = {
    "A": Table(A, {"type": "str"}),
    "B": Table(B, {"type": ("const", "b")}, {"next": ("null", "B")}),
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
