"""Where the playhead was painted, so that a widget paints no more than it passes over while time runs."""

from math import floor

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from editor.model.playback import Playback
from editor.panels.timeline.view_model import TimelineModel

REACH = 3
"""Pixels beside the line that are painted with it."""


class PlayheadTrail:
    """Has a widget over time painted where its playhead was and where it is.

    Attributes
    ----------
    time, shown : seconds where the playhead is painted, and those that its flag says

    Parameters
    ----------
    widget : shares the left edge of the timeline's view
    """

    def __init__(self, widget: QWidget, model: TimelineModel, playback: Playback) -> None:
        self._widget, self._model, self._playback = widget, model, playback
        self._seen: set[float] = set()
        self.take()

    def take(self) -> None:
        """Note the time that is painted from now on.

        It is noted in the turn in which fields and head-up line take theirs: a time read while painting may be a later
        one, and they would disagree.
        """
        self.time, self.shown = self._playback.time, self._playback.shown_time

    def painted(self) -> None:
        """The widget paints its playhead where it is now, or a part of it."""
        self._seen.add(self._x())

    def follow(self, ruler: int = 0) -> None:
        """The playhead moved.

        Parameters
        ----------
        ruler : height of the widget's ruler, where the flag hides labels and gives them back
        """
        widget = self._widget
        self.take()
        for x in self._seen | {self._x()}:
            widget.update(QRect(floor(x) - REACH, ruler, 2 * REACH + 1, widget.height() - ruler))
        self._seen.clear()
        if ruler:
            widget.update(QRect(0, 0, widget.width(), ruler))

    def _x(self) -> float:
        x = self._model.view.view_x(self.time)
        return min(max(x, -1e6), 1e6)
