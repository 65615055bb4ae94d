"""One bone's error over time, with the bound as a dashed line; a click or drag in it scrubs."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent

from editor.model.i18n import tr
from editor.panels.compile.view_model import BoneGraph
from editor.qt import tokens
from editor.qt.theme import Theme

ROOM = 1.15
"""How much higher the graph is than what stands highest in it."""


class ErrorGraph(pg.GraphicsView):
    """Frames along, millimetres up."""

    scrubbed = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__(background=None)
        self.setObjectName("compileGraph")
        self._theme = theme
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setToolTip(tr("Error of the bone over time, the bound dashed. Click or drag to go there."))
        self.plot = pg.PlotItem(enableMenu=False)
        self.plot.hideButtons()
        self.plot.getViewBox().setDefaultPadding(0.0)
        self.curve = self.plot.plot([], [], connect="all")
        self.curve.setDownsampling(auto=True, method="peak")
        self.curve.setClipToView(True)
        self.bound = pg.InfiniteLine(angle=0)
        self.playhead = pg.InfiniteLine(angle=90)
        self.plot.addItem(self.bound)
        self.plot.addItem(self.playhead)
        self.plot.getAxis("left").setWidth(44)
        self.setCentralItem(self.plot)
        self.setMinimumHeight(76)
        theme.changed.connect(self.dress)
        self.dress()

    def sizeHint(self) -> QSize:
        return QSize(260, 100)

    def dress(self) -> None:
        """Take the theme's colours and fonts."""
        theme = self._theme
        self.setBackground(theme.color("panel"))
        font = theme.font(tokens.CAPTION, tabular=True)
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setStyle(tickFont=font, tickLength=-4, tickTextOffset=4, autoReduceTextSpace=False)
            axis.setPen(pg.mkPen(theme.color("border")))
            axis.setTextPen(pg.mkPen(theme.color("dim")))
        self.curve.setPen(pg.mkPen(theme.color("selection"), width=1))
        self.bound.setPen(pg.mkPen(theme.color("error"), width=1, style=Qt.PenStyle.DashLine))
        self.playhead.setPen(pg.mkPen(theme.color("accent"), width=1))

    def show_graph(self, graph: BoneGraph | None) -> None:
        """Draw another bone's error."""
        if graph is None or not len(graph.frames):
            self.curve.setData([], [])
            return
        self.bound.setValue(graph.bound)
        self.curve.setData(graph.frames, graph.millimetres)
        end = max(float(graph.frames[-1]), 1.0)
        top = max(graph.bound, float(np.max(graph.millimetres))) * ROOM
        self.plot.setRange(xRange=(0.0, end), yRange=(0.0, top), padding=0.0, disableAutoRange=True)

    def show_frame(self, frame: float) -> None:
        """Put the playhead on a frame."""
        self.playhead.setValue(frame)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._scrub(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Belongs to the panel, which scrolls."""
        event.ignore()

    def _scrub(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            place = self.plot.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint()))
            self.scrubbed.emit(QPointF(place).x())
        event.accept()
