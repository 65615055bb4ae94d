"""Blend spaces as clips: a point held, or a path driven, baked with root motion, curves and notifies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.blending.space_player import SpacePlayer, SpaceState
from core.clips.bake import bake
from core.clips.clip import Clip, Notify, SyncMarker
from core.clips.root_motion import with_motion
from core.errors import ValidationError
from core.ids import AssetId
from core.progress import checkpoint, counted
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track

LONGEST = 3600.0
"""Seconds that a baked blend may last."""


@dataclass(frozen=True, slots=True, eq=False)
class DrivenPath:
    """Where the input stood when.

    Parameters
    ----------
    times : ``(N,)`` rising seconds
    points : ``(N, axes)`` in the axes' units
    """

    times: FloatArray
    points: FloatArray

    def at(self, seconds: FloatArray, player: SpacePlayer) -> FloatArray:
        """Points ``(T, axes)`` at times, linear between those noted, the short way on wrapped axes."""
        columns = []
        for number, axis in enumerate(player.space.axes):
            values = np.array(self.points[:, number])
            if axis.wrap:
                values = np.unwrap(values, period=axis.extent)
            columns.append([axis.kept(float(v)) for v in np.interp(seconds, self.times, values)])
        return np.array(columns).T.reshape(len(seconds), len(columns))


def cycle_length(player: SpacePlayer, point: Sequence[float]) -> float:
    """Seconds of one cycle at a point, 0 where every sample there stands still."""
    return float(player.group.duration(player.field(np.array(point, dtype=np.float64))))


def baked_point(
    player: SpacePlayer,
    point: Sequence[float],
    id: AssetId,
    name: str,
    rate: FrameRate | None = None,
    length: float | None = None,
) -> Clip:
    """The blend at one point as a clip.

    Parameters
    ----------
    length : seconds; left out it is one cycle and the clip loops. An aim offset's is its base clip's
    """
    kept = player.space.kept(tuple(float(x) for x in point))
    whole = cycle_length(player, kept)
    if player.base is not None:
        whole = player.base.clip.length
    seconds = whole if length is None else length
    times = _frames(seconds, rate or FrameRate.of(30))
    weights = player.field(np.array(kept))
    still = replace(player.start(kept), weights=weights)
    clocks = np.array([player.group.advanced(still.clock, weights, float(t)) for t in times])
    clip = _baked(
        player, id, name, rate or FrameRate.of(30), times, clocks, np.tile(weights, (len(times), 1))
    )
    loops = length is None and seconds > 0.0 and player.loops
    if loops:
        clip = replace(clip, sync_markers=_markers(player, still.clock, weights, seconds))
    return replace(clip, looping=loops)


def baked_path(
    player: SpacePlayer, path: DrivenPath, id: AssetId, name: str, rate: FrameRate | None = None
) -> Clip:
    """The blend along a path as a clip, smoothed as the axes say."""
    if len(path.times) < 2:
        raise ValidationError("the path has no length: record one by dragging the point")
    fps = rate or FrameRate.of(30)
    times = _frames(float(path.times[-1] - path.times[0]), fps)
    points = path.at(times + path.times[0], player)
    states: list[SpaceState] = [player.start(tuple(points[0]))]
    for before, after, point in counted(list(zip(times[:-1], times[1:], points[1:], strict=True))):
        states.append(player.advanced(states[-1], tuple(point), float(after - before)))
    clocks = np.array([state.clock for state in states])
    weights = np.array([state.weights for state in states])
    return _baked(player, id, name, fps, times, clocks, weights)


def _frames(seconds: float, rate: FrameRate) -> FloatArray:
    """Times of every frame, and of the end where it falls between two."""
    if not 0.0 <= seconds <= LONGEST:
        raise ValidationError(f"expected a length of 0 to {LONGEST:g} s, got {seconds:g}")
    count = int(np.floor(rate.to_frame(seconds) + 1e-6))
    times = np.array([rate.to_seconds(frame) for frame in range(count + 1)])
    if seconds - times[-1] > 1e-4:
        return np.append(times, seconds)
    times[-1] = seconds
    return times


def _baked(
    player: SpacePlayer,
    id: AssetId,
    name: str,
    rate: FrameRate,
    times: FloatArray,
    clocks: FloatArray,
    weights: FloatArray,
) -> Clip:
    batch = player.poses(clocks, weights, times)
    settings = player.root_settings()
    local = batch.local
    if settings.enabled:
        local = with_motion(player.rig.skeleton, local, player.motion_many(clocks, weights), settings)
    linear = Interpolation.LINEAR
    tables = [
        {name: scalar_track(times, values, interpolations=linear) for name, values in table.items()}
        for table in (batch.curves, batch.morphs)
    ]
    notifies: list[Notify] = []
    for k in range(1, len(times)):
        checkpoint()
        passed = player.passed(weights[k], float(clocks[k - 1]), float(clocks[k]))
        notifies.extend(replace(notify, time=float(times[k])) for notify in passed)
    return Clip(
        id,
        name,
        player.rig.id,
        float(times[-1]),
        rate,
        tracks=bake(player.rig.skeleton, times, local, rest_tolerance=1e-9),
        curves=tables[0],
        morphs=tables[1],
        notifies=tuple(notifies),
        root_motion=settings,
    )


def _markers(
    player: SpacePlayer, clock: float, weights: FloatArray, seconds: float
) -> tuple[SyncMarker, ...]:
    """Sync markers of one cycle that begins at a clock."""
    names = player.group.names
    found = []
    for step in range(int(np.ceil(clock - 1e-9)), int(np.ceil(clock - 1e-9)) + len(names)):
        time = _seconds_between(player, clock, float(step), weights)
        if time < seconds - 1e-9:
            found.append(SyncMarker(names[step % len(names)], max(time, 0.0)))
    return tuple(found)


def _seconds_between(player: SpacePlayer, start: float, end: float, weights: npt.ArrayLike) -> float:
    """How long the clock takes from one value to a later one under constant weights."""
    durations = player.group.interval_durations(weights)
    edges = np.concatenate(([0.0], np.cumsum(durations)))

    def at(clock: float) -> float:
        cycle, step = divmod(clock, len(durations))
        whole = min(int(step), len(durations) - 1)
        return float(cycle * edges[-1] + edges[whole] + (step - whole) * durations[whole])

    return at(end) - at(start)
