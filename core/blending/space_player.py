"""Playing a blend space: a point and a clock in, a blended sample out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.blending.aim_offset import require_fit
from core.blending.blend_space import BlendSpace, MotionRule
from core.blending.smoothing import followed
from core.blending.sync import sync_group
from core.blending.weights import SpaceWeights
from core.clips.additive import AdditiveSampler, Deltas, put_on
from core.clips.clip import AdditiveSpace, Clip, Notify, RootMotion, RootPose
from core.clips.notifies import fired
from core.clips.root_motion import motion_between, take_out, without_root
from core.clips.sample import ClipEvaluator, PoseBatch
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import kernels, quat, transform
from core.math.transform import Transform
from core.pose.blend import checked_weights, weighted, weighted_values
from core.pose.output import Playback, PoseOutput, mixed_motion
from core.pose.pose import Pose, pose_of
from core.rig.rig import Rig
from core.timing import within_clip

MOST_PARTS = 1000
"""Markers at which a step is cut at most; beyond, the pace of the rest is taken as even."""


@dataclass(frozen=True, slots=True, eq=False)
class SpaceState:
    """Where a blend space's playback stands.

    Parameters
    ----------
    clock : of its `SyncGroup`
    weights : ``(n,)`` a sample each
    point, velocity : the smoothed input, a number an axis
    seconds : since the start; an aim offset's base clip plays by it
    """

    clock: float = 0.0
    weights: FloatArray | None = None
    point: tuple[float, ...] = ()
    velocity: tuple[float, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    clip: Clip
    evaluator: ClipEvaluator
    rate: float
    deltas: AdditiveSampler | None = None


class SpacePlayer:
    """Evaluates a blend space of one rig.

    An aim offset blends its samples' differences from their base and puts them on its base clip
    (on the rest pose where none is chosen).

    Parameters
    ----------
    clips : the clips that the samples, additive bases and the space name, by id
    evaluators : clips' evaluators made before, to use again where the clip is still the same

    Raises
    ------
    MissingReferenceError
        A sample names a clip that is not there.
    ValidationError
        A clip belongs to another rig, or the space has no sample.
    """

    def __init__(
        self,
        rig: Rig,
        space: BlendSpace,
        clips: Mapping[AssetId, Clip],
        evaluators: Mapping[AssetId, ClipEvaluator] | None = None,
    ) -> None:
        self.rig, self.space = rig, space
        self.evaluators: dict[AssetId, ClipEvaluator] = {}
        known = evaluators or {}

        def evaluator(clip: Clip) -> ClipEvaluator:
            old = self.evaluators.get(clip.id) or known.get(clip.id)
            kept = old if old is not None and old.clip is clip and old.rig is rig else None
            return self.evaluators.setdefault(clip.id, kept or ClipEvaluator(rig, clip))

        self.field = SpaceWeights(space)
        self._sources: list[_Source] = []
        for number, sample in enumerate(space.samples):
            clip = clips.get(sample.clip)
            if clip is None:
                raise MissingReferenceError(
                    f"blend space {space.name!r}: sample {number} names a clip that is not there"
                )
            if clip.rig != rig.id:
                raise ValidationError(
                    f"blend space {space.name!r}: clip {clip.name!r} is for another rig than {rig.name!r}"
                )
            own = evaluator(clip)
            deltas = AdditiveSampler(rig, clip, clips, own) if space.aim_offset else None
            self._sources.append(_Source(clip, own, sample.rate, deltas))
        if space.aim_offset:
            require_fit(space, clips)
        base = clips.get(space.base_clip) if space.aim_offset and space.base_clip else None
        self.base = evaluator(base) if base is not None else None
        group = sync_group([s.clip for s in self._sources], space.sync)
        rates = np.array([s.rate for s in self._sources])
        self.group = replace(group, lengths=group.lengths / rates, stops=group.stops / rates[:, None])
        self._rates = rates

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The samples' clips, a sample each."""
        return tuple(source.clip for source in self._sources)

    @property
    def rates(self) -> FloatArray:
        """``(n,)`` how much faster each sample plays its clip."""
        return self._rates

    @property
    def sources(self) -> tuple[ClipEvaluator, ...]:
        """The samples' evaluators, a sample each."""
        return tuple(source.evaluator for source in self._sources)

    @property
    def loops(self) -> bool:
        """Whether every clip that has a length loops."""
        if self.base is not None:
            return self.base.clip.looping
        return all(s.clip.looping for s in self._sources if s.clip.length > 0.0)

    def root_settings(self) -> RootMotion:
        """Root-motion settings of what is baked: those of the first clip that has it on."""
        if self.space.aim_offset:
            return RootMotion()
        on = (s.clip.root_motion for s in self._sources if s.clip.root_motion.enabled)
        return replace(next(on, RootMotion()), pose=RootPose.FIRST_FRAME)

    def start(self, point: Sequence[float]) -> SpaceState:
        """Playback at the cycle's beginning of the heaviest sample, standing still at a point."""
        kept = self.space.kept(tuple(float(x) for x in point))
        weights = self.field(np.array(kept))
        heaviest = int(np.argmax(weights))
        clock = self.group.clock_at(heaviest, 0.0)
        return SpaceState(clock, weights, kept, (0.0,) * len(kept))

    def clip_times(self, clock: npt.ArrayLike) -> FloatArray:
        """Each clip's own seconds ``(..., n)`` at clock values."""
        times: FloatArray = self.group.times(clock) * self._rates
        return times

    def advanced(self, state: SpaceState, point: Sequence[float], seconds: float) -> SpaceState:
        """Playback some seconds later with the input at `point` (smoothed as the axes say)."""
        at, velocity = followed(self.space, state.point, state.velocity, tuple(point), seconds)
        goal = self.field(np.array(at))
        weights = goal if state.weights is None else self._limited(state.weights, goal, seconds)
        clock = self.group.advanced(state.clock, weights, seconds)
        return SpaceState(clock, weights, at, velocity, state.seconds + seconds)

    def _limited(self, before: FloatArray, goal: FloatArray, seconds: float) -> FloatArray:
        """Weights that change at most by `weight_speed` a second; still summing to 1."""
        speed = self.space.weight_speed
        largest = float(np.abs(goal - before).max())
        if speed <= 0.0 or largest <= speed * abs(seconds):
            return goal
        limited: FloatArray = before + (goal - before) * (speed * abs(seconds) / largest)
        return limited

    def sample(self, state: SpaceState, previous: SpaceState | None = None) -> PoseOutput[Notify]:
        """The blended pose at a state, with motion and notifies since the previous one."""
        assert state.weights is not None
        weights = state.weights
        pose = self._pose(state.clock, weights)
        if pose is None:
            pose = self.poses([state.clock], weights[None], [state.seconds]).pose(0)
        motion: Transform = transform.IDENTITY
        passed: tuple[Notify, ...] = ()
        if previous is not None:
            motion = self.motion_between(previous, state)
            passed = self.passed(weights, previous.clock, state.clock)
        return PoseOutput(pose, motion, self.playback(state), passed)

    def _pose(self, clock: float, weights: FloatArray) -> Pose | None:
        """The blended pose at one clock by the kernels; None without them, and for an aim offset.

        The twin is `poses`, which takes ten times as long for a single one.
        """
        loaded = None if self.space.aim_offset else kernels.compiled()
        if loaded is None:
            return None
        shares, times = checked_weights(weights), self.clip_times(float(clock)).tolist()
        used = [i for i, share in enumerate(shares.tolist()) if share > 0.0]
        rows, tables = [], []
        for i in used:
            source = self._sources[i]
            found = source.evaluator.moment_row(_moment_within(source.clip, times[i]))
            if found is None:
                return None
            if source.clip.root_motion.enabled:
                take_out(source.evaluator, found[0])
            rows.append(found[0])
            tables.append(source.evaluator.named(found[1]))
        if len(used) == 1:
            return pose_of(self.rig.id, rows[0], *tables[0])
        row, kept = np.empty(len(rows[0])), shares[used]
        loaded.moment.blended(np.array(rows), kept, row)
        curves = weighted_values([table[0] for table in tables], kept)
        return pose_of(self.rig.id, row, curves, weighted_values([table[1] for table in tables], kept))

    def playback(self, state: SpaceState) -> Playback:
        """Where in its cycle the space stands at a state; the cycle lasts what the weights make of it."""
        assert state.weights is not None
        intervals, seconds = self.group.intervals, self.group.interval_durations(state.weights)
        loops, rest = divmod(state.clock, intervals)
        number = min(int(rest), intervals - 1)
        position = float(seconds[:number].sum() + (rest - number) * seconds[number])
        return Playback(float(seconds.sum()), position, rest / intervals, int(loops))

    def poses(
        self, clocks: npt.ArrayLike, weights: npt.ArrayLike, seconds: npt.ArrayLike | None = None
    ) -> PoseBatch:
        """Poses at clocks ``(T,)`` under weights ``(T, n)``, root motion taken out; curves blend too.

        Parameters
        ----------
        seconds : ``(T,)`` times of an aim offset's base clip, which plays from 0 where left out
        """
        at = np.asarray(clocks, dtype=np.float64)
        shares = np.broadcast_to(np.asarray(weights, dtype=np.float64), (len(at), len(self._sources)))
        times = self.clip_times(at)
        used = [int(i) for i in np.flatnonzero(shares.max(axis=0, initial=0.0) > 0.0)]
        if self.space.aim_offset:
            return self._aimed(at, shares, times, used, seconds)
        batches = [self._standing(i, times[:, i]) for i in used]
        local = weighted([b.local for b in batches], _columns(shares, used))
        return PoseBatch(
            self.rig.id,
            at,
            *local,
            _mixed([b.curves for b in batches], shares[:, used]),
            _mixed([b.morphs for b in batches], shares[:, used]),
        )

    def _standing(self, number: int, times: FloatArray) -> PoseBatch:
        """Poses of one sample with its root motion taken out."""
        source = self._sources[number]
        batch = source.evaluator.sample_many(_within(source.clip, times), wrap=False)
        if not source.clip.root_motion.enabled:
            return batch
        local = without_root(source.evaluator, batch.local)
        return PoseBatch(batch.rig, batch.times, *local, batch.curves, batch.morphs)

    def _aimed(
        self,
        at: FloatArray,
        shares: FloatArray,
        times: FloatArray,
        used: list[int],
        seconds: npt.ArrayLike | None,
    ) -> PoseBatch:
        """The base clip with the samples' differences, blended, put on."""
        base = self._base_poses(np.zeros(len(at)) if seconds is None else np.asarray(seconds, np.float64))
        delta = self._deltas(shares, times, used)
        local = put_on(self.rig.skeleton, base.local, delta.local, AdditiveSpace.MODEL)
        curves, morphs = _plus(base.curves, delta.curves), _plus(base.morphs, delta.morphs)
        return PoseBatch(self.rig.id, at, *local, curves, morphs)

    def aim_deltas(self, clocks: npt.ArrayLike, weights: npt.ArrayLike) -> Deltas:
        """An aim offset's blended differences at clocks ``(T,)`` under weights ``(T, n)``, for any base."""
        at = np.asarray(clocks, dtype=np.float64)
        shares = np.broadcast_to(np.asarray(weights, dtype=np.float64), (len(at), len(self._sources)))
        used = [int(i) for i in np.flatnonzero(shares.max(axis=0, initial=0.0) > 0.0)]
        return self._deltas(shares, self.clip_times(at), used)

    def _deltas(self, shares: FloatArray, times: FloatArray, used: list[int]) -> Deltas:
        deltas = []
        for i in used:
            sampler = self._sources[i].deltas
            assert sampler is not None
            deltas.append(sampler.deltas(_within(sampler.clip, times[:, i])))
        return Deltas(
            AdditiveSpace.MODEL,
            weighted([d.local for d in deltas], _columns(shares, used)),
            _mixed([d.curves for d in deltas], shares[:, used]),
            _mixed([d.morphs for d in deltas], shares[:, used]),
        )

    def _base_poses(self, seconds: FloatArray) -> PoseBatch:
        if self.base is None:
            rest = self.rig.skeleton.rest
            local = Transform(*(np.broadcast_to(part, (len(seconds), *part.shape)) for part in rest))
            return PoseBatch(self.rig.id, seconds, *local)
        times = _within(self.base.clip, seconds)
        batch = self.base.sample_many(times, wrap=False)
        if not self.base.clip.root_motion.enabled:
            return batch
        local = without_root(self.base, batch.local)
        return PoseBatch(batch.rig, batch.times, *local, batch.curves, batch.morphs)

    def motion_many(self, clocks: npt.ArrayLike, weights: npt.ArrayLike) -> Transform:
        """Blended root motion of each step of a path: ``(T, k)``, the first the identity."""
        at = np.asarray(clocks, dtype=np.float64)
        shares = np.broadcast_to(np.asarray(weights, dtype=np.float64), (len(at), len(self._sources)))
        moved = (self._motion(shares[k], float(at[k - 1]), float(at[k])) for k in range(1, len(at)))
        steps = [transform.IDENTITY, *moved]
        return Transform(*(np.stack(parts) for parts in zip(*steps, strict=True)))

    def motion_between(self, before: SpaceState, after: SpaceState) -> Transform:
        """Blended root motion from one state to the next, by the weights of the later."""
        assert after.weights is not None
        return self._motion(after.weights, before.clock, after.clock)

    def _motion(self, weights: FloatArray, before: float, after: float) -> Transform:
        """Root motion between two clocks, blended by the weights at the later one."""
        start, end = self.clip_times(before), self.clip_times(after)
        heaviest = int(np.argmax(weights))
        every = self.space.root_motion is MotionRule.ALL
        used = [int(i) for i in np.flatnonzero(weights > 0.0)] if every else [heaviest]
        moved = [self._motion_of(i, float(start[i]), float(end[i])) for i in used]
        return mixed_motion(moved, weights[used])

    def _motion_of(self, number: int, start: float, end: float) -> Transform:
        source = self._sources[number]
        if not source.clip.root_motion.enabled:
            return transform.IDENTITY
        moved = motion_between(source.evaluator, start, end)
        return Transform(moved.translation, quat.normalise(moved.rotation), moved.scale)

    def counted(self, weights: FloatArray) -> FloatArray:
        """The shares ``(n,)`` with which the samples' notifies count: all by weight, or the heaviest's in full."""
        if self.space.notifies is MotionRule.ALL:
            return weights
        shares = np.zeros_like(weights)
        shares[int(np.argmax(weights))] = 1.0
        return shares

    def even_parts(
        self, weights: FloatArray, before: float, after: float
    ) -> list[tuple[float, float, float, float]]:
        """The way between two clocks, cut where the clips' pace changes: at the markers.

        Returns
        -------
        parts : clock at both ends, and the fractions of the time that passes until there
        """
        durations: list[float] = self.group.interval_durations(weights).tolist()
        low, high = min(before, after), max(before, after)
        first, last = math.ceil(low), math.floor(high)
        edges = [float(k) for k in range(first, min(last + 1, first + MOST_PARTS))]
        inner = [edge for edge in edges if low < edge < high]
        stops = [before, *(inner if after >= before else inner[::-1]), after]
        middles = [(a + b) / 2.0 for a, b in pairwise(stops)]
        taken = [
            abs(b - a) * durations[math.floor(m) % self.group.intervals]
            for (a, b), m in zip(pairwise(stops), middles, strict=True)
        ]
        total = sum(taken) or 1.0
        ends = [min(x / total, 1.0) for x in accumulate(taken, initial=0.0)]
        return [(*pair, *part) for pair, part in zip(pairwise(stops), pairwise(ends), strict=True)]

    def passed(self, weights: FloatArray, before: float, after: float) -> tuple[Notify, ...]:
        """Notifies between two clocks, of the heaviest sample or of all, as the space says."""
        start, end = self.clip_times(before), self.clip_times(after)
        every = self.space.notifies is MotionRule.ALL
        used = np.flatnonzero(weights > 0.0) if every else [int(np.argmax(weights))]
        return tuple(
            notify for i in used for notify in fired(self._sources[i].clip, float(start[i]), float(end[i]))
        )


def _columns(shares: FloatArray, used: list[int]) -> FloatArray:
    """Weights ``(n, T, 1)``, or ``(n,)`` for a single moment, where a part of weight 1 is then exact."""
    columns: FloatArray = shares[:, used].T
    return columns[:, 0] if columns.shape[1] == 1 else columns[:, :, None]


def _plus(base: Mapping[str, FloatArray], added: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    total = dict(base)
    for name, values in added.items():
        total[name] = total.get(name, 0.0) + values
    return total


def _mixed(tables: Sequence[Mapping[str, FloatArray]], shares: FloatArray) -> dict[str, FloatArray]:
    """Curves ``(T,)`` blended by weights ``(T, n)``; one that is missing counts as 0."""
    totals = shares.sum(axis=1)
    names = dict.fromkeys(name for table in tables for name in table)
    return {
        name: sum(
            (shares[:, i] * table[name] for i, table in enumerate(tables) if name in table),
            start=np.zeros(len(shares)),
        )
        / totals
        for name in names
    }


def _moment_within(clip: Clip, time: float) -> float:
    """As `_within` of one time."""
    if clip.length <= 0.0:
        return 0.0
    return time % clip.length if clip.looping else min(max(time, 0.0), clip.length)


def _within(clip: Clip, times: FloatArray) -> FloatArray:
    return within_clip(times, clip.length, clip.looping)
