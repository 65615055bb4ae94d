"""What is written at the point of a blend space: its numbers with units, and how far feet slide there."""

import re
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.ids import AssetId
from editor.panels.blend_space.ground import GroundPainter
from editor.panels.blend_space.marks import MarksPainter
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.tools.blending.plot import PlotFrame
from tests.editor.portraits.brush import noted
from tests.editor.stage import RIG

PLANE = (SpaceAxis("speed", 0.0, 4.0, unit="m/s"), SpaceAxis("turn", -90.0, 90.0, unit="°"))


@pytest.mark.parametrize(
    ("axes", "point", "slip", "words"),
    [
        (PLANE[:1], (1.5,), None, "1.5 m/s"),
        (PLANE, (1.5, -30.0), None, "1.5 m/s  −30°"),
        (PLANE[:1], (2.0,), 0.1234, "2 m/s  slip 12.3 cm/s"),
        (PLANE[:1], (2.0,), 0.0, "2 m/s  slip 0.0 cm/s"),
    ],
)
def test_numbers_at_the_point(qapp, axes, point, slip, words: str) -> None:
    kind = SpaceKind.LINE if len(axes) == 1 else SpaceKind.GRID
    space = BlendSpace(AssetId("space-a"), "a", RIG, axes, kind=kind)
    model = SimpleNamespace(live=SimpleNamespace(point=point), slip_at=lambda: slip)
    theme = Theme(qapp)
    plate, text = MarksPainter(model, theme)._chip(  # type: ignore[arg-type]
        PlotFrame(space, 20.0, 10.0, 200.0, 100.0), QFontMetricsF(theme.font())
    )
    assert text == words
    assert plate.left() >= 22.0 and plate.right() <= 218.0


def test_numbers_of_an_axis_stay_within_the_panel(qapp) -> None:
    axes = (SpaceAxis("height", -1.111e-7, 1.111e-7, unit="m"),)
    space, theme = BlendSpace(AssetId("space-a"), "a", RIG, axes, kind=SpaceKind.LINE), Theme(qapp)
    image = QImage(160, 80, QImage.Format.Format_ARGB32)
    with noted() as log:
        painter = QPainter(image)
        GroundPainter(SimpleNamespace(), theme)._axes(  # type: ignore[arg-type]
            painter, PlotFrame(space, 5.0, 10.0, 150.0, 40.0), 160.0
        )
        painter.end()
    metrics = QFontMetricsF(theme.font(tokens.CAPTION, tabular=True))
    drawn = re.findall(r"_axes: drawText @([\d.-]+),\S+,60,14 \S+ '([^']+)'", "\n".join(log.taken()))
    assert len(drawn) > 2
    for left, text in drawn:
        middle, half = float(left) + 30.0, metrics.horizontalAdvance(text) / 2
        assert half <= middle <= 160.0 - half
