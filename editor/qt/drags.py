"""Dragging things of a document from one panel to another: what is dragged, and what it is dragged by."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from editor.model.drag_kinds import ASSET
from editor.qt.theme import Theme
from editor.qt.tokens import ICON


def data_of(kind: str, text: str) -> QMimeData:
    """What a drag carries."""
    data = QMimeData()
    data.setData(kind, text.encode())
    return data


class DragSource(QObject):
    """Lets a widget be dragged by: a press that moves takes its data along; clicks are the widget's own.

    Parameters
    ----------
    widget : the handle
    data : what is dragged; None for nothing
    """

    def __init__(self, widget: QWidget, data: Callable[[], QMimeData | None]) -> None:
        super().__init__(widget)
        self._widget, self.data = widget, data
        self._from: QPoint | None = None
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        place = event.position().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress:
            self._from = place if event.button() == Qt.MouseButton.LeftButton else None
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._from = None
        elif event.type() == QEvent.Type.MouseMove and self._from is not None:
            if (place - self._from).manhattanLength() >= QApplication.startDragDistance():
                self._from = None
                self._drag()
            return True
        return False

    def _drag(self) -> None:
        data = self.data()
        if data is not None:
            drag = QDrag(self._widget)
            drag.setMimeData(data)
            drag.setPixmap(self._widget.grab())
            drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.LinkAction)


class DragGrip(QLabel):
    """An icon to drag an asset by."""

    def __init__(self, theme: Theme, icon: str, tip: str, name: str, asset: Callable[[], str | None]) -> None:
        super().__init__()
        self._theme, self._icon = theme, icon
        self.setObjectName(name)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.source = DragSource(self, lambda: None if (id := asset()) is None else data_of(ASSET, id))
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setPixmap(self._theme.icon(self._icon, "dim").pixmap(ICON, ICON))
