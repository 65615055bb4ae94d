"""Menus, palette and lists look alike: shortcuts at one edge, ticks, one hover colour, underlines only with Alt."""

import time

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QStyleOptionMenuItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from editor.qt.menu import EDGE, Menu, MenuBar, without_underline
from editor.shell.palette import ROW_HEIGHT, ROWS
from tests.editor.stage import stage, with_view


@pytest.fixture
def here(qapp, request):
    panels = ("clips", "bone_tree", "timeline", "inspector", "mirror", "proportions", "curves")
    with stage(qapp, *with_view(request, *panels)) as made:
        yield made


PAINTED = 60.0
"""Seconds in which a busy machine has painted what is open."""


def screen(widget: QWidget, place: QRect) -> QImage:
    corner = widget.mapToGlobal(place.topLeft())
    return widget.screen().grabWindow(0, corner.x(), corner.y(), place.width(), place.height()).toImage()


def inked_columns(widget: QWidget, place: QRect) -> list[int]:
    """Columns of a part of the screen that hold more than its ground."""
    row = screen(widget, place)
    ground = row.pixel(row.width() - 1, 0)
    return [x for x in range(row.width()) if any(row.pixel(x, y) != ground for y in range(row.height()))]


def opened(here, title: str) -> Menu:
    menu = here.window.menus[title]
    action = menu.menuAction()
    bar = here.window.menuBar()
    here.user.click(bar, bar.actionGeometry(action).center().toTuple())
    here.user.settle()
    assert menu.isVisible() and isinstance(menu, Menu)
    return menu


# ---------------------------------------------------------------- menus
def edges(menu: Menu) -> list[tuple[int, int]]:
    """Where the keys beside the entries begin and end on the screen, from the menu's left side."""
    found = []
    for action in menu.actions():
        keys = action.text().partition("\t")[2]
        if keys and action.isVisible():
            place = menu.actionGeometry(action)
            wide = menu.fontMetrics().horizontalAdvance(keys)
            strip = QRect(place.right() - EDGE - wide, place.top() + 2, wide + EDGE, place.height() - 4)
            inked = inked_columns(menu, strip) or [-strip.left()]
            found.append((strip.left() + inked[0] - place.left(), strip.left() + inked[-1]))
    return found


@pytest.mark.parametrize("title", ["Edit", "View"])
def test_shortcuts_of_a_menu_end_at_one_edge(here, title):
    menu = opened(here, title)
    QTest.mouseMove(menu, QPoint(2, 2))
    here.user.settle()

    def even() -> bool:
        begins, ends = zip(*edges(menu), strict=True)
        return len(ends) >= 5 and max(ends) - min(ends) <= 2 and min(begins) > 60  # not over the title

    assert here.user.until(even, PAINTED), edges(menu)  # the screen shows it when the machine has time
    menu.close()


def test_every_toggle_of_every_menu_has_a_tick_and_no_picture_in_its_place(here):
    toggles = 0
    for menu in here.window.findChildren(QMenu):
        if not isinstance(menu, Menu):
            continue
        menu.aboutToShow.emit()
        for action in menu.actions():
            option = QStyleOptionMenuItem()
            menu.initStyleOption(option, action)
            assert "\t" not in option.text
            if action.isCheckable():
                toggles += 1
                assert option.icon.isNull()
                assert option.checkType != QStyleOptionMenuItem.CheckType.NotCheckable
                assert option.checked == action.isChecked()
    assert toggles > 30


def test_what_the_pointer_is_over_has_one_colour_in_menus_palette_and_trees(here):
    hover = QColor(here.window.theme.tokens.hover).rgb()

    def near_left(widget: QWidget, place: QRect) -> int:
        at = QPoint(place.left() + 3, place.center().y())
        return screen(widget, QRect(at, at)).pixel(0, 0)

    menu = opened(here, "Edit")
    action = next(a for a in menu.actions() if a.isEnabled() and not a.isSeparator())
    for dx in (0, 5, 9):  # a menu waits until the pointer has really moved
        QTest.mouseMove(menu, menu.actionGeometry(action).center() + QPoint(dx, 0))
        here.user.settle()
    place = menu.actionGeometry(action)
    assert here.user.until(lambda: near_left(menu, place) == hover, PAINTED)
    menu.close()
    here.user.press("F3")
    view = here.user.find("paletteList")
    row = view.visualRect(view.currentIndex())
    assert here.user.until(lambda: near_left(view.viewport(), row) == hover, PAINTED)
    here.user.press("Esc")
    tree = here.user.find("bones")
    here.session.selection.select(())
    index = tree.model().index(0, 0)
    place = tree.visualRect(index)
    here.user.move(tree.viewport(), (place.right() - 6, place.center().y()))
    corner = QRect(place.right() - 8, place.top() + 2, 1, 1)
    assert here.user.until(lambda: screen(tree.viewport(), corner).pixel(0, 0) == hover, PAINTED)


def test_letters_of_menus_are_underlined_while_alt_is_held(here):
    bar = here.window.menuBar()
    assert isinstance(bar, MenuBar) and not bar.underlined
    option = QStyleOptionMenuItem()
    bar.initStyleOption(option, bar.actions()[0])
    assert option.text == "File"
    place = QRect(0, 0, 300, bar.height())
    before = screen(bar, place)
    QTest.keyPress(here.window, Qt.Key.Key_Alt)
    here.user.settle()
    assert bar.underlined and screen(bar, place) != before
    bar.initStyleOption(option, bar.actions()[0])
    assert option.text == "&File"
    QTest.keyRelease(here.window, Qt.Key.Key_Alt)
    here.user.settle()
    assert not bar.underlined


@pytest.mark.parametrize(
    ("text", "plain"), [("&File", "File"), ("A && B", "A && B"), ("&A && &B", "A && B"), ("", "")]
)
def test_text_without_its_underline_keeps_ampersands(text, plain):
    assert without_underline(text) == plain


# ---------------------------------------------------------------- palette
def test_palette_is_as_tall_as_its_results(here):
    here.user.press("F3")
    palette, view = here.window.palette_box, here.user.find("paletteList")
    tall = palette.box.height()
    assert view.height() == ROWS * ROW_HEIGHT
    here.user.type("redo")
    found = len(here.user.rows("paletteList"))
    assert 0 < found < ROWS and view.height() == found * ROW_HEIGHT and palette.box.height() < tall
    here.user.press("Ctrl+A")
    here.user.type("qqqqxx")
    here.user.settle()
    note = here.user.find("paletteNote")
    assert not view.isVisible() and note.geometry().bottom() <= palette.box.height()
    here.user.press("Esc")


def test_the_search_is_put_away_by_what_opened_it(here):
    run = here.window.actions_registry.run
    run("help.palette")
    assert here.window.palette_box.isVisible()
    run("help.palette")
    assert not here.window.palette_box.isVisible()


def test_the_entry_under_the_pointer_is_the_one_that_return_runs(here):
    here.user.press("F3")
    view = here.user.find("paletteList")
    here.user.move(view.viewport(), (40, 2.5 * ROW_HEIGHT))
    assert view.currentIndex().row() == 2
    here.user.press("Esc")


def test_palette_casts_its_shadow_over_the_view_and_a_click_on_it_is_elsewhere(here):
    centre = here.window.centralWidget()
    palette = here.window.palette_box
    here.user.press("F3")
    below = QRect(palette.x() + 14, palette.y() + 120, 1, 1)
    dark = screen(here.window, below)
    here.user.press("Esc")
    here.user.settle()
    assert centre.geometry().intersects(below)
    assert QColor(dark.pixel(0, 0)).lightness() < QColor(screen(here.window, below).pixel(0, 0)).lightness()
    here.user.press("F3")
    here.user.click(palette, (palette.width() / 2, palette.height() - 4.0))
    assert not palette.isVisible()


def test_palette_opens_in_the_order_of_use_also_in_the_next_session(here):
    for words in ("Export workspace", "Pose workspace"):
        here.user.press("F3")
        here.user.type(words)
        here.user.press("Return")
    here.user.press("F3")
    assert here.user.rows("paletteList")[:2] == ["Pose workspace", "Export workspace"]
    here.user.press("Esc")
    entries = here.window.commands.palette_entries()
    assert [e.title for e in entries if e.checked and "workspace" in e.title] == ["Pose workspace"]
    here.session.preferences.add_used_action("gone.action")
    assert here.window.commands.palette_entries()[0].title == "Pose workspace"


# ---------------------------------------------------------------- dialogs, status
@pytest.mark.parametrize("action", ["edit.preferences", "help.shortcuts", "help.about"])
def test_a_dialog_says_its_title_once(here, action):
    here.window.actions_registry.run(action)
    here.user.settle()
    dialog = next(
        w for w in here.window.findChildren(QWidget) if w.isWindow() and w.isVisible() and w.isModal()
    )
    assert dialog.windowTitle()
    assert all(label.text() != dialog.windowTitle() for label in dialog.findChildren(QLabel))
    dialog.close()


@pytest.mark.view
def test_slow_playback_is_said_once_in_amber(here, monkeypatch):
    status = here.window.status
    status.set_frame_rate(7.4, behind=True)
    label = here.user.find("frameRate")
    assert label.text() == "7 fps" and label.property("role") == "warning"
    assert label.palette().windowText().color() == here.window.theme.ink("warning")
    status.set_frame_rate(30.0)
    assert label.property("role") == "caption"
    status.set_frame_rate(None)
    assert label.text() == ""
    overlay = here.window.centre_body.panel.overlay
    monkeypatch.setattr(type(here.session.playback), "measured_fps", property(lambda _: 7.4))
    here.session.playback.play()
    here.window.centre_body.panel._write()
    assert overlay.lines.behind and "fps" in overlay.lines.rate
    assert not any("fps" in text for row in overlay._rows() for text, _, _ in row)
    here.session.playback.pause()


# ---------------------------------------------------------------- tables
def inked(picture: QImage) -> list[int]:
    """Columns of an image that differ from its ground."""
    ground = QColor(picture.pixel(0, picture.height() - 1)).lightness()
    return [
        x
        for x in range(picture.width())
        if any(abs(QColor(picture.pixel(x, y)).lightness() - ground) > 40 for y in range(picture.height()))
    ]


def ink(widget: QWidget, place: QRect) -> tuple[int, int]:
    """First and last pixel across that something is written on, once the screen shows it."""
    until = time.monotonic() + PAINTED
    while not (found := inked(screen(widget, place))) and time.monotonic() < until:
        QApplication.processEvents()
    return place.left() + found[0], place.left() + found[-1]


def heads_and_cells(table: QTreeWidget, item: QTreeWidgetItem):
    """For each column with text: where the header's words and the cell's begin and end."""
    header = table.header()
    for column in range(table.columnCount()):
        if not item.text(column).strip() or table.isColumnHidden(column):
            continue
        left, wide = header.sectionViewportPosition(column), header.sectionSize(column)
        cell = table.visualItemRect(item)
        right = bool(item.textAlignment(column) & Qt.AlignmentFlag.AlignRight)
        step = 20 if column == 0 and table.property("indented") else 4
        head = ink(header.viewport(), QRect(left + 1, 3, wide - 2, header.height() - 6))
        words = ink(table.viewport(), QRect(left + step, cell.top() + 3, wide - step - 2, cell.height() - 6))
        yield (head[1], words[1]) if right else (head[0], words[0])


def test_headers_of_tables_stand_on_their_cells(here):
    here.window.actions_registry.run("help.shortcuts")
    here.user.settle()
    table = here.window.findChild(QTreeWidget, "shortcutTable")
    group = table.topLevelItem(0)
    table.collapseAll()
    here.user.settle()
    assert [abs(a - b) <= 2 for a, b in heads_and_cells(table, group)] == [True]
    table.expandAll()
    table.window().close()
    for panel, name in (("mirror", "mirrorTree"), ("proportions", "retargetSources")):
        here.window.show_panel(panel)
        here.user.settle()
        tree = here.window.findChild(QTreeWidget, name)
        assert tree.isVisible() and tree.topLevelItemCount()
        tree.clearSelection()
        pairs = list(heads_and_cells(tree, tree.topLevelItem(0)))
        assert pairs and all(abs(a - b) <= 2 for a, b in pairs), (name, pairs)


def test_a_choice_of_the_tool_bar_has_its_mark_however_it_was_made(here):
    button = here.user.find("pivot")
    for name, title in (("heel", "Heel"), ("ball", "Ball")):
        here.window.actions_registry.run(f"tool.pivot_{name}")
        here.user.settle()
        marked = [entry.text() for entry in button.menu().actions() if entry.isChecked()]
        assert marked == [title] == [button.text()]


@pytest.mark.view
def test_what_is_on_or_off_says_so_in_its_menu(here):
    actions, session = here.window.actions_registry, here.session
    for id in ("view.orthographic", "view.flip", "time.overview", "time.fit_curves", "view.maximise"):
        before = actions.is_checked(id)
        assert before is not None and actions.run(id)
        here.user.settle()
        assert actions.is_checked(id) is not before, id
        actions.run(id)
        here.user.settle()
        assert actions.is_checked(id) is before, id
    here.window.show_panel("curves")
    here.user.settle()
    layouts = [f"curves.layout_{name}" for name in ("absolute", "normalised", "stacked")]
    for chosen in (*layouts[1:], layouts[0]):
        actions.run(chosen)
        assert [id for id in layouts if actions.is_checked(id)] == [chosen]
    session.selection.select(["hand_l"])
    assert actions.is_checked("ik.toggle") is False
    actions.run("ik.toggle")
    assert actions.is_checked("ik.toggle") is True
    actions.run("ik.toggle")
    assert actions.is_checked("ik.toggle") is False


# ---------------------------------------------------------------- entries when a menu opens
def test_menu_has_no_entry_until_it_opens_and_then_all_once(here):
    menu = here.window.menus["Clip"]
    assert QMenu.actions(menu) == []
    opened(here, "Clip")
    first = QMenu.actions(menu)
    assert [a.objectName() for a in first if a.objectName()] == [
        action.id for action in here.window.actions_registry.in_menu("Clip") if action is not None
    ]
    here.user.press("Escape")
    opened(here, "Clip")
    assert QMenu.actions(menu) == first


def test_submenu_and_recent_files_stand_where_they_did(here):
    opened(here, "File")
    names = [a.menu().title() if a.menu() else a.objectName() for a in here.window.menus["File"].actions()]
    assert names[names.index("Open recent") + 1] == "file.sample"
    here.user.press("Escape")
    opened(here, "View")
    assert "Show" in [a.menu().title() for a in here.window.menus["View"].actions() if a.menu()]
