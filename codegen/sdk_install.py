"""What a version of an official client says of its event types, as JSON.

Reads the installed client, or installs a version of it with pip into a temporary folder; returns the JSON value that
`sdk_script` prints. Never imports a client here, never builds a package from source, and leaves no package behind: what is kept,
in the user's cache folder, is that JSON value.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.errors import Finding, SpecError
from codegen.progress import doing
from codegen.sources import replace_file

NEWEST = "newest"
"""In place of a version: the newest release."""
SCRIPT = Path(__file__).with_name("sdk_script.py")
PIP_SECONDS = 300
READ_SECONDS = 120
_KEYS = frozenset("definitions distribution streams version".split())
_VERSION = re.compile(r"[0-9][0-9A-Za-z.!+_-]*")


def read_types(
    distribution: str, version: str, types: Mapping[str, str], cache: Path | None = None
) -> dict[str, Any]:
    """What `sdk_script` prints for a version of a client; SpecError where it cannot be had.

    distribution  its name in the registry, which is that of its package too
    version       a released version, `newest`, or nothing for the installed one
    types         stream → dotted name of the client's type
    cache         the folder that keeps what was read of a released version; by default one below the user's
    """
    if not version:
        return read_from("", distribution, types, "sdk")
    if version != NEWEST and not _VERSION.fullmatch(version):
        action = "Write sdk, sdk:newest or a version, such as sdk:3.57.0."
        raise SpecError([Finding(f"sdk:{version}", "this is not a version", action)])
    kept = (cache or cache_folder()) / f"{distribution}-{version}-{reading_key(types)}.json"
    if version != NEWEST and kept.is_file():
        return _json(kept.read_text(encoding="utf-8"), str(kept))
    with tempfile.TemporaryDirectory(prefix="codegen-sdk-") as folder:
        _install(distribution, version, folder)
        value = read_from(folder, distribution, types, f"sdk:{version}", ["-S"])
    if version != NEWEST:
        replace_file(kept, json.dumps(value).encode())
    return value


def cache_folder() -> Path:
    """Where the user's programs keep what they can make again: XDG_CACHE_HOME, or what stands for it."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "codegen/sdk"
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home() / ".cache") / "codegen" / "sdk"


def reading_key(types: Mapping[str, str]) -> str:
    """Differs where another reading of the same version would give something else."""
    said = json.dumps(sorted(types.items())).encode() + SCRIPT.read_bytes()
    return hashlib.sha256(said).hexdigest()[:12]


def _install(distribution: str, version: str, folder: str) -> None:
    wanted = distribution if version == NEWEST else f"{distribution}=={version}"
    options = "--quiet --no-input --disable-pip-version-check --only-binary :all: --target".split()
    pip = [sys.executable, "-P", "-m", "pip", "install", *options, folder, wanted]
    where = f"sdk:{version}"
    doing(f"installing {wanted} into a temporary folder")
    done = _run(pip, where, PIP_SECONDS)
    if done.returncode == 0:
        return
    if "No matching distribution found" in done.stderr:
        what = f"the registry has no version {version} of {distribution} for this Python"
        raise SpecError([Finding(where, what, "Name a released version, or sdk:newest.")])
    what = f"pip cannot install {wanted} ({_last_line(done.stderr)})"
    action = "Check the network and pip's settings, or compare with the installed client: sdk."
    raise SpecError([Finding(where, what, action)])


def read_from(
    folder: str,
    distribution: str,
    types: Mapping[str, str],
    where: str,
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """What `sdk_script` prints for the client in a folder, or with folder "" for the installed one.

    where    what errors call it
    options  of Python: -S leaves out what is installed, so that nothing stands in for a part that the folder lacks
    """
    folders = [folder] if folder else []
    program = [sys.executable, "-I", *options, str(SCRIPT), distribution, json.dumps(types)]
    doing(f"reading the types of {where}")
    done = _run([*program, *folders], where, READ_SECONDS)
    if done.returncode == 0:
        return _json(done.stdout, where)
    reason = _last_line(done.stderr)
    what = f"the types of {distribution} cannot be read ({reason})"
    action = f"Install {distribution}, or name a version of it: sdk:3.57.0."
    if folder:
        action = f"Name another version of {distribution}."
    raise SpecError([Finding(where, what, action)])


def _run(command: list[str], where: str, seconds: int) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"},
        )
    except subprocess.TimeoutExpired:
        what = f"{Path(command[0]).name} has not finished after {seconds} s"
        raise SpecError([Finding(where, what, "Check the network, and try again.")]) from None
    except OSError as error:
        what = f"{command[0]} cannot be started ({error.strerror})"
        raise SpecError([Finding(where, what, "Check the Python installation.")]) from None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ") if lines else "no reason given"


def _json(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
        if isinstance(value, dict) and _KEYS <= value.keys():
            return value
    except ValueError:
        pass
    action = "Remove the file, if it is one, and try again."
    raise SpecError([Finding(where, "this is not what the client's types were read as", action)])
