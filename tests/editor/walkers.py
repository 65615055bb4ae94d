"""Two bodies of one build and other proportions, and a clip in which one foot stands and the other is lifted."""

from pathlib import Path

import core.io
from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.project.project import Project
from core.rig.rig import Rig
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from editor.model.retarget.state import Retargeting
from tests.core.retarget.figures import figure

RIG, OTHER, STEP, REST = (
    AssetId("rig-tall"),
    AssetId("rig-small"),
    AssetId("clip-step"),
    AssetId("clip-still"),
)


def tall() -> Rig:
    """The one that motion is put on."""
    return Rig(RIG, "tall", figure(spine=3, size=1.1))


def small() -> Rig:
    """The one that moves: more bones in its back, arms hanging."""
    return Rig(OTHER, "small", figure(spine=4, size=0.8, arms_down=50.0))


def step(rig: Rig) -> Clip:
    """Two seconds: the left foot stands, the right leg is lifted in the middle, an arm swings."""
    lift = scalar_track([0.0, 0.7, 1.0, 1.3, 2.0], [0.0, 0.0, -40.0, 0.0, 0.0])
    bend = scalar_track([0.0, 0.7, 1.0, 1.3, 2.0], [0.0, 0.0, 50.0, 0.0, 0.0])
    swing = scalar_track([0.0, 1.0, 2.0], [0.0, 60.0, 0.0])
    tracks = {
        Channel("thigh_r", Property.ROTATE, 0): lift,
        Channel("calf_r", Property.ROTATE, 0): bend,
        Channel("upper_arm_l", Property.ROTATE, 2): swing,
    }
    return Clip(STEP, "step", rig.id, 2.0, FrameRate.of(30), tracks=tracks)


def still(rig: Rig) -> Clip:
    """A clip of the target's own."""
    track = scalar_track([0.0, 1.0], [0.0, 10.0])
    tracks = {Channel("head", Property.ROTATE, 1): track}
    return Clip(REST, "still", rig.id, 1.0, FrameRate.of(30), tracks=tracks)


def target_project() -> Project:
    """The tall one with a clip."""
    rig = tall()
    return Project({rig.id: rig, REST: still(rig)})


def both_project() -> Project:
    """Both in one document."""
    other = small()
    return target_project().with_assets(other, step(other))


def source_file(folder: Path, name: str = "step.bvh") -> Path:
    """The small one's clip as a file."""
    rig, path = small(), folder / name
    clip = step(rig)
    core.io.save(Project({rig.id: rig, clip.id: clip}), path)
    return path


def spans_of(session, limb: str, point: int = 0) -> list[tuple[int, int]]:
    """First and last frames of a limb's contacts."""
    found = session.feature(Retargeting).computation.spans
    return [(s.first, s.last) for s in found if (s.limb, s.point) == (limb, point)]
