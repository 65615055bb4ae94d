"""Starts the program: the editor, or one of the commands that need no window."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``posewright``; returns the exit status.

    Without a command the arguments are files to open. Qt is imported only for the editor.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments:
        from core.cli.main import is_command
        from core.cli.main import main as command
        from editor.render_cli import COMMAND

        if is_command(arguments[0], (COMMAND,)):
            return command(arguments, (COMMAND,))
    from editor.shell.start import run

    return run(arguments)
