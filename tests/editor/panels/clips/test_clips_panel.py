import gc
import weakref
from fractions import Fraction

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel

from core.arrays import same_value
from core.clips.clip import Channel, Clip, Property, RootPose
from editor.model.drag_kinds import CLIP
from tests.editor.stage import TURN, WALK, small_rig, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips") as made:
        yield made


def panel(here):
    return here.window.docks["clips"].body.panel


def names(here):
    return [clip.name for clip in here.session.document.project.clips]


def test_first_use_lists_the_clips_with_length_and_rate(here):
    assert here.user.rows("clips") == ["walk", "turn"]
    rows = panel(here).clips.rows()
    assert [row.detail for row in rows] == ["30 f · 30 fps", "15 f · 30 fps"]
    assert [row.shown for row in rows] == [True, False]


def test_click_shows_a_clip(here):
    here.user.click_row("clips", "turn")
    assert here.session.playback.clip == TURN
    assert here.user.find("clipLength").value == 15.0


def test_clip_shown_elsewhere_is_marked_here(here):
    here.session.playback.set_clip(TURN)
    here.user.settle()
    assert panel(here).view.currentIndex().data() == "turn"


def test_new_clip_is_added_and_shown_undo_takes_it_away_again(here):
    here.user.click("newClip")
    assert names(here) == ["walk", "turn", "clip"]
    assert here.session.clip.name == "clip"
    here.user.press("Ctrl+Z")
    assert names(here) == ["walk", "turn"] and here.session.playback.clip == WALK
    here.user.press("Ctrl+Shift+Z")
    assert names(here) == ["walk", "turn", "clip"]


def test_duplicate_shares_the_keys_under_a_free_name(here):
    here.user.click("duplicateClip")
    copy = here.session.clip
    assert copy.name == "walk 2" and copy.id != WALK
    assert all(copy.tracks[c] is t for c, t in here.clip().tracks.items())


def test_delete_shows_the_neighbour_and_undo_brings_it_back_bit_for_bit(here):
    before = here.session.document.project
    here.user.click("deleteClip")
    assert names(here) == ["turn"] and here.session.playback.clip == TURN
    here.user.press("Ctrl+Z")
    assert same_value(dict(here.session.document.project.assets), dict(before.assets))
    assert here.session.playback.clip == WALK


def test_double_click_renames_in_place(here):
    here.user.click_row("clips", "walk", double=True)
    here.user.press("Ctrl+A")
    here.user.type("walk calm")
    here.user.press("Return")
    assert names(here) == ["walk calm", "turn"]
    assert here.session.history.labels[-1] == "Rename walk to walk calm"


def test_rename_then_escape_changes_nothing(here):
    here.user.press("F2")
    here.user.type("other")
    here.user.press("Esc")
    assert names(here) == ["walk", "turn"] and here.session.history.labels == ()


def test_rename_to_a_taken_name_is_refused_with_the_reason(here):
    here.user.press("F2")
    here.user.press("Ctrl+A")
    here.user.type("turn")
    here.user.press("Return")
    assert names(here) == ["walk", "turn"]
    assert "turn" in here.user.find("messageText").text()


def test_length_in_frames_is_one_undo_step_and_leaves_keys(here):
    here.user.type_into("clipLength", "*2")
    assert here.clip().length == pytest.approx(2.0)
    channel = Channel("arm_l", Property.ROTATE, 1)
    assert here.clip().tracks[channel].times[-1] == 1.0
    here.user.press("Ctrl+Z")
    assert here.clip().length == 1.0


@pytest.mark.parametrize(("choice", "length", "last"), [("seconds", 1.0, 1.0), ("frames", 0.5, 0.5)])
def test_rate_asks_what_stays(here, choice, length, last):
    here.user.type_into("clipRate", "60")
    assert here.user.visible("Change the rate to 60 fps?")
    assert here.clip().rate.fps == 30.0 and here.user.find("clipRate").value == 30.0
    told = [words.text() for words in QApplication.activeModalWidget().findChildren(QLabel)]
    assert any("1.000 s long" in text and "then lasts 0.500 s" in text for text in told)
    here.user.click(choice)
    assert here.clip().rate.fps == 60.0 and here.clip().length == pytest.approx(length)
    assert here.clip().tracks[Channel("arm_l", Property.ROTATE, 1)].times[-1] == pytest.approx(last)
    here.user.press("Ctrl+Z")
    assert here.clip().rate.fps == 30.0


def test_the_rate_of_a_clip_of_one_moment_is_changed_without_a_question(here):
    here.session.clips.new("still")
    here.user.settle()
    here.user.type_into("clipLength", "0")
    here.user.type_into("clipRate", "60")
    assert not here.user.visible("seconds")
    assert (here.session.clip.rate.fps, here.session.clip.length) == (60.0, 0.0)


def test_rate_question_escaped_changes_nothing_and_shows_the_old_rate(here):
    here.user.type_into("clipRate", "24")
    here.user.press("Esc")
    assert here.clip().rate.fps == 30.0 and here.session.history.labels == ()
    assert here.user.find("clipRate").value == 30.0


@pytest.mark.parametrize("text", ["abc", "30"])
def test_rate_that_says_nothing_new_asks_nothing(here, text):
    here.user.type_into("clipRate", text)
    here.user.press("Esc")
    assert not here.user.visible("seconds")
    assert here.clip().rate.fps == 30.0


def test_usual_rates_are_in_a_menu(here):
    here.user.click("clipRates")
    here.user.choose_in_popup("29.97 fps")
    here.user.click("seconds")
    assert here.clip().rate.value == Fraction(30000, 1001)
    assert here.user.find("clipRate").decimals == 2


def test_loop_and_root_motion_are_switched_by_a_click(here):
    here.user.click("clipLoop", at=(8, 10))
    assert here.clip().looping
    here.user.click("rootMotion", at=(8, 10))
    assert here.clip().root_motion.enabled
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    assert not here.clip().looping and not here.clip().root_motion.enabled


def test_root_motion_details_say_which_part_bone_and_pose(here):
    here.user.click("rootMotion", at=(8, 10))
    here.user.click("rootSettings")
    here.user.click("root.height", at=(8, 10))
    assert here.clip().root_motion.height
    here.user.find("rootPose").setFocus()
    here.user.press("Down")
    assert here.clip().root_motion.pose is RootPose.REST
    here.user.press("Esc")
    assert not here.user.visible("root.height")


def test_dragged_row_carries_the_clips_id(here):
    index = here.user.row(panel(here).view, "turn")
    data = panel(here).model.mimeData([index])
    assert bytes(data.data(CLIP).data()).decode() == TURN
    assert panel(here).model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled


def test_context_menu_duplicates_the_row_under_the_pointer(here):
    view = panel(here).view
    cell = view.visualRect(here.user.row(view, "turn"))
    here.user.ask_menu(view.viewport(), cell.center())
    here.user.choose_in_popup("Duplicate")
    assert names(here) == ["walk", "turn", "turn 2"]


def test_many_clips_get_a_search_field(here):
    assert not here.user.visible("clipSearch")
    for number in range(10):
        here.session.clips.new(f"take {number}")
    here.user.settle()
    every = here.user.rows("clips")
    here.user.type_into("clipSearch", "7 take", enter=False)
    assert here.user.rows("clips") == ["take 7"] and here.user.visible("clipSearch")
    here.user.press("Esc")
    assert here.user.rows("clips") == every


def test_length_says_its_seconds(here):
    for clip, words in (("walk", "Length: 1.000 s"), ("turn", "Length: 0.500 s")):
        here.user.click_row("clips", clip)
        assert here.user.find("clipLength").toolTip() == words


@pytest.mark.parametrize(("box", "icon"), [("clipLoop", "loop"), ("rootMotion", "root_motion")])
def test_a_row_has_the_sign_of_what_is_on(here, box, icon):
    view = panel(here).view

    def signs() -> set[str]:
        """Which icons are in the row of the clip shown."""
        row = view.visualRect(here.user.row(view, "walk"))
        picture = here.user.picture(view.viewport())[row.top() : row.bottom() + 1, :, :3]
        found = set()
        for name in ("loop", "root_motion"):
            image = QImage(14, 14, QImage.Format.Format_RGB32)
            image.fill(here.theme.color("raised"))
            painter = QPainter(image)
            here.theme.icon(name, "dim").paint(painter, QRect(0, 0, 14, 14))
            painter.end()
            sign = np.frombuffer(image.constBits(), np.uint8).reshape(14, 14, 4)[:, :, 2::-1]
            places = sliding_window_view(picture, (14, 14, 3)).reshape(-1, 14, 14, 3)
            if (np.abs(places.astype(int) - sign).max(axis=(1, 2, 3)) < 3).any():
                found.add(name)
        return found

    assert signs() == set()
    here.user.click(box, (8, here.user.find(box).height() / 2))
    assert signs() == {icon}
    here.user.press("Ctrl+Z")
    assert signs() == set()


def test_page_keys_walk_through_the_clips(here):
    here.user.press("PgDown")
    assert here.session.playback.clip == TURN
    here.user.press("PgDown")
    assert here.session.playback.clip == WALK


def test_empty_project_says_what_to_do_and_offers_nothing_that_cannot_be_done(qapp):
    with stage(qapp, "clips", project=None) as here:
        assert here.user.visible("Clips of the character appear here. Open or import one first.")
        assert not here.user.find("newClip").isEnabled()
        assert not here.user.visible("clipSettings")


def test_character_without_clips_offers_to_make_one(qapp):
    from core.project.project import Project

    rig = small_rig()
    with stage(qapp, "clips", project=lambda: Project({rig.id: rig})) as here:
        here.user.click("emptyButton")
        assert names(here) == ["clip"]


def test_close_and_reopen_leaves_nothing_alive(qapp):
    with stage(qapp, "clips") as here:
        session, view = here.session, weakref.ref(panel(here))
        del here
    gc.collect()
    assert view() is None and len(session.document.replaced) == len(session.document.replaced)
    assert all(isinstance(clip, Clip) for clip in session.document.project.clips)


def test_clip_shown_is_marked_in_accent(here):
    view = panel(here).view
    cell = view.visualRect(here.user.row(view, "walk"))
    picture = here.user.picture(view.viewport())
    accent = np.array(here.theme.color("accent").getRgb()[:3])
    assert (picture[cell.center().y(), cell.left(), :3] == accent).all()


def test_undo_to_a_clip_hidden_by_the_words_shows_it(here):
    session = here.session
    session.clips.rename(WALK, "stroll")
    for number in range(9):
        session.clips.new(f"extra {number}")
    session.playback.set_clip(WALK)
    session.clips.set_looping(WALK, True)
    session.playback.set_clip(TURN)
    here.user.settle()
    panel(here).search.setVisible(True)
    here.user.type_into("clipSearch", "turn", enter=False)
    assert here.user.rows("clips") == ["turn"]
    here.session.undo()
    here.user.settle()
    assert session.playback.clip == WALK and panel(here).view.currentIndex().data() == "stroll"
    assert panel(here).search.text() == ""


def test_list_scrolls_to_the_clip_that_is_shown(here):
    session = here.session
    for number in range(40):
        session.clips.new(f"extra {number}")
    view = panel(here).view
    for clip in (session.document.project.clips[0].id, session.document.project.clips[-1].id):
        session.playback.set_clip(clip)
        here.user.settle()
        assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_enter_at_the_question_of_the_rate_keeps_seconds(here):
    here.user.type_into("clipRate", "60")
    here.user.press("Return")
    assert here.session.clip.length == pytest.approx(1.0) and here.session.clip.rate.fps == 60


def test_enter_shows_the_clip_that_arrows_chose(here):
    view = here.user.find("clips")
    here.user.click_row("clips", "walk")
    view.setFocus()
    view.setCurrentIndex(view.model().index(1, 0))
    here.user.press("Return")
    assert here.session.playback.clip == TURN
