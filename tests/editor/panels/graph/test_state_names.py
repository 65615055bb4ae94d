"""Names of states seen from far off: as large as they fit, in one line or in two of about the same length."""

from types import SimpleNamespace

import pytest
from PySide6.QtGui import QImage, QPainter

from editor.model.graph.naming import Tone
from editor.panels.graph.ink import Ink
from editor.panels.graph.paint_nodes import NodePainter
from editor.qt.theme import Theme


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("idle", ["idle"]),
        ("start of the jump", ["start of", "the jump"]),
        ("turn in place to the left", ["turn in place", "to the left"]),
        ("Landing_from_a_height", ["Landing_from_a_height"]),
    ],
)
def test_a_long_name_is_parted_where_its_lines_are_about_as_long(qapp, monkeypatch, title, lines):
    ink = Ink(Theme(qapp, "dark"))
    written: list[str] = []
    monkeypatch.setattr(ink, "text", lambda painter, place, text, *more: written.append(text))
    state = SimpleNamespace(
        form="state", title=title, detail="", w=120.0, h=54.0, tone=Tone.SOURCE, missing=False
    )
    image = QImage(200, 100, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    try:
        NodePainter(ink)._one(painter, state, 0.4, None)
    finally:
        painter.end()
    assert written == lines
