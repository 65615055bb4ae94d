import json
from collections.abc import Callable
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from editor.shell.panels import panel_specs
from editor.shell.workspaces import WORKSPACES
from tests.editor.stage import stage
from tests.editor.user import CTRL

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


def in_front(here, name):
    """Qt keeps the panels behind others outside the window."""
    return not here.window.docks[name].body.visibleRegion().isEmpty()


def strip_of(here, name):
    return here.window.docks[name].tabs


def test_tab_menu_floats_and_closes(here):
    tabs, other = strip_of(here, "clips"), here.window.docks["history"]
    assert tabs.names == ("Clips", "History")
    place = tabs.place_of("History").center()
    QApplication.sendEvent(
        tabs, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, tabs.mapToGlobal(place))
    )
    here.user.choose_in_popup("Close")
    assert not other.open
    assert here.window.docks["clips"].titleBarWidget().objectName() == "panelTitle", (
        "alone again, it has a title"
    )


def test_tab_under_which_a_panel_stands_is_its_only_title(here):
    assert here.window.docks["clips"].titleBarWidget() is strip_of(here, "clips")
    assert here.window.docks["bone_tree"].titleBarWidget().objectName() == "panelTitle"
    bars = here.window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert all(bar.height() <= 1 for bar in bars if bar.isVisible())


def test_click_on_a_tab_brings_that_panel_to_the_front(here):
    here.user.click(strip_of(here, "clips"), strip_of(here, "clips").place_of("History").center())
    assert in_front(here, "history") and not in_front(here, "clips")
    here.user.click(strip_of(here, "history"), strip_of(here, "history").place_of("Clips").center())
    assert in_front(here, "clips") and not in_front(here, "history")


def test_many_panels_in_one_place_show_every_name_whole(qapp):
    names = (
        "inspector",
        "history",
        "pose",
        "pose_library",
        "mirror",
        "ik",
        "layers",
        "blend_space",
        "retarget",
    )
    with stage(qapp, *names) as here:
        first = here.window.docks[names[0]]
        for name in names[1:]:
            here.window.docks[name].show()
            here.window.tabifyDockWidget(first, here.window.docks[name])
        here.window._tidy()
        here.user.settle()
        for name in names:
            front = here.window.docks[name]
            front.raise_()
            here.user.settle()
            strip = front.tabs
            assert set(strip.names) == {here.window.docks[n].spec.title for n in names}
            places = [strip.place_of(title) for title in strip.names]
            assert all(strip.rect().contains(place) for place in places), "no name is clipped"
            assert not any(a.intersects(b) for a, b in combinations(places, 2))
            metrics = QFontMetrics(here.theme.font(13, bold=True))
            for title, place in zip(strip.names, places, strict=True):
                assert place.width() >= metrics.horizontalAdvance(title)
            assert front.body.geometry().top() >= strip.geometry().bottom()


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


CHANGES: dict[str, Callable] = {
    "another workspace": lambda window: window.use_workspace("export"),
    "maximise": lambda window: window.actions_registry.run("view.maximise"),
    "reset": lambda window: window.actions_registry.run("view.reset_layout"),
    "close": lambda window: window.actions_registry.run("panel.inspector"),
    "float": lambda window: window.actions_registry.run("window.float"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_layout_can_change_while_a_panel_is_dragged(here, change):
    """Qt alone ends the process there."""
    here.user.click("workspace.curves")
    dock = here.window.docks["inspector"]
    strip = dock.titleBarWidget()
    place = strip.place_of(strip.names[0]).center()
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    for step in range(3):
        QTest.mouseMove(strip, place + QPoint(9, 30) * step)
        QApplication.processEvents()
    assert QWidget.mouseGrabber() is dock
    CHANGES[change](here.window)
    QApplication.processEvents()
    assert QWidget.mouseGrabber() is None
    for workspace in ("blend", "pose", "export"):
        here.user.click(f"workspace.{workspace}")
    here.user.click("workspace.curves")
    here.window.actions_registry.run("view.reset_layout")
    assert not dock.isFloating() and dock.open


def test_panel_dragged_out_by_its_name_outlives_changes_of_the_layout(qapp):
    """The title is exchanged when the panel is let go: under a drag, Qt ends the process at the next change."""
    with stage(qapp, *[spec.id for spec in panel_specs()]) as here:
        here.user.click("workspace.curves")
        here.window.show_panel("clips")
        here.user.until(lambda: here.window.docks["clips"].titleBarWidget().isVisible())
        strip = here.window.docks["clips"].titleBarWidget()
        through = here.window.windowHandle()
        start = strip.mapTo(here.window, strip.place_of("Clips").center())
        QTest.mousePress(through, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        for _ in range(2):
            QTest.mouseMove(through, QPoint(0, 0))
            QApplication.processEvents()
        assert here.window.docks["clips"].isFloating()
        QTest.mouseRelease(through, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(0, 0))
        for workspace in ("curves", "retarget", "curves", "pose", "blend"):
            here.window.use_workspace(workspace)
            QApplication.processEvents()
        here.window.actions_registry.run("view.reset_layout")
        assert not any(dock.isFloating() for dock in here.window.docks.values())


def test_workspaces_remember_how_they_were_left(here):
    here.user.click("workspace.curves")
    here.window.docks["history"].close()
    here.user.click("workspace.pose")
    assert here.window.docks["history"].open
    here.user.click("workspace.curves")
    assert not here.window.docks["history"].open
    here.user.choose("View", "Reset layout")
    assert here.window.docks["history"].open


def test_the_panel_with_the_keyboard_floats_and_docks_again_and_is_not_maximised_meanwhile(here):
    run, dock = here.window.actions_registry.run, here.window.docks["bone_tree"]
    here.window.centre_body.take_focus()
    run("window.float")
    assert "the viewport cannot float" in here.session.messages.latest.text
    dock.body.take_focus()
    run("window.float")
    here.user.settle()
    assert dock.isFloating()
    dock.activateWindow()
    here.user.wait_until(lambda: QApplication.activeWindow() is dock)
    dock.body.take_focus()
    here.window.maximise()
    here.user.settle()
    assert here.window.centre_body.isVisible(), "a panel in a window of its own has its room"
    run("window.float")
    here.user.settle()
    assert not dock.isFloating()


def test_full_screen_and_back(here):
    for full in (True, False):
        here.user.press("F11")
        here.user.wait_until(lambda full=full: here.window.isFullScreen() is full)


def test_the_key_that_a_workspaces_tip_names_goes_there(here):
    for workspace in reversed(WORKSPACES):
        tip = here.user.find(f"workspace.{workspace.id}").toolTip()
        here.user.press(tip.partition("(")[2].removesuffix(")"))
        assert here.window.layouts.current.id == workspace.id, tip


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


def test_panels_dragged_with_ctrl_do_not_leave_the_layout_broken(here):
    """Qt keeps the place of a dock that is dragged with Ctrl, and ends the program at the next workspace."""
    for dock in ("clips", "bone_tree"):
        title = here.window.docks[dock].titleBarWidget()
        here.user.drag(title, (150, 12), (420, -160), modifiers=CTRL)
        assert not here.window.docks[dock].isFloating()
    for workspace in ("curves", "blend", "pose"):
        here.user.click(f"workspace.{workspace}")
        assert here.window.layouts.current.id == workspace


def test_rows_have_their_shares_when_a_workspace_is_shown_for_the_first_time(qapp):
    every = tuple(spec.id for spec in panel_specs())
    with stage(qapp, *every) as here:
        here.window.use_workspace("graph")
        canvas, run = here.window.docks["graph"], here.window.docks["graph_run"]
        assert here.user.until(lambda: canvas.height() > 0.3 * here.window.height())
        assert canvas.height() > 1.3 * run.height()
