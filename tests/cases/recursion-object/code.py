# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("tree", "type")
    tree: Tree | None
    type: Literal["ev"]

    def __init__(
        self, tree: Tree | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.tree = tree
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"type": ("const", "ev")}, {"tree": "Tree"})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Tree(Record):
    """The schema `Tree`."""

    __slots__ = ("left", "children", "parent")
    left: Tree | None
    children: list[Tree] | None
    parent: Tree | None

    def __init__(
        self,
        left: Tree | None = None,
        children: list[Tree] | None = None,
        parent: Tree | None = None,
        _wire: Kept | None = None,
    ) -> None:
        self.left = left
        self.children = children
        self.parent = parent
        self._wire = _wire


TABLES: dict[str, Table] = {
    "Tree": Table(
        Tree, {}, {"left": "Tree", "children": ("list", "Tree"), "parent": ("null", "Tree")}
    )
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
