"""Writes and checks files in a process of its own: ``python -m editor.shell.export.worker FOLDER``.

The folder holds the document, narrowed to what is written, and the plan (see `run`).
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import core.io
from core.clips.clip import Clip
from core.progress import Progress
from core.rig.rig import Rig
from editor.shell.export.choice import Choice
from editor.shell.export.plan import Plan, Target
from editor.shell.export.run import DOCUMENT, TASK, write
from editor.shell.helper import serve


def work(folder: Path, progress: Progress) -> list[Any]:
    """Write the files; for each its report and what reading it back found, as plain values."""
    task = json.loads((folder / TASK).read_text(encoding="utf-8"))
    project = core.io.load(folder / DOCUMENT, progress.part(0.0, 0.1)).project
    targets = tuple(
        Target(Path(path), tuple(project.get(Clip, clip) for clip in clips), tuple(beside))
        for path, clips, beside in task["targets"]
    )
    plan = Plan(project, project.get(Rig, task["rig"]), Choice.from_json(task["choice"]), targets=targets)
    done = write(plan, project, progress.part(0.1, 1.0))
    return [[asdict(one.report), None if one.check is None else asdict(one.check)] for one in done]


if __name__ == "__main__":
    sys.exit(serve(work))
