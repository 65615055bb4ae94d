"""What the helper process hands over, and how it is started, watched and stopped."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import FormatError, UnsupportedError
from core.progress import Progress

MEGABYTES_VARIABLE = "POSEWRIGHT_FBX_MEGABYTES"
SECONDS_VARIABLE = "POSEWRIGHT_FBX_SECONDS"
PROCESSOR_VARIABLE = "POSEWRIGHT_FBX_PROCESSOR_SECONDS"
MEGABYTES = 1536
"""Address space of the helper: OpenUSD's libraries take half of it before they have read anything."""
MEGABYTES_PER_MEGABYTE = 64
"""What a file's own size adds; an FBX of 100 MB needs about 1 GB."""
SECONDS = 30.0
PROCESSOR_SECONDS = 8.0
"""Of the two, time on the clock depends on what else the machine does; a file that hangs is stopped by the other."""
SECONDS_PER_MEGABYTE = 2.0
POLL = 0.02
LOOKS_ON = sys.platform == "darwin"
"""macOS lets no process limit its memory: there it is looked at from outside."""
LOOK_SECONDS = 0.5
OUT_OF_TIME = int(getattr(signal, "SIGXCPU", 24))
ROOT = Path(__file__).resolve().parents[3]


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


FBX = Kind("FBX", "core.io.fbx.worker", "ufbx", "pip install ufbx")


@dataclass(frozen=True, slots=True)
class Packet:
    """A file as the helper tells it.

    Parameters
    ----------
    told : plain values: ``nodes``, ``meshes``, ``clips`` and what stands in the file's head
    arrays : by the names that `told` gives
    """

    told: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]

    def array(self, name: str) -> npt.NDArray[Any]:
        """One of the arrays."""
        return self.arrays[name]


def fetch(path: Path, progress: Progress, kind: Kind = FBX) -> Packet:
    """Have a file read by the helper process.

    Raises
    ------
    FormatError
        The file is no good FBX, took too long or too much memory, or brought the helper down.
    UnsupportedError
        The library is not installed.
    Cancelled
        From `progress`; the helper is stopped.
    """
    if find_spec(kind.package) is None:
        raise UnsupportedError(
            f"{kind.title} files are read by a package that is not installed: {kind.install}"
        )
    with tempfile.TemporaryDirectory(prefix="posewright-fbx-") as folder:
        target = Path(folder) / "packet.npz"
        status, said = _run(path, target, progress, kind)
        if not target.is_file():
            raise FormatError(path, "", _why(status, said, kind.title), "the file is likely damaged")
        with np.load(target, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    told = json.loads(arrays.pop("json").tobytes())
    if "error" in told:
        raise FormatError(path, "", f"no readable {kind.title} file: {told['error']}")
    return Packet(told, arrays)


def _run(path: Path, target: Path, progress: Progress, kind: Kind) -> tuple[int | None, str]:
    """Exit status of the helper, None when it was stopped for time; and its last words."""
    size = path.stat().st_size / (1 << 20)
    given = os.environ.get(SECONDS_VARIABLE)
    seconds = float(given) if given else SECONDS + SECONDS_PER_MEGABYTE * size
    environment = dict(os.environ)
    environment.setdefault(MEGABYTES_VARIABLE, str(round(MEGABYTES + MEGABYTES_PER_MEGABYTE * size)))
    environment[PROCESSOR_VARIABLE] = str(min(seconds, PROCESSOR_SECONDS + SECONDS_PER_MEGABYTE * size))
    # One thread each: every further one reserves address space, which is what is limited.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    before = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    words = [sys.executable, "-m", kind.worker, str(path.resolve()), str(target)]
    log = target.with_suffix(".log")
    with log.open("wb") as out:
        helper = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment, cwd=target.parent
        )
        try:
            ended = _wait(helper, seconds, int(environment[MEGABYTES_VARIABLE]), progress, path.name)
        finally:
            if helper.poll() is None:
                helper.kill()
            helper.wait()
    said = log.read_bytes()[-2000:].decode("utf-8", "replace").strip()
    return (helper.returncode if ended else None), said


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
    """Memory that a process has in use, as ``ps`` tells; 0 for one that is gone."""
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
