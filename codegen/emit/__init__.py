"""All outputs. Adding one is adding a module here and to `EMITTERS`.

Reads the catalogue; returns files by path, not yet formatted. Nothing flows between emitters.
"""

from __future__ import annotations

from collections.abc import Callable

from codegen.catalogue import Catalogue
from codegen.emit import catalogue as catalogue_json
from codegen.emit import accumulator, classes, dialects, package, reference, vectors, written
from codegen.emit.render import Files

EMITTERS: tuple[Callable[[Catalogue], Files], ...] = (
    classes.emit,
    accumulator.emit,
    dialects.emit,
    package.emit,
    written.emit,
    catalogue_json.emit,
    vectors.emit,
    reference.emit,
)


def emit(catalogue: Catalogue) -> Files:
    """Every file of generated/ by path, before formatting."""
    files: Files = {}
    for emitter in EMITTERS:
        files |= emitter(catalogue)
    return files
