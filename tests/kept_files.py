"""The project's own documents, decoded once in each process: tests open the samples hundreds of times."""

import copy
import threading
from pathlib import Path
from typing import Any

from core.io.loaded import Loaded
from core.io.native import read as reading
from core.io.native.written import SaveMemory
from tests.shared import ROOT

FOLDER = ROOT / "resources"


class KeptFiles:
    """Stands in for the reader of documents: those of `FOLDER` are decoded once for each state of their file.

    Assets are frozen, so that all may have the same. The report and what a save remembers are of each opening.
    """

    def __init__(self) -> None:
        self.read = reading._read
        self._kept: dict[tuple[str, int, int], Loaded] = {}
        self._lock = threading.Lock()

    def __call__(
        self, file: Any, path: Path, progress: Any, known: Any = None, folder: Path | None = None
    ) -> Loaded:
        """Read as the reader does; cancelling and progress work as ever."""
        if known is not None or folder is None or not Path(path).resolve().is_relative_to(FOLDER):
            return self.read(file, path, progress, known, folder)
        status = Path(path).stat()
        key = str(Path(path).resolve()), status.st_mtime_ns, status.st_size
        with self._lock:
            if key not in self._kept:
                self._kept[key] = self.read(file, path, progress, known, folder)
            found = self._kept[key]
        progress.report(0.0, "reading")
        memory = SaveMemory(dict(found.remembered.assets))
        return Loaded(found.project, copy.deepcopy(found.report), memory)
