"""The pointer over the contacts of a source: what it says, which cursor it has, and that a contact is lit."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication

from editor.panels.timeline.contact_strip import ContactStrip
from tests.editor.portraits import sitter
from tests.editor.portraits.pointer import hover

ACROSS, ALL, ARROW = Qt.CursorShape.SizeHorCursor, Qt.CursorShape.SizeAllCursor, Qt.CursorShape.ArrowCursor


@pytest.fixture
def strip(qapp) -> Iterator[ContactStrip]:
    stage, panel = sitter.seated(qapp, "timeline", "after")
    found = panel.findChild(ContactStrip)
    assert found is not None and found.isVisible() and found.spans()
    yield found
    sitter.away(qapp, stage, panel)


def test_each_part_of_a_contact_has_its_cursor_and_says_from_when_to_when(strip: ContactStrip) -> None:
    for span in strip.spans():
        rect = strip.rect_of(span)
        places = ((rect.left() + 1, ACROSS), (rect.right() - 1, ACROSS), (rect.center().x(), ALL))
        for x, cursor in places if rect.width() > 24 else ():
            hover(strip, QPoint(round(x), round(rect.center().y())))
            assert strip.cursor().shape() is cursor
            assert f"is planted from frame {span.first} to {span.last}" in strip.toolTip()
            assert strip._hovered is not None and strip._hovered[0] == span
    assert any(strip.rect_of(span).width() > 24 for span in strip.spans())
    QApplication.sendEvent(strip, QEvent(QEvent.Type.Leave))
    assert strip._hovered is None


def test_beside_contacts_it_says_how_to_make_one(strip: ContactStrip) -> None:
    hover(strip, QPoint(strip.width() - 2, 4))
    assert strip.cursor().shape() is ARROW and "Double-click to add one" in strip.toolTip()
