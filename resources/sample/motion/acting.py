"""Actions told in rows an animator can read: the body off its standing pose, arms, and where the feet go."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.arrays import FloatArray
from core.clips.sample import ClipEvaluator
from core.math import quat
from core.tracks.evaluate import evaluate_scalar
from resources.sample import skeleton as sk
from resources.sample.clips.idle import FEET, hand_closing, standing
from resources.sample.motion import stance
from resources.sample.motion.feet import curve, pitch_turn, planted_ankle
from resources.sample.motion.figure import FIGURE, Posing, Turn, turn
from resources.sample.motion.keying import BESIDE, RATE, ClipBuilder
from resources.sample.motion.stance import NECK, SPINE
from resources.sample.rig import build_rig

LEGS = ("thigh", "calf", "foot", "ball")
ARMS = ("clavicle", "upper_arm", "lower_arm", "hand")
STILL: Turn = (0.0, 0.0, 0.0)


def _facing(rotation: FloatArray) -> float:
    """Degrees that the pelvis faces to the left of ahead."""
    delta = quat.multiply(rotation, quat.conjugate(FIGURE.rest_model[FIGURE.index["pelvis"]]))
    ahead = quat.rotate(delta, [0.0, 0.0, 1.0])
    return float(np.degrees(np.arctan2(ahead[0], ahead[2])))


@cache
def _standing() -> Posing:
    return standing()


def at_ease() -> Posing:
    """The standing pose as ``idle`` begins, to change."""
    return Posing().update(_standing())


def whole_at_ease() -> Posing:
    """`at_ease` with the hands as ``idle`` begins: an additive clip takes off what it does not hold of its base."""
    pose = at_ease()
    for side, amount in zip("lr", hand_closing(0.0), strict=True):
        stance.fingers(pose, side, amount)
    return pose


HIPS_HOME = _facing(stance.pelvis_of(standing())[0])
"""How the pelvis faces in the standing pose."""
MOST_TOES = 66.0
"""Degrees that the toes rise against the foot at most."""
KNEE_SHARE = 0.65
"""Part of a foot's turn against the pelvis that the knee goes along with."""

ArmRow = tuple[float, tuple[float, ...] | None]
"""Frame, and swing, spread, lower, twist, elbow, pronate, wrist, shrug; None is as the arm hangs."""

FootRow = tuple[float, ...]
"""Frame, then x, up, z of the flat ankle over the ground (metres), yaw and pitch (degrees), and, where wanted,
degrees that the toes rise beyond what the pitch gives."""


ARM_AT_EASE = (-2.0, 0.0, 33.5, -4.0, 11.0, 30.0, 5.0, 0.0)
"""About how an arm hangs in the standing pose."""


@dataclass(frozen=True, slots=True)
class Body:
    """The body at a frame, off the standing pose: pelvis moved (metres), parts turned (degrees)."""

    frame: float
    shift: tuple[float, float, float] = STILL
    hips: Turn = STILL
    trunk: Turn = STILL
    gaze: Turn = STILL
    root: float = 0.0


def body_pose(row: Body) -> Posing:
    """The standing pose with a row put on; ``gaze`` turns the head beyond what it keeps of the trunk."""
    pose = at_ease()
    x, y, z = pose.shifts["pelvis"]
    pose.shift("pelvis", x + row.shift[0], y + row.shift[1], z + row.shift[2])
    if any(row.hips):
        pose.add("pelvis", *row.hips)
    if any(row.trunk):
        for bone, share in zip(SPINE, stance.SPINE_SHARES, strict=True):
            pose.add(bone, *(share * t for t in row.trunk))
    if any(row.gaze) or any(row.trunk) or any(row.hips):
        lost = [0.8 * (t + h) for t, h in zip(row.trunk, row.hips, strict=True)]
        for bone in NECK:
            pose.add(bone, *((g - t) / 3.0 for g, t in zip(row.gaze, lost, strict=True)))
    return pose


def key_body(builder: ClipBuilder, rows: Iterable[Body]) -> None:
    """Key pelvis, spine and head, and the root where a row turns it."""
    rows = list(rows)
    turning = any(row.root for row in rows)
    for row in rows:
        pose = body_pose(row)
        if turning:
            pose.set("root", 0.0, row.root, 0.0)
        kept = [n for n in [*pose.turns, *pose.shifts] if not n.startswith((*LEGS, *ARMS))]
        builder.key(row.frame, pose, only=kept)


def key_arms(builder: ClipBuilder, rows: Mapping[str, Sequence[ArmRow]]) -> None:
    """Key collar, arm and hand of each side, its row as of a left arm."""
    still = at_ease()
    for side, table in rows.items():
        for frame, values in table:
            pose = Posing()
            if values is None:
                pose.turns = {n: q for n, q in still.turns.items() if n.startswith(ARMS) and n[-1] == side}
            else:
                swing, spread, lower, twist, elbow, pronate, wrist, shrug = values
                stance.arm(
                    pose, side, swing, lower, twist, elbow, spread=spread, wrist=wrist, pronate=pronate
                )
                collar = Posing().set("clavicle_l", 0.0, 0.0, shrug)
                pose.update(collar if side == "l" else collar.mirrored())
            builder.key(frame, pose)


def key_hands(builder: ClipBuilder, rows: Iterable[tuple[float, float]] = ((0.0, 0.0),)) -> None:
    """Key the fingers at frames, closed by so much more than standing."""
    for frame, more in rows:
        pose = Posing()
        for side, amount in zip("lr", hand_closing(0.0), strict=True):
            stance.fingers(pose, side, amount + more)
        builder.key(frame, pose)


class FootPath:
    """One foot over a clip, in the space the root starts in."""

    def __init__(self, side: str, rows: Sequence[FootRow]) -> None:
        self.sign = 1.0 if side == "l" else -1.0
        table = np.array([(*row, 0.0)[:7] for row in rows])
        table[:, [1, 4]] *= self.sign
        self._tracks = [
            curve(tuple(zip(table[:, 0], table[:, 1 + k], strict=True)), loop=False) for k in range(6)
        ]

    def at(self, frame: float) -> tuple[FloatArray, FloatArray, float, float]:
        """Ankle, turn from rest, toes and outward yaw."""
        x, up, z, yaw, pitch, toes = (float(evaluate_scalar(track, frame)) for track in self._tracks)
        ankle = planted_ankle(np.array([x, sk.ANKLE[1], z]), pitch, yaw) + np.array([0.0, up, 0.0])
        foot = pitch_turn(pitch, yaw)
        lifted = min(max(0.0, -pitch) * max(0.0, 1.0 - up / 0.10) + toes, MOST_TOES)
        if self.sign < 0.0:
            ankle, foot = ankle * [-1.0, 1.0, 1.0], foot * [1.0, -1.0, -1.0, 1.0]
        return ankle, foot, lifted, yaw


def home(side: str, frame: float, yaw: float = 0.0) -> tuple[float, float, float, float, float, float]:
    """The foot where it stands in the standing pose, turned about the root by ``yaw`` degrees."""
    (x, _, z), out = FEET[side]
    turned = np.radians(yaw)
    sign = 1.0 if side == "l" else -1.0
    return (
        frame,
        x * np.cos(turned) + z * np.sin(turned),
        0.0,
        z * np.cos(turned) - x * np.sin(turned),
        yaw + sign * out,
        0.0,
    )


def key_feet(
    builder: ClipBuilder, paths: Mapping[str, FootPath], frames: Iterable[float], knee_out: float = 5.0,
    slopes: bool | None = None, level: bool = False,
) -> float:  # fmt: skip
    """Key both legs against the body keyed already; how far (metres) one was short of its place.

    Parameters
    ----------
    level
        Whether knees point ahead over the ground, however far the pelvis bows.
    """
    body = ClipEvaluator(build_rig(), builder.build())
    worst = 0.0
    moving = not builder.looping if slopes is None else slopes
    for frame in frames:
        around = np.clip([frame - BESIDE, frame, frame + BESIDE], 0.0, builder.frames)
        local = body.sample_many(around / RATE, wrap=False).local
        rotations, places = stance.pelvis_model(local.rotation, local.translation)
        for side, path in paths.items():
            legs = []
            for k, at in enumerate(around):
                ankle, foot, toes, yaw = path.at(float(at))
                turned = (_facing(rotations[k]) - HIPS_HOME) * path.sign
                beyond = (yaw - FEET[side][1] - turned + 180.0) % 360.0 - 180.0
                knee = knee_out + FEET[side][1] + KNEE_SHARE * beyond
                ahead = turn(0.0, _facing(rotations[k]), 0.0) if level else None
                leg, over = stance.solve_leg(side, (rotations[k], places[k]), ankle, foot, toes, knee, ahead)
                legs.append(leg)
                worst = max(worst, over)
            if moving:
                builder.key_moving(frame, *legs)
            else:
                builder.key(frame, legs[1])
    return worst
