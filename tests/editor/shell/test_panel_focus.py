"""The pointer that comes into a panel brings the keyboard to where the panel's work is, not to some button of it."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from editor.shell.panels import panel_specs
from tests.editor.stage import stage
from tests.pins import Pins

PINS = Pins(__file__)
PANELS = tuple(spec.id for spec in panel_specs() if spec.area != "centre")


@pytest.fixture(scope="module")
def here(qapp):
    """One window for all panels: none of these tests changes anything but what is in front."""
    with stage(qapp, *PANELS) as made:
        yield made


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_under_the_pointer_has_the_keyboard_in_its_main_widget(here, panel):
    here.window.show_panel(panel)
    here.user.settle()
    here.user.move(here.window.tool_bar, QPoint(2, 2))
    before = QApplication.focusWidget()
    if before is not None:
        before.clearFocus()
    body = here.window.docks[panel].body
    here.user.move(body, QPoint(body.width() // 2, body.height() - 3))
    focus = QApplication.focusWidget()
    if focus is None:  # without another character there is nothing to look at, and its view is not there
        PINS.hold(panel, "nobody")
        return
    assert focus is body or body.isAncestorOf(focus)
    PINS.hold(panel, type(focus).__name__, focus.objectName())
