"""Draws a contact sheet in a process of its own: ``python -m editor.shell.sheet.worker FOLDER``. Free of Qt.

The folder holds the document and what is to be done (see `run`).
"""

import json
import sys
from pathlib import Path

import core.io
from core.clips.clip import Clip
from core.errors import AnimError
from core.progress import Progress
from core.rig.rig import Rig
from editor.contact_sheet import Strip, contact_sheet, spread
from editor.gl.capture import NoContextError, write_png
from editor.shell.helper import serve
from editor.shell.sheet.settings import SheetTask

DOCUMENT, TASK, RESULT = "document.posewright", "task.json", "sheet.png"


def work(folder: Path, progress: Progress) -> tuple[int, int]:
    """Draw and write the sheet; returns its width and height in pixels."""
    task = SheetTask.from_json(json.loads((folder / TASK).read_text(encoding="utf-8")))
    project = core.io.load(folder / DOCUMENT).project
    clips = [project.get(Clip, key) for key in task.clips]
    strips = [Strip(clip, spread(clip, task.frames)) for clip in clips]
    try:
        image = contact_sheet(project, project.get(Rig, clips[0].rig), strips, task.style, None, progress)
    except NoContextError as error:
        raise AnimError(f"no pictures can be drawn here: {error}") from error
    write_png(folder / RESULT, image[..., :3])
    return image.shape[1], image.shape[0]


if __name__ == "__main__":
    sys.exit(serve(work))
