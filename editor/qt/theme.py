"""The theme in use: colours, fonts and icons, applied to the whole application."""

import logging
import shutil
import weakref
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from editor.model.leftovers import make_folder
from editor.qt import tokens
from editor.qt.icons import IconSet
from editor.qt.style import style_sheet, write_shapes
from editor.qt.tokens import THEMES, Tokens

logger = logging.getLogger(__name__)


class Theme(QObject):
    """Colours, fonts and icons; `changed` is emitted after another theme was put on.

    Parameters
    ----------
    app : application it is applied to
    name : "dark" or "light"

    Notes
    -----
    The style sheet is not the application's but that of each window that belongs to no other, see `dress`. With one
    of the application every widget is dressed when it is put into another, with all that is in it: three times for
    each, a quarter of the time that a window takes to open.
    """

    changed = Signal()

    def __init__(self, app: QApplication, name: str = "dark") -> None:
        super().__init__()
        self._app = app
        self._folder = make_folder()
        weakref.finalize(self, shutil.rmtree, self._folder, True)  # at the latest when the program ends
        self.tokens: Tokens = THEMES.get(name, THEMES["dark"])
        self.icons = IconSet(self.tokens)
        self._base = interface_font()
        if app.style().objectName() != "fusion":
            app.setStyle("Fusion")
        app.setPalette(palette(self.tokens))
        app.setFont(self.font())

    def dress(self, window: QWidget) -> None:
        """Put the theme on a window that belongs to no other, and on all that is and comes into it.

        Call it when the window is built: all is dressed at once then. What is in a window of another window, such as
        a dialog, is dressed as that is.
        """
        window.setStyleSheet(self._sheet())

    def use(self, name: str) -> None:
        """Change to another theme by name; the same one does nothing."""
        if name == self.tokens.name or name not in THEMES:
            return
        self.tokens = THEMES[name]
        self.icons.use(self.tokens)
        self._app.setPalette(palette(self.tokens))
        for window in self._app.topLevelWidgets():
            if window.parent() is None and window.styleSheet():
                self.dress(window)
        self.changed.emit()

    def color(self, name: str, alpha: float = 1.0) -> QColor:
        """A token's colour, at an opacity of 0..1."""
        color = QColor(getattr(self.tokens, name))
        color.setAlphaF(alpha)
        return color

    def ink(self, name: str) -> QColor:
        """A token's colour as text may have it: readable on everything that text stands on, see `tokens.ink`."""
        return QColor(tokens.ink(self.tokens, name))

    def icon(self, name: str, token: str = "text") -> QIcon:
        """An icon of the one family, tinted by a token; unknown names raise `KeyError`."""
        return self.icons.icon(name, token)

    def font(self, pixels: int = tokens.BODY, bold: bool = False, tabular: bool = False) -> QFont:
        """The interface font; `tabular` gives every digit the same width where the system's font has to serve."""
        font = QFont(self._base)
        font.setPixelSize(pixels)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        if tabular and font.family() != FAMILY:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def _sheet(self) -> str:
        """The style sheet of the theme in use, with its shapes written where it reads them."""
        folder = self._folder / self.tokens.name
        folder.mkdir(exist_ok=True)
        write_shapes(self.tokens, folder)
        return style_sheet(self.tokens, folder)


FAMILY = "Inter Tabular"
"""The bundled font: its figures all have the same width."""


def interface_font() -> QFont:
    """The bundled font, with the system's for letters it lacks; the system's alone where it cannot be loaded."""
    import resources

    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if FAMILY not in QFontDatabase.families():
        folder = Path(next(iter(resources.__path__))) / "fonts"
        for weight in ("Regular", "SemiBold"):
            if QFontDatabase.addApplicationFont(str(folder / f"InterTabular-{weight}.ttf")) < 0:
                logger.warning("the interface font cannot be loaded from %s", folder)
                return system
    font = QFont(system)
    font.setFamilies([FAMILY, system.family()])
    return font


def palette(theme: Tokens) -> QPalette:
    """The palette of a theme, for what style sheets don't reach."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    result = QPalette()
    for which, color in {
        role.Window: theme.panel,
        role.WindowText: theme.text,
        role.Base: theme.field,
        role.AlternateBase: theme.row,
        role.Text: theme.text,
        role.PlaceholderText: theme.dim,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.raised,
        role.Mid: theme.border,
        role.Dark: theme.border,
        role.Shadow: theme.shadow,
    }.items():
        result.setColor(which, QColor(color))
    for which in (role.Text, role.WindowText, role.ButtonText):
        result.setColor(group.Disabled, which, QColor(theme.disabled))
    return result
