"""Icons have the colour of their token, another where they are on, and are dim where nothing can be done."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon

from editor.qt.icons import IconSet
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
