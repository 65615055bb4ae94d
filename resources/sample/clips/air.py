"""In the air: jumps out of a walk and a run, falls from calm to flailing, the reach before a landing, and leans.

In the air the root is where a character's capsule is, so jumps out of a gait travel and rise by root motion, at
4.2 m/s; the loops hang with the feet just above the root.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.clips.clip import Clip, Notify
from resources.sample.clips.aim import difference
from resources.sample.clips.lean import LEANS
from resources.sample.clips.run import RUN
from resources.sample.clips.walk import WALK
from resources.sample.motion import stance
from resources.sample.motion.acting import Body, FootRow, body_pose, whole_at_ease
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import Gait, GaitFeet
from resources.sample.motion.keying import RATE
from resources.sample.motion.planning import Footsteps, Move, build_move, gait_trunk
from resources.sample.motion.stance import SPINE

RISE, FALLS = 4.2, 9.81
"""Metres a second at take-off, and metres a second squared."""
JUMP = 18
LEAVES = 1.0
"""Frame of a jump out of a gait in which the foot leaves the ground."""
Foot = tuple[float, float, float, float, float]
"""x, up, z, yaw to the left and pitch of a foot in the root's frame."""
Arm = tuple[float, float, float, float, float, float, float, float]
"""As in `acting.ArmRow`."""


@dataclass(frozen=True, slots=True)
class Hang:
    """A loop in the air: what it swings about, and by how much."""

    name: str
    frames: int
    body: Body
    arm: Arm
    feet: dict[str, Foot]
    arm_swings: Arm
    arm_apart: float
    foot_swing: tuple[float, float, float]
    trunk_swing: float = 1.5
    bob: float = 0.008
    fingers: float = -0.3


FALL = Hang(
    "fall", 30,
    Body(0.0, (0.02, 0.010, 0.0), (7.0, 2.0, 1.0), (5.0, -1.0, -2.0), (6.0, 0.0, 0.0)),
    (14.0, 4.0, 4.0, -14.0, 40.0, 24.0, 0.0, 6.0),
    {"l": (0.115, 0.120, 0.085, 7.0, -26.0), "r": (-0.110, 0.165, -0.125, -6.0, -34.0)},
    (4.0, 2.0, 5.0, 0.0, 6.0, 0.0, 4.0, 1.0), 0.35, (0.030, 0.018, 5.0),
)  # fmt: skip
FAST_FALL = Hang(
    "fast fall", 24,
    Body(0.0, (0.01, 0.020, 0.060), (22.0, 0.0, 1.0), (-6.0, 0.0, -1.0), (4.0, 0.0, 0.0)),
    (-4.0, -16.0, -52.0, -22.0, 48.0, 10.0, -10.0, 16.0),
    {"l": (0.150, 0.260, -0.170, 10.0, -50.0), "r": (-0.140, 0.200, -0.080, -9.0, -42.0)},
    (7.0, 4.0, 8.0, 0.0, 10.0, 0.0, 8.0, 2.0), 0.30, (0.045, 0.030, 8.0), 2.5, 0.010, -0.6,
)  # fmt: skip
FLAIL = Hang(
    "flail", 20,
    Body(0.0, (0.0, 0.020, 0.0), (4.0, 0.0, 0.0), (-4.0, 0.0, 0.0), (8.0, 0.0, 0.0)),
    (18.0, 0.0, -30.0, -20.0, 46.0, 10.0, -6.0, 12.0),
    {"l": (0.130, 0.220, 0.020, 8.0, -30.0), "r": (-0.130, 0.220, 0.020, -8.0, -30.0)},
    (58.0, 14.0, 34.0, 0.0, 24.0, 6.0, 14.0, 4.0), 0.5, (0.250, 0.110, 22.0), 6.0, 0.014, -0.8,
)  # fmt: skip
REACH = Hang(
    "reach", 1,
    Body(0.0, (0.0, 0.0, -0.010), (5.0, 0.0, 0.0), (9.0, 0.0, -1.0), (14.0, 0.0, 0.0)),
    (24.0, 0.0, -32.0, -16.0, 44.0, 10.0, -10.0, 14.0),
    {"l": (0.150, 0.035, 0.060, 8.0, -20.0), "r": (-0.145, 0.035, 0.020, -7.0, -20.0)},
    (0.0,) * 8, 0.0, (0.0, 0.0, 0.0), 0.0, 0.0, -0.7,
)  # fmt: skip


def _round(phase: float, late: float = 0.0) -> tuple[float, float]:
    angle = 2.0 * np.pi * (phase - late)
    return float(np.sin(angle)), float(np.cos(angle))


def hang_trunk(hang: Hang, phase: float) -> Posing:
    """All but the legs of a loop in the air."""
    s, c = _round(phase)
    body = hang.body
    turned = replace(
        body,
        shift=(body.shift[0], body.shift[1] + hang.bob * s, body.shift[2]),
        hips=(
            body.hips[0] - 0.5 * hang.trunk_swing * s,
            body.hips[1] + 0.6 * hang.trunk_swing * c,
            body.hips[2],
        ),
        trunk=(
            body.trunk[0] + hang.trunk_swing * s,
            body.trunk[1] - 1.2 * hang.trunk_swing * c,
            body.trunk[2],
        ),
    )
    pose = body_pose(turned)
    for name in [n for n in pose.turns if n.startswith(("thigh", "calf", "foot", "ball"))]:
        del pose.turns[name]
    for number, side in enumerate("lr"):
        a, b = _round(phase, number * hang.arm_apart)
        ways = (a, b, b, 0.0, a, b, a, b)
        swing, spread, lower, twist, elbow, pronate, wrist, shrug = (
            v + much * w for v, much, w in zip(hang.arm, hang.arm_swings, ways, strict=True)
        )
        stance.arm(pose, side, swing, lower, twist, elbow, spread=spread, wrist=wrist, pronate=pronate)
        collar = Posing().set("clavicle_l", 0.0, 0.0, shrug)
        pose.update(collar if side == "l" else collar.mirrored())
        stance.fingers(pose, side, 1.0 + hang.fingers, spread=5.0)
    return pose


def hang_foot(hang: Hang, side: str, phase: float) -> Foot:
    """A foot of a loop in the air, in the root's frame."""
    s, c = _round(phase, 0.0 if side == "l" else 0.5)
    x, up, z, yaw, pitch = hang.feet[side]
    ahead, rise, tilt = hang.foot_swing
    return x, up + rise * c, z + ahead * s, yaw, pitch + tilt * s


def _loop(hang: Hang) -> Clip:
    steps = {}
    for side in "lr":
        foot = Footsteps(side)
        foot.rows = [
            (hang.frames * k / 12.0, *hang_foot(hang, side, k / 12.0), 0.0) for k in range(-1, 14)
        ]  # beyond both ends, so that the loop goes through them
        steps[side] = foot

    def trunk(frame: float) -> Posing:
        return hang_trunk(hang, frame / hang.frames)

    keys = np.linspace(0.0, hang.frames, 9).round()
    move = Move(
        hang.name, hang.frames, trunk, trunk, ((0.0, 0.0),), lambda _: (0.0, 0.0, 0.0, 0.0), steps,
        keys=keys, looping=hang.frames > 1, leg_keys=2.0, sink=False, slopes=False,
    )  # fmt: skip
    return build_move(move).build()


def _jump(gait: Gait, lead: str) -> Clip:
    """``lead`` is the foot that takes off."""
    trail = "r" if lead == "l" else "l"
    runs = gait.speed > 2.0
    phase = (0.25 if runs else 0.40) + (0.0 if lead == "l" else 0.5)
    sign = 1.0 if lead == "l" else -1.0

    def root(frame: float) -> tuple[float, float, float, float]:
        t = max(0.0, (frame - LEAVES) / RATE)
        return 0.0, RISE * t - 0.5 * FALLS * t * t, gait.speed * frame / RATE, 0.0

    feet = GaitFeet(gait)
    reach = 1.0 if runs else 0.72

    def in_air(side: str, frame: float, foot: Foot) -> FootRow:
        x, up, z, yaw, pitch = foot
        _, y, ahead, _ = root(frame)
        return frame, x, up + y, z + ahead, yaw, pitch, 0.0

    ahead, behind = Footsteps(lead), Footsteps(trail)
    ahead.follow(gait, phase, LEAVES, root)
    ahead.down = [(0.0, 0.5 * LEAVES)]
    ahead.rows += [
        in_air(lead, 3.5, (0.085 * sign, 0.030, -0.42 * reach, 4.0 * sign, -58.0)),
        in_air(lead, 7.0, (0.100 * sign, 0.19, -0.40 * reach, 5.0 * sign, -60.0)),
        in_air(lead, 12.0, (0.105 * sign, 0.24, -0.22 * reach, 5.0 * sign, -44.0)),
        *(in_air(lead, f, hang_foot(FALL, lead, (f - JUMP) / FALL.frames)) for f in (16.0, 18.0)),
    ]
    x, up, z, yaw, pitch, _ = feet.row(trail, phase)
    behind.rows = [
        in_air(trail, 0.0, (x, up, z, yaw, pitch)),
        in_air(trail, 3.5, (-0.090 * sign, 0.42 * reach, 0.16 * reach, -3.0 * sign, -26.0)),
        in_air(trail, 7.0, (-0.100 * sign, 0.40 * reach, 0.26 * reach, -4.0 * sign, -14.0)),
        in_air(trail, 12.0, (-0.105 * sign, 0.26, 0.16 * reach, -5.0 * sign, -20.0)),
        *(in_air(trail, f, hang_foot(FALL, trail, (f - JUMP) / FALL.frames)) for f in (16.0, 18.0)),
    ]

    def before(frame: float) -> Posing:
        return gait_trunk(gait, phase + 0.6 * frame / gait.frames)

    def after(frame: float) -> Posing:
        return hang_trunk(FALL, (frame - JUMP) / FALL.frames)

    k = reach
    acting = (
        Body(0.0),
        Body(2.0, (0.0, 0.020, 0.0), (-2.0 * k, 0.0, 0.0), (-6.0 * k, 0.0, 0.0), (-4.0, 0.0, 0.0)),
        Body(6.0, (0.0, 0.035, 0.010), (2.0 * k, 0.0, 0.0), (-4.0 * k, 0.0, 0.0), (-2.0, 0.0, 0.0)),
        Body(11.0, (0.0, 0.015, 0.005), (4.0 * k, 0.0, 0.0), (3.0 * k, 0.0, 0.0), (2.0, 0.0, 0.0)),
        Body(18.0),
    )
    lifted = {
        lead: ((0.0, 0.0, 0.0, 0.0, 0.0), (4.0, 44.0 * k, 0.0, -18.0, 0.0), (9.0, 30.0 * k, 0.0, -22.0, -10.0),
               (18.0, 0.0, 0.0, 0.0, 0.0)),
        trail: ((0.0, 0.0, 0.0, 0.0, 0.0), (4.0, 12.0 * k, 0.0, -26.0, -14.0), (9.0, 8.0 * k, 0.0, -20.0, -8.0),
                (18.0, 0.0, 0.0, 0.0, 0.0)),
    }  # fmt: skip
    name = f"{gait.name} jump {'LF' if lead == 'l' else 'RF'}"
    move = Move(
        name, JUMP, before, after, ((0.0, 0.0), (5.0, 0.35), (15.0, 1.0)), root, {lead: ahead, trail: behind},
        acting, lifted, keys=(0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18), leg_keys=0.5,
    )  # fmt: skip
    builder = build_move(move)
    builder.notifies.append(Notify("take_off", LEAVES / RATE))
    clip = builder.build()
    return replace(clip, root_motion=replace(clip.root_motion, height=True))


def air_leaning(left: float, ahead: float) -> Posing:
    """The standing pose leaning as one in the air does: from the hips, the legs going the other way a little."""
    pose = whole_at_ease()
    x, y, z = pose.shifts["pelvis"]
    slope = 20.0 if ahead > 0.0 else 15.0
    pose.shift("pelvis", x, y + 0.045 * (abs(left) + abs(ahead)), z)
    pose.add("pelvis", slope * ahead, 0.0, -13.0 * left)
    for bone, share in zip(SPINE, stance.SPINE_SHARES, strict=True):
        pose.add(bone, 8.0 * ahead * share, 4.0 * left * share, -9.0 * left * share)
    for bone in stance.NECK:
        pose.add(bone, -0.24 * slope * ahead, 0.0, 5.0 * left)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        pose.add(f"thigh_{side}", -0.55 * slope * ahead, 0.0, 6.0 * left)
        pose.add(f"calf_{side}", 0.40 * slope * abs(ahead), 0.0, 0.0)
        rises = max(0.0, -left * sign)
        pose.add(f"upper_arm_{side}", -0.5 * slope * ahead, 0.0, sign * (10.0 * abs(left) + 8.0 * rises))
    return pose


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of four jumps, three falls, the reach and five leans."""

    def jump(gait: Gait, lead: str) -> Callable[[], Clip]:
        return lambda: _jump(gait, lead)

    def loop(hang: Hang) -> Callable[[], Clip]:
        return lambda: _loop(hang)

    def lean(name: str, left: float, ahead: float) -> Callable[[], Clip]:
        return lambda: difference(f"air lean {name}", air_leaning(left, ahead))

    return (
        *(jump(gait, lead) for gait in (WALK, RUN) for lead in "lr"),
        *(loop(hang) for hang in (FALL, FAST_FALL, FLAIL, REACH)),
        *(lean(name, *amount) for name, amount in LEANS.items()),
    )
