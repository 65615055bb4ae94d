"""The name that an export proposes: never a file that somebody else wrote. Free of Qt."""

import os
from collections.abc import Collection
from pathlib import Path

from core.io.registry import files_beside
from editor.model.i18n import tr
from editor.model.origins import Origins


def proposed(wanted: Path, origins: Origins, own: Collection[str] = ()) -> Path:
    """The wanted path, or one beside it that is free.

    A file the character was imported from is never proposed; one that exists only where an earlier export of
    the same document wrote it.

    Parameters
    ----------
    own : paths that earlier exports of the document wrote
    """
    stem, number, path = wanted.stem, 1, wanted
    while not _free(path, origins, own):
        ending = tr("_export") + (f"_{number}" if number > 1 else "")
        path, number = wanted.with_name(f"{stem}{ending}{wanted.suffix}"), number + 1
    return path


def _free(path: Path, origins: Origins, own: Collection[str]) -> bool:
    if origins.includes(path):
        return False
    return str(path) in own or not any(os.path.lexists(file) for file in (path, *files_beside(path)))
