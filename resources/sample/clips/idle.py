"""Standing at ease: two breaths and one shift of the weight in five seconds."""

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from resources.sample import skeleton as sk
from resources.sample.motion import stance
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import STANDING, Wave, mark_phases, standing_legs
from resources.sample.motion.keying import ClipBuilder

FRAMES = 150
BREATHS = 2

# Where the ankles stand (model space, feet flat) and how far the toes point out beyond rest, in degrees.
FEET: dict[str, tuple[FloatArray, float]] = {
    "l": (np.array([0.122, sk.ANKLE[1], 0.028]), 7.0),
    "r": (np.array([-0.108, sk.ANKLE[1], -0.040]), 4.0),
}


# What the parts follow; their peaks are apart, so that nothing moves all at once.
WEIGHT = Wave(-0.026, 0.013, 0.62)
BREATH = Wave(0.0, 1.0, 0.20, BREATHS)
LATE_BREATH = Wave(0.0, 1.0, 0.24, BREATHS)
DRIFT = Wave(0.0, 1.0, 0.70)
SLOW = Wave(0.0, 1.0, 0.10)


def standing(phase: float = 0.0) -> Posing:
    """The figure at ease at a phase of its loop; weight rests mostly on the right leg."""
    weight, breath, late = WEIGHT(phase), BREATH(phase), LATE_BREATH(phase)
    drift, slow = DRIFT(phase), SLOW(phase)
    pose = Posing()
    shifted = (weight - WEIGHT.mean) / WEIGHT.size
    pose.shift("pelvis", weight, -0.0145 + 0.0012 * breath - 0.0015 * shifted, -0.004 + 0.003 * drift)
    pose.set("pelvis", 0.5 + 0.4 * drift, -2.5 - 0.9 * shifted, -3.0 + 1.1 * shifted)
    stance.spine(
        pose, 0.6 - 1.3 * breath, 1.5 + 0.8 * drift, 4.2 - 1.3 * shifted, (0.1, 0.15, 0.2, 0.3, 0.25)
    )
    stance.look(pose, 2.0 + 0.8 * late, 3.0 + 3.2 * slow, -1.0 + 0.8 * drift, share=0.95)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        lag = LATE_BREATH(phase - 0.03)
        hang = DRIFT(phase - 0.08) * sign
        stance.arm(
            pose, side, swing=-2.0 + 1.2 * lag + 1.3 * hang + 2.0 * sign, lower=33.5 - 0.9 * lag + 1.2 * hang,
            twist=-4.0 + 1.5 * lag, elbow=11.0 + 1.8 * lag + 2.0 * sign, wrist=5.0 - 2.0 * lag,
            pronate=30.0 + 2.0 * hang,
        )  # fmt: skip
        collar = Posing().set("clavicle_l", 0.0, 0.7 * breath, -2.0 + 1.3 * breath)
        pose.update(collar if side == "l" else collar.mirrored())
    standing_legs(pose, FEET, knee_out=5.0)
    return pose


def hand_closing(phase: float) -> tuple[float, float]:
    """How far the left and the right hand are closed, see `stance.fingers`."""
    return 1.05 + 0.10 * SLOW(phase), 1.20 + 0.12 * DRIFT(phase)


def _hands(phase: float) -> Posing:
    pose = Posing()
    for side, amount in zip("lr", hand_closing(phase), strict=True):
        stance.fingers(pose, side, amount)
    return pose


def build() -> Clip:
    """The clip ``idle``."""
    builder = ClipBuilder("idle", FRAMES, True)
    legs = [n for n in standing().turns if n.startswith(("thigh", "calf", "foot", "ball"))]
    for frame in range(0, FRAMES + 1, 5):
        pose = standing(frame / FRAMES)
        builder.key(frame, pose, only=legs)
        if frame % 10 == 0:
            builder.key(frame, pose, only=[n for n in [*pose.turns, *pose.shifts] if n not in legs])
        if frame % 50 == 0:
            builder.key(frame, _hands(frame / FRAMES))
    mark_phases(builder, STANDING, footfalls=False)
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 1.0), (FRAMES, 1.0)])
    return builder.build()
