"""Pieces that poses are made of: arms, spine, head, relaxed fingers, and legs by inverse kinematics."""

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from resources.sample.motion.figure import FIGURE, Posing, turn
from resources.sample.skeleton import FINGERS

SPINE = tuple(f"spine_{i:02d}" for i in range(1, 6))
SPINE_SHARES = (0.14, 0.2, 0.22, 0.22, 0.22)
NECK = ("neck_01", "neck_02", "head")
# A hand at ease closes more towards the little finger: degrees at the three joints.
RELAXED = {"index": (12.0, 20.0, 12.0), "middle": (17.0, 24.0, 14.0), "ring": (21.0, 27.0, 16.0),
           "pinky": (25.0, 29.0, 18.0)}  # fmt: skip


def power(q: FloatArray, share: float) -> FloatArray:
    """A part of a turn."""
    return quat.from_rotation_vector(quat.to_rotation_vector(q) * share)


def spine(pose: Posing, x: float, y: float, z: float, shares: tuple[float, ...] = SPINE_SHARES) -> None:
    """Bend the spine in all: forward (x), to the left (y), sideways (z), shared by its five bones."""
    for bone, share in zip(SPINE, shares, strict=True):
        pose.set(bone, x * share, y * share, z * share)


def chain_turn(pose: Posing, *bones: str) -> FloatArray:
    """What a chain of bones turns in all, in the character's axes."""
    total = quat.IDENTITY
    for bone in bones:
        total = quat.multiply(total, pose.turns.get(bone, quat.IDENTITY))
    return total


def look(pose: Posing, x: float = 0.0, y: float = 0.0, z: float = 0.0, share: float = 1.0) -> None:
    """Turn neck and head so that the head ends at this turn in model space, whatever the trunk does."""
    look_along(pose, turn(x, y, z), share)


def look_along(pose: Posing, goal: FloatArray, share: float = 1.0) -> None:
    """As `look`, for a turn given as a quaternion."""
    trunk = chain_turn(pose, "pelvis", *SPINE)
    whole = quat.multiply(quat.conjugate(trunk), goal)
    part = power(whole, share / len(NECK))
    for bone in NECK:
        pose.turns[bone] = part


def arm(  # noqa: PLR0913 - the angles of an arm by name
    pose: Posing, side: str, swing: float, lower: float, twist: float, elbow: float,
    *, spread: float = 0.0, wrist: float = 0.0, pronate: float = 0.0, wrist_side: float = 0.0,
) -> None:  # fmt: skip
    """Pose one arm with the numbers of a left arm.

    Parameters
    ----------
    swing
        Degrees about the left-right axis, ahead positive.
    lower
        Degrees down from the A-pose; 45 hangs straight down, −45 is level.
    twist
        Degrees about the upper arm itself, inward positive.
    elbow, wrist
        Bend beyond rest.
    spread
        Degrees about the upright axis, ahead positive, before the swing.
    pronate
        Degrees that the hand turns about the lower arm, palm back or down positive; the twist bone takes
        half of it.
    """
    own = Posing()
    upper = "upper_arm_l"
    axis = quat.rotate(FIGURE.rest_model[FIGURE.index[upper]], [0.0, 1.0, 0.0])
    about = quat.from_axis_angle(axis, np.radians(twist))
    own.turns[upper] = quat.multiply(turn(-swing, -spread, -lower), about)
    own.flex("upper_arm_twist_01_l", 0.0, -0.5 * twist)
    own.flex("lower_arm_l", elbow)
    own.flex("lower_arm_twist_01_l", 0.0, 0.5 * pronate)
    own.flex("hand_l", wrist, pronate, wrist_side)
    pose.update(own if side == "l" else own.mirrored())


def fingers(pose: Posing, side: str, amount: float = 1.0, spread: float = 0.0, thumb: float = 1.0) -> None:
    """Close a hand: 0 is rest, 1 at ease, about 3.5 a fist. ``spread`` fans the fingers, in degrees."""
    own = Posing()
    for i, finger in enumerate(FINGERS):
        fan = spread * (1.5 - i) / 1.5
        for joint, degrees in enumerate(RELAXED[finger]):
            limit = (88.0, 100.0, 78.0)[joint]
            own.flex(
                f"{finger}_{joint + 1:02d}_l", min(amount * degrees, limit), 0.0, -fan if joint == 0 else 0.0
            )
    own.flex("thumb_01_l", 8.0 * thumb).flex("thumb_02_l", 12.0 * thumb).flex("thumb_03_l", 14.0 * thumb)
    pose.update(own if side == "l" else own.mirrored())


def frame_of(x: FloatArray, y: FloatArray) -> FloatArray:
    """Quaternion of axes with +Y along ``y`` and +X nearest to ``x``."""
    y = y / np.linalg.norm(y)
    x = x - y * (x @ y)
    x = x / np.linalg.norm(x)
    return quat.from_matrix(np.stack([x, y, np.cross(x, y)], axis=1))


def solve_leg(
    side: str, pelvis: tuple[FloatArray, FloatArray], ankle: FloatArray, foot: FloatArray, toe_flex: float,
    knee_out: float = 0.0, ahead: FloatArray | None = None,
) -> tuple[Posing, float]:  # fmt: skip
    """Put an ankle at a place (model space, metres) with the foot turned by ``foot`` from rest.

    Parameters
    ----------
    pelvis
        Its model rotation ``(4,)`` and position ``(3,)``.
    toe_flex
        Degrees of the ball of the foot, toes up positive.
    knee_out
        Degrees that the knee points outward from straight ahead of the pelvis.
    ahead
        Which turn from rest straight ahead is taken from; the pelvis's own where left out.

    Returns
    -------
    pose, over
        The leg's turns, and how many metres the ankle was out of reach (0 where it is reached).
    """
    hip_bone, knee_bone, foot_bone = (FIGURE.index[f"{n}_{side}"] for n in ("thigh", "calf", "foot"))
    out = 1.0 if side == "l" else -1.0
    rotation, position = pelvis
    delta = quat.multiply(rotation, quat.conjugate(FIGURE.rest_model[FIGURE.index["pelvis"]]))
    hip = position + quat.rotate(delta, FIGURE.heads[hip_bone] - FIGURE.heads[FIGURE.index["pelvis"]])
    a = float(np.linalg.norm(FIGURE.heads[knee_bone] - FIGURE.heads[hip_bone]))
    b = float(np.linalg.norm(FIGURE.heads[foot_bone] - FIGURE.heads[knee_bone]))
    reach = ankle - hip
    distance = float(np.linalg.norm(reach))
    used = min(distance, 0.9985 * (a + b))
    e = reach / distance
    yaw = turn(0.0, knee_out * out, 0.0)
    forward = quat.rotate(
        quat.multiply(delta if ahead is None else ahead, yaw), np.array([0.04 * out, 0.0, 1.0])
    )
    x = np.cross(e, -forward)
    x /= np.linalg.norm(x)
    bent = np.cross(e, x)
    cosine = (a * a + used * used - b * b) / (2.0 * a * used)
    knee = hip + a * (cosine * e + np.sqrt(max(0.0, 1.0 - cosine * cosine)) * bent)
    end = hip + used * e
    thigh, calf = frame_of(x, knee - hip), frame_of(x, end - knee)
    pose = Posing()
    before = delta
    rest = FIGURE.rest_model
    for bone, model in ((f"thigh_{side}", thigh), (f"calf_{side}", calf)):
        now = quat.multiply(model, quat.conjugate(rest[FIGURE.index[bone]]))
        pose.turns[bone] = quat.multiply(quat.conjugate(before), now)
        before = now
    pose.turns[f"foot_{side}"] = quat.multiply(quat.conjugate(before), foot)
    pose.flex(f"ball_{side}", -toe_flex)
    return pose, max(0.0, distance - used)


def pelvis_model(rotations: FloatArray, translations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Model rotations ``(..., 4)`` and positions ``(..., 3)`` of the pelvis, the root's child."""
    root, pelvis = FIGURE.index["root"], FIGURE.index["pelvis"]
    turned = rotations[..., root, :]
    place = translations[..., root, :] + quat.rotate(turned, translations[..., pelvis, :])
    return quat.multiply(turned, rotations[..., pelvis, :]), place


def pelvis_of(pose: Posing) -> tuple[FloatArray, FloatArray]:
    """Model rotation and position of the pelvis in a pose, from where its root stands."""
    q, t = pose.local()
    rotation, position = pelvis_model(q, t)
    return rotation, position - t[FIGURE.index["root"]]
