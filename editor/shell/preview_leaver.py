"""A press on a thing of the clip (a bone's row, a key, a curve, a pose) ends the preview of a blend space."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from editor.model.blending.state import Blending
from editor.model.session import Session

THINGS = ("bones", "timelineTracks", "curvesPlot", "curvesList", "poseGrid", "mirrorTree")
"""Object names of the widgets whose contents belong to the clip. The clip list does it itself, by a click: its rows
can be dragged into the blend space."""


class PreviewLeaver(QObject):
    """Watches presses on those widgets. The view is left out: there the character is looked at while it blends."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._live = session.feature(Blending).live

    def watch(self, panel: QWidget) -> None:
        """Watch those of a panel's widgets from now on."""
        for found in (panel, *panel.findChildren(QWidget)):
            if found.objectName() in THINGS:
                viewport = getattr(found, "viewport", None)
                (viewport() if viewport is not None else found).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            self._live.on
            and isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonPress
            and event.button() == Qt.MouseButton.LeftButton
            and _hits_something(watched, event)
        ):
            self._live.stop()
        return False


def _hits_something(watched: QObject, event: QMouseEvent) -> bool:
    """Whether a press is on a row, where the widget has rows."""
    view = watched.parent()
    if isinstance(view, QAbstractItemView):
        return view.indexAt(event.position().toPoint()).isValid()
    return True
