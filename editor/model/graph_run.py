"""An animation graph played in the viewport: its variables are set by hand, its clock runs on."""

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError
from core.graph.graph import Graph, Role, Variable
from core.graph.instance import InputValue
from core.graph.post import Character, character_of
from core.graph.problems import GraphError, Problem
from core.graph.result import StepResult
from core.ids import AssetId
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.pose import Pose
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.playback import Playback

LONGEST_STEP = 0.1
"""Seconds that the clock moves on at most between two looks, after a stall."""
ONE_STEP = 1.0 / 60.0
"""Seconds of a single step."""


class GraphRun:
    """Runs a graph of the shown character; the document stays as it is.

    It gives the evaluator its pose while `on`; playing a clip, choosing one, scrubbing or posing ends that.

    Attributes
    ----------
    changed : the pose differs (the evaluator listens)
    state_changed : what is chosen, whether it is on or running, or a variable differs
    """

    def __init__(
        self,
        document: Document,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        messages: Messages,
    ) -> None:
        self._document, self._evaluator, self._playback = document, evaluator, playback
        self._display, self._messages = display, messages
        self._chosen: AssetId | None = None
        self._instance: Character | None = None
        self._made_of: tuple[object, object] = (None, None)
        self._values: dict[tuple[AssetId, str], InputValue] = {}
        self._result: StepResult | None = None
        self._stands: Transform = transform.IDENTITY
        self._running = False
        self._last: float | None = None
        self.problems: tuple[Problem, ...] = ()
        self.changed: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        document.changed.connect(lambda _: self._on_document())
        playback.clip_changed.connect(lambda _: self.stop())
        playback.state_changed.connect(lambda _: self.stop() if playback.playing else None)
        playback.time_changed.connect(lambda _: self.stop())
        display.dragged.connect(lambda _: self.stop())

    # ------------------------------------------------------------ what
    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Graphs of the shown character."""
        rig = self._evaluator.rig
        found = self._document.project.all(Graph)
        return tuple(graph for graph in found if rig is not None and graph.rig == rig.id)

    @property
    def graph(self) -> Graph | None:
        """The chosen graph, else the first."""
        graphs = self.graphs
        return next((graph for graph in graphs if graph.id == self._chosen), graphs[0] if graphs else None)

    @property
    def on(self) -> bool:
        """Whether the viewport shows the graph."""
        return self._display.source is self

    @property
    def running(self) -> bool:
        """Whether its clock runs."""
        return self.on and self._running

    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        return self.graph.name if self.graph is not None else ""

    @property
    def detail(self) -> str:
        """The active states."""
        return "  ".join(f"{machine}: {state}" for machine, state in self.states.items())

    @property
    def states(self) -> dict[str, str]:
        """Machine → name of its active state."""
        return dict(self._result.states) if self._result is not None else {}

    def value(self, variable: Variable) -> InputValue:
        """What a variable was set to; its default where nobody set it."""
        graph = self.graph
        default = variable.default if len(variable.default) > 1 else variable.default[0]
        return default if graph is None else self._values.get((graph.id, variable.name), default)

    # ------------------------------------------------------------ PoseSource
    def pose(self) -> Pose:
        """The graph's pose."""
        if self._result is None:
            raise AnimError(tr("The graph has not run yet"))
        return self._result.pose

    def world(self) -> FloatArray:
        """Where the character stands: walking by its root motion, unless it plays in place."""
        return np.eye(4) if self._playback.in_place else transform.to_matrix(self._stands)

    # ------------------------------------------------------------ doing
    def choose(self, graph: AssetId) -> None:
        """Choose another graph; what is shown ends."""
        if graph != self._chosen:
            self.stop()
            self._chosen = graph
            self._compile()
            self.state_changed.emit(None)

    def start(self, running: bool = True) -> bool:
        """Show the graph in the viewport; False (with a message) where it cannot run."""
        if not self.on:
            if self.graph is None:
                self._messages.warn(tr("This character has no animation graph"))
                return False
            if not self._compile():
                faults = [problem for problem in self.problems if not problem.warning]
                self._messages.warn(tr("The graph cannot run: {problem}", problem=str(faults[0])))
                return False
            self._display.leave(DisplayLevel.SOURCE)
            self._playback.pause()
            self._stands = transform.IDENTITY
            self._step(0.0)
            self._display.show(self)
        self._running, self._last = running, None
        self.state_changed.emit(None)
        return True

    def stop(self) -> None:
        """Show the clip again."""
        if self.on:
            self._running = False
            self._display.hide(self)
            self.state_changed.emit(None)

    def toggle(self) -> None:
        """Run or pause; shows the graph first."""
        if not self.on:
            self.start()
        else:
            self._running, self._last = not self._running, None
            self.state_changed.emit(None)

    def restart(self) -> None:
        """Begin again, with the variables as they are."""
        running = self.running
        if self._instance is not None:
            self._instance.restart()
            self._write_values()
        self._stands = transform.IDENTITY
        if self.on:
            self._step(0.0)
            self.changed.emit(None)
            self.state_changed.emit(None)
        else:
            self.start(running)

    def step_once(self) -> None:
        """Pause, and run a sixtieth of a second."""
        if self.start(running=False):
            self._advance(ONE_STEP)

    def set(self, name: str, value: InputValue) -> None:
        """Set a variable; a running graph reads it in its next step, a paused one at once."""
        graph = self.graph
        variable = next((v for v in graph.variables if v.name == name), None) if graph is not None else None
        if graph is None or variable is None:
            return
        if variable.role is not Role.TRIGGER:
            self._values[graph.id, name] = value
        if self._instance is not None and self._instance.plan.graph is graph:
            self._instance.set(name, value)
            if self.on and not self._running and variable.role is not Role.TRIGGER:
                self._step(0.0)
                self.changed.emit(None)
        self.state_changed.emit(None)

    def fire(self, name: str) -> None:
        """Set a trigger."""
        if self.start(self._running or not self.on):
            self.set(name, True)

    def tick(self, now: float) -> bool:
        """Let the clock run up to `now` (seconds, monotonic); whether anything moved."""
        if not self.running:
            self._last = None
            return False
        last, self._last = self._last, now
        if last is None:
            return False
        self._advance(min(max(now - last, 0.0), LONGEST_STEP) * self._playback.speed)
        return True

    def _advance(self, seconds: float) -> None:
        before = self.states
        self._step(seconds)
        self.changed.emit(None)
        if self.states != before:
            self.state_changed.emit(None)

    def _step(self, seconds: float) -> None:
        assert self._instance is not None
        self._result = self._instance.step(seconds)
        if not self._playback.in_place:
            moved = transform.compose(self._stands, self._result.root_motion)
            self._stands = Transform(moved.translation, quat.normalise(moved.rotation), moved.scale)

    # ------------------------------------------------------------ upkeep
    def _compile(self) -> bool:
        """Make the plan of the chosen graph; False where it has faults (`problems` lists them)."""
        graph, project = self.graph, self._document.project
        if self._made_of[0] is graph and self._made_of[1] is project and self._instance is not None:
            return True
        self._made_of, self._instance, self._result = (graph, project), None, None
        self.problems = ()
        if graph is None:
            return False
        try:
            made = character_of(graph, project)
        except GraphError as error:
            self.problems = error.problems
            return False
        self.problems = made.plan.warnings
        self._instance = made
        self._write_values()
        return True

    def _write_values(self) -> None:
        """Give the instance what the variables were set to."""
        assert self._instance is not None
        graph = self._instance.plan.graph
        for variable in graph.variables:
            if (graph.id, variable.name) in self._values:
                self._instance.set(variable.name, self._values[graph.id, variable.name])

    def _on_document(self) -> None:
        if self.on:
            self.stop()
        self.state_changed.emit(None)
