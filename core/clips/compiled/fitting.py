"""Fitting all tracks of a clip at given bounds, bone after bone, and measuring what came of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, column_least, column_most, row_lengths
from core.clips.compiled.check import distances
from core.clips.compiled.clip import COLUMNS, transform_of
from core.clips.compiled.fit import MOST_BITS, Fit, Wanted, fitted, still
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.sampling import Mask
from core.clips.compiled.source import Source
from core.clips.compiled.tracks import Kind, PackedTrack, Ticks, constant_value
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import checkpoint
from core.rig.skeleton import Skeleton

START = 0.45
"""Share of the allowed error that a bone may use up by itself, at first."""
STILL_TURN = 2e-7
STILL_MOVE = 2e-7
STILL_SHARE = 0.01
"""What moves no further than this, in quaternion components, metres or factors, or than this share of the
allowed error, never moves."""
EXTRA_SHARE = 1e-4
"""Allowed error of curves and morphs, as a share of their range."""
CHUNK = 512
ROWS_AT_ONCE = 2048
"""Samples of one bone that are worked on at a time, so that what is in between stays in the processor's cache."""
NO_TICKS: Ticks = np.zeros(0, np.int32)


class Place(NamedTuple):
    """What a track drives: kind, and number of the bone, curve or morph."""

    kind: Kind
    number: int


class Fitting:
    """The tracks of a clip, fitted to its samples within bounds that may be tightened.

    Where the clip is straight from key to key, bones are fitted from the roots down, each to where it
    is to be *relative to its packed parent*: a bone takes back what its parents got wrong in turning, and
    errors do not add up along the chain. Cubics do not: what a parent is off by has corners at its
    keys, and would need keys of the child that its own motion does not need.

    Parameters
    ----------
    tight : ``(S, B)`` share of its usual bound that each bone may use at each sample

    Attributes
    ----------
    finer : ``(B,)`` share of the usual step from number to number
    share : of the allowed error that a bone may use up by itself
    errors : ``(S, B)`` metres, as last measured
    """

    def __init__(
        self, skeleton: Skeleton, source: Source, options: CompileOptions, tight: FloatArray | None = None
    ) -> None:
        self.skeleton, self.source, self.options = skeleton, source, options
        count, bones = len(source.sampling.times), len(skeleton)
        self.tight = np.ones((count, bones)) if tight is None else tight
        self.finer, self.share = np.ones(bones), START
        self.chains = [np.array(kinematics.ancestors(skeleton, bone)) for bone in range(bones)]
        self._model = [
            kinematics.model_matrices(skeleton, Transform(*(part[rows] for part in source.local)))
            for rows in self._chunks()
        ]
        self._placed = np.concatenate([part[:, :, :3, 3] for part in self._model])
        columns = [np.linalg.norm(part[:, :, :3, :3], axis=2).max(axis=(0, 2)) for part in self._model]
        self._sizes = np.max(columns, axis=0) if bones else np.ones(0)
        parents = np.array(skeleton.parents)
        self._above = np.where(parents >= 0, self._sizes[parents], 1.0) if bones else np.ones(0)
        self._spread: float | None = None
        inner = np.unique(skeleton.parents[skeleton.parents >= 0])  # only these scale their children
        uneven = np.abs(source.local.scale[:, inner] - 1.0).max(initial=0.0)
        self._carry = source.straight and bool(uneven < 0.1 * options.metres)
        self._turned = kinematics.model_rotations(skeleton, source.local.rotation) if self._carry else None
        self.errors: FloatArray = np.zeros((count, bones))
        self._fits: dict[Place, FloatArray | None] = {}
        self._tracks: dict[Place, PackedTrack] = {}
        self._still = self._find_still()
        self._far = self._carried()
        self._usual = self._first_bounds()
        self._main = self._main_children()
        rest = np.concatenate(tuple(skeleton.rest), axis=1)
        self._pose = np.empty((count, *rest.shape))
        self._pose[:] = rest
        for number in range(source.extras.shape[1]):
            self._fit_extra(number)

    # ------------------------------------------------------------------ what came of it

    @property
    def excess(self) -> FloatArray:
        """``(N - 1,)`` largest share of its bound that any track uses between two ticks, of those that exceed it."""
        found = np.zeros(len(self.source.sampling.axis) - 1)
        for share in self._fits.values():
            if share is not None:
                found = np.maximum(found, share)
        return found

    @property
    def tracks(self) -> Mapping[Place, PackedTrack]:
        """All tracks as they are now: later fits leave what was given alone."""
        return dict(self._tracks)

    def measure(self) -> None:
        """Metres ``(S, B)``: the worst of each bone's four points at each sample; 0 at those that do not count."""
        for rows, model in zip(self._chunks(), self._model, strict=True):
            made = kinematics.model_matrices(self.skeleton, transform_of(self._pose[rows]))
            self.errors[rows] = distances(made - model, self.options.shell)
        self.errors[~self.source.sampling.counted] = 0.0

    def turns(self, bone: int) -> bool:
        """Whether a bone's rotation moves."""
        return Kind.ROTATION not in self._still[bone]

    @property
    def least_share(self) -> float:
        """The share at which rounding to the most bits uses up the bound of a rotation: below, none can be held."""
        reach = np.ptp(self.source.local.rotation, axis=0).max(axis=1)
        turning = np.array([self.turns(bone) for bone in range(len(self.skeleton))], dtype=np.bool_)
        return float((reach * 2.0**-MOST_BITS / self._usual)[turning].max(initial=0.0))

    def _chunks(self) -> Iterator[slice]:
        for start in range(0, len(self.source.sampling.times), CHUNK):
            checkpoint()
            yield slice(start, start + CHUNK)

    # ------------------------------------------------------------------ what is known before

    def _first_bounds(self) -> FloatArray:
        """Half angles ``(B,)`` that move a bone's descendants by a share of the allowed error."""
        reach = self.options.shell * np.maximum(self._sizes, 1e-6)
        for bone, parent in enumerate(self.skeleton.parents):
            checkpoint()
            if parent >= 0 and self._carry:
                above = self._carrier[bone]
                reach[above] = max(reach[above], self._far[bone].max())
            elif not self._carry:
                at = self._placed[:, bone]
                for above in self.chains[bone][:-1]:
                    far = row_lengths(at - self._placed[:, above]).max()
                    reach[above] = max(reach[above], float(far))
        bounds: FloatArray = 0.5 * self.options.metres / reach
        return bounds

    def _find_still(self) -> list[dict[Kind, FloatArray | None]]:
        """For each bone what never moves: its value, or None where that is the rest pose's."""
        found: list[dict[Kind, FloatArray | None]] = [{} for _ in range(len(self.skeleton))]
        if not self.options.drop_still:
            return found
        local, rest = self.source.local, self.skeleton.rest
        moves = max(STILL_MOVE, STILL_SHARE * self.options.metres)
        for bone in range(len(self.skeleton)):
            checkpoint()
            small = moves / max(float(self._above[bone]), 1.0)  # a metre here is several in the world
            limits = ((Kind.TRANSLATION, small), (Kind.ROTATION, STILL_TURN), (Kind.SCALE, small))
            for kind, limit in limits:
                values = local[kind][:, bone]
                if float((column_most(values) - column_least(values)).max()) > limit:
                    continue
                middle = values[0]
                resting = rest[kind][bone]
                if kind is Kind.ROTATION:
                    resting = quat.aligned(resting, middle)
                found[bone][kind] = None if np.abs(resting - middle).max() <= limit else middle
        return found

    def _carried(self) -> list[FloatArray]:
        """Metres ``(S,)`` from each bone to the nearest bone above it that turns, its `_carrier`."""
        self._carrier = np.full(len(self.skeleton), -1)
        far: list[FloatArray] = []
        for bone, chain in enumerate(self.chains):
            checkpoint()
            turning = [a for a in chain[:-1] if self.turns(a)]
            self._carrier[bone] = above = turning[-1] if turning else (chain[-2] if len(chain) > 1 else -1)
            off = self._placed[:, bone] - self._placed[:, above]
            far.append(row_lengths(off) if above >= 0 else np.zeros(len(off)))
        return far

    def _main_children(self) -> FloatArray:
        """The child ``(B,)`` furthest from each bone; −1 where none is far enough to aim at."""
        main = np.full(len(self.skeleton), -1)
        far = np.full(len(self.skeleton), self.options.shell)
        for bone, above in enumerate(self._carrier):
            if above >= 0 and self._far[bone].min() > far[above]:
                main[above], far[above] = bone, self._far[bone].min()
        return main

    # ------------------------------------------------------------------ fitting

    def fit(self, stale: Mask) -> None:
        """Fit bones ``(B,)`` again."""
        count = len(self.source.sampling.times)
        parents = self.skeleton.parents
        turned = np.empty((len(self.skeleton), count, 4))
        placed = np.empty((len(self.skeleton), count, 3))
        for bone in range(len(self.skeleton)):
            checkpoint()
            if stale[bone]:
                above = int(parents[bone])
                seen = None
                if self._carry and above >= 0:
                    seen = (turned[above], placed[above])
                self._fit_bone(bone, seen)
            if self._carry:
                mine = self._pose[:, bone]
                if parents[bone] < 0:
                    turned[bone], placed[bone] = mine[:, 3:7], mine[:, :3]
                else:
                    up, at = turned[parents[bone]], placed[parents[bone]]
                    turned[bone] = _in_rows(quat.multiply, up, mine[:, 3:7])
                    placed[bone] = _in_rows(_put_below, at, up, mine[:, :3])

    def _fit_bone(self, bone: int, seen: tuple[FloatArray, FloatArray] | None) -> None:
        translation, rotation, scale = (part[:, bone] for part in self.source.local)
        if seen is not None and self._turned is not None:
            rotation = _in_rows(_turned_below, seen[0], self._turned[:, bone], rotation)
            translation = _in_rows(_moved_below, seen[0], seen[1], self._placed[:, bone])
        self._fit_part(Kind.TRANSLATION, bone, translation)
        if seen is not None:
            rotation = self._aimed(bone, seen, rotation)
        self._fit_part(Kind.ROTATION, bone, rotation)
        self._fit_part(Kind.SCALE, bone, scale)

    def _aimed(self, bone: int, seen: tuple[FloatArray, FloatArray], rotation: FloatArray) -> FloatArray:
        """Local rotations that point from the bone's packed position at the main child's target position."""
        child = int(self._main[bone])
        if child < 0 or self._turned is None or not self.turns(bone):
            return rotation
        own = self._pose[:, bone, :3], self._placed[:, bone], self._turned[:, bone]
        return _in_rows(_aimed_below, *seen, *own, self._placed[:, child], rotation)

    def _furthest_apart(self) -> float:
        """Metres between bones at most along an axis, at any sample."""
        if self._spread is None:
            self._spread = float(np.ptp(self._placed, axis=1).max())
        return self._spread

    def _fit_part(self, kind: Kind, bone: int, values: FloatArray) -> None:
        metres = self.options.metres * self.share
        if kind in self._still[bone]:
            value = self._still[bone][kind]
            if value is not None:
                track = still(kind, bone, value)
                self._put(Fit(track, constant_value(track)[None], None))
            return
        usual = metres * 0.5 / max(float(self._above[bone]), 1e-6)
        if kind is Kind.ROTATION:
            usual = float(self._usual[bone]) * self.share
        elif kind is Kind.SCALE:
            local = self._sizes[bone] / max(float(self._above[bone]), 1e-6)
            usual = metres * local / max(self._furthest_apart(), self.options.shell)
            usual = max(usual, 1e-9)
        bound = usual * self.tight[:, bone]
        self._put(self._fitted(Place(kind, bone), values, bound, usual, float(self.finer[bone])))

    def _fit_extra(self, number: int) -> None:
        values = self.source.extras[:, number : number + 1]
        span = float(np.ptp(values))
        if span <= 1e-9 and self.options.drop_still:
            track = still(Kind.EXTRA, number, values[0])
            self._put(Fit(track, values, None))
            return
        allowed = max(span, 1e-6) * EXTRA_SHARE
        bound = np.full(len(values), allowed)
        self._put(self._fitted(Place(Kind.EXTRA, number), values, bound, allowed, 1.0))

    def _fitted(self, place: Place, values: FloatArray, bound: FloatArray, usual: float, finer: float) -> Fit:
        options = self.options
        wanted = Wanted(
            place.kind,
            place.number,
            values,
            bound,
            usual,
            self.source.keys.get((place.number, place.kind), NO_TICKS),
            finer,
            options.reduce_keys,
            options.cubic and not self.source.straight,
            options.quantise,
        )
        return fitted(wanted, self.source.sampling)

    def _put(self, fit: Fit) -> None:
        place = Place(fit.track.kind, fit.track.index)
        self._tracks[place], self._fits[place] = fit.track, fit.excess
        if place.kind is not Kind.EXTRA:
            self._pose[:, place.number, COLUMNS[place.kind]] = fit.values


def _in_rows(work: Callable[..., FloatArray], *arrays: FloatArray) -> FloatArray:
    """What a function gives that works on each row alone, of a part of the rows at a time."""
    starts = range(0, len(arrays[0]), ROWS_AT_ONCE)
    if len(starts) < 2:
        return work(*arrays)
    return np.concatenate([work(*(array[n : n + ROWS_AT_ONCE] for array in arrays)) for n in starts])


def _put_below(at: FloatArray, up: FloatArray, local: FloatArray) -> FloatArray:
    """Places ``(S, 3)`` in the model of local translations below a parent at `at`, turned by `up`."""
    return at + quat.rotate(up, local)


def _turned_below(up: FloatArray, model: FloatArray, rotation: FloatArray) -> FloatArray:
    """Local rotations ``(S, 4)`` below `up` that turn to `model`; their signs agree with `rotation`."""
    return quat.aligned(quat.multiply(quat.conjugate(up), model), rotation)


def _moved_below(up: FloatArray, at: FloatArray, place: FloatArray) -> FloatArray:
    """Local translations ``(S, 3)`` below a parent at `at`, turned by `up`, to places in the model."""
    return quat.rotate(quat.conjugate(up), place - at)


def _aimed_below(
    up: FloatArray,
    at: FloatArray,
    local: FloatArray,
    place: FloatArray,
    turned: FloatArray,
    child: FloatArray,
    rotation: FloatArray,
) -> FloatArray:
    """Local rotations ``(S, 4)`` of a bone, packed at `local`, that point at its child's place as from its own."""
    here = _put_below(at, up, local)
    turn = quat.shortest_arc(child - place, child - here)
    return _turned_below(up, quat.multiply(turn, turned), rotation)
