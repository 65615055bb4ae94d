"""The frame rate that key times were made at, when a file does not state it."""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.timing import FrameRate

CANDIDATES = (30, 24, 60, 25, 120, 48, 50, 100, 15, 12, 90, 240)
"""Tried in this order: the first on whose frames all keys lie is taken."""
TOLERANCE = 2e-3
"""Largest distance of a key from a whole frame, in frames, plus float32 rounding."""


def guess_rate(columns: Sequence[FloatArray]) -> FrameRate:
    """The rate on whose frames all keys lie; else the one of the commonest spacing; else 30.

    Parameters
    ----------
    columns : arrays of rising key times in seconds
    """
    times = np.unique(np.concatenate([c[:2000] for c in columns[:200]])) if columns else np.zeros(1)
    rounding = np.abs(times).max() * 2e-7
    for rate in CANDIDATES:
        frames = times * rate
        if np.abs(frames - np.round(frames)).max() <= TOLERANCE + rounding * rate:
            return FrameRate.of(rate)
    gaps = np.concatenate([np.diff(c[:2000]) for c in columns[:200]])
    gaps = gaps[gaps > 1e-4]
    if not len(gaps):
        return FrameRate.of(30)
    gap = float(np.median(gaps))
    for rate in CANDIDATES:
        frame = gap * rate
        if round(frame) and abs(frame - round(frame)) < 0.01:
            return FrameRate.of(rate)
    return FrameRate.of(min(max(1.0 / gap, 1.0), 1000.0))
