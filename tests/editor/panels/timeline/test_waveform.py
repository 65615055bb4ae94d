"""The picture of a sound: its lowest and highest within each column, as loud as it is set, and nothing beside it."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.media.sound import PEAK, RATE
from editor.panels.timeline.waveform import extremes, waveform

INK = 0xFF00FF00
STEP = PEAK / RATE
"""Seconds of one pair of peaks."""


def sound(*pairs: tuple[int, int]) -> SimpleNamespace:
    peaks = np.array(pairs, np.int8).reshape(-1, 2)
    return SimpleNamespace(count=len(peaks) * PEAK, peaks=peaks, seconds=len(peaks) * STEP)


PAIRS = ((-10, 20), (-30, 5), (0, 127), (-128, 0))


def test_each_column_has_the_lowest_and_the_highest_of_its_stretch() -> None:
    low, high = extremes(sound(*PAIRS), np.arange(5) * STEP)
    assert low * 128.0 == pytest.approx([-10, -30, 0, -128]) and high * 128.0 == pytest.approx(
        [20, 5, 127, 0]
    )
    low, high = extremes(sound(*PAIRS), np.array([0.0, 2.0, 4.0]) * STEP)
    assert low * 128.0 == pytest.approx([-30, -128]) and high * 128.0 == pytest.approx([20, 127])


def test_columns_narrower_than_a_pair_of_peaks_show_it() -> None:
    low, high = extremes(sound(*PAIRS), np.array([1.0, 1.25, 1.5]) * STEP)
    assert low * 128.0 == pytest.approx([-30, -30]) and high * 128.0 == pytest.approx([5, 5])


def test_before_and_after_the_sound_there_is_nothing() -> None:
    low, high = extremes(sound(*PAIRS), np.array([-2.0, -1.0, 0.0, 4.0, 5.0]) * STEP)
    assert (low[0], high[0]) == (0.0, 0.0) and (low[3], high[3]) == (0.0, 0.0)
    assert low[2] * 128.0 == pytest.approx(-128) and high[2] * 128.0 == pytest.approx(127)
    low, high = extremes(sound(), np.arange(3) * STEP)
    assert not low.any() and not high.any()


@pytest.mark.parametrize(("volume", "rows"), [(1.0, (0, 8)), (0.5, (2, 6)), (0.0, (4, 4)), (4.0, (0, 8))])
def test_what_is_loud_is_high_up_to_the_lane(volume: float, rows: tuple[int, int]) -> None:
    picture = waveform(sound((-128, 127)), np.array([0.0, 1.0]) * STEP, 9, volume, INK)
    inked = np.flatnonzero(picture[:, 0] == INK)
    assert (inked[0], inked[-1]) == rows and len(inked) == rows[1] - rows[0] + 1
    assert set(np.unique(picture)) <= {0, INK}


def test_a_sound_of_one_side_is_drawn_on_that_side() -> None:
    columns = np.array([0.0, 1.0, 2.0, 3.0]) * STEP
    picture = waveform(sound((-128, 0), (0, 127)), columns, 9, 1.0, INK)
    assert np.flatnonzero(picture[:, 0]).tolist() == [4, 5, 6, 7, 8]
    assert np.flatnonzero(picture[:, 1]).tolist() == [0, 1, 2, 3, 4]
    assert not picture[:, 2].any()
