"""Sync groups: players that share one phase, and so one pace (spec: graph, §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.graph.graph import SyncRole, Tempo
from core.graph.montage_sync import montage_leader
from core.graph.op import Run
from core.graph.sync_member import SyncMember

FULL = 1.0 - 1e-9
"""Weight from which on a member counts as blended in."""
TOLERANCE = 1e-12
MOST_PARTS = 1000
"""Parts that a group's step is cut into at most."""


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """A sync group, compiled.

    Parameters
    ----------
    members : numbers of its ops, in plan order
    place : of its int in the instance: number of the leading op, counted from 1
    """

    name: str
    tempo: Tempo
    members: tuple[int, ...]
    place: int

    def advance(self, run: Run) -> None:
        """Let its members play through the step."""
        relevant = [run.ops[number] for number in self.members if run.relevant[number]]
        members = [op for op in relevant if isinstance(op, SyncMember)]
        leader = montage_leader(run, self.name)
        if leader is not None:
            run.ints[self.place] = 0
            leader.lead(run, members)
        else:
            _GroupStep(self, run, members).advance()


class _GroupStep:
    """One step of a sync group."""

    def __init__(self, plan: GroupPlan, run: Run, members: Sequence[SyncMember]) -> None:
        self.plan, self.run, self.members = plan, run, members
        self.inside = {member.number for member in members if not member.is_new(run)}
        self.last = self._last_leader()

    def _last_leader(self) -> SyncMember | None:
        """Who led up to this step; it tells the phase where nobody else is left."""
        number = int(self.run.ints[self.plan.place]) - 1
        found = self.run.ops[number] if number >= 0 and self.run.was_relevant[number] else None
        return found if isinstance(found, SyncMember) and not self.run.ints[found.place.ints] else None

    def advance(self) -> None:
        """Go through the step part by part: a part ends where a member comes, goes or the leader passes a marker."""
        run = self.run
        if not self.members:
            return
        begins = {m.number: m.begins(run) for m in self.members}
        stops = {m.number: float(run.stops[m.number]) for m in self.members}
        for member in self.members:
            member.begin_step(run)
        for start, end in pairwise(sorted({*begins.values(), *stops.values()})):
            there = [
                m for m in self.members if begins[m.number] <= start and stops[m.number] > start + TOLERANCE
            ]
            if there:
                self._part(there, start, end)
        late = [member for member in self.members if member.number not in self.inside]
        leader = self._leader(self.members) if late else None
        if leader is not None:  # in a step of no seconds, or entered at its very end
            self._join(self.members, leader)

    def _part(self, there: Sequence[SyncMember], start: float, end: float) -> None:
        run, clock = self.run, start
        leader = self._leader(there)
        if leader is None:
            for member in there:
                cycle = member.cycle(run)
                turns = member.direction(run) / cycle if 0.0 < cycle < float("inf") else 0.0
                member.go_on(run, turns, start, end)
            return
        self._join(there, leader)
        turns = self._turns(there, leader)
        for number in range(MOST_PARTS):
            until = end
            if number < MOST_PARTS - 1:
                until = min(clock + leader.until_marker(run, turns), end)
            until = end if end - until < TOLERANCE else until
            leader.go_on(run, turns, clock, until)
            phase = leader.phase(run)
            for member in there:
                if member is not leader:
                    member.follow(run, phase, turns, clock, until)
            clock = until
            if clock >= end:
                break

    def _leader(self, there: Sequence[SyncMember]) -> SyncMember | None:
        """Always before can, then weight, then the present leader, then plan order.

        One that is not blended in yet leads only where no other may; those that never lead do not: where all are
        such, there is no leader, and each plays by itself.
        """
        run = self.run
        there = [member for member in there if member.role is not SyncRole.NEVER]
        if not there:
            run.ints[self.plan.place] = 0
            run.following.difference_update(self.plan.members)
            return None
        present = int(run.ints[self.plan.place]) - 1

        def rank(member: SyncMember) -> tuple[float, ...]:
            weight = float(run.weights[member.number])
            may = member.role is SyncRole.CAN_LEAD or (member.role is SyncRole.BLENDED_IN and weight >= FULL)
            order = 0.0 if member.role is SyncRole.ALWAYS else 1.0 if may else 2.0
            return order, -weight, float(member.number != present), float(member.number)

        leader = min(there, key=rank)
        run.ints[self.plan.place] = leader.number + 1
        run.following.discard(leader.number)
        run.following.update(number for number in self.plan.members if number != leader.number)
        return leader

    def _join(self, there: Sequence[SyncMember], leader: SyncMember) -> None:
        """Those that are new take the phase of those that were there; where there never were any, the leader's."""
        run = self.run
        old = [member for member in there if member.number in self.inside]
        source = leader
        if leader not in old:
            source = max(old, key=lambda m: float(run.before[m.number])) if old else self.last or leader
        phase, self.last = source.phase(run), leader
        for member in there:
            if member is not source and member.number not in self.inside:
                member.join(run, phase)
        self.inside.update(member.number for member in there)

    def _turns(self, there: Sequence[SyncMember], leader: SyncMember) -> float:
        """Turns a second of the group, negative backwards."""
        run = self.run
        own = leader.cycle(run)
        if not 0.0 < own < float("inf"):
            return 0.0
        seconds = own
        if self.plan.tempo is Tempo.MEAN:
            pairs = [(member.cycle(run), float(run.weights[member.number])) for member in there]
            counted = [(cycle, w) for cycle, w in pairs if 0.0 < cycle < float("inf") and w > 0.0]
            if counted:
                seconds = sum(cycle * w for cycle, w in counted) / sum(w for _, w in counted)
        return leader.direction(run) / seconds
