"""Montages that lead a sync group: its members follow the clips of the montage's first track (spec: graph, §9)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.graph.markers import MarkerCycle
from core.graph.montage_plan import SegmentPlan
from core.graph.montage_state import Playing, Way
from core.graph.op import ZERO, Run
from core.graph.sync_member import Phase, SyncMember

TOLERANCE = 1e-12
MOST_PARTS = 1000
"""Parts that a group's step is cut into at most."""


@dataclass(slots=True)
class MontageLeader:
    """A montage that leads in a step.

    Attributes
    ----------
    cycles : the markers of the clips that it came by
    """

    found: Playing
    cycles: dict[int, MarkerCycle] = field(default_factory=dict)

    def lead(self, run: Run, members: Sequence[SyncMember]) -> None:
        """Let members follow through the step; a new one takes the phase where it comes."""
        begins = {m.number: m.begins(run) for m in members}
        stops = {m.number: float(run.stops[m.number]) for m in members}
        run.following.update(m.number for m in members)
        inside = {m.number for m in members if not m.is_new(run)}
        for member in members:
            member.begin_step(run)
        edges = {w.start for w in self.found.ways} | {w.stop for w in self.found.ways}
        moments = sorted({*begins.values(), *stops.values(), *edges, *self._marked()})
        for start, stop in pairwise(moments[:MOST_PARTS]):
            there = [m for m in members if begins[m.number] <= start and stops[m.number] > start + TOLERANCE]
            for member in there:
                if member.number not in inside:
                    member.join(run, self.phase(start, after=True))
                    inside.add(member.number)
                member.follow(run, self.phase(stop), self._turns(start, stop), start, stop)
        for member in members:
            if member.number not in inside:
                member.join(run, self.phase(float(run.stops[member.number])))

    def _way(self, moment: float, after: bool) -> Way | None:
        """The piece of its way at a moment: the one that ends there, with `after` the one that begins."""
        ways = [w for w in self.found.ways if w.start - TOLERANCE <= moment <= w.stop + TOLERANCE]
        if not ways:
            return None
        return ways[-1] if after else next((w for w in ways if w.stop > w.start), ways[0])

    def _position(self, moment: float, after: bool) -> float:
        way = self._way(moment, after)
        if way is None:
            return self.found.position
        share = (moment - way.start) / (way.stop - way.start) if way.stop > way.start else 1.0
        return way.before + (way.after - way.before) * share

    def _segment(self, position: float, after: bool) -> SegmentPlan:
        track = self.found.plan.tracks[0]
        return track.at(position if after else position - TOLERANCE)

    def phase(self, moment: float, after: bool = False) -> Phase:
        """Where its clip is at a moment."""
        position = self._position(moment, after)
        segment = self._segment(position, after)
        return self._cycle(segment).phase(segment.clip_time(position))

    def _cycle(self, segment: SegmentPlan) -> MarkerCycle:
        clip = segment.evaluator.clip
        return self.cycles.setdefault(id(segment), MarkerCycle(clip, clip.looping and clip.length > 0.0))

    def _turns(self, start: float, stop: float) -> float:
        """Turns of its clip a second between two moments of one piece of its way."""
        middle = (start + stop) / 2.0
        way = self._way(middle, after=True)
        if way is None or way.stop <= way.start:
            return 0.0
        segment = self._segment(self._position(middle, after=True), after=True)
        speed = (way.after - way.before) / (way.stop - way.start) * segment.segment.rate
        length = segment.evaluator.clip.length
        return speed / length if length > 0.0 else 0.0

    def _marked(self) -> list[float]:
        """Moments of the step at which its clips pass markers, or one follows another."""
        found: list[float] = []
        for way in self.found.ways:
            moved = way.after - way.before
            if moved == 0.0 or way.stop <= way.start:
                continue
            for part, first, last, _ in self.found.plan.tracks[0].between(way.before, way.after):
                segment = part.segment
                places = [segment.place + (t - segment.begin) / segment.rate for t in self._cycle(part).times]
                low, high = min(first, last), max(first, last)
                passed = [*(place for place in places if low < place < high), first, last]
                seconds = (way.stop - way.start) / moved
                found.extend(way.start + (place - way.before) * seconds for place in passed)
        return found


def montage_leader(run: Run, group: str) -> MontageLeader | None:
    """The montage that leads a sync group in this step: the heaviest that names it, then the newest.

    One that starts inside the step leads from the next one on; one that ends in it leads no more.
    """
    found = [
        playing
        for playing in run.playing
        if playing.plan.montage.sync_group == group
        and playing.ended < 0.0
        and playing.begun <= 0.0
        and playing.weight(run.dt) >= ZERO
    ]
    if not found:
        return None
    return MontageLeader(max(found, key=lambda playing: (playing.weight(run.dt), playing.handle)))
