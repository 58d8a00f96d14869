"""The command `serve`.

Reads arguments; starts the server. Never imports it before it is asked for: it is an extra of the package.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codegen import arguments
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.installed import here_or_own

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "serve",
        run,
        "play streams to a client under test",
        "Play event streams over HTTP and WebSocket to a client under test: built-in scenarios, recordings, and "
        "faults of real life. GET / lists all of it with a curl line each. The first line of output is the address.",
        ["codegen serve", "codegen serve --port 8000 --captures recordings/"],
        "0 stopped, as by Ctrl-C; 2 it could not start.",
    )
    one.add_argument("--host", default="127.0.0.1", help="default: %(default)s, this machine alone")
    one.add_argument(
        "--port", type=_port, default=8484, help="0 takes a free one; default: %(default)s"
    )
    one.add_argument(
        "--captures",
        type=Path,
        metavar="DIR",
        help="play the recordings (.sse, .txt, .jsonl) below this folder too",
    )
    one.add_argument(
        "--vectors",
        type=Path,
        default=here_or_own("generated/vectors"),
        metavar="DIR",
        help="play the test vectors of this folder too, by their id; default: %(default)s",
    )
    one.add_argument(
        "--pace",
        type=arguments.seconds,
        default=0.0,
        metavar="SECONDS",
        help="wait before each event; default: %(default)s",
    )
    one.add_argument(
        "--max-body",
        type=_size,
        default=4 * 1024 * 1024,
        metavar="BYTES",
        help="refuse requests with a larger body; default: %(default)s",
    )
    arguments.spec_to_read(one)


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 65535")
    return number


def _size(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def run(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        from codegen.serve.app import Settings, create_app
        from codegen.serve.running import listen_and_serve, names_of
    except ModuleNotFoundError as error:
        action = "Install the extra: pip install 'stream-events-codegen[serve]'."
        raise SpecError(
            [Finding("codegen serve", f"the module {error.name} is missing", action)]
        ) from None
    from codegen.serve.library import read_library

    if options.captures is not None and not options.captures.is_dir():
        where = f"--captures {options.captures}"
        raise SpecError([Finding(where, "is no folder", "Name a folder with recordings.")])
    settings = Settings(options.max_body, options.pace, names_of(options.host))
    app = create_app(read_library(options.spec, options.captures, options.vectors), settings)
    listen_and_serve(app, options.host, options.port)
    return FINE
