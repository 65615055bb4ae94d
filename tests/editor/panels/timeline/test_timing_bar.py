"""The timing bar: shown by a key, its slider dragged, cancelled and undone, numbers typed, every mode by hand."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from core.clips.clip import Channel
from core.project.project import Project
from core.tracks.evaluate import evaluate_scalar
from editor.model.timing_state import TimingState
from editor.tools import shaping
from editor.tools.shaping import MODES
from tests.editor.panels.timeline.test_timeline_by_hand import ROW_X, Scene, X, Y
from tests.editor.user import CTRL, RIGHT

MIDDLE = 7.0
"""Pixels from the slider's top to the middle of its trough."""


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    made.user.press("Ctrl+B")
    yield made
    made.session.switches.set("timing_bar", False)
    made.session.preferences.reset("timing_mode")
    made.session.preferences.reset("timing_frames")
    made.stage.close(qapp)


def choose(scene, mode: str) -> None:
    """By the list, as a person does with the keyboard in it."""
    box = scene.panel.timing.modes
    box.setFocus()
    wanted = list(MODES).index(mode)
    for _ in range(len(MODES)):
        now = list(MODES).index(box.currentData())
        if now == wanted:
            break
        scene.user.press("Down" if now < wanted else "Up")
    assert scene.session.feature(TimingState).mode == mode


def place(scene, value: float) -> tuple[float, float]:
    slider = scene.panel.timing.slider
    return slider.x_of(value), MIDDLE


def slide(scene, value: float, **more) -> None:
    slider = scene.panel.timing.slider
    scene.user.drag(slider, place(scene, slider.share), place(scene, value), **more)


def values(scene, channel: Channel = X) -> list[float]:
    return scene.session.clip.tracks[channel].values.tolist()


def chosen(scene, number: int = 1) -> None:
    """Click the key of a number in the row of X."""
    scene.user.click(scene.view, scene.at(ROW_X, scene.frames(X)[number]))


def test_a_key_and_a_button_show_and_hide_the_bar_and_it_is_remembered(scene) -> None:
    assert scene.user.visible("timingBar")
    scene.user.click("timingHide")
    assert not scene.user.visible("timingBar")
    assert scene.session.preferences.get("switches")["timing_bar"] is False
    scene.user.click("timing.bar")
    assert scene.user.visible("timingBar")
    assert scene.session.preferences.get("switches")["timing_bar"] is True


def test_a_mode_of_the_opened_list_takes_a_number_at_once(scene) -> None:
    """A number after the list is the mode's, no shortcut of the window; arrow keys go on through the list."""
    chosen(scene)
    box = scene.panel.timing.modes
    scene.user.press("Down", box)
    scene.user.click(box)
    scene.user.wait_until(box.view().isVisible, "the list did not open")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(box.view(), key)
    scene.user.settle()
    assert box.currentData() == "tween"
    was = values(scene)
    scene.user.type("100")
    scene.user.press("Return")
    assert values(scene)[1] == was[2]
    choose(scene, "smooth")
    assert box.hasFocus()


def test_tween_dragged_to_its_ends_gives_the_neighbours_and_is_one_step(scene) -> None:
    chosen(scene)
    before, was = scene.session.clip, values(scene)
    position = scene.session.history.position
    seen = []
    drop = scene.session.preview.changed.connect(lambda _: seen.append(scene.session.evaluator.clip))
    slide(scene, 100.0)
    drop()
    assert len(seen) > 4  # live
    assert values(scene)[1] == was[2]
    assert scene.session.history.position == position + 1
    assert scene.session.history.labels[-1] == "Tween 100 %: 1 key"
    slide(scene, 0.0)
    assert values(scene)[1] == was[0]
    scene.user.press("Ctrl+Z")
    scene.user.press("Ctrl+Z")
    assert scene.session.clip is before
    scene.user.press("Ctrl+Shift+Z")
    assert values(scene)[1] == was[2]


@pytest.mark.parametrize("how", ["Esc", "right button"])
def test_a_drag_that_is_cancelled_restores_everything_bit_for_bit(scene, how: str) -> None:
    chosen(scene)
    before, position = scene.session.clip, scene.session.history.position
    slide(scene, 130.0, release=False)
    assert scene.session.evaluator.clip is not before and scene.session.clip is before
    if how == "Esc":
        scene.user.press("Esc")
    else:
        scene.user.click(scene.panel.timing.slider, place(scene, 130.0), button=RIGHT)
    assert scene.session.evaluator.clip is before
    scene.user.release_mouse(place(scene, 130.0))
    assert scene.session.clip is before and scene.session.history.position == position
    assert not scene.session.preview.active


@pytest.mark.parametrize("how", ["Esc", "right button"])
def test_a_drag_of_the_number_that_is_cancelled_leaves_everything(scene, how: str) -> None:
    choose(scene, next(mode for mode, found in MODES.items() if found.neutral is not None))
    chosen(scene)
    before, position = scene.session.clip, scene.session.history.position
    number = scene.panel.timing.number
    start, neutral = QPointF(number.rect().center()), number.value
    end = start + QPointF(40.0, 0.0)
    scene.user.drag(number, start, end, release=False)
    assert scene.session.evaluator.clip is not before and number.value != neutral
    if how == "Esc":
        scene.user.press("Esc")
    else:
        scene.user.click(number, end, button=RIGHT)
    assert scene.session.evaluator.clip is before
    scene.user.release_mouse(end)
    assert scene.session.clip is before and scene.session.history.position == position
    assert not scene.session.preview.active and number.value == neutral


def test_ctrl_steps_by_five_and_the_number_tells_where_it_is(scene) -> None:
    chosen(scene)
    choose(scene, "tween_neighbour")
    slide(scene, 63.3, modifiers=CTRL, release=False)
    assert scene.panel.timing.slider.share % 5 == 0
    assert scene.panel.timing.number.value == scene.panel.timing.slider.share
    scene.user.press("Esc")
    assert scene.panel.timing.number.value == 0.0


def test_a_number_is_typed_after_the_key_of_tween(scene) -> None:
    chosen(scene)
    was = values(scene)
    scene.user.press("Ctrl+T")
    scene.user.type("25")
    scene.user.press("Return")
    assert values(scene)[1] == pytest.approx(was[0] + 0.25 * (was[2] - was[0]))
    assert scene.session.history.labels[-1] == "Tween 25 %: 1 key"


def test_without_selected_keys_the_selected_bone_gets_a_breakdown_at_the_playhead(scene) -> None:
    frames = scene.frames(X)
    between = round((frames[0] + frames[1]) / 2)
    scene.user.click(scene.view, scene.ruler(between))
    was = values(scene)
    slide(scene, 100.0)
    assert scene.frames(X) == sorted([*frames, float(between)])
    assert values(scene)[1] == was[1] and values(scene, Y)[1] == pytest.approx(values(scene, Y)[2])
    scene.user.press("Ctrl+Z")
    assert scene.frames(X) == frames


def test_nothing_to_work_on_is_said_and_the_slider_does_not_start(scene) -> None:
    scene.session.selection.clear()
    before = scene.session.clip
    slide(scene, 100.0)
    assert scene.session.clip is before and "select keys" in scene.session.messages.latest.text.lower()


@pytest.mark.parametrize("mode", [m for m in MODES if m not in ("cascade", "follow", "blend_buffer")])
def test_every_mode_changes_the_selected_keys_alone_in_one_step_and_is_undone(scene, mode: str) -> None:
    chosen(scene, 2)  # no other is off the line between its neighbours
    before, was = scene.session.clip, values(scene)
    if mode in ("scale_average", "scale_first", "scale_last"):  # of one key there is nothing to scale
        scene.user.press("Ctrl+A")
    choose(scene, mode)
    slide(scene, -80.0 if mode in ("tween_neighbour", "push_pull") else 80.0)
    after = scene.session.clip
    assert after is not before, mode
    assert after.tracks[X].times.tolist() == before.tracks[X].times.tolist()
    assert after.notifies is before.notifies and after.length == before.length
    if not mode.startswith("scale"):
        assert {c for c, t in after.tracks.items() if t is not before.tracks[c]} == {X}
        assert values(scene)[:2] == was[:2] and values(scene)[3] == was[3]
    scene.user.press("Ctrl+Z")
    assert scene.session.clip is before


def test_blend_to_buffer_goes_back_to_the_curves_that_were_kept(scene) -> None:
    chosen(scene)
    was = values(scene)
    choose(scene, "blend_buffer")
    slide(scene, 50.0)
    assert "buffer" in scene.session.messages.latest.text
    scene.user.click("timing.keep_buffer")
    choose(scene, "tween")
    slide(scene, 150.0)
    assert values(scene)[1] != was[1]
    choose(scene, "blend_buffer")
    slide(scene, 100.0)
    assert values(scene) == was


def test_locked_bones_are_left_out_with_a_word(scene) -> None:
    chosen(scene)
    scene.session.selection.set_flag("locked", ["upper_arm_l"])
    before = scene.session.clip
    slide(scene, 100.0)
    assert scene.session.clip is before and "lock" in scene.session.messages.latest.text.lower()


def test_cascade_offsets_the_bones_of_a_chain_frame_by_frame(scene) -> None:
    session = scene.session
    session.selection.select_keys({})
    session.selection.select(["upper_arm_l", "lower_arm_l"])
    scene.user.settle()
    before = session.clip
    low = next(c for c in before.tracks if c.bone == "lower_arm_l")
    choose(scene, "cascade")
    slide(scene, 4.0)
    after = session.clip
    assert after.tracks[X] is before.tracks[X]
    probe = np.linspace(0.3, 1.7, 8)
    assert evaluate_scalar(after.tracks[low], probe + 4 / 30) == pytest.approx(
        evaluate_scalar(before.tracks[low], probe), abs=1e-9
    )
    assert session.history.labels[-1] == "Cascade 4 f: 1 bone"
    scene.user.press("Ctrl+Z")
    assert session.clip is before


def test_frames_of_the_bar_are_what_its_buttons_use(scene) -> None:
    chosen(scene)
    was = scene.frames(X)
    scene.user.type_into("timingFrames", "3")
    scene.user.click("timing.nudge_later")
    assert scene.frames(X)[1] == was[1] + 3
    scene.user.click("timing.nudge_earlier")
    scene.user.click(scene.view, scene.ruler(was[0] + 1))
    scene.user.click("timing.insert_frames")
    assert scene.frames(X)[1] == pytest.approx(was[1] + 3)
    scene.user.click("timing.remove_frames")
    assert scene.frames(X)[1] == pytest.approx(was[1])


def test_another_edit_during_a_drag_ends_it_without_effect(scene) -> None:
    chosen(scene)
    slide(scene, 120.0, release=False)
    scene.session.clips.set_length(scene.session.clip.id, 3.0)
    changed = scene.session.clip
    scene.user.release_mouse(place(scene, 120.0))
    assert scene.session.clip is changed and not scene.session.preview.active


def test_with_very_many_keys_the_release_computes_beside_the_window(scene, monkeypatch) -> None:
    monkeypatch.setattr(shaping, "AT_ONCE", 2)
    chosen(scene, 2)
    before, was = scene.session.clip, values(scene)
    slide(scene, 100.0, release=False)
    assert scene.session.evaluator.clip is before and "release" in scene.stage.notes.hint
    scene.user.release_mouse(place(scene, 100.0))
    scene.user.wait_until(lambda: scene.session.clip is not before)
    assert values(scene)[2] == was[3]
    scene.user.press("Ctrl+Z")
    assert scene.session.clip is before


def test_follow_through_lets_an_arm_trail_and_is_previewed_cancelled_and_undone(scene) -> None:
    session, user = scene.session, scene.user
    session.selection.select(["upper_arm_l", "lower_arm_l", "hand_l"])
    choose(scene, "follow")
    before = session.clip
    slide(scene, 6.0, release=False)
    shown = session.evaluator.clip
    assert shown is not before and len(shown.bones()) >= len(before.bones())
    user.press("Esc")
    user.release_mouse(place(scene, 6.0))
    assert session.clip is before and session.evaluator.clip is before
    slide(scene, 6.0)
    after = session.clip
    assert session.history.labels[-1] == "Follow-through 6 f: 2 bones"
    assert after.tracks[X] is before.tracks[X] and any(c.bone == "hand_l" for c in after.tracks)
    assert session.undo() and session.clip is before and session.redo() and session.clip is after


def test_without_a_clip_nothing_of_the_bar_can_be_set(scene) -> None:
    bar = scene.panel.timing
    parts = (bar.modes, bar.slider, bar.number)
    assert all(part.isEnabled() for part in parts)
    scene.session.document.replace(Project(), None)
    scene.user.settle()
    assert not any(part.isEnabled() for part in parts)


@pytest.mark.parametrize("mode", ["tween", "tween_neighbour"])
def test_a_number_that_was_typed_goes_back_to_the_neutral_one_of_its_mode(scene, mode: str) -> None:
    chosen(scene)
    choose(scene, mode)
    before = scene.session.clip
    scene.user.type_into(scene.panel.timing.number, "75")
    assert scene.session.clip is not before
    assert scene.panel.timing.number.value == MODES[mode].neutral
