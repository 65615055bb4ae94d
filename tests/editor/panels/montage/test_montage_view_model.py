"""The montage panel without its widget: the wheel, where a drag snaps to, clips dropped."""

import pytest

from core.graph import montage_edits as edits
from core.ids import AssetId
from editor.model.montage.montages import Item, Montages
from editor.model.montage.rows import LABELS
from editor.panels.montage.view_model import REACH, MontageModel
from editor.tools.pointer import Modifiers
from tests.editor.tools.montage.test_montage_verbs import KICK, Scene, section, segment

FRAME = 1.0 / 30.0


@pytest.fixture
def scene():
    made = Scene()
    made.model = MontageModel(made.session)
    made.model.shown.set_size(900.0, 200.0)
    yield made
    made.model.close()
    made.preview.stop()
    made.session.close()


@pytest.mark.parametrize("steps", [1.0, -1.0, 2.0])
def test_the_wheel_zooms_where_the_pointer_is_and_alt_pans(scene, steps):
    model, shown = scene.model, scene.model.shown
    x = LABELS + 300.0
    time, scale = shown.time(x), shown.axis.scale
    model.wheel(x, 100.0, steps, Modifiers.NONE)
    assert shown.time(x) == pytest.approx(time) and (shown.axis.scale > scale) == (steps > 0.0)
    model.wheel(x, 100.0, -steps, Modifiers.NONE)
    assert shown.axis.scale == pytest.approx(scale)
    start = shown.axis.start
    model.wheel(x, 100.0, steps, Modifiers.ALT)
    assert shown.axis.scale == pytest.approx(scale)
    assert abs(shown.axis.start - start) * scale == pytest.approx(60.0 * abs(steps))
    model.wheel(x, 100.0, -steps, Modifiers.ALT)
    assert shown.axis.start == pytest.approx(start)


def test_the_wheel_scrolls_over_the_labels_and_with_shift(scene):
    for number in range(12):
        scene.verbs.add_track(f"slot {number}")
    shown = scene.model.shown
    for x, held in ((LABELS - 20.0, Modifiers.NONE), (LABELS + 90.0, Modifiers.SHIFT)):
        axis = shown.axis
        scene.model.wheel(x, 100.0, -1.0, held)
        assert shown.scroll == pytest.approx(44.0) and shown.axis == axis
        scene.model.wheel(x, 100.0, 9.0, held)
        assert shown.scroll == 0.0


def test_a_drag_snaps_to_edges_of_what_stays_and_to_the_playhead(scene):
    model = scene.model
    scene.preview.seek(0.71)
    model.shown.set_axis(model.shown.axis.zoomed(1.0, 0.0))
    near = 0.3 * REACH / model.shown.axis.scale
    for stop in (0.0, 0.71, 2.0, 3.0, 0.4, 1.2):
        assert model.snap()(stop + near) == pytest.approx(stop)
    moved, _ = edits.moved(scene.now, 0, 1, 2.255)
    scene.montages.put("moved", moved)
    assert model.snap()(2.255 + near) == pytest.approx(2.255)
    assert model.snap(segment(1))(2.255 + near) == pytest.approx(round((2.255 + near) * 30.0) / 30.0)
    scene.montages.put("section", edits.moved_section(scene.now, "kick", 1.711))
    assert model.snap()(1.711 + near) == pytest.approx(1.711)
    assert model.snap(section(1))(1.711 + near) != pytest.approx(1.711)


def test_what_is_dropped_lands_where_it_was_shown_and_what_is_no_clip_is_said(scene):
    model = scene.model
    model.drop = (0, 4.0)
    model.drop_clip(KICK)
    assert scene.placed()[-1] == (4.0, 5.0) and model.drop is None
    before = scene.now
    model.drop = (0, 6.0)
    model.drop_clip(AssetId("gone"))
    assert scene.now is before and "Only clips of this document" in scene.said[-1]


def test_without_a_slot_in_a_graph_it_is_said_where_to_add_one(scene):
    assert not scene.model.go_to_slot(0) and "UpperBody" in scene.said[-1]
    scene.said.clear()
    for track in (-1, 1):
        assert not scene.model.go_to_slot(track)
    assert not scene.said


def test_the_worst_of_an_item_is_told(scene):
    late, _ = edits.with_section(scene.now, 9.0, "late")
    scene.session.feature(Montages).put("late", late)
    assert scene.model.problem_of(section(2)) is not None
    assert scene.model.problem_of(section(0)) is None and scene.model.problem_of(segment(0)) is None
    assert scene.model.problem_of(Item(section(2).part, 1)) is None
