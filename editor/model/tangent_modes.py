"""The tangent modes as panels and actions offer them: one table. Free of Qt."""

from collections.abc import Mapping
from typing import NamedTuple

from core.tracks.keys import TangentMode
from editor.model.i18n import tr


class ModeLook(NamedTuple):
    """How a tangent mode is shown.

    Parameters
    ----------
    title : its name (translated)
    glyph : shape that keys of this mode are drawn with (`editor.qt.key_glyphs`)
    key : number key that sets it, or 0
    """

    title: str
    glyph: str
    key: int = 0


MODES: Mapping[TangentMode, ModeLook] = {
    TangentMode.AUTO: ModeLook(tr("Auto"), "diamond", 1),
    TangentMode.CLAMPED: ModeLook(tr("Clamped"), "diamond", 2),
    TangentMode.FREE: ModeLook(tr("Free"), "circle", 3),
    TangentMode.BROKEN: ModeLook(tr("Broken"), "triangle"),  # Alt on a handle makes it
    TangentMode.FLAT: ModeLook(tr("Flat"), "lozenge", 4),
    TangentMode.LINEAR: ModeLook(tr("Linear"), "square", 5),
    TangentMode.STEPPED: ModeLook(tr("Stepped"), "step", 6),
}
MIXED = len(TangentMode)
"""Mode number of keys whose channels are of several modes."""
GLYPHS: Mapping[int, str] = {int(mode): look.glyph for mode, look in MODES.items()} | {MIXED: "diamond"}
"""Shapes by mode number."""
