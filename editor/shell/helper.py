"""Runs part of the work in another process: what draws, or keeps Python's lock for long, would stop the window.

The other side is a module with `serve`, run as ``python -m MODULE FOLDER``. Each line on its standard output is
one JSON object: how far it is, or how it ended. When its standard input ends (whoever started it has
cancelled, or is gone) the work stops. Free of Qt.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from core.errors import AnimError, Cancelled, FormatError
from core.progress import Progress

ROOT = Path(__file__).resolve().parents[2]
FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
NICE = 5
"""How far the window goes first where both want the processor: three times its share.

Twice as much would be a tenth of the share, and beside another program at work an export would hardly go on.
"""
POLL = 0.05
PATIENCE = 3.0
"""Seconds that the process has to stop by itself, then again until it is killed."""


# ---------------------------------------------------------------- this side
@contextmanager
def drafts_beside(target: Path) -> Iterator[Path]:
    """A folder for a process's files, beside its target: what is finished needs only another name.

    Raises
    ------
    FormatError
        Nothing can be written there.
    """
    try:
        with tempfile.TemporaryDirectory(
            prefix=f".{target.stem[:60]}.", suffix=".part", dir=target.parent, ignore_cleanup_errors=True
        ) as name:
            yield Path(name)
    except OSError as error:
        raise FormatError(target, "", f"cannot be written: {error.strerror or error}") from error


def run(module: str, folder: Path, what: str, progress: Progress) -> Any:
    """Run a module on a folder to its end; returns what it said at last.

    Parameters
    ----------
    what : what is being done, for the error where the process ends without a word

    Raises
    ------
    AnimError
        What the process said, or that it ended without having done its work.
    Cancelled
        From `progress`; the process has been stopped.
    """
    environment = dict(os.environ)
    before = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    environment["PYTHONIOENCODING"] = "utf-8"
    log = (folder / "log").open("wb")
    with log, subprocess.Popen(
        [sys.executable, "-m", module, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment, cwd=folder,
        creationflags=FLAGS,
    ) as process:  # fmt: skip
        try:
            said = _listen(process, progress)
        except BaseException:
            _stop(process)
            raise
        if said is None:
            words = (folder / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise AnimError(f"{what}: {words[-1] if words else f'status {process.wait()}'}")
    return said["done"]


def _listen(process: "subprocess.Popen[bytes]", progress: Progress) -> Any:
    """Pass on what the process tells until it ends; what it said when it was done, else None."""
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    assert process.stdout is not None
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    told, text, done = 0.0, "starting", None
    while True:
        progress.report(told, text)  # also while it is silent: this is where a cancel is noticed
        try:
            line = lines.get(timeout=POLL)
        except queue.Empty:
            continue
        if line is None:
            break
        said = json.loads(line)
        if "error" in said:
            raise AnimError(said["error"])
        done = said if "done" in said else done
        told, text = said.get("fraction", told), said.get("text", text)
    reader.join()
    process.wait()
    return done


def _read(stream: IO[bytes], lines: "queue.SimpleQueue[bytes | None]") -> None:
    for line in stream:
        if line.startswith(b"{"):
            lines.put(line)
    lines.put(None)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the process: ask first, so that it ends what it has started itself."""
    assert process.stdin is not None
    process.stdin.close()
    for end in (process.terminate, process.kill):
        try:
            process.wait(PATIENCE)
            return
        except subprocess.TimeoutExpired:
            end()
    process.wait()


# ---------------------------------------------------------------- the other side
def serve(work: Callable[[Path, Progress], Any]) -> int:
    """Do the work on the folder named on the command line, telling whoever started this; the exit status."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    folder = Path(sys.argv[1])
    progress = Progress(lambda fraction, text: _say(fraction=fraction, text=text))
    threading.Thread(target=_cancel_at_end_of_input, args=(progress,), daemon=True).start()
    try:
        done = work(folder, progress)
    except Cancelled:
        shutil.rmtree(folder, ignore_errors=True)  # whoever started this may be gone
        return 1
    except (AnimError, OSError, MemoryError) as error:
        _say(error=str(error) or type(error).__name__)
        return 1
    _say(done=done)
    return 0


def _say(**values: Any) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def _cancel_at_end_of_input(progress: Progress) -> None:
    sys.stdin.read()
    progress.cancel()
