"""The character shown, run as its animation mode says: played, recorded, gone back in, run again after edits."""

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError
from core.graph.commands import Command, Do
from core.graph.graph import Graph, Role, Variable
from core.graph.instance import InputValue
from core.graph.peek import machines
from core.ids import AssetId
from core.math import transform
from core.pose.pose import Pose
from core.rig.rig import Animation
from core.terrain.ground import Ground
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.display.transport import ClockedPreview, TransportTaken
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.graph_run.animation_mode import AnimationMode
from editor.model.graph_run.breaks import BreakPoints
from editor.model.graph_run.clock import STEP, Clock
from editor.model.graph_run.deck import Deck
from editor.model.graph_run.inputs import InputPath, Inputs, fits
from editor.model.graph_run.live_steps import LiveSteps
from editor.model.graph_run.played import Played
from editor.model.graph_run.replay import Replay
from editor.model.graph_run.take import Take
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback


class GraphRun(ClockedPreview):
    """Runs what the character plays; the document stays as it is.

    It gives the evaluator its pose while `on`; the play button then runs and pauses it, and choosing a clip,
    scrubbing or posing ends that. All
    steps are recorded. Standing before the end, it plays what is recorded, and takes no new steps.

    Attributes
    ----------
    mode, played : what the character plays, in the document and now
    deck : what is recorded
    inputs, breaks, clock, replay : what it is given, where it stops, how fast it runs, which span loops
    changed : the pose differs (the evaluator listens)
    stepped : the run stands elsewhere: a step was taken, or gone back to
    state_changed : what is chosen, whether it is on or running, a variable, or the recording as a whole differs
    node_chosen : id of a node, state or transition that a panel of the run points at, for the canvas
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        messages: Messages,
        jobs: Jobs,
    ) -> None:
        self._document, self._evaluator, self._playback = document, evaluator, playback
        self._display, self._messages = display, messages
        self.mode = AnimationMode(document, evaluator, edits)
        self.played = Played(document, evaluator, self.mode)
        self.deck = Deck(document, jobs, messages)
        self.inputs, self.breaks, self.clock, self.replay = Inputs(), BreakPoints(), Clock(), Replay()
        self._running = False
        self._steps = LiveSteps(self.deck, self.inputs, self.breaks, messages)
        self.changed: Event[None] = Event()
        self.stepped: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        self.node_chosen: Event[str] = Event()
        self.deck.replaced.connect(lambda _: self._on_deck())
        self.replay.changed.connect(lambda _: self.state_changed.emit(None))
        self.breaks.changed.connect(lambda _: self.state_changed.emit(None))
        document.changed.connect(self._on_document)
        document.replaced.connect(lambda _: self._forget())
        self._transport = TransportTaken(playback, display, self, self._on_clip)

    # ------------------------------------------------------------ what
    @property
    def graph(self) -> Graph | None:
        """The graph that runs; of an asset the one that plays it."""
        return self.played.graph

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Graphs of the shown character."""
        return self.played.graphs

    @property
    def take(self) -> Take | None:
        """What is recorded."""
        return self.deck.take

    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        return str(getattr(self.played.asset, "name", ""))

    @property
    def detail(self) -> str:
        """The active states."""
        return "  ".join(f"{machine}: {state}" for machine, state in self.states.items())

    @property
    def time(self) -> float:
        """Seconds at which it stands."""
        return 0.0 if self.take is None else self.take.time

    @property
    def at_end(self) -> bool:
        """Whether it stands at the end of what is recorded, so that the next step is a new one."""
        return self.take is None or self.take.at == len(self.take.steps)

    @property
    def states(self) -> dict[str, str]:
        """Machine → name of its active state."""
        take = self.take
        if take is None or not take.at:
            return {}
        active = take.samples[take.at - 1].active
        pairs = zip(machines(take.plan), active, strict=True)
        return {op.name: op.states[k].name if k >= 0 else "" for op, k in pairs}

    @property
    def stale(self) -> bool:
        """Whether the last good plan runs, because the graph as it is now has faults."""
        return self.take is not None and bool(self.deck.faults)

    def value(self, variable: Variable, graph: Graph | None = None) -> InputValue:
        """What a variable holds where the run stands; without a run what it will be given."""
        graph, take = graph or self.graph, self.take
        if take is not None and self.on and variable.role is not Role.TRIGGER:
            held = take.value(variable.name)
            if held is not None and fits(variable, held):
                return held
        default = variable.default if len(variable.default) > 1 else variable.default[0]
        return default if graph is None else self.inputs.value(graph, variable)

    # ------------------------------------------------------------ PoseSource
    def pose(self) -> Pose | None:
        """The pose of the step at which it stands; None where a graph with faults was begun again."""
        if self.take is None or self.take.result is None:
            return None
        return self.take.result.pose

    def world(self) -> FloatArray:
        """Where the character stands: walking by its root motion, unless it plays in place."""
        if self.take is None or self._playback.in_place:
            return np.eye(4)
        return transform.to_matrix(self.take.stands)

    # ------------------------------------------------------------ choosing
    def choose(self, asset: AssetId) -> None:
        """Run something else for a try, whatever the document says that the character plays."""
        if asset != getattr(self.played.asset, "id", None):
            self.played.tried = asset
            self._forget()

    def play_as(self, asset: AssetId | None) -> None:
        """Let the character play something else: its animation mode, an undoable step."""
        self.played.tried = None
        if self.mode.choose(asset):
            self._forget()

    def set_ground(self, ground: Ground | None) -> None:
        """Walk on other ground; what is recorded runs again on it."""
        if ground != self.deck.ground:
            self.deck.ground = ground
            self._again(tr("other ground"))
            self.state_changed.emit(None)

    # ------------------------------------------------------------ running
    def start(self, running: bool = True) -> bool:
        """Show the run in the viewport; False (with a message) where it cannot run."""
        if not self.on:
            if self.played.asset is None:
                self._messages.warn(tr("This character has no animation graph"))
                return False
            if self.take is None and not self._begin():
                return False
            self._display.leave(DisplayLevel.SOURCE)
            self._transport.take()
            self._display.show(self)
        self._running = running
        self.clock.pause()
        self.state_changed.emit(None)
        return True

    def toggle(self) -> None:
        """Run or pause; shows the run first."""
        self.start(not self.running)

    def restart(self) -> None:
        """Begin again, with the variables as they are; the recording begins again."""
        running = self.running
        if self._begin():
            if self.on:
                self.changed.emit(None)
            self.start(running)
        else:
            self.stop()  # the faults are said; there is nothing to show

    def step_once(self) -> None:
        """Pause, and run a sixtieth of a second; before the end, go on by one recorded step."""
        if self.start(running=False) and self.take is not None:
            if self.at_end:
                self._live(STEP)
            else:
                self.goto(self.take.at + 1)

    def step_back(self) -> None:
        """Pause, and go back by one step."""
        if self.take is not None:
            self.goto(self.take.at - 1)

    def tick(self, now: float) -> bool:
        """Let the clock run up to `now` (seconds, monotonic); whether anything moved."""
        if not self.running:
            self.clock.pause()
            return False
        return self.advance(self.clock.passed(now))

    def advance(self, seconds: float) -> bool:
        """Run some seconds, in steps of the clock; whether anything moved."""
        take = self.take
        if take is None or seconds <= 0.0:
            return False
        if not self.at_end or self.replay.loops(take):
            self._running = self.replay.advance(take, seconds)
            self._tell()
            if not self._running:
                self.state_changed.emit(None)
            return True
        if self.deck.catching_up:
            return False
        count = self.clock.steps(seconds)
        for _ in range(count):
            if not self._live(self.clock.dt, tell=False):
                break
        if count:
            self._tell()
        return count > 0

    def goto(self, number: int) -> None:
        """Stand after so many recorded steps, paused."""
        if self.take is not None and (self.on or self.start(running=False)):
            self._running = False
            self.take.goto(number)
            self._tell()
            self.state_changed.emit(None)

    def seek(self, seconds: float) -> None:
        """Stand at a recorded time, paused."""
        if self.take is not None:
            self.goto(self.take.number_at(seconds))

    def go_on_from_here(self, running: bool = True) -> None:
        """Drop what is recorded after this step, and run on live."""
        if self.take is not None:
            self.deck.cut()
            self.start(running)

    # ------------------------------------------------------------ doing things to it
    def set(self, name: str, value: InputValue, graph: Graph | None = None) -> None:
        """Set a variable: at the next step; paused, at once; before the end, in what is recorded from here on."""
        # By id: who asks may still hold the graph as it was before an edit.
        found = (
            pair
            for pair in self.played.variables
            if pair[1].name == name and (graph is None or graph.id == pair[0].id)
        )
        owner, variable = next(found, (None, None))
        if owner is None or variable is None:
            return
        take, trigger = self.take, variable.role is Role.TRIGGER
        if take is not None and self.on and not self.at_end:
            self._again(tr("{name} at {time:.2f} s", name=name, time=take.time), {take.at - 1: {name: value}})
        else:
            self.inputs.set(owner, name, value, keep=not trigger)
            if take is not None and self.on and not self._running and not trigger:
                self._steps.show_now(take)
                self._tell()
        self.state_changed.emit(None)

    def fire(self, name: str) -> None:
        """Set a trigger."""
        if self.start(self._running or not self.on):
            self.set(name, True)

    def command(self, command: Command) -> None:
        """Ask the run something: force a state, play a montage, jump to a section."""
        if not self.on and not self.start(running=False):
            return
        if not self.at_end:
            self.go_on_from_here(running=False)
        self._steps.ask(command)
        if not self._running:
            self._live(STEP)
        self.state_changed.emit(None)

    def force_state(self, machine: str, state: str) -> None:
        """Go to a state whatever the rules say."""
        self.command(Command(Do.GO, machine, to=state))

    def play_inputs(self, path: InputPath | None) -> None:
        """Play recorded inputs from now on, over and over; None ends that."""
        self._steps.play(path, self.time)
        self.state_changed.emit(None)

    # ------------------------------------------------------------ steps
    def _live(self, dt: float, *, tell: bool = True) -> bool:
        """Take a new step; False where it stopped at a break point or the recording is full."""
        take = self.take
        assert take is not None
        try:
            hit = self._steps.one(take, dt)
        except AnimError as error:
            return self._halt(str(error))
        if hit is not None:
            self._running = False
            self._messages.info(tr("Paused at {what}, {time:.3f} s", what=hit.text, time=take.time))
            self.node_chosen.emit(hit.node)
            self.state_changed.emit(None)
        if tell:
            self._tell()
        return hit is None

    def _halt(self, reason: str) -> bool:
        self._running = False
        self._messages.warn(reason)
        self.state_changed.emit(None)
        return False

    def _tell(self) -> None:
        if self.deck.book is not None:
            self.deck.book.grow()
        self.changed.emit(None)
        self.stepped.emit(None)

    # ------------------------------------------------------------ upkeep
    def _begin(self) -> bool:
        """Record again on what is there now; False where it has faults."""
        asset = self.played.asset
        self.replay.clear()
        first = self._steps.begin(self.played.both)
        return asset is not None and self.deck.begin(asset, first)

    def _again(self, reason: str, changed: dict[int, dict[str, InputValue]] | None = None) -> None:
        asset = self.played.asset
        if asset is not None:
            self.deck.again(asset, reason, changed)

    def _forget(self) -> None:
        """Another thing runs: what is recorded is dropped."""
        self.stop()
        self.deck.clear()
        self.replay.clear()
        self.state_changed.emit(None)

    def _on_deck(self) -> None:
        self.changed.emit(None)
        self.stepped.emit(None)
        self.state_changed.emit(None)

    def _on_clip(self) -> None:
        rig, take = self._evaluator.rig, self.take
        self.stop()
        if take is not None and (rig is None or take.plan.rig.id != rig.id):
            self._forget()
        else:
            self.state_changed.emit(None)

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        take, asset = self.take, self.played.asset
        if take is not None and (asset is None or getattr(asset, "id", "") != getattr(take.asset, "id", "")):
            self._forget()
        elif take is not None and self._concerns(take, ids):
            self._again(tr("the edit"))
        self.state_changed.emit(None)

    def _concerns(self, take: Take, ids: frozenset[AssetId]) -> bool:
        """Whether changed assets can change the run: its rig, and what that can play."""
        assets, rig = self._document.project.assets, take.plan.rig.id
        return any(
            asset is None
            or asset.id == rig
            or (isinstance(asset, Animation) and getattr(asset, "rig", None) == rig)
            for asset in map(assets.get, ids)
        )
