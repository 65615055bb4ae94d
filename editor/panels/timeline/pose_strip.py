"""The pose strip: a picture of each key pose over its frame, to click, retime, copy and swap."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.clips.poses import Poses
from core.timing import frame_text
from core.tracks.key_types import KeyType
from editor.model.blocking import Blocking
from editor.model.i18n import tr
from editor.panels.timeline.playhead import PlayheadTrail
from editor.panels.timeline.pose_pictures import PosePictures
from editor.panels.timeline.strip_parts import StripDrag
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS
from editor.qt.time_ruler import crisp
from editor.tools import blocking
from editor.tools.pointer import Button
from editor.tools.pose_drag import DragPose, Drop

HEIGHT = 72
WIDE, HIGH = 46.0, 64.0
"""Pixels of a card; characters are taller than wide."""
LEAST = 18.0
"""Pixels: poses nearer than this to the one drawn before have a tick in place of a picture."""
MOST = 240
"""More poses are not drawn: a clip with a key on every frame has no plan of poses."""
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Escape)


class Card(NamedTuple):
    """One pose as it is drawn."""

    time: float
    kind: int
    rect: QRectF
    small: bool


class PoseStrip(QWidget):
    """Pictures over time; shares the timeline's axis. Shown by the switch of `blocking.strip`."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self._drag = StripDrag(context)  # first: `event` asks it from the first event on
        self._drop: Drop | None = None
        self._dragged = self._held = 0.0
        self.setObjectName("poseStrip")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFixedHeight(HEIGHT)
        self._context, self._session, self._model = context, context.session, model
        self.pictures = PosePictures(context.session, self)
        self.pictures.ready.connect(self.update)
        self._trail = PlayheadTrail(self, model, context.session.playback)
        bindings = Bindings(self)
        s = context.session
        self._refresh = bindings.refresh(
            self._renew, model.changed, s.switches.changed, s.document.changed, s.feature(Blocking).changed
        )
        bindings.refresh(self._move, model.moved)
        context.theme.changed.connect(self.update)
        self._renew()

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    # ------------------------------------------------------------ what is shown
    def _renew(self) -> None:
        shown = self._session.switches["pose_strip"] and self._session.clip is not None
        self._trail.take()
        self.setVisible(shown)
        if shown:
            times = self._poses().times
            if len(times) <= MOST:
                self.pictures.ask(self._session.clip, times)
            self.update()

    def _move(self) -> None:
        """The playhead is elsewhere: all is painted again only where another pose is held."""
        held = self._session.feature(Blocking).held_pose(self._session.playback.time)
        self._trail.follow()
        if held != self._held:
            self._held = held
            self.update()

    def _poses(self) -> Poses:
        return self._session.feature(Blocking).poses_of(self._session.clip)

    def cards(self) -> list[Card]:
        """The poses in sight, where they are drawn; those too near to the one before are small."""
        view, poses = self._model.view, self._poses()
        if len(poses.times) > MOST:
            return []
        found: list[Card] = []
        xs = [view.view_x(time) for time in poses.times.tolist()]
        last = -np.inf
        for n, (time, kind, x) in enumerate(zip(poses.times.tolist(), poses.types.tolist(), xs, strict=True)):
            room = min(x - last, (xs[n + 1] - x) if n + 1 < len(xs) else np.inf)
            small = x - last < LEAST
            size = min(WIDE, max(room if found else WIDE, LEAST))
            if not small:
                last = x
            rect = QRectF(x - size / 2.0, (HEIGHT - HIGH) / 2.0, size, HIGH)
            if small:
                rect = QRectF(x - 2.5, HEIGHT - 14.0, 5.0, 10.0)
            found.append(Card(time, kind, rect, small))
        return [
            card
            for card in found
            if card.rect.right() > view.layout().labels and card.rect.left() < self.width()
        ]

    def card_at(self, x: float, y: float) -> Card | None:
        """The pose under a place; the one drawn last lies on top."""
        if x < self._model.view.layout().labels:
            return None
        return next((card for card in reversed(self.cards()) if card.rect.contains(x, y)), None)

    def _time_at(self, x: float) -> float:
        return self._model.view.axis.time(self._model.view.axis_x(x))

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        self._trail.painted()
        painter, theme = QPainter(self), self._context.theme
        color, labels = theme.color, self._model.view.layout().labels
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), color("panel"))
        over_time = QRectF(labels, 0, self.width() - labels, HEIGHT)
        painter.fillRect(over_time, color("window"))
        painter.setFont(theme.font(tokens.CAPTION))
        painter.setPen(color("dim"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(8, 0, labels - 16, HEIGHT), left, tr("poses"))
        painter.setClipRect(over_time)
        self._paint_cards(painter)
        x = crisp(self._model.view.view_x(self._trail.time), self.devicePixelRatioF())
        painter.setPen(QPen(color("accent"), 1))
        painter.drawLine(QLineF(x, 0, x, HEIGHT))
        painter.setClipping(False)
        painter.setPen(QPen(color("border"), 1))
        painter.drawLine(QLineF(labels - 0.5, 0, labels - 0.5, HEIGHT))
        painter.drawLine(QLineF(0, HEIGHT - 0.5, self.width(), HEIGHT - 0.5))
        painter.end()

    def _paint_cards(self, painter: QPainter) -> None:
        cards = self.cards()
        if not cards:
            painter.setPen(self._context.theme.color("dim"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._empty_text())
            return
        held = self._held = self._session.feature(Blocking).held_pose(self._trail.time)
        for card in cards:
            self._paint_card(painter, card, 1.0, abs(card.time - held) < 1e-6)
        if self._drop is not None:
            source = next((card for card in cards if card.time == self._dragged), None)
            if source is not None:
                moved = source.rect.translated(
                    self._model.view.view_x(self._drop.time) - source.rect.center().x(), 0.0
                )
                self._paint_card(painter, source._replace(rect=moved), 0.75, True)

    def _empty_text(self) -> str:
        if len(self._poses().times) > MOST:
            return tr("Keys on almost every frame: mark them as in-betweens, and the others are the poses")
        if self._session.playback.below is not None:
            return tr("No poses in this layer yet: pose the character and press S")
        return tr("No poses yet: pose the character and press S")

    def _paint_card(self, painter: QPainter, card: Card, opacity: float, held: bool) -> None:
        color = self._context.theme.color
        own = color(tokens.KEY_TYPES[card.kind])
        painter.setOpacity(opacity)
        if card.small:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color("accent") if held else own)
            painter.drawRoundedRect(card.rect, 2.0, 2.0)
            painter.setOpacity(1.0)
            return
        painter.setPen(QPen(color("accent" if held else "border"), 2.0 if held else 1.0))
        painter.setBrush(color("raised", 0.92))
        painter.drawRoundedRect(card.rect.adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0)
        picture = self.pictures.picture(card.time)
        if picture is not None:  # as large as it fits, standing on the card's foot
            room = card.rect.adjusted(2.0, 2.0, -2.0, -6.0)
            scale = min(room.width() / picture.width(), room.height() / picture.height())
            wide, high = scale * picture.width(), scale * picture.height()
            where = QRectF(room.center().x() - wide / 2.0, room.bottom() - high, wide, high)
            painter.drawPixmap(where, picture, QRectF(picture.rect()))
        rect = card.rect
        painter.fillRect(QRectF(rect.left() + 2.0, rect.bottom() - 4.0, rect.width() - 4.0, 2.5), own)
        painter.setOpacity(1.0)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), BUTTONS.get(event.button(), Button.NONE)
        if self._drag.running:
            if button is Button.RIGHT:
                self._drag.cancel()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        card = self.card_at(place.x(), place.y())
        if card is None:
            if button is Button.LEFT and place.x() >= self._model.view.layout().labels:
                self._session.playback.seek(
                    max(self._session.playback.rate.snap(self._time_at(place.x())), 0.0)
                )
            return
        if button is Button.LEFT:
            self._dragged = card.time
            if not event.modifiers():
                blocking.select_pose(self._session, card.time)
            gesture = DragPose(self._session, card.time, self._time_at, self._pose_under, self._show_drop)
            self._drag.begin(gesture, event)
        elif button is Button.RIGHT:
            blocking.select_pose(self._session, card.time)
            self._context.window.menu_of(MENU, self).popup(event.globalPosition().toPoint())

    def _pose_under(self, x: float) -> float | None:
        card = self.card_at(x, HEIGHT - 8.0) or self.card_at(x, HEIGHT / 2.0)
        return card.time if card is not None else None

    def _show_drop(self, drop: Drop | None) -> None:
        self._drop = drop
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag.running:
            self._drag.move(event)
            return
        card = self.card_at(event.position().x(), event.position().y())
        self.setCursor(Qt.CursorShape.SizeHorCursor if card is not None else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self._tip(card))

    def _tip(self, card: Card | None) -> str:
        if card is None:
            return tr("Key poses. Click one to go to it and select its keys")
        frame = frame_text(self._session.playback.rate.to_frame(card.time))
        what = tr("Frame {frame}, {type}", frame=frame, type=blocking.TITLES[KeyType(card.kind)].lower())
        return what + "\n" + tr("Drag: retime. Shift: with all later ones. Ctrl: copy. Alt on another: swap")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._drag.wheel(self._model.view, event)

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Left, Right and Escape are one's own: from pose to pose, and out of a drag."""
        if isinstance(event, QKeyEvent) and not event.modifiers():
            own = KEYS if self._drag.running else KEYS[:2]
            if keeps(event, own):
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps: dict[int, Callable[[], None]] = {
            int(Qt.Key.Key_Left): lambda: self._step(-1), int(Qt.Key.Key_Right): lambda: self._step(1),
        }  # fmt: skip
        if event.key() == Qt.Key.Key_Escape and self._drag.running:
            self._drag.cancel()
        elif event.key() in steps and not event.modifiers():
            steps[event.key()]()
        else:
            super().keyPressEvent(event)

    def _step(self, side: int) -> None:
        """Go to the next pose, or the one before."""
        times, now = self._poses().times, self._session.playback.time
        there = times[times > now + 1e-5] if side > 0 else times[times < now - 1e-5][::-1]
        if len(there):
            blocking.select_pose(self._session, float(there[0]))

    def close_strip(self) -> None:
        """End what is under way."""
        self._drag.cancel()
        self.pictures.close()


MENU = (
    "keys.copy", "keys.paste", "keys.delete", None, "blocking.pose_earlier", "blocking.pose_later",
    "blocking.swap_previous", "blocking.swap_next", "blocking.hold_pose", None, "key_type.key", "key_type.breakdown",
    "key_type.inbetween", "key_type.extreme", "key_type.hold", None, "blocking.view", "blocking.spline",
    "blocking.plants", "blocking.plant_feet",
)  # fmt: skip
