"""Small clients for tests: packages with pydantic models, as the official ones have them.

Reads the text of a module; writes a package `smallclient` with its metadata below the folder that a test was given, and reads
its types through the script that reads the official client's. Never imports the package here.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path
from typing import Any

from codegen.load import read_fragments
from codegen.sdk import client_catalogue
from codegen.sdk_install import read_from
from codegen.sides import Side

NAME = "smallclient"
HEAD = """\
from __future__ import annotations
from datetime import datetime
from typing import Any, Dict, List, Optional, Union
from typing_extensions import Annotated, Literal, TypeAlias, TypedDict, Required
from pydantic import BaseModel, ConfigDict

class Model(BaseModel):
    model_config = ConfigDict(extra="allow")

"""


def metadata(version: str) -> str:
    """The metadata of a version, as core metadata 2.1."""
    return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n"


def write_client(folder: Path, text: str, version: str = "1.0") -> Path:
    """The folder, with the package in it; `text` is what its module holds besides `HEAD`."""
    info = folder / f"{NAME}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(metadata(version))
    (folder / NAME).mkdir()
    (folder / NAME / "__init__.py").write_text("")
    (folder / NAME / "types.py").write_text(HEAD + text)
    return folder


def write_wheel(folder: Path, text: str, version: str = "1.0") -> Path:
    """The package as a wheel in a folder (PEP 427), without its dependencies; its path."""
    path = folder / f"{NAME}-{version}-py3-none-any.whl"
    info = f"{NAME}-{version}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        f"{NAME}/__init__.py": "",
        f"{NAME}/types.py": text,
        f"{info}/METADATA": metadata(version),
        f"{info}/WHEEL": wheel,
    }
    rows = []
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest())
            rows.append(f"{name},sha256={digest.rstrip(b'=').decode()},{len(content)}")
            archive.writestr(name, content)
        archive.writestr(f"{info}/RECORD", "\n".join([*rows, f"{info}/RECORD,,", ""]))
    return path


def read_client(folder: Path) -> dict[str, Any]:
    """What the script prints for the type `Ev` of the package in a folder."""
    return read_from(str(folder), NAME, {"s": f"{NAME}.types.Ev"}, "the small client")


def client_side(folder: Path, spec: Path, text: str) -> Side:
    """The side of a client with the module `text`, for the stream `s` of a folder `spec`."""
    value = read_client(write_client(folder, text))
    return Side(f"{NAME}-1.0", client_catalogue(value, read_fragments(spec / "fragments")))
