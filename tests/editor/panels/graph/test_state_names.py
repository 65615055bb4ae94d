"""How states are painted: their names from far off and near by, and that something is missing."""

from types import SimpleNamespace

import pytest
from PySide6.QtGui import QImage, QPainter

from editor.model.graph.naming import Tone
from editor.panels.graph.ink import Ink
from editor.panels.graph.paint_nodes import NodePainter
from editor.qt.theme import Theme


def painted(ink: Ink, zoom: float, **more: object) -> QImage:
    """A state of 120 × 54 units, a pixel a unit."""
    image = QImage(120, 54, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    what = {"title": "idle", "detail": "", "missing": False} | more
    state = SimpleNamespace(form="state", w=120.0, h=54.0, tone=Tone.SOURCE, **what)
    painter = QPainter(image)
    try:
        NodePainter(ink)._one(painter, state, zoom, None)  # type: ignore[arg-type]
    finally:
        painter.end()
    return image


def test_a_state_that_lacks_something_has_a_dashed_edge_of_the_colour_of_errors(qapp):
    ink = Ink(Theme(qapp, "dark"))
    plain, lacks = (painted(ink, 1.0, missing=missing) for missing in (False, True))
    edge = [lacks.pixelColor(x, 2).red() - plain.pixelColor(x, 2).red() > 60 for x in range(12, 108)]
    assert 0.3 < sum(edge) / len(edge) < 0.9, "with gaps"


def test_the_detail_of_a_state_stands_below_its_name(qapp, monkeypatch):
    ink = Ink(Theme(qapp, "dark"))
    places: list[float] = []
    monkeypatch.setattr(ink, "text", lambda painter, place, text, *more, **few: places.append(place[1]))
    painted(ink, 1.0)
    painted(ink, 1.0, detail="walk")
    alone, name, detail = places
    assert alone == 27.0 and name <= alone - 6.0 and detail >= name + 14.0


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
    painted(ink, 0.4, title=title)
    assert written == lines
