"""Compiled clips of a session: what is compiled and how, what came of it, saving that. The document stays as it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.clips.clip import Clip
from core.clips.compiled.options import CompileOptions
from core.errors import ValidationError
from core.evaluation.clip_pipeline import alone
from core.ids import AssetId
from core.io.common.atomic import write_atomic
from core.progress import Progress
from editor.model.compile_compare import Comparison
from editor.model.compile_work import Compiled, Order, compiled, order_for
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback

SUFFIX = ".pwclip"


class Which(StrEnum):
    """Which clips are compiled."""

    SHOWN = "shown"
    CHOSEN = "chosen"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ClipLine:
    """One compiled clip of the list.

    Parameters
    ----------
    fresh : whether the clip still is as it was when compiled
    """

    id: AssetId
    name: str
    ratio: float
    millimetres: float
    fresh: bool


class Compiling:
    """Compiles clips of the document off the window's thread and keeps what came of it.

    Nothing here changes the document: results live as long as the session and are told apart from
    the clips they were made of by those clips' identity.

    Attributes
    ----------
    changed : settings, results or the work under way differ
    compare : the original or the compiled clip in the viewport
    """

    def __init__(
        self,
        document: Document,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        jobs: Jobs,
        messages: Messages,
        closing: Event[None],
    ) -> None:
        self._document = document
        self._evaluator = evaluator
        self._playback = playback
        self._jobs = jobs
        self._messages = messages
        self._options = CompileOptions()
        self._which = Which.SHOWN
        self._chosen: frozenset[AssetId] = frozenset()
        self._results: dict[AssetId, Compiled] = {}
        self._job: Job[None] | None = None
        self.changed: Event[None] = Event()
        self.compare = Comparison(document, evaluator, playback, display, messages, lambda: self.fresh)
        document.changed.connect(lambda _: self.changed.emit(None))
        document.replaced.connect(lambda _: self._forget())
        closing.connect(lambda _: self.compare.show(False))

    # ------------------------------------------------------------ settings
    @property
    def options(self) -> CompileOptions:
        """How clips are compiled."""
        return self._options

    def set(self, **changes: Any) -> None:
        """Change options by name; a value that cannot be is refused with a message."""
        try:
            options = replace(self._options, **changes)
        except ValidationError as error:
            self._messages.warn(str(error))
            self.changed.emit(None)
            return
        if options != self._options:
            self._options = options
            self.changed.emit(None)

    @property
    def which(self) -> Which:
        """Which clips are compiled."""
        return self._which

    def set_which(self, which: Which) -> None:
        """Choose what `compile` works on."""
        if which is not self._which:
            self._which = which
            if which is Which.CHOSEN and not self._chosen and self._playback.shown is not None:
                self._chosen = frozenset({self._playback.shown.id})
            self.changed.emit(None)

    def choose(self, clip: AssetId, on: bool) -> None:
        """Tick a clip, or not."""
        chosen = self._chosen | {clip} if on else self._chosen - {clip}
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit(None)

    @property
    def candidates(self) -> tuple[Clip, ...]:
        """Clips of the character shown."""
        rig = self._evaluator.rig
        project = self._document.project
        return alone(project, project.clips_of(rig.id)) if rig is not None else ()

    @property
    def targets(self) -> tuple[Clip, ...]:
        """Clips that `compile` would work on now."""
        if self._which is Which.SHOWN:
            return (self._playback.shown,) if self._playback.shown is not None else ()
        return tuple(c for c in self.candidates if self._which is Which.ALL or c.id in self._chosen)

    def is_chosen(self, clip: AssetId) -> bool:
        """Whether a clip is ticked."""
        return clip in self._chosen

    @property
    def why_not(self) -> str:
        """Why nothing can be compiled now, or ""."""
        if self._evaluator.rig is None:
            return tr("open or import a character first")
        if self.busy:
            return tr("a clip is being compiled")
        if not self.targets:
            return (
                tr("tick a clip first")
                if self._which is Which.CHOSEN
                else tr("create or select a clip first")
            )
        return ""

    # ------------------------------------------------------------ results
    @property
    def result(self) -> Compiled | None:
        """What came of the clip shown, be it as it was then or not."""
        clip = self._playback.clip
        return self._results.get(clip) if clip is not None else None

    @property
    def fresh(self) -> Compiled | None:
        """What came of the clip shown, where it still is as it was when compiled."""
        result = self.result
        return result if result is not None and self.is_fresh(result) else None

    def is_fresh(self, result: Compiled) -> bool:
        """Whether everything a result depends on is unchanged."""
        project = self._document.project
        if any(project.assets.get(part.id) is not part for part in result.order.parts):
            return False
        now = order_for(project, result.order.clip.id)
        return len(now.parts) == len(result.order.parts)

    def lines(self) -> tuple[ClipLine, ...]:
        """The compiled clips of the character shown, in the project's order."""
        return tuple(
            ClipLine(
                clip.id,
                clip.name,
                done.report.ratio,
                float(done.errors.largest.max(initial=0.0)) * 1e3,
                self.is_fresh(done),
            )
            for clip in self.candidates
            if (done := self._results.get(clip.id)) is not None
        )

    # ------------------------------------------------------------ compiling
    @property
    def busy(self) -> bool:
        """Whether clips are being compiled."""
        return self._job is not None

    @property
    def job(self) -> Job[None] | None:
        """The work under way, with its fraction and text."""
        return self._job

    def compile(self) -> Job[None] | None:
        """Compile the targets on a worker; None where there is nothing to do or it is done already."""
        if self.why_not:
            self._messages.info(tr("Nothing was compiled: {why}", why=self.why_not))
            return None
        project, options = self._document.project, self._options
        orders = [order_for(project, clip.id) for clip in self.targets]
        done: list[Compiled] = []

        def work(progress: Progress) -> None:
            for number, order in enumerate(orders):
                share = progress.part(number / len(orders), (number + 1) / len(orders))
                done.append(compiled(order, options, share))

        def failed(error: Exception) -> None:
            self._take(done)
            name = orders[len(done)].clip.name
            self._messages.error(
                tr("{clip} was not compiled: {error}", clip=name, error=error),
                tr("Allow a larger error, or fix the clip"),
            )

        def cancelled() -> None:
            made = list(done)  # its thread may be in the middle of the next one
            self._take(made)
            self._messages.info(_cancelled_text(made))

        job: Job[None] = Job(
            _title(orders), work, lambda _: self._done(done), failed, cancelled, detached=True
        )
        self._job = job
        self.changed.emit(None)
        self._jobs.start(job)
        return job

    def cancel(self) -> None:
        """End the work under way; what is compiled already is kept."""
        if self._job is not None:
            self._jobs.cancel(self._job)

    def _done(self, done: Sequence[Compiled]) -> None:
        self._take(done)
        if len(done) == 1:
            report = done[0].report
            text = tr(
                "{clip} compiled: {ratio} : 1, largest error {mm} mm",
                clip=done[0].order.clip.name,
                ratio=f"{report.ratio:.1f}",
                mm=f"{done[0].errors.largest.max(initial=0.0) * 1e3:.3f}",
            )
        else:
            text = trn("{count} clip compiled", "{count} clips compiled", len(done))
        self._messages.info(text)

    def _take(self, done: Sequence[Compiled]) -> None:
        self._job = None
        self._results |= {made.order.clip.id: made for made in done}
        self.compare.refresh()
        self.changed.emit(None)

    def _forget(self) -> None:
        self.cancel()
        self._job, self._results, self._chosen = None, {}, frozenset()
        self.compare.show(False)
        self.changed.emit(None)

    # ------------------------------------------------------------ saving
    @property
    def saveable(self) -> tuple[Compiled, ...]:
        """Compiled targets that are as their clips are now."""
        found = (self._results.get(clip.id) for clip in self.targets)
        return tuple(made for made in found if made is not None and self.is_fresh(made))

    def save(
        self, made: Sequence[Compiled], place: Path, done: Callable[[], object] | None = None
    ) -> Job[list[Path]]:
        """Write compiled clips, each whole or not at all.

        Parameters
        ----------
        place : the file of one clip; the folder of several, named after their clips
        """
        paths = [_as_clip(place)] if len(made) == 1 else [place / n for n in _names(made)]

        def work(progress: Progress) -> list[Path]:
            for number, (one, path) in enumerate(zip(made, paths, strict=True)):
                progress.report(number / len(made), path.name)
                write_atomic(path, one.to_bytes())
            return paths

        def use(_: list[Path]) -> None:
            what = paths[0].name if len(paths) == 1 else trn("{count} file", "{count} files", len(paths))
            self._messages.info(tr("Saved {what}", what=what), str(place if len(paths) > 1 else place.parent))
            if done is not None:
                done()

        def failed(error: Exception) -> None:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self._messages.error(
                tr("{place} cannot be written: {why}", place=place, why=reason), tr("Choose another place")
            )

        return self._jobs.run(tr("Save compiled clips"), work, use, failed)


def file_name(name: str) -> str:
    """A clip's name as a file name."""
    kept = "".join(c if c.isalnum() or c in " -_.()" else "_" for c in name).strip(" .")
    return (kept or "clip") + SUFFIX


def _as_clip(place: Path) -> Path:
    """A file with the ending of compiled clips; what stands behind a dot in its name is no ending of ours."""
    return place if place.suffix.lower() == SUFFIX else place.with_name(place.name + SUFFIX)


def _names(made: Sequence[Compiled]) -> list[str]:
    """A file name for each, no two alike even where case does not count."""
    names: list[str] = []
    taken: set[str] = set()
    for one in made:
        stem = file_name(one.order.clip.name).removesuffix(SUFFIX)
        name, number = stem, 2
        while name.casefold() in taken:
            name, number = f"{stem}_{number}", number + 1
        taken.add(name.casefold())
        names.append(name + SUFFIX)
    return names


def _title(orders: Sequence[Order]) -> str:
    if len(orders) == 1:
        return tr("Compile {clip}", clip=orders[0].clip.name)
    return trn("Compile {count} clip", "Compile {count} clips", len(orders))


def _cancelled_text(done: Sequence[Compiled]) -> str:
    if not done:
        return tr("Compiling was cancelled: nothing changed")
    return trn("Cancelled after {count} clip", "Cancelled after {count} clips", len(done))
