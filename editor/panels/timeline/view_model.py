"""The timeline without its widget: owns rows, view, markers, pointer and gestures. Free of Qt."""

from core.clips.clip import Clip
from editor.model.blocking import Blocking
from editor.model.events import Event
from editor.model.key_filter import KeyFilter
from editor.model.session import Session
from editor.model.time_view import TimeView
from editor.panels.timeline.marker_lane import MarkerLane
from editor.panels.timeline.pointer import TimelinePointer
from editor.panels.timeline.row_list import RowList
from editor.panels.timeline.seam_meter import SeamMeter, SeamReading
from editor.panels.timeline.timeline_view import TimelineView
from editor.tools.gesture import GestureHost


class TimelineModel:
    """Keeps the parts of one timeline in step with the session.

    Attributes
    ----------
    rows : which rows there are, and their keys
    view : time axis, scroll and layout
    markers : the lane of markers
    pointer : what lies where, and which gesture begins
    gestures : the gesture that runs
    changed : what is drawn differs, the playhead apart
    moved : the playhead is elsewhere, or its flag says something else
    """

    def __init__(self, session: Session) -> None:
        self.session = s = session
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self.rows = RowList(s.evaluator, s.selection, s.feature(KeyFilter))
        self.view = TimelineView(self.rows, s.evaluator, s.playback, s.selection, s.preferences)
        self.markers = MarkerLane(s, self.view)
        self.gestures = GestureHost()
        self.pointer = TimelinePointer(s, self.rows, self.view, self.markers, self.gestures)
        self._meter = SeamMeter()
        self._seen: Clip | None = None
        self.rows.changed.connect(self._on_rows)
        self.view.changed.connect(self.changed.emit)
        self.pointer.changed.connect(self.changed.emit)
        self._subscriptions = [event.connect(self._on_content) for event in (
            s.document.changed, s.playback.clip_changed, s.selection.bones_changed, s.selection.weights_changed,
        )]  # fmt: skip
        for event in (s.document.replaced, s.playback.clip_changed):
            # what is dragged is gone
            self._subscriptions.append(event.connect(lambda _: self.gestures.cancel()))
        self._subscriptions.append(s.preview.changed.connect(self._on_preview))
        self._subscriptions.append(s.selection.keys_changed.connect(self._on_keys))
        self._subscriptions.append(s.feature(KeyFilter).changed.connect(self._on_keys))
        self._subscriptions += [event.connect(self._repaint) for event in (
            s.playback.range_changed, s.selection.flags_changed, s.feature(Blocking).changed,
        )]  # fmt: skip
        for moving in (s.playback.time_changed, s.playback.state_changed):
            self._subscriptions.append(moving.connect(lambda _: self.moved.emit(None)))
        view = self.view
        self._subscriptions.append(s.playback.time_changed.connect(view.follow))
        self._subscriptions.append(s.feature(TimeView).join(lambda: view.axis, view.set_axis, self.changed))

    def close(self) -> None:
        """Stop listening."""
        while self._subscriptions:
            self._subscriptions.pop()()

    def seam(self) -> SeamReading:
        """How the document's clip closes."""
        rig = self.session.rig
        return self._meter.read(self.session.clip, rig.skeleton if rig else None)

    def _repaint(self, _: object = None) -> None:
        self.changed.emit(None)

    def _on_rows(self, _: object = None) -> None:
        self.view.keep_in_sight()
        self.changed.emit(None)

    def _on_preview(self, _: object = None) -> None:
        """A drag shows another clip; dragging a pose changes nothing here."""
        if self.rows.clip is not self._seen:
            self._on_content()

    def _on_keys(self, _: object = None) -> None:
        self.rows.drop_keys()
        self.changed.emit(None)

    def _on_content(self, _: object = None) -> None:
        self.rows.drop()
        self._seen = self.rows.clip
        self.view.take_clip(self._seen)
        self.changed.emit(None)
