"""Temporary folders that name their process, and sweeping up what programs that were killed left behind."""

import logging
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from core.io.common.naming import cut_at
from editor.model import process

logger = logging.getLogger(__name__)

PREFIX = "Posewright-"
OWNED = re.compile(r"Posewright-(\d+)-([^-]*)-[A-Za-z0-9_]{8}")
EARLIER = re.compile(r"Posewright-[A-Za-z0-9]{6}|posewright-(?:fbx|usd)-[a-z0-9_]{8}")
"""Folders that do not tell whose they are: of earlier versions, and of files being read and written."""
PART = re.compile(r"\.(.+)\.[a-z0-9_]{8}\.part")
"""What a file is called while it is written: `core.io.common.atomic`, exports, playblasts, preferences."""
EXPORT = "export"
DAY, HOUR = 86400.0, 3600.0


def make_folder() -> Path:
    """A temporary folder of this process; who makes it removes it, and `sweep` where that did not happen."""
    owner = process.own()
    start = re.sub(r"[^A-Za-z0-9]", "", str(owner["start"]))
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{owner['pid']}-{start}-"))


def sweep(
    folders: Iterable[Path] = (), files: Iterable[Path] = (), temporary: Path | None = None
) -> list[Path]:
    """Remove what earlier programs left; returns what has gone. Runs on any thread, never raises.

    Only what belongs to this user, is no link, and whose process has ended; where that cannot be told, what has not
    been touched for long.

    Parameters
    ----------
    folders : the program's own, in which every file half written is removed
    files : documents, beside which what was half written under their names is removed
    temporary : the system's temporary folder
    """
    gone = [
        path for path in _inside(temporary or Path(tempfile.gettempdir())) if _ended(path) and _remove(path)
    ]
    for folder in folders:
        gone += [p for p in _inside(folder) if PART.fullmatch(p.name) and _older(p, HOUR) and _remove(p)]
    names: dict[Path, set[str]] = {}
    for file in files:
        names.setdefault(file.parent, {EXPORT}).update(
            (file.name[:100], cut_at(file.name, 100), file.stem[:60])
        )
    for folder, known in names.items():
        for path in _inside(folder):
            found = PART.fullmatch(path.name)
            if found is not None and found[1] in known and _older(path, HOUR) and _remove(path):
                gone.append(path)
    return gone


def _inside(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return
    yield from (folder / name for name in names)


def _ended(path: Path) -> bool:
    """Whether a temporary folder is one of ours whose process has ended."""
    owned = OWNED.fullmatch(path.name)
    if owned is None:
        return EARLIER.fullmatch(path.name) is not None and _older(path, DAY)
    now = re.sub(r"[^A-Za-z0-9]", "", process.start_time(int(owned[1])))
    return now != owned[2] and _older(path, 0.0)


def _older(path: Path, seconds: float) -> bool:
    """Whether it is this user's, no link, and has not been touched for so long."""
    try:
        found = path.lstat()
    except OSError:
        return False
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return mine and not stat.S_ISLNK(found.st_mode) and time.time() - found.st_mtime >= seconds


def _remove(path: Path) -> bool:
    with suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
        logger.info("removed %s, which a program that was ended left behind", path)
        return True
    return False
