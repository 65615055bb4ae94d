"""When feet stand, above the rows of the timeline while a retarget is previewed: spans to drag, add and delete."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QMenu, QWidget

from core.retarget.contacts import ContactSpan
from core.retarget.limbs import limbs_of
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS, modifiers_of, pointer_at
from editor.tools import contacts
from editor.tools.contacts import DragSpan, Lane, Part
from editor.tools.gesture import Gesture
from editor.tools.pointer import Button

LANE = 13
EDGE = 5.0
KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
WORDS = {"foot": ("heel", "ball")}


class ContactStrip(QWidget):
    """A lane for each heel, ball and wrist; shares the timeline's axis, and is there only with a preview."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.chosen: ContactSpan | None = None
        self._gesture: Gesture | None = None
        self.setObjectName("contactStrip")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._context, self._model = context, model
        self._state = context.session.feature(Retargeting)
        self._lanes: tuple[Lane, ...] = ()
        self._dragged: tuple[ContactSpan, ...] | None = None
        self._hovered: tuple[ContactSpan, Part] | None = None
        bindings = Bindings(self)
        bindings.on(model.changed, lambda _: self.update())
        live = self._state.live
        self._refresh = bindings.refresh(
            self._renew, self._state.changed, live.state_changed, context.session.playback.clip_changed
        )
        context.theme.changed.connect(self.update)
        self._renew()

    def sizeHint(self) -> QSize:
        return QSize(400, max(len(self._lanes), 1) * LANE + 3)

    # ------------------------------------------------------------ what is shown
    def _renew(self) -> None:
        result = self._state.computation.result
        limbs = (
            limbs_of(result.binding, True, self._state.subject.choices.hands) if result is not None else ()
        )
        lanes = contacts.lanes_of(
            self._state.computation.spans, [(limb.name, len(limb.points)) for limb in limbs]
        )
        if self.chosen not in self._state.computation.spans:
            self.chosen = None
        if lanes != self._lanes:
            self._lanes = lanes
            self.setFixedHeight(self.sizeHint().height())
        self.setVisible(self._state.live.on and bool(lanes))
        self.update()

    @property
    def frames(self) -> int:
        """Frames of the clip that is previewed."""
        return round(self._context.session.playback.length * self._rate) + 1

    @property
    def _rate(self) -> float:
        return float(self._context.session.playback.rate.fps)

    def spans(self) -> tuple[ContactSpan, ...]:
        """The spans as a drag shows them."""
        return self._state.computation.spans if self._dragged is None else self._dragged

    def rect_of(self, span: ContactSpan) -> QRectF:
        """Where a span is drawn."""
        row = self._lanes.index(Lane(span.limb, span.point))
        left, right = (self._model.view.view_x(frame / self._rate) for frame in (span.first, span.last))
        return QRectF(left, row * LANE + 3.0, max(right - left, 3.0), LANE - 4.0)

    def _frame_at(self, x: float) -> float:
        return self._model.view.axis.time(self._model.view.axis_x(x)) * self._rate

    def _at(self, x: float, y: float) -> tuple[ContactSpan, Part] | None:
        """The span under a place, and what of it."""
        for span in self.spans():
            rect = self.rect_of(span)
            if (
                rect.adjusted(-EDGE, -2.0, EDGE, 2.0).contains(x, y)
                and x > self._model.view.layout().labels - EDGE
            ):
                reach = min(EDGE, rect.width() / 4.0)
                if x <= rect.left() + reach:
                    return span, Part.FIRST
                return span, Part.LAST if x >= rect.right() - reach else Part.WHOLE
        return None

    def _lane_at(self, x: float, y: float) -> Lane | None:
        row = int((y - 1.0) // LANE)
        inside = 0 <= row < len(self._lanes) and x >= self._model.view.layout().labels
        return self._lanes[row] if inside else None

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = QPainter(self), self._context.theme.color
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        labels = self._model.view.layout().labels
        painter.fillRect(self.rect(), color("panel"))
        painter.fillRect(QRectF(labels, 0, self.width() - labels, self.height()), color("window"))
        painter.setFont(self._context.theme.font(tokens.CAPTION))
        for row, lane in enumerate(self._lanes):
            if row and lane.limb != self._lanes[row - 1].limb:
                painter.setPen(QPen(color("divider"), 1))
                painter.drawLine(QLineF(0, row * LANE + 1.5, self.width(), row * LANE + 1.5))
            painter.setPen(color("dim"))
            room = QRectF(8, row * LANE + 1.0, labels - 16, LANE)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, _title(lane))
        painter.setClipRect(QRectF(labels, 0, self.width() - labels, self.height()))
        for span in self.spans():
            self._paint_span(painter, span)
        x = self._model.view.view_x(self._context.session.playback.time)
        painter.setPen(QPen(color("accent"), 1))
        painter.drawLine(QLineF(x, 0, x, self.height()))
        painter.setClipping(False)
        painter.setPen(QPen(color("border"), 1))
        painter.drawLine(QLineF(labels - 0.5, 0, labels - 0.5, self.height()))
        painter.drawLine(QLineF(0, self.height() - 0.5, self.width(), self.height() - 0.5))

    def _paint_span(self, painter: QPainter, span: ContactSpan) -> None:
        color, rect = self._context.theme.color, self.rect_of(span)
        chosen = span == self.chosen
        hovered = self._hovered is not None and self._hovered[0] == span
        token = "selection" if chosen else "ok" if not self._state.subject.spans_edited else "accent"
        painter.setPen(QPen(color(token), 1) if chosen or hovered else Qt.PenStyle.NoPen)
        painter.setBrush(color(token, 0.85 if hovered or chosen else 0.6))
        painter.drawRoundedRect(rect, 2.5, 2.5)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), BUTTONS.get(event.button(), Button.NONE)
        if self._gesture is not None:
            if button is Button.RIGHT:
                self._cancel()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        hit = self._at(place.x(), place.y())
        self.chosen = hit[0] if hit is not None else None
        self.update()
        if button is Button.RIGHT:
            self._open_menu(event)
        elif button is Button.LEFT and hit is not None:
            self._take(DragSpan(self._state, hit[0], hit[1], self.frames, self._frame_at, self._show), event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        lane = self._lane_at(place.x(), place.y())
        if self._at(place.x(), place.y()) is None and lane is not None:
            frame = self._frame_at(place.x())
            self.chosen = contacts.add(self._state, lane, frame, self.frames, self._rate)
        else:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._gesture is not None:
            self._gesture.move(pointer_at(place, Button.LEFT, event.modifiers()))
            return
        hit = self._at(place.x(), place.y())
        if hit != self._hovered:
            self._hovered = hit
            self.update()
        shape = Qt.CursorShape.ArrowCursor
        if hit is not None:
            whole = hit[1] is Part.WHOLE
            shape = Qt.CursorShape.SizeAllCursor if whole else Qt.CursorShape.SizeHorCursor
        self.setCursor(shape)
        self.setToolTip(self._tip(hit))

    def _tip(self, hit: tuple[ContactSpan, Part] | None) -> str:
        if hit is None:
            return tr("Contacts of the source that lock the feet. Double-click to add one.")
        span = hit[0]
        lane = Lane(span.limb, span.point)
        words = tr(
            "{what} is planted from frame {first} to {last}",
            what=_title(lane),
            first=span.first,
            last=span.last,
        )
        return words + "\n" + tr("Drag it or an end of it; Delete removes it")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.finish(pointer_at(event.position(), Button.LEFT, event.modifiers()))
            self._context.window.set_hint("")

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, place = event.angleDelta(), event.position()
        steps = (turned.y() or turned.x()) / 120.0
        if steps and self._gesture is None:
            self._model.view.wheel(place.x(), 0.0, steps, modifiers_of(event.modifiers()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    def _take(self, gesture: Gesture, event: QMouseEvent) -> None:
        self._gesture = gesture
        gesture.begin(pointer_at(event.position(), Button.LEFT, event.modifiers()))
        self._context.window.set_hint(gesture.hint)

    def _show(self, spans: tuple[ContactSpan, ...] | None, chosen: ContactSpan) -> None:
        self._dragged, self.chosen = spans, chosen
        self.update()

    def _cancel(self) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
            self._context.window.set_hint("")

    def _open_menu(self, event: QMouseEvent) -> None:
        place, chosen = event.position(), self.chosen
        lane = self._lane_at(place.x(), place.y())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries: list[tuple[str, Callable[[], object]]] = []
        if chosen is not None:
            entries.append((tr("Delete contact"), lambda: contacts.delete(self._state, chosen)))
        elif lane is not None:
            frame = self._frame_at(place.x())
            entries.append(
                (tr("Add contact"), lambda: contacts.add(self._state, lane, frame, self.frames, self._rate))
            )
        if self._state.subject.spans_edited:
            entries.append((tr("Detect contacts again"), lambda: self._state.edits.set_spans(None)))
        for text, work in entries:
            action = QAction(text, menu)
            action.triggered.connect(lambda _=False, work=work: work())
            menu.addAction(action)
        if entries:
            menu.popup(event.globalPosition().toPoint())

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Delete and Escape are one's own while a contact is chosen or dragged."""
        busy = self.chosen is not None or self._gesture is not None
        return (busy and keeps(event, KEYS)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            self._cancel()
        elif event.key() in KEYS[:2] and self.chosen is not None:
            contacts.delete(self._state, self.chosen)
        else:
            super().keyPressEvent(event)


def _title(lane: Lane) -> str:
    words = WORDS.get(lane.limb.rpartition(" ")[2], ())
    return f"{lane.limb}, {tr(words[lane.point])}" if lane.point < len(words) else lane.limb
