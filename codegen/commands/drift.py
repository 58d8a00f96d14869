"""The command `drift`.

Reads arguments, calls the stages, prints or writes what they return. Never ends with 0 where a source failed.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import arguments
from codegen.arguments import Commands
from codegen.installed import require_here
from codegen.kinds import FAIL_ON
from codegen.output import STANDARD, is_coloured, say, write_output

if TYPE_CHECKING:
    from codegen.drift_verdicts import Drift


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "drift",
        run,
        "tell what changed upstream",
        "Ask the source of every entry of spec/sources.yaml what it has now, and tell what changed against spec/. --verbose adds "
        "to each change its entry for spec/accepted.yaml.",
        [
            "codegen drift",
            "codegen drift --fail-on any --format markdown --output drift.md",
            "codegen drift --update",
        ],
        "0 nothing at or above --fail-on and nothing to do in spec/, "
        "1 findings, 2 a source did not answer or could not be read.",
        json_keys="by codegen/drift.schema.json: format, sources (each with name, kind, state, found, quiet, errors, todo, comparison), "
        "unmatched.",
    )
    one.add_argument(
        "--update",
        action="store_true",
        help="write the new cuts, record the sources, and generate",
    )
    one.add_argument(
        "--offline", action="store_true", help="read what the last run left in the cache"
    )
    one.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="default: codegen/upstream in the user's cache folder (XDG_CACHE_HOME)",
    )
    one.add_argument(
        "--source", action="append", default=[], metavar="NAME", help="only this one (repeatable)"
    )
    arguments.format_(one, arguments.REPORTS)
    more = (
        "; any: also a source that has not moved for longer than expected, which is told and fails no run otherwise; none: not even "
        "what is to do in spec/"
    )
    arguments.fail_on(one, FAIL_ON, "breaking", more)
    arguments.output(one)
    arguments.spec_to_read(one)
    arguments.out(one)


def run(options: argparse.Namespace) -> int:
    """Compare upstream with spec/ and tell; with --update, take over what moved."""
    from codegen.drift import drift
    from codegen.drift_update import update
    from codegen.upstream import Offline, Online, default_cache

    if options.update:
        require_here(options.spec, "--update")
    today = datetime.date.today()
    kind = Offline if options.offline else Online
    upstream = kind(options.cache or default_cache())
    found = drift(options.spec, upstream, today, options.source)
    _tell(options, found)
    code = found.code(options.fail_on)
    if not options.update:
        return code
    done = update(found, options.spec, today)
    with redirect_stdout(sys.stderr):
        say(options, "\n".join(done or ["nothing to update"]))
    moved = any(verdict.document for verdict in found.verdicts)
    return max(code, _generate(options)) if moved else code


def _tell(options: argparse.Namespace, found: Drift) -> None:
    from codegen import drift_data, drift_report
    from codegen.accepted import entry_text
    from codegen.report import text

    is_file = options.output not in (None, STANDARD)
    paint = text.coloured if not is_file and is_coloured() else text.plain
    more = entry_text if options.verbose else text.nothing
    renderers: dict[str, Callable[[Drift], str]] = {
        "text": partial(drift_report.render_text, paint=paint, more=more),
        "json": drift_data.render_json,
        "markdown": drift_report.render_markdown,
        "github": drift_report.render_github,
        "html": drift_data.render_html,
        "sarif": partial(drift_data.render_sarif, spec=options.spec),
    }
    told = renderers[options.format](found)
    if is_file:
        write_output(options.output, told)
        say(options, drift_report.summary(found).rstrip("\n"))
    elif options.format != "text" or found.asks or not options.quiet:
        sys.stdout.write(told)


def _generate(options: argparse.Namespace) -> int:
    """As `codegen generate`; what it prints is not the drift, and goes to standard error."""
    from codegen.commands import parser

    much = [f"--{name}" for name in ("quiet", "verbose") if getattr(options, name)]
    folders = ["--spec", str(options.spec), "--out", str(options.out)]
    generating = parser().parse_args(["generate", *folders, *much])
    with redirect_stdout(sys.stderr):
        code: int = generating.run(generating)
        return code
