"""No text of a specification becomes code: hostile documents through `load`, `resolve` and `emit`, with their prose and without."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.catalogue import Catalogue
from codegen.emit import emit
from codegen.emit.render import Files
from codegen.errors import SpecError
from codegen.files import format_text
from codegen.load import load
from codegen.resolve import resolve
from tests.hostile import documents, texts
from tests.hostile.judge import Vocabularies, require_ours, same_tree
from tests.small_spec import write_spec

WORST = texts.TEXTS["backslashes and quotes"]

CASES: dict[str, dict[str, Any]] = {
    **{f"everywhere: {name}": documents.everywhere(text) for name, text in texts.TEXTS.items()},
    **{f"{place}: {WORST[:4]}": documents.with_text(place, WORST) for place in documents.PLACES},
    **{f"{place}: newline": documents.with_text(place, texts.TEXTS["newline"]) for place in documents.PLACES},
    **{f"tag: {name}": documents.with_text("tag", text) for name, text in texts.TEXTS.items()},
    **{f"mapping: {name}": documents.with_text("mapping", text) for name, text in texts.TEXTS.items()},
    "names of ours": documents.with_names(texts.OURS),
    "names of builtins": documents.with_names(texts.BUILTINS),
    "names of keywords": documents.with_names(texts.KEYWORDS),
    "names of attributes": documents.with_names(texts.PAYLOAD),
    "names alike after conversion": documents.with_names(texts.CONVERTED),
    "names of all kinds": documents.with_names([*texts.CONVERTED, *texts.OURS[:9], *texts.PAYLOAD[:9]]),
    **{f"one name: {name}": documents.with_names([name]) for name in ("class", "__class__", "self", "Record", "1", "_", "é", "∀")},
}  # fmt: skip
REFUSED = {"everywhere: empty"}
"""Cases that may end in a SpecError; all others must be taken."""


def outcome(folder: Path, tree: dict[str, Any], docs: bool) -> tuple[Catalogue, Files] | SpecError:
    """What comes out of a document: as the committed cut, or as a whole document with its prose."""
    text = json.dumps(tree)
    spec = write_spec(folder, text)
    try:
        if docs:
            specification = load(
                spec, documents={"d": str(spec / "documents" / "d.yaml")}, docs=True
            )
        else:
            specification = load(spec)
        catalogue = resolve(specification)
    except SpecError as error:
        assert all(line.isprintable() for line in str(error).split("\n"))
        return error
    return catalogue, emit(catalogue)


@cache
def harmless(folder: Path) -> Vocabularies:
    found = outcome(folder / "harmless", documents.plain(), docs=True)
    assert not isinstance(found, SpecError)
    return Vocabularies(found[0])


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Vocabularies:
    return harmless(tmp_path_factory.mktemp("harmless"))


def test_there_are_at_least_60() -> None:
    assert len(CASES) >= 60


RUNS = [(name, False) for name in CASES] + [
    (name, True) for name in CASES if name.startswith(("everywhere", "description", "names"))
]


@pytest.mark.parametrize(
    ("name", "docs"), RUNS, ids=[f"{name}{' with docs' * docs}" for name, docs in RUNS]
)
def test_hostile_document(name: str, docs: bool, tmp_path: Path, ours: Vocabularies) -> None:
    found = outcome(tmp_path, CASES[name], docs)
    if isinstance(found, SpecError):
        assert name in REFUSED, str(found)[:2000]
        return
    catalogue, files = found
    require_ours(files, catalogue, ours)
    if not docs and "very long" not in name:
        for path in ("stream_events/s/events.py", "stream_events/s/models.py"):
            assert same_tree(format_text(files[path]), files[path])


PARTS = st.sampled_from(
    ['"', "'", '"""', "'''", "\\", "\n", "\r", "#", "{{", "}}", "{%", "%}", "\0", "\u2028", "\u202e", "\x1b", "x", " ", "__", ".",
     "(", ")", "[", "]", ":", "=", ",", ";", "/", "~", "~1", "%2F", "import os", "None", "1", "-", "é", "\U000e0041", "N{BULLET}"]
)  # fmt: skip
HOSTILE = st.one_of(
    st.lists(PARTS, min_size=1, max_size=12).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    st.sampled_from([text for text in texts.TEXTS.values() if text]).map(lambda text: text[:300]),
)


@settings(max_examples=40)
@given(
    where=st.dictionaries(st.sampled_from(sorted(documents.PLACES)), HOSTILE, min_size=1),
    docs=st.booleans(),
)
def test_any_texts_at_any_places(
    where: dict[str, str], docs: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    tree = documents.plain()
    for place in sorted(where, key=lambda each: (each == "component", each)):
        documents.PLACES[place](tree, where[place])
    found = outcome(folder, tree, docs)
    if not isinstance(found, SpecError):
        catalogue, files = found
        require_ours(files, catalogue, harmless(tmp_path_factory.getbasetemp()))
