"""A compiled clip laid out for the kernel that plays it: `core.math.kernel_play_layout`."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.container import track_words
from core.clips.compiled.tracks import Kind, Mode, PackedTrack
from core.math import kernel_play_layout as layout

PLACES = {Kind.TRANSLATION: 0, Kind.ROTATION: 3, Kind.SCALE: 7}
"""Where in the ten numbers of a bone each kind stands."""


@dataclass(slots=True, eq=False)
class Lanes:
    """Buffers of one player.

    Parameters
    ----------
    integers, floats : as the kernel reads them
    kept : arrays at whose addresses it reads, too
    pose, extras : views of `floats`: ``(B, 10)`` translation, rotation and scale of the bones, and ``(E,)``
    """

    integers: npt.NDArray[np.int64]
    floats: FloatArray
    kept: tuple[npt.NDArray[np.generic], ...]
    pose: FloatArray
    extras: FloatArray


def laid_out(clip: CompiledClip) -> Lanes:
    """Everything that moves in lanes, and the pose with all that does not."""
    tracks = [track for track in clip.tracks if track.mode is not Mode.CONSTANT]
    words = [track_words(track) for track in tracks]
    packed = np.concatenate([*words, np.zeros(2, np.uint32)])  # the kernel reads eight bytes from any bit on
    ticks = np.concatenate([*(track.ticks for track in tracks), np.zeros(0, np.int32)])
    axis = np.ascontiguousarray(clip.axis)
    forms = [_form(track) for track in tracks]
    counts = np.zeros(3, np.int64)  # lanes of each kind of block
    for track, form in zip(tracks, forms, strict=True):
        counts[min(form, layout.SCALAR_LINEAR)] += track.components if form >= layout.SCALAR_LINEAR else 1
    blocks = -(-counts // layout.LANES)
    still, extras = clip.still_pose(), clip.still_extras()
    sizes = (
        *blocks * (layout.LINEAR_BLOCK, layout.CUBIC_BLOCK, layout.SCALAR_BLOCK),
        len(tracks) * layout.R_WIDTH, still.size, len(extras),
    )  # fmt: skip
    *at, end = (int(place) for place in np.cumsum([layout.F_HEADER, *sizes]))
    goals_at = layout.N_HEADER + len(tracks) * layout.T_WIDTH
    results = layout.LANES * blocks * (4, 4, 1)
    n = np.zeros(goals_at + int(results.sum()), np.int64)
    f = np.zeros(end)
    n[: layout.N_HEADER] = (
        len(tracks), layout.N_HEADER, at[3], axis.ctypes.data, len(axis), 0,
        *blocks, *at[:3], goals_at, at[4], end - at[4], 0, 0, 0,
    )  # fmt: skip
    f[layout.F_LOW], f[layout.F_HIGH] = np.inf, -np.inf
    pose, more = f[at[4] : at[5]].reshape(still.shape), f[at[5] : end]
    pose[:], more[:] = still, extras
    f[at[0] : at[1]].reshape(-1, layout.LINEAR_BLOCK)[:, 4 * layout.LANES : 5 * layout.LANES] = (
        1.0  # unit length
    )
    goals = np.split(n[goals_at:], np.cumsum(results)[:-1])
    for goal in goals:
        goal[:] = layout.F_NOWHERE
    table = n[layout.N_HEADER : goals_at].reshape(len(tracks), layout.T_WIDTH)
    ranges = f[at[3] : at[4]].reshape(len(tracks), layout.R_WIDTH)
    free, word, tick = [0, 0, 0], 0, 0
    for track, form, own, row, limits in zip(tracks, forms, words, table, ranges, strict=True):
        kind = min(form, layout.SCALAR_LINEAR)
        lanes = _lanes(kind, at[kind], free[kind], track.components)
        row[: layout.T_BITS] = (
            form, track.components, track.dropped if track.kind is Kind.ROTATION else 0, len(track.ticks),
            ticks.ctypes.data + 4 * tick, packed.ctypes.data + 4 * word, track.key_bits,
        )  # fmt: skip
        row[layout.T_LANE : layout.T_LANE + len(lanes)] = lanes
        row[layout.T_CURSOR], row[layout.T_HELD] = -1, -1
        _ranges(track, row, limits)
        _aim(goals[kind], kind, free[kind], track, at[5] if track.kind is Kind.EXTRA else at[4])
        free[kind] += len(lanes)
        word, tick = word + len(own), tick + len(track.ticks)
    return Lanes(n, f, (packed, ticks, axis), pose, more)


def _form(track: PackedTrack) -> int:
    cubic = track.mode is Mode.CUBIC
    if track.kind is Kind.ROTATION:
        return layout.CUBIC_ROTATION if cubic else layout.LINEAR_ROTATION
    return layout.SCALAR_CUBIC if cubic else layout.SCALAR_LINEAR


def _lanes(kind: int, start: int, first: int, components: int) -> list[int]:
    """Places of a track's lanes in the floats."""
    width = (layout.LINEAR_BLOCK, layout.CUBIC_BLOCK, layout.SCALAR_BLOCK)[kind]
    count = components if kind == layout.SCALAR_LINEAR else 1
    return [
        start + lane // layout.LANES * width + lane % layout.LANES for lane in range(first, first + count)
    ]


def _aim(goals: npt.NDArray[np.int64], kind: int, first: int, track: PackedTrack, start: int) -> None:
    """Say where the results of a track's lanes go."""
    if kind == layout.SCALAR_LINEAR:
        place = track.index if track.kind is Kind.EXTRA else 10 * track.index + PLACES[track.kind]
        goals[first : first + track.components] = start + place + np.arange(track.components)
        return
    order = [0, 1, 2, 3]
    if kind == layout.CUBIC_ROTATION:  # the component that the keys leave out comes last
        order = [c for c in order if c != track.dropped] + [track.dropped]
    block = goals.reshape(-1, 4, layout.LANES)[first // layout.LANES]
    block[:, first % layout.LANES] = start + 10 * track.index + PLACES[track.kind] + np.array(order)


def _ranges(track: PackedTrack, row: npt.NDArray[np.int64], limits: FloatArray) -> None:
    """Bits of the components, and what a code stands for."""
    width = track.components
    row[layout.T_BITS : layout.T_BITS + width] = track.bits[:width]
    top = np.maximum(2.0 ** np.array(track.bits[:width]) - 1.0, 1.0)
    limits[layout.R_LOW : layout.R_LOW + width] = track.low
    limits[layout.R_EXTENT : layout.R_EXTENT + width] = track.extent / top
    if track.mode is Mode.CUBIC:
        bits = np.array(track.slope_bits[:width])
        row[layout.T_SLOPE_BITS : layout.T_SLOPE_BITS + width] = bits
        steep = np.where(bits > 0, track.slope.astype(np.float64), 0.0)
        limits[layout.R_SLOPE : layout.R_SLOPE + width] = -steep
        limits[layout.R_SLOPE_STEP : layout.R_SLOPE_STEP + width] = (
            2.0 * steep / np.maximum(2.0**bits - 1.0, 1.0)
        )
