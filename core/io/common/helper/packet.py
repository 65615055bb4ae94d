"""What the helper process returns, and how it is started, watched and stopped."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from core.errors import FormatError, UnsupportedError
from core.io.common.helper.spare import Spare, refill_beside, take
from core.io.common.helper.target import Kind, Target, start
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
BEGINS = "posewright: begins"
"""What a helper that waited says when it has taken a request."""


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
        source = _nameable(path.resolve(), held)
        status, said, target = _answer(path, source, held, progress, kind, extra or {})
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


def _answer(
    path: Path, source: str, held: ExitStack, progress: Progress, kind: Kind, extra: Mapping[str, str]
) -> tuple[int | None, str, Target]:
    """What a helper makes of a file, one that waits for it or a new one; see `_run`. With where it wrote it."""
    spare = None if extra else take(kind)
    try:
        if spare is not None:
            held.callback(spare.close)
            told = _ask(spare, path, source, progress)
            if told is not None:
                return *told, spare.target
        target = held.enter_context(Target())
        return *_run(path, source, target, progress, kind, extra), target
    finally:
        refill_beside(kind)


def _ask(spare: Spare, path: Path, source: str, progress: Progress) -> tuple[int | None, str] | None:
    """Have a helper that waits read a file, see `_run`; None where it ended before it took the request."""
    megabytes, seconds, processor = _limits(path)
    if not spare.ask(source=source, megabytes=megabytes, processor=processor):
        return None
    ended = _wait(spare.process, seconds, megabytes, progress, path.name)
    if not ended:
        spare.process.kill()
        spare.process.wait()
    said = spare.target.said()
    if spare.process.returncode != 0 and BEGINS not in said:
        return None if ended else (None, said)
    return (spare.process.returncode if ended else None), said.replace(BEGINS, "").strip()


def _limits(path: Path) -> tuple[int, float, float]:
    """Megabytes, seconds of the clock and of the processor that a file of this size is allowed."""
    size = path.stat().st_size / (1 << 20)
    given = os.environ.get(SECONDS_VARIABLE)
    seconds = float(given) if given else SECONDS + SECONDS_PER_MEGABYTE * size
    megabytes = os.environ.get(MEGABYTES_VARIABLE, str(round(MEGABYTES + MEGABYTES_PER_MEGABYTE * size)))
    return int(megabytes), seconds, min(seconds, PROCESSOR_SECONDS + SECONDS_PER_MEGABYTE * size)


def _run(
    path: Path, source: str, target: Target, progress: Progress, kind: Kind, extra: Mapping[str, str]
) -> tuple[int | None, str]:
    """Exit status of the helper, None when it was stopped for time; and its last words."""
    megabytes, seconds, processor = _limits(path)
    limits = {MEGABYTES_VARIABLE: str(megabytes), PROCESSOR_VARIABLE: str(processor)}
    limits |= {PARENT_VARIABLE: str(os.getpid()), **extra}
    helper = start(kind, [source, target.word], target, limits)
    try:
        ended = _wait(helper, seconds, megabytes, progress, path.name)
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
    with _End(helper) as end:
        while helper.poll() is None:
            now = time.monotonic()
            if now - began > seconds:
                return False
            if LOOKS_ON and now - looked > LOOK_SECONDS:
                looked = now
                if resident_megabytes(helper.pid) > megabytes:
                    return False
            progress.report(min(0.9, (now - began) / (now - began + 2.0)), f"reading {name}")
            end.wait(POLL)
    return True


class _End:
    """Waits for the end of a process: on Linux it is woken by it, elsewhere it looks now and then."""

    def __init__(self, helper: "subprocess.Popen[bytes]") -> None:
        self._helper = helper
        self._handle = -1

    def __enter__(self) -> "_End":
        if hasattr(os, "pidfd_open") and self._helper.poll() is None:
            with suppress(OSError):
                self._handle = os.pidfd_open(self._helper.pid)
        return self

    def __exit__(self, *problem: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)

    def wait(self, seconds: float) -> None:
        """Return when the process has ended, at the latest after so long."""
        if self._handle >= 0:
            waiting = select.poll()  # knows handles of any number, which `select` does not
            waiting.register(self._handle, select.POLLIN)
            waiting.poll(seconds * 1e3)
            return
        with suppress(subprocess.TimeoutExpired):
            self._helper.wait(seconds)


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
