"""The dope sheet's own tools by mouse and keys: scaling, ripple, snapping, markers, rows, numbers, loops, menus."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QToolTip

from core.clips.clip import Channel, Marker, Notify, Property
from core.tracks.keys import TangentMode, scalar_track
from editor.panels.timeline.layout import EDGE
from editor.tools.curves.lanes import curve_channel, morph_channel
from tests.editor.panels.timeline.test_timeline_by_hand import BONE, ROW_X, TURN, Scene, X, Y
from tests.editor.user import ALT, CTRL, RIGHT, SHIFT

Z = X._replace(axis=2)
OTHER = Channel("upper_arm_r", Property.ROTATE, 0)


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def change(scene, **changes):
    scene.session.edits.put("prepare", replace(scene.session.clip, **changes))
    scene.user.settle()


def choose(scene, place, entry):
    scene.user.click(scene.view, place, button=RIGHT)
    scene.user.choose_in_popup(entry)


def row_y(scene, row):
    return scene.at(row, 0)[1]


# ---------------------------------------------------------------- scaling
def select_middle(scene):
    scene.user.click(scene.view, scene.at(ROW_X, 20))
    scene.user.click(scene.view, scene.at(ROW_X, 40), modifiers=SHIFT)


def test_edge_of_the_selection_scales_it_about_the_other_edge_in_one_step(scene):
    select_middle(scene)
    y = row_y(scene, TURN)
    before = scene.session.clip
    scene.user.drag(scene.view, (scene.x(40) + EDGE, y), (scene.x(50) + EDGE, y))
    assert scene.frames(X) == [0.0, 20.0, 50.0, 60.0] and scene.frames(Y) == [0.0, 20.0, 40.0, 60.0]
    assert scene.session.history.labels == ("Scale 2 keys 150 %",)
    assert scene.session.selection.keys[X].tolist() == [1, 2]
    scene.user.press("Ctrl+Z")
    assert scene.session.clip is before


def test_early_edge_scales_about_the_late_one_and_alt_about_the_middle(scene):
    select_middle(scene)
    y = row_y(scene, TURN)
    scene.user.drag(scene.view, (scene.x(20) - EDGE, y), (scene.x(10) - EDGE, y))
    assert scene.frames(X) == [0.0, 10.0, 40.0, 60.0]
    scene.user.drag(scene.view, (scene.x(40) + EDGE, y), (scene.x(45) + EDGE, y), modifiers=ALT)
    assert scene.frames(X) == [0.0, 5.0, 45.0, 60.0]


def test_scaling_given_up_leaves_the_clip_itself(scene):
    select_middle(scene)
    y, clip = row_y(scene, TURN), scene.session.clip
    scene.user.drag(scene.view, (scene.x(40) + EDGE, y), (scene.x(55) + EDGE, y), release=False)
    assert scene.session.evaluator.clip is not clip
    scene.user.press("Esc")
    scene.user.release_mouse((scene.x(55) + EDGE, y))
    assert scene.session.evaluator.clip is clip and scene.session.history.labels == ()
    assert scene.session.selection.keys[X].tolist() == [1, 2]


# ---------------------------------------------------------------- ripple and snapping
def test_ripple_moves_all_later_keys_of_the_clip_along(scene):
    """Rows of other bones, which are not shown, too: else the motion falls apart. Locked bones stay."""
    other = Channel("lower_arm_l", Property.ROTATE, 1)
    pelvis = Channel("pelvis", Property.TRANSLATE, 1)
    change(scene, notifies=(Notify("step", 0.5), Notify("land", 1.5)))
    scene.session.selection.set_flag("locked", ["pelvis"])
    scene.user.click("time.ripple")
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 25))
    assert scene.frames(X) == scene.frames(Y) == scene.frames(other) == [0.0, 25.0, 45.0, 65.0]
    assert scene.frames(pelvis) == [0.0, 60.0]
    assert [round(n.time * 30, 6) for n in scene.session.clip.notifies] == [15.0, 50.0]
    assert scene.session.history.labels[-1] == "Ripple key +5 f"
    scene.user.drag(scene.view, scene.at(ROW_X, 45), scene.at(ROW_X, 20))
    assert scene.frames(X) == [0.0, 20.0, 40.0]  # what stood in the time taken away is gone


def test_dragged_key_catches_on_a_marker_between_frames_unless_switched_off(scene):
    change(scene, markers=(Marker("beat", 29.4 / 30),))
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 29.3))
    assert scene.frames(X)[1] == pytest.approx(29.4)
    scene.user.press("Ctrl+Z")
    scene.session.switches.set("snap_markers", False)
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 29.3))
    assert scene.frames(X)[1] == pytest.approx(29.0)


def test_dragged_key_catches_on_keys_of_other_rows(scene):
    tracks = dict(scene.session.clip.tracks)
    tracks[Y] = scalar_track(np.array([0.0, 30.6, 60.0]) / 30.0, [0.0, 5.0, 0.0])
    change(scene, tracks=tracks)
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 30.7))
    assert scene.frames(X)[1] == pytest.approx(30.6)


# ---------------------------------------------------------------- markers
def test_marker_is_added_named_dragged_and_deleted(scene):
    user, session = scene.user, scene.session
    user.click(scene.view, scene.ruler(20))
    user.move(scene.view, (500, 120))
    user.press("M")
    assert user.visible("markerName")
    user.press("Ctrl+A")
    user.type("contact")
    user.press("Return")
    assert session.clip.markers == (Marker("contact", pytest.approx(20 / 30)),)
    assert session.history.labels == ("Add marker @ f20", "Rename marker marker to contact")
    lane = 24 + 7
    user.drag(scene.view, (scene.x(20) + 3, lane), (scene.x(32.2) + 3, lane))
    assert session.clip.markers[0].time == pytest.approx(32 / 30)
    user.drag(scene.view, (scene.x(32) + 3, lane), (scene.x(50) + 3, lane), release=False)
    user.press("Esc")
    user.release_mouse((scene.x(50) + 3, lane))
    assert session.clip.markers[0].time == pytest.approx(32 / 30) and session.evaluator.clip is session.clip
    user.click(scene.view, (scene.x(32) + 3, lane))
    assert session.playback.frame == pytest.approx(32.0)
    choose(scene, (scene.x(32) + 3, lane), "Delete marker")
    assert session.clip.markers == ()
    assert session.undo() and len(session.clip.markers) == 1


def test_the_marker_pressed_last_is_what_its_verbs_are_about(scene):
    change(scene, markers=(Marker("first", 10 / 30), Marker("second", 40 / 30)))
    lane = 24 + 7
    scene.user.click(scene.view, (scene.x(10) + 3, lane), button=RIGHT)
    scene.user.press("Esc")
    scene.user.click(scene.view, (scene.x(40) + 3, lane))
    assert scene.stage.actions.run("time.delete_marker")
    assert [m.name for m in scene.session.clip.markers] == ["first"]


def test_marker_renaming_given_up_keeps_the_name(scene):
    change(scene, markers=(Marker("beat", 1.0),))
    scene.user.click(scene.view, (scene.x(30) + 3, 31), double=True)
    scene.user.type("other")
    scene.user.press("Esc")
    assert [m.name for m in scene.session.clip.markers] == ["beat"] and not scene.user.visible("markerName")


# ---------------------------------------------------------------- numbers
@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("+3", [0.0, 23.0, 43.0, 60.0]),
        ("*1.25", [0.0, 25.0, 50.0, 60.0]),
        ("=30", [0.0, 30.0, 60.0]),
        ("10", [0.0, 10.0, 30.0, 60.0]),
        ("-=5", [0.0, 15.0, 35.0, 60.0]),
    ],
)
def test_numbers_change_the_frames_of_the_selected_keys(scene, text, frames):
    select_middle(scene)
    assert scene.user.find("transportKeys").value is None
    before = scene.session.clip
    scene.user.type_into("transportKeys", text)
    assert scene.frames(X) == pytest.approx(frames)
    assert scene.session.history.position == 1
    assert scene.session.undo() and scene.session.clip is before


def test_field_of_one_key_shows_its_frame_and_nonsense_changes_nothing(scene):
    scene.user.click(scene.view, scene.at(ROW_X, 40))
    assert scene.user.find("transportKeys").value == 40.0
    scene.user.type_into("transportKeys", "soon")
    scene.user.press("Esc")
    assert scene.session.history.labels == ()
    scene.user.click(scene.view, scene.at(ROW_X, 50))
    assert not scene.user.find("transportKeys").isEnabled()


def test_nonsense_that_is_left_standing_is_dropped_saying_why(scene):
    scene.user.click(scene.view, scene.at(ROW_X, 40))
    field = scene.user.find("transportKeys")
    scene.user.type_into("transportKeys", "soon", enter=False)
    QToolTip.hideText()
    scene.view.setFocus()
    scene.user.wait_until(lambda: QToolTip.isVisible() and "soon" in QToolTip.text(), "nothing was said")
    assert field.value == 40.0 and scene.session.history.labels == ()


# ---------------------------------------------------------------- copy and paste
def copy_middle(scene):
    select_middle(scene)
    scene.user.press("Ctrl+C")
    scene.user.click(scene.view, scene.ruler(30))


def test_keys_pasted_reversed_come_last_first(scene):
    copy_middle(scene)
    choose(scene, scene.at(ROW_X, 10), "Paste keys reversed")
    assert scene.frames(X) == [0.0, 20.0, 30.0, 40.0, 50.0, 60.0]
    assert scene.session.clip.tracks[X].values[[2, 4]].tolist() == [20.0, 10.0]


def test_keys_pasted_at_their_own_time_mend_what_was_moved_away(scene):
    copy_middle(scene)
    scene.user.press("Del")
    assert scene.frames(X) == [0.0, 60.0]
    choose(scene, scene.at(ROW_X, 10), "Paste keys at original time")
    assert scene.frames(X) == [0.0, 20.0, 40.0, 60.0]
    assert scene.session.clip.tracks[X].values.tolist() == [0.0, 10.0, 20.0, 0.0]


def test_keys_pasted_mirrored_pose_the_other_arm_as_the_mirror_would(scene):
    session = scene.session
    scene.user.drag(scene.view, scene.at(TURN, 15), (scene.x(45), row_y(scene, (*TURN, "Z")) + 8))
    scene.user.press("Ctrl+C")
    scene.user.click(scene.view, scene.ruler(20))
    scene.user.move(scene.view, (500, 120))
    scene.user.press("Ctrl+Shift+V")
    assert [int(f) for f in scene.frames(OTHER)] == [20, 40]
    assert session.history.labels == ("Paste keys mirrored @ f20",)
    names = session.rig.skeleton.names
    session.playback.seek(20 / 30)
    model = session.evaluator.model()
    left, right = (model.translation[names.index(f"lower_arm_{side}")] for side in "lr")
    np.testing.assert_allclose(left * [-1.0, 1.0, 1.0], right, atol=1e-6)


def test_duplicate_puts_copies_at_the_playhead(scene):
    select_middle(scene)
    scene.session.playback.seek(25 / 30)
    scene.user.press("Ctrl+D")
    assert scene.frames(X) == [0.0, 20.0, 25.0, 40.0, 45.0, 60.0]


# ---------------------------------------------------------------- rows
def test_row_is_hidden_shown_alone_and_all_come_back_by_the_menu(scene):
    scene.session.selection.select([])
    scene.user.settle()
    labels = lambda row: (60, row_y(scene, row))  # noqa: E731
    choose(scene, labels(BONE), "Hide row")
    assert [r.key for r in scene.model.rows.all()] == [(), ("pelvis",), ("lower_arm_l",)]
    assert all(c.bone != "upper_arm_l" for c in scene.model.rows.all()[0].channels)
    choose(scene, labels(("pelvis",)), "Solo row")
    assert [r.key for r in scene.model.rows.all()] == [(), ("pelvis",)]
    choose(scene, labels(("pelvis",)), "Show all rows")
    assert len(scene.model.rows.all()) == 4


def test_curves_and_morphs_have_rows_whose_keys_are_dragged(scene):
    smile, jaw = scalar_track([0.0, 0.5], [0.0, 1.0]), scalar_track([1.0], [1.0])
    change(scene, curves={"smile": smile}, morphs={"body/jaw": jaw})
    scene.session.selection.select([])
    scene.user.settle()
    group = ("", "curves")
    assert [r.key for r in scene.model.rows.all()][-2:] == [group, ("", "morphs")]
    scene.user.click(scene.view, (4 + 14 + 6, row_y(scene, group)))
    scene.user.drag(scene.view, scene.at((*group, "smile"), 15), scene.at((*group, "smile"), 21))
    assert np.round(scene.session.clip.curves["smile"].times * 30).tolist() == [0, 21]
    assert scene.session.selection.keys[curve_channel("smile")].tolist() == [1]
    scene.user.press("Del")
    assert len(scene.session.clip.curves["smile"]) == 1
    scene.user.click(scene.view, scene.at(("", "morphs"), 30))
    scene.user.press("Ctrl+C")
    scene.user.click(scene.view, scene.ruler(45))
    scene.user.press("Ctrl+V")
    assert np.round(scene.session.clip.morphs["body/jaw"].times * 30).tolist() == [30, 45]
    assert morph_channel("body/jaw") in scene.session.selection.keys


# ---------------------------------------------------------------- tangents, loops, time shared
def test_number_keys_set_tangents_of_the_selected_keys(scene):
    select_middle(scene)
    scene.user.press("6")
    assert scene.session.clip.tracks[X].modes.tolist()[1:3] == [TangentMode.STEPPED] * 2
    assert scene.session.history.labels == ("Set tangents to stepped",)


def test_seam_is_shown_for_loops_alone_and_closed_by_linking(scene):
    scene.stage.window.resize(1280, 320)
    scene.user.settle()
    seam = scene.panel.transport.seam
    assert seam.text() == ""
    ends = scalar_track([0.0, 1.0, 2.0], [0.0, 30.0, 8.0])
    change(scene, looping=True, tracks={X: ends})
    scene.user.wait_until(lambda: "8.00°" in seam.text(), "the seam is not shown")
    choose(scene, scene.ruler(30), "Link first and last keys")
    assert scene.session.clip.tracks[X].values[-1] == 0.0
    scene.user.wait_until(lambda: "0.00 mm 0.00°" in seam.text(), "the seam is not closed")
    assert "linked" in seam.toolTip()


def test_linked_ends_move_together_when_a_key_is_dragged_over_the_last(scene):
    change(scene, looping=True)
    scene.user.drag(scene.view, scene.at(ROW_X, 40), scene.at(ROW_X, 60))
    assert scene.session.clip.tracks[X].values.tolist() == [20.0, 10.0, 20.0]
    assert scene.session.clip.tracks[Y].values.tolist()[0] == scene.session.clip.tracks[Y].values.tolist()[-1]


def test_cycle_begins_at_the_playhead_by_the_menu_of_the_ruler(scene):
    change(scene, looping=True)
    pose_before = scene.session.evaluator.sampled_pose(20 / 30).rotations
    scene.user.click(scene.view, scene.ruler(20))
    choose(scene, scene.ruler(20), "Start the cycle here")
    assert scene.session.playback.time == 0.0
    np.testing.assert_allclose(scene.session.evaluator.pose().rotations, pose_before, atol=1e-9)


def test_menu_of_a_key_selects_it_and_right_button_during_a_drag_still_cancels(scene):
    choose(scene, scene.at(ROW_X, 20), "Copy keys")
    assert scene.session.selection.keys[X].tolist() == [1]
    assert scene.session.clipboard.kind == "keys"
    clip = scene.session.clip
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 33), release=False)
    scene.user.click(scene.view, scene.at(ROW_X, 33), button=RIGHT)
    scene.user.release_mouse(scene.at(ROW_X, 33))
    assert scene.session.evaluator.clip is clip


def test_scaled_keys_with_ctrl_may_stand_between_frames(scene):
    select_middle(scene)
    y = row_y(scene, TURN)
    scene.user.drag(scene.view, (scene.x(40) + EDGE, y), (scene.x(43.4) + EDGE, y), modifiers=CTRL)
    assert scene.frames(X)[2] == pytest.approx(43.4, abs=0.2) and scene.frames(X)[2] != round(
        scene.frames(X)[2]
    )
