"""`codegen adopt` with the installed client, beside the specification of the repository.

Reads spec/ without the overlays that were written by hand for the client. Never writes to it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.adopt import Adopted, adopt
from codegen.changes import Change
from codegen.compare import compare
from codegen.sdk import read_sdk
from codegen.sides import Side, read_side
from tests.test_adopt import ids

SPEC = Path(__file__).resolve().parent.parent / "spec"


BY_HAND = "1[0-5]-published-*.yaml"


@pytest.fixture(scope="module")
def client() -> Side:
    """The installed official client."""
    return Side(*read_sdk("", SPEC))


def without_overlays(folder: Path) -> Path:
    """The specification of the repository without what was written by hand after the client."""
    spec = folder / "spec"
    shutil.copytree(SPEC, spec, ignore=shutil.ignore_patterns("snapshots", "accepted.yaml"))
    removed = list((spec / "overlays").glob(BY_HAND))
    assert len(removed) == 6
    for path in removed:
        path.unlink()
    return spec


@pytest.fixture(scope="module")
def whole(
    tmp_path_factory: pytest.TempPathFactory, client: Side
) -> tuple[list[Change], Adopted, Path]:
    """What the client says beyond the document, all of it adopted, and the folder."""
    spec = without_overlays(tmp_path_factory.mktemp("whole"))
    before = list(compare(read_side("spec", spec), client).changes)
    return before, adopt(spec, client, "30-client"), spec


def test_a_whole_client_is_adopted(whole: tuple[list[Change], Adopted, Path], client: Side) -> None:
    before, done, spec = whole
    assert {change.subject for change in before if change.kind == "event-added"} == {
        "response.compaction.compacting",
        "response.steer",
        "response.steer.accepted",
        "response.steer.failed",
        "response.steer.pending",
    }
    assert len(done.adopted) > 150 and len(done.adopted) + len(done.ours) == len(before)
    assert sorted(ids(spec, client)) == sorted(change.id for change in done.ours)
    subjects = {change.subject for change in done.ours}
    assert {"ResponseTextDeltaEvent.obfuscation", "Response.store", "ImageGenTool.n"} <= subjects
    assert "ResponseErrorCode" in subjects  # one value is ours; those of the client are adopted


def test_what_servers_were_recorded_doing_is_not_undone(tmp_path: Path, client: Side) -> None:
    """The overlays of the repository follow the client in all else; two facts are the document's own."""
    spec = tmp_path / "spec"
    shutil.copytree(SPEC, spec, ignore=shutil.ignore_patterns("snapshots", "accepted.yaml"))
    before = ids(spec, client)
    done = adopt(spec, client, "99-client")
    assert {change.subject.removeprefix("Beta") for change in done.adopted} == {
        "Response.output_text",
        "ResponseFunctionCallArgumentsDoneEvent.name",
    }
    assert len(done.ours) == len(before) - len(done.adopted) > 50


def test_events_of_a_whole_client_are_those_of_the_overlays_by_hand(
    whole: tuple[list[Change], Adopted, Path],
) -> None:
    *_, spec = whole
    tags = [
        {stream.name: [event.tag for event in stream.events] for stream in side.streams}
        for side in (read_side("spec", spec).catalogue, read_side("spec", SPEC).catalogue)
    ]
    assert tags[0] == tags[1]


def test_only_one_stream(tmp_path: Path, client: Side) -> None:
    spec = without_overlays(tmp_path)
    before = compare(read_side("spec", spec), client).changes
    done = adopt(spec, client, "30-client-chat", ["chat"])
    ours = {change.id for change in done.ours}
    left = [each for each in ids(spec, client) if each not in ours]
    assert left == [
        change.id for change in before if "chat" not in change.streams and change.id not in ours
    ]
    assert {change.streams for change in done.adopted} == {("chat",)}


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = without_overlays(tmp_path)
    monkeypatch.chdir(tmp_path)
    arguments = ["adopt", "--spec", str(spec), "--name", "30-audio", "--only"]
    audio = "field-added/ChatCompletionStreamResponseDelta.audio/ChoiceDeltaAudio or null"
    assert main([*arguments, audio]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == [audio, "spec/overlays/30-audio.yaml: 2 actions for 1 changes"]
    assert main([*arguments, audio]) == 2
    assert "is there already" in capsys.readouterr().err
