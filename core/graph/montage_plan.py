"""Montages, compiled: where their sections and segments are, and what plays at a time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.blending.easing import ease
from core.clips.additive import AdditiveSampler
from core.clips.clip import AdditiveSpace
from core.clips.evaluator import ClipEvaluator
from core.clips.root_motion import motion_between, without_root
from core.graph.curve_table import CurveTable
from core.graph.graph import BlendKind
from core.graph.montage import Montage, Section, Segment
from core.graph.notifying import Notifier
from core.graph.output import Output
from core.math import transform
from core.math.transform import Transform
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack

NO_SECTION = -1
"""What follows the last section."""


class Source(NamedTuple):
    """Where the events of a montage come from: the number of the op that runs it, and the montage's id."""

    number: int
    node: str


@dataclass(frozen=True, slots=True, eq=False)
class SegmentPlan:
    """A segment with its clip.

    Parameters
    ----------
    deltas : of an additive clip
    notifier : of the clip's notifies; its ints begin at `ints`, counted from the montage's first
    """

    segment: Segment
    evaluator: ClipEvaluator
    deltas: AdditiveSampler | None
    notifier: Notifier
    ints: int

    def clip_time(self, position: float) -> float:
        """Seconds of the clip at a time of the montage."""
        segment = self.segment
        time = segment.begin + (position - segment.place) * segment.rate
        return min(max(time, segment.begin), segment.end)


@dataclass(frozen=True, slots=True, eq=False)
class TrackPlan:
    """A slot track: its segments, and in which space it is a difference, None where it is a pose."""

    slot: str
    segments: tuple[SegmentPlan, ...]
    additive: AdditiveSpace | None

    def at(self, position: float) -> SegmentPlan:
        """The segment at a time of the montage; between segments the one before, whose last pose holds."""
        found = [segment for segment in self.segments if segment.segment.place <= position]
        return found[-1] if found else self.segments[0]

    def between(self, before: float, after: float) -> list[tuple[SegmentPlan, float, float, bool]]:
        """The way from one time to another by segments, with whether each is entered at its edge."""
        low, high = min(before, after), max(before, after)
        parts = []
        for found in self.segments:
            first, last = max(found.segment.place, low), min(found.segment.last, high)
            if last > first:
                edge = first == found.segment.place if after > before else last == found.segment.last
                parts.append((found, *((first, last) if after > before else (last, first)), edge))
        return parts if after > before else parts[::-1]

    def pose(self, position: float, table: CurveTable) -> Output:
        """Pose and curves at a time, root motion taken out; of an additive track the difference."""
        found = self.at(position)
        times = np.array([found.clip_time(position)])
        if found.deltas is not None:
            deltas = found.deltas.deltas(times)
            curves, present = table.filled(deltas.curves, deltas.morphs)
            return Output(Transform(*(part[0] for part in deltas.local)), curves, present)
        batch = found.evaluator.sample_many(times, wrap=False)
        local = batch.local
        if found.evaluator.clip.root_motion.enabled:
            local = without_root(found.evaluator, local)
        curves, present = table.filled(batch.curves, batch.morphs)
        return Output(Transform(*(part[0] for part in local)), curves, present)

    def motion(self, before: float, after: float) -> Transform:
        """Root motion of its clips from one time of the montage to another."""
        moved = transform.IDENTITY
        for found, first, last, _ in self.between(before, after):
            if found.evaluator.clip.root_motion.enabled:
                part = motion_between(found.evaluator, found.clip_time(first), found.clip_time(last))
                moved = transform.compose(moved, part)
        return moved


@dataclass(frozen=True, slots=True, eq=False)
class MontagePlan:
    """A montage with its clips.

    Parameters
    ----------
    sections : in order; one of the whole where the montage has none
    notifier : of its own notifies
    blends : tracks of easings by curve, of blend in and blend out
    profiles : ``(B,)`` factors of the seconds by bone, of blend in and blend out; None is 1
    """

    montage: Montage
    source: Source
    sections: tuple[Section, ...]
    tracks: tuple[TrackPlan, ...]
    notifier: Notifier
    blends: tuple[ScalarTrack | None, ScalarTrack | None]
    profiles: tuple[FloatArray | None, FloatArray | None] = (None, None)

    def lasts(self, seconds: float, way: int) -> float:
        """Seconds that blending in (way 0) or out (1) takes: 0 where it goes over at once."""
        blend, factors = (self.montage.blend_in, self.montage.blend_out)[way], self.profiles[way]
        if blend.kind is BlendKind.INERTIALISE:
            return 0.0
        return seconds if factors is None else seconds * float(factors.max(initial=0.0))

    @property
    def by_bone(self) -> bool:
        """Whether its bones blend over times of their own."""
        return any(factors is not None for factors in self.profiles)

    @property
    def ints(self) -> int:
        """Ints that its notifies keep."""
        return self.notifier.size + sum(s.notifier.size for track in self.tracks for s in track.segments)

    def section_at(self, position: float) -> int:
        """Number of the section at a time."""
        return max(k for k, section in enumerate(self.sections) if k == 0 or section.start <= position)

    def section_end(self, number: int) -> float:
        """Seconds at which a section ends."""
        more = number + 1 < len(self.sections)
        return self.sections[number + 1].start if more else self.montage.length

    def section_named(self, name: str) -> int:
        """Number of a section; `NO_SECTION` for the empty name and for one that is not there."""
        names = [section.name for section in self.sections]
        return names.index(name) if name and name in names else NO_SECTION

    def next_of(self, number: int, changed: Sequence[int]) -> int:
        """The section that follows, as the montage says or as an instance was told.

        Parameters
        ----------
        changed : for each section 0, or what follows it counted from 2; 1 is none
        """
        if changed[number]:
            return int(changed[number]) - 2
        return self.section_named(self.sections[number].next)

    def left(self, number: int, position: float, backwards: bool, changed: Sequence[int]) -> float:
        """Seconds of the montage until it ends along the chain of its sections; infinite where it never does."""
        if backwards:
            return position - self.sections[number].start
        left, seen = self.section_end(number) - position, {number}
        while (number := self.next_of(number, changed)) != NO_SECTION:
            if number in seen:
                return math.inf
            seen.add(number)
            left += self.section_end(number) - self.sections[number].start
        return left

    def curves(self, position: float, table: CurveTable) -> tuple[FloatArray, BoolArray]:
        """Its own curves at a time."""
        values = {
            name: evaluate_scalar(track, np.array([position])) for name, track in self.montage.curves.items()
        }
        return table.filled(values, {})

    def raw_curve(self, name: str, position: float) -> float:
        """A curve at a time, unweighted: its own, or that of the clip on its first track that has it; else 0."""
        found: list[tuple[ScalarTrack, float]] = []
        if name in self.montage.curves:
            found.append((self.montage.curves[name], position))
        for track in self.tracks if not found else ():
            segment = track.at(position)
            curve = segment.evaluator.clip.curves.get(name)
            if isinstance(curve, ScalarTrack):
                found.append((curve, segment.clip_time(position)))
        return float(evaluate_scalar(found[0][0], np.array([found[0][1]]))[0]) if found else 0.0

    def weight(self, elapsed: float, into: float, out: float, seconds: float) -> float:
        """The weight after so many seconds of blending in, and of blending out.

        Parameters
        ----------
        into : seconds of blending in
        out : seconds since it began to fade out; negative where it did not
        seconds : of fading out
        """
        there = self._faded(0, elapsed, into)
        return float(there if out < 0.0 else there * (1.0 - self._faded(1, out, seconds)))

    def bone_weights(self, bones: int, elapsed: float, into: float, out: float, seconds: float) -> FloatArray:
        """As `weight`, ``(B,)`` by bone."""
        there = self._faded(0, elapsed, into, bones)
        return there if out < 0.0 else there * (1.0 - self._faded(1, out, seconds, bones))

    def _faded(self, way: int, elapsed: float, seconds: float, bones: int = 0) -> FloatArray:
        blend, factors = (self.montage.blend_in, self.montage.blend_out)[way], self.profiles[way]
        share = np.array(elapsed / seconds if seconds > 0.0 else 1.0)
        if bones:
            share = np.full(bones, share)
            if factors is not None and seconds > 0.0:
                longest = float(factors.max())
                at_once = factors * seconds <= elapsed * longest
                share = np.where(at_once, 1.0, share * longest / np.where(at_once, 1.0, factors))
        return ease(blend.easing, share, self.blends[way])
