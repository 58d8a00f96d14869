"""The command line: one run of one command.

Reads arguments, lets the command run, tells errors on standard error. Never decides anything about a specification. Exit codes: 0 fine,
1 a finding, 2 the input could not be used, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from codegen import output

FINE, UNUSABLE, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    output.prepare()
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        output.abandon()
        return INTERRUPTED
    except BrokenPipeError:
        output.abandon()
        return FINE
    except OSError as error:
        print(output.unwritable(error), file=sys.stderr)
        output.abandon()
        return UNUSABLE


def _run(arguments: Sequence[str] | None) -> int:
    """The exit code of the command; SystemExit of argparse for a wrong option, --help and --version."""
    from codegen import commands, complete
    from codegen.errors import SpecError
    from codegen.limits import raised
    from codegen.progress import shown

    parser = commands.parser()
    if "_ARGCOMPLETE" in os.environ:
        complete.answer(parser)
    options = parser.parse_args(arguments)
    try:
        with raised(options.limit), shown(options.verbose, options.quiet):
            code: int = options.run(options)
            return code
    except SpecError as error:
        for finding in error.findings:
            print(finding, file=sys.stderr)
        return UNUSABLE
    except (RecursionError, MemoryError) as error:
        print(output.too_much(error), file=sys.stderr)
        return UNUSABLE


def program() -> None:
    """Run the command that the process was started for, and end the process."""
    code = main()
    if code == INTERRUPTED:
        os._exit(
            code
        )  # an ordinary end would wait for processes that were killed in the middle of their work
    sys.exit(code)


if __name__ == "__main__":
    program()
