"""Has a playblast drawn by another process, with progress and cancel; nothing half done stays. Free of Qt.

A process of its own, since drawing thousands of pictures on the window's thread would stop the window, and
OpenGL and Python's lock would meet in any other thread of it.
"""

import json
import shutil
from pathlib import Path

import core.io
from core.io.movies import why_missing
from core.progress import Progress
from core.project.project import Project
from editor.shell import helper
from editor.shell.playblast.settings import PICTURES, Playblast
from editor.shell.playblast.worker import CONFIG, DOCUMENT, RESULT, TASK

WORKER = "editor.shell.playblast.worker"


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
    with helper.drafts_beside(task.path) as folder:
        _prepare(folder, project, task, preferences, tell.part(0.0, 0.05))
        helper.run(WORKER, folder, "the pictures could not be drawn", tell.part(0.05, 1.0))
        return _keep(folder / RESULT, task)


def _prepare(
    folder: Path, project: Project, task: Playblast, preferences: Path | None, progress: Progress
) -> None:
    core.io.save(project, folder / DOCUMENT, progress=progress)
    (folder / TASK).write_text(json.dumps(task.to_json()), encoding="utf-8")
    (folder / CONFIG).mkdir()
    if preferences is not None and preferences.is_file():
        shutil.copyfile(preferences, folder / CONFIG / preferences.name)


def _keep(result: Path, task: Playblast) -> tuple[Path, ...]:
    """Give the finished files their names."""
    kept = []
    for name in task.files():
        target = task.path.parent / name
        (result / name).replace(target)
        kept.append(target)
    return tuple(kept)
