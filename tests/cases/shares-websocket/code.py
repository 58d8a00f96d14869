# s/events.py


@dataclass(init=False, repr=False, eq=False)
class A(Record):
    """The schema `A`."""

    __slots__ = ("text", "stream_id", "type")
    text: str
    stream_id: str | None
    type: Literal["a"]

    def __init__(
        self,
        text: str,
        stream_id: str | None = None,
        type: Literal["a"] = "a",
        _wire: Kept | None = None,
    ) -> None:
        self.text = text
        self.stream_id = stream_id
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class B(Record):
    """The schema `B`."""

    __slots__ = ("stream_id", "type")
    stream_id: str | None
    type: Literal["b"]

    def __init__(
        self, stream_id: str | None = None, type: Literal["b"] = "b", _wire: Kept | None = None
    ) -> None:
        self.stream_id = stream_id
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class C(Record):
    """The schema `C`."""

    __slots__ = ("text", "type")
    text: str | None
    type: Literal["c"]

    def __init__(
        self, text: str | None = None, type: Literal["c"] = "c", _wire: Kept | None = None
    ) -> None:
        self.text = text
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class D(Record):
    """The schema `D`."""

    __slots__ = ("type",)
    type: Literal["d"]

    def __init__(self, type: Literal["d"] = "d", _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Failure(Record):
    """The schema `Failure`."""

    __slots__ = ("message", "type")
    message: str
    type: Literal["error"]

    def __init__(
        self, message: str, type: Literal["error"] = "error", _wire: Kept | None = None
    ) -> None:
        self.message = message
        self.type = type
        self._wire = _wire


Ev: TypeAlias = Union[A, B, C, D, Failure, UnknownEvent]
Event: TypeAlias = Ev

EVENTS: dict[str, type[A] | type[Record]] = {"a": A, "b": B, "c": C, "d": D, "error": Failure}

TABLES: dict[str, Table] = {
    "A": Table(A, {"text": "str", "type": ("const", "a")}, {"stream_id": "str"}),
    "B": Table(B, {"type": ("const", "b")}, {"stream_id": "str"}),
    "C": Table(C, {"type": ("const", "c")}, {"text": "str"}),
    "D": Table(D, {"type": ("const", "d")}),
    "Failure": Table(Failure, {"message": "str", "type": ("const", "error")}),
}


# s/websocket/events.py


@dataclass(init=False, repr=False, eq=False)
class ServerC(Record):
    """The schema `Server`."""

    __slots__ = ("text", "type")
    text: int | None
    type: Literal["c"]

    def __init__(
        self, text: int | None = None, type: Literal["c"] = "c", _wire: Kept | None = None
    ) -> None:
        self.text = text
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class ServerD(Record):
    """The schema `Server`."""

    __slots__ = ("stream_id", "type")
    stream_id: str
    type: Literal["d"]

    def __init__(self, stream_id: str, type: Literal["d"] = "d", _wire: Kept | None = None) -> None:
        self.stream_id = stream_id
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class SocketFailure(Record):
    """The schema `SocketFailure`."""

    __slots__ = ("status", "type")
    status: int
    type: Literal["error"]

    def __init__(
        self, status: int, type: Literal["error"] = "error", _wire: Kept | None = None
    ) -> None:
        self.status = status
        self.type = type
        self._wire = _wire


Server: TypeAlias = Union[A, B, ServerC, ServerD, SocketFailure, UnknownEvent]
ServerEvent: TypeAlias = Server

SERVER_EVENTS: dict[str, type[A] | type[Record]] = {
    "a": A,
    "b": B,
    "c": ServerC,
    "d": ServerD,
    "error": SocketFailure,
}

TABLES: dict[str, Table] = {
    "ServerC": Table(ServerC, {"type": ("const", "c")}, {"text": "int"}),
    "ServerD": Table(ServerD, {"stream_id": "str", "type": ("const", "d")}),
    "SocketFailure": Table(SocketFailure, {"status": "int", "type": ("const", "error")}),
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
