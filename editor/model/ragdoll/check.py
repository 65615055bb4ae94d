"""Clips of the character against the ranges of its bodies: found on a worker, gone to, and widened to fit."""

from collections.abc import Sequence

from core.clips.clip import Clip
from core.errors import AnimError
from core.evaluation.range_check import RangeExcess, check_ranges, checkable, widened_to_fit
from core.ids import AssetId
from core.progress import Progress
from core.rig.body_plan import BodyPlan
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.ragdoll.bodies import Bodies
from editor.model.selection import Selection

GRACE = 0.08
"""Seconds that the window waits before the check becomes a job with a bar."""


class RangeCheck:
    """Which clips leave which ranges.

    Attributes
    ----------
    rows : what was found, the farthest outside first; None before the first check
    checked : how many clips were looked at
    changed : any of it differs
    """

    def __init__(
        self,
        document: Document,
        playback: Playback,
        selection: Selection,
        jobs: Jobs,
        messages: Messages,
        bodies: Bodies,
    ) -> None:
        self._document, self._playback, self._selection = document, playback, selection
        self._jobs, self._messages, self._bodies = jobs, messages, bodies
        self.rows: tuple[RangeExcess, ...] | None = None
        self.checked = 0
        self.changed: Event[None] = Event()
        self._job: Job[tuple[RangeExcess, ...]] | None = None
        self._of: tuple[BodyPlan, tuple[Clip, ...]] | None = None
        self._rig: AssetId | None = None
        document.changed.connect(lambda _: self.changed.emit(None))
        document.replaced.connect(lambda _: self._forget())
        playback.clip_changed.connect(lambda _: self._on_rig())

    # ------------------------------------------------------------ what
    @property
    def job(self) -> Job[tuple[RangeExcess, ...]] | None:
        """The check under way."""
        return self._job

    @property
    def why_not(self) -> str:
        """Why nothing can be checked, or ""."""
        rig = self._bodies.rig
        if rig is None:
            return tr("open or import a character first")
        if rig.body_plan is None:
            return tr("propose bodies first")
        if not checkable(self._document.project, rig):
            return tr("the character has no clips to check")
        return ""

    @property
    def stale(self) -> bool:
        """Whether bodies or clips have changed since."""
        rig = self._bodies.rig
        if self._of is None or rig is None:
            return False
        plan, clips = self._of
        now = checkable(self._document.project, rig)
        same = len(now) == len(clips) and all(a is b for a, b in zip(now, clips, strict=True))
        return rig.body_plan != plan or not same

    # ------------------------------------------------------------ doing
    def run(self) -> bool:
        """Check all clips; False (with a message) where that cannot be."""
        if self.why_not:
            self._messages.info(tr("Ranges cannot be checked: {why}", why=self.why_not))
            return False
        self.cancel()
        rig, project = self._require(), self._document.project
        plan, clips = self._plan(), checkable(project, rig)

        def work(progress: Progress) -> tuple[RangeExcess, ...]:
            return check_ranges(project, rig, plan, clips, progress)

        def done(rows: tuple[RangeExcess, ...]) -> None:
            if self._job is job:
                self._job, self.rows, self.checked = None, rows, len(clips)
                self._of, self._rig = (plan, clips), rig.id
                self.changed.emit(None)

        def failed(error: Exception) -> None:
            if self._job is job:
                self._job = None
                self._messages.error(tr("Checking ranges failed: {text}", text=str(error)))
                self.changed.emit(None)

        def cancelled() -> None:
            if self._job is job:
                self._job = None
                self.changed.emit(None)

        job: Job[tuple[RangeExcess, ...]] = Job(
            tr("Check ranges"),
            work,
            done,
            failed,
            cancelled,
            detached=True,
        )
        self._job = job
        self.changed.emit(None)
        self._jobs.start(job, GRACE)
        return True

    def cancel(self) -> None:
        """Give the check under way up."""
        job, self._job = self._job, None
        if job is not None:
            self._jobs.cancel(job)
            self.changed.emit(None)

    def go(self, row: RangeExcess) -> None:
        """Show the clip at the moment when it is farthest outside, with the bone selected."""
        if row.clip not in self._document.project.assets:
            self._messages.info(tr("“{name}” is not in the document any more", name=row.name))
            return
        self._playback.pause()
        if self._playback.clip != row.clip:
            self._playback.set_clip(row.clip)
        self._selection.select([row.excess.bone])
        self._playback.seek(row.time)

    def widen(self, rows: Sequence[RangeExcess] | None = None) -> bool:
        """Widen ranges until they hold the clips (None: all that was found), in one step; then check again."""
        chosen = self.rows if rows is None else tuple(rows)
        if not chosen:
            self._messages.info(tr("No clip leaves a range"))
            return False
        joints = {(row.excess.bone, row.excess.axis) for row in chosen}
        plan = widened_to_fit(self._plan(), chosen)
        label = trn("Widen {count} range to fit", "Widen {count} ranges to fit", len(joints))
        done = self._bodies.commit(label, plan)
        if done:
            self.run()
        return done

    # ------------------------------------------------------------ upkeep
    def _require(self) -> Rig:
        rig = self._bodies.rig
        if rig is None:
            raise AnimError(tr("open or import a character first"))
        return rig

    def _plan(self) -> BodyPlan:
        plan = self._require().body_plan
        if plan is None:
            raise AnimError(tr("propose bodies first"))
        return plan

    def _on_rig(self) -> None:
        rig = self._bodies.rig
        if self._rig is not None and (rig is None or rig.id != self._rig):
            self._forget()

    def _forget(self) -> None:
        self.cancel()
        self.rows, self._of, self._rig = None, None, None
        self.changed.emit(None)
