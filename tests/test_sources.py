"""spec/sources.yaml: what may stand in it, and that writing keeps it.

Reads files that the tests write, and the committed one. Never writes to spec/ of the repository.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen.errors import SpecError
from codegen.sources import read_watched, record

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    "entry, what",
    [
        ("{name: c, kind: other}", "`kind` is 'other', and neither document nor client"),
        ("{name: c, kind: client, package: openai}", "`version` is None"),
        ("{name: c, kind: client, package: -x, version: '1'}", "`package` is '-x'"),
        ("{name: c, kind: client, package: o, version: '1', url: u}", "`url` is not a key of a source"),
        ("{name: c, kind: client, package: o, version: '1', expected_every: 2w}", "`expected_every` is '2w'"),
        ("{name: d, kind: document, etag: abc}", "`etag` is 'abc'"),
    ],
)  # fmt: skip
def test_sources_with_faults(tmp_path: Path, entry: str, what: str) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(f"sources:\n- {entry}\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_watched(path)
    assert what in [finding.what for finding in caught.value.findings]


def test_recording_what_is_there_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    shutil.copy(ROOT / "spec" / "sources.yaml", path)
    before = path.read_bytes()
    for entry in read_watched(path):
        record(path, entry)
    assert path.read_bytes() == before
