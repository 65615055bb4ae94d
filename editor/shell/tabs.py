"""The names of panels that share one place: in as many rows as they need, so that none is ever hidden."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QDockWidget, QWidget

from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.menu import Menu
from editor.qt.theme import Theme

ROW = 28
FURTHER_ROW = 24
PADS = (9, 7, 5)
"""Pixels beside a name: less where that saves a row."""


def begins_loose_drag(event: QMouseEvent) -> bool:
    """Whether Qt would drag a dock without docking it (Ctrl): the dock's place stays in its layout as one that is
    gone, and the next change of the layout ends the program. A panel floats by its button and by a plain drag.
    """
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


class TabStrip(QWidget):
    """Title of a dock among tabs. A press on a name brings that panel to the front; the name in front drags it.

    Qt's own tab bar stands in one row and scrolls, which hides names; it is folded away (`TabTidier`).
    """

    def __init__(self, dock: QDockWidget, theme: Theme) -> None:
        super().__init__(dock)
        self.setObjectName("tabStrip")
        self._dock, self._theme = dock, theme
        self._docks: tuple[QDockWidget, ...] = ()
        self._hovered: QDockWidget | None = None
        self._titled: set[QDockWidget] = set()
        self._names: tuple[str, ...] = ()
        self._known: tuple[int, list[QRect]] | None = None
        self.setMouseTracking(True)
        theme.changed.connect(self._on_names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names shown, in order."""
        return self._names

    def show_docks(self, docks: Sequence[QDockWidget]) -> None:
        """Show the names of these docks."""
        if tuple(docks) != self._docks:
            self._docks = tuple(docks)
            for dock in set(docks) - self._titled:
                dock.windowTitleChanged.connect(self._on_names)
                self._titled.add(dock)
            self._on_names()
        self.update()

    def _on_names(self) -> None:
        """Names or fonts are others: places are found again."""
        self._names = tuple(dock.windowTitle() for dock in self._docks)
        self._known = None
        self.updateGeometry()
        self.update()

    def place_of(self, name: str) -> QRect:
        """Where a name is."""
        return self._places()[self.names.index(name)]

    # ------------------------------------------------------------ layout
    def _places(self, width: int | None = None) -> list[QRect]:
        """Where the names are: in as few rows as can be, in the most roomy way that needs no more of them."""
        right = max(self.width() if width is None else width, 60)
        if self._known is None or self._known[0] != right:  # a layout asks for the size a hundred times
            metrics = QFontMetrics(self._theme.font(tokens.TITLE, bold=True))
            wide = [metrics.horizontalAdvance(name) for name in self._names]
            ways = [self._rows(right, wide, pad) for pad in PADS]
            self._known = right, min(ways, key=lambda places: places[-1].top() if places else 0)
        return self._known[1]

    def _rows(self, right: int, widths: Sequence[int], pad: int) -> list[QRect]:
        places: list[QRect] = []
        x = y = 0
        for width in widths:
            wide = min(width + 2 * pad, right)
            if x and x + wide > right:
                x, y = 0, y + (ROW if y == 0 else FURTHER_ROW)
            places.append(QRect(x, y, wide, ROW if y == 0 else FURTHER_ROW))
            x += wide
        return places

    def sizeHint(self) -> QSize:
        places = self._places(max(self.width(), self._dock.width()) if not self.isVisible() else None)
        return QSize(120, places[-1].bottom() + 1 if places else ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and self.sizeHint().height() != self.height():
            self.updateGeometry()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.setPen(Qt.PenStyle.NoPen)
        places = self._places()
        last = places[-1].top() if places else 0
        for dock, place in zip(self._docks, places, strict=True):
            front = dock is self._dock
            if front or dock is self._hovered:
                painter.setBrush(self._theme.color("panel" if front else "hover"))
                # The last row stands on the panel: its name in front is one with it.
                below = tokens.RADIUS if place.top() == last else 0
                painter.drawRoundedRect(place.adjusted(0, 0, 0, below), tokens.RADIUS, tokens.RADIUS)
        for dock, place in zip(self._docks, places, strict=True):
            front = dock is self._dock
            painter.setFont(self._theme.font(tokens.TITLE, bold=front))
            painter.setPen(self._theme.color("text" if front or dock is self._hovered else "dim"))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, dock.windowTitle())
        painter.end()

    # ------------------------------------------------------------ mouse
    def dock_at(self, place: QPoint) -> QDockWidget | None:
        """The panel whose name is there."""
        pairs = zip(self._docks, self._places(), strict=True)
        return next((dock for dock, box in pairs if box.contains(place)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if begins_loose_drag(event):
            event.accept()
            return
        dock = self.dock_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or dock is None or dock is self._dock:
            event.ignore()  # Qt drags the dock by it
            return
        dock.raise_()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        dock = self.dock_at(event.position().toPoint())
        if dock is not None:
            dock.setFloating(True)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(None if event.buttons() else self.dock_at(event.position().toPoint()))
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, dock: QDockWidget | None) -> None:
        if dock is not self._hovered:
            self._hovered = dock
            self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        dock = self.dock_at(event.pos())
        if dock is None:
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries: tuple[tuple[str, Callable[[], object]], ...] = (
            (tr("Float"), lambda: dock.setFloating(True)),
            (tr("Close"), dock.close),
        )
        for text, work in entries:
            action = QAction(text, menu)
            action.triggered.connect(lambda _, work=work: work())
            menu.addAction(action)
        menu.popup(event.globalPos())
