"""The markers of the clip in a timeline's lane. Free of Qt."""

from core.clips.clip import Marker
from editor.model.session import Session
from editor.panels.timeline.layout import REACH, Region
from editor.panels.timeline.timeline_view import TimelineView
from editor.tools import markers


class MarkerLane:
    """Finds markers, goes to them and deletes them.

    Attributes
    ----------
    aimed_marker : the marker that a menu was opened on
    """

    def __init__(self, session: Session, view: TimelineView) -> None:
        self._session = session
        self._view = view
        self.aimed_marker: Marker | None = None

    def all(self) -> tuple[Marker, ...]:
        """The markers of the clip shown."""
        clip = self._session.evaluator.clip
        return clip.markers if clip is not None else ()

    def marker_at(self, x: float, y: float) -> Marker | None:
        """The marker under a place of the lane; its name counts too."""
        if self._view.layout().region(x, y) is not Region.MARKERS:
            return None
        before = [m for m in self.all() if self._view.view_x(m.time) - REACH <= x]
        if not before:
            return None
        return (
            before[-1] if x - self._view.view_x(before[-1].time) <= 8.0 + 7.0 * len(before[-1].name) else None
        )

    def go_to_marker(self) -> None:
        """Go to the marker aimed at, else to the nearest one."""
        marker = self._marker_meant()
        if marker is not None:
            self._session.playback.seek(marker.time)

    def delete_marker(self) -> None:
        """Take the marker aimed at away."""
        marker = self._marker_meant()
        if marker is not None:
            markers.delete(self._session, marker)

    def _marker_meant(self) -> Marker | None:
        now = self._session.playback.time
        there = self.all()
        return (
            self.aimed_marker
            if self.aimed_marker in there
            else min(there, key=lambda m: abs(m.time - now), default=None)
        )
