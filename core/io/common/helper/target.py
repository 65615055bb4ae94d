"""What a helper process writes to, and how it is started."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

ROOT = Path(__file__).resolve().parents[4]


@dataclass(frozen=True, slots=True)
class Kind:
    """A format that is read by a helper process.

    Parameters
    ----------
    worker : module that is run with the file and the packet's path
    package : what it needs, and how to `install` it
    """

    title: str
    worker: str
    package: str
    install: str


class Target:
    """Where a helper writes its packet, and what it says. Use as a context manager.

    Memory that both processes share (on Linux), else files without a name, handed over open: they are gone as soon as
    both processes are, however these end, and the helper needs no folder that it could write to. Windows hands no
    files over: there it is a temporary folder.
    """

    _path: Path | None = None

    def __enter__(self) -> "Target":
        self._held = ExitStack()
        if os.name == "nt":
            return self.in_a_folder()
        self.folder = Path("/")
        self._file: IO[bytes] = self._held.enter_context(_shared_file())
        self.log: IO[bytes] = self._held.enter_context(TemporaryFile())
        self.handles: tuple[int, ...] = (self._file.fileno(),)
        self.word = f"fd:{self._file.fileno()}"
        return self

    def in_a_folder(self) -> "Target":
        """As `__enter__`, with files that have names."""
        self._held = ExitStack()
        self.folder = Path(self._held.enter_context(TemporaryDirectory(prefix="posewright-fbx-")))
        self._path = self.folder / "packet.npz"
        self.log = self._held.enter_context((self.folder / "packet.log").open("w+b"))
        self.handles, self.word = (), str(self._path)
        return self

    def __exit__(self, *problem: object) -> None:
        self._held.close()

    def packet(self) -> IO[bytes] | None:
        """What has been written, from its beginning; None where nothing has."""
        if self._path is not None:
            return self._path.open("rb") if self._path.is_file() else None
        if os.fstat(self._file.fileno()).st_size == 0:
            return None
        self._file.seek(0)
        return self._file

    def said(self) -> str:
        """The helper's last words."""
        self.log.seek(0)
        return self.log.read()[-2000:].decode("utf-8", "replace").strip()


def _shared_file() -> IO[bytes]:
    """A file in memory where the system has such (Linux), else one without a name."""
    if hasattr(os, "memfd_create"):
        try:
            return os.fdopen(os.memfd_create("posewright"), "w+b")
        except OSError:  # forbidden, as in some containers
            pass
    return TemporaryFile()


def start(
    kind: Kind, words: list[str], target: Target, extra: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    """Start a helper; its input is a pipe that ends when this process does.

    Parameters
    ----------
    words : what it is told on its command line
    extra : environment variables for it
    """
    environment = {**os.environ, **extra}
    # One thread each: every further one reserves address space, which is what is limited.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    before = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    return subprocess.Popen(
        [sys.executable, "-m", kind.worker, *words],
        stdin=subprocess.PIPE, stdout=target.log, stderr=target.log, env=environment, cwd=target.folder,
        pass_fds=target.handles,
    )  # fmt: skip
