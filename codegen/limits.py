"""How much the generator is ready to read.

Reads what a person raised for one run (`codegen --limit NAME=NUMBER`); returns numbers, each named in the error that it causes; never
enforces one itself. The largest upstream document has 3.4 MB, 110,000 nodes and a depth of 21, and its largest package 313
classes, so every limit leaves room for years of growth and still ends a hostile document within seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

from codegen.errors import Finding, SpecError

MAX_BYTES = 16 * 1024 * 1024
"""Size of one document, overlay or fragment, in bytes."""

MAX_DEPTH = 100
"""Collections within collections, counted from the root, which is 1; aliases count where they are used."""

MAX_NODES = 2_000_000
"""Keys and values of one document after every alias was expanded."""

FETCH_SECONDS = 30
"""Time for one document to arrive from a URL, from the first connection to the last byte."""

TARGET_SECONDS = 20
"""Time for the target of one overlay's action to be looked for in a document."""

MAX_COMPONENTS = 10_000
"""Component schemas of one document, after its cut."""

MAX_CLASSES = 3_000
"""Classes of one package."""

MAX_FIELDS = 2_000
"""Properties of one class."""

MAX_VALUES = 10_000
"""Values of one enum."""

MAX_SHAPES = 1_000
"""Objects that one schema stands for where its `allOf` has unions."""

MAX_CHAIN = 100
"""Schemas that lie within one another, refs followed: an object, the list in it, the union of its items, and so on."""

MAX_STEPS = 200_000
"""Looks at schemas while one package is resolved; a way to a schema counts as often as it is taken."""

DEFAULTS: Mapping[str, int] = MappingProxyType(
    {name: value for name, value in globals().items() if name.isupper() and isinstance(value, int)}
)
_RAISED: ContextVar[Mapping[str, int]] = ContextVar("raised", default=MappingProxyType({}))


def limit(name: str) -> int:
    """The limit of that name in this run."""
    return _RAISED.get().get(name, DEFAULTS[name])


@contextmanager
def raised(texts: Iterable[str]) -> Iterator[None]:
    """Other limits while the block lasts, as `NAME=NUMBER`; SpecError for what is no limit or no positive number."""
    found: dict[str, int] = {}
    for text in texts:
        name, _, number = text.partition("=")
        if (
            name not in DEFAULTS
            or not (number.isascii() and number.isdigit())
            or not 0 < len(number) < 16
        ):
            names = ", ".join(DEFAULTS)
            raise SpecError(
                [Finding(f"--limit {text}", "is not NAME=NUMBER", f"Name one of: {names}.")]
            )
        found[name] = int(number)
    token = _RAISED.set(MappingProxyType(found))
    try:
        yield
    finally:
        _RAISED.reset(token)


def exceeded(where: str, what: str, name: str) -> SpecError:
    """The error of a limit: `what` has more than it allows."""
    said = f"{what} more than {limit(name):,} (limit {name})"
    return SpecError(
        [Finding(where, said, f"Give a smaller document, or codegen --limit {name}=….")]
    )
