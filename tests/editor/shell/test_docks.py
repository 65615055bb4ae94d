import json

from editor.shell.workspaces import WORKSPACES
from tests.editor.stage import stage
from tests.editor.user import RIGHT

PANELS = ("bone_tree", "clips", "inspector", "history")


def test_layout_is_that_of_the_drawing(here):
    window, docks = here.window, here.window.docks
    bones, clips, right = (docks[n].geometry() for n in ("bone_tree", "clips", "inspector"))
    assert docks["inspector"].body.isVisible() and docks["clips"].body.isVisible()
    assert bones.left() == clips.left() == 0 and bones.bottom() < clips.top()
    assert right.right() == window.width() - 1
    assert docks["history"] in window.tabifiedDockWidgets(docks["clips"])
    assert 220 <= bones.width() <= 300 and 220 <= right.width() <= 300
    assert window.tool_bar.height() == 32 and window.status.height() == 22


def test_close_button_closes_and_the_window_menu_brings_back(here):
    title = here.window.docks["bone_tree"].titleBarWidget()
    here.user.click(title.close_button)
    assert not here.user.visible("bones")
    here.user.choose("Window", "Bones")
    assert here.user.visible("bones")


def test_float_button_floats_the_panel_which_goes_on_working(here):
    dock = here.window.docks["bone_tree"]
    here.user.click(dock.titleBarWidget().float_button)
    assert dock.isFloating() and dock.isVisible()
    here.user.click_row("bones", "head")
    assert here.session.selection.bones == ("head",)
    here.user.click(dock.titleBarWidget().float_button)
    assert not dock.isFloating()


def test_tab_menu_floats_and_closes(here):
    other = here.window.docks["clips"]
    tabs = next(b for b in here.window.findChildren(type_of_tabs()) if b.isVisible() and b.count() == 2)
    place = tabs.tabRect(1).center()
    here.user.click(tabs, place, RIGHT)
    tabs.customContextMenuRequested.emit(place)
    here.user.choose_in_popup("Close")
    assert not here.window.docks["history"].open
    assert other.titleBarWidget().isVisible(), "alone again, it has a title"


def test_tab_under_which_a_panel_stands_is_its_only_title(here):
    assert not here.window.docks["clips"].titleBarWidget().isVisible()
    assert here.window.docks["bone_tree"].titleBarWidget().isVisible()


def test_tabbed_panel_keeps_its_search_above_its_rows(here):
    here.user.press("Ctrl+2")
    assert here.window.layouts.current.id == "curves"
    assert here.user.find("boneSearch").isVisible()
    here.user.type_into("boneSearch", "hand_l", enter=False)
    assert here.user.rows("bones")[-1] == "hand_l"


def test_maximise_gives_the_panel_with_the_keyboard_the_window_and_back(here):
    before = {name: dock.geometry() for name, dock in here.window.docks.items()}
    here.window.docks["bone_tree"].body.take_focus()
    here.user.press("Ctrl+Space")
    assert here.user.visible("bones") and not here.user.visible("clips")
    assert here.window.docks["bone_tree"].width() > 1000
    here.user.press("Ctrl+Space")
    assert here.user.visible("clips")
    assert {n: d.geometry() for n, d in here.window.docks.items()} == before


def test_workspaces_remember_how_they_were_left(here):
    here.user.click("workspace.curves")
    here.window.docks["history"].close()
    here.user.click("workspace.pose")
    assert here.window.docks["history"].open
    here.user.click("workspace.curves")
    assert not here.window.docks["history"].open
    here.user.choose("View", "Reset layout")
    assert here.window.docks["history"].open


def test_every_workspace_shows_its_panels_without_clipping(here):
    for workspace in WORKSPACES:
        here.user.click(f"workspace.{workspace.id}")
        named = {n for row in (*workspace.left, *workspace.right, *workspace.bottom) for n in row}
        for name, dock in here.window.docks.items():
            assert dock.open == (name in named), (workspace.id, name)
        assert here.window.width() == 1280 and here.window.height() == 720


def test_layout_is_kept_over_a_restart(qapp):
    with stage(qapp, *PANELS) as here:
        here.window.docks["clips"].close()
        here.window.docks["bone_tree"].raise_()
        here.user.click("workspace.blend")
        here.user.settle()
    with stage(qapp, *PANELS) as here:
        assert here.window.layouts.current.id == "blend"
        assert here.user.find("workspace.blend").isChecked()
        here.user.click("workspace.pose")
        assert not here.window.docks["clips"].open


def test_layout_that_cannot_be_read_falls_back_to_the_first(qapp):
    for broken in ("{not json", json.dumps({"workspace": "pose", "states": {"pose": "AAAA"}}), "[1]"):
        with stage(qapp, "clips", project=None) as here:
            here.session.preferences.set("layout", broken)
            here.window.layouts.start()
            assert here.window.docks["clips"].open


def test_pointer_brings_the_keyboard_but_not_away_from_a_field(here):
    bones, clips = here.user.find("bones"), here.user.find("clips")
    here.user.move(clips)
    assert clips.hasFocus()
    here.user.move(bones)
    assert bones.hasFocus()
    here.user.type_into("boneSearch", "ha", enter=False)
    here.user.move(clips)
    assert here.user.find("boneSearch").hasFocus()


def type_of_tabs():
    from PySide6.QtWidgets import QTabBar

    return QTabBar
