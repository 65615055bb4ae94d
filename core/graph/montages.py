"""The op that runs a graph's montages: commands, weights and positions, exact inside the step (spec: graph, §9)."""

from collections.abc import Sequence

import numpy as np

from core.errors import MissingReferenceError, ValidationError
from core.graph.commands import Command, Do
from core.graph.montage_plan import MontagePlan
from core.graph.montage_state import FLOATS, HANDLE, MONTAGE, MOST_PLAYING, NEXT, POSITION
from core.graph.montage_step import MontagesStep
from core.graph.names import near
from core.graph.op import PoseOp, Run
from core.graph.output import Output


class MontagesOp(PoseOp):
    """Runs all montages of a graph. It gives no pose of its own: slots show what it plays.

    Its ints: the last handle given, then `MOST_PLAYING` blocks; its floats: as many blocks.
    """

    @property
    def logic(self) -> None:
        """Python plays the montages."""

    def __init__(self, number: int, node: str, plans: Sequence[MontagePlan]) -> None:
        super().__init__(number, node, "", ())
        self.plans = tuple(plans)
        self.by_name = {plan.montage.name: k for k, plan in enumerate(plans)}
        sections = max((len(plan.sections) for plan in plans), default=0)
        self.notify_ints = NEXT + sections
        self.block = self.notify_ints + max((plan.ints for plan in plans), default=0)
        self.INTS = 1 + MOST_PLAYING * self.block
        self.FLOATS = MOST_PLAYING * FLOATS

    def pose(self, run: Run) -> Output:
        """Nobody reads it."""
        raise NotImplementedError

    # ---------------------------------------------------------------- places
    def ints_of(self, k: int) -> int:
        """First int of a block."""
        return self.place.ints + 1 + k * self.block

    def floats_of(self, k: int) -> int:
        """First float of a block."""
        return self.place.floats + k * FLOATS

    def plan_of(self, run: Run, k: int) -> MontagePlan | None:
        """The montage that plays in a block."""
        number = int(run.ints[self.ints_of(k) + MONTAGE])
        return self.plans[number - 1] if number else None

    def newest(self, run: Run, name: str, handle: int = 0) -> int | None:
        """The block of the newest montage of that name (or with that handle) that plays."""
        found = [
            (int(run.ints[self.ints_of(k) + HANDLE]), k)
            for k in range(MOST_PLAYING)
            if (plan := self.plan_of(run, k)) is not None and plan.montage.name == name
        ]
        if handle:
            found = [pair for pair in found if pair[0] == handle]
        return max(found)[1] if found else None

    def position(self, run: Run, k: int | None) -> float:
        """Seconds at which the montage of a block is; 0 without one."""
        return 0.0 if k is None else float(run.floats[self.floats_of(k) + POSITION])

    def check(self, command: Command) -> None:
        """Refuse a command that names what is not there.

        Raises
        ------
        MissingReferenceError
            Listing near names.
        """
        if command.target not in self.by_name:
            raise MissingReferenceError(
                f"the graph plays no montage {command.target!r}{near(command.target, self.by_name)}"
            )
        plan = self.plans[self.by_name[command.target]]
        names = [section.name for section in plan.sections]
        wanted = [command.section, command.to if command.do is Do.NEXT else ""]
        if command.do is Do.JUMP and not command.section:
            raise ValidationError(
                f"montage {command.target!r}: jump needs a section; there are: {', '.join(names)}"
            )
        for name in wanted:
            if name and name not in names:
                raise MissingReferenceError(
                    f"montage {command.target!r} has no section {name!r}; there are: {', '.join(names)}"
                )
        numbers = [command.rate, command.at or 0.0, command.seconds or 0.0]
        if not np.isfinite(numbers).all() or (command.seconds or 0.0) < 0.0:
            raise ValidationError(
                f"montage {command.target!r}: expected finite times and rates, got {numbers}"
            )

    # ---------------------------------------------------------------- the step
    def play_all(self, run: Run, commands: Sequence[Command]) -> None:
        """Do what is asked, then let everything play through the step."""
        run.leaving[self.number] = False
        step = MontagesStep(self, run)
        for command in commands:
            if command.do not in (Do.GO, Do.TRAVEL):
                step.do(command, 0.0)
        step.go()
        run.playing = list(step.playing.values()) + step.over
