"""Icons: one family (Phosphor, bold cut: 1.5 px strokes at 16 px), named by what they mean here."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QIcon,
    QIconEngine,
    QPainter,
    QPixmap,
    QPolygonF,
)

from editor.qt.tokens import Tokens

NAMES = {
    "select": "cursor",
    "move": "arrows-out-cardinal",
    "rotate": "arrows-clockwise",
    "scale": "arrows-out-simple",
    "snap": "magnet",
    "auto_key": "record",
    "ghosts": "ghost",
    "trails": "path",
    "search": "magnifying-glass",
    "space": "globe-simple",
    "pivot": "crosshair-simple",
    "play": "play",
    "pause": "pause",
    "stop": "stop",
    "start": "skip-back",
    "end": "skip-forward",
    "previous_key": "caret-double-left",
    "next_key": "caret-double-right",
    "back": "caret-left",
    "forward": "caret-right",
    "up": "caret-up",
    "down": "caret-down",
    "loop": "repeat",
    "once": "arrow-right",
    "ping_pong": "arrows-left-right",
    "new": "file-plus",
    "open": "folder-open",
    "save": "floppy-disk",
    "import": "download-simple",
    "export": "export",
    "undo": "arrow-u-up-left",
    "redo": "arrow-u-up-right",
    "add": "plus",
    "remove": "minus",
    "duplicate": "copy",
    "copy": "copy",
    "paste": "clipboard",
    "delete": "trash",
    "edit": "pencil-simple",
    "lock": "lock-simple",
    "unlock": "lock-simple-open",
    "show": "eye",
    "hide": "eye-slash",
    "solo": "target",
    "filter": "funnel",
    "close": "x",
    "float": "arrow-square-out",
    "more": "dots-three-vertical",
    "settings": "gear-six",
    "info": "info",
    "warning": "warning",
    "error": "warning-circle",
    "ok": "check-circle",
    "check": "check",
    "bone": "git-branch",
    "bones": "tree-structure",
    "virtual": "link-simple",
    "clip": "film-strip",
    "clips": "film-strip",
    "inspector": "sliders-horizontal",
    "history": "clock-counter-clockwise",
    "timeline": "chart-line-up",
    "viewport": "cube",
    "curves": "activity",
    "morphs": "smiley",
    "pose": "person",
    "mirror": "arrows-left-right",
    "ik": "link",
    "spaces": "anchor",
    "bodies": "pill",
    "simulate": "wind",
    "blend": "intersect",
    "graph": "flow-arrow",
    "gamepad": "game-controller",
    "velocity": "arrow-up-right",
    "wish": "navigation-arrow",
    "capsule": "pill",
    "contact": "arrow-line-down",
    "trace": "path",
    "montage": "flag-banner",
    "retarget": "users",
    "layers": "stack",
    "root_motion": "person-simple-walk",
    "rest": "arrow-counter-clockwise",
    "compile": "package",
    "reduce": "funnel-simple",
    "frame": "frame-corners",
    "grid": "grid-four",
    "mesh": "cube",
    "clay": "paint-bucket",
    "theme": "moon",
    "keyboard": "keyboard",
    "help": "question",
    "camera": "video-camera",
    "marker": "flag",
    "events": "bell",
    "pin": "push-pin",
    "speed": "gauge",
    "text": "text-aa",
    "file": "file",
    "recent": "clock",
    "axis": "arrows-out",
    "shadow": "circle-half",
    "fit": "corners-out",
    "menu": "list",
    "ripple": "arrows-out-line-horizontal",
    "in_place": "map-pin",
    "range_start": "arrow-line-left",
    "range_end": "arrow-line-right",
    "timing": "sliders",
    "blocking": "chart-bar",
    "pose_strip": "film-strip",
    "tangents": "chart-line",
    "nudge_earlier": "arrow-left",
    "nudge_later": "arrow-right",
    "insert_frames": "plus-circle",
    "remove_frames": "minus-circle",
    "buffer": "bookmark-simple",
    "audio": "speaker-high",
    "muted": "speaker-slash",
    "media": "monitor-play",
    "key": "#key",
    "key_animated": "#key_animated",
    "key_none": "#key_none",
}
"""Our name → the family's name; those with # are drawn here."""

ALIASES = {
    "arrow-expand-horizontal": "ripple",
    "arrow-right": "once",
    "content-copy": "copy",
    "content-duplicate": "duplicate",
    "content-paste": "paste",
    "content-save-outline": "save",
    "cursor-default-outline": "select",
    "cursor-move": "move",
    "delete-outline": "delete",
    "export": "export",
    "eye-off-outline": "hide",
    "eye-outline": "show",
    "file-outline": "new",
    "folder-open-outline": "open",
    "human": "pose",
    "image-filter-center-focus": "frame",
    "import": "import",
    "key-plus": "key",
    "key-remove": "key_animated",
    "lock-open-outline": "unlock",
    "lock-outline": "lock",
    "magnet": "snap",
    "magnify": "search",
    "map-marker-outline": "in_place",
    "play": "play",
    "plus": "add",
    "ray-end": "range_end",
    "ray-start": "range_start",
    "record-circle-outline": "auto_key",
    "redo": "redo",
    "rename-outline": "edit",
    "repeat": "loop",
    "resize": "scale",
    "rotate-3d-variant": "rotate",
    "skip-backward": "start",
    "skip-forward": "end",
    "skip-next": "next_key",
    "skip-previous": "previous_key",
    "step-backward": "back",
    "step-forward": "forward",
    "swap-horizontal": "ping_pong",
    "undo": "undo",
    "mirror": "mirror",
    "ghost-outline": "ghosts",
    "vector-polyline": "trails",
}
"""Names of another family that actions are declared with → ours, so that all icons are of one family."""


def known(name: str) -> str:
    """Our name for an icon, or "" where there is none."""
    name = ALIASES.get(name.removeprefix("mdi6."), name)
    return name if name in NAMES else ""


_CACHE: dict[tuple[str, str, str], QIcon] = {}
"""Every icon made so far, for good: Python's collector must never free an icon engine, or Qt frees it once more."""


GLYPH = 0.875 * 1.15
"""Pixels of the font for a pixel of the icon's height: glyphs have a margin of their own."""


class Family(NamedTuple):
    """The icon font: its name, and the character of each glyph."""

    name: str
    characters: dict[str, str]


@cache
def _family() -> Family:
    """The icon font, read from the files of its package: importing that costs a tenth of a second at every start."""
    found = importlib.util.find_spec("qtawesome")
    assert found is not None and found.submodule_search_locations
    folder = Path(found.submodule_search_locations[0]) / "fonts"
    font = next(folder.glob("phosphor-[0-9]*.ttf"))
    table = next(folder.glob("phosphor-charmap-*.json"))
    names = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font)))
    codes = json.loads(table.read_text(encoding="utf-8"))
    return Family(names[0], {name: chr(int(code, 16)) for name, code in codes.items()})


@cache
def _font(height: int) -> QFont:
    """The font for icons of a height in pixels."""
    font = QFont()
    font.setFamily(_family().name)
    font.setPixelSize(max(1, round(GLYPH * height)))
    return font


class Glyph(QIconEngine):
    """Paints one character, sharp at every size.

    Parameters
    ----------
    colors : usually; on, or under the pointer; disabled
    """

    def __init__(self, character: str, colors: tuple[str, str, str]) -> None:
        super().__init__()
        self._character, self._colors = character, colors

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        usual, on, disabled = self._colors
        if mode == QIcon.Mode.Disabled:
            color = disabled
        else:
            color = usual if (mode, state) == (QIcon.Mode.Normal, QIcon.State.Off) else on
        painter.save()
        painter.setPen(QColor(color))
        painter.setFont(_font(rect.height()))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return made


class IconSet:
    """Icons tinted by token."""

    def __init__(self, theme: Tokens) -> None:
        self.theme = theme

    def use(self, theme: Tokens) -> None:
        """Tint icons asked for from now on by another theme."""
        self.theme = theme

    def icon(self, name: str, token: str = "text") -> QIcon:
        """An icon in a token's colour, dim when disabled; raises `KeyError` for an unknown name."""
        key = (self.theme.name, name, token)
        if key not in _CACHE:
            _CACHE[key] = self._make(NAMES[name], token)
        return _CACHE[key]

    def _make(self, glyph: str, token: str) -> QIcon:
        color = getattr(self.theme, token)
        if glyph.startswith("#"):
            return _diamond(glyph[1:], color)
        on = self.theme.accent if token == "text" else color
        character = _family().characters[f"{glyph}-bold"]
        return QIcon(Glyph(character, (color, on, self.theme.disabled)))


def _diamond(kind: str, color: str) -> QIcon:
    """A key, drawn here for every scale."""
    icon = QIcon()
    for side in (16, 24, 32, 48):
        picture = QPixmap(side, side)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        paint_diamond(painter, QPointF(side / 2, side / 2), side * 0.28, QColor(color), kind)
        painter.end()
        icon.addPixmap(picture)
    return icon


def paint_diamond(
    painter: QPainter, centre: QPointF, radius: float, color: QColor, kind: str = "key"
) -> None:
    """Paint the sign of a key.

    ``key`` is filled, ``key_animated`` outlined, ``key_half`` half of each, ``key_none`` nothing.
    """
    if kind == "key_none":
        return
    x, y = centre.x(), centre.y()
    top, right = QPointF(x, y - radius), QPointF(x + radius, y)
    bottom, left = QPointF(x, y + radius), QPointF(x - radius, y)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = painter.pen()
    pen.setColor(color)
    pen.setWidthF(1.25)
    pen.setStyle(Qt.PenStyle.SolidLine)
    painter.setPen(pen)
    painter.setBrush(color if kind == "key" else Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF([top, right, bottom, left]))
    if kind == "key_half":
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([top, bottom, left]))
    painter.restore()
