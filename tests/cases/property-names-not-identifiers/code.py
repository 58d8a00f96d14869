# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("x_y", "a_b", "with_space", "field", "na_ve", "a_b_c", "field2", "type")
    x_y: str | None
    a_b: str | None
    with_space: str | None
    field: str | None
    na_ve: str | None
    a_b_c: EvABC | None
    field2: str | None
    type: Literal["ev"]

    def __init__(
        self,
        x_y: str | None = None,
        a_b: str | None = None,
        with_space: str | None = None,
        field: str | None = None,
        na_ve: str | None = None,
        a_b_c: EvABC | None = None,
        field2: str | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.x_y = x_y
        self.a_b = a_b
        self.with_space = with_space
        self.field = field
        self.na_ve = na_ve
        self.a_b_c = a_b_c
        self.field2 = field2
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "x-y": "str",
            "a.b": "str",
            "with space": "str",
            "@": "str",
            "naïve": "str",
            "a/b~c": "EvABC",
            "": "str",
        },
        {
            "x-y": "x_y",
            "a.b": "a_b",
            "with space": "with_space",
            "@": "field",
            "naïve": "na_ve",
            "a/b~c": "a_b_c",
            "": "field2",
        },
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvABC(Record):
    """`a/b~c` in `Ev`."""

    __slots__ = ("d",)
    d: str | None

    def __init__(self, d: str | None = None, _wire: Kept | None = None) -> None:
        self.d = d
        self._wire = _wire


TABLES: dict[str, Table] = {"EvABC": Table(EvABC, {}, {"d": "str"})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
