"""Searching for the smallest tracks of a clip that hold its bound at every time.

Everything is fitted at one share of what is allowed, then decompressed and measured in model space:
at the samples it was fitted to, then at all other times that a check looks at. Where no track can hold
its bound between two neighbouring ticks, ticks are put between them. What is off grows about in line
with the share of the bound that each bone may use up by itself: a few tries find the largest that
holds. Where none does, bones above what is off get tighter bounds around that moment, and more bits.
At last every tick becomes a key, in full numbers, and ticks are added until the bound is held.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.compiled.axes import with_least_axis
from core.clips.compiled.check import Check, Checked
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.fitting import START, Fitting, Place
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.sampling import Mask, cut, parts_for
from core.clips.compiled.source import Sampler
from core.clips.compiled.tracks import Kind, PackedTrack
from core.errors import AnimError
from core.progress import Progress
from core.rig.skeleton import Skeleton

HELD = 0.98
"""Share of the allowed error that a clip may reach at the times looked at: between those it may be a little more."""
AIM = 0.97
"""Share of that which tries aim at."""
TRIES = 6
CUTS = 8
"""How often gaps between ticks are cut at most in one try."""
MISSED = 1.5
"""How many times further off than at its samples a gap may be between them before it gets ticks."""
ROUNDS = 16
STUBBORN = 8
"""Rounds after which all bones above are tightened, not only the nearest."""
NEAREST = 3
"""How many turning bones above a bone that is off are tightened at first."""
PATIENCE = 3
"""Rounds after which rounding is at fault, too, and numbers get finer."""
DENSE = 8
"""Rounds of every tick as a key."""
MOST_TICKS = 300
"""How many times more ticks than at first there may be."""
LEAST_SHARE = 0.02
"""Share of the allowed error below which tries end: something else than the bounds is at fault."""
NEAR = 3.0
"""How many times off a clip may be for bounds to be tightened in places."""


class Found(NamedTuple):
    """A clip that holds its bound."""

    compiled: CompiledClip
    checked: Checked
    rounds: int


class Search:
    """Fits, measures, and fits again."""

    def __init__(
        self,
        skeleton: Skeleton,
        sampler: Sampler,
        check: Check,
        options: CompileOptions,
        about: Mapping[str, Any],
    ) -> None:
        self._skeleton, self._sampler, self._check, self._options = skeleton, sampler, check, options
        self._about = about
        self._fitting = Fitting(skeleton, sampler.source(sampler.axis), options)
        self._every = np.ones(len(skeleton), bool)
        self._rounds = 0
        self._limit = HELD * options.metres

    @property
    def _axis(self) -> FloatArray:
        return self._fitting.source.sampling.axis

    def run(self, tell: Progress) -> Found:
        """Fit until the bound holds.

        Raises
        ------
        AnimError
            It cannot be held.
        """
        best: CompiledClip | None = None
        top, least = 0.0, max(LEAST_SHARE, self._fitting.least_share)
        for number in range(1, TRIES + 1):
            tell.report(0.1 * number, "compiling")
            self._fit_held()
            made, top, missed = self._look()
            if top <= self._limit and (best is None or _bits(made) < _bits(best)):
                best = made
            if self._cut(missed):
                continue
            factor = min(max(AIM * self._limit / max(top, 1e-12), 0.4), 1.7)
            if abs(factor - 1.0) < 0.04 or not made.tracks or self._fitting.share * factor < least:
                break
            self._fitting.share *= factor
        if best is None and top < NEAR * self._limit:
            best = self._mended(tell)
        if best is None:
            best = self._dense(tell)
        tell.report(1.0, "compiling")
        smallest = with_least_axis(best)
        return Found(smallest, self._check(smallest, best.axis), self._rounds)

    # ------------------------------------------------------------------ fitting and looking

    def _fit(self, stale: Mask) -> None:
        self._fitting.fit(stale)
        self._rounds += 1

    def _fit_held(self) -> None:
        """Fit everything, with more ticks wherever no track can hold its bound."""
        for _ in range(CUTS):
            self._fit(self._every)
            if not self._cut(self._fitting.excess):
                return
        self._fit(self._every)

    def _cut(self, excess: FloatArray) -> bool:
        """Put ticks into gaps by how many times they are above their bound; returns whether there are more now."""
        before = self._fitting
        axis = cut(self._axis, parts_for(excess))
        if len(axis) == len(self._axis) or len(axis) > MOST_TICKS * len(self._sampler.axis):
            return False
        source = self._sampler.source(axis)
        tight = _tightest(before.tight, before.source.sampling.times, source.sampling.times)
        self._fitting = Fitting(self._skeleton, source, self._options, tight)
        self._fitting.share, self._fitting.finer = before.share, before.finer
        return True

    def _look(self) -> tuple[CompiledClip, float, FloatArray]:
        """What was fitted, how far it is off at most, and how many times too far between samples, a gap ``(N - 1,)``.

        Where its samples hold the bound, it is checked at other times, too, and what is off there counts
        at the samples beside.
        """
        fitting = self._fitting
        tracks = fitting.tracks
        made = CompiledClip(
            self._skeleton, self._axis, tuple(tracks[p] for p in _in_order(tracks)), self._about
        )
        fitting.measure()
        missed = np.zeros(len(self._axis) - 1)
        top = float(fitting.errors.max(initial=0.0))
        if top > self._limit or not len(self._skeleton):
            return made, top, missed
        found = self._check(made, self._axis)
        rows = np.flatnonzero(found.worst > self._limit)
        times, stride = fitting.source.sampling.times, fitting.source.sampling.stride
        own = fitting.errors[:-1].max(axis=1).reshape(-1, stride).max(axis=1)
        gaps = np.clip(np.searchsorted(self._axis, found.times[rows], "right") - 1, 0, len(missed) - 1)
        np.maximum.at(missed, gaps, found.worst[rows] / self._limit)
        missed[missed * self._limit < MISSED * own] = 0.0
        for side in (0, 1):
            beside = np.clip(np.searchsorted(times, found.times[rows]) - side, 0, len(times) - 1)
            np.maximum.at(fitting.errors, (beside, found.bones[rows]), found.worst[rows])
        return made, max(top, found.largest), missed

    # ------------------------------------------------------------------ where no try holds

    def _mended(self, tell: Progress) -> CompiledClip | None:
        """Tighten bounds where and when the clip is off, until it is not."""
        self._fitting.share = min(self._fitting.share, START)
        stale = self._every
        for number in range(1, ROUNDS + 1):
            tell.report(1.0 - 1.0 / (1.0 + 0.3 * number), "compiling")
            self._fit(stale)
            if self._cut(self._fitting.excess):
                stale = self._every
                continue
            made, top, missed = self._look()
            if top <= self._limit:
                return made
            bad = self._fitting.errors > self._limit
            stale = self._tightened(bad, number)
            if self._cut(missed):
                stale = self._every
        return None

    def _tightened(self, bad: Mask, number: int) -> Mask:
        """Tighter bounds above what is too far off, around the moments when it is; bones to fit again."""
        skeleton, fitting = self._skeleton, self._fitting
        stale = np.zeros(len(skeleton), bool)
        spread = np.zeros_like(bad)
        parents = skeleton.parents
        first = np.array(bad)  # what is off by itself: not only because its parent is
        for bone in np.flatnonzero(parents >= 0):
            first[:, bone] &= ~bad[:, parents[bone]]
        for bone in np.flatnonzero(first.any(axis=0)):
            chain = fitting.chains[bone]
            moving = [above for above in chain if fitting.turns(above) or above == chain[0]]
            for above in moving if number > STUBBORN else [*moving[-NEAREST:], bone]:
                spread[:, above] |= first[:, bone]
                stale[above] = True
        if number >= PATIENCE:
            fitting.finer[stale] *= 0.8
        for _ in range(2 * fitting.source.sampling.stride):
            spread[1:] |= spread[:-1]
            spread[:-1] |= spread[1:]
        fitting.tight[spread] *= 0.8
        return skeleton.descendants(np.flatnonzero(stale).tolist())

    def _dense(self, tell: Progress) -> CompiledClip:
        """Every tick a key, in full numbers, and more ticks wherever lines from key to key are off."""
        self._options = replace(self._options, reduce_keys=False, quantise=False, cubic=False)
        self._fitting = Fitting(self._skeleton, self._sampler.source(self._axis), self._options)
        top = 0.0
        for number in range(DENSE):
            tell.report(0.9 + 0.1 * number / DENSE, "compiling")
            self._fit(self._every)
            made, top, missed = self._look()
            if top <= self._limit:
                return made
            stride = self._fitting.source.sampling.stride
            own = self._fitting.errors[:-1].max(axis=1).reshape(-1, stride).max(axis=1)
            if not self._cut(np.maximum(missed, 1.1 * own / self._limit)):
                break
        raise AnimError(
            f"compile: {self._options.metres * 1e3:g} mm cannot be held on this clip "
            f"({top * 1e3:g} mm reached); allow more"
        )


def _in_order(places: Mapping[Place, PackedTrack]) -> list[Place]:
    """Bone after bone, then curves and morphs."""
    return sorted(places, key=lambda place: (place.kind is Kind.EXTRA, place.number, place.kind))


def _bits(clip: CompiledClip) -> int:
    return sum(track.cost(len(clip.axis)) for track in clip.tracks)


def _tightest(tight: FloatArray, before: FloatArray, times: FloatArray) -> FloatArray:
    """Shares ``(S, B)`` at other times: the smaller of those at the times beside."""
    after = np.clip(np.searchsorted(before, times), 0, len(before) - 1)
    ahead = np.clip(np.searchsorted(before, times, "right") - 1, 0, len(before) - 1)
    return np.minimum(tight[after], tight[ahead])
