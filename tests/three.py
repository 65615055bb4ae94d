"""Asks three.js whether it plays an exported file as we do; where it is not installed, that is said."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np

from core.clips.evaluator import ClipEvaluator
from core.pose import kinematics
from core.project.project import Project

MISSING = "POSEWRIGHT_CHECK names no folder with check_three.mjs, or there is no node"


def client() -> Path | None:
    """The folder of the checkers; None where they are not installed."""
    folder = Path(os.environ.get("POSEWRIGHT_CHECK") or "/nonexistent")
    return folder if (folder / "check_three.mjs").is_file() and shutil.which("node") is not None else None


def require_three_plays(project: Project, path: Path, folder: Path) -> bool:
    """Have three.js move every bone of every clip to where our own evaluation of a project has it.

    Within 1e-4 of the character's size. False where three.js is not installed.
    """
    where = client()
    if where is None:
        return False
    rig = project.rigs[0]
    names, parents = rig.skeleton.names, rig.skeleton.parents
    told = {
        "joints": [{"name": n, "parent": int(p), "joint": True} for n, p in zip(names, parents, strict=True)],
        "rest": {"p": kinematics.to_model(rig.skeleton, rig.skeleton.rest).translation.tolist()},
        "clips": [],
    }
    for clip in project.clips:
        times = np.linspace(0.0, clip.length, 8)
        local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
        model = kinematics.to_model(rig.skeleton, local)
        told["clips"].append({"name": clip.name, "times": times.tolist(), "p": model.translation.tolist()})
    golden = folder / "golden.json"
    golden.write_text(json.dumps(told))
    done = subprocess.run(
        ["node", "check_three.mjs", str(path), "--expect", str(golden), "--tol", "1e-4"],
        cwd=where, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return True
