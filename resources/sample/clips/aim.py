"""Aiming with both hands as if at something small held before the eyes, in nine directions.

Model-space differences from the first frame of ``idle``: put on a moving base, the aim keeps its direction.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.ids import AssetId
from core.math import quat
from resources.sample.clips.idle import FEET
from resources.sample.motion import stance
from resources.sample.motion.acting import at_ease
from resources.sample.motion.figure import FIGURE, Posing, turn
from resources.sample.motion.gait import standing_legs
from resources.sample.motion.keying import ClipBuilder
from resources.sample.motion.reach import hand_turn, solve_arm

YAW, PITCH = 60.0, 45.0
BASE = Additive(AdditiveSpace.MODEL, AdditiveBase.FRAME, AssetId("clip-idle"), 0.0)
DIRECTIONS = {
    "centre": (0.0, 0.0),
    "left": (YAW, 0.0),
    "right": (-YAW, 0.0),
    "up": (0.0, PITCH),
    "down": (0.0, -PITCH),
    "left up": (YAW, PITCH),
    "left down": (YAW, -PITCH),
    "right up": (-YAW, PITCH),
    "right down": (-YAW, -PITCH),
}
"""Degrees to the left and up."""

EYES = np.array([0.0, 1.665, 0.075])
GRIP = {"r": np.array([-0.020, -0.115, 0.345]), "l": np.array([0.028, -0.135, 0.325])}
"""Wrists from between the eyes, in the aim's own axes (left, up, along)."""


def aiming(yaw: float, pitch: float) -> Posing:
    """The pose that aims ``yaw`` degrees to the left and ``pitch`` degrees up."""
    pose = at_ease()
    share = np.clip(yaw / 90.0, -1.0, 1.0)
    x, y, z = pose.shifts["pelvis"]
    lean = -pitch / 45.0
    pose.shift(
        "pelvis", x + 0.010 * share, y - 0.016 - 0.010 * abs(lean) - 0.006 * abs(share), z - 0.022 * lean
    )
    pose.add("pelvis", 2.0 + 3.0 * lean, 0.16 * yaw, 0.0)
    stance.spine(pose, 4.0 + 13.0 * lean, 0.62 * yaw - 4.0, 3.0, (0.16, 0.2, 0.22, 0.22, 0.2))
    aim = quat.multiply(turn(0.0, yaw, 0.0), turn(-pitch, 0.0, 0.0))
    head_turn = quat.multiply(turn(0.0, 0.97 * yaw - 1.5, 0.0), turn(-0.94 * pitch + 2.0, 0.0, -2.0))
    stance.look_along(pose, head_turn, share=0.97)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        collar = Posing().set("clavicle_l", 0.0, -9.0 + 5.0 * share * sign, 5.0 - 3.0 * lean)
        pose.update(collar if side == "l" else collar.mirrored())
    rotations, places = FIGURE.model(*pose.local())
    head = FIGURE.index["head"]
    tilt = quat.multiply(rotations[head], quat.conjugate(FIGURE.rest_model[head]))
    eyes = places[head] + quat.rotate(tilt, EYES - FIGURE.heads[head])
    for side, sign in (("l", 1.0), ("r", -1.0)):
        bone = FIGURE.index[f"clavicle_{side}"]
        farther = np.array([0.0, 0.0, 0.085 * max(0.0, lean)])
        wrist = eyes + quat.rotate(aim, GRIP[side] + farther)
        along = quat.rotate(aim, np.array([-0.20 * sign, -0.10 if side == "l" else 0.0, 1.0]))
        thumb = quat.rotate(aim, np.array([-0.35 * sign if side == "l" else -0.10 * sign, 1.0, 0.0]))
        elbow = quat.rotate(aim, np.array([0.75 * sign, -1.0, -0.1]))
        arm, _ = solve_arm(side, (rotations[bone], places[bone]), wrist, hand_turn(side, along, thumb), elbow)
        pose.turns.pop(f"upper_arm_twist_01_{side}", None)
        pose.update(arm)
        stance.fingers(pose, side, 2.9 if side == "r" else 2.5, thumb=2.0)
    standing_legs(pose, FEET, knee_out=5.0)
    return pose


def difference(name: str, pose: Posing) -> Clip:
    """One frame of a pose with both feet down, to add to others."""
    builder = ClipBuilder(name, 1, False)
    builder.key(0.0, pose)
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 1.0), (1, 1.0)])
    return replace(builder.build(), additive=BASE)


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the clips ``aim centre``, ``aim left`` and so on, one frame each."""

    def maker(name: str, yaw: float, pitch: float) -> Callable[[], Clip]:
        return lambda: difference(f"aim {name}", aiming(yaw, pitch))

    return tuple(maker(name, yaw, pitch) for name, (yaw, pitch) in DIRECTIONS.items())
