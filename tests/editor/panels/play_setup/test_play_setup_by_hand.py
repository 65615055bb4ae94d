"""A person looks at a character's set-up and chooses clips and bones in it, by mouse and keys."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QLineEdit

from core.arrays import same_value
from core.errors import ValidationError
from core.project.project import Project
from editor.model.play.state import Play
from editor.panels.viewport.play_driver import PlayDriver
from tests.editor.panels.play.played import light, pick
from tests.editor.stage import stage, with_view

PANELS = ("clips", "history", "graph", "play", "play_run", "play_setup")


@pytest.fixture
def here(qapp, request, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)
    with stage(qapp, *with_view(request, *PANELS), project=light) as made:
        made.user.press("Ctrl+7")
        made.user.wait_until(lambda: made.session.feature(Play).on, "Play did not start")
        made.window.show_panel("play_setup")
        made.user.settle()
        yield made
        made.session.feature(Play).stop()


def row(here, title: str) -> QModelIndex:
    table = here.user.find("setupTable")
    model = table.model()
    found = model.match(
        model.index(0, 0), Qt.ItemDataRole.DisplayRole, title, -1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )  # fmt: skip
    assert found, f"no row {title!r}"
    own = [index for index in found if not str(index.parent().data()).startswith("Motion matching")]
    return own[-1]  # a behaviour may have the name of a clip: the clips come after it


def told(here, title: str) -> str:
    return str(row(here, title).siblingAtColumn(1).data())


def choose(here, title: str, text: str, end: str = "Return") -> None:
    """Click what plays a part, and type another into the list that opens."""
    table = here.user.find("setupTable")
    cell = row(here, title).siblingAtColumn(1)
    table.scrollTo(cell)
    here.user.settle()
    here.user.click(table.viewport(), table.visualRect(cell).center())
    box = here.user.find("setupChoice")
    assert isinstance(box, QComboBox)
    field = box.findChild(QLineEdit)
    field.selectAll()
    here.user.type(text)
    here.user.press(end)
    here.user.settle()


def test_what_is_there_missing_and_off_is_listed(here):
    assert told(here, "idle") == "idle" and told(here, "crouch idle") == "crouch idle"
    assert told(here, "flail") == "missing" or "flail" in told(here, "flail")
    assert told(here, "eight ways").startswith("off: blend space forward")
    assert told(here, "left thigh") == "thigh_l"
    here.user.type_into("setupSearch", "thigh", enter=False)
    assert {text for text in here.user.rows("setupTable") if "thigh" in text} == {"left thigh", "right thigh"}
    here.user.press("Esc", "setupSearch")
    here.user.click("setupOnlyMissing")
    assert "left thigh" not in here.user.rows("setupTable") and "sprint" in here.user.rows("setupTable")


def test_a_clip_chosen_in_the_table_drives_the_character_and_undo_takes_it_back(here):
    play, before = here.session.feature(Play), here.session.document.project
    choose(here, "sprint", "run")
    assert not here.user.find("setupTable").findChildren(QComboBox, "setupChoice"), "the list is gone"
    here.user.wait_until(lambda: not play.preparing)
    assert here.session.history.position == 1
    setup = play.choices.setup
    assert setup.clips == {"sprint": before.clip_named("run").id}
    assert play.run.driven.setup.moves.clips["sprint"].name == "run"
    assert told(here, "sprint") == "run" and here.user.find("setupChoiceBox").currentText() == "Set-up"
    here.user.press("Ctrl+Z")
    here.user.wait_until(lambda: not play.preparing)
    assert same_value(here.session.document.project, before) and told(here, "sprint") == "missing"


def test_what_is_typed_into_the_list_is_taken_when_the_keyboard_leaves(here):
    choose(here, "sprint", "run", "Tab")
    here.user.wait_until(lambda: not here.session.feature(Play).preparing)
    assert told(here, "sprint") == "run"


def test_a_bone_chosen_in_the_table_is_kept_by_the_rig(here):
    choose(here, "head", "neck_01")
    assert (
        here.session.document.project.rigs[0].roles == {"head": "neck_01"} and told(here, "head") == "neck_01"
    )
    choose(here, "head", "By name")
    assert here.session.document.project.rigs[0].roles == {} and told(here, "head") == "head"


def test_escape_leaves_the_list_without_a_choice(here):
    table, cell = here.user.find("setupTable"), row(here, "sprint").siblingAtColumn(1)
    table.scrollTo(cell)
    here.user.settle()
    here.user.click(table.viewport(), table.visualRect(cell).center())
    here.user.find("setupChoice")
    here.user.press("Esc")
    assert here.session.history.position == 0 and here.session.feature(Play).on


def offered(here) -> dict[str, bool]:
    """What the menu of the set-up offers, and whether it can be chosen."""
    here.user.click("setupMenu")
    found = {entry.text(): entry.isEnabled() for entry in QApplication.activePopupWidget().actions()}
    here.user.press("Esc")
    return found


def test_a_set_up_is_saved_under_a_name_and_chosen_again(here):
    assert offered(here) == {"Save as…": True, "Rename…": False, "Delete": False}
    here.window.actions_registry.run("play.setup_save")
    dialog = here.user.find("setupName")
    assert isinstance(dialog, QInputDialog)
    here.user.type_into(dialog.findChild(QLineEdit), "Slow")
    choices = here.session.feature(Play).choices
    assert choices.setup.name == "Slow"
    assert offered(here) == {"Save as…": True, "Rename…": True, "Delete": True}
    pick(here, "setupChoiceBox", "Everything by name")
    assert choices.setup is None
    pick(here, "setupChoiceBox", "Slow")
    assert choices.setup.name == "Slow"
    here.window.actions_registry.run("play.setup_delete")
    here.user.settle()
    assert choices.setups == ()


@pytest.mark.view
def test_the_drawn_graph_is_added_by_the_line_above_the_canvas_and_lives(here):
    play = here.session.feature(Play)
    here.user.click("graphNoticeButton")
    here.user.wait_until(lambda: not play.preparing)
    canvas = here.window.docks["graph"].body.panel.canvas
    assert canvas.graph.name == "Locomotion" and canvas.notice is None and play.on
    play.advance(1.0 / 60.0)
    active = canvas.frame.machines[canvas.sheet.id].active
    assert next(node.name for node in canvas.sheet.nodes if node.id == active) == "stand"


def test_an_empty_document_says_what_to_do(qapp):
    with stage(qapp, "play_setup", project=None) as here:
        here.window.show_panel("play_setup")
        here.user.settle()
        panel = here.user.find("playSetupPanel")
        assert panel._stack.currentIndex() == 1


def test_choices_are_undone_while_the_panel_is_out_of_sight(here):
    play = here.session.feature(Play)
    choose(here, "sprint", "run")
    here.user.wait_until(lambda: not play.preparing)
    here.window.show_panel("play")
    here.user.settle()
    here.user.press("Ctrl+Z")
    here.user.wait_until(lambda: not play.preparing)
    here.window.show_panel("play_setup")
    here.user.settle()
    assert told(here, "sprint") == "missing"


def test_a_character_that_cannot_be_driven_shows_what_it_lacks_until_a_clip_is_chosen(qapp, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)

    def nameless():
        rig, clip = light().rigs[0], replace(light().clip_named("walk"), name="Scene")
        return Project({rig.id: rig, clip.id: clip})

    with stage(qapp, *PANELS, project=nameless) as here:
        play = here.session.feature(Play)
        here.user.press("Ctrl+7")
        here.user.wait_until(lambda: here.user.visible("setupTable"), "the set-up did not come")
        assert not play.on and here.window.layouts.current.id == "play"
        assert "choose clips in Play set-up" in here.session.messages.latest.text
        choose(here, "walk", "Scene")
        here.user.press("Ctrl+7")
        here.user.wait_until(lambda: play.on, "Play did not start")
        play.stop()


@pytest.mark.parametrize("by_key", [True, False])
def test_the_choice_of_a_row_is_opened_by_a_click_and_by_return(here, by_key):
    table = here.user.find("setupTable")
    cell = row(here, "idle").siblingAtColumn(1)
    table.scrollTo(cell)
    here.user.settle()
    if by_key:
        table.setFocus()
        table.setCurrentIndex(cell)
        here.user.press("Return", "setupTable")
    else:
        here.user.click(table.viewport(), table.visualRect(cell).center())
    here.user.settle()
    assert here.user.visible("setupChoice")
    here.user.press("Esc")


def test_the_table_stays_where_it_is_in_another_theme(here):
    bar = here.user.find("setupTable").verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert (place := bar.value()) > 0
    for name in ("light", "dark"):
        here.theme.use(name)
        here.user.settle()
        assert bar.value() == place


def test_what_is_refused_is_said(here, monkeypatch):
    panel = here.window.docks["play_setup"].body.panel

    def refuse(rows, part, choice):
        raise ValidationError("no clip of that length")

    monkeypatch.setattr(type(panel.rows), "choose", refuse)
    choose(here, "sprint", "run")
    assert here.session.messages.latest.text == "no clip of that length"
