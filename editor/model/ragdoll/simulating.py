"""Simulate to keys: bones of the clip shown simulated over a range, tried out in the view, baked as a layer."""

from collections.abc import Callable
from dataclasses import replace

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.simulated_layer import LayerSetup, simulated_layer
from core.physics.clip_motion import Sampler
from core.physics.engine import installed, unavailable
from core.physics.parts import plan_of, scene_of
from core.physics.simulated import SimulationSetup, simulate
from core.pose import kinematics
from core.pose.pose import Pose
from core.progress import Progress
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs, Made
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.ik.state import IkState
from editor.model.jobs import Job, Jobs
from editor.model.playback import Playback
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.outcome import Outcome, SimulateOptions, made_of


def missing_library() -> str:
    """What to install where the physics library is not there, or ""; quick, for it does not load it."""
    return "" if installed() else unavailable()


class Simulating:
    """Works a simulation out on a worker, draws it in place of the clip, and bakes it as a layer in one step.

    Until it is baked nothing of the document changes, and what is edited is the clip as it is.

    Attributes
    ----------
    options : what the next simulation does
    outcome : the one that is tried out, or None
    changed : what is to be drawn differs
    state_changed : options, outcome or the work under way differ
    """

    def __init__(
        self,
        document: Document,
        edit_jobs: EditJobs,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        jobs: Jobs,
        bodies: Bodies,
        ik: IkState,
    ) -> None:
        selection = bodies.selection
        self._document, self._edit_jobs, self._evaluator = document, edit_jobs, evaluator
        self._playback, self._selection, self._display = playback, selection, display
        self._jobs, self._messages, self._bodies, self._ik = jobs, bodies.messages, bodies, ik
        self.options = SimulateOptions()
        self.outcome: Outcome | None = None
        self.changed: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        self._original = False
        self._job: Job[Outcome] | None = None
        self._of: tuple[object, ...] = ()
        self._drawn: tuple[float, Pose, Pose] | None = None
        self._matrices: FloatArray | None = None
        self._unfollow: Callable[[], None] = lambda: None
        display.add_drawn(self)
        document.changed.connect(lambda _: self._on_document())
        document.replaced.connect(lambda _: self._forget())
        playback.clip_changed.connect(lambda _: self._on_clip())
        selection.bones_changed.connect(lambda _: self.state_changed.emit(None))
        display.dragged.connect(lambda _: self.show_original(True))

    # ------------------------------------------------------------ what
    @property
    def job(self) -> Job[Outcome] | None:
        """The work under way."""
        return self._job

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the bones that it would simulate: those set, else those selected."""
        rig = self._evaluator.rig
        if rig is None:
            return ()
        names = self.options.bones or self._selection.in_order
        return tuple(name for name in names if rig.skeleton.find(name) is not None)

    @property
    def why_not(self) -> str:
        """Why nothing can be simulated now, or ""."""
        reason = missing_library()
        if reason:
            return reason
        if self._evaluator.rig is None:
            return tr("open or import a character first")
        if self._playback.shown is None:
            return tr("create or select a clip first")
        if self._playback.below is not None:
            return tr("go back to the clip first: a layer is in hand")
        return "" if self.chosen else tr("select the bones to simulate")

    def frames(self) -> tuple[float, float]:
        """The range in frames: what is set, held within the clip; else all of it."""
        clip, options = self._playback.shown, self.options
        if clip is None:
            return 0.0, 0.0
        last = clip.rate.to_frame(clip.length)
        start = min(max(options.start or 0.0, 0.0), max(last - 1.0, 0.0))
        end = last if options.end is None else min(max(options.end, start + 1.0), last)
        return start, end

    def settle(self) -> float:
        """Seconds that are simulated before: what is set, else one turn of a clip that loops."""
        clip = self._playback.shown
        if self.options.settle is not None or clip is None:
            return self.options.settle or 0.0
        return clip.length if clip.looping and self._whole(clip) else 0.0

    def _whole(self, clip: Clip) -> bool:
        start, end = self.frames()
        return start == 0.0 and abs(clip.rate.to_seconds(end) - clip.length) < 1e-6

    def blends(self) -> tuple[float, float]:
        """Seconds over which the layer comes and goes; a loop simulated as a whole has no ends."""
        clip = self._playback.shown
        if clip is not None and clip.looping and self._whole(clip):
            return 0.0, 0.0
        return self.options.blend_in, self.options.blend_out

    # ------------------------------------------------------------ choosing
    def set(self, **values: object) -> None:
        """Other options; what is tried out stays until it is simulated again."""
        self.options = replace(self.options, **values)  # type: ignore[arg-type]
        if self.outcome is not None and {"mode", "blend_in", "blend_out"} & set(values):
            self._drop()
        self.state_changed.emit(None)

    def use_selection(self) -> None:
        """Simulate the bones that are selected now, also when others are selected later."""
        self.set(bones=tuple(self._selection.in_order))

    def use_whole_body(self) -> None:
        """Simulate all bodies of the plan."""
        rig, plan = self._evaluator.rig, self._bodies.plan
        if plan is None and rig is not None:
            plan = plan_of(rig, self._evaluator.meshes)
        if plan is None:
            self._messages.info(
                tr("The character has no bodies yet"), tr("Propose them first: the panel is called Bodies")
            )
            return
        self.set(bones=(plan.bodies[0].bone,), below=True)

    def use_play_range(self) -> None:
        """Simulate the play range."""
        clip, span = self._playback.shown, self._playback.range
        if clip is not None and span is not None:
            self.set(start=clip.rate.to_frame(span[0]), end=clip.rate.to_frame(span[1]))
        else:
            self.set(start=None, end=None)

    # ------------------------------------------------------------ doing
    def run(self) -> bool:
        """Simulate and show what comes of it; False (with a message) where that cannot be."""
        if self.why_not:
            self._messages.info(tr("Nothing was simulated: {why}", why=self.why_not))
            return False
        self.cancel()
        rig, clip, project = self._evaluator.rig, self._playback.shown, self._document.project
        assert rig is not None and clip is not None
        chosen, setup = self.chosen, self._setup(clip)
        below, meshes = self.options.below, self._evaluator.meshes

        def work(progress: Progress) -> Outcome:
            scene = scene_of(rig, plan_of(rig, meshes), chosen, meshes, below)
            pipeline = ClipPipeline.of(project, clip)
            loop = clip.length if clip.looping else None
            made = simulate(rig, scene, setup, _sampler(pipeline), clip.rate, loop, progress)
            return Outcome(rig, clip, scene, setup, made, pipeline.sample_many(made.times).local)

        def done(outcome: Outcome) -> None:
            if self._job is job:
                self._job = None
                self._take(outcome)

        def failed(error: Exception) -> None:
            if self._job is job:
                self._job = None
                self._messages.error(tr("Simulating failed: {text}", text=str(error)))
                self.state_changed.emit(None)

        def cancelled() -> None:
            if self._job is job:
                self._job = None
                self._messages.info(tr("Simulating cancelled: nothing has changed"))
                self.state_changed.emit(None)

        job: Job[Outcome] = Job(
            tr("Simulate {clip}", clip=clip.name), work, done, failed, cancelled, detached=True
        )
        self._job = job
        self.state_changed.emit(None)
        self._jobs.start(job)
        return True

    def _setup(self, clip: Clip) -> SimulationSetup:
        options, (start, end) = self.options, self.frames()
        return SimulationSetup(
            clip.rate.to_seconds(start), clip.rate.to_seconds(end), options.follow, options.stiffness,
            options.damping, options.gravity, self._ik.ground.height if options.ground else None, options.collide,
            self.settle(),
        )  # fmt: skip

    def _take(self, outcome: Outcome) -> None:
        self.outcome, self._original = outcome, False
        self._of = made_of(self._document.project, outcome.clip.id)
        self._unfollow()
        self._unfollow = self._evaluator.changed.connect(lambda _: self._drop())
        self._drop()
        self.state_changed.emit(None)

    def cancel(self) -> None:
        """Give the work under way up."""
        job, self._job = self._job, None
        if job is not None:
            self._jobs.cancel(job)
            self.state_changed.emit(None)

    def discard(self) -> None:
        """Show the clip as it is, and forget what was simulated."""
        self._forget()

    def bake(self) -> bool:
        """Make what is tried out a layer over the clip, in one step; whether that is done already."""
        outcome = self.outcome
        if outcome is None:
            self._messages.info(tr("Simulate first"))
            return False
        project, setup = self._document.project, self._layer()
        label = tr("Simulate to layer {name}", name=setup.name)

        def work(progress: Progress) -> Made:
            made = simulated_layer(project, outcome.clip, outcome.below, outcome.simulated, setup, progress)
            keys = trn("{count} key", "{count} keys", made.keys)
            note = tr("Layer {name}: {keys}", name=made.stack.layers[-1].name, keys=keys)
            return Made(label, made.assets, note=note)

        return self._edit_jobs.run(label, work, lambda _: self._forget())

    def _layer(self) -> LayerSetup:
        outcome, (into, out) = self.outcome, self.blends()
        assert outcome is not None
        mode = self.options.mode
        first = outcome.rig.skeleton.names[outcome.simulated.bones[0]]
        return LayerSetup(
            tr("Simulated {bone}", bone=first), mode, into, out, max(self.options.tolerance, 0.0) / 1000.0
        )

    # ------------------------------------------------------------ what is drawn
    @property
    def on(self) -> bool:
        """Whether what was simulated is drawn in place of the clip."""
        return (
            self.outcome is not None
            and not self._original
            and self._display.source is None
            and not self._display.has(DisplayLevel.TRANSIENT_CLIP)
        )

    @property
    def shows_original(self) -> bool:
        """Whether the clip as it is is shown while there is something to compare."""
        return self._original

    def show_original(self, original: bool) -> None:
        """Show the clip as it is, or as it was simulated."""
        if self.outcome is not None and original != self._original:
            self._original = original
            self._drop()
            self.state_changed.emit(None)

    def stop(self) -> None:
        """Draw the clip as it is."""
        self.show_original(True)

    @property
    def title(self) -> str:
        """What the viewport says meanwhile."""
        return tr("SIMULATED · not baked")

    def pose(self) -> Pose | None:
        """The pose to draw now; None outside the range."""
        if not self.on:
            return None
        below, time = self._evaluator.pose(), self._playback.time
        if self._drawn is None or self._drawn[0] != time or self._drawn[1] is not below:
            assert self.outcome is not None
            made = self.outcome.pose_at(below, time, self._layer())
            self._drawn, self._matrices = (time, below, made), None
        return self._drawn[2]

    def matrices(self) -> FloatArray | None:
        """Model matrices ``(B, 4, 4)`` of `pose`."""
        pose, rig = self.pose(), self._evaluator.rig
        if pose is None or rig is None:
            return None
        if self._matrices is None:
            self._matrices = kinematics.model_matrices(rig.skeleton, pose.local)
        return self._matrices

    # ------------------------------------------------------------ upkeep
    def _drop(self) -> None:
        self._drawn = self._matrices = None
        if self.outcome is not None:
            self.changed.emit(None)

    def _on_clip(self) -> None:
        if self.outcome is not None and self._playback.clip != self.outcome.clip.id:
            self._forget()
        self.state_changed.emit(None)

    def _on_document(self) -> None:
        if self.outcome is not None and not self._edit_jobs.busy:
            now = made_of(self._document.project, self.outcome.clip.id)
            if len(now) != len(self._of) or any(a is not b for a, b in zip(now, self._of, strict=True)):
                self._forget()
                self._messages.info(
                    tr("The simulation was dropped: the clip or the bodies have changed"),
                    tr("Simulate again"),
                )
        self.state_changed.emit(None)

    def _forget(self) -> None:
        self.cancel()
        self._unfollow()
        self._unfollow = lambda: None
        had, self.outcome, self._original, self._of = self.outcome, None, False, ()
        self._drawn = self._matrices = None
        if had is not None:
            self.changed.emit(None)
        self.state_changed.emit(None)


def _sampler(pipeline: ClipPipeline) -> Sampler:
    return lambda times: pipeline.sample_many(times).local
