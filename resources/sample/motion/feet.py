"""Where a foot is in a gait: planted on heel, sole or ball, or swinging; from tables an animator can read.

Everything is in the root's frame (the root stands on the ground under the character and travels at a steady
speed), in metres, for a left foot whose heel meets the ground at phase 0.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack, TangentMode, scalar_track
from core.tracks.tangents import with_tangents
from resources.sample import skeleton as sk
from resources.sample.motion.figure import turn
from resources.sample.shape.surface import load_surface

Table = tuple[tuple[float, float], ...]

HEEL = sk.FOOT.point(-0.048, 0.0, 0.0)
BALL = sk.FOOT.point(*sk.BALL)
AXIS = sk.FOOT.axes[1]
"""The foot pitches about its own crosswise axis, not the character's: it points outward a little."""


@cache
def _sole() -> FloatArray:
    points = load_surface().points
    ahead = (points - sk.FOOT.origin) @ sk.FOOT.axes[0]
    return np.asarray(points[(points[:, 1] < 0.05) & (ahead < 0.125)])


def pitch_turn(degrees: float, yaw: float = 0.0) -> FloatArray:
    """Turn of the foot from rest: toes up positive, then ``yaw`` degrees outward."""
    return quat.multiply(turn(0.0, yaw, 0.0), quat.from_axis_angle(AXIS, -np.radians(degrees)))


def planted_ankle(plant: FloatArray, degrees: float, yaw: float = 0.0) -> FloatArray:
    """Ankle of a planted foot that stands on its heel (toes up), sole (0) or ball (heel up).

    ``plant`` is where the ankle would be with the sole flat.
    """
    q = pitch_turn(degrees, yaw)
    flat = pitch_turn(0.0, yaw)
    pivot = HEEL if degrees > 0.0 else BALL
    ankle = plant + quat.rotate(flat, pivot - sk.ANKLE) + quat.rotate(q, sk.ANKLE - pivot)
    if degrees > 0.0:  # the heel is round: it rolls, and its lowest point stays on the ground
        low = quat.rotate(q, _sole() - sk.ANKLE)[:, 1].min()
        ankle[1] = -low + 0.0005
    return np.asarray(ankle)


def curve(table: Table, mode: TangentMode = TangentMode.CLAMPED, loop: bool = True) -> ScalarTrack:
    """A track over the phase 0..1 from ``(phase, value)`` keys."""
    rows = np.array(table)
    return with_tangents(scalar_track(rows[:, 0], rows[:, 1], modes=mode), 1.0 if loop else None)


@dataclass(frozen=True, slots=True)
class Step:
    """One foot's cycle.

    Parameters
    ----------
    duty
        Part of the cycle that the foot is planted, from phase 0.
    flat
        Where the ankle would be at contact with the sole flat: ``(outward, ahead)``.
    pitch
        Keys of the foot's pitch in degrees over the cycle, toes up positive. While planted, toes up stands
        on the heel, heel up on the ball.
    swing
        Keys ``(part of the swing 0..1, ahead, up, outward)`` that the ankle passes, ends left out.
    toes
        Keys ``(phase, degrees)`` of the toes while the foot swings, toes up positive.
    landing
        How much of the ground's speed the foot has when it lands: 1 does not brush at all.
    lifting
        How much of its speed at the end of the stance the ankle keeps when it lifts.
    yaw
        Degrees that the foot points outward beyond rest.
    release
        Phase at which the foot bears no weight any more and counts as off the ground; `duty` by default.
    """

    duty: float
    flat: tuple[float, float]
    pitch: Table
    swing: tuple[tuple[float, float, float, float], ...]
    toes: Table
    landing: float = 0.6
    lifting: float = 1.0
    yaw: float = 0.0
    release: float | None = None


def moved_ahead(step: Step, way: float) -> Step:
    """The cycle with the whole path of the foot farther ahead by ``way`` metres."""
    outward, ahead = step.flat
    swing = tuple((u, z + way, up, out) for u, z, up, out in step.swing)
    return replace(step, flat=(outward, ahead + way), swing=swing)


class Foot:
    """Ankle, pitch and toes of a left foot at any phase."""

    def __init__(self, step: Step, travel: FloatArray) -> None:
        """``travel`` is how far the root goes in one cycle, ``(3,)``."""
        self.step, self.travel = step, travel
        self._pitch = curve(step.pitch)
        self._toes = curve(step.toes)
        self._swing = self._swing_tracks()

    def planted(self, phase: float) -> bool:
        """Whether the foot stands on the ground."""
        return phase % 1.0 <= self.step.duty + 1e-9

    def pitch(self, phase: float) -> float:
        """Degrees, toes up positive."""
        return float(evaluate_scalar(self._pitch, phase % 1.0, 1.0))

    def toes(self, phase: float) -> float:
        """Degrees of the ball, toes up positive: while planted, as far as the heel is lifted."""
        phase %= 1.0
        if self.planted(phase):
            lifted = max(0.0, -self.pitch(phase))
            landing = float(evaluate_scalar(self._toes, phase, 1.0)) if self.pitch(phase) > 0.0 else 0.0
            return lifted + landing
        return float(evaluate_scalar(self._toes, phase, 1.0))

    def turn(self, phase: float) -> FloatArray:
        """Turn of the foot from rest in model space."""
        return pitch_turn(self.pitch(phase), self.step.yaw)

    def ankle(self, phase: float) -> FloatArray:
        """Place of the ankle in the root's frame."""
        phase %= 1.0
        if self.planted(phase):
            return self._stance(phase)
        u = (phase - self.step.duty) / (1.0 - self.step.duty)
        return np.array([float(evaluate_scalar(track, u)) for track in self._swing])

    def _stance(self, phase: float) -> FloatArray:
        outward, ahead = self.step.flat
        plant = np.array([outward, sk.ANKLE[1], ahead]) - self.travel * phase
        return planted_ankle(plant, self.pitch(phase), self.step.yaw)

    def _swing_tracks(self) -> tuple[ScalarTrack, ...]:
        duty, span = self.step.duty, 1.0 - self.step.duty
        start, end = self._stance(duty), self._stance(0.0) if duty < 1.0 else self._stance(duty)
        lift = self.step.lifting * (start - self._stance(duty - 1e-3)) / 1e-3 * span
        land = -self.step.landing * self.travel * span
        rows = [(0.0, *start)]
        rows += [(u, out, up, ahead) for u, ahead, up, out in self.step.swing]
        table = np.array([*rows, (1.0, *end)])
        tracks = []
        for axis in range(3):
            modes = np.full(len(table), TangentMode.AUTO)
            modes[[0, -1]] = TangentMode.FREE
            slopes = np.zeros(len(table))
            slopes[0], slopes[-1] = lift[axis], land[axis]
            track = scalar_track(table[:, 0], table[:, 1 + axis], slopes, slopes, modes=modes)
            tracks.append(with_tangents(track))
        return tuple(tracks)
