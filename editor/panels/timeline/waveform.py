"""The waveform of a sound as an image, one column a pixel. Free of Qt."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.media.sound import PEAK, RATE, Sound


def extremes(sound: Sound, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Least and greatest sample in each stretch of time.

    Parameters
    ----------
    times : (N + 1,) rising seconds from the start of the sound, the edges of the stretches

    Returns
    -------
    (N,), (N,) : -1 to 1; both 0 where there is no sound (yet)
    """
    there = sound.count // PEAK
    low, high = np.zeros(len(times) - 1), np.zeros(len(times) - 1)
    if there <= 0:
        return low, high
    edges = times * (RATE / PEAK)
    first = np.floor(edges[:-1]).astype(np.int64)
    last = np.maximum(np.ceil(edges[1:]).astype(np.int64), first + 1)
    inside = (last > 0) & (first < there)
    if not inside.any():
        return low, high
    begin, end = np.clip(first[inside], 0, there - 1), np.clip(last[inside], 1, there)
    peaks = sound.peaks[:there]
    # reduceat takes pairs: every second result lies between two stretches, and is left out
    pairs = np.column_stack([begin, np.maximum(end, begin + 1)]).ravel()
    padded = np.concatenate([peaks, peaks[-1:]]).astype(np.int16)
    low[inside] = np.minimum.reduceat(padded[:, 0], pairs)[::2] / 128.0
    high[inside] = np.maximum.reduceat(padded[:, 1], pairs)[::2] / 128.0
    return low, high


def waveform(sound: Sound, times: FloatArray, rows: int, volume: float, ink: int) -> npt.NDArray[np.uint32]:
    """An image (rows, N) of premultiplied ARGB words: `ink` where the sound is, else nothing.

    Parameters
    ----------
    times : as of `extremes`
    volume : factor on the height
    """
    low, high = extremes(sound, times)
    middle = (rows - 1) / 2.0
    top = np.clip(np.floor(middle - high * volume * middle), 0, rows - 1)
    bottom = np.clip(np.ceil(middle - low * volume * middle), 0, rows - 1)
    covered = (times[1:] > 0.0) & (times[:-1] < sound.seconds)
    at = np.arange(rows)[:, None]
    inside = (at >= top) & (at <= bottom) & covered
    return np.where(inside, np.uint32(ink), np.uint32(0))
