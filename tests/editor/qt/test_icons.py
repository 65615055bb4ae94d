"""Icons have the colour of their token, another where they are on, and are dim where nothing can be done."""

import pytest
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPainter

from editor.qt.icons import IconSet, paint_diamond
from editor.qt.tokens import DARK, LIGHT

SIZE = QSize(64, 64)
NORMAL, ACTIVE, DISABLED = QIcon.Mode.Normal, QIcon.Mode.Active, QIcon.Mode.Disabled
OFF, ON = QIcon.State.Off, QIcon.State.On


def ink(icon: QIcon, mode: QIcon.Mode, state: QIcon.State) -> str:
    """The colour of what is painted fully."""
    image = icon.pixmap(SIZE, mode, state).toImage()
    colors = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    full = [QColor(c.rgb()).name() for c in colors if c.alpha() == 255]
    return max(set(full), key=full.count)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize(
    ("token", "mode", "state", "wanted"),
    [
        ("text", NORMAL, OFF, "text"),
        ("text", NORMAL, ON, "accent"),
        ("text", ACTIVE, OFF, "accent"),
        ("text", DISABLED, OFF, "disabled"),
        ("text", DISABLED, ON, "disabled"),
        ("error", NORMAL, OFF, "error"),
        ("error", NORMAL, ON, "error"),
        ("error", DISABLED, OFF, "disabled"),
    ],
)
def test_ink_of_an_icon(qapp, theme, token: str, mode, state, wanted: str) -> None:
    assert ink(IconSet(theme).icon("delete", token), mode, state) == getattr(theme, wanted)


def test_another_theme_tints_icons_asked_for_from_then_on(qapp) -> None:
    icons = IconSet(DARK)
    before = icons.icon("delete")
    icons.use(LIGHT)
    assert ink(icons.icon("delete"), NORMAL, OFF) == LIGHT.text and ink(before, NORMAL, OFF) == DARK.text
    with pytest.raises(KeyError):
        icons.icon("no such icon")


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        ("key", True, True),
        ("key_half", True, False),
        ("key_animated", False, False),
        ("key_none", False, False),
    ],
)
def test_the_sign_of_a_key_is_filled_by_what_it_says(qapp, kind: str, left: bool, right: bool) -> None:
    image = QImage(20, 20, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    paint_diamond(painter, QPointF(10.0, 10.0), 8.0, QColor("white"), kind)
    painter.end()
    filled = [image.pixelColor(x, 10).alpha() == 255 for x in (6, 13)]
    assert filled == [left, right]
    assert (image.pixelColor(10, 2).alpha() > 0) is (kind != "key_none"), "its outline"
