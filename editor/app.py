"""Starts the program: the editor, or one of the commands that need no window."""

import sys
from collections.abc import Sequence

from core.class_code import ClassCode, keep


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``posewright``; returns the exit status.

    Without a command the arguments are files to open. Qt is imported only for the editor.
    """
    from core.io.backups import data_dir

    code = keep(data_dir())
    try:
        return _run(list(sys.argv[1:] if argv is None else argv), code)
    finally:
        code.write()


def spare_imports(code: ClassCode | None = None) -> None:
    """What makes the imports of a window's modules cheaper: nothing is collected, and PySide6 reads no sources."""
    from core.garbage import by_hand
    from editor.qt.feature_scan import skip_feature_scan

    by_hand()  # a tenth of the imports' time went into looking through what they made; the window's collector goes on
    skip_feature_scan(code.compiled if code is not None else None)


def _run(arguments: list[str], code: ClassCode) -> int:
    if arguments:
        from core.cli.main import is_command, unknown_word
        from core.cli.main import main as command
        from editor import render_cli, sheet_cli

        more = (render_cli.COMMAND, sheet_cli.COMMAND)
        if is_command(arguments[0], more):
            from core.io.ahead import start_helpers

            start_helpers(arguments[1:])
            return command(arguments, more)
        wrong = unknown_word(arguments[0], more)
        if wrong:
            print(f"posewright: {wrong}", file=sys.stderr)  # noqa: T201
            return 2
    from editor.model import screen

    why = screen.missing_screen()
    if why:
        print(screen.words(why), file=sys.stderr)  # noqa: T201
        return 1
    spare_imports(code)
    from editor.shell.start import run

    return run(arguments)
