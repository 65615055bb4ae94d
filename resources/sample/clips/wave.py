"""A friendly wave with the right hand: anticipation, raise, three swings, lower, settle."""

from core.clips.clip import Clip
from core.math import quat
from resources.sample.clips.idle import FEET, hand_closing, standing
from resources.sample.motion import stance
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import standing_legs
from resources.sample.motion.keying import ClipBuilder
from resources.sample.motion.stance import NECK, SPINE

FRAMES = 75
RIGHT_ARM = ("upper_arm_r", "upper_arm_twist_01_r", "lower_arm_r", "lower_arm_twist_01_r", "hand_r")
LEFT_HAND, RIGHT_HAND = hand_closing(0.0)

# The right arm: frame, swing, spread, lower (from A-pose), twist, elbow, pronate, wrist, wrist sideways.
ARM = (
    (0, None),
    (5, (-6.0, 0.0, 36.0, -4.0, 12.0, 30.0, 8.0, 0.0)),
    (11, (14.0, 6.0, 24.0, -36.0, 64.0, 26.0, 20.0, 0.0)),
    (17, (12.0, 14.0, -6.0, -72.0, 116.0, 24.0, 6.0, -10.0)),
    (22, (10.0, 16.0, -14.0, -84.0, 108.0, 14.0, -8.0, 8.0)),
    (28, (10.0, 15.0, -10.0, -86.0, 76.0, 2.0, -8.0, 16.0)),
    (34, (10.0, 16.0, -15.0, -84.0, 112.0, 16.0, -8.0, -18.0)),
    (40, (10.0, 15.0, -10.0, -86.0, 76.0, 2.0, -8.0, 16.0)),
    (46, (10.0, 16.0, -14.0, -84.0, 110.0, 16.0, -8.0, -18.0)),
    (52, (10.0, 14.0, -8.0, -80.0, 86.0, 9.0, -6.0, 10.0)),
    (58, (10.0, 7.0, 14.0, -40.0, 70.0, 24.0, -16.0, 4.0)),
    (64, (2.0, 1.0, 34.0, -8.0, 26.0, 31.0, -8.0, 0.0)),
    (69, (-5.0, 0.0, 34.5, -3.0, 8.0, 29.0, 8.0, 0.0)),
    (75, None),
)

# Pelvis sideways and down (metres); trunk bend, twist, lean; head nod, turn, tilt: added to standing.
BODY = (
    (0, (0.000, 0.000), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    (6, (0.003, -0.005), (1.6, 1.5, -1.2), (2.0, 2.0, 1.0)),
    (18, (0.014, 0.002), (-2.6, -3.0, 2.6), (-4.0, -5.0, -5.0)),
    (28, (0.016, 0.003), (-2.8, -3.4, 3.6), (-4.5, -6.0, -6.5)),
    (40, (0.014, 0.002), (-2.4, -3.0, 3.0), (-3.0, -6.0, -5.5)),
    (52, (0.013, 0.002), (-2.4, -2.6, 2.8), (-3.6, -5.0, -5.0)),
    (64, (0.003, -0.003), (1.0, 0.8, -0.6), (1.6, 0.5, 0.6)),
    (75, (0.000, 0.000), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
)

# Frame, shrug and reach of the right collar bone, added to standing.
COLLAR = (
    (0, 0.0, 0.0), (8, -1.0, 0.0), (20, 9.0, 2.0), (34, 10.0, 2.0), (52, 8.0, 1.0), (66, -1.5, 0.0),
    (75, 0.0, 0.0),
)  # fmt: skip
# Frame, closing and spread of the right hand.
FINGERS = (
    (0, RIGHT_HAND, 0.0), (10, 1.5, 0.0), (20, 0.10, 7.0), (28, -0.05, 8.0), (34, 0.20, 6.0), (40, -0.05, 8.0),
    (46, 0.20, 6.0), (54, 0.5, 4.0), (64, 1.35, 0.0), (75, RIGHT_HAND, 0.0),
)  # fmt: skip


def _body(shift: tuple[float, float], trunk: tuple[float, ...], head: tuple[float, ...]) -> Posing:
    pose = standing()
    x, y, z = pose.shifts["pelvis"]
    pose.shift("pelvis", x + shift[0], y + shift[1], z)
    if any(trunk):
        for bone in SPINE:
            pose.add(bone, *(0.2 * t for t in trunk))
    if any(head):
        for bone in NECK:
            pose.add(bone, *((h - 0.6 * t) / 3.0 for h, t in zip(head, trunk, strict=True)))
    standing_legs(pose, FEET, knee_out=5.0)
    return pose


def build() -> Clip:
    """The clip ``wave``."""
    builder = ClipBuilder("wave", FRAMES, False)
    still = standing()
    arm, collar = RIGHT_ARM, ("clavicle_r",)
    for frame, shift, trunk, gaze in BODY:
        pose = _body(shift, trunk, gaze)
        builder.key(frame, pose, only=[n for n in [*pose.turns, *pose.shifts] if n not in (*arm, *collar)])
    for frame, values in ARM:
        pose = Posing()
        if values is None:
            pose.turns = {n: still.turns[n] for n in arm}
        else:
            swing, spread, lower, twist, elbow, pronate, wrist, side = values
            stance.arm(
                pose, "r", swing, lower, twist, elbow,
                spread=spread, pronate=pronate, wrist=wrist, wrist_side=side,
            )  # fmt: skip
        builder.key(frame, pose)
    for frame, shrug, reach in COLLAR:
        pose = Posing()
        pose.turns["clavicle_r"] = still.turns["clavicle_r"]
        lift = Posing().set("clavicle_l", 0.0, -reach, shrug).mirrored()
        pose.turns["clavicle_r"] = quat.multiply(lift.turns["clavicle_r"], pose.turns["clavicle_r"])
        builder.key(frame, pose)
    for frame, closing, fan in FINGERS:
        pose = Posing()
        stance.fingers(pose, "r", closing, fan)
        builder.key(frame, pose)
    hand = Posing()
    stance.fingers(hand, "l", LEFT_HAND)
    builder.key(0, hand)
    for foot in "lr":
        builder.curve(f"contact_{foot}", [(0, 1.0), (FRAMES, 1.0)])
    return builder.build()
