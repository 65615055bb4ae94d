import pytest
from PySide6.QtCore import Qt

from core.arrays import same_value
from editor.panels.history.view_model import Memory
from tests.editor.stage import stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "history") as made:
        yield made


def edit(here, count):
    states = [here.session.document.project]
    for number in range(count):
        here.session.clips.set_length(here.session.playback.clip, 2.0 + number)
        states.append(here.session.document.project)
    here.user.settle()
    return states


def test_first_use_shows_the_start_alone(here):
    assert here.user.rows("steps") == ["Start"]


def test_every_step_is_listed_by_name(here):
    edit(here, 3)
    assert here.user.rows("steps") == ["Start", *["Length of walk"] * 3]


def test_click_goes_to_that_step_and_back(here):
    states = edit(here, 4)
    view = here.user.find("steps")
    for row in (1, 4, 0, 3):
        here.user.click(view.viewport(), view.visualRect(view.model().index(row, 0)).center())
        assert same_value(dict(here.session.document.project.assets), dict(states[row].assets))
        assert here.session.history.position == row
    assert len(here.user.rows("steps")) == 5


def test_undone_steps_stay_listed_until_another_is_done(here):
    edit(here, 3)
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    assert len(here.user.rows("steps")) == 4
    here.session.clips.set_looping(here.session.playback.clip, True)
    here.user.settle()
    assert here.user.rows("steps") == ["Start", "Length of walk", "Loop of walk"]


def test_undone_steps_are_dimmed(here):
    edit(here, 2)
    here.user.click(here.user.find("steps").viewport(), (60, 11))
    picture = here.user.picture("steps").astype(int)[:, :, :3]
    text = here.theme.color("text").getRgb()[:3]
    bright = [
        bool((abs(picture[22 * row + 2 : 22 * row + 20, 30:] - text).sum(axis=2) < 30).any())
        for row in range(3)
    ]
    assert bright == [True, False, False], "where one is, and what is undone"
    here.user.press("Ctrl+Shift+Z")
    picture = here.user.picture("steps").astype(int)[:, :, :3]
    assert (abs(picture[22 + 2 : 22 + 20, 30:] - text).sum(axis=2) < 30).any()


def test_thousand_steps_stay_quick_to_list(here):
    edit(here, 1000)
    assert len(here.user.rows("steps")) == 1001
    here.user.press("Ctrl+Z")
    assert here.session.history.position == 999


def test_memory_of_the_steps_is_told_with_its_limit(here):
    edit(here, 2)
    bar = here.user.find("undoMemory")
    assert bar.text.startswith("2 steps · ") and bar.text.endswith("/ 512 MB")
    here.session.preferences.set("undo_megabytes", 256)
    here.user.settle()
    assert bar.text.endswith("/ 256 MB") and "256 MB" in bar.toolTip()


def test_steps_let_go_for_want_of_memory_are_told(here):
    here.session.history._max_steps = 3
    edit(here, 5)
    assert here.user.rows("steps") == ["2 older steps were discarded", *["Length of walk"] * 3]
    here.user.click(here.user.find("steps").viewport(), (60, 11))
    assert here.session.history.position == 0 and here.session.clip.length == 3.0


def test_new_document_starts_an_empty_history(here):
    edit(here, 2)
    here.session.files.new()
    here.user.settle()
    assert here.user.rows("steps") == ["Start"]


def test_empty_project_has_a_start(qapp):
    with stage(qapp, "history", project=None) as here:
        assert here.user.rows("steps") == ["Start"]
        here.user.press("Ctrl+Z")
        assert here.session.history.position == 0


def place(here, row):
    view = here.user.find("steps")
    return view.visualRect(view.model().index(row, 0))


def dots(here, row):
    """Pixels of the accent where the dot of a row is drawn."""
    rect = place(here, row)
    picture = here.user.picture("steps").astype(int)[rect.top() : rect.bottom(), 10:24, :3]
    return int((abs(picture - here.theme.color("accent").getRgb()[:3]).sum(axis=2) < 30).sum())


def test_the_dot_of_the_step_shown_is_marked_and_no_other(here):
    edit(here, 3)
    here.user.click(here.user.find("steps").viewport(), place(here, 1).center())
    here.user.move("steps", (60, 160))
    assert [dots(here, row) > 0 for row in range(4)] == [False, True, False, False]


def test_enter_goes_to_the_row_that_arrows_chose(here):
    edit(here, 3)
    view = here.user.find("steps")
    here.user.click(view.viewport(), place(here, 2).center())
    view.setFocus()
    here.user.press("Up")
    here.user.press("Return")
    assert here.session.history.position == 1


def test_long_lists_show_the_newest_step_and_rows_tell_their_whole_name(here):
    edit(here, 60)
    view = here.user.find("steps")
    assert view.viewport().rect().intersects(place(here, 60)) and not view.viewport().rect().intersects(
        place(here, 0)
    )
    index = view.model().index(60, 0)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == index.data() == "Length of walk"


def test_memory_that_is_nearly_full_is_drawn_as_a_warning(here):
    bar = here.user.find("undoMemory")

    def color(share):
        bar.show_memory(Memory("", share, ""))
        here.user.settle()
        return bar.grab().toImage().pixelColor(3, 0).getRgb()[:3]

    assert color(0.5) == here.theme.color("accent").getRgb()[:3]
    assert color(0.95) == here.theme.color("warning").getRgb()[:3]
