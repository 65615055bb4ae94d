"""The blend bar: −50 % to 150 %, dragged live; it springs back to where the pose stands."""

from collections.abc import Callable

from editor.model.i18n import tr
from editor.model.posing.blend import LEAST, MOST
from editor.qt.drag_bar import DragBar, Scale
from editor.qt.theme import Theme

SCALE = Scale(
    LEAST, MOST, (-0.5, 0.0, 0.5, 1.0, 1.5), (0.0, 1.0), (-0.25, 0.25, 0.5, 0.75, 1.25), factor=100.0
)


class BlendBar(DragBar):
    """Blends the pose shown toward a goal."""

    def __init__(self, theme: Theme, ready: Callable[[], bool]) -> None:
        super().__init__(theme, "blendBar", SCALE, ready)
        self.setAccessibleName(tr("Blend"))
