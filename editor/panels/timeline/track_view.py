"""The view over time: one widget, one painting, and its mouse and key input."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from core.clips.clip import Marker
from core.errors import AnimError
from editor.model.i18n import tr
from editor.panels.timeline import menus
from editor.panels.timeline.layout import RULER, Region
from editor.panels.timeline.painting import TimelinePainter
from editor.panels.timeline.playhead import PlayheadTrail
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.focus import pointer_rests
from editor.qt.name_field import NameField
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS, modifiers_of, pointer_at
from editor.qt.time_ruler import TimeRuler
from editor.qt.turns import Rank
from editor.tools import markers
from editor.tools.pointer import Button, Pointer

TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)


class TrackView(QWidget):
    """Ruler, rows and keys of one `TimelineModel`."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.setObjectName("timelineTracks")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(200, 44)
        self._context = context
        self._model = model
        self._held = Button.NONE
        self._last = QPointF()
        self._scrub = False
        self._still: tuple[object, QPixmap] | None = None
        self._picture = QPixmap()
        self._ruler: tuple[object, TimeRuler] | None = None
        self._trail = PlayheadTrail(self, model, context.session.playback)
        self._strips = QWidget(self)
        self._column = QVBoxLayout(self._strips)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._strips.installEventFilter(self)
        # Painted in the same turn as the frame field and the head-up line, so that they never disagree.
        bindings = Bindings(self)
        bindings.refresh(self._renew, model.changed)
        bindings.refresh(self._move_playhead, model.moved, rank=Rank.FIRST)
        context.theme.changed.connect(self._renew)

    def sizeHint(self) -> QSize:
        """About ten rows."""
        return QSize(800, 220)

    # ------------------------------------------------------------ lanes of events
    def add_strip(self, strip: QWidget) -> None:
        """Put lanes below the ruler; they have room while they are shown."""
        self._column.addWidget(strip)
        self._place_strips()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._place_strips()
        return False

    def _place_strips(self) -> None:
        view = self._model.view
        top, height = round(view.layout().lanes), self._column.sizeHint().height()
        self._strips.setGeometry(0, top, self.width(), height)
        view.set_strips(float(height))
        self.setMinimumHeight(top + height + 20)

    # ------------------------------------------------------------ painting
    def _renew(self) -> None:
        """Another picture, not only another time."""
        self._still = None
        self._trail.take()
        if self._strips.y() != round(self._model.view.layout().lanes):
            self._place_strips()  # the first marker came, or the last went
        self.update()

    def _move_playhead(self) -> None:
        self._trail.follow(round(RULER))

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        keys = next(iter(self._context.actions.shortcuts("key.set")), "")
        made_of = self.size(), ratio, keys
        if self._still is None or self._still[0] != made_of:
            self._still = made_of, self._draw_still(ratio, keys)
        self._trail.painted()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._still[1])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painting(painter, ratio, keys).paint_moving()
        painter.end()

    def _painting(self, painter: QPainter, ratio: float, keys: str) -> TimelinePainter:
        moment = self._trail.time, self._trail.shown
        view, theme = self._model.view, self._context.theme
        made_of = view.axis, view.unit, view.layout().labels, ratio, theme.tokens
        if (
            self._ruler is None or self._ruler[0] != made_of
        ):  # its ticks are found once for each stretch of time
            self._ruler = made_of, TimeRuler(theme, *made_of[:4])
        return TimelinePainter(painter, self._model, self._ruler[1], keys, moment)

    def _draw_still(self, ratio: float, keys: str) -> QPixmap:
        """The picture without ruler and playhead: while time runs only these are painted again."""
        picture = self._picture  # a fresh one of two megabytes costs as much as painting it
        if picture.size() != self.size() * ratio or picture.devicePixelRatio() != ratio:
            picture = self._picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        try:  # a picture must not go while it is painted on
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._painting(painter, ratio, keys).paint_still()
        finally:
            painter.end()
        return picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._model.view.resize(self.width(), self.height())
        self._place_strips()
        super().resizeEvent(event)

    # ------------------------------------------------------------ mouse
    def _pointer(self, event: QMouseEvent, button: Button) -> Pointer:
        self._last = event.position()
        return pointer_at(event.position(), button, event.modifiers())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        button = BUTTONS.get(event.button(), Button.NONE)
        if self._model.gestures.current is not None:
            if button is Button.RIGHT:
                self._cancel()
            return
        if button is Button.RIGHT:
            self._open_menu(event.position(), event.globalPosition().toPoint())
            return
        self._held = button
        gesture = self._model.pointer.press(self._pointer(event, button), self._scrub)
        self._context.window.set_hint(gesture.hint if gesture is not None else "")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._near_bracket(place.x(), place.y()) and event.button() == Qt.MouseButton.LeftButton:
            self._context.session.playback.set_range(None)
            return
        row = self._model.view.layout().row_at(place.y())
        marker = self._model.markers.marker_at(place.x(), place.y())
        if marker is not None:
            self._model.markers.aimed_marker = marker
            self.rename_marker()
            return
        if self._model.view.layout().region(place.x(), place.y()) is Region.LABELS and row is not None:
            found = self._model.rows.all()[row]
            if not self._model.pointer.arrow_at(place.x(), found):
                self._model.rows.toggle_row(found)
                return
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        pointer = self._pointer(event, self._held)
        if self._model.gestures.current is not None:
            self._model.gestures.move(pointer)
            self._context.window.set_hint(
                self._model.gestures.current.status or self._model.gestures.current.hint
            )
        elif not event.buttons():
            self._take_keys()
            self._model.pointer.hover(pointer.x, pointer.y)
            self._show_cursor(pointer)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        button = BUTTONS.get(event.button(), Button.NONE)
        if self._model.gestures.current is not None and button is self._held:
            self._model.gestures.release(self._pointer(event, button))
            self._context.window.set_hint("")

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        steps = (turned.y() or turned.x()) / 120.0
        if steps and self._model.gestures.current is None:
            place = event.position()
            self._model.view.wheel(place.x(), place.y(), steps, modifiers_of(event.modifiers()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._model.pointer.leave()
        super().leaveEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Keys go to where the mouse is, unless someone is typing."""
        if not pointer_rests(self, event):
            self._take_keys()
        super().enterEvent(event)

    def _take_keys(self) -> None:
        if not self.hasFocus() and not isinstance(QApplication.focusWidget(), TEXT_FIELDS):
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _show_cursor(self, pointer: Pointer) -> None:
        region = self._model.view.layout().region(pointer.x, pointer.y)
        if self._near_bracket(pointer.x, pointer.y) or self._model.pointer.edge is not None:
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        elif region is Region.CORNER:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(tr("Click: frames, seconds, timecode"))
            return
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)
        if region is Region.RULER and self._model.pointer.near is not None:
            self.setToolTip(tr("Drag: play a part of the clip. Double-click: play all of it"))
        else:
            self.setToolTip(self._whole_name(pointer) if region is Region.LABELS else "")

    def _near_bracket(self, x: float, y: float) -> bool:
        """Whether an end of the play range is held at a place."""
        on_ruler = self._model.view.layout().region(x, y) is Region.RULER
        return on_ruler and self._model.pointer.range_edge_at(x) is not None

    def _whole_name(self, pointer: Pointer) -> str:
        """The bone of the row under the pointer, in full: its label may be shortened."""
        number = self._model.view.layout().row_at(pointer.y)
        rows = self._model.rows.all()
        key = rows[number].key if number is not None and number < len(rows) else ()
        return str(key[0]) if key else ""

    # ------------------------------------------------------------ menus, names
    def _open_menu(self, place: QPointF, globally: QPoint) -> None:
        region = self._model.pointer.aim(place.x(), place.y())
        ids: Sequence[str | None] = menus.KEYS
        if self._model.markers.aimed_marker is not None:
            ids = menus.MARKER
        elif region in (Region.RULER, Region.MARKERS):
            ids = menus.RULER
        elif region in (Region.LABELS, Region.CORNER):
            ids = menus.ROWS
        self._context.window.menu_of(ids, self).popup(globally)

    def rename_marker(self) -> None:
        """Type another name for the marker aimed at, in its place."""
        marker, layout = self._model.markers.aimed_marker, self._model.view.layout()
        if marker is None or marker not in self._model.markers.all():
            return
        field = NameField(marker.name, lambda name: self._rename(marker, name), self)
        field.setObjectName("markerName")
        field.setFont(self._context.theme.font(tokens.CAPTION))
        left = max(self._model.view.view_x(marker.time) + 6.0, layout.labels)
        field.setGeometry(round(min(left, self.width() - 120.0)), round(RULER) - 3, 120, 20)
        field.open()

    def _rename(self, marker: Marker, name: str) -> None:
        try:
            markers.rename(self._context.session, marker, name)
        except AnimError as error:
            self._context.session.messages.error(str(error))

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """While a gesture lasts its keys are no shortcuts; K held is one's own too."""
        if event.type() == QEvent.Type.ShortcutOverride and self._model.gestures.current is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_K and not event.modifiers() and self._model.gestures.current is None:
            self._scrub = True
        elif event.key() == Qt.Key.Key_Escape and self._model.gestures.current is not None:
            self._cancel()
        elif self._model.gestures.current is None:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_K and not event.isAutoRepeat():
            self._scrub = False
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """K is not held where its release is not heard of."""
        self._scrub = False
        super().focusOutEvent(event)

    def _cancel(self) -> None:
        self._model.gestures.cancel()
        self._context.window.set_hint("")
