"""The curve editor without its widget: owns lanes, view, pointer and gestures. Free of Qt."""

from editor.model.events import Event
from editor.model.session import Session
from editor.model.time_axis import TimeUnit
from editor.model.time_view import TimeView
from editor.panels.curves.curve_view import CurveView
from editor.panels.curves.lane_list import LaneList
from editor.panels.curves.motion import MotionCurves
from editor.panels.curves.pointer import CurvePointer
from editor.tools.gesture import GestureHost


class CurvesModel:
    """Keeps the parts of one curve editor in step with the session.

    Attributes
    ----------
    lanes : lanes of the list, their flags, the curves behind them
    view : axes, fits and handles
    pointer : what lies where, and which gesture begins
    gestures : the gesture that runs
    motion : speed and acceleration of the selected bone
    changed : the picture differs
    lanes_changed : other lanes, or their flags
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        evaluator, playback, selection = session.evaluator, session.playback, session.selection
        self.changed: Event[None] = Event()
        self.lanes_changed: Event[None] = Event()
        self.lanes = LaneList(evaluator, playback, selection, session.messages)
        self.view = CurveView(self.lanes, evaluator, playback, selection)
        self.gestures = GestureHost()
        self.motion = MotionCurves(session)
        self.pointer = CurvePointer(session, self.lanes, self.view, self.gestures)
        self.lanes.curves_changed.connect(self._on_curves)
        self.view.changed.connect(self.changed.emit)
        self.pointer.changed.connect(self.changed.emit)
        view = self.view
        self._stops = [
            session.document.changed.connect(self._on_content),
            session.document.replaced.connect(self._on_content),
            session.preview.changed.connect(self._on_shape),
            evaluator.layers.changed.connect(self._on_content),
            playback.clip_changed.connect(self._on_content),
            playback.range_changed.connect(lambda _: self.changed.emit(None)),
            selection.bones_changed.connect(self._on_bones),
            selection.keys_changed.connect(lambda _: view.refresh_handles()),
            selection.flags_changed.connect(self._on_content),
            session.switches.changed.connect(self._on_switch),
            session.preferences.changed.connect(self._on_preference),
            session.feature(TimeView).join(
                lambda: view.axis, lambda axis: view.set_axes(axis, view.values), self.changed
            ),
        ]
        self._take_unit()

    def close(self) -> None:
        """Stop listening."""
        for stop in self._stops:
            stop()
        self._stops = []

    def set_search(self, words: str) -> None:
        """List only lanes that have all of the words in their name."""
        if words != self.lanes.search:
            self.lanes.search = words
            self._on_content()

    def _on_curves(self, _: object = None) -> None:
        self.view.drop_handles()
        self.view.settle()
        self.lanes_changed.emit(None)
        self.changed.emit(None)

    def _on_shape(self, _: object = None) -> None:
        self.lanes.drop_curves()
        self.view.drop_handles()
        self.changed.emit(None)

    def _on_bones(self, _: object = None) -> None:
        self._on_content()
        if self.session.switches["fit_curves"]:
            self.view.fit_values()
        else:
            self.view.come_into_sight()

    def _on_preference(self, name: str) -> None:
        if name == "time_unit":
            self._take_unit()

    def _take_unit(self) -> None:
        """Times in the unit of the timeline, which is above or below."""
        self.view.set_unit(TimeUnit.of(self.session.preferences.get("time_unit")))

    def _on_switch(self, name: str) -> None:
        if name == "fit_curves" and self.session.switches[name]:
            self.view.fit_values()
        if name == "curves_motion":
            self.changed.emit(None)

    def _on_content(self, _: object = None) -> None:
        if self.view.take_lanes(self.lanes.drop_lanes()):
            self.lanes_changed.emit(None)
        self.changed.emit(None)
