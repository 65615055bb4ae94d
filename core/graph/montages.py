"""The op that runs a graph's montages: commands, weights and positions, exact inside the step (spec: graph, §9)."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import MissingReferenceError, ValidationError
from core.graph.actions import Action
from core.graph.clip_montages import ClipMontages
from core.graph.commands import Command, Do
from core.graph.montage_plan import MontagePlan
from core.graph.montage_state import FLOATS, HANDLE, MONTAGE, MOST_PLAYING, NEXT, POSITION
from core.graph.montage_step import MontagesStep
from core.graph.names import near
from core.graph.op import GraphOp, OpPlace, Run


class MontagesOp(GraphOp):
    """Runs all montages of a graph. It gives no pose of its own: slots show what it plays.

    Its ints: the last handle given, then `MOST_PLAYING` blocks; its floats: as many blocks.
    """

    LOGIC = "nothing"

    def __init__(self, where: OpPlace, plans: Sequence[MontagePlan], clips: ClipMontages) -> None:
        super().__init__(where, ())
        self.plans, self.clips = tuple(plans), clips
        self.by_name = {plan.montage.name: k for k, plan in enumerate(plans)}
        sections = max((len(plan.sections) for plan in plans), default=1)
        self.notify_ints = NEXT + sections
        self.block = self.notify_ints + max((plan.ints for plan in plans), default=0)
        self.block = max(self.block, self.notify_ints + clips.ints)
        self.INTS = 1 + MOST_PLAYING * self.block
        self.FLOATS = MOST_PLAYING * FLOATS

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
        return self.plan_numbered(number - 1) if number else None

    def plan_numbered(self, number: int) -> MontagePlan:
        """A montage of the project, and after those every clip in every slot."""
        return self.plans[number] if number < len(self.plans) else self.clips.plan(number - len(self.plans))

    def number_of(self, command: Command) -> int:
        """The number of what is to be played."""
        if command.do is Do.PLAY_CLIP:
            return len(self.plans) + self.clips.number(command.target, command.slot)
        return self.by_name[command.target]

    def playing_blocks(self, run: Run) -> Sequence[int]:
        """Blocks in which something plays."""
        first = self.ints_of(0) + MONTAGE
        return [
            int(k) for k in np.flatnonzero(run.ints[first : first + MOST_PLAYING * self.block : self.block])
        ]

    def newest(self, run: Run, name: str, handle: int = 0) -> int | None:
        """The block of the newest montage of that name (or with that handle) that plays."""
        found = [
            (int(run.ints[self.ints_of(k) + HANDLE]), k)
            for k in self.playing_blocks(run)
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
        ValidationError
            Times that are not finite, a clip that cannot be played.
        """
        if command.do is Do.PLAY_CLIP:
            self.clips.check(command)
        known = command.target in self.by_name
        if not known and (command.do is Do.PLAY or command.target not in self.clips.by_name):
            have = [*self.by_name, *self.clips.by_name] if command.do is not Do.PLAY else self.by_name
            raise MissingReferenceError(
                f"the graph plays no montage {command.target!r}{near(command.target, have)}"
            )
        if known and command.do is not Do.PLAY_CLIP:
            self._check_sections(self.plans[self.by_name[command.target]], command)
        numbers = [command.rate, command.at or 0.0, command.seconds or 0.0]
        if not np.isfinite(numbers).all() or (command.seconds or 0.0) < 0.0:
            raise ValidationError(
                f"montage {command.target!r}: expected finite times and rates, got {numbers}"
            )

    @staticmethod
    def _check_sections(plan: MontagePlan, command: Command) -> None:
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

    # ---------------------------------------------------------------- the step
    def play_all(self, run: Run, commands: Sequence[Command], chains: Mapping[str, Sequence[Action]]) -> None:
        """Do what is asked, then let everything play through the step.

        Parameters
        ----------
        chains : what the update sheet does at branching notifies, by name
        """
        run.leaving[self.number] = False
        step = MontagesStep(self, run, chains)
        for command in commands:
            if command.do not in (Do.GO, Do.TRAVEL):
                step.do(command, 0.0)
        step.go()
        run.playing = list(step.playing.values()) + step.over
