"""The inspector shows and changes the notify that is selected on the timeline."""

from dataclasses import replace

import pytest

from core.clips.clip import Notify
from core.clips.notify_types import FieldKind, NotifyField, NotifyType
from core.graph.graph import Graph, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from editor.model.event_choice import EventChoice
from editor.tools import clip_events
from tests.editor.stage import RIG, WALK, small_project, stage


def project():
    found = small_project()
    walk = replace(
        found.assets[WALK], notifies=(Notify("step", 0.2, data={"sound": "x"}), Notify("trail", 0.4, 0.3))
    )
    graph = Graph(AssetId("graph-g"), "g", RIG, (Variable("moving", Kind.BOOL),))
    return found.with_assets(walk, graph)


@pytest.fixture
def here(qapp):
    with stage(qapp, "inspector", "timeline", project=project) as made:
        made.window.resize(1280, 720)
        made.window.show_panel("inspector")
        made.user.settle()
        yield made


def notifies(here):
    return here.session.clip.notifies


def choose(here, number: int) -> None:
    here.session.feature(EventChoice).choose(notifies(here)[number])
    here.user.settle()


def test_fields_change_the_notify_one_step_each(here):
    choose(here, 1)
    user, before = here.user, here.session.document.project
    user.type_into("notifyDuration", "0.5")
    assert notifies(here)[1].duration == pytest.approx(0.5)
    user.type_into("notifyThreshold", "0.25")
    user.click("notifyBranching", (8, 8))
    user.click("notifyFollower", (8, 8))
    rule = notifies(here)[1].rule
    assert (rule.threshold, rule.branching, rule.on_follower) == (0.25, True, True)
    user.type_into("notifyFrame", "15")
    assert notifies(here)[1].time == pytest.approx(0.5)
    for _ in range(5):
        here.session.undo()
    assert here.session.document.project.assets[WALK] is before.assets[WALK]


def test_what_was_typed_is_kept_when_the_page_goes_before_enter(here):
    choose(here, 1)
    here.user.type_into("notifyName", "one", enter=False)
    choice, first = here.session.feature(EventChoice), notifies(here)[0]
    choice.choose()
    here.user.settle()
    assert notifies(here)[1].name == "one" and notifies(here)[0] == first
    assert choice.notifies == () and here.session.history.position == 1


def test_what_was_typed_does_not_bring_back_what_was_deleted_meanwhile(here):
    choose(here, 1)
    here.user.type_into("notifyName", "gone", enter=False)
    kept = notifies(here)[:1]
    clip_events.delete(here.session, [clip_events.event_of(notifies(here)[1])])
    here.user.settle()
    assert notifies(here) == kept and here.session.history.position == 1


def test_how_many_more_are_selected_is_said(here):
    choice = here.session.feature(EventChoice)
    notes = here.window.docks["inspector"].body.panel.notify.note
    for chosen, words in (
        ((1, 0), "notify state  and 1 more"),
        ((0,), "notify"),
        ((0, 1), "notify  and 1 more"),
    ):
        choice.choose(*(notifies(here)[number] for number in chosen))
        here.user.settle()
        assert notes.text() == words


def test_everything_that_is_wrong_with_a_notify_is_told(here):
    fields = (NotifyField("volume", FieldKind.NUMBER), NotifyField("loud", FieldKind.SWITCH))
    step = replace(notifies(here)[0], data={"volume": "high"})
    type_ = NotifyType(AssetId("type-step"), "step", fields)
    found = here.session.document.project.with_assets(type_, replace(here.session.clip, notifies=(step,)))
    here.session.edits.commit("Types", found)
    choose(here, 0)
    first, second = here.user.find("notifyProblems").text().splitlines()
    assert "volume" in first and "high" in first and "loud is missing" in second


def test_condition_is_checked_while_it_is_typed_and_kept_only_when_right(here):
    choose(here, 1)
    user = here.user
    user.type_into("notifyWhile", "not movin", enter=False)
    assert "near: moving" in user.find("notifyWrong").text()
    user.press("Return")
    assert notifies(here)[1].rule.condition == ""
    user.type_into("notifyWhile", "not moving")
    assert not user.visible("notifyWrong")
    assert notifies(here)[1].rule.condition == "not moving"


def test_data_of_a_type_has_fields_with_bounds(here):
    choose(here, 0)
    user = here.user
    user.click("notifyType")
    dialog = user.find("notifyTypeDialog")
    dialog.add_field()
    row = dialog.table.rowCount() - 1
    dialog.table.item(row, 0).setText("volume")
    kind = dialog.table.cellWidget(row, 1)
    kind.setCurrentIndex(kind.findData(FieldKind.NUMBER))
    dialog.table.item(row, 4).setText("0")
    dialog.table.item(row, 5).setText("1")
    dialog.accept()
    user.settle()
    made = here.session.document.project.all(NotifyType)[0]
    assert [f.name for f in made.fields] == ["sound", "volume"]
    assert dict(notifies(here)[0].data) == {"sound": "x", "volume": "0"}
    assert user.visible("notifyData.volume")  # the same notify stays selected
    here.window.activateWindow()
    user.wait_until(here.window.isActiveWindow, "the window is not active again")
    user.type_into("notifyData.volume", "0.5")
    assert notifies(here)[0].data["volume"] == "0.5"


def test_a_bone_selected_later_takes_the_inspector_back(here):
    choose(here, 0)
    assert here.user.visible("notifyFields")
    here.session.selection.select(("head",))
    here.user.settle()
    assert not here.user.visible("notifyFields")


def test_a_type_loses_the_chosen_field_refuses_what_is_no_number_and_is_deleted(here):
    choose(here, 0)
    user = here.user
    user.click("notifyType")
    dialog = user.find("notifyTypeDialog")
    for _ in range(2):
        user.click("notifyTypeAdd")
    names = [dialog.table.item(row, 0).text() for row in range(dialog.table.rowCount())]
    assert names == ["sound", "field 2", "field 3"]
    dialog.table.setCurrentCell(1, 0)
    user.click("notifyTypeRemove")
    assert [dialog.table.item(row, 0).text() for row in range(dialog.table.rowCount())] == [
        "sound",
        "field 3",
    ]
    dialog.table.item(1, 4).setText("low")
    dialog.accept()
    assert user.visible("notifyTypeWrong") and dialog.isVisible()
    assert user.find("notifyTypeWrong").text() == "field 3: expected a number, got low"
    dialog.table.item(1, 4).setText("")
    dialog.accept()
    user.settle()
    assert [f.name for f in here.session.document.project.all(NotifyType)[0].fields] == ["sound", "field 3"]
    user.find("notifyType").click()  # its fields have pushed it out of sight
    user.click("notifyTypeDelete")
    user.settle()
    assert not here.session.document.project.all(NotifyType) and not user.visible("notifyTypeDialog")
