"""The plot: pyqtgraph's value axis and view box, one item for all curves and keys, and its mouse and key input."""

import time
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHideEvent,
    QImage,
    QMoveEvent,
    QPainter,
    QPen,
    QPolygonF,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QGraphicsItem, QLineEdit

from editor.gl.viewport_widget import ViewportWidget
from editor.model.i18n import tr
from editor.model.time_view import TimeView
from editor.panels.curves.curve_image import CurveImage
from editor.panels.curves.motion import Motion, motion_text
from editor.panels.curves.space import BAND, Layout, value_ticks
from editor.panels.curves.view_model import CurvesModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS, modifiers_of, pointer_at
from editor.qt.time_ruler import HEIGHT as RULER
from editor.qt.time_ruler import RulerMarks, TimeRuler
from editor.qt.turns import Rank
from editor.tools.play_range import RangeEdge
from editor.tools.pointer import Button, Modifiers, Pointer

GUTTER, NAMES = 52, 128
QUICK = 0.006
"""Seconds up to which a picture of curves is as good as none."""
MOTION_SHARE = 0.92
"""Part of the plot's height that the largest speed and acceleration take."""
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine)
RESTED = 120
"""Milliseconds after which the mouse rests: what a drag drew coarsely is drawn finely."""


class TimeRow(pg.GraphicsWidget):
    """Room for the ruler above the plot, which the view paints over everything; see `editor.qt.time_ruler`."""

    def __init__(self) -> None:
        super().__init__()
        self.font = QApplication.font()
        self.set_height(RULER)

    def set_height(self, height: float) -> None:
        """Make it so high; 0 where the ruler of the dope sheet above serves."""
        self.setMinimumHeight(height)
        self.setMaximumHeight(height)

    def text_width(self, text: str) -> float:
        """Pixels that a label takes."""
        return QFontMetricsF(self.font).horizontalAdvance(text)


class ValueScale(pg.AxisItem):
    """The value axis: the marks that the grid is drawn at."""

    def __init__(self, model: CurvesModel) -> None:
        super().__init__("left")
        self._model = model
        self.setWidth(GUTTER)
        self.setStyle(tickLength=-4, tickTextOffset=4, autoExpandTextSpace=False)

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """Marks of the value axis."""
        step, places = value_ticks(self._model.view.values)
        return [(step, places.tolist())]


class CurvesItem(QGraphicsItem):
    """All curves and keys: one image, drawn again only when the model says so.

    Parameters
    ----------
    refining : is started when a drag was drawn coarsely, and should end in `refine`

    Attributes
    ----------
    drawn, seconds : how many pictures were drawn, and what the last one took
    """

    def __init__(self, box: Any, curves: CurveImage, refining: QTimer) -> None:
        super().__init__(box)
        self._box, self._curves = box, curves
        self._image: QImage | None = None
        self._finely = False
        self._refining = refining
        self.drawn = 0
        self.seconds = 0.0

    def boundingRect(self) -> QRectF:
        """The whole view box."""
        return self._box.rect()

    def forget(self) -> None:
        """Draw again the next time."""
        self._image, self._finely = None, False
        self.update()

    @property
    def image(self) -> QImage | None:
        """The picture last drawn."""
        return self._image

    @property
    def refining(self) -> bool:
        """Whether what was drawn coarsely is yet to be drawn finely."""
        return self._curves.coarse

    def refine(self) -> None:
        """The mouse rests: what was drawn coarsely is drawn finely, a part in each turn."""
        if self._curves.coarse:
            self.forget()
            self._finely = True

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        """Put the image there."""
        ratio = widget.devicePixelRatioF() if widget is not None else 1.0
        if self._image is None or self._image.devicePixelRatio() != ratio:
            finely, self._finely = self._finely, False
            start = time.perf_counter()
            self._image = self._curves.draw(ratio, finely)
            self.seconds = time.perf_counter() - start
            self.drawn += 1
            if self._curves.coarse:
                self._refining.start(0 if finely else RESTED)
        painter.drawImage(QPointF(0.0, 0.0), self._image)


class PlotView(pg.GraphicsView):
    """Axes, curves, playhead; mouse and keys go to the model, not to the scene."""

    menu_wanted = Signal(object)

    def __init__(self, context: PanelContext, model: CurvesModel) -> None:
        super().__init__(background=None)
        self.setObjectName("curvesPlot")
        self._context, self._model = context, model
        self._held, self._last = Button.NONE, QPointF()
        self._ruler: tuple[object, TimeRuler] | None = None
        self.ruled = False
        self._take_moment()
        self._near: RangeEdge | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setMinimumSize(160, 80)
        self.setFrameShape(self.Shape.NoFrame)
        self._build(context, model)
        bindings = Bindings(self)
        self._later = bindings.refresh(self.refresh, model.changed, rank=self._rank)
        session = context.session
        bindings.refresh(
            self._move_playhead,
            session.playback.time_changed,
            session.playback.state_changed,
            rank=Rank.FIRST,
        )
        self._tell_edges = bindings.refresh(self._tell_edges_now)
        self.destroyed.connect(lambda: session.feature(TimeView).set_edges(None))
        context.theme.changed.connect(self.dress)
        self.dress()

    def _build(self, context: PanelContext, model: CurvesModel) -> None:
        layout = pg.GraphicsLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.ruler = TimeRow()
        self.scale_axis = ValueScale(model)
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self.box.setBorder(None)
        self.box.setZValue(10.0)
        layout.addItem(self.ruler, 0, 1)
        layout.addItem(self.scale_axis, 1, 0)
        layout.addItem(self.box, 1, 1)
        self.scale_axis.linkToView(self.box)
        refining = QTimer(self, singleShot=True, interval=RESTED)
        self.item = CurvesItem(self.box, CurveImage(model, context.theme, self.ruler.text_width), refining)
        refining.timeout.connect(self.item.refine)
        self.setCentralItem(layout)
        self.box.sigResized.connect(self._resized)

    def sizeHint(self) -> QSize:
        """A third of a window."""
        return QSize(700, 260)

    # ------------------------------------------------------------ looks
    def dress(self) -> None:
        """Take the theme's colours and fonts."""
        theme = self._context.theme
        self.setBackground(theme.color("panel"))
        font = theme.font(tokens.CAPTION, tabular=True)
        self.ruler.font = font
        self.scale_axis.setStyle(tickFont=font)
        self.scale_axis.setPen(pg.mkPen(theme.color("divider")))
        self.scale_axis.setTickPen(pg.mkPen(theme.color("border")))
        self.scale_axis.setTextPen(pg.mkPen(theme.color("dim")))
        self.item.forget()

    def refresh(self) -> None:
        """Show the model as it is now."""
        axis, values = self._model.view.axis, self._model.view.values
        self.box.setRange(
            xRange=(axis.start, axis.end),
            yRange=(values.low, values.high),
            padding=0.0,
            disableAutoRange=True,
        )
        shown = self._model.view.layout is not Layout.STACKED
        if self.scale_axis.style["showValues"] != shown:
            self.scale_axis.setStyle(showValues=shown)
            self.scale_axis.setWidth(GUTTER if shown else NAMES)
        self.item.forget()
        self._take_moment()
        self.viewport().update()

    def _rank(self) -> Rank:
        """A few curves cost less than a turn of their own, but the hand that poses waits for the character alone."""
        posing = isinstance(QApplication.focusWidget(), ViewportWidget)
        return Rank.NEXT if posing or self.item.seconds > QUICK else Rank.FIRST

    def flush(self) -> None:
        """Show what is due at once."""
        self._later.flush()

    def _resized(self, *_: Any) -> None:
        rect = self.box.rect()
        self._model.view.resize(rect.width(), rect.height())
        self._tell_edges()

    def _tell_edges_now(self) -> None:
        """Say where on the screen time is, so that the dope sheet can line up with it."""
        if not self.isVisible():
            return
        left = self.viewport().mapToGlobal(self.mapFromScene(self.box.mapToScene(QPointF(0.0, 0.0)))).x()
        self._context.session.feature(TimeView).set_edges((left, left + round(self.box.rect().width())))

    def showEvent(self, event: QShowEvent) -> None:
        """Curves come into sight fitted, whatever happened to them meanwhile."""
        super().showEvent(event)
        self._model.view.come_into_sight()
        self._tell_edges()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._context.session.feature(TimeView).set_edges(None)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._tell_edges()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Playhead with its flag, box and lasso."""
        model = self._model
        corner = self.box.mapToScene(QPointF(0.0, 0.0))
        ruler = self._time_ruler(corner.x())
        marks = self._marks()
        if not self.ruled:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ruler.paint(painter, marks)
        if marks.time is not None and corner.x() - 1.0 <= ruler.x(marks.time) <= ruler.right + 1.0:
            # The pixel that the dope sheet draws it on, too.
            x = ruler.crisp(marks.time)
            painter.setPen(QPen(self._context.theme.color("accent"), 1.0))
            painter.drawLine(QPointF(x, corner.y()), QPointF(x, corner.y() + model.view.values.height))
        painter.save()
        painter.translate(corner)
        if model.pointer.outline:
            self._draw_outline(painter)
        if model.view.layout is Layout.STACKED:
            self._draw_names(painter)
        motion = model.motion.shown(model.view.axis)
        if motion is not None:
            self._draw_motion(painter, motion)
        painter.restore()

    def _time_ruler(self, left: float) -> TimeRuler:
        """The ruler of what is shown; its ticks are found once for each stretch of time."""
        view, ratio = self._model.view, self.devicePixelRatioF()
        made_of = view.axis, view.unit, left, ratio, self._context.theme.tokens
        if self._ruler is None or self._ruler[0] != made_of:
            self._ruler = made_of, TimeRuler(self._context.theme, view.axis, view.unit, left, ratio)
        return self._ruler[1]

    def _marks(self) -> RulerMarks:
        return RulerMarks.of(self._context.session.playback, self._model.lanes.clip, self._moment, self._near)

    def _take_moment(self) -> None:
        """Note the time that is painted, in the turn in which fields and the other panels note theirs."""
        playback = self._context.session.playback
        self._moment = playback.time, playback.shown_time

    def _move_playhead(self) -> None:
        self._take_moment()
        self.viewport().update()

    def set_ruled(self, ruled: bool) -> None:
        """Whether the ruler of the dope sheet above serves for this plot, too."""
        if ruled != self.ruled:
            self.ruled = ruled
            self.ruler.set_height(0 if ruled else RULER)

    def _draw_names(self, painter: QPainter) -> None:
        """Names of the stacked lanes, in the gutter beside them."""
        model, theme = self._model, self._context.theme
        painter.setFont(theme.font(tokens.CAPTION))
        metrics, tall = painter.fontMetrics(), BAND * model.view.values.scale
        if tall < metrics.height():
            return
        bright, width = model.lanes.bright(), NAMES - 16
        painter.setClipRect(QRectF(-NAMES, 0.0, NAMES, model.view.values.height))
        for number, curve in enumerate(model.lanes.curves()):
            y = model.view.values.y(-number * BAND)
            if y > model.view.values.height or y + tall < 0.0:
                continue
            lane = curve.lane
            name = lane.name if lane.is_extra else f"{lane.channel.bone} · {lane.name}"
            text = metrics.elidedText(name, Qt.TextElideMode.ElideLeft, width)
            painter.setPen(theme.color("text" if lane in bright else "dim"))
            aligned = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(-NAMES + 8, y, width, tall), aligned, text)

    def _draw_motion(self, painter: QPainter, motion: Motion) -> None:
        """Speed and acceleration of the selected bone, each as high as the plot, and their numbers at the playhead."""
        theme, axis, height = self._context.theme, self._model.view.axis, self._model.view.values.height
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(QRectF(0.0, 0.0, axis.width, height))
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        line, right = painter.fontMetrics().height(), axis.width - 8.0
        texts = motion_text(motion, self._moment[0])
        rows = ((motion.speed, "text"), (motion.acceleration, "dim"))
        across = [axis.x(time) for time in motion.times]
        for number, (values, color) in enumerate(rows):
            painter.setPen(QPen(theme.color(color, 0.9), 1.5, DASHES[number]))
            scale = MOTION_SHARE * height / max(float(values.max()), 1e-9)
            points = [QPointF(x, height - 1.0 - scale * v) for x, v in zip(across, values, strict=True)]
            painter.drawPolyline(points)
            painter.setPen(theme.color(color))
            place = QRectF(0.0, 6.0 + number * line, right, line)
            painter.drawText(
                place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, texts[number]
            )

    def _draw_outline(self, painter: QPainter) -> None:
        accent = QColor(self._context.theme.color("accent"))
        painter.setPen(QPen(accent, 1.0))
        accent.setAlphaF(0.12)
        painter.setBrush(accent)
        points = [QPointF(*point) for point in self._model.pointer.outline or ()]
        if len(points) == 2:
            painter.drawRect(QRectF(points[0], points[1]).normalized())
        else:
            painter.drawPolygon(QPolygonF(points))

    # ------------------------------------------------------------ mouse
    def place(self, position: QPointF) -> QPointF:
        """A place of the viewport, from the plot's own corner."""
        return self.box.mapFromScene(self.mapToScene(position.toPoint())) + (position - position.toPoint())

    def view_place(self, x: float, y: float) -> QPointF:
        """A place of the plot, in the viewport."""
        return QPointF(self.mapFromScene(self.box.mapToScene(QPointF(x, y))))

    def _pointer(self, event: Any, button: Button) -> Pointer:
        place = self.place(event.position())
        return pointer_at(place, button, event.modifiers())

    def mousePressEvent(self, event: Any) -> None:
        """Begin a gesture; the right button cancels one, or opens the menu."""
        event.accept()
        button = BUTTONS.get(event.button(), Button.NONE)
        if self._model.gestures.current is not None:
            if button is Button.RIGHT:
                self._cancel()
            return
        pointer = self._pointer(event, button)
        self._held = button
        if button is Button.RIGHT:
            self.menu_wanted.emit(event.globalPosition().toPoint())
            return
        on_ruler = pointer.y < 0.0 and pointer.x >= 0.0
        gesture = self._model.pointer.press_ruler(pointer) if on_ruler else self._model.pointer.press(pointer)
        self._context.window.set_hint(gesture.hint if gesture is not None else "")

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """As two presses; on an end of the play range the whole clip is played again."""
        pointer = self._pointer(event, Button.LEFT)
        on_bracket = pointer.y < 0.0 and self._model.pointer.range_edge_at(pointer.x) is not None
        if on_bracket and event.button() == Qt.MouseButton.LeftButton:
            self._context.session.playback.set_range(None)
            event.accept()
        else:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: Any) -> None:
        """Go on with the gesture, or show what lies under the pointer."""
        event.accept()
        pointer = self._pointer(event, self._held)
        gesture = self._model.gestures.current
        if gesture is not None:
            self._model.gestures.move(pointer)
            self._context.window.set_hint(gesture.status or gesture.hint)
        elif not event.buttons():
            self._model.pointer.hover(pointer.x, pointer.y)
            self._show_near(self._model.pointer.range_edge_at(pointer.x) if pointer.y < 0.0 else None)
            self._show_cursor(pointer)

    def mouseReleaseEvent(self, event: Any) -> None:
        """End the gesture."""
        event.accept()
        button = BUTTONS.get(event.button(), Button.NONE)
        if self._model.gestures.current is not None and button is self._held:
            self._model.gestures.release(self._pointer(event, button))
            self._context.window.set_hint("")

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the cursor."""
        turned = event.angleDelta()
        steps = (turned.y() or turned.x()) / 120.0
        if steps and self._model.gestures.current is None:
            place = self.place(event.position())
            self._model.view.wheel(place.x(), place.y(), steps, modifiers_of(event.modifiers()))
        event.accept()

    def enterEvent(self, event: Any) -> None:
        """Keys go to where the mouse is, unless someone is typing."""
        if not isinstance(QApplication.focusWidget(), QLineEdit):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().enterEvent(event)

    def leaveEvent(self, event: Any) -> None:
        """Nothing is hovered."""
        self._model.pointer.hover(-1e6, -1e6)
        self._show_near(None)

    def _show_near(self, edge: RangeEdge | None) -> None:
        """Let the end of the play range under the pointer stand out; the curves stay as they are drawn."""
        if edge is not self._near:
            self._near = edge
            self.viewport().update()

    def _show_cursor(self, pointer: Pointer) -> None:
        if self._near is not None:
            self.viewport().setCursor(Qt.CursorShape.SizeHorCursor)
        elif self._model.pointer.handle_at(pointer.x, pointer.y) is not None:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        elif self._model.pointer.hovered is not None:
            self.viewport().setCursor(Qt.CursorShape.SizeAllCursor)
        elif pointer.has(Modifiers.CTRL):
            self.viewport().setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """While a gesture lasts its keys are no shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and self._model.gestures.current is not None:
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Mouse and wheel events come straight here; tooltips are the panel's own."""
        if event.type() == QEvent.Type.ToolTip:
            return False
        return super().viewportEvent(event)

    def keyPressEvent(self, event: Any) -> None:
        """Escape ends a gesture; K held scrubs; all else is the panel's."""
        if event.key() == Qt.Key.Key_Escape and self._model.gestures.current is not None:
            self._cancel()
            event.accept()
        elif event.key() == Qt.Key.Key_K and not event.modifiers():
            self._model.pointer.scrubbing = True
            event.accept()
        else:
            event.ignore()

    def keyReleaseEvent(self, event: Any) -> None:
        """K was released."""
        if event.key() == Qt.Key.Key_K and not event.isAutoRepeat():
            self._model.pointer.scrubbing = False
        event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """K is not held where its release is not heard of."""
        self._model.pointer.scrubbing = False
        super().focusOutEvent(event)

    def _cancel(self) -> None:
        self._model.gestures.cancel()
        self._context.window.set_hint(tr(""))
