"""The seam meter in the transport: a quiet line for clips that loop, a menu of what mends a seam."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from editor.model.i18n import tr
from editor.panels.timeline.view_model import TimelineModel
from editor.qt.binding import Bindings
from editor.qt.menu import pop_up
from editor.qt.panel import PanelContext
from editor.qt.widgets import set_role

QUIET_MS = 120
"""After the last edit; nothing is worked out while keys are still being moved."""


class SeamLabel(QLabel):
    """Shows how the clip closes; empty where it does not loop."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.setObjectName("transportSeam")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._context, self._model = context, model
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self.read)
        session = context.session
        Bindings(self).refresh(self._timer.start, session.document.changed, session.playback.clip_changed)
        self.read()

    def read(self) -> None:
        """Work the seam out and show it."""
        reading = self._model.seam()
        self._whole = reading.text
        self.setToolTip(reading.tip)
        self.setAccessibleName(tr("Seam of the loop"))
        self.setEnabled(bool(reading.text))
        set_role(self, "caption" if reading.closed else "warning")
        self._fit()

    def _fit(self) -> None:
        """Show as much as there is room for: everything, the positions, or nothing."""
        parts = (self._whole, self._whole.split(" · ")[0])
        room = self.width() - 4
        self.setText(next((t for t in parts if self.fontMetrics().horizontalAdvance(t) <= room), ""))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Offer what mends a seam."""
        ids = ("curves.link_ends", "curves.cycle", None, "clip.loop")
        pop_up(self._context.window.menu_of(ids, self), self)
