"""The lanes of a run, painted: bars, marks and curves over time, with a playhead that can be dragged."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip

from editor.model.i18n import tr
from editor.panels.graph_run.painting import RunPainting
from editor.panels.graph_run.view_model import Found, Part, RunModel
from editor.qt.binding import Bindings
from editor.qt.panel import PanelContext
from editor.qt.time_lanes import TimeLanes

KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_M, Qt.Key.Key_F, Qt.Key.Key_A,
    Qt.Key.Key_Escape, Qt.Key.Key_Space,
)  # fmt: skip


class RunTimeline(TimeLanes):
    """Ruler and lanes of a `RunModel`.

    Parameters
    ----------
    menu : opens a menu for what was clicked with the right button, at a place of the screen
    """

    def __init__(
        self, context: PanelContext, model: RunModel, menu: Callable[[Found, QPoint], object]
    ) -> None:
        super().__init__("runTimeline", tr("Lanes of the run"), context.window, KEYS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 60)
        self.theme, self.model, self._menu = context.theme, model, menu
        bindings = Bindings(self)
        run = model.run
        bindings.refresh(self._refresh, run.stepped, run.state_changed, model.changed)
        context.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """About eight lanes."""
        return QSize(800, 220)

    def _refresh(self) -> None:
        self.model.followed()
        self.update()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        RunPainting(painter, self.model, self.theme, self.width(), self.height()).paint()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.model.resize(self.width(), self.height())
        super().resizeEvent(event)

    # ------------------------------------------------------------ mouse and keys
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if event.button() == Qt.MouseButton.RightButton:
            self._menu(self.model.at(place.x(), place.y()), event.globalPosition().toPoint())
            return
        self.model.press(
            place.x(),
            place.y(),
            shift=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier),
            middle=event.button() == Qt.MouseButton.MiddleButton,
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self.model.dragging is not None:
            self.model.move(place.x(), place.y())
            return
        found = self.model.at(place.x(), place.y())
        scrub = tr("Drag to scrub · Shift+drag chooses a span · wheel zooms, Shift pans, Alt scrolls")
        keys = tr("M marks · Ctrl+← → goes to the next state")
        self.say(f"{scrub} · {keys}")
        words = self.model.hint(found)
        if words and found.part is not Part.RULER:
            QToolTip.showText(event.globalPosition().toPoint(), words, self)
        else:
            QToolTip.hideText()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.model.release()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, held = event.angleDelta(), event.modifiers()
        steps = (turned.y() or turned.x()) / 120.0
        self.model.wheel(
            event.position().x(),
            steps,
            shift=bool(held & Qt.KeyboardModifier.ShiftModifier),
            alt=bool(held & Qt.KeyboardModifier.AltModifier),
        )
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run, key = self.model.run, event.key()
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held == Qt.KeyboardModifier.ControlModifier and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.model.step_change(1 if key == Qt.Key.Key_Right else -1)
        elif event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Left:
            run.step_back()
        elif key == Qt.Key.Key_Right:
            run.step_once()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            run.goto(1 if key == Qt.Key.Key_Home or run.take is None else len(run.take.steps))
        elif key == Qt.Key.Key_Space:
            run.toggle()
        elif key == Qt.Key.Key_M:
            run.replay.mark(run.time)
        elif key in (Qt.Key.Key_F, Qt.Key.Key_A):
            self.model.fit()
        elif key == Qt.Key.Key_Escape:
            self.model.cancel()
            run.replay.set_span(None)
        else:
            super().keyPressEvent(event)
