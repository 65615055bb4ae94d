"""Measuring a compiled clip against its original, at other times than those it was fitted to."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.options import RANDOM, CompileOptions
from core.clips.compiled.player import CompiledPlayer
from core.clips.sample import ClipEvaluator
from core.pose import kinematics
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation

PARTS = (0.0, 0.21, 0.5, 0.79)
"""Parts of the gaps between keys: their middles, and where cubics with the same ends differ the most."""
JUMP = 3.0 * TIME_EPSILON
"""Seconds that a jump takes in a compiled clip, in which it is not measured."""
CHUNK = 512
Mask = npt.NDArray[np.bool_]


class Checked(NamedTuple):
    """What a check found.

    Parameters
    ----------
    largest, bone, time : metres, which bone and when: the worst of all
    looked : how many times were looked at
    random : metres, the worst at the random ones
    """

    largest: float
    bone: int
    time: float
    looked: int
    random: float


class Check:
    """Looks at compiled clips at keys of the original, between them, and at random times."""

    def __init__(self, rig: Rig, clip: Clip, options: CompileOptions) -> None:
        self._skeleton, self._options = rig.skeleton, options
        self._evaluator = ClipEvaluator(rig, clip)
        end = max(clip.length, 0.0)
        keys = [track.times for track in clip.tracks.values()]
        own = np.unique(np.clip(np.concatenate([*keys, np.array([0.0, end])]), 0.0, end))
        self._end, self._own = end, own[np.concatenate(([True], np.diff(own) > 1e-6))]
        self._random = np.random.default_rng(0).uniform(0.0, end, RANDOM)
        jumps = [t.times[1:][t.interpolations[:-1] == Interpolation.CONSTANT] for t in clip.tracks.values()]
        self._jumps = np.unique(np.concatenate([*jumps, np.zeros(0)]))

    def __call__(self, compiled: CompiledClip, samples: FloatArray) -> Checked:
        """Measure a clip that was fitted at some samples, which are checked, too."""
        ticks = compiled.axis
        between = [_between(self._own), _between(np.clip(ticks, 0.0, self._end)), samples]
        grid = np.unique(np.concatenate(between))
        times = np.concatenate((grid[(grid >= 0.0) & (grid <= self._end)], self._random))
        times = times[~self._within_a_jump(times)]
        player = CompiledPlayer(compiled)
        worst, bones = np.zeros(len(times)), np.zeros(len(times), dtype=np.intp)
        for n in range(0, len(times), CHUNK):
            rows = slice(n, n + CHUNK)
            if len(self._skeleton):
                errors = self._errors(player, times[rows])
                bones[rows] = np.argmax(errors, axis=1)
                worst[rows] = errors.max(axis=1)
        top = int(np.argmax(worst))
        random = float(worst[np.isin(times, self._random)].max(initial=0.0))
        return Checked(float(worst[top]), int(bones[top]), float(times[top]), len(times), random)

    def _within_a_jump(self, times: FloatArray) -> Mask:
        """Times in the moment that a jump takes."""
        if not len(self._jumps):
            return np.zeros(len(times), dtype=np.bool_)
        after = np.searchsorted(self._jumps, times, "right")
        ahead = np.append(self._jumps, np.inf)[after] - times
        within: Mask = (ahead > 0.0) & (ahead < JUMP)
        return within

    def _errors(self, player: CompiledPlayer, times: FloatArray) -> FloatArray:
        """Metres ``(T, B)``: the worst of each bone's four points."""
        before = self._evaluator.models_many(times, wrap=False)
        moved = kinematics.model_matrices(self._skeleton, player.poses(times)[0]) - before
        place = moved[..., :3, 3]
        off = np.sqrt(np.square(place).sum(axis=-1))
        for axis in range(3):
            point = place + self._options.shell * moved[..., :3, axis]
            off = np.maximum(off, np.sqrt(np.square(point).sum(axis=-1)))
        return np.asarray(off)


def _between(times: FloatArray) -> FloatArray:
    """Times, and parts of the gaps between them."""
    gaps = np.diff(times)
    return np.concatenate([times[:-1] + part * gaps for part in PARTS] + [times[-1:]])
