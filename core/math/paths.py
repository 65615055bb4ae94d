"""How a point moves along its path: velocity, acceleration, curvature by finite differences.

Arrays are ``(…, T, 3)``: any number of paths over the same ``T`` times. With fewer than two times nothing moves.
"""

import numpy as np

from core.arrays import FloatArray

STILL = 1e-6
"""Metres a second below which a path has no direction, and so no curvature."""


def velocity(places: FloatArray, times: FloatArray) -> FloatArray:
    """Velocities ``(…, T, 3)`` in units of the places a second.

    Central differences for unequal steps (second order); at the ends of three or more times, one-sided ones of
    second order too, so that a parabola has its exact velocity everywhere.

    Parameters
    ----------
    places : ``(…, T, 3)``
    times : ``(T,)`` seconds, increasing
    """
    places, times = np.asarray(places, dtype=np.float64), np.asarray(times, dtype=np.float64)
    if len(times) < 2:
        return np.zeros_like(places)
    if len(times) == 2:
        return np.asarray(np.gradient(places, times, axis=-2, edge_order=1))
    return np.asarray(np.gradient(places, times, axis=-2, edge_order=2))


def acceleration(places: FloatArray, times: FloatArray) -> FloatArray:
    """Accelerations ``(…, T, 3)`` in units of the places a second squared.

    From three neighbouring places (second divided difference); the ends take that of their neighbours. It is the
    acceleration of the parabola through them. Zeros for fewer than three times.
    """
    places, times = np.asarray(places, dtype=np.float64), np.asarray(times, dtype=np.float64)
    if len(times) < 3:
        return np.zeros_like(places)
    slopes = np.diff(places, axis=-2) / np.diff(times)[:, None]
    inner = 2.0 * np.diff(slopes, axis=-2) / (times[2:] - times[:-2])[:, None]
    return np.concatenate([inner[..., :1, :], inner, inner[..., -1:, :]], axis=-2)


def curvature(places: FloatArray, times: FloatArray) -> FloatArray:
    """Curvatures ``(…, T)``, one over the radius of the path's circle: ``|v × a| / |v|³`` (Frenet).

    Zero where the point stands still, slower than `STILL`: it has no direction there.
    """
    v, a = velocity(places, times), acceleration(places, times)
    speed = np.linalg.norm(v, axis=-1)
    bent = np.linalg.norm(np.cross(v, a), axis=-1)
    moving = speed > STILL
    return np.where(moving, bent / np.where(moving, speed, 1.0) ** 3, 0.0)
