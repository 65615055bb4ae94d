"""Keys at the edges of the plot are drawn as far as they lie in it; keys that crowd, to the key."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.tracks.keys import scalar_track
from editor.panels.curves import key_image
from editor.panels.curves.key_image import KEY_GAP, KeyImage
from editor.panels.curves.space import ValueAxis
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import X, Y
from tests.editor.panels.curves.test_curves_without_window import Scene
from tests.editor.panels.curves.test_pictures_of_curves import TOKENS, looks

GROUND = 0xFF101010
TIMES = np.array([0.5, 1.0, 1.5])


@pytest.fixture
def scene():
    made = Scene()
    made.lanes.set_flag("hidden", ())
    keys(made, TIMES)
    made.view.resize(800.0, 200.0)
    yield made
    made.close()


def keys(scene: Scene, times: np.ndarray, other: np.ndarray | None = None) -> None:
    tracks = {X: scalar_track(times, np.zeros(len(times)))}
    if other is not None:
        tracks[Y] = scalar_track(other, np.ones(len(other)))
    scene.session.edits.put("keys", replace(scene.session.clip, length=9.0, tracks=tracks, curves={}))


def shown(scene: Scene, start: float, scale: float = 100.0) -> None:
    axis = replace(scene.view.axis, start=start, scale=scale)
    scene.view.set_axes(axis, ValueAxis(-1.0, 50.0, 200.0))


def drawn(scene: Scene, bright=(), ratio: float = 1.0, left: int = 0) -> np.ndarray:
    """Where the picture is no longer as it was."""
    words = np.full((round(200 * ratio), round(800 * ratio)), GROUND, np.uint32)
    KeyImage(scene.model, SimpleNamespace(tokens=TOKENS)).stamp(words, looks(scene, bright), ratio, left)
    return words != GROUND


@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_key_beside_the_plot_is_drawn_as_far_as_it_lies_in_it(scene, chosen, ratio) -> None:
    keys(scene, TIMES[1:2])
    if chosen:
        scene.session.selection.select_keys({X: np.array([0])})
    shown(scene, -3.0025)  # the whole glyph, in the middle
    whole = drawn(scene, ratio=ratio)
    rows, columns = np.nonzero(whole)
    assert rows.min() > 0 and columns.max() - columns.min() >= 8 * ratio
    for moved in (-6, -4, -2, -1, 0, 1, 3, 7):
        for edge in (400.0, -400.0 + 1.0 / ratio):  # the key at the left edge, at the right one
            pixels = edge + moved
            shown(scene, -3.0025 + pixels / 100.0)
            by = round(pixels * ratio)
            wanted = np.zeros_like(whole)
            if by >= 0:
                wanted[:, : whole.shape[1] - by] = whole[:, by:]
            else:
                wanted[:, -by:] = whole[:, :by]
            found = drawn(scene, ratio=ratio)
            assert np.array_equal(found, wanted), (moved, edge)
            assert wanted.any() or abs(moved) >= 4


def test_a_part_of_the_picture_is_cut_out_of_the_whole(scene) -> None:
    shown(scene, 0.0)
    whole = drawn(scene)
    for left in (0, 47, 52, 100):
        part = drawn(scene, left=left)
        assert np.array_equal(part[:, : 800 - left], whole[:, left:])


@pytest.mark.parametrize(("gap", "seen"), [(KEY_GAP - 0.01, False), (KEY_GAP, True), (KEY_GAP + 1.0, True)])
def test_keys_that_stand_too_close_are_left_out_but_selected_ones(scene, gap, seen) -> None:
    times = 1.0 + np.arange(5) * 0.5
    keys(scene, times)
    shown(scene, -1.0, gap / 0.5)
    assert drawn(scene).any() == seen
    scene.session.selection.select_keys({X: np.array([2])})
    assert drawn(scene).any()
    scene.session.selection.select_keys({})
    keys(scene, times[:1])
    shown(scene, -1.0, gap / 0.5)
    assert drawn(scene).any()


def test_of_many_curves_those_that_stand_out_have_their_keys(scene, monkeypatch) -> None:
    keys(scene, TIMES, TIMES + 0.2)
    shown(scene, 0.0)
    assert [look.curve.lane for look in looks(scene)] == [Lane(X), Lane(Y)]
    both, first, second = drawn(scene), drawn(scene, (0,)), drawn(scene, (1,))
    assert np.array_equal(both, first | second) and not (first & second).any()
    assert first.any() and second.any()
    for most, every, one in ((6, True, True), (5, False, True), (3, False, True), (2, False, False)):
        monkeypatch.setattr(key_image, "MOST_KEYS", most)
        assert drawn(scene).any() == every and drawn(scene, (0,)).any() == one
    shown(scene, 1.1)  # of the keys in sight: X at 1.5, Y at 1.2 and 1.7
    for most, every, one in ((3, True, True), (2, False, True), (1, False, True), (0, False, False)):
        monkeypatch.setattr(key_image, "MOST_KEYS", most)
        assert drawn(scene).any() == every and drawn(scene, (0,)).any() == one


def test_a_great_many_selected_keys_are_crosses(scene, monkeypatch) -> None:
    keys(scene, TIMES)
    shown(scene, 0.0)
    scene.session.selection.select_keys({X: np.arange(3)})
    glyphs = drawn(scene)
    monkeypatch.setattr(key_image, "MOST_KEYS", 6)
    assert np.array_equal(drawn(scene), glyphs)
    monkeypatch.setattr(key_image, "MOST_KEYS", 5)
    scene.session.selection.select_keys({X: np.arange(3)})
    words = np.full((200, 800), GROUND, np.uint32)
    image = KeyImage(scene.model, SimpleNamespace(tokens=TOKENS))
    found = looks(scene)
    image._mark(words, [(found[0], np.arange(3))], 1.0)
    marked = np.argwhere(words == 0xFFFFAA00)
    y = int(scene.view.values.y(0.0))
    expected = {
        (y + dy, x + dx) for x in (50, 100, 150) for dy, dx in ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))
    }
    assert {tuple(map(int, place)) for place in marked} == expected


def test_crosses_end_before_the_edges_of_the_picture(scene) -> None:
    image, seen = KeyImage(scene.model, SimpleNamespace(tokens=TOKENS)), {}
    for x in (0, 1, 2, 797, 798, 799):
        keys(scene, np.array([1.0]))
        shown(scene, 1.0 - (x + 0.25) / 100.0)
        words = np.full((200, 800), GROUND, np.uint32)
        image._mark(words, [(looks(scene)[0], np.array([0]))], 1.0)
        seen[x] = int((words != GROUND).sum())
    assert seen == {0: 0, 1: 5, 2: 5, 797: 5, 798: 5, 799: 0}
    for y in (0, 1, 198, 199):
        keys(scene, np.array([1.0]))
        scene.view.set_axes(
            replace(scene.view.axis, start=0.0, scale=100.0), ValueAxis((y + 0.5) / 50.0 - 4.0, 50.0, 200.0)
        )
        words = np.full((200, 800), GROUND, np.uint32)
        image._mark(words, [(looks(scene)[0], np.array([0]))], 1.0)
        assert int((words != GROUND).sum()) == (5 if 0 < y < 199 else 0), y
