"""What commands do about files that are there already: they refuse, or keep the old file and replace it."""

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from core.cli.common import UsageError, output_folder
from core.io.backups import Backups, data_dir
from core.io.registry import files_beside
from core.io.replacing import lost_by_replacing
from core.project.project import Project


def add_overwrite(parser: argparse.ArgumentParser) -> None:
    """The option that lets a command replace files."""
    parser.add_argument(
        "--overwrite", action="store_true",
        help="replace existing files; the old ones are kept in the backups, and what is lost is listed",
    )  # fmt: skip


def require_free(path: str, overwrite: bool, inputs: Iterable[str] = ()) -> None:
    """Raise `UsageError` where a file cannot be put: no folder, or it is there and may not be replaced.

    Parameters
    ----------
    inputs : files that the command reads
    """
    output_folder(path)
    if overwrite:
        return
    hint = "--overwrite replaces it and keeps the old file among the backups"
    for file in (Path(path), *files_beside(Path(path))):
        if not os.path.lexists(file):
            continue
        if any(_same(str(file), name) for name in inputs):
            raise UsageError(f"{file}: this is the file that is read; choose another name ({hint})")
        raise UsageError(f"{file}: this file exists already; choose another name ({hint})")


def _same(path: str, other: str) -> bool:
    try:
        return Path(path).samefile(other)
    except OSError:
        return False


def kept_old(path: str | Path, written: Project | None) -> list[str]:
    """Back up the files that writing to a path replaces; lines that tell what is lost and where the old one is.

    Parameters
    ----------
    written : what will be written; None where it is no project

    Raises
    ------
    FormatError
        A file cannot be backed up.
    """
    lines = []
    path, backups = Path(path), Backups(data_dir() / "backups")
    if written is not None:
        lines += [f"lost: {text}" for text in lost_by_replacing(path, written)]
    for file in (path, *files_beside(path)):
        copy = backups.before_replacing(file)
        if copy is not None:
            lines.append(f"replaced: {file.name}; the old file is {copy}")
    return lines
