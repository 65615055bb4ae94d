"""Retargets the shared data's clips onto the sample character and prints what came of it, as Markdown.

    python -m tests.clients.retarget_table [FOLDER] [--knees]

With ``--knees`` only what four walks onto two characters pay for their feet: degrees that knees bend more than
without holding (median, 95 of 100, most; most of a leg that was straight), slip of contacts before and after, how
far hips come down. Run it in a checkout of before a change, too, to see both.

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
from core.ids import AssetId, new_id
from core.io import load
from core.math import kernels
from core.project.project import Project
from core.retarget.retarget import Options, carry, retarget_clip, usable_map
from core.rig.rig import Rig
from tests.core.retarget.figures import mixamo, sample
from tests.core.retarget.knees import bend_between, knee_angles

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "bvh/cmu_01_01.bvh",
    "bvh/cmu_jumping_jacks.bvh",
    "bvh/rokoko_jesse_dance.bvh",
    "bvh/fair1_dab.bvh",
    "gltf/KayKit_Med_MovementBasic.glb",
    "fbx/pab_jog.fbx",
)
WALKS = (
    ("../cases/cmu_12_01_walk.bvh", None),
    ("bvh/cmu_01_01.bvh", None),
    ("gltf/KayKit_Med_MovementBasic.glb", "Rig_Medium|Walking_A"),
    (str(ROOT / "resources/sample/mannequin.posewright"), "walk"),
)
KNEES = (
    "walk", "onto", "knee median °", "p95 °", "most °", "straight leg °", "slip mm", "held mm", "worst mm",
    "hips down mm",
)  # fmt: skip
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


def knee_rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """What knees and hips of two characters pay for the feet of four walks."""
    targets = sample().rigs[0], Rig(AssetId("rig-mixamo"), "Mixamo", mixamo())
    for name, wanted in WALKS:
        project = load(folder / name).project
        clip = project.clip_named(wanted) if wanted else project.clips[0]
        source = project.get(Rig, clip.rig)
        for target in targets:
            chains = usable_map(source, target)
            free = carry(source, clip, target, chains, replace(Options(), lock=None))
            done = carry(source, clip, target, chains)
            bend = bend_between(*(knee_angles(done.binding, each.local) for each in (free, done)))
            slip = done.slip
            assert slip is not None
            figures = (
                bend.median,
                bend.p95,
                bend.most,
                bend.straight,
                slip.before,
                slip.after,
                slip.worst_after,
            )
            label = clip.name.replace("|", "\\|")
            yield label, target.name, *(f"{value:.1f}" for value in (*figures, slip.drop * 1000.0))


def main() -> None:
    kernels.load()
    words = [word for word in sys.argv[1:] if word != "--knees"]
    folder = Path(words[0]) if words else ROOT.parent / "shared" / "data"
    head, found = (KNEES, knee_rows(folder)) if "--knees" in sys.argv else (HEAD, rows(folder))
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " --: |" * (len(head) - 1))
    for each in found:
        print("| " + " | ".join(each) + " |")


if __name__ == "__main__":
    sys.exit(main())
