"""Transitions that run only their target: inertialisation and dead blending.

Both remember how the output moved at the switch. Inertialisation lets the offset from the target die out along a
quintic (D. Bollo, *Inertialization*, GDC 2018); dead blending lets the old motion run on with dying speed and
crossfades to the target (D. Holden, *Dead Blending*, 2023). Plain functions over poses of one rig.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.pose.blend import weighted

SHORTEST_STEP = 1e-4
"""Seconds; two outputs closer than this tell no speed."""
FASTEST = 5.0
"""Metres (and scale units) a second at which dead blending lets a bone run on."""
FASTEST_TURN = np.radians(360.0)
NEVER_ZERO = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Decay:
    """Offsets that die out: ``x(t) = At⁵ + Bt⁴ + Ct³ + a₀t²/2 + v₀t + x₀`` until `end`, then 0.

    Parameters
    ----------
    coefficients : ``(6, ...)``: A, B, C, a₀/2, v₀, x₀
    end : ``(...)`` seconds after which the offset is 0
    """

    coefficients: FloatArray
    end: FloatArray

    def at(self, seconds: float) -> FloatArray:
        """Offsets ``(...)`` some seconds after the switch."""
        a, b, c, d, e, f = self.coefficients
        t = max(seconds, 0.0)
        value = f + t * (e + t * (d + t * (c + t * (b + t * a))))
        return np.where(t < self.end, value, 0.0)


def decay(offset: npt.ArrayLike, speed: npt.ArrayLike, seconds: npt.ArrayLike) -> Decay:
    """Let offsets of 0 or more die out in at most `seconds`.

    The offset falls monotonically and ends with slope and curvature 0. One that would overshoot
    gets a shorter time; one that moves away loses its speed.

    Parameters
    ----------
    offset : ``(...)`` sizes x₀ ≥ 0
    speed : ``(...)`` their change a second at the switch; positive counts as 0
    seconds : the longest time, for all or ``(...)`` each; 0 or less removes the offset at once
    """
    x0 = np.asarray(offset, dtype=np.float64)
    v0 = np.minimum(np.asarray(speed, dtype=np.float64), 0.0)
    longest = np.maximum(np.asarray(seconds, dtype=np.float64), 0.0)
    end = np.array(np.broadcast_to(longest, x0.shape))
    early = -v0 * longest > 5.0 * x0  # compared by products: a tiny speed must not overflow a quotient
    end[early] = -5.0 * x0[early] / v0[early]
    there = (x0 > 0.0) & (end > SHORTEST_STEP)
    t = np.where(there, end, 1.0)
    a0 = np.maximum((-8.0 * v0 * t - 20.0 * x0) / t**2, 0.0)
    a = -(a0 * t**2 + 6.0 * v0 * t + 12.0 * x0) / (2.0 * t**5)
    b = (3.0 * a0 * t**2 + 16.0 * v0 * t + 30.0 * x0) / (2.0 * t**4)
    c = -(3.0 * a0 * t**2 + 12.0 * v0 * t + 20.0 * x0) / (2.0 * t**3)
    coefficients = np.stack((a, b, c, a0 / 2.0, v0, x0))
    return Decay(np.where(there, coefficients, 0.0), np.where(there, end, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Inertia:
    """A pose offset that dies out over a target that runs.

    Parameters
    ----------
    directions : ``(3, B, 3)`` unit vectors: of the translations' offsets, rotation axes, scales'
    sizes : their decays ``(3, B)``: metres, radians, scale units
    """

    directions: FloatArray
    sizes: Decay

    def to_bytes(self) -> bytes:
        """Every number in order, to compare two runs by."""
        return b"".join(part.tobytes() for part in (self.directions, self.sizes.coefficients, self.sizes.end))

    def put_on(self, target: Transform, seconds: float) -> Transform:
        """The target's local transforms ``(B, k)`` with what is left of the offset."""
        move, turn, grow = self.directions * self.sizes.at(seconds)[..., None]
        rotation = quat.multiply(quat.from_rotation_vector(turn), target.rotation)
        return Transform(target.translation + move, quat.normalise(rotation), target.scale + grow)


def inertialise(
    target: Transform, last: Transform, before: Transform | None, step: float, seconds: npt.ArrayLike
) -> Inertia:
    """Take over from an output by its offset from the target.

    Parameters
    ----------
    target : local transforms ``(B, k)`` of what runs from now on, at the switch
    last, before : the last output and the one `step` seconds before it; without the latter, or
        with a step under `SHORTEST_STEP`, the offset starts without speed
    seconds : the longest time until the offset is gone, for all bones or ``(B,)`` each
    """
    known = before is not None and step >= SHORTEST_STEP
    earlier = before if before is not None and known else last
    h = step if known else 1.0
    axes, angles, spins = _turn_offset(target.rotation, last.rotation, earlier.rotation, h)
    # Translations and scales as one array, and the three decays as one: most of the time is numpy's calls.
    base = np.stack((target.translation, target.scale))
    now = np.stack((last.translation, last.scale)) - base
    moved, lengths, speeds = _vector_offset(now, np.stack((earlier.translation, earlier.scale)) - base, h)
    return Inertia(
        np.stack((moved[0], axes, moved[1])),
        decay(np.stack((lengths[0], angles, lengths[1])), np.stack((speeds[0], spins, speeds[1])), seconds),
    )


def _vector_offset(
    now: FloatArray, before: FloatArray, step: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Direction ``(..., 3)``, size ``(...)`` and speed ``(...)`` of offset vectors ``(..., 3)``."""
    size = np.linalg.norm(now, axis=-1)
    direction = now / np.where(size > NEVER_ZERO, size, 1.0)[..., None]
    direction[size <= NEVER_ZERO] = 0.0
    return direction, size, (size - (before * direction).sum(axis=-1)) / step


def _turn_offset(
    target: FloatArray, last: FloatArray, before: FloatArray, step: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Axis, angle (0..π) and angular speed of the rotations from the target's to the output's."""
    undo = quat.conjugate(target)
    offset = quat.multiply(last, undo)
    offset = np.where(offset[:, 3:] < 0.0, -offset, offset)
    half = np.linalg.norm(offset[:, :3], axis=-1)
    axis = offset[:, :3] / np.where(half > NEVER_ZERO, half, 1.0)[:, None]
    axis[half <= NEVER_ZERO] = 0.0
    angle = 2.0 * np.arctan2(half, offset[:, 3])
    earlier = quat.multiply(before, undo)
    along = 2.0 * np.arctan2((earlier[:, :3] * axis).sum(axis=-1), earlier[:, 3])
    along -= 2.0 * np.pi * np.round((along - angle) / (2.0 * np.pi))  # within half a turn of the angle
    return axis, angle, (angle - along) / step


@dataclass(frozen=True, slots=True, eq=False)
class DeadBlend:
    """An output that runs on with dying speed: ``y(t) = y + v(1 − e^(−λt))/λ`` for each axis.

    Parameters
    ----------
    start : local transforms ``(B, k)`` of the output at the switch
    speeds : ``(B, 3)`` each: metres, rotation vectors (radians, left-multiplied), scale units a second
    rates : ``(B, 3)`` each: λ = ln 2 / half-life
    """

    start: Transform
    speeds: tuple[FloatArray, FloatArray, FloatArray]
    rates: tuple[FloatArray, FloatArray, FloatArray]

    def at(self, seconds: float) -> Transform:
        """The old motion, run on for some seconds."""
        t = max(seconds, 0.0)
        move, turn, grow = (
            v * -np.expm1(-rate * t) / rate for v, rate in zip(self.speeds, self.rates, strict=True)
        )
        rotation = quat.multiply(quat.from_rotation_vector(turn), self.start.rotation)
        return Transform(self.start.translation + move, quat.normalise(rotation), self.start.scale + grow)

    def crossfaded(self, target: Transform, seconds: float, weight: npt.ArrayLike) -> Transform:
        """The old motion run on, blended with the target by the target's weight 0..1, for all or ``(B,)`` each."""
        share = np.asarray(weight, dtype=np.float64)
        return weighted([self.at(seconds), target], [1.0 - share, share])


def dead_blend(
    target: Transform, last: Transform, before: Transform | None, step: float, strength: float = 0.1
) -> DeadBlend:
    """Let an output run on, each axis with a half-life by how well its speed leads to the target.

    Parameters
    ----------
    target, last, before, step : as for `inertialise`
    strength : k of ``half-life = clamp(k·(target − y)/v, 0.05, 1)``; a speed that leads away gets 0.05 s
    """
    known = before is not None and step >= SHORTEST_STEP
    earlier = before if before is not None and known else last
    h = step if known else 1.0
    turned = quat.to_rotation_vector(quat.multiply(last.rotation, quat.conjugate(earlier.rotation)))
    speeds = (
        _held((last.translation - earlier.translation) / h, FASTEST),
        _held(turned / h, FASTEST_TURN),
        _held((last.scale - earlier.scale) / h, FASTEST),
    )
    gaps = (
        target.translation - last.translation,
        quat.to_rotation_vector(quat.multiply(target.rotation, quat.conjugate(last.rotation))),
        target.scale - last.scale,
    )
    rates = tuple(_rate(gap, v, strength) for gap, v in zip(gaps, speeds, strict=True))
    return DeadBlend(last, speeds, rates)  # type: ignore[arg-type]


def _held(speed: FloatArray, most: float) -> FloatArray:
    """Vectors ``(B, 3)`` no longer than `most`."""
    size = np.linalg.norm(speed, axis=-1, keepdims=True)
    return np.asarray(speed * (most / np.maximum(size, most)))


def _rate(gap: FloatArray, speed: FloatArray, strength: float) -> FloatArray:
    still = np.abs(speed) < NEVER_ZERO
    half = strength * gap / np.where(still, 1.0, speed)
    return np.asarray(np.log(2.0) / np.clip(np.where(still, 1.0, half), 0.05, 1.0))
