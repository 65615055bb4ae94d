"""One operation being adjusted: its numbers, its live preview, and how it ends. Free of Qt."""

from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Job
from editor.model.key_places import choose, key_places
from editor.panels.curves.commands import CurveCommands
from editor.tools import key_edits
from editor.tools.curves.operations import PLACES, Operation, Outcome, Setting


class OperationRun:
    """Previews an operation on the keys that are selected when it begins.

    Attributes
    ----------
    changed : note, outcome or numbers differ
    ended : applied or cancelled
    """

    def __init__(self, commands: CurveCommands, operation: Operation) -> None:
        self.operation = operation
        self.values = {p.id: p.value for p in operation.parameters}
        preferences = commands.session.preferences
        if "places" in self.values:
            self.values["places"] = float(PLACES.index(key_places(preferences)))
        self.note = ""
        self.changed: Event[None] = Event()
        self.ended: Event[None] = Event()
        self._commands, self._session = commands, commands.session
        self._job: Job[Outcome] | None = None
        self._outcome: Outcome | None = None
        self._apply_when_done = False
        self._over = False
        session = self._session
        clip = session.clip
        keys, _ = commands.targets()
        rig = session.rig
        meshes = session.evaluator.meshes
        self._setting = None if clip is None else Setting(clip, keys, rig, meshes)
        commands.model.view.rest(True)
        self._stop = session.document.changed.connect(lambda _: self.cancel())
        self._refresh()

    @property
    def busy(self) -> bool:
        """Whether the outcome is still being worked out."""
        return self._job is not None

    @property
    def count(self) -> int:
        """How many keys it works on."""
        return 0 if self._setting is None else key_edits.count(self._setting.keys)

    def set(self, parameter: str, value: float) -> None:
        """Change a number and show what comes of it."""
        if self.values[parameter] != value and not self._over:
            self.values[parameter] = value
            if parameter == "places":
                choose(self._session.preferences, PLACES[int(value)])
            self._refresh()

    def apply(self) -> None:
        """Make it a step; waits for work that is under way."""
        if self._job is not None:
            self._apply_when_done = True
            return
        outcome = self._outcome
        self._end()
        if outcome is not None and self._setting is not None and outcome.clip is not self._setting.clip:
            self._commands.model.lanes.keep_buffer(self._setting.clip)
            self._session.edits.put(self.operation.title, outcome.clip)
            self._session.selection.select_keys(key_edits.known(outcome.clip, self._session.selection.keys))
        self._session.preview.clear()
        if outcome is not None and outcome.note:
            self._session.messages.info(f"{self.operation.title}: {outcome.note}")
        self.ended.emit(None)

    def cancel(self) -> None:
        """Give it up."""
        if self._over:
            return
        self._end()
        self._session.preview.clear()
        self.ended.emit(None)

    def _end(self) -> None:
        self._over = True
        self._stop()
        before, self._job = self._job, None
        if before is not None:
            self._session.jobs.cancel(before)
        self._commands.model.view.rest(False)

    def _refresh(self) -> None:
        setting = self._setting
        if setting is None:
            return
        before, self._job = self._job, None
        if before is not None:
            self._session.jobs.cancel(before)
        values = dict(self.values)
        job: Job[Outcome] = Job(
            self.operation.title,
            lambda progress: self.operation.apply(setting, values, progress),
            lambda outcome: self._done(job, outcome),
            lambda error: self._failed(job, error),
            lambda: self._gave_up(job),
            detached=True,
        )
        self._job = job
        # Quick ones are waited for, so that the picture follows a drag of the number.
        self._session.jobs.start(job, 0.0 if self.operation.slow else self._session.edit_jobs.grace)
        if self._job is job:
            self.note = tr("computing…")
            self.changed.emit(None)

    def _done(self, job: Job[Outcome], outcome: Outcome) -> None:
        if job is self._job:
            self._job = None
            self._take(outcome)
            if self._apply_when_done:
                self.apply()

    def _gave_up(self, job: Job[Outcome]) -> None:
        """It was cancelled elsewhere than here, in the status bar."""
        if job is self._job:
            self._job = None
            self._apply_when_done = False
            self._fail(tr("cancelled: nothing has changed"))

    def _failed(self, job: Job[Outcome], error: Exception) -> None:
        if job is self._job:
            self._job = None
            self._apply_when_done = False
            self._fail(str(error))

    def _take(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self.note = outcome.note
        same = self._setting is not None and outcome.clip is self._setting.clip
        if same:
            self._session.preview.clear()
        else:
            self._session.preview.set_clip(outcome.clip)
        self.changed.emit(None)

    def _fail(self, text: str) -> None:
        self._outcome, self.note = None, text
        self._session.preview.clear()
        self.changed.emit(None)
