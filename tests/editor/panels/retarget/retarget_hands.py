"""What a person does in the retarget panel."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget

from editor.panels.retarget.table import MapTable
from tests.editor.shell.test_window import choose_file, wait
from tests.editor.stage import Stage

PANELS = ("clips", "history", "timeline", "retarget")


VIEWS = ("viewport", "source_view")


views = pytest.mark.parametrize("here", [VIEWS], indirect=True)


def load(here: Stage, path):
    """Open a source through the panel's button and the dialog."""
    here.user.click(next(b for b in here.window.findChildren(QPushButton, "emptyButton") if b.isVisible()))
    choose_file(here, path)
    wait(here)
    here.window.activateWindow()  # a window manager would, after a dialog closed
    here.user.wait_until(
        lambda: QApplication.activeWindow() is here.window, "the window did not become active"
    )


def row(here: Stage, chain: str) -> dict[int, str]:
    table = here.window.findChild(MapTable)
    item = next(i for i in map(table.topLevelItem, range(table.topLevelItemCount())) if i.text(0) == chain)
    return {column: item.text(column) for column in range(table.columnCount())}


def reveal(here: Stage, name: str):
    """Scroll the panel to a widget, and give it back."""
    found = here.window.findChild(QWidget, name)
    above = found.parentWidget()
    while not isinstance(above, QScrollArea):
        above = above.parentWidget()
    above.ensureWidgetVisible(found)
    here.user.settle()
    return found


def edit(here: Stage, chain: str, column: int, text: str):
    """Double-click a cell of the map and type."""
    here.user.click_row("chainMap", chain, column=column, double=True)
    here.user.press("Ctrl+A")
    here.user.type(text)
    here.user.press("Return")
    wait(here)
