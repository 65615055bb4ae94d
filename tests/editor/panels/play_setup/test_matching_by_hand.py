"""A person changes the weights and settings of motion matching in the Play set-up, by mouse and keys."""

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit

from core.arrays import same_value
from core.locomotion.matching.setup import BOUNDS, Choice, Drive, Matching
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from editor.panels.play_setup.matching_fields import SECTIONS
from editor.panels.viewport.play_driver import PlayDriver
from tests.editor.panels.play.played import light
from tests.editor.stage import stage, with_view

PANELS = ("clips", "history", "play", "play_run", "play_setup")


@pytest.fixture
def here(qapp, request, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)
    with stage(qapp, *with_view(request, *PANELS), project=light) as made:
        made.window.actions_registry.run("play.matching_numbers")
        made.user.settle()
        yield made
        made.session.feature(Play).stop()


def numbers(here) -> Matching:
    return here.session.feature(PlaySetups).matching


def see(here, name: str):
    """Scroll to a field, as a person does first."""
    field = here.user.find(f"matching_{name}")
    here.user.find("matchingView").ensureWidgetVisible(field)
    here.user.settle()
    return field


def test_every_number_has_a_field_with_a_tip_and_its_default():
    titles = [field for section in SECTIONS for part in section[1:] for field in part]
    assert {field.name for field in titles} == set(Matching.__slots__) - {"choices"}
    assert all(field.tip and field.title for field in titles)
    shown = {field.name for section in SECTIONS for field in section.numbers}
    assert shown == set(BOUNDS)


def test_a_weight_is_typed_and_undone_exactly(here):
    before = here.session.document.project
    see(here, "path_place")
    here.user.click("matching_path_place")
    here.user.type("3.5")
    here.user.press("Return")
    assert numbers(here) == Matching(path_place=3.5)
    assert here.session.history.position == 1
    title = here.user.find("matchingTitle_path_place")
    assert isinstance(title, QLabel) and title.property("role") == ""
    here.user.press("Ctrl+Z")
    here.user.settle()
    assert same_value(here.session.document.project, before)
    assert here.user.find("matching_path_place").value == 2.0 and title.property("role") == "dim"


def test_a_drag_over_a_field_is_one_undo_step_and_escape_cancels_it(here):
    field = see(here, "search_every")
    here.user.press_mouse(field, QPoint(20, 10))
    here.user.move_held(QPoint(80, 10))
    here.user.press("Esc")
    here.user.release_mouse(QPoint(80, 10))
    assert numbers(here) == Matching() and here.session.history.position == 0
    here.user.drag(field, QPoint(20, 10), QPoint(80, 10))
    assert numbers(here).search_every > 0.1 and here.session.history.position == 1


def test_shares_are_shown_in_percent_and_frames_are_whole(here):
    see(here, "pull_most")
    here.user.click("matching_pull_most")
    here.user.type("75")
    here.user.press("Return")
    see(here, "near")
    here.user.click("matching_near")
    here.user.type("12.4")
    here.user.press("Return")
    assert numbers(here) == Matching(pull_most=0.75, near=12)


def test_a_value_out_of_bounds_is_refused(here):
    see(here, "view_change")
    here.user.click("matching_view_change")
    here.user.type("720")
    here.user.press("Return")
    assert numbers(here) == Matching()
    here.user.press("Ctrl+A")
    here.user.type("180")
    here.user.press("Return")
    assert numbers(here).view_change == BOUNDS["view_change"][1]


def test_lists_and_switches(here):
    see(here, "paces")
    here.user.type_into("matching_paces", "0.8, 1.5")
    assert numbers(here).paces == (0.8, 1.5)
    here.user.type_into("matching_paces", "fast")
    assert "expected numbers" in here.session.messages.latest.text
    line = here.user.find("matching_paces")
    assert isinstance(line, QLineEdit) and line.text() == "0.8, 1.5"
    here.user.type_into("matching_paces", "9")
    assert "0.25 to 2" in here.session.messages.latest.text and numbers(here).paces == (0.8, 1.5)
    see(here, "warp")
    here.user.click("matching_warp")
    assert not numbers(here).warp


def test_reset_takes_the_numbers_it_comes_with_and_leaves_the_clips(here):
    setups = here.session.feature(PlaySetups)
    assert not here.user.find("matchingReset").isEnabled()
    setups.set_matching("x", transition=3.0, choices=(Choice("run", on=False),))
    here.user.settle()
    here.window.actions_registry.run("play.matching_reset")
    assert numbers(here) == Matching(choices=(Choice("run", on=False),))
    here.user.press("Ctrl+Z")
    here.user.settle()
    here.user.click("matchingReset")
    assert numbers(here) == Matching(choices=(Choice("run", on=False),))


@pytest.mark.view
def test_the_numbers_drive_the_character(here):
    play = here.session.feature(Play)
    here.user.press("Ctrl+7")
    here.user.wait_until(lambda: play.on and not play.preparing, "Play did not start")
    here.window.actions_registry.run("play.matching_numbers")
    here.user.settle()
    assert "driven by rules" in here.user.find("matchingNote").text()
    here.user.click("matchingDrive")
    here.user.wait_until(lambda: not play.preparing)
    assert play.choices.drive is Drive.MATCHING and not here.user.visible("matchingDrive")
    see(here, "transition")
    here.user.click("matching_transition")
    here.user.type("2")
    here.user.press("Return")
    here.user.wait_until(lambda: not play.preparing)
    assert play.run.driven.setup.matcher.database.setup.transition == 2.0


def row(here, title: str) -> QModelIndex:
    model = here.user.find("setupTable").model()
    found = model.match(
        model.index(0, 0), Qt.ItemDataRole.DisplayRole, title, -1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )  # fmt: skip
    return found[-1]


def choose(here, title: str, text: str) -> None:
    table = here.user.find("setupTable")
    cell = row(here, title).siblingAtColumn(1)
    table.scrollTo(cell)
    here.user.settle()
    here.user.click(table.viewport(), table.visualRect(cell).center())
    box = here.user.find("setupChoice")
    assert isinstance(box, QComboBox)
    box.findChild(QLineEdit).selectAll()
    here.user.type(text)
    here.user.press("Return")
    here.user.settle()


def test_what_a_clip_is_searched_for_is_chosen_in_the_table(here):
    here.user.click("matchingClips")
    here.user.settle()
    told = lambda title: str(row(here, title).siblingAtColumn(1).data())  # noqa: E731
    assert told("walk") == "move" and told("idle") == "stand" and told("wave") == "other: by rules"
    choose(here, "wave", "stand")
    choose(here, "walk", "Leave out")
    assert numbers(here).choices == (Choice("wave", "stand"), Choice("walk", on=False))
    assert told("wave") == "stand" and told("walk") == "left out"
    choose(here, "walk", "By name")
    assert numbers(here).choices == (Choice("wave", "stand"),)
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    here.user.settle()
    assert here.session.history.position == 0 and told("walk") == "move"


def test_what_is_said_of_a_clip_that_is_gone_can_be_forgotten(here):
    here.session.feature(PlaySetups).set_matching("x", choices=(Choice("Dance", "move"),))
    here.user.click("matchingClips")
    here.user.settle()
    assert str(row(here, "Dance").siblingAtColumn(1).data()) == "no such clip"
    choose(here, "Dance", "Forget")
    assert numbers(here) == Matching()


def test_clips_searched_are_all_shown_whatever_was_looked_for_before(here):
    panel = here.window.docks["play_setup"].body.panel
    panel.show_page(0)
    here.user.type_into("setupSearch", "thigh", enter=False)
    panel.show_page(1)
    here.user.click("matchingClips")
    here.user.settle()
    assert panel.pages.currentIndex() == 0 and here.user.find("setupSearch").text() == ""
    table = here.user.find("setupTable")
    assert table.visualRect(row(here, "walk")).isValid() and not table.isRowHidden(
        row(here, "walk").row(), row(here, "walk").parent()
    )
