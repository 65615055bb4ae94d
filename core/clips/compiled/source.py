"""What is compiled: a clip sampled at its frames and half-frames."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.compiled.fit import Sampling
from core.clips.sample import ClipEvaluator
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.keys import Interpolation, Track
from core.tracks.reduce import is_sampled

MOST_SAMPLES = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A clip sampled: local transforms ``(S, B, k)``, rotations with signs that agree, extras ``(S, E)``."""

    sampling: Sampling
    local: Transform
    extras: FloatArray
    frames: int
    straight: bool


def sampled_source(rig: Rig, clip: Clip, rate: float | None, meshes: Sequence[Mesh]) -> tuple[Source, Clip]:
    """Sample a clip where its bound will be measured; the clip is resampled first where a rate is given.

    Motion that is straight from frame to frame gets its frames as ticks; other motion every
    half-frame, every key, and both sides of every jump.
    """
    if rate is not None:
        clip = _resampled(rig, clip, rate)
    sampling = _frames(clip)
    straight = sampling is not None
    if sampling is None:
        sampling = _halves(clip)
    batch = ClipEvaluator(rig, clip, meshes).sample_many(sampling.times, wrap=False)
    local = Transform(batch.translations, quat.continuous(batch.rotations), batch.scales)
    named = [*(batch.curves[name] for name in batch.curves), *(batch.morphs[name] for name in batch.morphs)]
    extras = np.stack(named, axis=1) if named else np.zeros((len(sampling.times), 0))
    return Source(sampling, local, extras, round(clip.frames) + 1, straight), clip


def _frames(clip: Clip) -> Sampling | None:
    """The frames of motion that is straight between them, and their middles; None for other motion."""
    moving = [track for track in clip.every_track() if len(track) > 1]
    if not moving or not all(is_sampled(track) for track in moving):
        return None
    times = moving[0].times
    if times[0] > TIME_EPSILON or times[-1] < clip.length - TIME_EPSILON:
        return None
    if any(len(track) != len(times) or np.abs(track.times - times).max() > 1e-7 for track in moving):
        return None
    even = np.linspace(times[0], times[-1], len(times))
    ticks = even if np.abs(even - times).max() < 1e-9 else times
    halves = np.empty(2 * len(ticks) - 1)
    halves[::2], halves[1::2] = ticks, (ticks[1:] + ticks[:-1]) * 0.5
    return Sampling(halves, 2)


def _halves(clip: Clip) -> Sampling:
    """Half-frames, keys and both sides of jumps."""
    end = max(clip.length, 2.0 * TIME_EPSILON)
    half = clip.rate.frame * 0.5
    count = int(np.floor(end / half + 1e-6))
    if count > MOST_SAMPLES:
        raise ValidationError(f"clip {clip.name!r}: {count // 2} frames are too many to compile")
    grid = np.arange(count + 1) * half
    if end - grid[-1] > TIME_EPSILON or count == 0:
        grid = np.append(grid, end)
    jumps = np.unique(np.concatenate([_jumps(track) for track in clip.every_track()] or [np.zeros(0)]))
    jumps = jumps[(jumps > TIME_EPSILON) & (jumps < end - TIME_EPSILON)]
    keys = [_keys_and_jumps(track) for track in clip.every_track()]
    wanted = np.unique(np.concatenate(keys)) if keys else np.zeros(0)
    wanted = wanted[(wanted > TIME_EPSILON) & (wanted < end - TIME_EPSILON)]
    near = np.abs(grid[np.clip(np.searchsorted(grid, wanted - half * 0.5), 0, len(grid) - 1)] - wanted)
    both = np.union1d(grid, wanted[near > 1e-6])
    both = both[np.concatenate(([True], np.diff(both) > 1e-6))]
    # A jump a hair after a half-frame, as float32 times have it, is a tick as well: without one it
    # would become a slope to the next half-frame.
    return Sampling(np.union1d(both, jumps), 1)


def _jumps(track: Track) -> FloatArray:
    """Times at which a constant segment ends."""
    ends: FloatArray = track.times[1:][track.interpolations[:-1] == Interpolation.CONSTANT]
    return ends


def _keys_and_jumps(track: Track) -> FloatArray:
    both: FloatArray = np.concatenate((track.times, _jumps(track) - TIME_EPSILON))
    return both


def _resampled(rig: Rig, clip: Clip, rate: float) -> Clip:
    """The clip with straight keys on the frames of another rate; curves and morphs keep theirs."""
    frame_rate = FrameRate.of(rate)
    count = int(np.floor(clip.length * frame_rate.fps + 1e-6))
    if count > MOST_SAMPLES:
        raise ValidationError(f"clip {clip.name!r}: {count} frames are too many to compile")
    times = np.arange(count + 1) * frame_rate.frame
    if clip.length - times[-1] > TIME_EPSILON:
        times = np.append(times, clip.length)
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    return replace(clip, rate=frame_rate, tracks=bake(rig.skeleton, times, local))
