"""Play: the character of the document driven over a terrain; the document stays as it is."""

import time
from contextlib import suppress
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError, UnsupportedError
from core.ids import AssetId
from core.locomotion.character import CharacterState
from core.locomotion.driven import Driven, standing
from core.locomotion.recording_file import RecordedInputs, read_recording, write_recording
from core.locomotion.setup import PRESETS, H
from core.locomotion.state import State
from core.math import transform
from core.pose.pose import Pose
from core.progress import Progress
from core.rig.rig import Rig
from core.terrain.reading import read_terrain
from core.terrain.terrain import Terrain
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.events import Event
from editor.model.graph_run.gamepad import sdl
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.play.camera import FollowCamera
from editor.model.play.characters import make_character, used
from editor.model.play.clock import PlayClock
from editor.model.play.controls import PlayControls
from editor.model.play.grounds import TERRAINS
from editor.model.play.overlays import Overlays
from editor.model.play.run import Run
from editor.model.playback import Playback
from editor.model.preferences import Preferences

PREFERENCE = "play"
SPAWN = (0.0, 0.0, 0.0)


class Play:
    """Drives the character shown, records every step, and goes back in what is recorded.

    It gives the evaluator its pose while `on`; playing a clip, choosing one, scrubbing or posing ends that. At the
    end of the recording it takes new steps; before the end it plays what is recorded, until the person steers.

    Attributes
    ----------
    controls, clock, camera, overlays : what it is given, how fast it runs, where it is looked from, what is drawn
    changed : the pose differs (the evaluator listens)
    stepped : it stands elsewhere: a step was taken, or gone back to
    state_changed : whether it is on or runs, its terrain, preset or character, or the recording as a whole differs
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
        self._messages, self._jobs, self._preferences = messages, jobs, preferences
        self.controls, self.clock, self.camera = PlayControls(), PlayClock(), FollowCamera()
        self.overlays = Overlays(preferences)
        stored = preferences.get(PREFERENCE)
        stored = stored if isinstance(stored, dict) else {}
        self._terrain_id = stored["terrain"] if stored.get("terrain") in TERRAINS else "flat"
        self._preset = stored["preset"] if stored.get("preset") in PRESETS else "normal"
        self._terrains: dict[str, Terrain] = {}
        self._file: Path | None = None
        self.run: Run | None = None
        self.span: tuple[int, int] | None = None
        self.step_seconds = 0.0
        self._running = self._preparing = False
        self._ticket = 0
        self._rig: AssetId | None = None
        self._stale = False
        self._used: frozenset[AssetId] = frozenset()
        self.changed: Event[None] = Event()
        self.stepped: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        self.controls.changed.connect(lambda _: self.state_changed.emit(None))
        document.changed.connect(self._on_document)
        document.replaced.connect(lambda _: self._forget())
        playback.clip_changed.connect(lambda _: self._on_clip())
        playback.state_changed.connect(lambda _: self.stop() if playback.playing else None)
        playback.time_changed.connect(lambda _: self.stop())
        display.dragged.connect(lambda _: self.stop())

    # ------------------------------------------------------------ what
    @property
    def on(self) -> bool:
        """Whether the viewport shows the run."""
        return self._display.source is self

    @property
    def running(self) -> bool:
        """Whether its clock runs."""
        return self.on and self._running

    @property
    def preparing(self) -> bool:
        """Whether the character is being made, in the background."""
        return self._preparing

    @property
    def terrain_id(self) -> str:
        """Id of the terrain, ``file`` for one of a file."""
        return self._terrain_id if self._file is None else "file"

    @property
    def terrain(self) -> Terrain:
        """What the character is driven over."""
        key = self.terrain_id
        if key not in self._terrains:
            self._terrains[key] = TERRAINS[key][1]()
        return self._terrains[key]

    @property
    def terrain_title(self) -> str:
        """What the terrain is called."""
        return TERRAINS[self._terrain_id][0] if self._file is None else self._file.name

    @property
    def preset(self) -> str:
        """How quickly the controller responds: a key of `PRESETS`."""
        return self._preset

    @property
    def missing(self) -> tuple[str, ...]:
        """What the character has no clip for."""
        return () if self.run is None else self.run.driven.missing

    # ------------------------------------------------------------ PoseSource
    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        return tr("Play: {terrain}", terrain=self.terrain_title)

    @property
    def detail(self) -> str:
        """Where in the run."""
        if self.run is None:
            return ""
        text = tr("{time:.2f} s", time=self.run.time)
        if self.running:
            return text if self.run.at_end else tr("{time} · replay", time=text)
        return tr("{time} · paused", time=text)

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
    def why_not(self) -> str:
        """Why the character cannot be driven, or ""."""
        if self._rig_shown() is None:
            return tr("no character is shown")
        return ""

    def start(self, running: bool = True) -> bool:
        """Show the run in the viewport and let it run; False (with a message) where that cannot be.

        The first time the character is made in the background, and shown as soon as it is there.
        """
        reason = self.why_not()
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
            self._playback.pause()
            self._display.show(self)
        self._running = running
        self.clock.pause()
        self.state_changed.emit(None)

    def stop(self) -> None:
        """Show the clip again; what is recorded stays until the next restart."""
        if self.on:
            self._running = False
            self.controls.release_all()
            self._display.hide(self)
            self.state_changed.emit(None)

    def leave(self) -> None:
        """Stop, also where the character is still being made."""
        if self._preparing:
            self._ticket += 1
            self._preparing = False
            self.state_changed.emit(None)
        self.stop()

    def pause(self) -> None:
        """Stand still."""
        if self._running:
            self._running = False
            self.clock.reset()
            self.changed.emit(None)
            self.state_changed.emit(None)

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

    # ------------------------------------------------------------ choosing
    def choose_terrain(self, key: str) -> None:
        """Drive over another terrain, from its start."""
        if key in TERRAINS and key != self.terrain_id:
            self._terrain_id, self._file = key, None
            self._keep()
            self._world_changed(fresh=True)

    def open_terrain(self, path: Path) -> None:
        """Drive over a terrain of a file.

        Raises
        ------
        FormatError
            Naming the file and the field.
        """
        self._terrains["file"] = read_terrain(path)
        self._file = path
        self._world_changed(fresh=True)

    def choose_preset(self, name: str) -> None:
        """Let the controller respond as a preset says, from where the character is."""
        if name in PRESETS and name != self._preset:
            self._preset = name
            self._keep()
            self._world_changed(fresh=False)

    def _keep(self) -> None:
        self._preferences.set(PREFERENCE, {"terrain": self._terrain_id, "preset": self._preset})

    def _world_changed(self, fresh: bool) -> None:
        if self.run is not None:
            self._prepare(self.running, fresh)
        self.state_changed.emit(None)

    # ------------------------------------------------------------ making the character
    def _rig_shown(self) -> Rig | None:
        found = self._document.project.assets.get(self._playback.rig) if self._playback.rig else None
        return found if isinstance(found, Rig) else None

    def _prepare(self, running: bool, fresh: bool = True) -> None:
        """Make the character in the background, then show it; `fresh` begins at the terrain's start."""
        rig = self._rig_shown()
        if rig is None:
            return
        project, setup, terrain = self._document.project, PRESETS[self._preset], self.terrain
        shown, self._preparing = self.on, True
        self._ticket += 1
        ticket = self._ticket
        known = self.run.driven if self.run is not None and not self._stale else None
        self.state_changed.emit(None)

        def work(progress: Progress) -> tuple[Driven, CharacterState]:
            with suppress(UnsupportedError):
                sdl()  # imported here, it does not hold the window up
            made = (
                known.on(setup, terrain)
                if known is not None
                else make_character(project, rig, setup, terrain)
            )
            return made, made.start(SPAWN)

        def done(found: tuple[Driven, CharacterState]) -> None:
            if ticket != self._ticket:  # something else was asked for meanwhile
                return
            self._preparing = False
            if self._rig_shown() is not rig or (shown and not self.on):
                self.state_changed.emit(None)
                return
            driven, first = found
            old = self.run
            self._used = used(project, rig.id)
            carried = old is not None and not fresh and old.driven.setup.plan is driven.setup.plan
            if old is not None and not fresh and not carried:  # other graphs: it goes on from where it stands
                body = old.control
                first = driven.start(body.position, body.yaw)
            self._begin(driven, old.state if old is not None and carried else first)
            self._show(running)
            self._tell()

        def failed(error: Exception) -> None:
            self._preparing = self._preparing and ticket != self._ticket
            self.state_changed.emit(None)
            self._messages.warn(str(error))

        self._jobs.run(tr("Prepare the character to play"), work, done, failed)

    def _begin(self, driven: Driven, first: CharacterState) -> None:
        self.run, self.span, self._stale = Run(driven, self.terrain, first), None, False
        self._rig = driven.rig.id
        self.clock.reset()
        place = first.body.position
        if place == SPAWN:
            self.camera = FollowCamera(wanted=self.camera.wanted, distance=self.camera.wanted)

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
        setup = PRESETS[self._preset]
        control = self.shown()[0]
        height = setup.crouch_height if control.crouching else setup.height
        view = self.controls.yaw, self.controls.pitch
        self.camera = self.camera.followed(control.position, height, view, seconds, self.terrain)

    def _step(self) -> None:
        run = self.run
        assert run is not None
        begin = time.perf_counter()
        try:
            if not run.at_end and self.controls.steers:
                self.go_on_from_here()
            if run.at_end:
                run.step(self.controls.input())
            else:
                run.goto(run.at + 1)
        except AnimError as error:
            self._running = False
            self._messages.warn(str(error))
            self.state_changed.emit(None)
        taken = time.perf_counter() - begin
        self.step_seconds = taken if not self.step_seconds else 0.9 * self.step_seconds + 0.1 * taken

    def step_once(self) -> None:
        """Pause, and take one step; before the end, go on by one recorded step."""
        if self.run is None or not self.on:
            self.start(running=False)
            return
        self.pause()
        self._step()
        self._tell()

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
            self._cut_span()
            self.state_changed.emit(None)

    def set_span(self, span: tuple[int, int] | None) -> None:
        """Choose a part of the recording, in steps, for baking; None is all of it."""
        if span is not None and self.run is not None:
            low, high = sorted(min(max(number, 0), len(self.run)) for number in span)
            span = (low, high) if high > low else None
        if span != self.span:
            self.span = span
            self.state_changed.emit(None)

    def _cut_span(self) -> None:
        if self.span is not None and self.run is not None and self.span[1] > len(self.run):
            self.span = None

    # ------------------------------------------------------------ inputs as files
    def save_inputs(self, path: Path) -> None:
        """Write the inputs of the run; raises `OSError`."""
        run = self.run
        if run is not None:
            first = run.recording.start.body
            recorded = RecordedInputs(
                PRESETS[self._preset], self.terrain, first.position, first.yaw, run.recording.inputs
            )
            write_recording(recorded, path)

    def open_inputs(self, path: Path) -> None:
        """Play the inputs of a file on its terrain.

        Raises
        ------
        FormatError
            Naming the file and the place in it.
        """
        recorded = read_recording(path)
        rig = self._rig_shown()
        if rig is None:
            return
        self._terrains["file"], self._file = recorded.terrain, path
        self._preset = recorded.setup.name
        project = self._document.project

        def work(progress: Progress) -> Run:
            driven = make_character(project, rig, recorded.setup, recorded.terrain)
            run = Run(driven, recorded.terrain, driven.start(recorded.place, recorded.yaw))
            for number, given in enumerate(recorded.inputs):
                if number % 60 == 0:
                    progress.report(number / len(recorded.inputs))
                run.step(given)
            return run

        def done(run: Run) -> None:
            run.goto(0)
            self.run, self._rig, self._stale, self.span = run, rig.id, False, None
            self._used = used(project, rig.id)
            self._show(False)
            self._tell()

        self._jobs.run(tr("Play the inputs of {name}", name=path.name), work, done)

    # ------------------------------------------------------------ upkeep
    def _tell(self) -> None:
        self.changed.emit(None)
        self.stepped.emit(None)

    def _on_clip(self) -> None:
        if self.on or self.run is not None:
            self.stop()
            if self._rig is not None and self._playback.rig != self._rig:
                self._forget()

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        run = self.run
        if run is None or not ids & self._used:
            return
        self._stale = True
        if self.on:
            self._prepare(self.running, fresh=False)

    def _forget(self) -> None:
        self.stop()
        self.run, self._rig, self.span = None, None, None
        self.state_changed.emit(None)
