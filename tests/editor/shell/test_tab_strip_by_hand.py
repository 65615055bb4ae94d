"""The names of panels that share a place, with the pointer: to the front, floating, lit, and their menu."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from editor.qt.theme import Theme
from editor.shell.tabs import TabStrip
from tests.editor.portraits.brush import noted
from tests.editor.portraits.pointer import RIGHT, hover, press, tap, twice


@pytest.fixture
def strip(qtbot, qapp) -> Iterator[TabStrip]:
    window = QMainWindow()
    qtbot.addWidget(window)
    docks = []
    for title in ("Clips", "Bones", "History"):
        dock = QDockWidget(title, window)
        dock.setObjectName(title)
        dock.setWidget(QWidget())
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
        docks.append(dock)
    for other in docks[1:]:
        window.tabifyDockWidget(docks[0], other)
    docks[0].raise_()
    theme = Theme(qapp)
    theme.dress(window)
    made = TabStrip(docks[0], theme)
    docks[0].setTitleBarWidget(made)
    made.show_docks(docks)
    window.resize(600, 400)
    window.show()
    qtbot.waitExposed(window, timeout=60_000)
    yield made
    for dock in docks:
        dock.setFloating(False)


def at(strip: TabStrip, name: str) -> QPoint:
    return strip.place_of(name).center()


def lit(strip: TabStrip) -> set[str]:
    """Names that are drawn bright."""
    with noted() as log:
        strip.grab()
        lines = [line for line in log.taken() if "drawText" in line]
    text = strip._theme.tokens.text
    return {name for name in strip.names for line in lines if repr(name) in line and text in line}


def test_the_name_under_the_pointer_is_lit_until_it_leaves(strip: TabStrip) -> None:
    assert lit(strip) == {"Clips"}
    hover(strip, at(strip, "History"))
    assert lit(strip) == {"Clips", "History"}
    hover(strip, at(strip, "Bones"))
    assert lit(strip) == {"Clips", "Bones"}
    QApplication.sendEvent(strip, QEvent(QEvent.Type.Leave))
    assert lit(strip) == {"Clips"}


def front(strip: TabStrip) -> list[str]:
    """Panels in sight; those behind are visible to Qt, too."""
    return [d.windowTitle() for d in strip._docks if not d.widget().visibleRegion().isEmpty()]


def test_a_press_on_a_name_brings_its_panel_to_the_front(strip: TabStrip) -> None:
    press(strip, at(strip, "Bones"), RIGHT)
    QApplication.processEvents()
    assert front(strip) == ["Clips"]
    tap(strip, at(strip, "Bones"))
    QApplication.processEvents()
    assert front(strip) == ["Bones"]


@pytest.mark.parametrize("name", ["Clips", "Bones"])
def test_a_double_click_lets_a_panel_float(strip: TabStrip, name: str) -> None:
    twice(strip, at(strip, name))
    assert [dock.isFloating() for dock in strip._docks] == [name == n for n in ("Clips", "Bones", "History")]


def test_between_names_nothing_is_there(strip: TabStrip) -> None:
    assert [strip.dock_at(at(strip, d.windowTitle())) for d in strip._docks] == list(strip._docks)
    assert strip.dock_at(QPoint(strip.width() - 1, 2)) is None
    twice(strip, QPoint(strip.width() - 1, 2))
    assert not any(dock.isFloating() for dock in strip._docks)
