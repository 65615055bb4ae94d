"""Retargets the shared data's clips onto the sample character and prints what came of it, as Markdown.

    python -m tests.clients.retarget_table [FOLDER]

Slip is how far a standing point of a foot gets over the ground from where it came down, on average over contacts:
of the source (scaled), of the rotations carried over, and of feet held. Deviation is the angle between limb bones of
both figures over all frames, before feet are held and after. Nothing is asserted.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.clips.clip import Clip
from core.ids import new_id
from core.io import load
from core.math import kernels
from core.project.project import Project
from core.retarget.retarget import Options, retarget_clip
from core.rig.rig import Rig
from tests.core.retarget.figures import sample

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "bvh/cmu_01_01.bvh",
    "bvh/cmu_jumping_jacks.bvh",
    "bvh/rokoko_jesse_dance.bvh",
    "bvh/fair1_dab.bvh",
    "gltf/KayKit_Med_MovementBasic.glb",
    "fbx/pab_jog.fbx",
)
HEAD = (
    "clip", "frames", "contacts", "source mm", "carried mm", "held mm", "worst mm", "hips down mm",
    "off ° carried", "off ° held", "s/1000 frames",
)  # fmt: skip


def row(project: Project, clip: Clip, target: Rig) -> tuple[str, ...]:
    """One clip's figures; the second of two runs is timed."""
    source = project.get(Rig, clip.rig)
    free = retarget_clip(
        source, clip, target, options=replace(Options(), lock=None), id=new_id("clip")
    ).report
    began = time.perf_counter()
    report = retarget_clip(source, clip, target, id=new_id("clip")).report
    each = (time.perf_counter() - began) / report.frames * 1000.0
    slip = report.slip
    assert slip is not None
    figures = (slip.source, slip.before, slip.after, slip.worst_after, slip.drop * 1000.0)
    return (
        clip.name.replace("|", "\\|"), str(report.frames), str(slip.contacts), *(f"{value:.1f}" for value in figures),
        f"{free.deviation[0]:.1f} {free.deviation[1]}", f"{report.deviation[0]:.1f} {report.deviation[1]}",
        f"{each:.2f}",
    )  # fmt: skip


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    target = sample().rigs[0]
    for name in FILES:
        project = load(folder / name).project
        for clip in project.clips:
            yield row(project, clip, target)


def main() -> None:
    kernels.load()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    print("| " + " | ".join(HEAD) + " |")
    print("| --- |" + " --: |" * (len(HEAD) - 1))
    for each in rows(folder):
        print("| " + " | ".join(each) + " |")


if __name__ == "__main__":
    sys.exit(main())
