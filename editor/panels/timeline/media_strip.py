"""Audio and reference footage above the rows of the timeline: waveforms and bars that are dragged to another start."""

from math import isfinite

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.media.tracks import AudioTrack, Track
from editor.model.i18n import sentence, tr
from editor.model.media.state import Media
from editor.panels.timeline.playhead import PlayheadTrail
from editor.panels.timeline.strip_parts import LanePainter, StripDrag
from editor.panels.timeline.view_model import TimelineModel
from editor.panels.timeline.waveform import waveform
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS
from editor.tools.media import DragTrack
from editor.tools.pointer import Button

LANE = 15
AUDIO = 2
"""Lanes of height that a waveform takes."""
SWITCH = 18
"""Pixels at the right of the names where a track is muted or hidden."""
KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
MENU = (
    "media.toggle", "media.start_here", "media.place", None, "media.choose_another", "media.read_again", "media.remove",
)  # fmt: skip


class MediaStrip(QWidget):
    """A lane for each track of the clip; shares the timeline's axis, and is there only with tracks."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.media = context.session.feature(Media)  # first: `event` asks both from the first event on
        self._drag = StripDrag(context)
        self.setObjectName("mediaStrip")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._context, self._model = context, model
        self._painter = LanePainter(self, context, model.view, LANE)
        self._waves: dict[str, tuple[object, QImage]] = {}
        self._rows = 0
        self._trail = PlayheadTrail(self, model, context.session.playback)
        bindings = Bindings(self)
        bindings.refresh(self._paint_again, model.changed)
        bindings.refresh(self._trail.follow, model.moved)
        bindings.refresh(self._renew, self.media.changed)
        context.theme.changed.connect(self.update)
        self._renew()

    def sizeHint(self) -> QSize:
        return QSize(400, max(self._rows, 1) * LANE + 3)

    # ------------------------------------------------------------ what is shown
    def _paint_again(self) -> None:
        self._trail.take()
        self.update()

    def _renew(self) -> None:
        tracks = self.media.tracks
        rows = sum(_height(track) for track in tracks)
        if rows != self._rows:
            self._rows = rows
            self.setFixedHeight(self.sizeHint().height())
        self.setVisible(bool(tracks))
        self._waves = {key: wave for key, wave in self._waves.items() if self.media.track(key) is not None}  # type: ignore[arg-type]
        self.update()

    def _lanes(self) -> list[tuple[Track, float, float]]:
        """Each track with the top and height of its lane."""
        found, top = [], 1.0
        for track in self.media.tracks:
            height = float(_height(track) * LANE)
            found.append((track, top, height))
            top += height
        return found

    def rect_of(self, track: Track) -> QRectF:
        """Where a track is drawn; what has no length known (yet) is a frame or more wide."""
        view = self._model.view
        top, height = next((t, h) for other, t, h in self._lanes() if other.id == track.id)
        seconds = self.media.seconds(track)
        if seconds is not None and not isfinite(seconds):  # one picture is there all the time
            left, right = view.layout().labels - 9.0, self.width() + 9.0
        else:
            left = view.view_x(track.start)
            right = max(
                view.view_x(track.start + (seconds or 0.0)), left + 60.0 if not seconds else left + 3.0
            )
        return QRectF(left, top + 1.0, right - left, height - 2.0)

    def switch_of(self, track: Track) -> QRectF:
        """Where a click mutes or hides a track."""
        top, height = next((t, h) for other, t, h in self._lanes() if other.id == track.id)
        middle = top + height / 2.0
        return QRectF(self._model.view.layout().labels - SWITCH - 4, middle - LANE / 2.0, SWITCH, LANE)

    def _lane_at(self, y: float) -> Track | None:
        return next((track for track, top, height in self._lanes() if top <= y < top + height), None)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        self._trail.painted()
        tracks = self.media.tracks
        metrics, room = self.fontMetrics(), int(self._model.view.layout().labels) - SWITCH - 24
        titles = [
            (metrics.elidedText(track.name, Qt.TextElideMode.ElideMiddle, room), number > 0)
            for number, track in enumerate(tracks)
        ]
        self._painter.paint(
            titles, self._paint_tracks, self._trail.time, [_height(track) for track in tracks]
        )
        painter = QPainter(self)
        for track in tracks:
            on = not track.muted if isinstance(track, AudioTrack) else track.shown
            names = ("audio", "muted") if isinstance(track, AudioTrack) else ("show", "hide")
            icon = self._context.theme.icon(names[0] if on else names[1], "text" if on else "dim")
            place = self.switch_of(track).toRect()
            icon.paint(painter, place.adjusted(2, 0, -2, -1))
        painter.end()

    def _paint_tracks(self, painter: QPainter) -> None:
        chosen = self.media.chosen_track
        for track, _, _ in self._lanes():
            self._paint_track(painter, track, chosen is not None and chosen.id == track.id)

    def _paint_track(self, painter: QPainter, track: Track, chosen: bool) -> None:
        color, rect = self._context.theme.color, self.rect_of(track)
        problem = self.media.problem(track)
        on = not track.muted if isinstance(track, AudioTrack) else track.shown
        token = "error" if problem else "accent"
        painter.setPen(QPen(color("selection"), 1) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(color(token, 0.30 if on else 0.12))
        painter.drawRoundedRect(rect, 2.5, 2.5)
        if isinstance(track, AudioTrack):
            self._paint_wave(painter, track, rect, 0.9 if on else 0.35)
        words = self._words(track, problem)
        if words:
            left = max(rect.left(), self._model.view.layout().labels) + 4.0
            plate = QRectF(
                left, rect.center().y() - 7.0, self.fontMetrics().horizontalAdvance(words) + 8.0, 14.0
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color("window", 0.85))  # readable on a waveform, too
            painter.drawRoundedRect(plate, 2.5, 2.5)
            painter.setPen(self._context.theme.ink("error" if problem else "dim"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)

    def _words(self, track: Track, problem: str) -> str:
        if problem:
            return f"{sentence(problem)} · " + tr("Choose another file: double-click")
        if self.media.files.opening(track, self.media.rate) and self.media.seconds(track) is None:
            return tr("Reading…")
        if isinstance(track, AudioTrack) and self.media.player.problem:
            return tr("Not heard: {why}", why=self.media.player.problem)
        return ""

    def _paint_wave(self, painter: QPainter, track: AudioTrack, rect: QRectF, alpha: float) -> None:
        sound, view = self.media.files.sound(track), self._model.view
        if sound is None or not sound.count:
            return
        labels, ratio = view.layout().labels, self.devicePixelRatioF()
        columns, rows = round((self.width() - labels) * ratio), round(rect.height() * ratio)
        if columns < 1 or rows < 3:
            return
        ink = self._context.theme.color("accent", alpha)
        made_of = (
            view.axis, labels, columns, rows, ratio, sound, sound.count, track.start, track.volume, ink.rgba(),
        )  # fmt: skip
        known = self._waves.get(track.id)
        if known is None or known[0] != made_of:
            edges = np.arange(columns + 1) / ratio + labels
            times = np.array([view.axis.time(view.axis_x(edges[0])), view.axis.time(view.axis_x(edges[-1]))])
            seconds = np.linspace(times[0], times[1], columns + 1) - track.start
            part = ink.alphaF()
            word = (ink.alpha() << 24) | (
                (round(ink.red() * part) << 16) | (round(ink.green() * part) << 8) | round(ink.blue() * part)
            )
            pixels = np.ascontiguousarray(waveform(sound, seconds, rows, track.volume, word))
            image = QImage(
                pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied
            ).copy()
            image.setDevicePixelRatio(ratio)
            known = self._waves[track.id] = made_of, image
        painter.drawImage(QPointF(labels, rect.top()), known[1])

    # ------------------------------------------------------------ mouse
    def _seconds_at(self, x: float) -> float:
        view = self._model.view
        return view.axis.time(view.axis_x(x))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), BUTTONS.get(event.button(), Button.NONE)
        if self._drag.running:
            if button is Button.RIGHT:
                self._drag.cancel()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        track = self._lane_at(place.y())
        if track is None:
            return
        self.media.choose(track.id)
        if button is Button.RIGHT:
            self._context.window.menu_of(MENU, self).popup(event.globalPosition().toPoint())
        elif button is Button.LEFT and self.switch_of(track).contains(place):
            self.media.toggle(track.id)
        elif button is Button.LEFT and place.x() > self._model.view.layout().labels:
            seconds = self.media.seconds(track)
            if seconds is None or isfinite(seconds):
                self._drag.begin(DragTrack(self.media, track, self._seconds_at), event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        track = self._lane_at(event.position().y())
        if track is not None and self.media.problem(track):
            self.media.choose(track.id)
            self._context.actions.run("media.choose_another")
        elif track is not None and event.position().x() <= self._model.view.layout().labels - SWITCH - 4:
            self._context.window.show_panel("media")
        else:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag.running:
            self._drag.move(event)
            return
        track = self._lane_at(event.position().y())
        over = track is not None and event.position().x() > self._model.view.layout().labels
        self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)
        self.setToolTip("" if track is None else self._tip(track, event.position()))

    def _tip(self, track: Track, place: QPointF) -> str:
        if self.switch_of(track).contains(place):
            return tr("Mute or unmute") if isinstance(track, AudioTrack) else tr("Show or hide")
        return f"{track.path}\n" + tr("Drag it to another start; Delete removes it from the clip")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._drag.wheel(self._model.view, event)

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Delete is its own while it has the keyboard and a track is chosen, Escape while one is dragged."""
        busy = self.media.chosen_track is not None or self._drag.running
        own = KEYS if self._drag.running else KEYS[:2]
        return (busy and keeps(event, own)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        track = self.media.chosen_track
        if event.key() == Qt.Key.Key_Escape and self._drag.running:
            self._drag.cancel()
        elif event.key() in KEYS[:2] and track is not None:
            self.media.remove(track.id)
        else:
            super().keyPressEvent(event)


def _height(track: Track) -> int:
    return AUDIO if isinstance(track, AudioTrack) else 1
