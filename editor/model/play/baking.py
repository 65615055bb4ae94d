"""A played run, or a span of it, as a clip with root motion."""

from collections.abc import Callable
from pathlib import Path

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import new_id
from core.progress import Progress
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.play.run import Run
from editor.model.play.state import Play


class PlayBaking:
    """Bakes what Play recorded, in the background."""

    def __init__(self, play: Play, document: Document, edits: Edits, jobs: Jobs, messages: Messages) -> None:
        self._play, self._document, self._edits = play, document, edits
        self._jobs, self._messages = jobs, messages

    @property
    def span(self) -> tuple[int, int] | None:
        """First and last step that are baked; None where nothing is recorded."""
        run = self._play.run
        if run is None or len(run) == 0:
            return None
        return self._play.span or (0, len(run))

    def free_name(self) -> str:
        """A name that no clip has yet."""
        names = {clip.name for clip in self._document.project.clips}
        base = name = tr("played {terrain}", terrain=self._play.choices.terrain.name)
        count = 2
        while name in names:
            name, count = f"{base} {count}", count + 1
        return name

    def new_clip(self) -> None:
        """The span, or all that is recorded, as a clip of the document: one undo step."""

        def put(clip: Clip) -> None:
            if clip.rig in self._document.project.assets:
                self._edits.put(tr("New clip {name}", name=clip.name), clip)
                self._messages.info(
                    tr("{name}: {seconds:.2f} s of the run as a clip", name=clip.name, seconds=clip.length)
                )

        self._bake(self.free_name(), put)

    def export(self, path: Path) -> None:
        """The span, or all that is recorded, as a file of any format; the document stays as it is."""
        from editor.model.graph_run.export import save_clip

        project = self._document.project

        def write(clip: Clip) -> None:
            self._jobs.run(
                tr("Write {name}", name=path.name),
                lambda progress: save_clip(project, clip, path),
                lambda _: self._messages.info(tr("{path} is written", path=path)),
            )

        self._bake(path.stem, write)

    def _bake(self, name: str, done: Callable[[Clip], object]) -> None:
        run, span = self._play.run, self.span
        if run is None or span is None:
            self._messages.warn(tr("Nothing is recorded yet: play first"))
            return
        part = _Part(run, span)
        self._jobs.run(tr("Clip of the run"), lambda progress: part.clip(name, progress), done)


class _Part:
    """A span of a run, read once: it is baked from a recording of its own while the run goes on."""

    def __init__(self, run: Run, span: tuple[int, int]) -> None:
        self._driven, (first, last) = run.driven.fork(), span
        self._first = run.recording.state_at(first)
        self._inputs = run.recording.inputs[first:last]
        run.recording.state_at(run.at)

    def clip(self, name: str, progress: Progress) -> Clip:
        """Bake it; on a worker's thread."""
        if not self._inputs:
            raise ValidationError(tr("The run has no length yet: play it first"))
        states = [self._first]
        for number, given in enumerate(self._inputs):
            if number % 60 == 0:
                progress.report(0.5 * number / len(self._inputs))
            states.append(self._driven.step(states[-1], given))
        from core.locomotion.bake import baked_states  # a start needs neither this nor the export

        return baked_states(self._driven, states, new_id("clip"), name)
