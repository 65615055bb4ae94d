"""Notifies, sync markers and contacts of the clip, between ruler and rows: to add, drag, trim and name."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from core.clips.clip import Clip, NotifyRule
from core.errors import AnimError
from editor.model.display.override import DisplayLevel
from editor.model.event_choice import EventChoice
from editor.panels.timeline.event_menu import EventMenu
from editor.panels.timeline.event_paint import TEXT, paint_event, tip_of
from editor.panels.timeline.event_rows import EventRows
from editor.panels.timeline.playhead import PlayheadTrail
from editor.panels.timeline.strip_parts import EDGE, LanePainter, StripDrag, cursor_of, part_at
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.name_field import NameField
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS
from editor.qt.turns import Rank
from editor.tools import clip_events
from editor.tools.clip_events import ClipEvent, Kind, Lane
from editor.tools.event_drags import BoxEvents, DragEvents
from editor.tools.event_verbs import EventVerbs
from editor.tools.pointer import Button
from editor.tools.span_part import Part

LANE = 15


class EventStrip(QWidget):
    """A lane for notifies, for sync markers, and for each limb's contacts; shares the timeline's axis.

    It is there where the clip has any, or *Show event lanes* is on.

    Attributes
    ----------
    chosen : the selected events, the one that was picked last first
    """

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.setObjectName("eventStrip")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._context, self._model, self._session = context, model, context.session
        self._chosen: tuple[ClipEvent, ...] = ()
        self.verbs = EventVerbs(context.session, lambda: self.chosen, self._choose, lambda: self._renew())
        self._lanes: tuple[Lane, ...] = ()
        self._painter = LanePainter(self, context, model.view, LANE)
        self._hovered: tuple[ClipEvent, Part] | None = None
        self._dragging = StripDrag(context, lambda: self._refresh())
        self._box: QRectF | None = None
        self._rows = EventRows()
        self._trail = PlayheadTrail(self, model, context.session.playback)
        self._choice = context.session.feature(EventChoice)
        bindings = Bindings(self)
        bindings.refresh(self._lay_out, model.changed)
        bindings.refresh(self._trail.follow, model.moved, rank=Rank.FIRST)
        bindings.on(self._choice.changed, lambda _: self._on_choice())
        s = context.session
        self._refresh = bindings.refresh(
            self._renew, s.document.changed, s.playback.clip_changed, s.preview.changed, s.switches.changed,
        )  # fmt: skip
        context.theme.changed.connect(self.update)
        self._renew()

    def bound(self) -> dict[str, Callable[[], object]]:
        """What actions do here, by id."""
        found: dict[str, Callable[[], object]] = {
            "events.rename": lambda: self.name(self.chosen[0]) if self.chosen else None,
            "events.span": self.verbs.toggle_span,
            "events.copy": self.verbs.copy,
            "events.paste": self.verbs.paste,
            "events.delete": self.verbs.delete,
            "events.duplicate": self.verbs.duplicate,
            "events.branching": self.verbs.toggle_branching,
            "events.new_lane": self.verbs.new_lane,
            "events.select_all": lambda: self._choose(self.events()),
            "events.add_state": partial(self.add, Lane(Kind.NOTIFY), duration=clip_events.SPAN),
            "events.add_branching": partial(self.add, Lane(Kind.NOTIFY), rule=NotifyRule(branching=True)),
        }
        for id, lane in (("notify", Lane(Kind.NOTIFY)), ("sync_marker", Lane(Kind.SYNC))):
            found[f"events.add_{id}"] = partial(self.add, lane)
        return found

    def sizeHint(self) -> QSize:
        return QSize(400, self._rows.count * LANE + 3)

    # ------------------------------------------------------------ what is shown
    @property
    def chosen(self) -> tuple[ClipEvent, ...]:
        """The selected events, the one that was picked last first."""
        return self._chosen

    @chosen.setter
    def chosen(self, events: tuple[ClipEvent, ...]) -> None:
        self._chosen = events
        notifies = (clip_events.notify_of(e) for e in events if e.lane.kind is Kind.NOTIFY)
        self._choice.choose(*notifies)

    def _on_choice(self) -> None:
        """The inspector has changed a notify: that is the one selected."""
        wanted = tuple(clip_events.event_of(notify) for notify in self._choice.notifies)
        if wanted != tuple(e for e in self._chosen if e.lane.kind is Kind.NOTIFY):
            self._chosen = wanted
            self.update()

    @property
    def clip(self) -> Clip | None:
        """The document's clip, as a drag previews it; none while a preview from outside plays."""
        return None if self._session.display.has(DisplayLevel.TRANSIENT_CLIP) else self._model.rows.clip

    def _renew(self) -> None:
        clip, session = self.clip, self._session
        every = session.switches["event_lanes"]
        lanes = clip_events.lanes_of(clip, every) if clip is not None else ()
        if not self._dragging.running:
            self._lanes = lanes
        self._lay_out()
        if not self._dragging.running:
            there = self.events()
            found = (clip_events.found(there, event) for event in self.chosen)
            self.chosen = tuple(event for event in found if event is not None)
        self.setVisible(bool(self._lanes))
        self.update()

    def _lay_out(self) -> None:
        """A lane is as high as its stacked bars need; while a drag lasts the rows stay."""
        scale, held = self._model.view.axis.scale, self._dragging.running
        if self._rows.lay_out(self.clip, self._lanes, scale, self._moment_width, held):
            self.setFixedHeight(self.sizeHint().height())
        self._trail.take()
        self.update()

    def _moment_width(self, name: str) -> float:
        return self.fontMetrics().horizontalAdvance(name) + 2 * TEXT + 12.0

    def events(self) -> tuple[ClipEvent, ...]:
        """Everything on the lanes, as a drag shows it."""
        clip = self.clip
        return (
            () if clip is None else tuple(e for lane in self._lanes for e in clip_events.on_lane(clip, lane))
        )

    def rect_of(self, event: ClipEvent) -> QRectF:
        """Where an event is drawn: a span, or the square of a moment's diamond."""
        top = self._rows.row(event) * LANE + 2.0
        left, right = self._model.view.view_x(event.time), self._model.view.view_x(event.end)
        if event.duration <= 0.0:
            return QRectF(left - 5.5, top, 11.0, LANE - 2.0)
        return QRectF(left, top, max(right - left, 3.0), LANE - 2.0)

    def _name_width(self, event: ClipEvent) -> float:
        return self.fontMetrics().horizontalAdvance(event.name) + 2 * TEXT if event.duration <= 0.0 else 0.0

    def at(self, x: float, y: float) -> tuple[ClipEvent, Part] | None:
        """The event under a place, and what of it; a moment's name counts too."""
        if x < self._model.view.layout().labels - EDGE:
            return None
        hit: tuple[ClipEvent, Part] | None = None
        for event in self.events():
            rect = self.rect_of(event)
            if event.duration <= 0.0:
                if rect.adjusted(-1.0, -1.0, self._name_width(event) * 0.8, 1.0).contains(x, y):
                    hit = event, Part.WHOLE
            elif rect.adjusted(-EDGE, -1.0, EDGE, 1.0).contains(x, y):
                hit = event, part_at(rect, x)
        return hit

    def lane_at(self, y: float) -> Lane | None:
        """The lane at a height."""
        return self._rows.lane_at((y - 1.0) / LANE)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        self._trail.painted()
        titles = [(lane.title, row > 0) for lane, row, _ in self._rows.lanes]
        self._painter.paint(
            titles, self._paint_events, self._trail.time, [depth for _, _, depth in self._rows.lanes]
        )

    def _paint_events(self, painter: QPainter) -> None:
        theme, hovered = self._context.theme, None if self._hovered is None else self._hovered[0]
        for found in self.events():
            chosen = clip_events.found(self.chosen, found) is not None
            paint_event(painter, theme, found, self.rect_of(found), chosen, found == hovered)
        if self._box is not None:
            color = self._context.theme.color
            painter.setPen(QPen(color("accent"), 1))
            painter.setBrush(color("accent", 0.15))
            painter.drawRect(self._box)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), BUTTONS.get(event.button(), Button.NONE)
        if self._dragging.running:
            if button is Button.RIGHT:
                self._dragging.cancel()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        hit = self.at(place.x(), place.y())
        more = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        before = self.chosen
        if hit is None:
            self.chosen = self.chosen if more else ()
        elif hit[0] not in self.chosen:
            self.chosen = (hit[0], *(self.chosen if more else ()))
        self.update()
        if button is Button.RIGHT:
            self._open_menu(event)
        elif button is Button.LEFT and hit is not None and self.clip is self._session.clip:
            self._drag(hit, before, more, event)
        elif button is Button.LEFT and place.x() >= self._model.view.layout().labels:
            box = BoxEvents(self._within_box, self.chosen, self._choose, self._show_box)
            self._dragging.begin(box, event)

    def _within_box(self, box: tuple[float, float, float, float]) -> tuple[ClipEvent, ...]:
        area = QRectF(box[0], box[1], max(box[2] - box[0], 1.0), max(box[3] - box[1], 1.0))
        return tuple(event for event in self.events() if self.rect_of(event).intersects(area))

    def _show_box(self, box: tuple[float, float, float, float] | None) -> None:
        self._box = None if box is None else QRectF(box[0], box[1], box[2] - box[0], box[3] - box[1])
        self.update()

    def _drag(
        self, hit: tuple[ClipEvent, Part], before: tuple[ClipEvent, ...], more: bool, event: QMouseEvent
    ) -> None:
        held, part = hit
        events = (held, *(e for e in self.chosen if e != held)) if part is Part.WHOLE else (held,)

        def alone() -> None:
            """A click, not a drag: goes to a moment; Shift takes a chosen one from the selection."""
            if more and held in before:
                self.chosen = tuple(e for e in before if e != held)
            elif not more:
                self.chosen = (held,)
            self.update()

        gesture = DragEvents(
            self._session, events, part, self._time_at, self._model.pointer.snapping({}), alone, self._choose,
            self.lane_at,
        )  # fmt: skip
        self._dragging.begin(gesture, event)

    def _time_at(self, x: float) -> float:
        return self._model.view.axis.time(self._model.view.axis_x(x))

    def _choose(self, events: tuple[ClipEvent, ...]) -> None:
        self.chosen = events
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        hit, lane = self.at(place.x(), place.y()), self.lane_at(place.y())
        if hit is not None:
            self.name(hit[0])
        elif lane is not None and place.x() >= self._model.view.layout().labels and self.clip is not None:
            self.add(lane, self._model.view.axis.frame_time(self._model.view.axis_x(place.x())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._dragging.running:
            self._dragging.move(event)
            return
        hit = self.at(place.x(), place.y())
        if hit != self._hovered:
            self._hovered = hit
            self.update()
        self.setCursor(cursor_of(hit[1] if hit is not None else None))
        self.setToolTip(tip_of(hit, self.lane_at(place.y()), self._session.playback.rate))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._dragging.wheel(self._model.view, event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    # ------------------------------------------------------------ doing
    def add(
        self,
        lane: Lane,
        time: float | None = None,
        *,
        duration: float = 0.0,
        rule: NotifyRule = clip_events.PLAIN,
    ) -> None:
        """Add an event at a time, the playhead's by default, and let its name be typed."""
        made = clip_events.add(self._session, lane, time, duration=duration, rule=rule)
        self._renew()
        if made is not None:
            self._choose((made,))
            if self.isVisible() and lane.kind is not Kind.CONTACT:
                self.name(made)

    def name(self, event: ClipEvent) -> None:
        """Type another name, in its place; a contact is named by its lane."""
        if event.lane.kind is Kind.CONTACT or event.lane not in self._lanes:
            return
        rect = self.rect_of(event)
        left = min(max(rect.left(), self._model.view.layout().labels), self.width() - 124.0)
        top = min(max(rect.top() - 3.0, 0.0), max(self.height() - 19.0, 0.0))
        self._type("eventName", event.name, lambda name: self._rename(event, name), (left, top))

    def _type(
        self, field_name: str, text: str, done: Callable[[str], None], place: tuple[float, float]
    ) -> None:
        field = NameField(text, done, self)
        field.setObjectName(field_name)
        field.setFont(self._context.theme.font(tokens.CAPTION))
        field.setGeometry(round(place[0]), round(place[1]), 120, 19)
        field.open()

    def _rename(self, event: ClipEvent, name: str) -> None:
        try:
            made = clip_events.rename(self._session, event, name)
        except AnimError as error:
            self._session.messages.error(str(error))
            return
        if made is not None:
            self._choose((made,))

    def rename_lane(self, lane: Lane) -> None:
        """Type another name for a lane, in its place."""
        top = self._rows.top(lane)
        clip = self._session.clip
        if top is None or clip is None or lane.kind is not Kind.NOTIFY:
            return

        def done(name: str) -> None:
            clip_events.to_lane(self._session, clip_events.on_lane(clip, lane), name.strip())

        self._type("laneName", lane.name, done, (6.0, top * LANE))

    # ------------------------------------------------------------ menu, keys
    def _open_menu(self, event: QMouseEvent) -> None:
        place = event.position()
        menu = EventMenu(self, self.verbs)
        menu.fill(self.lane_at(place.y()), self.at(place.x(), place.y()), self._lanes)
        menu.popup(event.globalPosition().toPoint())

    def event(self, event: QEvent) -> bool:
        """Delete, Escape, copy and paste are one's own while events are chosen, copied or dragged."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and self._work(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        work = self._work(event)
        if work is not None:
            work()
        else:
            super().keyPressEvent(event)

    def _work(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here, or None."""
        key = event.key()
        if self._dragging.running:
            return self._dragging.cancel if key == Qt.Key.Key_Escape else None
        if self.chosen and key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            return self.verbs.delete
        if self.chosen and event.matches(QKeySequence.StandardKey.Copy):
            return self.verbs.copy
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self.chosen and key == Qt.Key.Key_D and held == Qt.KeyboardModifier.ControlModifier:
            return self.verbs.duplicate
        clip = self._session.clip
        if self.chosen and clip is not None and held == Qt.KeyboardModifier.AltModifier:
            steps = {Qt.Key.Key_Left: -1.0, Qt.Key.Key_Right: 1.0}
            if key in steps:
                return partial(self.verbs.nudge, steps[Qt.Key(key)] * clip.rate.frame)
        pastes = event.matches(QKeySequence.StandardKey.Paste) and self.verbs.can_paste
        return self.verbs.paste if pastes else None
