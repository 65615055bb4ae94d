"""The command line of the library: ``info``, ``sample``, ``convert``, and what others contribute.

Exit status 0, or with one line on standard error 1 (bad input) or 2 (usage).
"""

import argparse
import difflib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from core.cli import (
    batch,
    blend,
    bodies,
    compile,
    convert,
    graph,
    info,
    layers,
    locomotion,
    media,
    montage,
    ragdoll,
    retarget,
    sample,
    sets,
    shot,
    simulate,
    space,
    timing,
)
from core.cli.common import Subcommand, UsageError
from core.errors import AnimError

COMMANDS: tuple[Subcommand, ...] = (
    info.COMMAND,
    layers.COMMAND,
    sample.COMMAND,
    convert.COMMAND,
    batch.COMMAND,
    compile.COMMAND,
    blend.COMMAND,
    graph.COMMAND,
    montage.COMMAND,
    locomotion.COMMAND,
    bodies.COMMAND,
    ragdoll.COMMAND,
    simulate.COMMAND,
    timing.COMMAND,
    space.COMMAND,
    sets.COMMAND,
    media.COMMAND,
    shot.COMMAND,
    retarget.COMMAND,
)


class _Parser(argparse.ArgumentParser):
    """One line instead of usage and message."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def build_parser(extra: Sequence[Subcommand] = ()) -> argparse.ArgumentParser:
    """The parser of all subcommands."""
    parser = _Parser(prog="posewright", description="Character animation clips on the command line.")
    words = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for command in (*COMMANDS, *extra):
        sub = words.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def is_command(word: str, extra: Sequence[Subcommand] = ()) -> bool:
    """Whether the first word of a command line is a subcommand (else it is a file to open)."""
    return word in {c.name for c in (*COMMANDS, *extra)} or word in ("-h", "--help")


def unknown_word(word: str, extra: Sequence[Subcommand] = ()) -> str:
    """What is wrong with a first word that is neither a subcommand nor a file, or "" where it may be a file.

    A word with a folder or an extension names a file, wherever it is; a bare one only where it exists.
    """
    path = Path(word)
    if not word or word.startswith("-") or path.suffix or path.name != word or os.path.lexists(word):
        return ""
    names = [c.name for c in (*COMMANDS, *extra)]
    near = difflib.get_close_matches(word.lower(), names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(names)}"
    return f"no command and no file {word!r}: {hint} (posewright --help)"


def main(argv: Sequence[str] | None = None, extra: Sequence[Subcommand] = ()) -> int:
    """Run one command line.

    Parameters
    ----------
    argv : words after the program's name; None takes the process's
    extra : subcommands of other packages

    Returns
    -------
    int
        0; 1 when the input is bad; 2 when the command line is.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names that are no UTF-8 can be told, too
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = build_parser(extra).parse_args(sys.argv[1:] if argv is None else list(argv))
        status = int(arguments.run(arguments))
        sys.stdout.flush()
        return status
    except UsageError as error:
        return _failed(error, 2)
    except AnimError as error:
        return _failed(error, 1)
    except BrokenPipeError:
        # The reader of our output has left; keep Python from telling at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as done:  # --help
        return int(done.code or 0)


def _failed(error: Exception, status: int) -> int:
    text = " ".join(str(error).split())
    print(f"posewright: {text}", file=sys.stderr)
    return status
