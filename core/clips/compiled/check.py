"""Measuring a compiled clip against its original, at other times than those it was fitted to."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, row_lengths
from core.clips.clip import Clip
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.options import RANDOM, CompileOptions
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.sampling import MOMENT
from core.clips.compiled.source import jumps_of
from core.clips.sample import ClipEvaluator
from core.pose import kinematics
from core.progress import checkpoint
from core.rig.rig import Rig

PARTS = (0.0, 0.21, 0.5, 0.79)
"""Parts of the gaps between keys: their middles, and where cubics with the same ends differ the most."""
CURVED_PARTS = (0.0, 0.03, 0.1, 0.21, 0.36, 0.5, 0.64, 0.79, 0.9, 0.97)
"""Those where motion does not run straight from key to key: weighted handles may race right beside a key."""
STEEP = 4.0
"""How many times as far as in the moment before or after a jump moves at least: the other may be a jump, too."""
CHUNK = 512
KEPT = 500_000
"""Bones times moments up to which the original's matrices are kept from one check to the next."""
Mask = npt.NDArray[np.bool_]
Bones = npt.NDArray[np.intp]


class Checked(NamedTuple):
    """What a check found.

    Parameters
    ----------
    times : ``(T,)`` seconds looked at
    worst, bones : ``(T,)`` metres, and which bone: the worst of each
    mean : metres, of all bones at all times
    random : metres, the worst at the random times
    """

    times: FloatArray
    worst: FloatArray
    bones: Bones
    mean: float
    random: float

    @property
    def largest(self) -> float:
        """Metres, the worst of all."""
        return float(self.worst.max())

    @property
    def bone(self) -> int:
        """Which bone is off the most."""
        return int(self.bones[np.argmax(self.worst)])

    @property
    def time(self) -> float:
        """When it is, in seconds."""
        return float(self.times[np.argmax(self.worst)])


class Check:
    """Looks at compiled clips at keys of the original, between them, and at random times."""

    def __init__(self, rig: Rig, clip: Clip, options: CompileOptions, straight: bool = False) -> None:
        self._skeleton, self._options = rig.skeleton, options
        self._evaluator = ClipEvaluator(rig, clip)
        self._end = max(clip.length, 0.0)
        keys = [track.times for track in clip.tracks.values()]
        own = np.unique(np.clip(np.concatenate([*keys, np.array([0.0, self._end])]), 0.0, self._end))
        self._own = own[np.concatenate(([True], np.diff(own) > 1e-6))]
        self._parts = PARTS if straight else CURVED_PARTS
        self._random = np.random.default_rng(0).uniform(0.0, self._end, RANDOM)
        self._jumps = self._find_jumps(clip)
        self._axis: FloatArray = np.zeros(0)
        self._times: FloatArray = np.zeros(0)
        self._kept: list[FloatArray] = []

    def _find_jumps(self, clip: Clip) -> FloatArray:
        """Times ``(J,)`` just before which the clip jumps indeed, among those at which it may."""
        may = np.unique(np.concatenate([*(jumps_of(track) for track in clip.tracks.values()), np.zeros(0)]))
        may = may[(may > 0.0) & (may <= self._end)]
        if not len(may) or not len(self._skeleton):
            return np.zeros(0)
        around = may[:, None] + MOMENT * np.array([-2.0, -1.0, 0.0, 1.0])
        made = self._evaluator.models_many(np.clip(around.reshape(-1), 0.0, self._end), wrap=False)
        made = made.reshape(len(may), 4, *made.shape[1:])
        moved = distances(made[:, 1:] - made[:, :-1], self._options.shell)
        steep = moved[:, 1] > STEEP * np.minimum(moved[:, 0], moved[:, 2]) + 0.01 * self._options.metres
        found: FloatArray = may[steep.any(axis=1)]
        return found

    def __call__(self, compiled: CompiledClip, axis: FloatArray) -> Checked:
        """Measure a clip between the ticks of an axis that holds all of its own, and at the other times."""
        if not np.array_equal(axis, self._axis):
            self._axis, self._times, self._kept = axis, self.times(axis), []
        times, player = self._times, CompiledPlayer(compiled)
        worst, bones = np.zeros(len(times)), np.zeros(len(times), dtype=np.intp)
        total = 0.0
        for number, first in enumerate(range(0, len(times) if len(self._skeleton) else 0, CHUNK)):
            checkpoint()
            rows = slice(first, first + CHUNK)
            made = kinematics.model_matrices(self._skeleton, player.poses(times[rows])[0])
            errors = distances(made - self._wanted(number, times[rows]), self._options.shell)
            bones[rows] = np.argmax(errors, axis=1)
            worst[rows] = errors.max(axis=1)
            total += float(errors.sum())
        random = float(worst[np.isin(times, self._random)].max(initial=0.0))
        return Checked(times, worst, bones, total / max(len(times) * len(self._skeleton), 1), random)

    def times(self, axis: FloatArray) -> FloatArray:
        """Rising seconds at which a clip with such ticks is looked at: never in the moment of a jump."""
        end = self._end
        grid = np.concatenate((self._between(self._own), self._between(np.clip(axis, 0.0, end))))
        times = np.unique(np.concatenate((grid[(grid >= 0.0) & (grid <= end)], self._random)))
        ahead = np.append(self._jumps, np.inf)[np.searchsorted(self._jumps, times, "right")] - times
        kept: FloatArray = times[(ahead <= 0.0) | (ahead >= MOMENT)]
        return kept

    def _between(self, times: FloatArray) -> FloatArray:
        """Times, and parts of the gaps between them."""
        gaps = np.diff(times)
        return np.concatenate([times[:-1] + part * gaps for part in self._parts] + [times[-1:]])

    def _wanted(self, number: int, times: FloatArray) -> FloatArray:
        """Model matrices of the original at one chunk of the times."""
        if number < len(self._kept):
            return self._kept[number]
        made = self._evaluator.models_many(times, wrap=False)
        if number == len(self._kept) and len(self._times) * len(self._skeleton) <= KEPT:
            self._kept.append(made)
        return made


def distances(moved: FloatArray, shell: float) -> FloatArray:
    """Metres ``(T, B)``: the worst of four points of each bone, of differences of model matrices."""
    place = moved[..., :3, 3]
    off = row_lengths(place)
    for axis in range(3):
        point = place + shell * moved[..., :3, axis]
        off = np.maximum(off, row_lengths(point))
    return off
