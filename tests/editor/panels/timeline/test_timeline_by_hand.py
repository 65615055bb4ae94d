"""The timeline by mouse and keys."""

import numpy as np
import pytest
from PySide6.QtWidgets import QToolTip

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.clips.edits import KeepTime
from core.timing import FrameRate
from editor.model.time_axis import TimeUnit
from editor.panels.timeline.layout import ROW, RULER
from editor.panels.timeline.panel import PANEL
from tests.editor.panel_stage import Stage
from tests.editor.user import ALT, CTRL, MIDDLE, RIGHT, SHIFT, User

X = Channel("upper_arm_l", Property.ROTATE, 0)
Y = Channel("upper_arm_l", Property.ROTATE, 1)


class Scene:
    """The timeline alone in a window, and where things are in it."""

    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(PANEL.create(self.stage.context), time=True)
        self.stage.show(900, 320)
        self.user = User(self.stage.window)
        self.session = self.stage.session
        self.model = self.panel.model
        self.view = self.panel.tracks
        self.session.selection.select(["upper_arm_l"])
        self.user.settle()

    def x(self, frame: float) -> float:
        return self.model.view.view_x(frame / 30.0)

    def ruler(self, frame: float) -> tuple[float, float]:
        return self.x(frame), 14.0

    def at(self, row: tuple[str, ...], frame: float) -> tuple[float, float]:
        keys = [r.key for r in self.model.rows.all()]
        return self.x(frame), self.model.view.layout().top(keys.index(row)) + ROW / 2

    def frames(self, channel: Channel) -> list[float]:
        track = self.session.clip.tracks.get(channel)
        return [] if track is None else np.round(track.times * 30.0, 6).tolist()


BONE = ("upper_arm_l",)
TURN = (*BONE, "ROTATE")
ROW_X = (*TURN, "X")


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_press_on_the_ruler_goes_to_the_frame_there(scene):
    scene.user.click(scene.view, scene.ruler(12.2))
    assert scene.session.playback.frame == pytest.approx(12.0)


def test_drag_on_the_ruler_scrubs_with_every_move(scene):
    seen = []
    drop = scene.session.evaluator.changed.connect(lambda _: seen.append(scene.session.playback.frame))
    scene.user.drag(scene.view, scene.ruler(5), scene.ruler(45), steps=8)
    drop()
    assert len(seen) >= 8 and seen[-1] == pytest.approx(45.0)
    assert scene.session.playback.frame == pytest.approx(45.0)


def test_scrub_with_shift_stops_between_frames(scene):
    scene.user.drag(scene.view, scene.ruler(5), scene.ruler(20.4), modifiers=SHIFT)
    assert scene.session.playback.frame == pytest.approx(20.4, abs=0.1)


def test_scrub_given_up_goes_back(scene):
    scene.session.playback.seek(7 / 30)
    scene.user.drag(scene.view, scene.ruler(20), scene.ruler(50), release=False)
    scene.user.press("Esc")
    scene.user.release_mouse(scene.ruler(50))
    assert scene.session.playback.time == 7 / 30


def test_key_dragged_moves_by_whole_frames_in_one_step(scene):
    user, session = scene.user, scene.session
    before = session.clip
    user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 26.3))
    assert scene.frames(X) == [0.0, 26.0, 40.0, 60.0]
    assert scene.frames(Y) == [0.0, 20.0, 40.0, 60.0]
    assert session.history.labels == ("Move key +6 f",)
    assert session.selection.keys[X].tolist() == [1]
    user.press("Ctrl+Z")
    assert session.clip is before
    user.press("Ctrl+Shift+Z")
    assert scene.frames(X) == [0.0, 26.0, 40.0, 60.0]


def test_key_dragged_with_ctrl_lands_between_frames(scene):
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 26.4), modifiers=CTRL)
    # Ctrl takes the key from the selection only where it is pressed without a drag.
    moved = scene.frames(X)[1]
    assert moved == pytest.approx(26.4, abs=0.2) and moved != round(moved)


def test_typed_frame_past_the_clip_is_refused_in_words(scene):
    scene.session.playback.seek(0.5)
    scene.user.type_into(scene.panel.transport.frame, "500")
    assert scene.session.playback.frame == pytest.approx(15.0)
    assert "500 is too large: the maximum is 60" in QToolTip.text()


def test_range_typed_the_wrong_way_round_is_refused(scene):
    user, transport = scene.user, scene.panel.transport
    user.type_into(transport.end, "40")
    user.type_into(transport.start, "45")
    assert "45 is too large: the maximum is 40" in QToolTip.text()
    user.press("Ctrl+A")
    user.type("10")
    user.press("Return")
    assert scene.session.playback.range == pytest.approx((10 / 30, 40 / 30))


def test_scrub_past_the_clip_stays_at_its_end(scene):
    scene.user.drag(scene.view, scene.ruler(5), (scene.view.width() - 2, 14.0))
    assert scene.session.playback.frame == pytest.approx(60.0)


def test_frames_read_alike_while_playing(scene):
    """Field and playhead say the same whole frame, and the field shows all of it."""
    session, field = scene.session, scene.panel.transport.frame
    session.playback.play()
    for now in (0.0, 0.4217, 1.9999):
        session.playback.tick(now)
        scene.user.settle()
        flag = scene.model.view.axis.text(session.playback.shown_time, scene.model.view.unit)
        assert field.written() == (flag, "") and float(flag) <= session.playback.frame
    session.playback.pause()


def test_long_clip_is_written_whole_in_the_transport(scene):
    session, transport = scene.session, scene.panel.transport
    session.clips.set_length(session.clip.id, 123456.25 / 30.0)
    session.clips.set_rate(session.clip.id, FrameRate.of(120), KeepTime.FRAMES)
    session.playback.seek(session.clip.length)
    scene.user.settle()
    assert transport.length.written() == ("123456.25", "") == transport.frame.written()
    assert transport.rate.text() == "120 fps"


@pytest.mark.parametrize("selected", [["head"], []])
def test_empty_timeline_does_what_its_hint_says(scene, selected):
    """It names the key to press, and pressing it there sets keys."""
    from editor.panels.timeline.painting import empty_text

    session = scene.session
    session.clips.new()
    session.selection.select(selected)
    scene.user.settle()
    assert "press S to key" in empty_text(scene.model, "S")
    scene.user.move(scene.view, (500, 200))
    scene.user.press("S")
    assert {c.bone for c in session.clip.tracks} == set(selected or session.rig.skeleton.names)
    assert not empty_text(scene.model, "S") and session.history.labels[-1].startswith("Set key")


def test_summary_key_dragged_moves_everything_below_it(scene):
    scene.user.drag(scene.view, scene.at((), 40), scene.at((), 45))
    for axis in range(3):
        assert scene.frames(Channel("upper_arm_l", Property.ROTATE, axis)) == [0.0, 20.0, 45.0, 60.0]
    assert scene.frames(Channel("lower_arm_l", Property.ROTATE, 1)) == [0.0, 20.0, 40.0, 60.0]
    assert scene.session.history.labels == ("Move 3 keys +5 f",)


def test_drag_is_seen_before_it_is_let_go(scene):
    values = []
    scene.session.playback.seek(26 / 30)
    scene.user.drag(
        scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 26),
        during=lambda: values.append(scene.session.evaluator.pose().rotations.copy()),
    )  # fmt: skip
    assert np.array_equal(values[0], scene.session.evaluator.pose().rotations)
    assert scene.session.history.position == 1


def test_key_drag_given_up_leaves_the_clip_itself(scene):
    user, session = scene.user, scene.session
    clip = session.clip
    for way in ("Esc", "right button"):
        user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 33), release=False)
        assert session.evaluator.clip is not clip
        if way == "Esc":
            user.press("Esc")
        else:
            user.click(scene.view, scene.at(ROW_X, 33), button=RIGHT)
        user.release_mouse(scene.at(ROW_X, 33))
        assert session.evaluator.clip is clip and session.history.labels == ()


def test_key_dropped_on_another_wins_and_undo_brings_both_back(scene):
    before = scene.session.clip
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 40))
    assert scene.frames(X) == [0.0, 40.0, 60.0]
    assert scene.session.clip.tracks[X].values[1] == 10.0
    scene.user.press("Ctrl+Z")
    assert same_value(scene.session.clip, before)


def test_alt_drag_leaves_a_copy_behind(scene):
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 30), modifiers=ALT)
    assert scene.frames(X) == [0.0, 20.0, 30.0, 40.0, 60.0]
    assert scene.session.clip.tracks[X].values[1] == scene.session.clip.tracks[X].values[2] == 10.0
    assert scene.session.history.labels == ("Duplicate key +10 f",)


def test_box_selects_keys_which_delete_takes_away(scene):
    low, high = scene.at(TURN, 15), scene.at((*TURN, "Y"), 45)
    scene.user.drag(scene.view, low, (high[0], high[1] + 6))
    assert {c: k.tolist() for c, k in scene.session.selection.keys.items()} == {X: [1, 2], Y: [1, 2]}
    scene.user.press("Del")
    assert scene.frames(X) == scene.frames(Y) == [0.0, 60.0]
    assert scene.session.history.position == 1


def test_click_on_a_key_selects_it_alone_and_on_the_ground_nothing(scene):
    user, selection = scene.user, scene.session.selection
    user.click(scene.view, scene.at((), 20))
    assert sum(map(len, selection.keys.values())) == 3
    user.click(scene.view, scene.at(ROW_X, 20))
    assert {c: k.tolist() for c, k in selection.keys.items()} == {X: [1]}
    user.click(scene.view, scene.at(ROW_X, 40), modifiers=SHIFT)
    assert selection.keys[X].tolist() == [1, 2]
    user.click(scene.view, scene.at(ROW_X, 50))
    assert not selection.keys


def test_copied_keys_are_pasted_at_the_playhead(scene):
    user, session = scene.user, scene.session
    user.click(scene.view, scene.at(ROW_X, 20))
    user.press("Ctrl+C")
    user.click(scene.view, scene.ruler(50))
    user.press("Ctrl+V")
    assert scene.frames(X) == [0.0, 20.0, 40.0, 50.0, 60.0]
    assert session.clip.tracks[X].values[3] == 10.0


def test_row_folds_by_its_arrow(scene):
    rows = len(scene.model.rows.all())
    top = scene.at(TURN, 0)[1]
    scene.user.click(scene.view, (4.0 + 2 * 14.0 + 6.0, top))
    assert len(scene.model.rows.all()) == rows - 3
    scene.user.click(scene.view, (4.0 + 2 * 14.0 + 6.0, top))
    assert len(scene.model.rows.all()) == rows


def test_label_of_the_ruler_changes_the_unit(scene):
    for unit in (TimeUnit.SECONDS, TimeUnit.TIMECODE, TimeUnit.FRAMES):
        scene.user.click(scene.view, (30, RULER / 2))
        assert scene.model.view.unit is unit


def test_wheel_zooms_at_the_cursor_and_the_middle_button_pans(scene):
    place = scene.ruler(20)
    scale = scene.model.view.axis.scale
    scene.user.wheel(scene.view, 3, (place[0], 120))
    assert scene.model.view.axis.scale > 1.3 * scale and scene.x(20) == pytest.approx(place[0], abs=1)
    before = scene.x(20)
    scene.user.drag(scene.view, (500, 120), (560, 120), button=MIDDLE)
    assert scene.x(20) == pytest.approx(before + 60)
    scene.user.press("A")
    assert scene.x(0) > scene.model.view.layout().labels and scene.x(60) < scene.view.width()


def test_space_plays_until_space_again_and_time_goes_on(scene):
    user, playback = scene.user, scene.session.playback
    user.move(scene.view, (500, 120))
    user.press("Space")
    assert playback.playing
    playback.tick(100.0)
    playback.tick(100.5)
    assert playback.time == pytest.approx(0.5)
    user.press("Space")
    assert not playback.playing
    user.click("playback.toggle")
    assert playback.playing
    user.click("playback.toggle")
    user.click("playback.end")
    assert playback.frame == pytest.approx(60.0)


def test_frame_field_goes_where_it_says(scene):
    scene.user.type_into("transportFrame", "42")
    assert scene.session.playback.frame == pytest.approx(42.0)


def test_range_set_by_the_fields_is_played_and_dragged(scene):
    user, playback = scene.user, scene.session.playback
    user.type_into("transportStart", "10")
    user.type_into("transportEnd", "30")
    assert playback.range == pytest.approx((10 / 30, 1.0))
    user.drag(scene.view, scene.ruler(30), scene.ruler(36))
    assert playback.range == pytest.approx((10 / 30, 36 / 30))
    user.click("transportClear")
    assert playback.range is None


def test_length_field_changes_the_clip_in_one_step(scene):
    scene.user.type_into("transportLength", "90")
    assert scene.session.clip.length == pytest.approx(3.0)
    assert scene.session.undo() and scene.session.clip.length == pytest.approx(2.0)


def test_other_frame_rate_asks_what_to_keep(scene):
    scene.stage.notes.answer = "frames"
    scene.user.click("transportRate")
    scene.user.choose_in_popup("60 fps")
    assert scene.stage.notes.asked
    assert scene.session.clip.rate.fps == 60 and scene.session.clip.length == pytest.approx(1.0)


def test_k_held_scrubs_anywhere(scene):
    scene.user.move(scene.view, (500, 120))
    assert scene.view.hasFocus()
    with scene.user.holding("K"):
        scene.user.drag(scene.view, (500, 120), (560, 120))
    assert scene.session.playback.frame == pytest.approx(10.0)


def test_locked_bone_keeps_its_keys(scene):
    scene.session.selection.set_flag("locked", ["upper_arm_l"])
    scene.user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 30))
    assert scene.session.history.labels == () and "locked" in scene.session.messages.latest.text


def test_nothing_selected_lists_every_bone_with_keys(scene):
    scene.session.selection.select([])
    scene.user.settle()
    keys = [row.key for row in scene.model.rows.all()]
    assert keys == [(), ("upper_arm_l",), ("pelvis",), ("lower_arm_l",)]


def test_empty_project_shows_what_to_do(qapp):
    from editor.model.session import Session
    from editor.panels.timeline.painting import empty_text

    stage = Stage(qapp, Session.create())
    panel = stage.add(PANEL.create(stage.context), time=True)
    stage.show(700, 240)
    user = User(stage.window)
    user.drag(panel.tracks, (300, 60), (500, 120))
    user.click(panel.tracks, (400, 10))
    assert empty_text(panel.model, "S")
    stage.close(qapp)


def test_panel_closed_leaves_nothing_listening(qapp):
    stage = Stage(qapp)
    before = len(stage.session.playback.time_changed)
    panel = stage.add(PANEL.create(stage.context), time=True)
    stage.show(700, 240)
    User(stage.window)
    panel.close()
    panel.setParent(None)
    panel.deleteLater()
    User(stage.window).settle()
    assert len(stage.session.playback.time_changed) == before
    stage.panels.clear()
    stage.close(qapp)


def test_k_drag_stops_at_the_ends_of_the_clip(scene):
    user, session = scene.user, scene.session
    session.playback.seek(50 / 30)
    user.move(scene.view, (300, 200))
    with user.holding("K"):
        user.drag(scene.view, (300, 200), (800, 200))
    assert session.playback.frame == pytest.approx(60.0)
    with user.holding("K"):
        user.drag(scene.view, (850, 200), (250, 200))
    assert session.playback.frame == 0.0
