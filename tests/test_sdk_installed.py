"""The installed official client as a side: what is left between it and the specification, and that each has a reason.

Reads the client and tests/official_client.yaml, an independent judge of the same classes. Never compares with our own output.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from codegen import snapshot_text
from codegen.align import align, aligned, is_client
from codegen.catalogue import Catalogue, Package
from codegen.changes import Change
from codegen.compare import compare
from codegen.diff import diff
from codegen.diff_names import subject
from codegen.diff_scope import is_component
from codegen.errors import SpecError
from codegen.load import read_fragments
from codegen.sdk import DISTRIBUTION, client_catalogue, read_sdk
from codegen.sdk_install import read_types
from codegen.sides import Side, read_side
from codegen.snapshot_choice import newest_snapshot
from tests import test_official_client as judge
from tests.client_comparison import Difference
from tests.sdk_comparison import SPEC


@pytest.fixture(scope="module")
def installed() -> Side:
    """The installed official client as a side."""
    return Side(*read_sdk("", SPEC))


@pytest.fixture(scope="module")
def left(installed: Side) -> list[Change]:
    """What is left between the specification and the client."""
    return list(compare(read_side("spec", SPEC), installed).changes)


def test_every_stream_names_a_type_that_the_client_has(installed: Side) -> None:
    fragments = [
        each for each in read_fragments(SPEC / "fragments") if each["document"] == "openai"
    ]
    named = {each["stream"]: each["client"].partition(".")[0] for each in fragments}
    assert set(named.values()) == {DISTRIBUTION}
    assert {stream.name for stream in installed.catalogue.streams} == named.keys()


KINDS = {
    ("field", "absent"): "field-removed",
    ("null", "not null"): "no-longer-nullable",
    ("required", "required, or null"): "no-longer-nullable",
    ("required", "optional"): "made-required",
    ("values", "none"): "enum-value-removed",
}
"""Kind of a difference with the client's side, or for required with ours → kind of change."""


def as_change(difference: Difference, package: Package) -> tuple[str, str]:
    """A difference of the judge as kind and subject of a change, which stands where the document has what is different."""
    name, _, rest = difference.where.partition(".")
    side = difference.ours if difference.kind == "required" else difference.client
    where = f"{subject(package.model(name).schema)}.{rest}"
    for field in package.model(name).fields:
        for alias in package.aliases:
            is_shared = alias.type.kind == "enum" and is_component(alias.schema)
            if field.name == rest and field.type.name == alias.name and is_shared:
                where = subject(alias.schema)
    return KINDS[difference.kind, side], where


def test_the_independent_judge_finds_the_same(left: list[Change]) -> None:
    """Two readings of the client's classes, two comparisons; but for what only the judge takes for said: the recursion of a
    compound filter, where the client allows any object."""
    packages = [each for name, each in judge.packages().items() if name != "messages"]
    expected, recursion = set(), 0
    for package in packages:
        assert not [each for stream in package.streams for each in judge.event_differences(stream)]
        for each in judge.compare(package).differences:
            if each.where.endswith("CompoundFilter.filters[]"):
                recursion += 1
            else:
                expected.add(as_change(each, package))
    assert recursion == 4
    assert {(change.kind, change.subject) for change in left} == expected
    assert len(left) == len(expected) == 57


def test_every_change_that_is_left_has_a_reason(left: list[Change]) -> None:
    """The list of known differences, which gives a reason for each, is about these and no others."""
    assert not judge.unlisted(list(judge.differences()))
    assert left


def test_a_client_and_its_own_catalogue_as_a_document_are_equal(installed: Side) -> None:
    sources = tuple(
        dataclasses.replace(source, url="https://example.org/openapi.yaml")
        for source in installed.catalogue.sources
    )
    document = dataclasses.replace(installed.catalogue, sources=sources)
    assert not is_client(document)
    assert diff(document, aligned(installed.catalogue, document)) == []


def test_the_document_that_is_older_lacks_what_the_client_has(installed: Side) -> None:
    """2026-08-21 against 3.57.0, whose release notes name the events of compaction and of steering among what is new."""
    found = compare(read_side("openai-2026-08-21", SPEC), installed).changes
    added = {change.subject for change in found if change.kind == "event-added"}
    assert added == {
        "response.compaction.compacting",
        "response.steer",
        "response.steer.accepted",
        "response.steer.failed",
        "response.steer.pending",
    }
    assert not [change for change in found if change.kind in ("event-removed", "schema-renamed")]


def test_the_other_way_round_is_the_same_comparison(installed: Side, left: list[Change]) -> None:
    back = compare(installed, read_side("spec", SPEC)).changes
    opposite = {"field-removed": "field-added", "made-required": "made-optional"}
    opposite |= {"enum-value-removed": "enum-value-added", "no-longer-nullable": "made-nullable"}
    assert {(change.kind, change.subject) for change in back} == {
        (opposite[change.kind], change.subject) for change in left
    }


def test_the_committed_snapshot_is_what_the_client_says(
    installed: Side, left: list[Change]
) -> None:
    path = SPEC / "snapshots" / f"openai-client-{installed.label.rpartition('-')[2]}.json"
    side = read_side(str(path), SPEC)
    text = snapshot_text.text(path.stem, installed.catalogue, side.date, {})
    assert path.read_text(encoding="utf-8") == text
    assert is_client(side.catalogue)
    again = compare(read_side("spec", SPEC), side).changes
    assert [change.id for change in again] == [change.id for change in left]


def test_a_client_is_not_the_newest_snapshot() -> None:
    assert "client" not in Path(newest_snapshot(SPEC)).name


def test_release_notes_say_what_two_releases_differ_in(tmp_path: Path) -> None:
    """3.15.0 (2026-09-18): compaction progress events, audio-mini model choices, prompt-cache prewarming. Installs both."""
    fragments = tuple(
        each
        for each in read_fragments(SPEC / "fragments")
        if str(each.get("client", "")).startswith(f"{DISTRIBUTION}.")
    )
    types = {each["stream"]: each["client"] for each in fragments}
    sides: list[Catalogue] = []
    for version in ("3.14.1", "3.15.0"):
        try:
            value = read_types(DISTRIBUTION, version, types, tmp_path)
        except SpecError as error:
            if "pip cannot install" in str(error) or "the registry has no" in str(error):
                pytest.skip(f"no registry to install from: {error}")
            raise
        assert value["version"] == version
        sides.append(client_catalogue(value, fragments))
    assert len(list(tmp_path.glob("openai-3.1*.json"))) == 2
    found = diff(*align(*sides))
    assert {(change.kind, change.old or change.new) for change in found} == {
        ("event-added", ""),
        ("enum-value-listed", '"gpt-audio-mini"'),
        ("enum-value-listed", '"gpt-audio-mini-2025-12-15"'),
        ("field-added", "boolean or null"),
    }
    subjects = {change.subject for change in found if change.kind != "enum-value-listed"}
    assert {name.removeprefix("Beta") for name in subjects} == {
        "response.compaction.compacting",
        "ResponseCreatePromptCacheOptions.prewarm",
    }
