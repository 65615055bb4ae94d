"""Waiting in a crouch: hips low over the feet, trunk forward, hands ready; breathing, eyes about."""

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from resources.sample import skeleton as sk
from resources.sample.motion import stance
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import STANDING, Wave, mark_phases, standing_legs
from resources.sample.motion.keying import ClipBuilder

FRAMES = 120
FEET: dict[str, tuple[FloatArray, float]] = {
    "l": (np.array([0.135, sk.ANKLE[1], 0.115]), 9.0),
    "r": (np.array([-0.125, sk.ANKLE[1], -0.085]), 12.0),
}
BREATH = Wave(0.0, 1.0, 0.20, 2)
LATE_BREATH = Wave(0.0, 1.0, 0.25, 2)
DRIFT = Wave(0.0, 1.0, 0.65)
SLOW = Wave(0.0, 1.0, 0.10)


def crouching(phase: float = 0.0) -> Posing:
    """The crouch at a phase of its loop."""
    breath, late, drift, slow = BREATH(phase), LATE_BREATH(phase), DRIFT(phase), SLOW(phase)
    pose = Posing()
    pose.shift("pelvis", 0.004 + 0.010 * drift, -0.272 + 0.004 * late, -0.052 + 0.004 * slow)
    pose.set("pelvis", 19.0 + 0.6 * drift, -5.0 - 0.8 * drift, -0.8 + 0.8 * drift)
    stance.spine(pose, 22.0 - 2.0 * breath, 4.0 + 1.0 * drift, 1.2 - 1.0 * drift)
    stance.look(pose, 4.0 + 0.8 * late, 1.0 + 5.0 * slow, 0.6 * drift, share=0.93)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        lag, hang = LATE_BREATH(phase - 0.03), DRIFT(phase - 0.08) * sign
        stance.arm(
            pose, side, swing=6.0 + 1.6 * lag + 1.2 * hang - 5.0 * sign, lower=26.0 - 0.8 * lag,
            twist=-2.0 + 1.0 * lag, elbow=56.0 + 2.0 * lag - 5.0 * sign, wrist=8.0 - 2.0 * lag,
            pronate=34.0 + 2.0 * hang, spread=4.0,
        )  # fmt: skip
        collar = Posing().set("clavicle_l", 0.0, -2.0, 1.5 + 1.4 * breath)
        pose.update(collar if side == "l" else collar.mirrored())
    standing_legs(pose, FEET, knee_out=11.0)
    return pose


def build() -> Clip:
    """The clip ``crouch idle``."""
    builder = ClipBuilder("crouch idle", FRAMES, True)
    legs = [n for n in crouching().turns if n.startswith(("thigh", "calf", "foot", "ball"))]
    for frame in range(0, FRAMES + 1, 5):
        pose = crouching(frame / FRAMES)
        builder.key(frame, pose, only=legs)
        if frame % 10 == 0:
            builder.key(frame, pose, only=[n for n in [*pose.turns, *pose.shifts] if n not in legs])
        if frame % 40 == 0:
            hands = Posing()
            for side, amount in (("l", 1.2 + 0.1 * SLOW(frame / FRAMES)), ("r", 1.3)):
                stance.fingers(hands, side, amount)
            builder.key(frame, hands)
    mark_phases(builder, STANDING, footfalls=False)
    for side in "lr":
        builder.curve(f"contact_{side}", [(0, 1.0), (FRAMES, 1.0)])
    return builder.build()
