"""What is compiled: a clip sampled at its ticks and between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip, Property
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.sampling import Mask, Sampling, sampling_of, without_jumps
from core.clips.compiled.tracks import Kind, Ticks
from core.clips.sample import ClipEvaluator
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.progress import checkpoint
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.keys import Extrapolation, Interpolation, Track
from core.tracks.reduce import is_sampled

MOST_SAMPLES = 4_000_000
KEYS_AT_ONCE = 256
"""Keys round which all bones are sampled at a time: 25 MB with three hundred bones."""
SAME = 1e-6
"""Ticks nearer than this, in seconds, are one."""
BEND = 0.04
"""What a corner of slope 1 bends a cubic with keys a second apart, about."""
CORNER = 0.1
"""Share of the allowed error by which a corner may bend a cubic before it gets two keys."""
KINDS = {Property.TRANSLATE: Kind.TRANSLATION, Property.ROTATE: Kind.ROTATION, Property.SCALE: Kind.SCALE}


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A clip sampled: local transforms ``(S, B, k)``, rotations with signs that agree, extras ``(S, E)``.

    Parameters
    ----------
    frames : of the clip, both ends counted
    straight : whether it runs straight from key to key, with all keys at the same times
    keys : bone and kind → ticks on which the clip has keys of its own, and just before those that are
        corners; those without are left out
    """

    sampling: Sampling
    local: Transform
    extras: FloatArray
    frames: int
    straight: bool
    keys: Mapping[tuple[int, Kind], Ticks]


class Sampler:
    """Samples one clip on any axis; it is resampled first where a rate is given.

    Attributes
    ----------
    clip : what is sampled
    straight : whether it runs straight from key to key, with all keys at the same times
    axis : ``(N,)`` seconds of the first ticks: the keys of motion that is straight from key to key and has
        them all at the same times; else half-frames, keys, and both sides of jumps and corners

    Raises
    ------
    ValidationError
        Far too many frames.
    """

    def __init__(self, rig: Rig, clip: Clip, options: CompileOptions, meshes: Sequence[Mesh]) -> None:
        self.clip = resampled(rig, clip, options.rate)
        self._evaluator = ClipEvaluator(rig, self.clip, meshes)
        frames = _frames(self.clip)
        self.straight = frames is not None
        self._keys: dict[tuple[int, Kind], FloatArray] = {}
        if frames is not None:
            self.axis: FloatArray = frames
            return
        self.axis = _halves(self.clip)
        change = CORNER * options.metres / BEND / (0.5 * self.clip.rate.frame)
        by_place = _by_place(rig, self.clip)
        for place, corners in self._corners(by_place, change).items():
            times = np.unique(np.concatenate([track.times for track in by_place[place]]))
            before = corners - TIME_EPSILON
            self._keys[place] = np.union1d(times, before)
            self.axis = np.union1d(self.axis, before[_apart(self.axis, before)])

    def _corners(
        self, by_place: Mapping[tuple[int, Kind], Sequence[Track]], change: float
    ) -> dict[tuple[int, Kind], FloatArray]:
        """Keys between which a bone's values run smoothly, at which their slope changes by more than that.

        A sample is one of all bones: places with the same keys are looked at together, some keys at a time.
        """
        near = 2.0 * TIME_EPSILON
        found: dict[tuple[int, Kind], FloatArray] = {}
        alike: dict[bytes, tuple[FloatArray, list[tuple[int, Kind]]]] = {}
        for place, tracks in by_place.items():
            curved = [track.times[_beside(track.interpolations == Interpolation.CUBIC)] for track in tracks]
            keys = np.unique(np.concatenate(curved))
            keys = keys[(keys > 2.0 * near) & (keys < self.clip.length - 2.0 * near)]
            alike.setdefault(keys.tobytes(), (keys, []))[1].append(place)
        for keys, places in alike.values():
            turns = np.zeros((len(keys), len(places)))
            for start in range(0, len(keys), KEYS_AT_ONCE):
                checkpoint()
                part = slice(start, start + KEYS_AT_ONCE)
                turns[part] = self._turns(keys[part], places, near)
            found |= {place: keys[turns[:, n] > change] for n, place in enumerate(places)}
        return {place: found[place] for place in by_place}

    def _turns(self, keys: FloatArray, places: Sequence[tuple[int, Kind]], near: float) -> FloatArray:
        """By how much the slope of each place changes at keys ``(K, P)``, between `near` before and after."""
        around = (keys[:, None] + near * np.array([-1.0, -0.5, 0.0, 0.5])).reshape(-1)
        local = self._evaluator.sample_many(around, wrap=False).local
        turns = np.zeros((len(keys), len(places)))
        for kind in {kind for _, kind in places}:
            which = [n for n, place in enumerate(places) if place[1] is kind]
            values = local[kind][:, [places[n][0] for n in which]]
            values = quat.continuous(values) if kind is Kind.ROTATION else values
            slopes = np.diff(values.reshape(len(keys), 4, len(which), -1), axis=1) / (0.5 * near)
            turns[:, which] = np.linalg.norm(slopes[:, 2] - slopes[:, 0], axis=-1)
        return turns

    def source(self, axis: FloatArray) -> Source:
        """The clip on an axis, for instance the first."""
        sampling = sampling_of(axis)
        if len(sampling.times) > MOST_SAMPLES:
            raise ValidationError(f"clip {self.clip.name!r}: {len(axis)} moments are too many to compile")
        batch = self._evaluator.sample_many(sampling.times, wrap=False)
        local = Transform(batch.translations, quat.continuous(batch.rotations), batch.scales)
        named = [
            *(batch.curves[name] for name in batch.curves),
            *(batch.morphs[name] for name in batch.morphs),
        ]
        extras = np.stack(named, axis=1) if named else np.zeros((len(sampling.times), 0))
        every = [part.reshape(len(part), -1) for part in local]
        sampling = without_jumps(sampling, np.concatenate([*every, extras], axis=1))
        keys = {place: _nearest(axis, times) for place, times in self._keys.items()}
        return Source(sampling, local, extras, round(self.clip.frames) + 1, self.straight, keys)


def _by_place(rig: Rig, clip: Clip) -> dict[tuple[int, Kind], list[Track]]:
    """Bone and kind → the tracks of its channels."""
    bones = {name: bone for bone, name in enumerate(rig.skeleton.names)}
    found: dict[tuple[int, Kind], list[Track]] = {}
    for channel, track in clip.tracks.items():
        if channel.bone in bones and len(track):
            found.setdefault((bones[channel.bone], KINDS[channel.property]), []).append(track)
    return found


def _beside(segments: Mask) -> Mask:
    """Keys ``(K,)`` at which a segment of some kind starts or ends."""
    found: Mask = segments | np.concatenate(([False], segments[:-1]))
    return found


def _apart(axis: FloatArray, times: FloatArray) -> Mask:
    """Which times are not ticks yet."""
    after = np.clip(np.searchsorted(axis, times - SAME), 0, len(axis) - 1)
    apart: Mask = np.abs(axis[after] - times) > SAME
    return apart


def _nearest(axis: FloatArray, times: FloatArray) -> Ticks:
    """Numbers of the ticks that lie at times, of those that do."""
    after = np.clip(np.searchsorted(axis, times - SAME), 0, len(axis) - 1)
    found: Ticks = np.unique(after[np.abs(axis[after] - times) <= SAME]).astype(np.int32)
    return found


def _frames(clip: Clip) -> FloatArray | None:
    """The keys of motion that is straight between them; None for other motion."""
    moving = [track for track in clip.every_track() if len(track) > 1]
    if not moving or not all(is_sampled(track) for track in moving):
        return None
    times = moving[0].times
    if times[0] > TIME_EPSILON or times[-1] < clip.length - TIME_EPSILON:
        return None
    if any(len(track) != len(times) or np.abs(track.times - times).max() > 1e-7 for track in moving):
        return None
    even = np.linspace(times[0], times[-1], len(times))
    return even if np.abs(even - times).max() < 1e-9 else np.array(times)


def _halves(clip: Clip) -> FloatArray:
    """Half-frames, keys and both sides of jumps."""
    end = max(clip.length, 2.0 * TIME_EPSILON)
    half = clip.rate.frame * 0.5
    count = int(np.floor(end / half + 1e-6))
    if count > MOST_SAMPLES:
        raise ValidationError(f"clip {clip.name!r}: {count // 2} frames are too many to compile")
    grid = np.arange(count + 1) * half
    if end - grid[-1] > TIME_EPSILON or count == 0:
        grid = np.append(grid, end)
    jumps = np.unique(np.concatenate([jumps_of(track) for track in clip.every_track()] or [np.zeros(0)]))
    jumps = jumps[(jumps > TIME_EPSILON) & (jumps < end + TIME_EPSILON)]
    if len(jumps) and jumps[-1] > grid[-1] - SAME:
        grid[-1] = max(end, grid[-1])  # or a jump on the last key is slightly beyond the last tick
    keys = [track.times for track in clip.every_track()]
    wanted = np.unique(np.concatenate([*keys, jumps - TIME_EPSILON]))
    wanted = wanted[(wanted > SAME) & (wanted < end - SAME)]
    near = np.abs(grid[np.clip(np.searchsorted(grid, wanted - half * 0.5), 0, len(grid) - 1)] - wanted)
    both = np.union1d(grid, wanted[near > SAME])
    both = both[np.concatenate(([True], np.diff(both) > SAME))]
    # A jump a hair after a half-frame, as float32 times have it, is a tick as well: without one it
    # would become a slope to the next half-frame.
    return np.union1d(both, jumps[jumps < both[-1]])


def jumps_of(track: Track) -> FloatArray:
    """Times at which a track may jump: where a constant segment, a loop or a repetition ends."""
    times, constant = track.times, track.interpolations == Interpolation.CONSTANT
    ends: FloatArray = times[1:][constant[:-1]]
    # A loop runs from its last key to its first one, that included: what it has there ends a hair after.
    repeats = track.before != Extrapolation.HOLD or track.after != Extrapolation.HOLD
    if constant.any() or repeats or times[0] > TIME_EPSILON:
        ends = np.union1d(ends, [times[0], times[0] + TIME_EPSILON])
    if constant.any() or repeats:
        ends = np.union1d(ends, [times[-1], times[-1] + TIME_EPSILON])
    return ends


def resampled(rig: Rig, clip: Clip, rate: float | None) -> Clip:
    """The clip with straight keys on the frames of another rate, if any; curves and morphs keep theirs."""
    if rate is None:
        return clip
    frame_rate = FrameRate.of(rate)
    count = int(np.floor(clip.length * frame_rate.fps + 1e-6))
    if count > MOST_SAMPLES:
        raise ValidationError(f"clip {clip.name!r}: {count} frames are too many to compile")
    times = np.arange(count + 1) * frame_rate.frame
    if clip.length - times[-1] > TIME_EPSILON:
        times = np.append(times, clip.length)
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    return replace(clip, rate=frame_rate, tracks=bake(rig.skeleton, times, local))
