"""The strip above the ruler that shows the whole clip where a part of it is out of sight; its handle is dragged."""

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QWidget

from editor.model.i18n import tr
from editor.panels.timeline.overview import Density, Overview, runs, same
from editor.panels.timeline.strip_parts import StripDrag, cursor_of
from editor.panels.timeline.timeline_view import ZOOM_STEP
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.panel import PanelContext
from editor.qt.time_ruler import crisp
from editor.qt.turns import Rank
from editor.tools.span_part import Part

HEIGHT = 18
BAR = 6.0
SERIF = 3.0


class OverviewStrip(QWidget):
    """Keys of the whole clip, the play range, the playhead, and the stretch in sight between brackets."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self._drag = StripDrag(context)  # first: `event` asks it from the first event on
        self.setObjectName("timelineOverview")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFixedHeight(HEIGHT)
        self.setToolTip(tr("Drag: move in time. Drag an end: zoom. Double-click: show the whole clip"))
        self._context, self._model, self._playback = context, model, context.session.playback
        self.overview = Overview(model.rows, model.view, context.session.selection)
        self._keys: tuple[tuple[object, ...], QPixmap] | None = None
        self._near: Part | None = None
        self._time, self._shown_x = 0.0, 0
        self.hide()
        bindings = Bindings(self)
        bindings.refresh(self._renew, model.changed, context.session.switches.changed)
        bindings.refresh(self._move, model.moved, rank=Rank.FIRST)
        context.theme.changed.connect(self._drop)

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def _renew(self) -> None:
        self._time = self._playback.time
        self.setVisible(self.overview.wanted and self._context.session.switches["overview"])
        self.update()

    def _drop(self) -> None:
        self._keys = None
        self.update()

    def _move(self) -> None:
        """Only the playhead is elsewhere."""
        self._time = self._playback.time
        for x in (self._shown_x, round(self.overview.x(self._time))):
            self.update(x - 3, 0, 7, HEIGHT)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = QPainter(self), self._context.theme.color
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        labels = self._model.view.layout().labels
        painter.fillRect(self.rect(), color("panel"))
        painter.fillRect(QRectF(labels, 0, self.width() - labels, HEIGHT), color("window"))
        if self.overview.clip is not None:
            self._paint_clip(painter)
        painter.setPen(QPen(color("border"), 1))
        painter.drawLine(QLineF(labels - 0.5, 0, labels - 0.5, HEIGHT))
        painter.drawLine(QLineF(0, HEIGHT - 0.5, self.width(), HEIGHT - 0.5))
        painter.setFont(self._context.theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(color("dim"))
        aligned = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(8, 0, labels - 12, HEIGHT), aligned, self.caption())
        painter.end()

    def caption(self) -> str:
        """Which frames of the clip are in sight."""
        clip, axis = self.overview.clip, self._model.view.axis
        if clip is None:
            return ""
        first = max(round(clip.rate.to_frame(axis.start)), 0)
        last = min(round(clip.rate.to_frame(axis.end)), round(clip.frames))
        return tr("frames {first} – {last}", first=first, last=last)

    def _paint_clip(self, p: QPainter) -> None:
        color, overview = self._context.theme.color, self.overview
        ratio = self.devicePixelRatioF()
        first, last = overview.x(0.0), overview.x(1e12)
        p.drawPixmap(QPointF(first, (HEIGHT - BAR) / 2.0), self._key_picture(ratio))
        left, right = overview.handle()
        shade = color("shadow", 0.35 if self._context.theme.tokens.dark else 0.12)
        p.fillRect(QRectF(first - 6.0, 0, max(left - first + 6.0, 0.0), HEIGHT), shade)
        p.fillRect(QRectF(right, 0, max(last + 6.0 - right, 0.0), HEIGHT), shade)
        if self._playback.range is not None:
            start, end = (overview.x(time) for time in self._playback.span)
            p.fillRect(QRectF(start, HEIGHT - 3.0, end - start, 2.0), color("accent", 0.75))
        held = self._drag.running
        p.fillRect(
            QRectF(left, 1.0, right - left, HEIGHT - 2.0), color("text", 0.10 if held or self._near else 0.06)
        )
        for part, x, way in ((Part.FIRST, left, 1.0), (Part.LAST, right, -1.0)):
            near = self._near is part
            pen = QPen(color("text" if near or held else "dim"), 2.0 if near else 1.5)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            p.setPen(pen)
            x = crisp(x, ratio)
            corners = [(way * SERIF, 2.5), (0.0, 2.5), (0.0, HEIGHT - 3.5), (way * SERIF, HEIGHT - 3.5)]
            p.drawPolyline(QPolygonF([QPointF(x + dx, y) for dx, y in corners]))
        x = overview.x(self._time)
        self._shown_x = round(x)
        p.setPen(QPen(color("accent"), 1))
        p.drawLine(QLineF(crisp(x, ratio), 0, crisp(x, ratio), HEIGHT - 1.0))

    def _key_picture(self, ratio: float) -> QPixmap:
        """The keys as spans, painted again only when they differ."""
        theme = self._context.theme
        density: Density = self.overview.density(self._model.gestures.current is not None)
        made_of = density, ratio, theme.tokens
        if self._keys is None or not same(self._keys[0], made_of):
            width = len(density.keys)
            picture = QPixmap(QSize(round(width * ratio), round(BAR * ratio)))
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            for columns, token, alpha in ((density.keys, "key", 0.45), (density.selected, "selection", 1.0)):
                for a, b in runs(columns):
                    painter.fillRect(QRectF(a, 0.0, b - a, BAR), theme.color(token, alpha))
            painter.end()
            self._keys = made_of, picture
        return self._keys[1]

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if event.button() == Qt.MouseButton.RightButton:
            self._drag.cancel()
        elif event.button() == Qt.MouseButton.LeftButton and x >= self._model.view.layout().labels:
            self._drag.begin(self.overview.press(x), event)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag.running:
            self._drag.move(event)
            return
        near = self.overview.part_at(event.position().x())
        self.setCursor(cursor_of(near))
        if near is not self._near:
            self._near = near
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag.release(event)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._drag.cancel()
        self._model.view.fit_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        steps = (turned.y() or turned.x()) / 120.0
        if steps and not self._drag.running:
            self.overview.zoom(ZOOM_STEP**steps)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._near = None
        self.update()
        super().leaveEvent(event)

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Escape is one's own while a drag lasts."""
        if isinstance(event, QKeyEvent) and self._drag.running and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self._drag.cancel()
            event.accept()
            return True
        return super().event(event)
