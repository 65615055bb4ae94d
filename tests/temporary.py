"""Temporary folders of tests and benches: gone with their process, or with the next one where that was killed."""

import atexit
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

from editor.model import process

SETTLED = 60.0
"""Seconds for which nobody looks at another's folder."""


def own_folder(kind: str, within: Path | None = None) -> Path:
    """A folder ``posewright-KIND-PROCESS-START-…`` of this process; those of ended ones are removed first.

    Parameters
    ----------
    kind : letters that say what it is for
    within : where; None is the system's temporary folder
    """
    parent = within or Path(tempfile.gettempdir())
    sweep(kind, parent)
    me = process.own()
    made = Path(tempfile.mkdtemp(prefix=f"posewright-{kind}-{me['pid']}-{_plain(me['start'])}-", dir=parent))
    atexit.register(shutil.rmtree, made, True)
    return made


def sweep(kind: str, parent: Path) -> None:
    """Remove what killed processes left of a kind, this user's only."""
    pattern = re.compile(rf"posewright-{kind}-(\d{{1,12}})-([A-Za-z0-9]*)-[A-Za-z0-9_]{{8}}")
    for path in parent.glob(f"posewright-{kind}-*"):
        found = pattern.fullmatch(path.name)
        if found is None or _plain(process.start_time(int(found[1]))) == found[2] or path.is_symlink():
            continue
        try:
            state = path.stat()
        except OSError:
            continue
        mine = not hasattr(os, "getuid") or state.st_uid == os.getuid()
        if mine and time.time() - state.st_mtime > SETTLED:
            shutil.rmtree(path, ignore_errors=True)


def _plain(start: object) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", str(start))
