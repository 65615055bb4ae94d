"""Moves with more than the feet on the ground: told pose by pose, and let down until they touch it.

Each pose gives the angles of every part; the pelvis's height is then found, so that the skin's lowest point lies
on the ground. From a frame on, the feet are planted, and legs are placed by inverse kinematics as elsewhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.arrays import FloatArray
from core.clips.sample import ClipEvaluator
from core.math import quat
from resources.sample.mesh import build_skin
from resources.sample.motion import stance
from resources.sample.motion.acting import ARM_AT_EASE, FootPath, key_feet
from resources.sample.motion.figure import FIGURE, Posing, turn
from resources.sample.motion.keying import RATE, ClipBuilder
from resources.sample.motion.planning import Footsteps, mixed, standing_trunk
from resources.sample.rig import build_rig

Leg = tuple[float, float, float, float, float]
"""Thigh ahead, thigh out, thigh turned out, knee, ankle down; degrees of a left leg."""
Arm = tuple[float, float, float, float, float, float, float, float]
"""As in `acting.ArmRow`."""
EVERY = 5
"""Of the skin's vertices, one in so many is looked at."""
MEETS = 1.5
"""Frames after which a foot that is placed has come to its place."""
CLEAR = 0.003
"""Metres that the skin stays above the ground."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A pose at a frame.

    Parameters
    ----------
    lean
        Pelvis in degrees: forward, to the left, sideways; the first may go round and round.
    place
        Of the pelvis against where it stands at ease: x and z in the root's frame.
    trunk, head
        Bend of spine, and of neck and head, in degrees: forward, to the left, sideways.
    legs, arms
        The left and the right one.
    stands
        How much of the pose is the standing one, 0..1.
    """

    frame: float
    lean: tuple[float, float, float]
    place: tuple[float, float]
    trunk: tuple[float, float, float]
    head: tuple[float, float, float]
    legs: tuple[Leg, Leg]
    arms: tuple[Arm, Arm]
    stands: float = 0.0
    height: float | None = None


def posed(row: Pose) -> Posing:
    """The pose as turns; the pelvis's height is left at rest."""
    pose = Posing()
    about_x = quat.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(row.lean[0]))
    pose.turns["pelvis"] = quat.multiply(
        turn(0.0, row.lean[1], 0.0), quat.multiply(about_x, turn(0.0, 0.0, row.lean[2]))
    )
    stance.spine(pose, *row.trunk)
    for bone in stance.NECK:
        pose.set(bone, *(part / 3.0 for part in row.head))
    for side, leg, arm in zip("lr", row.legs, row.arms, strict=True):
        ahead, out, turned, knee, ankle = leg
        own = Posing()
        own.set("thigh_l", -ahead, turned, out)
        own.flex("calf_l", knee).flex("foot_l", ankle).flex("ball_l", 0.0)
        pose.update(own if side == "l" else own.mirrored())
        swing, spread, lower, twist, elbow, pronate, wrist, shrug = arm
        stance.arm(pose, side, swing, lower, twist, elbow, spread=spread, wrist=wrist, pronate=pronate)
        collar = Posing().set("clavicle_l", 0.0, 0.0, shrug)
        pose.update(collar if side == "l" else collar.mirrored())
        stance.fingers(pose, side, 0.7)
    pose.shift("pelvis", row.place[0], 0.0, row.place[1])
    if row.stands > 0.0:
        legs = {n: q for n, q in pose.turns.items() if n.startswith(("thigh", "calf", "foot", "ball"))}
        pose = mixed(pose, standing_trunk(), row.stands)
        pose.turns |= legs
    return pose


@cache
def _skin() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Some vertices at rest, the bones they follow, and how much."""
    skin = build_skin()
    bones = np.array([FIGURE.index[name] for name in skin.joints])
    return skin.points[::EVERY], bones[skin.influences[::EVERY]], skin.weights[::EVERY]


def lowest(rotations: FloatArray, translations: FloatArray) -> FloatArray:
    """Heights ``(...)`` of the skin's lowest point in poses given by local rotations and translations."""
    points, bones, weights = _skin()
    turned, places = FIGURE.model(rotations, translations)
    up = quat.rotate(quat.multiply(FIGURE.rest_model, quat.conjugate(turned)), np.array([0.0, 1.0, 0.0]))
    heights = np.zeros((*turned.shape[:-2], len(points)))
    for k in range(bones.shape[1]):
        own = points - FIGURE.heads[bones[:, k]]
        moved = np.einsum("...vi,vi->...v", up[..., bones[:, k], :], own) + places[..., bones[:, k], 1]
        heights += weights[:, k] * moved
    return np.asarray(heights.min(axis=-1))


def build_grounded(
    name: str, frames: int, rows: Sequence[Pose], root: Callable[[float], tuple[float, float, float, float]],
    feet: dict[str, Footsteps], planted: float,
) -> ClipBuilder:  # fmt: skip
    """The clip of a move on the ground.

    Parameters
    ----------
    feet
        Where the feet are from the frame `planted` on, in the space the root starts in.
    """
    builder = ClipBuilder(name, frames, False)
    rows = sorted(rows, key=lambda row: row.frame)
    for row in rows:
        pose = posed(row)
        if row.frame >= planted:
            for bone in [n for n in pose.turns if n.startswith(("thigh", "calf", "foot", "ball"))]:
                del pose.turns[bone]
        height = row.height
        if height is None and row.stands >= 1.0:
            height = float(standing_trunk().shifts["pelvis"][1])
        if height is None:
            height = CLEAR - float(lowest(*posed(row).local()))
        x, _, z = pose.shifts["pelvis"]
        if row.stands >= 1.0:
            x, _, z = standing_trunk().shifts["pelvis"]
        pose.shift("pelvis", x, height, z)
        builder.key(row.frame, pose)
    for frame in np.arange(0.0, frames + 1e-6, 2.0):
        x, y, z, yaw = root(float(frame))
        builder.key(float(frame), Posing().shift("root", x, y, z).set("root", 0.0, yaw, 0.0))
    _settle(builder, planted + 0.5)
    paths = {side: FootPath(side, steps.rows) for side, steps in feet.items()}
    for _ in range(
        2
    ):  # the body is let down between the poses once more when the legs lead to where they are placed
        key_feet(builder, paths, np.arange(planted, frames + 1e-6, 0.5), level=True)
        _settle(builder, planted - 0.5)
    key_feet(builder, paths, np.arange(planted, frames + 1e-6, 0.5), level=True)
    for side, steps in feet.items():
        steps.down = [(max(start, planted + MEETS), end) for start, end in steps.down]
        builder.curve(f"contact_{side}", steps.contact(float(frames)))
    return builder


def _settle(builder: ClipBuilder, until: float) -> None:
    """Key the pelvis's height so that the body touches the ground between the poses, too."""
    for _ in range(2):
        body = ClipEvaluator(build_rig(), builder.build())
        frames = np.arange(0.0, until, 1.0)
        local = body.sample_many(frames / RATE, wrap=False).local
        lifts = CLEAR - lowest(np.array(local.rotation), np.array(local.translation))
        pelvis = FIGURE.index["pelvis"]
        for frame, place, lift in zip(frames, local.translation[:, pelvis], lifts, strict=True):
            moved = place - FIGURE.rest_translations[pelvis] + [0.0, lift, 0.0]
            builder.key(float(frame), Posing().shift("pelvis", *moved))


EASE: Arm = ARM_AT_EASE  # type: ignore[assignment]
"""An arm as it hangs at ease."""
