"""The recording of a run: its take with lanes, and the take run again after changes, beside the old one."""

from collections.abc import Mapping
from dataclasses import replace
from operator import is_

from core.errors import AnimError
from core.graph.animation import character_playing, opening
from core.graph.instance import InputValue
from core.graph.problems import GraphError, Problem
from core.progress import Progress
from core.rig.rig import Animation
from core.terrain.ground import Ground
from editor.model.document import Document
from editor.model.events import Event
from editor.model.graph_run.lanes import LaneBook, WatchedPin
from editor.model.graph_run.rerun import Comparison, Made, Rerun, Wanted, run_again
from editor.model.graph_run.take import Take
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages

AT_ONCE = 10
"""Steps that were recorded meanwhile and are run again in the window's thread; more go to the background."""


class Deck:
    """Holds what is recorded.

    With faults in the graph the take stays as it is: its plan, the last good one, runs on.

    Attributes
    ----------
    catching_up : what was recorded during a run in the background is being run again; new steps wait for that, since
        the background might never reach the end otherwise
    replaced : the take, its lanes, the comparison or the problems are others
    """

    def __init__(self, document: Document, jobs: Jobs, messages: Messages) -> None:
        self._document, self._messages = document, messages
        self._rerun = Rerun(jobs)
        self.take: Take | None = None
        self.book: LaneBook | None = None
        self.comparison: Comparison | None = None
        self.problems: tuple[Problem, ...] = ()
        self.watched: tuple[WatchedPin, ...] = ()
        self.ground: Ground | None = None
        self.catching_up = False
        self.replaced: Event[None] = Event()

    @property
    def faults(self) -> tuple[Problem, ...]:
        """Why the graph as it is now cannot run."""
        return tuple(problem for problem in self.problems if not problem.warning)

    @property
    def under_way(self) -> bool:
        """Whether the recording is being run again."""
        return self._rerun.under_way

    def begin(self, asset: Animation, first: Mapping[str, InputValue]) -> bool:
        """Record from the beginning; False where the graph has faults.

        Parameters
        ----------
        first : the inputs of the first step, which takes no time
        """
        self.clear()
        try:
            character = character_playing(asset, self._document.project)
        except AnimError as error:
            self._fault(error)
            return False
        self.problems = character.plan.warnings
        self.take = Take(asset, character, self.ground)
        self.book = LaneBook(self.take, self.watched)
        self.take.step(0.0, first, opening(asset))
        self.book.grow()
        return True

    def clear(self) -> None:
        """Drop what is recorded."""
        self._rerun.cancel()
        self.catching_up = False
        self.take = self.book = self.comparison = None
        self.problems = ()

    def cut(self) -> None:
        """Drop what is recorded after where the take stands."""
        take = self.take
        if take is not None:
            take.cut()
            if self.book is not None:
                self.book.cut(take.at)

    def watch(self, pin: WatchedPin) -> None:
        """Plot a value or weight as a lane; once more removes it."""
        same = [w for w in self.watched if (w.node, w.pin) == (pin.node, pin.pin)]
        self.watched = tuple(w for w in self.watched if w not in same) + (() if same else (pin,))
        for book in (self.book, None if self.comparison is None else self.comparison.book):
            if book is not None:
                book.watch(self.watched)
        self.replaced.emit(None)

    # ------------------------------------------------------------ running again
    def again(
        self, asset: Animation, reason: str, changed: Mapping[int, Mapping[str, InputValue]] | None = None
    ) -> None:
        """Run all that is recorded again on what the document holds now, in the background.

        Parameters
        ----------
        changed : number of a step → inputs that it has besides its own
        """
        take = self.take
        if take is None:
            return
        wanted = Wanted(
            asset, self._document.project, tuple(take.steps), self.ground, self.watched, changed or {}
        )
        self._run_again(wanted, take, reason)

    def _run_again(self, wanted: Wanted, old: Take, reason: str) -> None:
        self.catching_up = wanted.begun is not None
        self._rerun.start(wanted, lambda made: self._ran_again(wanted, made, old, reason), self._fault)

    def _ran_again(self, wanted: Wanted, made: Made, old: Take, reason: str) -> None:
        """Take a new run over once it has all that was recorded meanwhile."""
        if self.take is not old:
            return
        same = len(old.steps) >= len(wanted.steps) and all(map(is_, wanted.steps, old.steps))
        if not same:  # it was gone back, and on another way
            self._run_again(replace(wanted, steps=tuple(old.steps), begun=None), old, reason)
        elif len(old.steps) - len(wanted.steps) > AT_ONCE:
            self._run_again(replace(wanted, steps=tuple(old.steps), begun=made), old, reason)
        else:
            self._take_over(
                run_again(replace(wanted, steps=tuple(old.steps), begun=made), Progress()), old, reason
            )

    def _take_over(self, made: Made, old: Take, reason: str) -> None:
        """Show the new run where the old one stood, the old one beside it."""
        if self.book is None:
            return
        self.catching_up = False
        at, was_at_end = old.at, old.at == len(old.steps)
        before, kept = self.comparison, (old, self.book)
        if before is not None and before.reason == reason:
            kept = before.take, before.book  # a row of changes is compared with the run before the first
        self.comparison = Comparison.of(*kept, made.take, reason)
        self.take, self.book = made.take, made.book
        self.problems = made.take.plan.warnings
        if not was_at_end:
            made.take.goto(at)
        if made.dropped:
            self._messages.info(tr("Left out of the new run: {what}", what=", ".join(made.dropped[:4])))
        self.replaced.emit(None)

    def _fault(self, error: Exception) -> None:
        self.catching_up = False
        self.problems = error.problems if isinstance(error, GraphError) else (Problem(str(error)),)
        if self.take is None:
            self._messages.warn(tr("The graph cannot run: {problem}", problem=str(self.faults[0])))
        self.replaced.emit(None)

    def compare(self) -> None:
        """Show the old run in place of the new one, and the other way round."""
        found = self.comparison
        if found is None or self.take is None or self.book is None:
            return
        at = self.take.at
        new = Comparison(self.take, self.book, found.reason, found.first)
        self.take, self.book, self.comparison = found.take, found.book, new
        self.take.goto(at)
        self.replaced.emit(None)

    def drop_comparison(self) -> None:
        """Show the present run alone."""
        if self.comparison is not None:
            self.comparison = None
            self.replaced.emit(None)
