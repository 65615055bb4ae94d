"""When feet stand, above the rows of the timeline while a retarget is previewed: spans to drag, add and delete."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.retarget.contacts import ContactSpan
from core.retarget.limbs import limbs_of
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.panels.timeline.playhead import PlayheadTrail
from editor.panels.timeline.strip_parts import EDGE, LanePainter, StripDrag, cursor_of, part_at
from editor.panels.timeline.view_model import TimelineModel
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.menu import Menu
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS
from editor.qt.turns import Rank
from editor.tools import contacts
from editor.tools.contacts import DragSpan, Lane
from editor.tools.pointer import Button
from editor.tools.span_part import Part

LANE = 13
KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
WORDS = {"foot": ("heel", "ball")}


class ContactStrip(QWidget):
    """A lane for each heel, ball and wrist; shares the timeline's axis, and is there only with a preview."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.chosen: ContactSpan | None = None
        self._drag = StripDrag(context)  # first: `event` asks it from the first event on
        self.setObjectName("contactStrip")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._context, self._model = context, model
        self._state = context.session.feature(Retargeting)
        self._lanes: tuple[Lane, ...] = ()
        self._painter = LanePainter(self, context, model.view, LANE)
        self._dragged: tuple[ContactSpan, ...] | None = None
        self._hovered: tuple[ContactSpan, Part] | None = None
        self._trail = PlayheadTrail(self, model, context.session.playback)
        bindings = Bindings(self)
        bindings.refresh(self._paint_again, model.changed)
        bindings.refresh(self._trail.follow, model.moved, rank=Rank.FIRST)
        live = self._state.live
        self._refresh = bindings.refresh(
            self._renew, self._state.changed, live.state_changed, context.session.playback.clip_changed
        )
        context.theme.changed.connect(self.update)
        self._renew()

    def sizeHint(self) -> QSize:
        return QSize(400, max(len(self._lanes), 1) * LANE + 3)

    # ------------------------------------------------------------ what is shown
    def _paint_again(self) -> None:
        self._trail.take()
        self.update()

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
                return span, part_at(rect, x)
        return None

    def _lane_at(self, x: float, y: float) -> Lane | None:
        row = int((y - 1.0) // LANE)
        inside = 0 <= row < len(self._lanes) and x >= self._model.view.layout().labels
        return self._lanes[row] if inside else None

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        self._trail.painted()
        limbs = [lane.limb for lane in self._lanes]
        titles = [
            (_title(lane), row > 0 and lane.limb != limbs[row - 1]) for row, lane in enumerate(self._lanes)
        ]
        self._painter.paint(titles, self._paint_spans, self._trail.time)

    def _paint_spans(self, painter: QPainter) -> None:
        for span in self.spans():
            self._paint_span(painter, span)

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
        if self._drag.running:
            if button is Button.RIGHT:
                self._drag.cancel()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        hit = self._at(place.x(), place.y())
        self.chosen = hit[0] if hit is not None else None
        self.update()
        if button is Button.RIGHT:
            self._open_menu(event)
        elif button is Button.LEFT and hit is not None:
            gesture = DragSpan(self._state, hit[0], hit[1], self.frames, self._frame_at, self._show)
            self._drag.begin(gesture, event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        lane = self._lane_at(place.x(), place.y())
        if self._at(place.x(), place.y()) is None and lane is not None:
            self._add(lane, self._frame_at(place.x()))
        else:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._drag.running:
            self._drag.move(event)
            return
        hit = self._at(place.x(), place.y())
        if hit != self._hovered:
            self._hovered = hit
            self.update()
        self.setCursor(cursor_of(hit[1] if hit is not None else None))
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
        self._drag.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._drag.wheel(self._model.view, event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    def _show(self, spans: tuple[ContactSpan, ...] | None, chosen: ContactSpan) -> None:
        self._dragged, self.chosen = spans, chosen
        self.update()

    def _add(self, lane: Lane, frame: float) -> None:
        """A new contact is chosen at once."""
        self.chosen = contacts.add(self._state, lane, frame, self.frames, self._rate)
        self.update()

    def _open_menu(self, event: QMouseEvent) -> None:
        place, chosen = event.position(), self.chosen
        lane = self._lane_at(place.x(), place.y())
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries: list[tuple[str, Callable[[], object]]] = []
        if chosen is not None:
            entries.append((tr("Delete contact"), lambda: contacts.delete(self._state, chosen)))
        elif lane is not None:
            frame = self._frame_at(place.x())
            entries.append((tr("Add contact"), lambda: self._add(lane, frame)))
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
        busy = self.chosen is not None or self._drag.running
        return (busy and keeps(event, KEYS)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._drag.running:
            self._drag.cancel()
        elif event.key() == Qt.Key.Key_Escape and self.chosen is not None:
            self.chosen = None
            self.update()
        elif event.key() in KEYS[:2] and self.chosen is not None:
            contacts.delete(self._state, self.chosen)
        else:
            super().keyPressEvent(event)


def _title(lane: Lane) -> str:
    words = WORDS.get(lane.limb.rpartition(" ")[2], ())
    return f"{lane.limb}, {tr(words[lane.point])}" if lane.point < len(words) else lane.limb
