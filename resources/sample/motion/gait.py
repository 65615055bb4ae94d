"""Walks and runs from a few numbers: what an animator would say of each, pose by pose.

The cycle has eight named poses: contact, down, passing and up of the left foot, then of the right. Trunk,
head and arms are keyed on these; legs are placed by inverse kinematics against the keyed trunk, and keyed
more often while a foot is down, so that it stays where it stands.
"""

from dataclasses import dataclass, field

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.sample import ClipEvaluator
from resources.sample.motion import stance
from resources.sample.motion.feet import Foot, Step
from resources.sample.motion.figure import FIGURE, Posing, turn
from resources.sample.motion.keying import RATE, ClipBuilder
from resources.sample.rig import build_rig

POSES_PER_CYCLE = 8
"""Contact, down, passing and up of either foot."""


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
    """A cycle of two steps, the left heel down at phase 0; metres and degrees in the character's axes."""

    name: str
    frames: int
    speed: float
    step: Step
    arm: ArmSwing
    heading: float = 0.0
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
        angle = np.radians(self.heading)
        return self.speed * self.length * np.array([np.sin(angle), 0.0, np.cos(angle)])


def trunk_pose(gait: Gait, phase: float) -> Posing:
    """Pelvis, spine, neck, head, arms and hands at a phase."""
    pose = Posing()
    pose.shift("pelvis", gait.sway(phase), gait.height(phase), gait.surge(phase))
    pose.set("pelvis", gait.tilt(phase), gait.yaw(phase), gait.roll(phase))
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


def _hand_pose(gait: Gait, phase: float) -> Posing:
    pose = Posing()
    for side, at in (("l", phase), ("r", phase + 0.5)):
        stance.fingers(pose, side, gait.arm.fingers(at))
    return pose


def _leg_frames(gait: Gait) -> list[float]:
    half = gait.frames // 2
    frames: set[float] = set(range(0, gait.frames + 1, gait.leg_keys))
    for extra in gait.extra_leg_keys:
        frames |= {extra % gait.frames, (extra + half) % gait.frames}
    return sorted(frames | {gait.frames})


def build_gait(gait: Gait) -> tuple[Clip, float]:
    """The clip of a gait, and how far (metres) a leg was short of its ankle at worst."""
    builder = ClipBuilder(gait.name, gait.frames, True, tuple(gait.travel))
    for number in range(POSES_PER_CYCLE + 1):
        frame = round(number * gait.frames / POSES_PER_CYCLE)
        phase = frame / gait.frames
        builder.key(frame, trunk_pose(gait, phase))
        if number % 2 == 0:
            builder.key(frame, _hand_pose(gait, phase))
    worst = key_legs(builder, gait)
    mark_steps(builder, gait)
    return builder.build(), worst


def key_legs(builder: ClipBuilder, gait: Gait) -> float:
    """Key both legs against the trunk that is keyed already."""
    body = ClipEvaluator(build_rig(), builder.build())
    foot = Foot(gait.step, gait.travel)
    worst = 0.0
    frames = _leg_frames(gait)
    local = body.sample_many(np.array(frames) / RATE, wrap=False).local
    rotations, places = FIGURE.model(local.rotation, local.translation)
    pelvis = FIGURE.index["pelvis"]
    for row, frame in enumerate(frames):
        at = frame / gait.frames
        hips = rotations[row, pelvis], places[row, pelvis] - places[row, 0]
        for side, phase in (("l", at), ("r", at + 0.5)):
            ankle, pitch = foot.ankle(phase), foot.turn(phase)
            if side == "r":
                ankle = mirror_across(ankle, gait.travel)
                pitch = pitch * [1.0, -1.0, -1.0, 1.0]
            leg, over = stance.solve_leg(side, hips, ankle, pitch, foot.toes(phase), gait.knee_out)
            builder.key(frame, leg)
            worst = max(worst, over)
    return worst


def mirror_across(ankle: FloatArray, travel: FloatArray) -> FloatArray:
    """The left foot's path as the right foot's: mirrored, unless the character steps sideways."""
    return ankle * [-1.0, 1.0, 1.0] if abs(travel[0]) < 1e-9 else np.asarray(ankle)


def mark_steps(builder: ClipBuilder, gait: Gait) -> None:
    """Footfalls as notifies and sync markers, and contact curves of both feet."""
    half, down = gait.frames // 2, gait.step.duty * gait.frames
    builder.step("left_down", 0)
    builder.step("right_down", half)
    n = gait.frames
    up = down + 0.5
    left = [(0, 1.0), (down, 1.0), (up, 0.0), (n - 0.5, 0.0), (n, 1.0)]
    builder.curve("contact_l", left)
    end = down + half - n
    if end > 0.0:
        right = [(0, 1.0), (end, 1.0), (end + 0.5, 0.0), (half - 0.5, 0.0), (half, 1.0), (n, 1.0)]
    else:
        right = [(0, 0.0), (half - 0.5, 0.0), (half, 1.0), (half + down, 1.0), (half + up, 0.0), (n, 0.0)]
    builder.curve("contact_r", right)


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
