"""The plot of a blend space: what is painted where, and what mouse, keys and drops do to it."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from editor.model.drag_kinds import CLIP
from editor.model.i18n import tr
from editor.panels.blend_space.ground import GroundPainter
from editor.panels.blend_space.marks import MarksPainter
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.qt.pointer import modifiers_of, pointer_at
from editor.qt.theme import Theme
from editor.tools.blending.plot import Part, PlotFrame
from editor.tools.pointer import Button, Pointer

LEFT, TOP, RIGHT, BOTTOM = 40.0, 14.0, 14.0, 34.0
LINE_HEIGHT = 96
KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}

CURSORS = {
    Part.GROUND: Qt.CursorShape.ArrowCursor,
    Part.POINT: Qt.CursorShape.OpenHandCursor,
    Part.DOT: Qt.CursorShape.PointingHandCursor,
    Part.RING: Qt.CursorShape.SizeAllCursor,
}


class SpacePlot(QWidget):
    """Paints the open space and hands what mouse and keys do to the model.

    `edit_wanted` tells that a sample was double-clicked (its number), or empty ground (−1).
    """

    edit_wanted = Signal(int, QPointF)
    hint_wanted = Signal(str)
    dragged = Signal()

    def __init__(self, model: BlendSpaceModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model, self.theme = model, theme
        self._dropping: QPointF | None = None
        self._ground, self._marks = GroundPainter(model, theme), MarksPainter(model, theme)
        self.setObjectName("blendPlot")
        self.setAccessibleName(tr("Blend space"))
        self.setAcceptDrops(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    # ------------------------------------------------------------ layout
    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        space = self.model.space
        if space is not None and len(space.axes) == 1:
            return LINE_HEIGHT
        return round(width - LEFT - RIGHT + TOP + BOTTOM)

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(300))

    def minimumSizeHint(self) -> QSize:
        return QSize(180, LINE_HEIGHT)

    def frame(self) -> PlotFrame | None:
        """The layout of the open space; a plane is square."""
        space = self.model.space
        if space is None:
            return None
        wide, high = self.width() - LEFT - RIGHT, self.height() - TOP - BOTTOM
        if len(space.axes) == 1:
            side = LEFT / 2.0
            return PlotFrame(space, side, TOP, max(self.width() - 2 * side, 20.0), max(high, 20.0))
        edge = max(min(wide, high), 20.0)
        return PlotFrame(space, LEFT + (wide - edge) / 2.0, TOP, edge, edge)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = self.frame()
        if frame is not None:
            self._ground.paint(painter, frame, self.width(), self.hasFocus())
            dropping = None if self._dropping is None else self._settled(self._dropping, frame)
            self._marks.paint(painter, frame, dropping)
        painter.end()

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.model.gestures.current is not None:
            if event.button() == Qt.MouseButton.RightButton:
                self.model.cancel()
        elif frame is not None and event.button() == Qt.MouseButton.LeftButton:
            self.model.press(_pointer(event), frame)
            self._hint()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if self.model.gestures.current is not None:
            self.model.move(_pointer(event))
            self.dragged.emit()
        elif frame is not None:
            self._hover(event, frame)
            self._hint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.model.release(_pointer(event))
            if (frame := self.frame()) is not None:
                self._hover(event, frame)
            self._hint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if frame is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.model.cancel()
        number = frame.sample_at(event.position().toTuple())
        self.edit_wanted.emit(-1 if number is None else number, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        if self.model.gestures.current is None:
            self.model.hover(None)
            self.hint_wanted.emit("")

    def _hover(self, event: QMouseEvent, frame: PlotFrame) -> None:
        """Show the ring of the sample nearby, and by the cursor what a press would take."""
        pointer = _pointer(event)
        part = self.model.hit(pointer, frame).part
        self.model.hover(frame.sample_at(pointer.pixel), part)
        self.setCursor(CURSORS[part])

    def _hint(self) -> None:
        gesture, model = self.model.gestures.current, self.model
        if gesture is not None:
            text = gesture.hint
        elif model.part is Part.RING:
            text = tr("Drag the ring to move the sample; Shift+drag moves the point")
        elif model.hovered is not None:
            text = tr(
                "Drag moves the point; the ring or Alt+drag moves the sample, double click edits it, Delete removes it"
            )
        else:
            text = tr("Drag moves the point, arrow keys nudge it, Space plays; Alt+drag moves a sample")
        self.hint_wanted.emit(text)

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._wants(event):
            event.accept()
            return True
        return super().event(event)

    def _wants(self, event) -> bool:
        key, plain = Qt.Key(event.key()), not event.modifiers() & Qt.KeyboardModifier.AltModifier
        if key == Qt.Key.Key_Escape:
            return self.model.gestures.current is not None
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            return self.model.selected is not None
        if key == Qt.Key.Key_Space:
            return event.modifiers() == Qt.KeyboardModifier.NoModifier and self.model.live.player is not None
        return plain and key in KEYS and self.model.space is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in KEYS:
            self.model.nudge(KEYS[key], modifiers_of(event.modifiers()))
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.model.selected is not None:
            self.model.remove_selected()
        elif key == Qt.Key.Key_Escape and self.model.gestures.current is not None:
            self.model.cancel()
        elif key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.model.live.toggle()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # ------------------------------------------------------------ drops
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(CLIP) and self.model.space is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasFormat(CLIP):
            self._dropping = event.position()
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._dropping = None
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        frame, self._dropping = self.frame(), None
        if frame is not None and event.mimeData().hasFormat(CLIP):
            clip = bytes(event.mimeData().data(CLIP).data()).decode("utf-8", "replace")
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.model.drop(clip, frame.place(event.position().toTuple()))
        self.update()

    def _settled(self, at: QPointF, frame: PlotFrame) -> tuple[float, ...]:
        place = frame.place(at.toTuple())
        return tuple(a.snapped(v) if a.snap else v for v, a in zip(place, frame.space.axes, strict=True))


def _pointer(event: QMouseEvent) -> Pointer:
    return pointer_at(event.position(), Button.LEFT, event.modifiers())
