"""Has a playblast drawn by another process, with progress and cancel; nothing half done stays. Free of Qt.

A process of its own, since drawing thousands of pictures on the window's thread would stop the window, and
OpenGL and Python's lock would meet in any other thread of it.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

import core.io
from core.errors import AnimError, FormatError
from core.io.movies import why_missing
from core.progress import Progress
from core.project.project import Project
from editor.shell.playblast.settings import PICTURES, Playblast
from editor.shell.playblast.worker import CONFIG, DOCUMENT, RESULT, TASK

WORKER = "editor.shell.playblast.worker"
ROOT = Path(__file__).resolve().parents[3]
POLL = 0.05
FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
PATIENCE = 3.0
"""Seconds that the process has to stop by itself, then again until it is killed."""


def record(
    project: Project, task: Playblast, preferences: Path | None = None, progress: Progress | None = None
) -> tuple[Path, ...]:
    """Write a playblast, whole or not at all; returns the files, in order.

    Parameters
    ----------
    project : as it is now; what is not in the document (an unkeyed pose, a drag) is not shown
    preferences : file of preferences that says how bones and ghosts look; None is the defaults
    progress : told how far it is; may cancel, which leaves nothing behind

    Raises
    ------
    UnsupportedError
        What is written needs a package that is not installed; the message names the extra.
    AnimError
        No picture can be drawn here, or nothing can be written there.
    Cancelled
        From `progress`.
    """
    tell = progress or Progress()
    missing = why_missing(task.kind) if task.kind != PICTURES else None
    if missing is not None:
        raise missing
    try:
        # Beside its target, so that the finished files need only another name.
        with tempfile.TemporaryDirectory(
            prefix=f".{task.path.stem[:60]}.",
            suffix=".part",
            dir=task.path.parent,
            ignore_cleanup_errors=True,
        ) as name:
            folder = Path(name)
            _prepare(folder, project, task, preferences, tell.part(0.0, 0.05))
            _draw(folder, tell.part(0.05, 1.0))
            return _keep(folder / RESULT, task)
    except OSError as error:
        raise FormatError(task.path, "", f"cannot be written: {error.strerror or error}") from error


def _prepare(
    folder: Path, project: Project, task: Playblast, preferences: Path | None, progress: Progress
) -> None:
    core.io.save(project, folder / DOCUMENT, progress=progress)
    (folder / TASK).write_text(json.dumps(task.to_json()), encoding="utf-8")
    (folder / CONFIG).mkdir()
    if preferences is not None and preferences.is_file():
        shutil.copyfile(preferences, folder / CONFIG / preferences.name)


def _draw(folder: Path, progress: Progress) -> None:
    """Run the process to its end; where that is not a good one, raise what it said."""
    environment = dict(os.environ)
    before = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    environment["PYTHONIOENCODING"] = "utf-8"
    log = (folder / "log").open("wb")
    with log, subprocess.Popen(
        [sys.executable, "-m", WORKER, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment, cwd=folder,
        creationflags=FLAGS,
    ) as process:  # fmt: skip
        try:
            done = _listen(process, progress)
        except BaseException:
            _stop(process)
            raise
        if not done:
            words = (folder / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise AnimError(
                f"the pictures could not be drawn: {words[-1] if words else f'status {process.wait()}'}"
            )


def _listen(process: "subprocess.Popen[bytes]", progress: Progress) -> bool:
    """Pass on what the process tells until it ends; whether it said that it was done."""
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    assert process.stdout is not None
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    told, text, done = 0.0, "starting", False
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
        done = done or bool(said.get("done"))
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


def _keep(result: Path, task: Playblast) -> tuple[Path, ...]:
    """Give the finished files their names."""
    kept = []
    for name in task.files():
        target = task.path.parent / name
        (result / name).replace(target)
        kept.append(target)
    return tuple(kept)
