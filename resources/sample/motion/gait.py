"""Walks and runs from a few numbers: what an animator would say of each, pose by pose.

The cycle has eight named poses: contact, down, passing and up of the left foot, then of the right. Trunk,
head and arms are keyed on these; legs are placed by inverse kinematics against the keyed trunk, and keyed
more often while a foot is down, so that it stays where it stands.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.sample import ClipEvaluator
from core.math import quat
from resources.sample import skeleton as sk
from resources.sample.motion import stance
from resources.sample.motion.feet import Foot, Step, planted_ankle
from resources.sample.motion.figure import Posing, turn
from resources.sample.motion.keying import BESIDE, RATE, ClipBuilder
from resources.sample.rig import build_rig

POSES_PER_CYCLE = 8
"""Contact, down, passing and up of either foot."""
STANDING = 0.61
"""Duty by which standing clips are marked: that of the walk they blend with."""
PUSH = 0.6
"""Part of a foot's stance after which it pushes off."""
EDGE = 0.1
"""Frames within which a contact curve rises."""


@dataclass(frozen=True, slots=True)
class Wave:
    """A number that swings ``beats`` times a cycle round ``mean``, highest at phase ``peak``."""

    mean: float = 0.0
    size: float = 0.0
    peak: float = 0.0
    beats: int = 1

    def __call__(self, phase: float) -> float:
        return self.mean + self.size * float(np.cos(2.0 * np.pi * self.beats * (phase - self.peak)))


@dataclass(frozen=True, slots=True)
class ArmSwing:
    """A left arm over the cycle (degrees, see `stance.arm`); the right one is half a cycle later."""

    swing: Wave
    lower: Wave
    twist: Wave
    elbow: Wave
    wrist: Wave = Wave()
    pronate: Wave = Wave(mean=25.0)
    spread: Wave = Wave()
    shrug: Wave = Wave()
    reach: Wave = Wave()
    fingers: Wave = Wave(mean=1.0)


@dataclass(frozen=True, slots=True)
class Gait:
    """A cycle of two steps, the left foot down at phase 0; metres and degrees in the character's axes.

    Parameters
    ----------
    step, other
        The left foot, and the right one as if it were a left one (the same where left out).
    heading
        Where the root travels, degrees from straight ahead to the left.
    lane
        Where "ahead" is for foot tables, sway and surge, likewise.
    facing
        Where pelvis and feet face, likewise.
    mirror
        Whether left and right are exchanged after all, half a cycle apart, so that the left foot still
        comes down at phase 0.
    """

    name: str
    frames: int
    speed: float
    step: Step
    arm: ArmSwing
    other: Step | None = None
    heading: float = 0.0
    lane: float = 0.0
    facing: float = 0.0
    mirror: bool = False
    height: Wave = Wave()
    sway: Wave = Wave()
    surge: Wave = Wave()
    tilt: Wave = Wave()
    yaw: Wave = Wave()
    roll: Wave = Wave()
    lean: Wave = Wave()
    counter_yaw: Wave = Wave()
    counter_roll: Wave = Wave()
    nod: Wave = Wave()
    gaze: Wave = Wave()
    knee_out: float = 3.0
    leg_keys: int = 2
    extra_leg_keys: tuple[float, ...] = field(default=())

    @property
    def length(self) -> float:
        """Seconds."""
        return self.frames / RATE

    @property
    def travel(self) -> FloatArray:
        """How far the root goes in a cycle."""
        angle = np.radians(-self.heading if self.mirror else self.heading)
        return self.speed * self.length * np.array([np.sin(angle), 0.0, np.cos(angle)])


def trunk_pose(gait: Gait, phase: float) -> Posing:
    """Pelvis, spine, neck, head, arms and hands at a phase."""
    if gait.mirror:
        return trunk_pose(replace(gait, mirror=False), phase + 0.5).mirrored()
    pose = Posing()
    lane = turn(0.0, gait.lane, 0.0)
    pose.shift("pelvis", *quat.rotate(lane, [gait.sway(phase), gait.height(phase), gait.surge(phase)]))
    hips = turn(gait.tilt(phase), gait.yaw(phase) + gait.facing - gait.lane, gait.roll(phase))
    pose.turns["pelvis"] = quat.multiply(lane, hips)
    stance.spine(pose, gait.lean(phase), gait.counter_yaw(phase), gait.counter_roll(phase))
    stance.look(pose, gait.nod(phase), gait.gaze(phase), 0.0, share=0.92)
    for side, at in (("l", phase), ("r", phase + 0.5)):
        a = gait.arm
        stance.arm(
            pose, side, a.swing(at), a.lower(at), a.twist(at), a.elbow(at),
            spread=a.spread(at), wrist=a.wrist(at), pronate=a.pronate(at),
        )  # fmt: skip
        collar = Posing().set("clavicle_l", 0.0, -a.reach(at), a.shrug(at))
        pose.update(collar if side == "l" else collar.mirrored())
    return pose


def hand_pose(gait: Gait, phase: float) -> Posing:
    pose = Posing()
    for side, at in (("l", phase), ("r", phase + 0.5)):
        stance.fingers(pose, side, gait.arm.fingers(at))
    return pose


def _leg_frames(gait: Gait) -> list[float]:
    half = gait.frames / 2
    down = gait.step.duty * gait.frames
    frames: set[float] = set(range(0, gait.frames + 1, gait.leg_keys))
    for extra in (*gait.extra_leg_keys, down):
        frames |= {extra % gait.frames, (extra + half) % gait.frames}
    return sorted({round(f, 3) for f in frames} | {gait.frames})


def build_gait(gait: Gait) -> tuple[Clip, float]:
    """The clip of a gait, and how far (metres) a leg was short of its ankle at worst."""
    builder = ClipBuilder(gait.name, gait.frames, True, tuple(gait.travel))
    for number in range(POSES_PER_CYCLE + 1):
        frame = round(number * gait.frames / POSES_PER_CYCLE)
        phase = frame / gait.frames
        builder.key(frame, trunk_pose(gait, phase))
        if number % 2 == 0:
            builder.key(frame, hand_pose(gait, phase))
    worst = key_legs(builder, gait)
    mark_steps(builder, gait)
    return builder.build(), worst


def gait_builders(*gaits: Gait) -> tuple[Callable[[], Clip], ...]:
    """Makers of the clips of some gaits."""

    def maker(gait: Gait) -> Callable[[], Clip]:
        return lambda: build_gait(gait)[0]

    return tuple(maker(gait) for gait in gaits)


def key_legs(builder: ClipBuilder, gait: Gait) -> float:
    """Key both legs against the trunk that is keyed already."""
    body = ClipEvaluator(build_rig(), builder.build())
    feet = GaitFeet(gait)
    worst = 0.0
    frames = np.array(_leg_frames(gait))
    around = np.stack([frames - BESIDE, frames, frames + BESIDE], axis=1)
    local = body.sample_many((around % gait.frames).ravel() / RATE, wrap=False).local
    turns, places = stance.pelvis_model(local.rotation, local.translation)
    hips = turns.reshape(-1, 3, 4), (places - local.translation[:, 0]).reshape(-1, 3, 3)
    for row, frame in enumerate(frames):
        for side in "lr":
            legs = []
            for k in range(3):
                ankle, pitch, toes = feet.at(side, around[row, k] / gait.frames)
                place = hips[0][row, k], hips[1][row, k]
                leg, over = stance.solve_leg(side, place, ankle, pitch, toes, gait.knee_out)
                legs.append(leg)
                worst = max(worst, over)
            builder.key_moving(float(frame), *legs)
    return worst


class GaitFeet:
    """Both feet of a gait in the root's frame."""

    def __init__(self, gait: Gait) -> None:
        self.gait = gait
        way = np.radians(gait.heading - gait.lane)
        travel = gait.speed * gait.length * np.array([np.sin(way), 0.0, np.cos(way)])
        out = gait.facing - gait.lane
        right = gait.other or gait.step
        self._left = Foot(replace(gait.step, yaw=gait.step.yaw + out), travel)
        self._right = Foot(replace(right, yaw=right.yaw - out), travel * [-1.0, 1.0, 1.0])
        self._lane = turn(0.0, gait.lane, 0.0)

    def at(self, side: str, phase: float) -> tuple[FloatArray, FloatArray, float]:
        """Ankle, turn from rest and toes of a foot at a phase."""
        if self.gait.mirror:
            ankle, pitch, toes = self._plain("r" if side == "l" else "l", phase + 0.5)
            return ankle * [-1.0, 1.0, 1.0], pitch * [1.0, -1.0, -1.0, 1.0], toes
        return self._plain(side, phase)

    def row(self, side: str, phase: float) -> tuple[float, float, float, float, float, float]:
        """A foot as `acting.FootPath` has it: x, up, z of the flat ankle, yaw to the left, pitch and more toes."""
        gait, sign = self.gait, 1.0 if side == "l" else -1.0
        swapped = gait.mirror
        foot = self._right if (side == "r") != swapped else self._left
        at = phase + (0.5 if (side == "r") != swapped else 0.0) + (0.5 if swapped else 0.0)
        pitch, toes = foot.pitch(at), foot.toes(at)
        yaw = (-gait.facing if swapped else gait.facing) + sign * self.own_yaw(side)
        ankle = self.at(side, phase)[0] * [sign, 1.0, 1.0]
        flat = planted_ankle(np.array([0.0, sk.ANKLE[1], 0.0]), pitch, yaw * sign)
        x, up, z = ankle - flat
        lifted = max(0.0, -pitch) * max(0.0, 1.0 - up / 0.10)
        return float(sign * x), max(float(up), 0.0), float(z), yaw, pitch, toes - lifted

    def own_yaw(self, side: str) -> float:
        """Degrees that a foot points outward beyond rest."""
        right = self.gait.other or self.gait.step
        return self.gait.step.yaw if (side == "l") != self.gait.mirror else right.yaw

    def planted(self, side: str, phase: float) -> bool:
        """Whether a foot bears weight."""
        gait = self.gait
        at = (phase + (0.5 if (side == "r") != gait.mirror else 0.0) + (0.5 if gait.mirror else 0.0)) % 1.0
        return at <= (gait.step.release or gait.step.duty) + 1e-9

    def _plain(self, side: str, phase: float) -> tuple[FloatArray, FloatArray, float]:
        foot, at = (self._left, phase) if side == "l" else (self._right, phase + 0.5)
        ankle, pitch = foot.ankle(at), foot.turn(at)
        if side == "r":
            ankle, pitch = ankle * [-1.0, 1.0, 1.0], pitch * [1.0, -1.0, -1.0, 1.0]
        return quat.rotate(self._lane, ankle), quat.multiply(self._lane, pitch), foot.toes(at)


def mark_steps(builder: ClipBuilder, gait: Gait) -> None:
    """Footfalls and push-offs as markers (footfalls are notifies too), and contact curves of both feet."""
    n, half = gait.frames, gait.frames / 2
    mark_phases(builder, gait.step.duty)
    up = (gait.step.release or gait.step.duty) * n
    builder.curve("contact_l", [(0, 1.0), (up - 0.5, 1.0), (up, 0.0), (n - EDGE, 0.0), (n, 1.0)])
    end = up + half - n
    if end > 0.5:
        keys = [(0, 1.0), (end - 0.5, 1.0), (end, 0.0), (half - EDGE, 0.0), (half, 1.0), (n, 1.0)]
    else:
        keys = [(0, 0.0), (half - EDGE, 0.0), (half, 1.0), (half + up - 0.5, 1.0), (half + up, 0.0), (n, 0.0)]
    builder.curve("contact_r", keys)


def mark_phases(builder: ClipBuilder, duty: float, footfalls: bool = True) -> None:
    """The sync markers of a cycle: a foot comes down, and pushes off when most of its stance is over.

    The second kind keeps stances of unlike length together: a walker's foot stands for 60 % of the cycle, a
    runner's for 35 %. Without it their legs blend at unlike angles, and the blended foot slides.
    """
    n, half = builder.frames, builder.frames / 2
    for name, frame in (("left_down", 0.0), ("right_down", half)):
        if footfalls:
            builder.step(name, frame)
        else:  # standing clips carry the markers, so that they blend with walking ones on one clock
            builder.sync(name, frame)
    builder.sync("left_push", PUSH * duty * n)
    builder.sync("right_push", half + PUSH * duty * n)


def standing_legs(pose: Posing, feet: dict[str, tuple[FloatArray, float]], knee_out: float = 6.0) -> float:
    """Legs of a standing pose: ``feet`` gives each side's place of the flat ankle and outward yaw."""
    hips = stance.pelvis_of(pose)
    worst = 0.0
    for side, (ankle, yaw) in feet.items():
        sign = 1.0 if side == "l" else -1.0
        leg, over = stance.solve_leg(side, hips, ankle, turn(0.0, yaw * sign, 0.0), 0.0, knee_out + yaw)
        pose.update(leg)
        worst = max(worst, over)
    return worst
