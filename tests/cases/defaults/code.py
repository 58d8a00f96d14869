# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = (
        "needed",
        "text",
        "empty",
        "quote",
        "whole",
        "fraction",
        "flag",
        "nothing",
        "list_",
        "map",
        "object",
        "type",
    )
    needed: str
    text: str | None
    empty: str | None
    quote: str | None
    whole: int | None
    fraction: float | None
    flag: bool | None
    nothing: str | None
    list_: list[str] | None
    map: dict[str, Any] | None
    object: EvObject | None
    type: Literal["ev"]

    def __init__(
        self,
        needed: str,
        text: str | None = None,
        empty: str | None = None,
        quote: str | None = None,
        whole: int | None = None,
        fraction: float | None = None,
        flag: bool | None = None,
        nothing: str | None = None,
        list_: list[str] | None = None,
        map: dict[str, Any] | None = None,
        object: EvObject | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.needed = needed
        self.text = text
        self.empty = empty
        self.quote = quote
        self.whole = whole
        self.fraction = fraction
        self.flag = flag
        self.nothing = nothing
        self.list_ = list_
        self.map = map
        self.object = object
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"needed": "str", "type": ("const", "ev")},
        {
            "text": "str",
            "empty": "str",
            "quote": "str",
            "whole": "int",
            "fraction": "float",
            "flag": "bool",
            "nothing": ("null", "str"),
            "list": ("list", "str"),
            "map": ("map", "any"),
            "object": "EvObject",
        },
        {"list": "list_"},
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvObject(Record):
    """`object` in `Ev`."""

    __slots__ = ("k",)
    k: str | None

    def __init__(self, k: str | None = None, _wire: Kept | None = None) -> None:
        self.k = k
        self._wire = _wire


TABLES: dict[str, Table] = {"EvObject": Table(EvObject, {}, {"k": "str"})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
