"""Small pictures of the files opened last, for the list of recent files. Free of Qt.

A PNG each in the data folder, named after the file's path. One that is missing or damaged is no error.
"""

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

from core.io.backups import data_dir
from core.io.common.atomic import write_atomic

logger = logging.getLogger(__name__)


def picture_path(file: Path) -> Path:
    """Where the picture of a file is, if there is one."""
    name = hashlib.sha256(str(file).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return data_dir() / "recent" / f"{name}.png"


def keep_picture(file: Path, png: bytes, recent: Sequence[Path]) -> None:
    """Keep the picture of a file, a PNG, and drop those of files that are no longer among the recent ones."""
    path = picture_path(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, png)
        wanted = {picture_path(other).name for other in (file, *recent)}
        for other in path.parent.iterdir():
            if other.suffix == ".png" and other.name not in wanted:
                other.unlink()
    except OSError as error:
        logger.info("picture of %s not kept: %s", file, error)
