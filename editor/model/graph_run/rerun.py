"""A take run again in the background: after an edit, with other inputs, on other ground; and what differs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.errors import AnimError
from core.graph.animation import character_playing
from core.graph.instance import InputValue
from core.graph.post import Character
from core.graph.record import Step
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Animation
from core.terrain.ground import Ground
from editor.model.graph_run.lanes import LaneBook, WatchedPin, first_difference
from editor.model.graph_run.take import Take
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What to run again.

    Parameters
    ----------
    steps : of the old take
    changed : number of a step → inputs that it has besides its own, or in their place
    begun : what was run again of these steps already; the rest is run on from there
    """

    asset: Animation
    project: Project
    steps: tuple[Step, ...]
    ground: Ground | None
    watched: tuple[WatchedPin, ...] = ()
    changed: Mapping[int, Mapping[str, InputValue]] = field(default_factory=dict)
    begun: "Made | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A take that was run again.

    Parameters
    ----------
    dropped : what could not be done any more, such as an input whose variable is gone
    """

    take: Take
    book: LaneBook
    dropped: tuple[str, ...] = ()


def run_again(wanted: Wanted, progress: Progress) -> Made:
    """Run steps on a fresh character, or on from what was begun; inputs and commands that no longer fit are left out.

    Raises
    ------
    GraphError
        What is wrong with the graph.
    """
    begun = wanted.begun
    if begun is None:
        take = Take(wanted.asset, character_playing(wanted.asset, wanted.project), wanted.ground)
    else:
        take = begun.take
    known, dropped = names_of(take.character), dict.fromkeys(() if begun is None else begun.dropped)
    for number in range(len(take.steps), len(wanted.steps)):
        if number % 30 == 0:
            progress.report(number / len(wanted.steps))
        step = wanted.steps[number]
        given = {**step.inputs, **wanted.changed.get(number, {})}
        inputs = {name: value for name, value in given.items() if name in known}
        dropped.update(dict.fromkeys(name for name in given if name not in known))
        try:
            take.step(step.dt, inputs, step.commands)
        except AnimError as error:
            dropped[str(error)] = None
            take.step(step.dt)
    book = LaneBook(take, wanted.watched) if begun is None else begun.book
    book.grow()
    return Made(take, book, tuple(dropped))


def names_of(character: Character) -> frozenset[str]:
    """The variables that a character can be given."""
    plans = [character.plan] + ([] if character.post is None else [character.post.instance.plan])
    return frozenset(variable.name for plan in plans for variable, _ in plan.variables)


class Rerun:
    """Runs takes again, the newest wish only."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._job: Job[Made] | None = None

    @property
    def under_way(self) -> bool:
        """Whether one is being run."""
        return self._job is not None

    def cancel(self) -> None:
        """Give it up."""
        job, self._job = self._job, None
        if job is not None:
            self._jobs.cancel(job)

    def start(
        self, wanted: Wanted, done: Callable[[Made], object], failed: Callable[[Exception], object]
    ) -> None:
        """Run again; an earlier wish is cancelled."""
        self.cancel()

        def end(made: Made) -> None:
            self._job = None
            done(made)

        def fail(error: Exception) -> None:
            self._job = None
            failed(error)

        self._job = Job(
            tr("Run the recording again"),
            lambda progress: run_again(wanted, progress),
            end,
            fail,
            detached=True,
        )
        self._jobs.start(self._job, grace=0.02)
        if self._job is not None and self._job.finished:
            self._job = None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The run before a change, beside the present one.

    Parameters
    ----------
    reason : what was changed
    first : number of the first step that differs, and in what; None where none does
    """

    take: Take
    book: LaneBook
    reason: str
    first: tuple[int, str] | None

    @classmethod
    def of(cls, old: Take, book: LaneBook, new: Take, reason: str) -> "Comparison":
        """Compare a new take with an old one."""
        book.grow()
        return cls(old, book, reason, first_difference(old, new))
