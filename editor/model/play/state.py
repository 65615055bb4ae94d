"""Play: the character of the document driven over a terrain; the document stays as it is."""

import time

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError
from core.ids import AssetId
from core.locomotion.character import CharacterState
from core.locomotion.driven import Driven, standing
from core.locomotion.input import Input
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import H
from core.locomotion.state import State
from core.math import transform
from core.physics import engine
from core.pose.pose import Pose
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.display.transport import ClockedPreview, TransportTaken
from editor.model.document import Document
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.play.camera import DISTANCE, FollowCamera
from editor.model.play.characters import MadeOf
from editor.model.play.choices import PlayChoices
from editor.model.play.clock import PlayClock
from editor.model.play.controls import PlayControls
from editor.model.play.making import SPAWN, CharacterMaking, Wish
from editor.model.play.overlays import Overlays
from editor.model.play.run import Run
from editor.model.playback import Playback
from editor.model.preferences import Preferences


class Play(ClockedPreview):
    """Drives the character shown, records every step, and goes back in what is recorded.

    It gives the evaluator its pose while `on`; the play button then runs and pauses it, and choosing a clip, scrubbing
    or posing ends that. At the end of the recording it takes new steps; before the end it plays what is recorded,
    until the person steers.

    Attributes
    ----------
    choices : what is driven, over what, how quickly it responds
    controls, clock, camera, overlays : what it is given, how fast it runs, where it is looked from, what is drawn
    run : what is recorded, and where in it it stands; None before the first character is there
    span : a part of the recording, in steps, for baking; None is all of it
    changed : the pose differs (the evaluator listens)
    stepped : it stands elsewhere: a step was taken, or gone back to
    state_changed : whether it is on or runs, a choice or the character, or the recording as a whole differs
    """

    def __init__(
        self,
        document: Document,
        playback: Playback,
        display: Display,
        messages: Messages,
        jobs: Jobs,
        preferences: Preferences,
    ) -> None:
        self._document, self._playback, self._display = document, playback, display
        self._messages = messages
        self.changed: Event[None] = Event()
        self.stepped: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        self.choices = PlayChoices(document, playback, preferences)
        self.controls, self.clock, self.camera = PlayControls(), PlayClock(), FollowCamera()
        self.overlays = Overlays(preferences)
        self.run: Run | None = None
        self.span: tuple[int, int] | None = None
        self.step_seconds = 0.0
        self._running = self._stale = self._said_missing = False
        self._made_of: MadeOf | None = None
        self._by: PlaySetup | None = None
        self._making = CharacterMaking(jobs, messages, lambda: self.state_changed.emit(None))
        self.choices.changed.connect(self._on_choice)
        self.controls.changed.connect(lambda _: self.state_changed.emit(None))
        document.changed.connect(self._on_document)
        document.replaced.connect(lambda _: self._forget())
        self._transport = TransportTaken(playback, display, self, self._on_clip)

    # ------------------------------------------------------------ what
    @property
    def preparing(self) -> bool:
        """Whether the character is being made, in the background."""
        return self._making.busy

    @property
    def failed(self) -> bool:
        """Whether the character could not be made: its clips, bones or graph do not do."""
        return self._making.failed

    @property
    def missing(self) -> tuple[str, ...]:
        """What the character has no clip for."""
        return () if self.run is None else self.run.driven.missing

    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        return tr("Play: {terrain}", terrain=self.choices.terrain_title)

    @property
    def detail(self) -> str:
        """Where in the run."""
        if self.run is None:
            return ""
        text = tr("{time:.2f} s", time=self.run.time)
        if self.running:
            return text if self.run.at_end else tr("{time} · replay", time=text)
        return tr("{time} · paused", time=text)

    # ------------------------------------------------------------ PoseSource
    def shown(self) -> tuple[State, Pose]:
        """State and pose to show: between two steps while it runs."""
        assert self.run is not None
        return self.run.shown(self.clock.share if self._running else 1.0)

    def pose(self) -> Pose | None:
        """The pose to show; None before the character is driven."""
        return None if self.run is None else self.shown()[1]

    def world(self) -> FloatArray:
        """Where the character stands."""
        if self.run is None:
            return np.eye(4)
        return transform.to_matrix(standing(self.shown()[0]))

    # ------------------------------------------------------------ entering, leaving
    def start(self, running: bool = True) -> bool:
        """Show the run in the viewport and let it run; False (with a message) where that cannot be.

        The first time the character is made in the background, and shown as soon as it is there.
        """
        reason = self.choices.why_not()
        if reason:
            self._messages.warn(tr("Play: {reason}", reason=reason))
            return False
        if self.run is None or self._stale:
            self._prepare(running)
            return True
        self._show(running)
        return True

    def _show(self, running: bool) -> None:
        if not self.on:
            self._display.leave(DisplayLevel.SOURCE)
            self._transport.take()
            self._display.show(self)
        self._running = running
        self.clock.pause()
        self.state_changed.emit(None)

    def show_run(self, run: Run) -> None:
        """Show a run that was made elsewhere, paused where it stands."""
        self._take(run)
        self._by = self.choices.setup
        self._made_of = MadeOf(self._document.project, run.driven, self._by)
        self._show(False)
        self._tell()

    def stop(self) -> None:
        """Show the clip again; what is recorded stays until the next restart."""
        if self.on:
            self.controls.release_all()
        super().stop()

    def leave(self) -> None:
        """Stop, also where the character is still being made."""
        self._making.cancel()
        self.stop()

    def pause(self) -> None:
        """Stand still, exactly at a step."""
        if self._running:
            self.clock.reset()
            super().pause()
            self.changed.emit(None)

    def toggle(self) -> None:
        """Run or pause; shows the run first."""
        if self.running:
            self.pause()
        else:
            self.start()

    def restart(self) -> None:
        """Begin again where the character starts; the recording begins again."""
        run = self.run
        if run is None:
            self.start()
            return
        self._begin(run.driven, run.driven.start(SPAWN))
        self.controls.face(run.recording.start.body.yaw)
        if self.on:
            self._show(True)
        self._tell()

    # ------------------------------------------------------------ making the character
    def _prepare(self, running: bool, fresh: bool = True) -> None:
        """Make the character in the background, then show it; `fresh` begins at the terrain's start."""
        choices, project, old = self.choices, self._document.project, self.run
        rig, chosen = choices.rig, choices.setup
        if rig is None:
            return
        known = old.driven if old is not None and not self._stale and chosen is self._by else None
        known = known if known is not None and known.drive is choices.drive else None
        wish = Wish(project, rig, chosen, choices.controller, choices.terrain, known, choices.drive)
        shown = self.on

        def done(driven: Driven, first: CharacterState) -> None:
            if self.choices.rig is not rig or (shown and not self.on):
                self.state_changed.emit(None)
                return
            self._by = chosen
            self._made_of = MadeOf(project, driven, chosen)
            self._begin(driven, first if fresh else self._carried(driven, first))
            self._show(running)
            self._tell()

        self._making.make(wish, done)

    def _carried(self, driven: Driven, first: CharacterState) -> CharacterState:
        """Where the character goes on: with the same graphs as it is, with others from where it stands."""
        old = self.run
        if old is None:
            return first
        if old.driven.setup.plan is driven.setup.plan:
            return old.state
        return driven.start(old.control.position, old.control.yaw)

    def _begin(self, driven: Driven, first: CharacterState) -> None:
        self._take(Run(driven, driven.terrain, first))
        self.clock.reset()
        if first.body.position == SPAWN:
            self.camera = FollowCamera(wanted=self.camera.wanted, distance=self.camera.wanted)

    def _take(self, run: Run) -> None:
        if self.run is None or self.run.driven.rig.id != run.driven.rig.id:
            self.camera = FollowCamera(wanted=DISTANCE * run.size, distance=DISTANCE * run.size)
        self.run, self.span, self._stale = run, None, False

    # ------------------------------------------------------------ running
    def tick(self, now: float) -> bool:
        """Let the clock run up to `now` (seconds, monotonic), and the camera follow; whether anything moved."""
        if not self.on or self.run is None:
            self.clock.pause()
            return False
        seconds = self.clock.passed(now)
        moved = self.advance(seconds) if self._running else False
        self.follow(seconds)
        return moved

    def advance(self, seconds: float) -> bool:
        """Run some seconds; whether anything moved."""
        if self.run is None or seconds <= 0.0:
            return False
        for _ in range(self.clock.steps(seconds)):
            self._step()
            if not self._running:
                break
        self._tell()
        return True

    def follow(self, seconds: float) -> None:
        """Let the camera follow for some seconds."""
        if self.run is None:
            return
        setup, control = self.run.driven.setup.controller, self.shown()[0]
        height = self.run.size * (setup.crouch_height if control.crouching else setup.height)
        view = self.controls.yaw, self.controls.pitch
        self.camera = self.camera.followed(control.position, height, view, seconds, self.run.terrain)

    def _step(self) -> None:
        run = self.run
        assert run is not None
        begin = time.perf_counter()
        try:
            if not run.at_end and self.controls.steers:
                self.go_on_from_here()
            if run.at_end:
                given = self._given()
                self._say_missing(given)
                run.step(given)
            else:
                run.goto(run.at + 1)
        except AnimError as error:
            self._running = False
            self._messages.warn(str(error))
            self.state_changed.emit(None)
        taken = time.perf_counter() - begin
        self.step_seconds = taken if not self.step_seconds else 0.9 * self.step_seconds + 0.1 * taken

    def _say_missing(self, given: Input) -> None:
        """Say once why nobody falls where the physics are not installed."""
        if given.ragdoll and not self._said_missing and not engine.installed():
            self._said_missing = True
            self._messages.warn(engine.unavailable())

    def _given(self) -> Input:
        """The input of the next step, as it is recorded.

        The ragdoll's key is one of its flags (`Input.ragdoll`): who falls by it is the driven character, so that a
        recording falls again.
        """
        return self.controls.input()

    def step_once(self) -> None:
        """Pause, and take one step; before the end, go on by one recorded step."""
        if self.run is None or not self.on:
            self.start(running=False)
            return
        self.pause()
        self._step()
        self._tell()

    # ------------------------------------------------------------ going back
    def goto(self, number: int) -> None:
        """Stand after so many recorded steps, paused."""
        if self.run is None:
            return
        if not self.on:
            self._show(False)
        self.pause()
        self.run.goto(number)
        self._tell()

    def seek(self, seconds: float) -> None:
        """Stand at a recorded time, paused."""
        if np.isfinite(seconds):
            self.goto(round(seconds / H))

    def go_on_from_here(self) -> None:
        """Drop what is recorded after the step shown: the next one is new."""
        if self.run is not None and not self.run.at_end:
            self.run.cut()
            if self.span is not None and self.span[1] > len(self.run):
                self.span = None
            self.state_changed.emit(None)

    def set_span(self, span: tuple[int, int] | None) -> None:
        """Choose a part of the recording, in steps, for baking; None is all of it."""
        if span is not None and self.run is not None:
            low, high = sorted(min(max(number, 0), len(self.run)) for number in span)
            span = (low, high) if high > low else None
        if span != self.span:
            self.span = span
            self.state_changed.emit(None)

    # ------------------------------------------------------------ upkeep
    def _tell(self) -> None:
        self.changed.emit(None)
        self.stepped.emit(None)

    def _on_choice(self, fresh: bool) -> None:
        if self.on or self.preparing:
            self._prepare(self.running or not self.on, fresh)
        else:
            self._stale = self.run is not None
        self.state_changed.emit(None)

    def _on_clip(self) -> None:
        self.stop()
        if self.run is not None and self._playback.rig != self.run.driven.rig.id:
            self._forget()

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        if self.run is None or self._made_of is None:
            return
        if not self._stale and not self._made_of.differs(self._document.project, ids, self.choices.setup):
            return
        self._stale = True
        if self.on:
            self._prepare(self.running, fresh=False)

    def _forget(self) -> None:
        self._making.cancel()
        self.stop()
        self.run, self.span, self._by, self._made_of = None, None, None, None
        self.state_changed.emit(None)
