"""Bone sets as a person uses them: chips over the bone tree and keys, each edit undone and done again exactly."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel

from core.clips.key_types import with_key_type
from core.io import load, save
from core.project.project import Project
from core.rig.set_color import SetColor
from core.tracks.key_types import KeyType
from editor.actions.action import Action
from editor.model.bone_sets import BoneSets
from editor.panels.bone_tree.set_chips import SetChip
from tests.editor.stage import small_project, stage
from tests.editor.user import CTRL, RIGHT, SHIFT


@pytest.fixture
def here(qapp):
    with stage(qapp, "bone_tree") as made:
        yield made


def sets(here):
    return here.session.feature(BoneSets)


def kept(here):
    """The sets of the document: bones and colors by name."""
    rig = here.session.document.project.rigs[0]
    return dict(rig.bone_sets), dict(rig.set_colors)


def press(here, keys):
    here.user.find("bones").setFocus()
    here.user.settle()
    here.user.press(keys)


def exact(here, steps):
    """Undo and redo some steps: the very rigs as before and after."""
    project, after = here.session.document.project, kept(here)
    for _ in range(steps):
        press(here, "Ctrl+Z")
    before = kept(here)
    assert before != after
    for _ in range(steps):
        press(here, "Ctrl+Shift+Z")
    assert kept(here) == after and here.session.document.project.rigs[0] is project.rigs[0]


def made(here, name, *bones):
    here.session.selection.select(bones)
    here.user.settle()
    here.user.click("newSet")
    field = here.user.find("setName")
    assert field.selectedText() == field.text(), "typing replaces the proposed name"
    here.user.press("Ctrl+A")
    for letter in name:
        here.user.press(letter.upper() if letter.isalpha() else letter)
    here.user.press("Return")


def test_set_is_made_named_selected_and_isolated_by_mouse(here, tmp_path):
    user, selection = here.user, here.session.selection
    made(here, "arms", "arm_l", "arm_r")
    assert kept(here)[0] == {"arms": ("arm_l", "arm_r")}
    made(here, "legs", "pelvis")
    exact(here, 2)
    user.click("set_arms")
    assert set(selection.bones) == {"arm_l", "arm_r"} and sets(here).in_hand == "arms"
    user.click("set_legs", modifiers=SHIFT)
    assert set(selection.bones) == {"arm_l", "arm_r", "pelvis"}
    user.click("set_arms", modifiers=CTRL)
    assert selection.bones == ("pelvis",)
    user.click("set_arms", double=True)
    assert selection.solo == {"arm_l", "arm_r"}
    user.click("set_arms", double=True)
    assert not selection.solo
    path = tmp_path / "kept.posewright"
    save(here.session.document.project, path)
    rig = load(path).project.rigs[0]
    assert (dict(rig.bone_sets), dict(rig.set_colors)) == kept(here)


def test_row_without_sets_says_what_it_is_for(here):
    row = here.window.docks["bone_tree"].body.panel.findChild(QLabel, "noSets")
    assert row.isVisible() and row.text() == "Bone sets" and "Select bones" in row.toolTip()
    made(here, "arms", "arm_l")
    assert not row.isVisible()
    for _ in range(2):  # its name, and the set
        press(here, "Ctrl+Z")
    assert row.isVisible()


def test_arrows_with_alt_are_keys_of_actions_over_the_tree(here):
    here.user.click_row("bones", "arm_l")
    tree, chosen = here.user.find("bones"), here.session.selection.bones
    heard = []
    here.window.commands.registry.add(
        Action("test.up", "Up", lambda _: heard.append(1), ("Ctrl+Alt+Shift+Up",))
    )
    here.window.commands.listen()
    tree.setFocus()
    here.user.press("Ctrl+Alt+Shift+Up")
    assert heard and here.session.selection.bones == chosen
    here.user.press("Up")
    assert here.session.selection.bones != chosen, "without Alt they walk through the rows"


def test_set_is_changed_by_its_menu(here):
    user = here.user
    made(here, "arms", "arm_l")
    user.click("set_arms", button=RIGHT)
    user.choose_in_popup("Color")
    user.choose_in_popup("Pink")
    assert kept(here)[1] == {"arms": SetColor.PINK}
    exact(here, 1)
    here.session.selection.select(["hand_l"])
    user.click("set_arms", button=RIGHT)
    user.choose_in_popup("Add to bone set")
    assert kept(here)[0] == {"arms": ("arm_l", "hand_l")}
    user.click("set_arms", button=RIGHT)
    user.choose_in_popup("Remove from bone set")
    assert kept(here)[0] == {"arms": ("arm_l",)}
    exact(here, 1)
    user.click("set_arms", button=RIGHT)
    user.choose_in_popup("Rename bone set…")
    user.press("X")
    user.press("Return")
    assert list(kept(here)[0]) == ["x"]
    exact(here, 1)
    user.click("set_x", button=RIGHT)
    user.choose_in_popup("Delete bone set")
    assert kept(here) == ({}, {}) and not user.visible("set_x")
    exact(here, 1)
    assert user.visible("newSet")


def test_every_verb_has_a_key(here):
    selection = here.session.selection
    for bones in (["arm_l"], ["arm_r"]):
        selection.select(bones)
        press(here, "Shift+N")
        here.user.press("Escape")
    first, second = "arm_l", "arm_r"
    assert sets(here).names == (first, second), "named by the bone"
    press(here, "1")
    assert selection.bones == ("arm_l",) and sets(here).in_hand == first
    press(here, "Shift+2")
    assert selection.bones == ("arm_l", "arm_r") and sets(here).in_hand == second
    press(here, "Alt+=")
    assert kept(here)[0][second] == ("arm_l", "arm_r")
    exact(here, 1)
    press(here, "1")
    press(here, "2")
    selection.select(["arm_l"])
    press(here, "Alt+-")
    assert kept(here)[0][second] == ("arm_r",)
    color = kept(here)[1][second]
    press(here, "Alt+Shift+C")
    assert kept(here)[1][second] is not color
    press(here, "N")
    assert selection.solo == {"arm_r"}
    press(here, "N")
    assert not selection.solo
    press(here, "Ctrl+Shift+N")
    here.user.press("Q")
    here.user.press("Return")
    assert list(kept(here)[0]) == ["arm_l", "q"]
    press(here, "Ctrl+Alt+Shift+N")
    assert list(kept(here)[0]) == ["arm_l"]
    exact(here, 1)


def test_double_click_selects_to_the_end_of_the_chain(here):
    selection = here.session.selection
    here.user.click_row("bones", "arm_l", double=True)
    assert set(selection.bones) == {"arm_l", "hand_l"} and selection.active == "arm_l"
    here.user.click_row("bones", "spine")
    press(here, "Ctrl+]")
    assert selection.bones == ("spine",), "two arms go on: the chain ends"
    here.user.click_row("bones", "arm_r")
    press(here, "Ctrl+]")
    assert set(selection.bones) == {"arm_r", "hand_r"}


def test_bones_are_selected_by_color_key_type_and_movement(here):
    session, selection = here.session, here.session.selection
    made(here, "one", "arm_l")
    made(here, "two", "head")
    made(here, "three", "pelvis")
    for name, color in (("one", SetColor.RED), ("two", SetColor.RED), ("three", SetColor.BLUE)):
        sets(here).recolor(name, color)
    selection.select(["head"])
    press(here, "Shift+C")
    assert set(selection.bones) == {"arm_l", "head"}
    here.window.commands.registry.run("select.color_blue")
    assert selection.bones == ("pelvis",)
    press(here, "Alt+Shift+M")
    assert set(selection.bones) == {"pelvis", "arm_l"}
    session.playback.set_range(0.0, 1e-9)
    clip = session.clip
    arm = {c: [1] for c in clip.tracks if c.bone == "arm_l"}
    session.edits.put("type", with_key_type(clip, arm, KeyType.EXTREME))
    session.playback.set_range(None)
    press(here, "Ctrl+Alt+4")
    assert selection.bones == ("arm_l",)
    session.playback.set_range(0.0, 0.5)
    press(here, "Ctrl+Alt+4")
    assert selection.bones == (), "its key is outside of the range"


def test_sets_stay_when_a_clip_is_added_and_are_copied_from_another_character(here):
    made(here, "arms", "arm_l")
    before = kept(here)
    project = here.session.document.project
    other = small_project().rigs[0]
    twin = type(other)("rig-twin", "twin", other.skeleton)
    here.session.edits.put("another", twin)
    here.session.playback.set_clip(None, twin.id)
    here.user.settle()
    assert not here.user.visible("set_arms")
    here.window.commands.registry.run("set.carry")
    assert here.session.rig.bone_sets == project.rigs[0].bone_sets
    assert here.session.rig.set_colors == project.rigs[0].set_colors
    assert kept(here) == before


def test_menu_of_a_set_is_about_that_set_and_shows_its_color(here):
    made(here, "arms", "arm_l")
    made(here, "legs", "pelvis")
    here.user.click("set_arms", button=RIGHT)
    assert sets(here).in_hand == "arms"
    here.user.choose_in_popup("Color")
    here.user.choose_in_popup("Pink")
    here.user.click("set_arms", button=RIGHT)
    popup = QApplication.activePopupWidget()
    (colors,) = [entry.menu() for entry in popup.actions() if entry.menu() is not None]
    assert [entry.text() for entry in colors.actions() if entry.isChecked()] == ["Pink"]
    popup.close()


def test_a_set_without_a_name_keeps_the_one_it_had_and_without_a_character_there_is_no_row(here):
    made(here, "arms", "arm_l")
    steps = len(here.session.history.labels)
    here.user.click("set_arms", button=RIGHT)
    here.user.choose_in_popup("Rename bone set…")
    here.user.press("Ctrl+A")
    here.user.press("Space")
    here.user.press("Return")
    assert list(kept(here)[0]) == ["arms"] and len(here.session.history.labels) == steps
    latest = here.session.messages.latest
    assert latest is None or "name" not in latest.text
    row = here.user.find("newSet").parentWidget()
    assert row.isVisible()
    here.session.document.replace(Project(), None)
    here.user.settle()
    assert not row.isVisible()


def rows(here) -> tuple[list[int], list[int]]:
    """Where the rows of chips begin from the top of what is seen: all, and those of which anything is seen."""
    area = here.user.find("setChips")
    found = [
        w.mapTo(area.viewport(), QPoint(0, 0)).y() for w in area.body.findChildren(SetChip) if w.isVisible()
    ]
    every = sorted(set(found))
    return every, [top for top in every if -20 < top < area.viewport().height()]


def test_chips_are_seen_by_whole_rows_however_many_there_are(here):
    rig = here.session.document.project.rigs[0]
    counts = set()
    for count in range(1, 13):
        names = [f"set number {k}" for k in range(count)]
        here.session.edits.put("sets", replace(rig, bone_sets=dict.fromkeys(names, ("head",))))
        here.user.settle()
        area = here.user.find("setChips")
        every, seen = rows(here)
        counts.add(len(every))
        scrolled = area.verticalScrollBar().isVisible()
        if len(every) <= 2:
            assert seen == every and not scrolled and area.height() == area.body.height()
        else:
            assert seen == [4, 28] and scrolled and area.height() == 52
    assert {1, 2, 3, 5} <= counts
    here.user.wheel("setChips", -1)
    assert area.verticalScrollBar().value() == 2 * 24 and rows(here)[1] == [4, 28]
