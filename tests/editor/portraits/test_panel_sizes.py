"""Where everything in a panel is when a person makes the panel narrow and tall, or wide and low."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from editor.shell.panels import panel_specs
from tests.editor.portraits import approved, sitter, stages
from tests.editor.turning import turn_until_shown

SIZES = {"narrow and tall": (300, 1100), "wide and low": (1000, 300)}
OWN, SEEN = "qt_", "qt_scrollarea_viewport"
"""How Qt calls the parts of its own widgets, and that of them in which a person sees ours."""


def places(panel: QWidget, widget: QWidget, depth: int = 0) -> Iterator[str]:
    """Places of what is in sight in a panel, each below what holds it."""
    corner = widget.mapTo(panel, QPoint(0, 0)) if widget is not panel else QPoint(0, 0)
    name = widget.objectName() or type(widget).__name__
    yield f"{'  ' * depth}{name} @{corner.x()},{corner.y()},{widget.width()},{widget.height()}"
    for child in widget.children():
        if not isinstance(child, QWidget) or not child.isVisible():
            continue
        if child.objectName().startswith(OWN) and child.objectName() != SEEN:
            continue
        if isinstance(child, QScrollBar):
            yield f"{'  ' * (depth + 1)}scrolls up to {child.maximum()}, by {child.pageStep()}"
        else:
            yield from places(panel, child, depth + 1)


def sizes(qapp: QApplication, panel: str) -> list[str]:
    """The places at each size."""
    stage, widget = sitter.seated(qapp, panel, "rich" if panel in stages.RICH else "plain")
    lines: list[str] = []
    try:
        for name, size in SIZES.items():
            widget.setMinimumSize(0, 0)
            stage.window.resize(*size)
            turn_until_shown()
            lines += [f"=== {name}", *places(widget, widget)]
    finally:
        sitter.away(qapp, stage, widget)
    return lines


@pytest.mark.parametrize("panel", [spec.id for spec in panel_specs()])
def test_places_in_a_panel_of_another_size_are_as_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"sizes-{panel}", lambda: sizes(qapp, panel))
    assert not problem, problem
