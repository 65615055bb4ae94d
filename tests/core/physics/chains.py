"""A bone that is carried about and a chain that hangs on it, with clips for them."""

import numpy as np

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.physics.parts import Part, Scene
from core.rig.body_plan import AxisRange, Body, Capsule
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import quaternion_track, scalar_track

RATE = FrameRate.of(30)
LINK = 0.5


def rig(links: int = 1, turn=(0.0, 0.0, 0.0, 1.0), unit: float = 1.0) -> Rig:
    """Bones ``carrier`` and ``link0`` …; each link hangs down half a metre. Files may have another unit above."""
    count = links + 2
    names = ("world", "carrier", *(f"link{n}" for n in range(links)))
    places = np.zeros((count, 3))
    places[1] = (0.0, 2.0 / unit, 0.0)
    for link in range(1, links):
        places[2 + link] = (0.0, -LINK / unit, 0.0)
    turns = np.tile(quat.IDENTITY, (count, 1))
    turns[1] = turn
    scale = np.ones((count, 3))
    scale[0] = unit
    skeleton = Skeleton(names, np.arange(-1, count - 1), Transform(places, turns, scale))
    return Rig(AssetId("rig"), "chain", skeleton)


def link(name: str, ranges=((-170.0, 170.0), (-80.0, 80.0), (-170.0, 170.0)), axis=None) -> Body:
    """A thin rod with its weight at its end, nearly."""
    capsule = Capsule((0.0, -LINK + 0.02, 0.0), (0.0, -LINK - 0.02, 0.0), 0.01)
    if axis is not None:
        return Body(name, capsule, 1.0, (AxisRange(axis, *ranges[0]),), 0.0)
    axes = tuple(AxisRange(tuple(row), *ends) for row, ends in zip(np.eye(3)[[0, 2, 1]], ranges, strict=True))
    return Body(name, capsule, 1.0, axes, 0.0)


def scene(made: Rig, bodies) -> Scene:
    """Links that hang on each other, the first on the carrier."""
    parts: list[Part] = []
    for number, body in enumerate(bodies):
        bone = made.skeleton.index(body.bone)
        parts.append(Part(body, bone, made.skeleton.parent(bone), number - 1))
    return Scene(tuple(parts))


def clip(seconds: float = 1.0, sway=None, swings=None, looping: bool = False) -> Clip:
    """A clip in which the carrier sways along X (a function of seconds) and links swing about Z (radians)."""
    times = np.arange(round(seconds * 240) + 1) / 240.0
    tracks = {}
    if sway is not None:
        tracks[Channel("carrier", Property.TRANSLATE, 0)] = scalar_track(times, [sway(t) for t in times])
    for name, swing in (swings or {}).items():
        turns = quat.from_axis_angle(
            np.tile([0.0, 0.0, 1.0], (len(times), 1)), np.array([swing(t) for t in times])
        )
        tracks[Channel(name, Property.ROTATE, WHOLE)] = quaternion_track(times, turns)
    return Clip(AssetId("clip"), "clip", AssetId("rig"), seconds, RATE, looping, tracks=tracks)


def sampler(made: Rig, of: Clip):
    """What `simulate` asks poses of."""
    evaluator = ClipEvaluator(made, of)
    return lambda times: evaluator.sample_many(times, wrap=False).local


def swing_of(simulated, name: str, made: Rig) -> np.ndarray:
    """Angle about Z of a link at each frame, radians."""
    turns = simulated.local.rotation[:, made.skeleton.index(name)]
    return 2.0 * np.arctan2(turns[:, 2], turns[:, 3])
