"""The timeline's model on a rich clip, for tests without a window."""

from dataclasses import replace

import numpy as np

from core.clips.clip import Marker
from editor.panels.timeline.layout import ROW
from editor.panels.timeline.view_model import TimelineModel
from tests.editor.actions import rich


class Scene:
    """The rich clip with two markers, two bones selected, in a view of 900 to 320 pixels."""

    def __init__(self) -> None:
        self.session = rich.session()
        markers = (Marker("first", 0.3), Marker("a longer name", 1.0))
        self.session.edits.put("markers", replace(self.session.clip, markers=markers))
        self.begun = self.session.history.position
        self.model = TimelineModel(self.session)
        self.rows, self.view, self.pointer = self.model.rows, self.model.view, self.model.pointer
        self.view.resize(900.0, 320.0)
        self.view.take_clip(self.session.clip)
        self.axis = self.view.axis

    def again(self, keys=None, at: float = 0.5) -> None:
        """As it was at first."""
        session = self.session
        while session.history.position > self.begun:
            session.undo()
        session.playback.set_range(0.2, 1.5)
        session.playback.seek(at)
        session.selection.select_keys({rich.TURN: np.array([1, 2])} if keys is None else keys)
        self.view.set_axis(self.axis)
        self.view.set_scroll(0.0)

    def told(self) -> tuple[object, ...]:
        """What a gesture may have changed."""
        session, clip = self.session, self.session.clip
        return (
            [(str(c.bone), c.property, c.axis, t.times, t.values) for c, t in clip.tracks.items()],
            [(m.name, m.time) for m in clip.markers],
            [(str(c.bone), c.property, c.axis, k) for c, k in session.selection.keys.items()],
            session.playback.time, session.playback.range, self.view.axis.start, self.view.axis.end, self.view.scroll,
            self.view.unit, session.history.undo_label, self.rows.aimed_row,
            None if self.model.markers.aimed_marker is None else self.model.markers.aimed_marker.name,
        )  # fmt: skip

    def y(self, row: int) -> float:
        return self.view.layout().top(row) + ROW / 2.0

    def close(self) -> None:
        self.model.close()
        self.session.close()
