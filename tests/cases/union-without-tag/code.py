# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("part", "type")
    part: EvPart | None
    type: Literal["ev"]

    def __init__(
        self, part: EvPart | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.part = part
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"type": ("const", "ev")}, {"part": "EvPart"})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class File(Record):
    """The schema `File`."""

    __slots__ = ("file_id",)
    file_id: str

    def __init__(self, file_id: str, _wire: Kept | None = None) -> None:
        self.file_id = file_id
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Url(Record):
    """The schema `Url`."""

    __slots__ = ("url",)
    url: str

    def __init__(self, url: str, _wire: Kept | None = None) -> None:
        self.url = url
        self._wire = _wire


EvPart: TypeAlias = Url | File | UnknownObject

TABLES: dict[str, Table] = {
    "File": Table(File, {"file_id": "str"}),
    "Url": Table(Url, {"url": "str"}),
}

CHOICES: dict[str, Choice] = {
    "EvPart": Choice(
        "",
        {},
        (Shape("Url", ("url",), ("url",), {}), Shape("File", ("file_id",), ("file_id",), {})),
    )
}

ALIASES: dict[str, object] = {}
