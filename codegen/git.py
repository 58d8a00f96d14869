"""Files of a git repository as they were at a commit.

Reads a repository through the `git` command; returns bytes and commits. Never changes a repository, and never gives git
anything that it could take for an option.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from codegen.errors import Finding, SpecError

_START = "\x01"
"""What stands before each commit in what git tells."""
SECONDS = 60
"""How long one git command may take."""


@dataclass(frozen=True)
class Commit:
    """A commit: its full hash, the day of the committer, YYYY-MM-DD, and where the file lies in it; empty where it removes it."""

    hash: str
    date: str
    path: str


def read(revision: str, path: str) -> bytes:
    """The bytes of the file `path` at a revision of the repository that it lies in; SpecError where there are none."""
    where = f"git:{revision}:{path}"
    full = Path(path).absolute()
    folder = next(parent for parent in full.parents if parent.is_dir())
    root = Path(_run(folder, ["rev-parse", "--show-toplevel"], where).decode().strip())
    inside = (folder.resolve() / full.relative_to(folder)).relative_to(root.resolve())
    return read_from(root, revision, inside.as_posix())


def read_from(repository: Path, revision: str, path: str) -> bytes:
    """The bytes of a file, by its path from the top of the repository."""
    where = f"git:{revision}:{path}"
    name = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    commit = _run(repository, name, where, "there is no such revision").decode().strip()
    return _run(repository, ["cat-file", "blob", f"{commit}:{path}"], where)


def commits(repository: Path, path: str) -> list[Commit]:
    """The commits that touch a file, the oldest first; SpecError where the folder is no repository or there are none.

    Only those of the line that leads to HEAD, in which a merged branch is one step (git-log, --first-parent): the commits of two
    branches do not follow each other. The file is followed to the names that it had before.
    """
    where = f"git:{repository}:{path}"
    log = "log --first-parent --diff-merges=first-parent --follow --find-renames --name-status -z"
    arguments = [*log.split(), f"--format={_START}%H %cs", "--end-of-options", "HEAD", "--", path]
    said = _run(repository, arguments, where).decode(errors="surrogateescape")
    found = [_commit(text) for text in said.split(_START)[1:]]
    if not found:
        what = "no commit touches this file"
        raise SpecError([Finding(where, what, "Give its path from the top of the repository.")])
    return found[::-1]


def _commit(text: str) -> Commit:
    """A commit as git tells it: hash and day, how the file changed, its path, and where it was renamed the new one."""
    head, status, *paths = text.rstrip("\0").split("\0")
    digest, _, day = head.partition(" ")
    return Commit(digest, day, "" if status.strip() == "D" else paths[-1])


def _run(folder: Path, arguments: list[str], where: str, what: str = "") -> bytes:
    action = "Check the repository, the revision and the path."
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SpecError([Finding(where, f"git cannot be run ({error})", action)]) from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        what = what or (said[-1] if said else "git has nothing there")
        raise SpecError([Finding(where, what.rstrip("."), action)])
    return done.stdout
