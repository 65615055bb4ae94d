"""The canvas widget: paints the sheet, and hands what mouse, keys and drops do to gestures and the editor."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.errors import AnimError
from editor.actions.action import Scope
from editor.actions.registry import Registry
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.geometry import WHEEL, Point
from editor.model.graph.hits import NOTHING, Hit, Part, hit_at
from editor.model.graph.scene import Scene
from editor.model.graph.state import Moving
from editor.model.i18n import tr
from editor.panels.graph.drops import dropped, fits
from editor.panels.graph.ink import Ink
from editor.panels.graph.live_overlay import TEXT_TIME
from editor.panels.graph.overlay import Overlay
from editor.panels.graph.raster import Raster
from editor.qt.keys import keeps
from editor.qt.pointer import BUTTONS, pointer_at
from editor.qt.theme import Theme
from editor.tools.gesture import Gesture
from editor.tools.graph.gestures import CanvasGesture, Pan, edge_scroll
from editor.tools.graph.press import gesture_at
from editor.tools.pointer import Button

SCROLL_TICK = 16
"""Milliseconds between two moves of the view at its edge."""
CURSORS = {
    Part.NOTHING: Qt.CursorShape.ArrowCursor,
    Part.NODE: Qt.CursorShape.ArrowCursor,
    Part.PIN: Qt.CursorShape.CrossCursor,
    Part.LITERAL: Qt.CursorShape.IBeamCursor,
    Part.CHOICE: Qt.CursorShape.PointingHandCursor,
    Part.BORDER: Qt.CursorShape.CrossCursor,
    Part.WIRE: Qt.CursorShape.PointingHandCursor,
    Part.KNOT: Qt.CursorShape.SizeAllCursor,
    Part.ARROW: Qt.CursorShape.PointingHandCursor,
    Part.COMMENT: Qt.CursorShape.SizeAllCursor,
    Part.COMMENT_EDGE: Qt.CursorShape.SizeFDiagCursor,
}


class CanvasView(QWidget):
    """The canvas.

    `resized` tells that it has another size; `menu_wanted` that the right button was clicked.
    """

    resized = Signal()
    menu_wanted = Signal(QPoint)
    hint_wanted = Signal(str)

    def __init__(
        self, editor: GraphEditor, actions: Registry, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.editor, self.canvas, self.registry = editor, editor.canvas, actions
        self.ink = Ink(theme)
        self.raster = Raster(self.ink)
        self.overlay = Overlay(self.ink, self.canvas, self.raster.nodes, self.raster.wires)
        self.gesture: Gesture | None = None
        self._space = False
        self._space_used = False
        self._last = QPointF()
        self._button = Qt.MouseButton.NoButton
        self._held = Qt.KeyboardModifier.NoModifier
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(SCROLL_TICK)
        self._scrolling.timeout.connect(self._scroll)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(round(TEXT_TIME * 1e3))
        self._late.timeout.connect(self.update)
        self.setObjectName("graphCanvas")
        self.setAccessibleName(tr("Graph canvas"))
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 80)
        theme.changed.connect(self._on_theme)

    def _on_theme(self) -> None:
        self.ink.reset()
        self.raster.drop()
        self.update()

    # ------------------------------------------------------------ painting
    def show_problems(self, problems: Mapping[str, bool]) -> None:
        """Put badges on nodes and transitions: id → whether it is only a warning."""
        if problems != self.overlay.problems:
            self.overlay.problems = problems
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        canvas, ratio = self.canvas, self.devicePixelRatioF()
        state = canvas.state
        moving: frozenset[str] = frozenset()
        if isinstance(state.preview, Moving):
            moving = frozenset(state.preview.places)
        elif state.sizing is not None:
            moving = frozenset((state.sizing.id,))
        scene = canvas.committed
        live = scene is not None and canvas.frame is not None and scene.sheet.id in canvas.frame.machines
        picture = self.raster.picture(self.size(), ratio, scene, canvas.view, moving, state.fits, live)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, picture)
        x, y = self.raster.origin(canvas.view, ratio)
        painter.translate(-x / ratio, -y / ratio)
        painter.scale(canvas.view.zoom, canvas.view.zoom)
        self.overlay.paint(painter, canvas.view.seen(canvas.size), self.hasFocus())
        painter.end()
        if self.overlay.live.late:  # the last picture before a pause must show the values of its step
            self._late.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.canvas.resize((float(self.width()), float(self.height())))
        self.resized.emit()

    # ------------------------------------------------------------ places
    def place(self, at: QPointF | QPoint) -> Point:
        """Scene place of a pixel."""
        return self.canvas.view.to_scene((float(at.x()), float(at.y())))

    def pixel(self, place: Point) -> QPoint:
        """Pixel of a scene place."""
        x, y = self.canvas.view.to_pixel(place)
        return QPoint(round(x), round(y))

    def pointer_place(self) -> Point:
        """Scene place of the pointer, the middle of the view where it is elsewhere."""
        if self.underMouse():
            return self.place(self._last)
        return self.canvas.view.to_scene((self.width() / 2.0, self.height() / 2.0))

    def hit(self, at: QPointF) -> Hit:
        """What is under a pixel."""
        scene: Scene | None = self.canvas.committed
        return NOTHING if scene is None else hit_at(scene, self.place(at), self.canvas.view.zoom)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._last = event.position()
        if self.gesture is not None:
            if event.button() == Qt.MouseButton.RightButton:
                self.cancel()
            return
        self.canvas.settle_view()
        pointer = pointer_at(event.position(), BUTTONS.get(event.button(), Button.NONE), event.modifiers())
        if pointer.button is Button.NONE:
            return
        self._button = event.button()
        self._space_used = self._space
        gesture = self._guarded(lambda: gesture_at(self.editor, pointer, panning=self._space))
        if gesture is not None:
            self.gesture = gesture
            gesture.begin(pointer)
            if isinstance(gesture, Pan) and pointer.button is not Button.RIGHT:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.hint_wanted.emit(gesture.hint)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._last, self._held = event.position(), event.modifiers()
        if self.gesture is None:
            self._hover(event.position())
            return
        self._move_gesture()
        scrolls = isinstance(self.gesture, CanvasGesture) and self.gesture.scrolls
        if scrolls and not self._scrolling.isActive():
            self._scrolling.start()

    def _move_gesture(self) -> None:
        assert self.gesture is not None
        self.gesture.move(pointer_at(self._last, BUTTONS.get(self._button, Button.NONE), self._held))
        self.hint_wanted.emit(self.gesture.hint)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._last = event.position()
        if self.gesture is None or event.button() != self._button:
            return
        gesture, self.gesture = self.gesture, None
        self._scrolling.stop()
        self._guarded(
            lambda: gesture.finish(pointer_at(event.position(), BUTTONS[self._button], event.modifiers()))
        )
        self.unsetCursor()
        self.hint_wanted.emit("")
        if isinstance(gesture, Pan) and self._button == Qt.MouseButton.RightButton and not gesture.moved:
            self._right_click(event.position())
        self._hover(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.cancel()
        hit = self.hit(event.position())
        self._guarded(lambda: self._double(hit, event.position()))

    def _double(self, hit: Hit, at: QPointF) -> None:
        scene = self.canvas.committed
        if hit.part is Part.LITERAL and hit.pin is not None:
            self.editor.literal_wanted.emit(hit.pin)
        elif hit.part in (Part.NODE, Part.BORDER, Part.PIN) and scene is not None:
            self.editor.open_item(hit.item)
        elif hit.part is Part.WIRE:
            self.editor.wires.add_knot(hit.item, self.place(at))
        elif hit.part is Part.ARROW:
            self.editor.rule_wanted.emit(hit.item)
        elif hit.part is Part.COMMENT:
            self.editor.text_wanted.emit(hit.item)

    def _right_click(self, at: QPointF) -> None:
        """On nothing: the search; on something: its menu, with it selected."""
        hit = self.hit(at)
        if hit.part is Part.NOTHING:
            self.editor.search_wanted.emit(SearchWanted(self.place(at)))
            return
        if hit.item not in self.canvas.state.selection:
            self.canvas.select([hit.item])
        if hit.part is Part.PIN and hit.pin is not None:
            self.canvas.set_state(active=hit.pin.node, pin=hit.pin)
        self.menu_wanted.emit(at.toPoint())

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.canvas.settle_view()
        scroll, held = event.pixelDelta(), event.modifiers()
        if not scroll.isNull() and not held & Qt.KeyboardModifier.ControlModifier:
            self.canvas.view = self.canvas.view.panned(scroll.x(), scroll.y())
        else:
            turned = event.angleDelta()
            notches = (turned.y() or turned.x()) / 120.0  # with Alt the wheel turns to the side
            at = (event.position().x(), event.position().y())
            self.canvas.view = self.canvas.view.zoomed(WHEEL**notches, at)
        if self.gesture is not None:
            self._move_gesture()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        if self.gesture is None:
            self.canvas.set_state(hovered="", hovered_pin=None)
        super().leaveEvent(event)

    def _scroll(self) -> None:
        if self.gesture is None:
            self._scrolling.stop()
            return
        at = pointer_at(self._last, BUTTONS.get(self._button, Button.NONE), self._held)
        if edge_scroll(self.canvas, at):
            self._move_gesture()
        else:
            self._scrolling.stop()

    def _hover(self, at: QPointF) -> None:
        if not self.rect().contains(at.toPoint()):
            return
        hit = self.hit(at)
        pin = hit.pin if hit.part is Part.PIN else None
        self.canvas.set_state(hovered=hit.item, hovered_pin=pin)
        if self._space:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(CURSORS[hit.part])

    def cancel(self) -> bool:
        """Take the gesture in hand back; whether there was one."""
        gesture, self.gesture = self.gesture, None
        self._scrolling.stop()
        if gesture is None:
            return False
        gesture.cancel()
        self.hint_wanted.emit("")
        return True

    def _guarded(self, work):
        """Do something; what it refuses is said in the message bar."""
        try:
            return work()
        except AnimError as error:
            self.canvas.messages.info(str(error))
            return None

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.editor.words_at(self.hit(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        if self.gesture is not None and keeps(event, (Qt.Key.Key_Escape,)):
            return True
        if keeps(event, (Qt.Key.Key_Space,)):
            return True
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and self._hears(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _hears(self, event: QKeyEvent) -> bool:
        """Whether a key is the canvas's: its own keys come before those of the window."""
        return _letter(event) or bool(self._action(event))

    def _action(self, event: QKeyEvent) -> str:
        """Id of the action of the canvas that a key does, or ""."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        keys = QKeySequence(held.value | event.key()).toString(QKeySequence.SequenceFormat.PortableText)
        action = self.registry.by_keys(keys, Scope.GRAPH) if keys else None
        return action.id if action is not None and action.scope is Scope.GRAPH else ""

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab is a key of the canvas; F6 and the mouse leave it."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            return
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space, self._space_used = True, False
                self.setCursor(Qt.CursorShape.OpenHandCursor)
            return
        if self.gesture is not None and event.key() in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt):
            self._held = event.modifiers()
            self._move_gesture()
            return
        action = self._action(event)
        if action and self.gesture is None:
            self.registry.run(action)
            return
        if _letter(event) and self.gesture is None:
            self.editor.search_wanted.emit(SearchWanted(self.pointer_place(), text=event.text()))
            return
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            tapped = self._space and not self._space_used
            self._space = False
            self.unsetCursor()
            if (
                tapped and self.gesture is None
            ):  # held it pans; alone it runs or pauses, as it plays elsewhere
                self.registry.run("graph.run")
            return
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event) -> None:
        self._space = False
        super().focusOutEvent(event)
        self.update()

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self.update()

    # ------------------------------------------------------------ drops
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if fits(event.mimeData()) and self.canvas.sheet is not None:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if fits(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        place = self.place(event.position())
        data, held = event.mimeData(), event.modifiers()
        self._guarded(lambda: dropped(self.editor, data, place, held))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        event.acceptProposedAction()


def _letter(event: QKeyEvent) -> bool:
    """Whether a key types a letter or digit."""
    plain = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    return plain == Qt.KeyboardModifier.NoModifier and event.text().isalnum()
