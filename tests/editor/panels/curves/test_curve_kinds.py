"""Float curves, quaternions, buffers and operations in the curve editor."""

import numpy as np
import pytest

from core.tracks.components import to_angles
from core.tracks.keys import Extrapolation, Interpolation, ScalarTrack
from editor.tools.curves.lanes import Lane, curve_channel
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z, pixels, shifted
from tests.editor.user import SHIFT


# ---------------------------------------------------------------- other kinds of curve
def test_float_curve_is_edited_in_the_same_place(stage):
    blink = curve_channel("blink")
    stage.only(blink)
    place = stage.key_place(blink, 1)
    stage.user.drag(stage.canvas, place, shifted(place, 0, 40))
    assert stage.clip.curves["blink"].values[1] < 1.0
    stage.session.undo()
    assert stage.clip.curves["blink"].values[1] == 1.0


def test_quaternion_angle_is_dragged_without_becoming_euler(stage):
    stage.show("hand")
    stage.only(TURN)
    before = stage.track(TURN)
    place = stage.key_place(TURN, 2, part=1)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -30))
    after = stage.track(TURN)
    rest = np.array([0.0, 0.0, 0.0, 1.0])
    change = to_angles(after.values, rest) - to_angles(before.values, rest)
    assert change[2, 1] == pytest.approx(pixels(stage, TURN, 0, -30)[1], abs=1e-6)
    assert np.abs(np.delete(change.ravel(), 7)).max() < 1e-9
    stage.session.undo()
    assert stage.track(TURN) is before


def test_quaternion_keys_say_why_they_have_no_handles(stage):
    stage.show("hand")
    stage.session.selection.select_keys({TURN: [1]})
    stage.user.settle()
    assert not stage.panel.fields.into.isEnabled()
    assert "no slopes or handles" in stage.panel.fields.into.toolTip()


def test_quaternion_segments_change_kind_by_the_tangent_keys(stage):
    stage.show("hand")
    stage.user.click(stage.canvas, stage.key_place(TURN, 1))
    stage.user.press("6")
    assert stage.track(TURN).interpolations[1] == Interpolation.CONSTANT
    stage.user.press("1")
    assert stage.track(TURN).interpolations[1] == Interpolation.CUBIC


# ---------------------------------------------------------------- buffer, extrapolation, operations
def test_buffer_keeps_the_old_shape_and_swaps_it_back(stage):
    before, place = stage.track(X), stage.key_place(X, 3)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -60))
    after = stage.track(X)
    assert stage.model.lanes.ghosts()[Lane(X)].track is before
    stage.user.click("curvesSwap")
    assert same_shape(stage.track(X), before)
    assert same_shape(stage.model.lanes.ghosts()[Lane(X)].track, after)
    stage.user.click("curvesSwap")
    assert same_shape(stage.track(X), after) and not same_shape(after, before)


def same_shape(one: ScalarTrack, other: ScalarTrack) -> bool:
    """Whether keys and slopes are equal; an edit may give equal columns one array."""
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("times", "values", "in_slopes", "out_slopes")
    )


def test_extrapolation_is_set_by_side(stage):
    stage.model.lanes.set_flag("chosen", [Lane(X)])
    stage.panel.commands.set_extrapolation(None, Extrapolation.CYCLE_OFFSET)
    assert (stage.track(X).before, stage.track(X).after) == (Extrapolation.HOLD, Extrapolation.CYCLE_OFFSET)


@pytest.mark.parametrize(
    ("entry", "side"), [("Before the first key", "before"), ("After the last key", "after")]
)
def test_extrapolation_of_the_menu_is_of_its_side(stage, entry, side):
    stage.session.selection.select_keys({X: [2]})
    stage.user.click(stage.panel.mode_button)
    stage.user.choose_in_popup(entry)
    stage.user.choose_in_popup("Cycle")
    other = {"before": "after", "after": "before"}[side]
    assert getattr(stage.track(X), side) is Extrapolation.CYCLE
    assert getattr(stage.track(X), other) is Extrapolation.HOLD


@pytest.mark.parametrize("button", ["curvesApply", "curvesCancel"])
def test_the_plot_has_the_keyboard_again_after_an_operation(stage, button):
    stage.session.selection.select_keys({X: [2, 3, 4]})
    stage.panel.begin("scale_average")
    stage.user.type_into("curvesParameter_amount", "-100")
    assert not stage.plot.hasFocus()
    pictures = [stage.user.picture(stage.user.find(name)) for name in ("curvesApply", "curvesCancel")]
    apply, cancel = (picture[picture.shape[0] // 2, 5].tolist() for picture in pictures)
    assert apply != cancel, "what Enter does stands out"
    stage.user.click(button)
    assert stage.panel.strip is None and stage.plot.hasFocus()


def test_operation_previews_live_and_escape_takes_it_back(stage):
    before = stage.clip
    stage.session.selection.select_keys({X: [2, 3, 4]})
    stage.panel.begin("scale_average")
    stage.user.settle()
    stage.user.type_into("curvesParameter_amount", "-100")
    assert stage.session.preview.clip is not None and stage.clip is before
    stage.user.move(stage.canvas, (60, 60))
    stage.plot.setFocus()
    stage.user.press("Esc")
    assert stage.session.preview.clip is None and stage.clip is before and stage.panel.strip is None


def test_operation_applied_is_one_named_step(stage):
    stage.session.selection.select_keys({X: [2, 3, 4]})
    stage.panel.begin("scale_average")
    stage.user.settle()
    stage.user.type_into("curvesParameter_amount", "-100")
    stage.user.click("curvesApply")
    assert np.ptp(stage.track(X).values[2:5]) < 1e-9
    assert stage.session.history.labels[-1] == "Scale from average"


@pytest.mark.parametrize(
    "operation", ["to_quaternion", "reduce_world", "gaussian", "butterworth", "euler_filter"]
)
def test_operations_without_selected_keys_work_on_the_curves_shown(stage, operation):
    stage.only(X, Y, Z)
    stage.panel.begin(operation)
    stage.user.settle()
    note = stage.panel.strip.run.note
    stage.user.click("curvesApply")
    if operation == "to_quaternion":
        assert stage.clip.rotation("arm") is not None and "error" in note
    if operation == "reduce_world":
        assert "mm" in note
    assert stage.panel.strip is None


def test_converting_keeps_keys_on_their_frames_until_more_are_asked_for(stage):
    before = {float(t) for c in (X, Y, Z) for t in stage.track(c).times}
    stage.only(X, Y, Z)
    stage.panel.begin("to_quaternion")
    stage.user.settle()
    stage.user.wait_until(lambda: not stage.panel.strip.run.busy)
    stage.user.click("curvesApply")
    assert set(stage.clip.rotation("arm").times) <= before
    stage.user.press("Ctrl+Z")
    stage.only(X, Y, Z)
    stage.panel.begin("to_quaternion")
    stage.user.settle()
    combo = stage.user.find("curvesParameter_places")
    combo.setFocus()
    stage.user.press("Down")
    stage.user.wait_until(lambda: not stage.panel.strip.run.busy)
    stage.user.click("curvesApply")
    frames = stage.clip.rotation("arm").times * stage.clip.rate.fps
    assert before <= set(stage.clip.rotation("arm").times) and np.abs(frames - np.round(frames)).max() < 1e-3


def test_linked_ends_follow_each_other_in_a_drag(stage):
    stage.loop()
    stage.panel.commands.link_ends()
    stage.user.settle()
    place = stage.key_place(X, 0)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -40), modifiers=SHIFT)
    track = stage.track(X)
    assert track.values[0] == pytest.approx(track.values[-1])
    assert track.out_slopes[0] == pytest.approx(track.in_slopes[-1])
    assert "Seam" in stage.panel.commands.seam_text()
