"""Rotating backups: what a save or an export replaces is kept, the newest few."""

import hashlib
import logging
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from core.errors import FormatError

logger = logging.getLogger(__name__)


def data_dir() -> Path:
    """Folder of journals, backups and caches; ``POSEWRIGHT_DATA_DIR`` overrides it. Not made here."""
    override = os.environ.get("POSEWRIGHT_DATA_DIR")
    if override:
        return Path(override)
    from platformdirs import user_data_path

    return Path(user_data_path("posewright", appauthor=False))


class Backups:
    """Copies of files as they were before they were saved over.

    Parameters
    ----------
    folder : where copies live; made when needed
    keep : how many of each file; 0 keeps none
    """

    def __init__(self, folder: Path, keep: int = 5) -> None:
        self.folder, self.keep = folder, keep

    def before_saving(self, path: Path) -> Path | None:
        """Copy the file that is about to be replaced; None where there is none or it cannot be copied.

        A backup that fails is logged and does not keep the user from saving.
        """
        try:
            return self._copy(path)
        except OSError as error:
            logger.warning("no backup of %s: %s", path, error)
            return None

    def before_replacing(self, path: Path) -> Path | None:
        """Copy a file that an export is about to replace; None where there is none, or none are kept.

        Raises
        ------
        FormatError
            It cannot be copied: then it must not be replaced either.
        """
        try:
            return self._copy(path)
        except OSError as error:
            reason = f"the file that is there cannot be backed up: {error.strerror or error}"
            raise FormatError(path, "", reason, "it was not replaced; choose another name") from error

    def _copy(self, path: Path) -> Path | None:
        if self.keep <= 0 or not path.is_file():
            return None
        folder = self._folder(path)
        # Of one moment: seconds of one and nanoseconds of the next would make the newest copy the oldest by name.
        seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
        stamp = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(seconds))}-{nanoseconds:09d}"
        copy = folder / f"{stamp}{path.suffix}"
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".backup.", suffix=".part", dir=folder)
        os.close(handle)
        try:
            shutil.copyfile(path, name)
            Path(name).replace(copy)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
        for old in self.of(path)[self.keep :]:
            with suppress(OSError):
                old.unlink()
        return copy

    def of(self, path: Path) -> list[Path]:
        """Backups of a file, newest first."""
        return sorted(self._folder(path).glob(f"[0-9]*{path.suffix}"), reverse=True)

    def _folder(self, path: Path) -> Path:
        whole = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogatepass")).hexdigest()
        return (
            self.folder
            / f"{path.stem[:60]}-{hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
        )
