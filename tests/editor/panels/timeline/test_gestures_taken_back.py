"""What Esc takes back in the timeline: panning, the play range, boxes; and the button that lets a walk travel."""

import pytest

from tests.editor.panels.timeline.test_timeline_by_hand import ROW_X, Scene, X
from tests.editor.user import MIDDLE, SHIFT


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def look(scene) -> tuple:
    return scene.model.view.axis, scene.model.view.scroll


def test_panning_given_up_shows_what_was_shown(scene) -> None:
    before = look(scene)
    start, end = (420.0, 150.0), (300.0, 120.0)
    scene.user.drag(scene.view, start, end, button=MIDDLE, release=False)
    assert look(scene)[0] != before[0]
    scene.user.press("Esc")
    assert look(scene) == before
    scene.user.release_mouse(end, button=MIDDLE)
    assert look(scene) == before


@pytest.mark.parametrize("edge", ["start", "end"])
def test_dragged_range_given_up_is_the_range_of_before(scene, edge: str) -> None:
    playback = scene.session.playback
    playback.set_range(0.5, 1.5)
    scene.user.settle()
    before = playback.range
    from editor.tools.play_range import DragRange, RangeEdge
    from editor.tools.pointer import Pointer

    gesture = DragRange(playback, RangeEdge(edge), scene.model.pointer._time_at)
    gesture.begin(Pointer(*scene.ruler(15)))
    gesture.move(Pointer(*scene.ruler(30)))
    assert playback.range == pytest.approx((1.0, 1.5) if edge == "start" else (0.5, 1.0))
    gesture.cancel()
    assert playback.range == before
    playback.set_range(None)
    gesture = DragRange(playback, RangeEdge(edge), scene.model.pointer._time_at)
    gesture.move(Pointer(*scene.ruler(30)))
    gesture.cancel()
    assert playback.range is None


def test_a_box_given_up_leaves_the_selection_as_it_was(scene) -> None:
    scene.user.click(scene.view, scene.at(ROW_X, 20))
    before = {c: k.tolist() for c, k in scene.session.selection.keys.items()}
    assert before == {X: [1]}
    x, y = scene.at(ROW_X, 30)
    scene.user.drag(scene.view, (x, y), (scene.x(50), y + 30), modifiers=SHIFT, release=False)
    scene.user.press("Esc")
    scene.user.release_mouse((scene.x(50), y + 30), modifiers=SHIFT)
    assert {c: k.tolist() for c, k in scene.session.selection.keys.items()} == before


def test_the_walking_person_lets_the_character_travel_and_keeps_it_again(scene) -> None:
    playback = scene.session.playback
    for _ in range(2):
        before = playback.in_place
        button = scene.user.find("transportWalk")
        assert button.isChecked() is not before  # pressed: it travels
        scene.user.click("transportWalk")
        assert playback.in_place is not before
        assert button.isChecked() is not playback.in_place


def test_speed_and_loop_buttons_say_what_is_in_force(scene) -> None:
    playback, seen = scene.session.playback, []
    scene.user.type_into("transportSpeed", "=0.5")
    assert playback.speed == 0.5
    for _ in range(3):
        scene.user.click("transportLoop")
        seen.append(playback.loop)
    assert len(set(seen)) == 3
