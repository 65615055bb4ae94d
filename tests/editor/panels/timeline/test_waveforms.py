"""Waveforms against a twin that looks at each column by itself; the strip's handle to the pixel."""

import itertools
from dataclasses import replace
from math import ceil, floor
from types import SimpleNamespace

import numpy as np
import pytest

from core.media.sound import PEAK, RATE
from editor.panels.timeline.layout import Layout, Region
from editor.panels.timeline.overview import Overview
from editor.panels.timeline.waveform import extremes, waveform
from editor.tools.span_part import Part
from tests.editor.panels.timeline.timeline_scene import Scene

TICK = PEAK / RATE
"""Seconds of one column of peaks."""
INK = 0xFF336699


def sound(columns: int, more: int = 0, seed: int = 1):
    """Peaks of so many columns that are there, and of some that are not decoded yet."""
    rng = np.random.default_rng(seed)
    low = rng.integers(-128, 1, columns + 4)
    peaks = np.stack([low, low + rng.integers(0, 128, columns + 4)], axis=1).astype(np.int8)
    count = columns * PEAK + more
    return SimpleNamespace(peaks=peaks, count=count, seconds=count / RATE)


def twin(some, edges: list[float]) -> list[tuple[float, float]]:
    """Edges in columns of peaks; each stretch takes every column that it touches, one at the least."""
    there, found = some.count // PEAK, []
    for a, b in itertools.pairwise(edges):
        first = floor(a)
        taken = [k for k in range(first, max(ceil(b), first + 1)) if 0 <= k < there]
        peaks = some.peaks[taken].astype(float) / 128.0
        found.append((float(peaks[:, 0].min()), float(peaks[:, 1].max())) if taken else (0.0, 0.0))
    return found


EDGES = {
    "a column each": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    "wider": [0.0, 3.0, 6.0, 9.0, 12.0],
    "before the start": [-3.0, -2.0, -1.0, 0.0, 0.5, 1.0, 2.0],
    "across the start": [-2.5, 0.5, 1.5], "across the end": [7.5, 9.5, 12.5, 15.0],
    "finer than the peaks": [1.1, 1.2, 1.3, 1.9, 2.05, 2.1],
    "all in one": [-5.0, 40.0], "up to the first": [-1.0, 1.0], "behind": [10.0, 11.0, 12.0],
    "at the end": [9.0, 10.0, 11.0],
    "long before": [-9.0, -8.0, -7.0],
}  # fmt: skip


@pytest.mark.parametrize("more", [0, PEAK - 1])
@pytest.mark.parametrize("name", EDGES)
def test_each_column_spans_the_samples_of_its_stretch(name, more) -> None:
    some, edges = sound(10, more), EDGES[name]
    low, high = extremes(some, np.array(edges) * TICK)
    assert list(zip(low, high, strict=True)) == twin(some, edges)


def test_no_sound_is_no_height() -> None:
    for some in (sound(0), sound(0, PEAK - 1)):
        low, high = extremes(some, np.arange(5) * TICK)
        assert low.tolist() == high.tolist() == [0.0] * 4
    low, high = extremes(sound(1), np.array([0.0, 1.0, 2.0]) * TICK)
    assert high[0] > low[0] and low[1] == high[1] == 0.0


@pytest.mark.parametrize("rows", [1, 2, 9, 20])
@pytest.mark.parametrize("volume", [0.0, 0.5, 1.0, 3.0])
def test_the_image_has_ink_between_the_lowest_and_the_highest(rows, volume) -> None:
    some, edges = sound(8, 100), [-1.5, -0.5, 0.5, 2.0, 5.0, 7.9, 8.1, 8.5, 9.5]
    made = waveform(some, np.array(edges) * TICK, rows, volume, INK)
    assert made.shape == (rows, len(edges) - 1) and made.dtype == np.uint32
    middle = (rows - 1) / 2.0
    for column, (low, high) in enumerate(twin(some, edges)):
        top = min(max(floor(middle - high * volume * middle), 0), rows - 1)
        bottom = min(max(ceil(middle - low * volume * middle), 0), rows - 1)
        covered = edges[column + 1] > 0.0 and edges[column] * TICK < some.seconds
        wanted = [INK if covered and top <= row <= bottom else 0 for row in range(rows)]
        assert made[:, column].tolist() == wanted, column


# ------------------------------------------------------------ the strip of the whole clip
@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


@pytest.mark.parametrize("wide", [14.0, 20.0, 28.0, 60.0])
def test_ends_of_the_handle_are_held_inside_by_a_quarter_and_outside_by_six(scene, wide) -> None:
    scene.session.edits.put("long", replace(scene.session.clip, length=60.0))
    overview = Overview(scene.rows, scene.view, scene.session.selection)
    seconds = overview.time(overview.x(0.5) + wide) - 0.5
    axis = scene.view.axis
    scene.view.set_axis(replace(axis, start=0.5, scale=axis.width / seconds))
    left, right = overview.handle()
    assert right - left == pytest.approx(wide)
    reach = min(6.0, wide / 4.0)
    for x, part in (
        (left - 6.01, None), (left - 5.99, Part.FIRST), (left + reach - 0.01, Part.FIRST),
        (left + reach + 0.01, Part.WHOLE), (right - reach - 0.01, Part.WHOLE), (right - reach + 0.01, Part.LAST),
        (right + 5.99, Part.LAST), (right + 6.01, None),
    ):  # fmt: skip
        assert overview.part_at(x) is part, x - left


def test_a_press_beside_the_handle_brings_its_middle_there(scene) -> None:
    overview = Overview(scene.rows, scene.view, scene.session.selection)
    axis = replace(scene.view.axis, scale=scene.view.axis.width / 0.5, start=0.5)
    for at, start in ((1.5, 1.25), (0.1, 0.0), (1.9, 1.5)):
        scene.view.set_axis(axis)
        overview.press(overview.x(at))
        assert scene.view.axis.start == pytest.approx(start)
        assert scene.view.axis.end - scene.view.axis.start == pytest.approx(0.5)
    for start, within in ((-1.0, 0.0), (0.7, 0.7), (1.6, 1.5), (9.0, 1.5)):
        assert overview.within(replace(axis, start=start)).start == pytest.approx(within)
    wide = replace(axis, scale=axis.width / 5.0)
    assert overview.within(wide).start == pytest.approx(-1.5)
    assert overview.within(replace(axis, scale=axis.width / 2.0)).start == pytest.approx(0.0)
    scene.session.playback.set_clip(None, scene.session.rig.id)
    assert overview.clip is None and not overview.wanted
    assert overview.time(500.0) == 0.0 and overview.x(1.0) == overview.x(0.0)


def test_a_layout_by_hand() -> None:
    layout = Layout(600.0, 200.0, 10, 30.0, 15.0, 0.0, 40.0)
    assert (layout.lanes, layout.head, layout.labels, layout.keys_width) == (39.0, 79.0, 184.0, 416.0)
    assert (layout.view_height, layout.most_scroll) == (121.0, 99.0)
    assert layout.top(0) == 49.0 and layout.top(3) == 115.0 and layout.shown() == range(1, 7)
    assert [layout.row_at(y) for y in (78.9, 79.0, 92.9, 93.0, 268.9, 269.0)] == [None, 1, 1, 2, 9, None]
    for (x, y), region in {
        (183.0, 23.0): Region.CORNER, (184.0, 23.0): Region.RULER, (183.0, 24.0): Region.LABELS,
        (184.0, 24.0): Region.MARKERS, (184.0, 39.0): Region.KEYS, (183.9, 39.0): Region.LABELS,
    }.items():  # fmt: skip
        assert layout.region(x, y) is region
    assert Layout(300.0, 50.0, 0).labels == pytest.approx(105.0) and Layout(100.0, 50.0, 0).labels == 60.0
    assert Layout(300.0, 50.0, 0, column=77.0).labels == 77.0 and Layout(50.0, 10.0, 0).keys_width == 1.0
    assert Layout(50.0, 10.0, 0).view_height == 1.0 and Layout(600.0, 200.0, 2).most_scroll == 0.0
    assert Layout(600.0, 200.0, 2).shown() == range(2)
