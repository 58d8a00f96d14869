"""The command `completion`.

Reads the name of a shell; prints a script. Never changes a file of the user's.
"""

from __future__ import annotations

import argparse
import sys

from codegen import arguments, complete
from codegen.arguments import Commands

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "completion",
        run,
        "print what makes a shell complete codegen",
        "Print a script that makes the shell complete commands, options and their values: streams, tags, dialects, snapshots. The "
        "shell asks the program that it finds as `codegen`.",
        [
            'eval "$(codegen completion bash)"',
            "codegen completion zsh > ~/.zfunc/_codegen",
            "codegen completion fish > ~/.config/fish/completions/codegen.fish",
        ],
    )
    one.add_argument("shell", choices=complete.SHELLS, help="the shell that runs the script")


def run(options: argparse.Namespace) -> int:
    """Print the script of a shell."""
    sys.stdout.write(complete.script(options.shell))
    return FINE
