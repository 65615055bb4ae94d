"""Has a contact sheet drawn by another process, with progress and cancel; nothing half done stays. Free of Qt."""

import json

import core.io
from core.progress import Progress
from core.project.project import Project
from editor.shell import helper
from editor.shell.sheet.settings import SheetTask
from editor.shell.sheet.worker import DOCUMENT, RESULT, TASK

WORKER = "editor.shell.sheet.worker"


def draw_sheet(project: Project, task: SheetTask, progress: Progress | None = None) -> tuple[int, int]:
    """Write a contact sheet, whole or not at all; returns its width and height in pixels.

    Raises
    ------
    AnimError
        No picture can be drawn here, it would be too large, or nothing can be written there.
    Cancelled
        From `progress`.
    """
    tell = progress or Progress()
    with helper.drafts_beside(task.path) as folder:
        core.io.save(project, folder / DOCUMENT, progress=tell.part(0.0, 0.05))
        (folder / TASK).write_text(json.dumps(task.to_json()), encoding="utf-8")
        size = helper.run(WORKER, folder, "the sheet could not be drawn", tell.part(0.05, 1.0))
        (folder / RESULT).replace(task.path)
        return int(size[0]), int(size[1])
