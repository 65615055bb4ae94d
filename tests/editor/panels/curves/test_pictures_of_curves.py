"""Curves and keys as pixels: spans against a slow twin, coverage pixel by pixel, glyphs and dirty columns by pins."""

import itertools
import zlib
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.tracks.keys import Interpolation, TangentMode, scalar_track
from core.tracks.tangents import with_tangents
from editor.panels.curves import key_image, ragged, raster
from editor.panels.curves.dirty_columns import GRID, PAD, DirtyColumns
from editor.panels.curves.handles import HANDLE
from editor.panels.curves.key_image import KeyImage, Look
from editor.panels.curves.space import Fit, Layout, ValueAxis, fits_for, value_ticks
from editor.panels.curves.stacks import Bundle, parts_of
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.pointer import Button, Pointer
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z
from tests.editor.panels.curves.test_curves_without_window import SELECTIONS, Scene
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


def curve(times, kind: Interpolation | None = None, seed: int = 0) -> Curve:
    """A curve through random values; of `kind` in every third segment."""
    values = np.random.default_rng(seed).normal(size=len(times)) * 10.0
    track = with_tangents(scalar_track(times, values)) if len(times) > 1 else scalar_track(times, values)
    if kind is not None:
        kinds = np.array(track.interpolations)
        kinds[::3] = kind
        track = replace(track, interpolations=kinds)
    return Curve(Lane(X), track, track.values)


# ------------------------------------------------------------ spans
def _plain(one: Curve, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each column by itself: what the curve is at its edges, and the keys that lie in it."""
    times, bundle = one.track.times, Bundle([one])
    at = bundle.at(edges)[:, 0].astype(float)
    low, high = np.minimum(at[:-1], at[1:]), np.maximum(at[:-1], at[1:])
    pitch = (edges[-1] - edges[0]) / (len(edges) - 1)
    for time, value in zip(times, one.values, strict=True):
        column = int(np.floor((time - edges[0]) / pitch))
        if 0 <= column < len(low):
            low[column], high[column] = min(low[column], value), max(high[column], value)
    reached = (edges[1:] > times[0]) & (edges[:-1] < times[-1])
    return low, high, reached


EDGES = {
    "all": np.linspace(-0.03, 2.1, 41), "a part": np.linspace(0.4, 0.9, 30), "before": np.linspace(-2.0, -1.0, 5),
    "into": np.linspace(-1.0, 0.37, 9), "out of": np.linspace(1.71, 3.0, 9), "wide": np.linspace(-1.0, 3.0, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", EDGES)
def test_spans_of_curves_with_times_of_their_own_are_those_of_each_column(name) -> None:
    edges = EDGES[name]
    curves = [
        curve(np.linspace(0.0, 2.0, 9), None, 1), curve(np.array([0.11, 0.5, 0.52, 0.53, 1.9]), None, 2),
        curve(np.linspace(0.2, 1.8, 60), Interpolation.LINEAR, 3), curve(np.array([0.3, 1.1]), None, 4),
        curve(np.linspace(0.05, 1.95, 7), Interpolation.CONSTANT, 5),
    ]  # fmt: skip
    low, high, reached = ragged.spans([parts_of(one) for one in curves], edges)
    for column, one in enumerate(curves):
        wanted_low, wanted_high, wanted = _plain(one, edges)
        assert reached[:, column].tolist() == wanted.tolist()
        if one.track.interpolations.min() == Interpolation.CONSTANT:
            continue  # at a step an edge is on either side
        inside = wanted & (edges[:-1] >= one.track.times[0]) & (edges[1:] <= one.track.times[-1])
        assert low[inside, column] == pytest.approx(wanted_low[inside], abs=2e-3)
        assert high[inside, column] == pytest.approx(wanted_high[inside], abs=2e-3)
    PINS.hold(f"ragged: {name}", np.where(reached, low, 0.0), np.where(reached, high, 0.0), reached)


def test_a_key_exactly_at_an_edge_belongs_to_the_column_that_it_begins() -> None:
    edges = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    keys = scalar_track([0.0, 0.5, 1.0], [0.0, 8.0, 0.0])
    low, high, reached = ragged.spans([parts_of(Curve(Lane(X), keys, keys.values))], edges)
    assert reached.all() and high[1, 0] == 8.0 and high[2, 0] == 8.0 and low[0, 0] == 0.0 and low[3, 0] == 0.0


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("count", [2, 9, 60, 900])
def test_spans_of_a_bundle_hold_its_keys_and_edges(name, count) -> None:
    edges, times = EDGES[name], np.linspace(0.0, 2.0, count)
    members = [curve(times, None, 1), curve(times, Interpolation.LINEAR, 2)]
    bundle = Bundle(members)
    low, high, columns = raster.spans(bundle, edges)
    PINS.hold(f"bundle of {count}: {name}", low, high, columns)
    for row, column in enumerate(columns):
        inside = (times >= edges[column]) & (times < edges[column + 1])
        for number, one in enumerate(members):
            if inside.any():
                assert low[row, number] <= one.values[inside].min() + 1e-4
                assert high[row, number] >= one.values[inside].max() - 1e-4
    assert [c for c in range(len(edges) - 1) if edges[c + 1] > 0.0 and edges[c] < 2.0] == columns.tolist()


def test_a_bundle_of_one_key_has_no_spans() -> None:
    low, high, columns = raster.spans(Bundle([curve(np.array([0.5]))]), EDGES["all"])
    assert low.shape == high.shape == (0, 1) and len(columns) == 0


# ------------------------------------------------------------ coverage
SPANS = ([[1.2, 3.0], [0.0, 7.4]], [[2.9, 3.0], [9.0, 7.5]])
"""Upper and lower ends of two curves in two columns."""


@pytest.mark.parametrize("width", [1.0, 1.5, 2.6])
def test_fine_coverage_is_the_part_of_each_pixel_that_is_covered(width) -> None:
    low, high = (np.array(rows, np.float32) for rows in SPANS)
    made = raster.Coverage((9, 4), width, 2, True)
    made.add(low, high, np.array([0, 2]), np.array([1, 0]))
    made.add(low[:, :1], high[:, :1], np.array([2, 3]), np.array([1]))
    wanted = np.zeros((2, 9, 4))
    for block, columns, kinds in (((low, high), (0, 2), (1, 0)), ((low[:, :1], high[:, :1]), (2, 3), (1,))):
        for (row, column), (number, kind) in itertools.product(enumerate(columns), enumerate(kinds)):
            top = max(block[0][row, number] - width / 2.0, 0.0)
            bottom = min(block[1][row, number] + width / 2.0, 9.0)
            for y in range(9):
                wanted[kind, y, column] += max(min(y + 1.0, bottom) - max(float(y), top), 0.0)
    assert made.layers() == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("width", [1.0, 1.5, 2.6])
def test_coarse_coverage_counts_whole_pixels(width) -> None:
    low, high = (np.array(rows, np.float32) for rows in SPANS)
    made = raster.Coverage((9, 4), width, 2, False)
    assert not made.layers().any() and made.layers().shape == (2, 9, 4)
    made.add(np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32), np.zeros(0, int), np.array([0, 1]))
    made.add(low, high, np.array([0, 2]), np.array([1, 0]))
    nothing = np.array([[np.nan], [-30.0], [40.0]], np.float32)
    made.add(nothing, nothing, np.array([0, 1, 3]), np.array([0]))
    found = made.layers()
    wanted = np.zeros((2, 9, 4))
    for (row, column), (number, kind) in itertools.product(enumerate((0, 2)), enumerate((1, 0))):
        a = int(min(max(low[row, number] + 1.5 - width / 2.0, 0.0), 10.0))
        b = max(int(min(max(high[row, number] + 1.5 + width / 2.0, 0.0), 10.0)), a + 1)
        wanted[kind, max(a - 1, 0) : b - 1, column] += 1.0
    assert found.tolist() == wanted.tolist()


def test_coverages_are_laid_over_a_picture() -> None:
    rng = np.random.default_rng(4)
    layers = (rng.uniform(0.0, 4.0, (2, 5, 7)) * (rng.uniform(size=(2, 5, 7)) > 0.4)).astype(np.float32)
    layers[:, 0, :3] = [[0.003, 0.5, 400.0], [0.0, 0.0, 20.0]]
    image = np.full((5, 7), 0xFF203040, np.uint32)
    colors, base = [(1.0, 0.2, 0.0), (0.1, 0.4, 0.9)], 0.6
    raster.blend(image, layers, colors, base)
    for y, x in np.ndindex(5, 7):
        total = float(layers[:, y, x].sum())
        alpha = 0.0 if total <= 0.004 else base * total if total < 1.0 else 1.0 - (1.0 - base) ** total
        under = (0x20, 0x30, 0x40)
        for channel, shift in enumerate((16, 8, 0)):
            mixed = sum(float(layers[n, y, x]) * colors[n][channel] for n in range(2)) / max(total, 1e-9)
            wanted = alpha * mixed * 255.0 + (1.0 - alpha) * under[channel]
            assert (int(image[y, x]) >> shift) & 255 == pytest.approx(wanted, abs=7.0)
        assert int(image[y, x]) >> 24 == 255
    PINS.hold("blended", image)
    untouched = np.full((2, 2), 0xFF010203, np.uint32)
    raster.blend(untouched, np.zeros((2, 2, 2), np.float32), colors, base)
    assert (untouched == 0xFF010203).all()


def test_glyphs_are_stamped_about_their_middle_and_cut_off_at_the_edges() -> None:
    glyph = np.zeros((3, 3), np.uint32)
    glyph[0, 0], glyph[1, 1], glyph[2, 0] = 0xFF112233, 0x80404040, 0xFFAABBCC
    image = np.full((4, 5), 0xFF808080, np.uint32)
    raster.stamp(image, glyph, np.array([2, 0, 4, 9]), np.array([1, 0, 3, 9]))
    wanted = np.full((4, 5), 0xFF808080, np.int64)
    wanted[0, 1], wanted[1, 2], wanted[2, 1] = 0xFF112233, 0xFF808080, 0xFFAABBCC
    wanted[0, 0], wanted[2, 3], wanted[3, 4] = 0xFF808080, 0xFF112233, 0xFF808080
    mixed = 0x40 + (0x80 * (255 - 0x80) + 127) // 255
    for y, x in ((1, 2), (0, 0), (3, 4)):
        wanted[y, x] = 0xFF000000 | mixed << 16 | mixed << 8 | mixed
    assert image.tolist() == wanted.tolist()


# ------------------------------------------------------------ keys
TOKENS = SimpleNamespace(
    selection="#ffaa00", panel="#202020", text="#eeeeee", dim="#777777",
    axis=lambda axis: ("#ff0000", "#00ff00", "#0000ff")[axis],
    key_type=lambda kind: ("#000000", "#123456", "#654321")[kind],
)  # fmt: skip


def looks(scene: Scene, bright=()) -> list[Look]:
    return [
        Look(one, scene.view.fit_of(one.lane), number % 4, number in bright, False)
        for number, one in enumerate(scene.lanes.curves())
    ]


def crc(words: np.ndarray) -> tuple[int, int]:
    return int((words != 0xFF101010).sum()), zlib.crc32(words.tobytes())


def stamped(scene: Scene, some, ratio: float = 1.0, left: int = 0, step: int = 1) -> tuple[int, int]:
    words = np.full((round(400 * ratio), round(800 * ratio)), 0xFF101010, np.uint32)
    KeyImage(scene.model, SimpleNamespace(tokens=TOKENS)).stamp(words, some, ratio, left, step)
    return crc(words)


def test_keys_are_stamped_by_mode_type_and_selection(scene, monkeypatch) -> None:
    scene.session.selection.select_keys({X: np.array([1, 2, 3]), TURN: np.array([0, 2])})
    modes = list(TangentMode)
    for number, mode in enumerate(modes[:6]):
        scene.session.selection.select_keys({Y: np.array([number])})
        scene.commands.set_mode(mode)
    with PINS.together("stamped") as note:
        for keys, bright, ratio in itertools.product(
            ({}, *SELECTIONS.values()), ((), (0,), (1, 2)), (1.0, 1.5)
        ):
            scene.session.selection.select_keys(keys)
            note(
                *stamped(scene, looks(scene, bright), ratio),
                *stamped(scene, looks(scene, bright), ratio, 130, 3),
            )
        for hovered in ((Lane(X), 2), (Lane(X), 99), (Lane(Z), 0), (Lane(TURN, 1), 1)):
            scene.pointer.hovered = hovered
            scene.session.selection.select_keys({X: np.array([2])})
            note(*stamped(scene, looks(scene)))
        scene.pointer.hovered = None
        scene.view.set_axes(scene.axes[0].zoomed(0.02, 400.0), scene.axes[1])
        note(*stamped(scene, looks(scene)))
        scene.view.set_axes(scene.axes[0].zoomed(3.0, 400.0), scene.axes[1])
        note(*stamped(scene, looks(scene)))
        scene.view.set_axes(*scene.axes)
        for most in (2, 10, 30):
            monkeypatch.setattr(key_image, "MOST_KEYS", most)
            for keys in SELECTIONS.values():
                scene.session.selection.select_keys(keys)
                note(*stamped(scene, looks(scene)), *stamped(scene, looks(scene), 2.0, 40, 2))
        monkeypatch.setattr(key_image, "CROWDED", 0.002)
        note(*stamped(scene, looks(scene)))


def test_the_key_under_the_pointer_is_larger_and_in_the_colour_of_its_curve(scene) -> None:
    words = np.full((400, 800), 0xFF101010, np.uint32)
    scene.session.selection.select_keys({})
    scene.pointer.hovered = (Lane(X), 2)
    KeyImage(scene.model, SimpleNamespace(tokens=TOKENS)).stamp(words, looks(scene), 1.0)
    xs, ys = scene.view.key_places(scene.lanes.curve(Lane(X)), slice(2, 3))
    assert words[int(ys[0]), int(xs[0])] == 0xFFFF0000
    scene.pointer.hovered = None
    other = np.full((400, 800), 0xFF101010, np.uint32)
    KeyImage(scene.model, SimpleNamespace(tokens=TOKENS)).stamp(other, looks(scene), 1.0)
    differs = np.argwhere(words != other)
    assert len(differs) and (np.abs(differs - [ys[0], xs[0]]).max(axis=1) <= 9.0).all()


# ------------------------------------------------------------ what is drawn again
def test_only_columns_that_a_drag_has_touched_are_drawn_again(scene) -> None:
    scene.again({X: np.array([3])})
    dirty, (x, y) = DirtyColumns(scene.model), _key(scene, 3)
    assert dirty.columns("look", 800, 1.0) == (0, 800)
    with PINS.together("dirty") as note:
        note(
            dirty.columns("look", 800, 1.0), dirty.columns("look", 800, 1.5), dirty.columns("other", 800, 1.0)
        )
        scene.pointer.hovered = (Lane(Y), 5)
        note(dirty.columns("other", 800, 1.0))
        scene.pointer.hovered = None
        scene.pointer.press(Pointer(x, y, Button.LEFT))
        note(dirty.columns("other", 800, 1.0))
        for step in (10.0, 25.0, -40.0):
            scene.model.gestures.move(Pointer(x + step, y + 5.0, Button.LEFT))
            note(dirty.columns("other", 800, 1.0), dirty.columns("other", 800, 2.0))
        scene.model.gestures.release(Pointer(x, y, Button.LEFT))
        note(dirty.columns("other", 800, 1.0))
        scene.session.selection.select_keys({})
        note(dirty.columns("other", 800, 1.0), dirty.columns("other", 800, 1.0))
    scene.session.selection.select_keys({X: np.array([3])})
    dirty.columns("look", 800, 1.0)
    first, last = dirty.columns("look", 800, 1.0)
    places = [h.place[0] for h in scene.view.handles()]
    assert first % GRID == last % GRID == 0 and max(places) - min(places) <= 2.0 * HANDLE
    low, high = min(places) - PAD, max(places) + PAD
    assert low - GRID < first <= low and high <= last < high + GRID


def _key(scene: Scene, number: int) -> tuple[float, float]:
    xs, ys = scene.view.key_places(scene.lanes.curve(Lane(X)), slice(number, number + 1))
    return float(xs[0]), float(ys[0])


# ------------------------------------------------------------ the value axis
def test_value_axes_fit_zoom_and_are_marked() -> None:
    with PINS.together("axes") as note:
        for low, scale, height in itertools.product(
            (-3.0, np.nan, 100.0), (0.02, 37.0, np.inf), (0.0, 240.0)
        ):
            axis = ValueAxis(low, scale, height)
            note(
                axis.low, axis.high, axis.scale, axis.y(1.5), axis.ys(np.array([0.0, 2.0])), axis.value(30.0)
            )
            for made in (axis.zoomed(1.7, 50.0), axis.panned(12.0), axis.fitted(-2.0, 5.0), axis.fitted(3.0, 3.0),
                         axis.fitted(0.0, 0.0, 90.0), axis.fitted(-9.0, -9.0)):  # fmt: skip
                note(made.low, made.scale)
            note(value_ticks(ValueAxis(low, 37.0, 240.0))[0], value_ticks(ValueAxis(-3.0, 37.0, 240.0), 50.0))
    for scale, step in (
        (44.0, 0.5),
        (43.9, 1.0),
        (220.0, 0.1),
        (22.0, 1.0),
        (11.0, 2.0),
        (2.2, 10.0),
        (2.1, 20.0),
    ):
        assert value_ticks(ValueAxis(-3.0, scale, 240.0))[0] == pytest.approx(step)
    assert ValueAxis().fitted(-2.0, 5.0).value(20.0) == pytest.approx(5.0)
    assert ValueAxis().zoomed(2.0, 70.0).value(70.0) == pytest.approx(ValueAxis().value(70.0))


def test_layouts_bring_curves_onto_one_axis(scene) -> None:
    alone = Curve(Lane(X), scalar_track([0.0], [7.0]), np.array([7.0]))
    small = Curve(Lane(X), scalar_track([0.0], [-0.2]), np.array([-0.2]))
    curves = [*scene.lanes.curves(), curve(np.array([0.0, 1.0])), alone, small]
    for layout in (Layout.NORMALISED, Layout.STACKED):
        for number, (one, fit) in enumerate(zip(curves, fits_for(layout, curves), strict=True)):
            values = one.line[1] if one.line is not None else one.values
            low, high = fit.on(float(np.min(values))), fit.on(float(np.max(values)))
            middle, half = (-(number + 0.5), 0.4) if layout is Layout.STACKED else (0.0, 1.0)
            assert (low + high) / 2.0 == pytest.approx(middle, abs=1e-9)
            assert high - low == pytest.approx(2.0 * half if len(np.unique(values)) > 1 else 0.0)
            assert fit.back(fit.on(3.25)) == pytest.approx(3.25)
            if len(np.unique(values)) == 1:
                assert fit.factor == pytest.approx(half / max(abs(float(values[0])), 1.0))
    assert Fit(2.0, 1.0).on(3.0) == 7.0 and Fit(2.0, 1.0).back(7.0) == 3.0
