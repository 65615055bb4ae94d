"""What is added to other motion: landings, a breath, single steps in place, and looks all round.

Differences from the first frame of ``idle`` (steps in a crouch: of ``crouch idle``), in model space but for the
breath, which goes with the trunk wherever it is turned, and the landings: knees and elbows that are bent already bend
on about their own axes.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.ids import AssetId
from core.math import quat
from resources.sample.clips.aim import BASE, difference
from resources.sample.clips.idle import FEET
from resources.sample.motion import stance
from resources.sample.motion.acting import Body, at_ease, whole_at_ease
from resources.sample.motion.figure import Posing, turn
from resources.sample.motion.gait import standing_legs
from resources.sample.motion.keying import ClipBuilder
from resources.sample.motion.planning import (
    Footsteps,
    Move,
    build_move,
    crouching_trunk,
    home_of,
    standing_trunk,
)
from resources.sample.motion.stance import SPINE

CROUCHED = Additive(AdditiveSpace.MODEL, AdditiveBase.FRAME, AssetId("clip-crouch-idle"), 0.0)
LOCAL = Additive(AdditiveSpace.LOCAL, AdditiveBase.FRAME, AssetId("clip-idle"), 0.0)
BREATH = 120
"""Frames of one breath."""
STEP = 14

LIGHT = (
    Body(0.0, (0.0, -0.030, 0.0), (2.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    Body(3.0, (0.0, -0.110, -0.014), (9.0, 0.0, 0.0), (8.0, 0.0, 0.0), (-2.0, 0.0, 0.0)),
    Body(7.0, (0.0, -0.060, -0.008), (5.0, 0.0, 0.0), (6.0, 0.0, 0.0), (-1.0, 0.0, 0.0)),
    Body(12.0, (0.0, -0.006, 0.0), (-0.5, 0.0, 0.0), (-0.8, 0.0, 0.0), (0.0, 0.0, 0.0)),
    Body(16.0),
)
HEAVY = (
    Body(0.0, (0.0, -0.060, -0.005), (4.0, 0.0, 0.0), (2.0, 0.0, 0.0), (4.0, 0.0, 0.0)),
    Body(4.0, (0.0, -0.300, -0.050), (24.0, 0.0, 0.0), (22.0, 0.0, 0.0), (-4.0, 0.0, 0.0)),
    Body(8.0, (0.0, -0.275, -0.046), (22.0, 0.0, 0.0), (26.0, 0.0, 0.0), (-2.0, 0.0, 0.0)),
    Body(15.0, (0.0, -0.120, -0.020), (11.0, 0.0, 0.0), (13.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    Body(22.0, (0.0, -0.014, 0.0), (0.5, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    Body(27.0),
)
LOOK_YAWS = {"": 0.0, "left": 90.0, "right": -90.0, "back left": 180.0, "back right": -180.0}
LOOK_PITCHES = {"": 0.0, "up": 90.0, "down": -90.0}
"""Degrees to the left and up that a look stands for; neck and eyes do not reach the farthest."""


def _planted() -> dict[str, Footsteps]:
    return {side: Footsteps(side).stand(0.0, *home_of(side)) for side in "lr"}


def _landing(name: str, rows: tuple[Body, ...], arms: float) -> Clip:
    frames = int(rows[-1].frame)
    feet = {side: foot.stay(float(frames)) for side, foot in _planted().items()}
    swings = ((0.0, 4.0 * arms, 2.0, -14.0 * arms, 4.0),
              (0.2 * frames, 10.0 * arms, 2.0, -4.0 * arms, 16.0 * arms),
              (0.5 * frames, 6.0 * arms, 0.0, -6.0 * arms, 12.0 * arms),
              (float(frames), 0.0, 0.0, 0.0, 0.0))  # fmt: skip
    move = Move(
        name, frames, standing_trunk, standing_trunk, ((0.0, 0.0),), lambda _: (0.0, 0.0, 0.0, 0.0), feet, rows,
        {"l": swings, "r": swings}, keys=[0.0, 1.5, *np.arange(3.0, frames, 3.0)],
    )  # fmt: skip
    return replace(build_move(move).build(), additive=LOCAL)


def _step(side: str, crouched: bool) -> Clip:
    """One foot is lifted and put down where it was."""
    feet = {s: Footsteps(s).stand(0.0, *home_of(s, crouched)) for s in "lr"}
    feet[side].step(3.0, 10.0, *home_of(side, crouched), height=0.060, heel=-16.0, toes_up=3.0)
    for foot in feet.values():
        foot.stay(float(STEP))
    way = -1.0 if side == "l" else 1.0
    rows = (
        Body(0.0),
        Body(3.0, (0.022 * way, -0.006, 0.0), (0.0, 0.0, 1.2 * way), (0.0, 0.0, -1.5 * way)),
        Body(7.0, (0.030 * way, -0.008, 0.0), (0.5, 0.0, 1.8 * way), (0.5, 0.0, -2.2 * way)),
        Body(11.0, (0.010 * way, -0.010, 0.0), (0.3, 0.0, 0.4 * way), (0.5, 0.0, -0.5 * way)),
        Body(14.0),
    )
    trunk = crouching_trunk if crouched else standing_trunk
    name = f"{'crouch ' if crouched else ''}step {'left' if side == 'l' else 'right'}"
    move = Move(
        name, STEP, trunk, trunk, ((0.0, 0.0),), lambda _: (0.0, 0.0, 0.0, 0.0), feet, rows,
        keys=(0, 3, 5, 7, 9, 11, 14), knee_out=6.0 if crouched else 5.0, leg_keys=0.5,
    )  # fmt: skip
    return replace(build_move(move).build(), additive=CROUCHED if crouched else BASE)


def _breath(phase: float) -> Posing:
    """At ease, and breathed in by so much as the phase says; at 0 it is the base."""
    late = 0.5 - 0.5 * float(np.cos(2.0 * np.pi * (phase - 0.03)))
    late -= 0.5 - 0.5 * float(np.cos(2.0 * np.pi * 0.03))
    full = 0.5 - 0.5 * float(np.cos(2.0 * np.pi * phase))
    pose = whole_at_ease()
    for bone, much in zip(SPINE, (0.15, 0.25, -0.6, -1.2, -1.0), strict=True):
        pose.add(bone, much * full, 0.0, 0.0)
    for bone in stance.NECK:
        pose.add(bone, 0.7 * late, 0.0, 0.0)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        pose.add(f"clavicle_{side}", 0.0, -0.8 * full * sign, 2.6 * full * sign)
        pose.add(f"upper_arm_{side}", 0.5 * late, 0.0, -1.4 * late * sign)
    return pose


def breathing() -> Clip:
    """The clip ``breathing``, a loop of one breath in four seconds."""
    builder = ClipBuilder("breathing", BREATH, True)
    for frame in range(0, BREATH + 1, 15):
        pose = _breath(frame / BREATH)
        standing_legs(pose, FEET, knee_out=5.0)
        builder.key(frame, pose)
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 1.0), (BREATH, 1.0)])
    return replace(builder.build(), additive=LOCAL)


def looking(yaw: float, pitch: float) -> Posing:
    """Looking ``yaw`` degrees to the left and ``pitch`` up, as far as neck and trunk go along."""
    pose = whole_at_ease()
    if not (yaw or pitch):
        return pose
    turned = np.sign(yaw) * np.interp(abs(yaw), [0.0, 90.0, 180.0], [0.0, 80.0, 122.0])
    raised = 0.68 * pitch
    trunk = np.sign(yaw) * np.interp(abs(yaw), [0.0, 90.0, 180.0], [0.0, 20.0, 44.0])
    hips = np.sign(yaw) * np.interp(abs(yaw), [0.0, 90.0, 180.0], [0.0, 2.0, 9.0])
    pose.add("pelvis", 0.0, hips, 0.0)
    for bone, share in zip(SPINE, stance.SPINE_SHARES, strict=True):
        pose.add(bone, -0.14 * pitch * share, (trunk - hips) * share, 0.0)
    held = stance.chain_turn(at_ease(), "pelvis", *SPINE, *stance.NECK)
    goal = quat.multiply(quat.multiply(turn(0.0, turned, 0.0), turn(-raised, 0.0, 0.0)), held)
    stance.look_along(pose, goal)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        pose.add(f"clavicle_{side}", 0.0, 0.10 * trunk, 0.02 * abs(trunk) * sign)
    standing_legs(pose, FEET, knee_out=5.0)
    return pose


def look_names() -> dict[str, tuple[float, float]]:
    """Names of the looks, and the degrees to the left and up that they stand for."""
    return {
        f"look {' '.join(word for word in (yaw, pitch) if word) or 'centre'}": (to_left, up)
        for yaw, to_left in LOOK_YAWS.items()
        for pitch, up in LOOK_PITCHES.items()
    }


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of two landings, four steps, the breath and fifteen looks."""

    def step(side: str, crouched: bool) -> Callable[[], Clip]:
        return lambda: _step(side, crouched)

    def look(name: str, yaw: float, pitch: float) -> Callable[[], Clip]:
        return lambda: difference(name, looking(yaw, pitch))

    return (
        lambda: _landing("land light", LIGHT, 1.0),
        lambda: _landing("land heavy", HEAVY, 2.0),
        *(step(side, crouched) for crouched in (False, True) for side in "lr"),
        breathing,
        *(look(name, *angles) for name, angles in look_names().items()),
    )
