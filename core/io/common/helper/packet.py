"""What the helper process returns, and how it is started, watched and stopped."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from core.errors import FormatError, UnsupportedError
from core.progress import Progress

MEGABYTES_VARIABLE = "POSEWRIGHT_FBX_MEGABYTES"
SECONDS_VARIABLE = "POSEWRIGHT_FBX_SECONDS"
PROCESSOR_VARIABLE = "POSEWRIGHT_FBX_PROCESSOR_SECONDS"
PARENT_VARIABLE = "POSEWRIGHT_FBX_PARENT"
MEGABYTES = 1536
"""Address space of the helper: OpenUSD's libraries take half of it before they have read anything."""
MEGABYTES_PER_MEGABYTE = 64
"""What a file's own size adds; an FBX of 100 MB needs about 1 GB."""
SECONDS = 240.0
PROCESSOR_SECONDS = 8.0
"""Of the two, time on the clock depends on what else the machine does; a file that hangs is stopped by the other.

On two busy processors whole files took 30 s of the clock for 2 s of work: the clock only ends one that waits.
"""
SECONDS_PER_MEGABYTE = 2.0
POLL = 0.02
LOOKS_ON = sys.platform == "darwin"
"""macOS lets no process limit its memory: there it is looked at from outside."""
LOOK_SECONDS = 0.5
REFUSED = 3
"""Exit status of a helper that says in its packet what is wrong with the file."""
OUT_OF_TIME = int(getattr(signal, "SIGXCPU", 24))
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


@dataclass(frozen=True, slots=True)
class Packet:
    """A file as the helper returns it.

    Parameters
    ----------
    told : plain values: ``nodes``, ``meshes``, ``clips`` and the file's header
    arrays : by the names that `told` gives
    """

    told: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]

    def array(self, name: str) -> npt.NDArray[Any]:
        """One of the arrays."""
        return self.arrays[name]


def fetch(path: Path, progress: Progress, kind: Kind, extra: Mapping[str, str] | None = None) -> Packet:
    """Have a file read by the helper process.

    Parameters
    ----------
    extra : environment variables for the helper

    Raises
    ------
    FormatError
        The file is damaged, took too long or too much memory, or crashed the helper.
    UnsupportedError
        The library is not installed.
    Cancelled
        From `progress`; the helper is stopped.
    """
    if find_spec(kind.package) is None:
        raise UnsupportedError(
            f"{kind.title} files are read by a package that is not installed: {kind.install}"
        )
    with ExitStack() as held:
        target = held.enter_context(_Target())
        source = _nameable(path.resolve(), held)
        status, said = _run(path, source, target, progress, kind, extra or {})
        packet = target.packet()
        if packet is None or status not in (0, REFUSED):
            advice = (
                "the file is likely damaged"
                if status is not None
                else "try again when the machine is less busy"
            )
            raise FormatError(path, "", _why(status, said, kind.title), advice)
        try:
            with packet, np.load(packet, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            told = json.loads(arrays.pop("json").tobytes())
        except (BadZipFile, ValueError, KeyError, EOFError, OSError) as error:
            raise FormatError(path, "", f"the {kind.title} helper gave no answer: {error}") from error
    if "error" in told:
        raise FormatError(path, "", f"no readable {kind.title} file: {told['error']}")
    return Packet(told, arrays)


class _Target:
    """Where the helper writes its packet, and what it says. Use as a context manager.

    Files without a name, handed over open: they are gone as soon as both processes are, however these end, and the
    helper needs no folder that it could write to. Windows hands no files over: there it is a temporary folder.
    """

    def __enter__(self) -> "_Target":
        self._held = ExitStack()
        if os.name == "nt":
            folder = Path(self._held.enter_context(TemporaryDirectory(prefix="posewright-fbx-")))
            self._path: Path | None = folder / "packet.npz"
            self.log: IO[bytes] = self._held.enter_context((folder / "packet.log").open("w+b"))
            self.handles: tuple[int, ...] = ()
            self.word, self.folder = str(self._path), folder
        else:
            self._path, self.folder = None, Path("/")
            self._file: IO[bytes] = self._held.enter_context(TemporaryFile())
            self.log = self._held.enter_context(TemporaryFile())
            self.handles = (self._file.fileno(),)
            self.word = f"fd:{self._file.fileno()}"
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


def _run(
    path: Path, source: str, target: _Target, progress: Progress, kind: Kind, extra: Mapping[str, str]
) -> tuple[int | None, str]:
    """Exit status of the helper, None when it was stopped for time; and its last words."""
    size = path.stat().st_size / (1 << 20)
    given = os.environ.get(SECONDS_VARIABLE)
    seconds = float(given) if given else SECONDS + SECONDS_PER_MEGABYTE * size
    environment = {**os.environ, **extra}
    environment.setdefault(MEGABYTES_VARIABLE, str(round(MEGABYTES + MEGABYTES_PER_MEGABYTE * size)))
    environment[PROCESSOR_VARIABLE] = str(min(seconds, PROCESSOR_SECONDS + SECONDS_PER_MEGABYTE * size))
    # One thread each: every further one reserves address space, which is what is limited.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    environment |= {PARENT_VARIABLE: str(os.getpid()), "PYTHONDONTWRITEBYTECODE": "1"}
    before = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    words = [sys.executable, "-m", kind.worker, source, target.word]
    helper = subprocess.Popen(  # its input is a pipe that ends when this process does
        words, stdin=subprocess.PIPE, stdout=target.log, stderr=target.log, env=environment, cwd=target.folder,
        pass_fds=target.handles,
    )  # fmt: skip
    try:
        ended = _wait(helper, seconds, int(environment[MEGABYTES_VARIABLE]), progress, path.name)
    finally:
        if helper.poll() is None:
            helper.kill()
        helper.wait()
        assert helper.stdin is not None
        helper.stdin.close()
    return (helper.returncode if ended else None), target.said()


def _nameable(path: Path, held: ExitStack) -> str:
    """The path, or a link that leads to it: the libraries know no names that are not UTF-8."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        folder = held.enter_context(TemporaryDirectory(prefix="posewright-name-"))
        link = Path(folder) / f"file{path.suffix.lower()}"
        try:
            link.symlink_to(path)
        except OSError:  # a system without links
            shutil.copyfile(path, link)
        return str(link)
    return str(path)


def _wait(
    helper: "subprocess.Popen[bytes]", seconds: float, megabytes: int, progress: Progress, name: str
) -> bool:
    """Whether the helper ended by itself, within its time and memory."""
    began = looked = time.monotonic()
    while helper.poll() is None:
        now = time.monotonic()
        if now - began > seconds:
            return False
        if LOOKS_ON and now - looked > LOOK_SECONDS:
            looked = now
            if resident_megabytes(helper.pid) > megabytes:
                return False
        progress.report(min(0.9, (now - began) / (now - began + 2.0)), f"reading {name}")
        try:
            helper.wait(POLL)
        except subprocess.TimeoutExpired:
            continue
    return True


def resident_megabytes(process: int) -> int:
    """Memory that a process uses, from ``ps``; 0 for one that has ended."""
    words = ["ps", "-o", "rss=", "-p", str(process)]
    told = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return int(told) >> 10 if told.isdigit() else 0


def _why(status: int | None, said: str, title: str) -> str:
    if status is None or status == -OUT_OF_TIME:
        return f"reading it took more time or memory than a file of {title} is allowed"
    if status < 0:
        return f"the {title} library broke down over it (signal {-status})"
    last = said.splitlines()[-1][:300] if said else f"exit status {status}"
    return f"the {title} library failed on it: {last}"
