"""Virtual bones as a person makes them: in the bone tree, with a dialog, as the space of an IK goal."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QComboBox, QDialog

from core.rig.rig import VirtualBone
from editor.model.retarget.state import Retargeting
from editor.panels.bone_tree.item_model import VirtualRole
from tests.editor.stage import stage
from tests.editor.user import CTRL, RIGHT

NAME = "vb_hand_r_hand_l"


@pytest.fixture
def here(qapp):
    with stage(qapp, "bone_tree", "history", "ik") as made:
        yield made


def bones(here) -> tuple[VirtualBone, ...]:
    return here.session.rig.virtual_bones


def open_adding(here):
    """Select the bone to follow, then the one it hangs under, and choose from the menu of the latter."""
    here.user.click_row("bones", "hand_l")
    here.user.click_row("bones", "hand_r", modifiers=CTRL)
    here.user.click_row("bones", "hand_r", button=RIGHT)
    here.user.choose_in_popup("Add virtual bone…")
    here.user.wait_until(lambda: shown(here) is not None, "no dialog")


def shown(here) -> QDialog | None:
    return next((d for d in here.window.findChildren(QDialog, "virtualBone") if d.isVisible()), None)


def finish(here):
    here.user.click("virtualDone")
    here.user.settle()
    here.window.activateWindow()  # a window manager would, after a dialog closed
    here.user.wait_until(lambda: QApplication.activeWindow() is here.window, "the window is not active")


def add(here):
    open_adding(here)
    finish(here)


def test_virtual_bone_is_added_between_the_selected_bones_and_undone(here):
    add(here)
    assert bones(here) == (VirtualBone(NAME, "hand_r", "hand_l"),)
    assert here.session.history.labels[-1] == f"Add virtual bone {NAME}"
    view = here.user.find("bones")
    row = here.user.row(view, NAME)
    assert row.parent().data() == "hand_r" and row.data(VirtualRole)
    assert here.session.feature(Retargeting).virtual.chosen == bones(here)[0]
    here.user.press("Ctrl+Z")
    assert bones(here) == () and NAME not in here.user.rows("bones")
    here.user.press("Ctrl+Shift+Z")
    assert NAME in here.user.rows("bones")


def test_dialog_proposes_another_name_with_another_bone_until_one_is_written(here):
    open_adding(here)
    box = here.window.findChild(QComboBox, "virtualTarget")
    box.setFocus()
    here.user.type("head")  # as in any list, letters find the entry
    field = here.user.find("virtualName")
    assert box.currentText() == "head" and field.text() == "vb_hand_r_head"
    here.user.type_into("virtualName", "grip", enter=False)
    here.user.type_into("virtualOffset.x", "0.05")
    finish(here)
    assert bones(here) == (VirtualBone("grip", "hand_r", "head", (0.05, 0.0, 0.0)),)


def test_name_that_a_bone_has_is_refused_and_the_dialog_stays(here):
    open_adding(here)
    here.user.type_into("virtualName", "head", enter=False)
    here.user.click("virtualDone")
    assert bones(here) == () and shown(here) is not None
    here.user.click("virtualCancel")
    here.user.settle()
    assert shown(here) is None


def test_virtual_row_is_chosen_alone_and_has_no_switches(here):
    add(here)
    here.user.click_row("bones", "spine")
    assert here.session.feature(Retargeting).virtual.chosen is None
    here.user.click_row("bones", NAME)
    assert (
        here.session.selection.bones == () and here.session.feature(Retargeting).virtual.chosen.name == NAME
    )
    view = here.user.find("bones")
    cell = view.visualRect(here.user.row(view, NAME))
    here.user.click(view.viewport(), QPoint(view.viewport().width() - 8, cell.center().y()))
    assert not here.session.selection.locked and here.session.feature(Retargeting).virtual.chosen.name == NAME
    here.user.click_row("bones", "spine", modifiers=CTRL)
    assert (
        here.session.selection.bones == ("spine",)
        and here.session.feature(Retargeting).virtual.chosen is None
    )


def test_double_click_edits_and_goals_follow_the_new_name(here):
    add(here)
    use_as_goal(here)
    here.user.click_row("bones", NAME, double=True)
    here.user.wait_until(lambda: shown(here) is not None, "no dialog")
    here.user.type_into("virtualName", "sword", enter=False)
    finish(here)
    assert here.session.history.labels[-1] == f"Rename virtual bone {NAME} to sword"
    assert [b.name for b in bones(here)] == ["sword"]
    assert [s.goal.bone for s in here.session.rig.ik_setups] == ["sword"]


def test_delete_is_refused_while_a_goal_hangs_on_it_and_says_so(here):
    add(here)
    use_as_goal(here)
    delete(here)
    assert len(bones(here)) == 1 and "IK set-up" in here.session.messages.latest.text
    here.user.press("Ctrl+Z")  # the goal's space
    delete(here)
    assert bones(here) == () and here.session.history.labels[-1] == f"Delete virtual bone {NAME}"


def use_as_goal(here):
    """Give the left arm a chain whose goal hangs on the virtual bone, in the IK panel."""
    here.user.click_row("bones", "hand_l")
    here.window.actions_registry.run("ik.add")
    here.user.settle()
    box = here.window.findChild(QComboBox, "ikSpace")
    here.user.press("End", box)  # virtual bones come last
    assert box.currentText() == f"bone {NAME}"
    assert here.session.rig.ik_setups[0].goal.bone == NAME


def delete(here):
    here.user.click_row("bones", NAME)
    here.user.click_row("bones", NAME, at=QPoint(40, 8), button=RIGHT)
    here.user.choose_in_popup("Delete virtual bone")
    here.user.settle()


def test_offset_is_edited_and_a_dialog_without_changes_just_closes(here):
    add(here)
    for offset, steps in (("0.1", 2), ("0.1", 2)):
        here.user.click_row("bones", NAME, double=True)
        here.user.wait_until(lambda: shown(here) is not None, "no dialog")
        here.user.type_into("virtualOffset.y", offset)
        finish(here)
        assert shown(here) is None and len(here.session.history.labels) == steps
    assert bones(here) == (VirtualBone(NAME, "hand_r", "hand_l", (0.0, 0.1, 0.0)),)
    assert here.session.history.labels[-1] == f"Change virtual bone {NAME}"
