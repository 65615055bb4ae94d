"""Playing a blend space: a point and a clock in, a blended sample out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.blending.blend_space import BlendSpace, MotionRule
from core.blending.smoothing import followed
from core.blending.sync import sync_group
from core.blending.weights import SpaceWeights
from core.clips.clip import Clip, Notify
from core.clips.notifies import fired
from core.clips.root_motion import accumulate
from core.clips.sample import ClipEvaluator, PoseBatch
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.blend import weighted, weighted_values
from core.pose.pose import Pose
from core.rig.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class SpaceState:
    """Where a blend space's playback stands: the clock of its `SyncGroup`, weights, the smoothed point."""

    clock: float = 0.0
    weights: FloatArray | None = None
    point: tuple[float, ...] = ()
    velocity: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SpaceSampled:
    """One moment of a blend space.

    Parameters
    ----------
    pose : blended, root motion taken out
    root_motion : blended motion since the moment before
    weights : ``(n,)`` a sample each
    notifies : those passed since the moment before
    normalised : how far the cycle is, 0..1
    """

    pose: Pose
    root_motion: Transform
    weights: FloatArray
    notifies: tuple[Notify, ...] = ()
    normalised: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    clip: Clip
    evaluator: ClipEvaluator
    rate: float


class SpacePlayer:
    """Evaluates a blend space of one rig.

    Parameters
    ----------
    clips : the clips that the samples name, by id

    Raises
    ------
    MissingReferenceError
        A sample names a clip that is not there.
    ValidationError
        A clip belongs to another rig, or the space has no sample.
    """

    def __init__(self, rig: Rig, space: BlendSpace, clips: Mapping[AssetId, Clip]) -> None:
        self.rig, self.space = rig, space
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
            self._sources.append(_Source(clip, ClipEvaluator(rig, clip), sample.rate))
        group = sync_group([s.clip for s in self._sources], space.sync)
        rates = np.array([s.rate for s in self._sources])
        self.clip_lengths = group.lengths
        self.group = replace(group, lengths=group.lengths / rates, stops=group.stops / rates[:, None])
        self._rates = rates

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

    def moved(self, state: SpaceState, point: Sequence[float], seconds: float) -> SpaceState:
        """Playback some seconds later with the input at `point` (smoothed as the axes say)."""
        at, velocity = followed(self.space, state.point, state.velocity, tuple(point), seconds)
        goal = self.field(np.array(at))
        weights = goal if state.weights is None else self._limited(state.weights, goal, seconds)
        clock = self.group.advanced(state.clock, weights, seconds)
        return SpaceState(clock, weights, at, velocity)

    def _limited(self, before: FloatArray, goal: FloatArray, seconds: float) -> FloatArray:
        """Weights that change at most by `weight_speed` a second; still summing to 1."""
        speed = self.space.weight_speed
        largest = float(np.abs(goal - before).max())
        if speed <= 0.0 or largest <= speed * abs(seconds):
            return goal
        limited: FloatArray = before + (goal - before) * (speed * abs(seconds) / largest)
        return limited

    def sample(self, state: SpaceState, previous: SpaceState | None = None) -> SpaceSampled:
        """The blended pose at a state, with motion and notifies since the previous one."""
        assert state.weights is not None
        weights = state.weights
        used = [int(i) for i in np.flatnonzero(weights > 0.0)]
        times = self.clip_times(state.clock)
        samples = [self._sources[i].evaluator.sample(self._within(i, times[i])) for i in used]
        shares = weights[used]
        local = weighted([s.pose.local for s in samples], shares)
        pose = Pose(
            self.rig.id,
            *local,
            weighted_values([s.pose.curves for s in samples], shares),
            weighted_values([s.pose.morphs for s in samples], shares),
        )
        motion: Transform = transform.IDENTITY
        passed: tuple[Notify, ...] = ()
        if previous is not None:
            motion = self._motion(weights, previous.clock, state.clock)
            passed = self._passed(weights, previous.clock, state.clock)
        normalised = (state.clock % self.group.intervals) / self.group.intervals
        return SpaceSampled(pose, motion, weights, passed, normalised)

    def sample_many(self, clocks: npt.ArrayLike, weights: npt.ArrayLike) -> PoseBatch:
        """Poses at clocks ``(T,)`` under weights ``(T, n)``; curves blend too."""
        at = np.asarray(clocks, dtype=np.float64)
        shares = np.broadcast_to(np.asarray(weights, dtype=np.float64), (len(at), len(self._sources)))
        times = self.clip_times(at)
        used = [int(i) for i in np.flatnonzero(shares.max(axis=0) > 0.0)]
        batches = [
            self._sources[i].evaluator.sample_many([self._within(i, t) for t in times[:, i]]) for i in used
        ]
        local = weighted([b.local for b in batches], shares[:, used].T[:, :, None])
        return PoseBatch(
            self.rig.id,
            at,
            *local,
            _mixed([b.curves for b in batches], shares[:, used]),
            _mixed([b.morphs for b in batches], shares[:, used]),
        )

    def motion_many(self, clocks: npt.ArrayLike, weights: npt.ArrayLike) -> Transform:
        """Blended root motion of each step of a path: ``(T, k)``, the first the identity."""
        at = np.asarray(clocks, dtype=np.float64)
        shares = np.broadcast_to(np.asarray(weights, dtype=np.float64), (len(at), len(self._sources)))
        moved = (self._motion(shares[k], float(at[k - 1]), float(at[k])) for k in range(1, len(at)))
        steps = [transform.IDENTITY, *moved]
        return Transform(*(np.stack(parts) for parts in zip(*steps, strict=True)))

    def _within(self, number: int, time: float) -> float:
        """A clip's time wrapped where it loops, else held within it."""
        clip = self._sources[number].clip
        if clip.length <= 0.0:
            return 0.0
        return float(time % clip.length) if clip.looping else float(np.clip(time, 0.0, clip.length))

    def _motion(self, weights: FloatArray, before: float, after: float) -> Transform:
        """Root motion between two clocks, blended by the weights at the later one."""
        start, end = self.clip_times(before), self.clip_times(after)
        heaviest = int(np.argmax(weights))
        every = self.space.root_motion is MotionRule.ALL
        used = [int(i) for i in np.flatnonzero(weights > 0.0)] if every else [heaviest]
        moved = [self._motion_of(i, float(start[i]), float(end[i])) for i in used]
        parts = [Transform(*(p[None] for p in motion)) for motion in moved]
        blended = weighted(parts, weights[used])
        return Transform(blended.translation[0], blended.rotation[0], blended.scale[0])

    def _motion_of(self, number: int, start: float, end: float) -> Transform:
        source = self._sources[number]
        if not source.clip.root_motion.enabled:
            return transform.IDENTITY
        path = accumulate(source.evaluator, [start, end])
        first, last = (Transform(*(part[k] for part in path)) for k in (0, 1))
        moved = transform.compose(transform.inverse(first), last)
        return Transform(moved.translation, quat.normalise(moved.rotation), moved.scale)

    def _passed(self, weights: FloatArray, before: float, after: float) -> tuple[Notify, ...]:
        start, end = self.clip_times(before), self.clip_times(after)
        every = self.space.notifies is MotionRule.ALL
        used = np.flatnonzero(weights > 0.0) if every else [int(np.argmax(weights))]
        return tuple(
            notify for i in used for notify in fired(self._sources[i].clip, float(start[i]), float(end[i]))
        )


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
