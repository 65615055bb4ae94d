"""Baking: sampled poses turned into tracks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, constant
from core.clips.clip import WHOLE, Channel, Property
from core.errors import ValidationError
from core.math import euler, quat
from core.math.transform import Transform
from core.progress import checkpoint
from core.rig.skeleton import Skeleton
from core.tracks.keys import Interpolation, Track, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents


@dataclass(frozen=True, slots=True)
class BakeStyle:
    """What kind of keys baking makes.

    Parameters
    ----------
    euler_angles : rotations as three scalar tracks in the bone's own order, without jumps from
        key to key, instead of one quaternion track with signs that agree from key to key
    interpolation : of scalar tracks; cubic ones get automatic slopes. Quaternion tracks are
        linear, or constant where asked for
    looping_length : length of a looping clip, for the slopes at its seam
    """

    euler_angles: bool = False
    interpolation: Interpolation = Interpolation.LINEAR
    looping_length: float | None = None


PLAIN = BakeStyle()


def bake(
    skeleton: Skeleton,
    times: npt.ArrayLike,
    local: Transform,
    *,
    bones: Iterable[int] | None = None,
    properties: Sequence[Property] = tuple(Property),
    style: BakeStyle = PLAIN,
    rest_tolerance: float | None = 0.0,
) -> dict[Channel, Track]:
    """Tracks with a key at each time.

    Parameters
    ----------
    times : ``(T,)`` rising seconds
    local : sampled local transforms ``(T, B, k)``, for instance `PoseBatch.local`
    bones : numbers of the bones to bake; None is all
    properties : which properties to bake
    style : what kind of keys
    rest_tolerance : a property of a bone that stays within this of its rest value at all times
        gets no track; None bakes it all the same

    Raises
    ------
    ValidationError
        Shapes that disagree; times that do not rise (from the tracks).
    """
    at = np.asarray(times, dtype=np.float64)
    parts = tuple(np.asarray(part, dtype=np.float64) for part in local)
    for part, width in zip(parts, (3, 4, 3), strict=True):
        if part.shape != (len(at), len(skeleton), width):
            raise ValidationError(
                f"bake: expected transforms ({len(at)}, {len(skeleton)}, {width}), got {part.shape}"
            )
    at = np.array(at)
    at.flags.writeable = False
    chosen = list(range(len(skeleton)) if bones is None else bones)
    degrees = unrolled_degrees(skeleton, parts[1], chosen) if style.euler_angles else None
    tracks: dict[Channel, Track] = {}
    for row, bone in enumerate(chosen):
        checkpoint()
        name = skeleton.names[bone]
        for prop in properties:
            if rest_tolerance is not None and _rests(skeleton, prop, bone, parts[prop], rest_tolerance):
                continue
            if prop is Property.ROTATE and degrees is None:
                kind = min(style.interpolation, Interpolation.LINEAR)
                values = quat.continuous(parts[1][:, bone])
                tracks[Channel(name, prop, WHOLE)] = quaternion_track(at, values, interpolations=kind)
                continue
            columns = (
                degrees[:, row] if prop is Property.ROTATE and degrees is not None else parts[prop][:, bone]
            )
            for axis in range(3):
                track = scalar_track(at, _settled(columns[:, axis]), interpolations=style.interpolation)
                if style.interpolation is Interpolation.CUBIC:
                    track = with_tangents(track, style.looping_length)
                tracks[Channel(name, prop, axis)] = track
    return tracks


def _settled(column: FloatArray) -> FloatArray:
    """A column to keep: no view of a larger array, and no memory where all values are one."""
    if len(column) and (column == column[0]).all():
        return constant(float(column[0]), len(column))
    kept: FloatArray = np.array(column)
    kept.flags.writeable = False
    return kept


def _rests(skeleton: Skeleton, prop: Property, bone: int, values: FloatArray, tolerance: float) -> bool:
    rest = skeleton.rest[prop][bone]
    sampled = values[:, bone]
    if prop is Property.ROTATE:
        sampled = quat.aligned(sampled, rest)
    return bool((np.abs(sampled - rest) <= tolerance).all())


def unrolled_degrees(skeleton: Skeleton, rotations: FloatArray, bones: Sequence[int]) -> FloatArray:
    """Euler angles ``(T, N, 3)`` of local rotations ``(T, B, 4)``, free of jumps along time.

    Each bone in its own order. The first key stays nearest the rest pose's angles.
    """
    result = np.zeros((len(rotations), len(bones), 3))
    orders = skeleton.euler_orders[list(bones)]
    for order in np.unique(orders):
        rows = np.flatnonzero(orders == order).tolist()
        chosen = [bones[row] for row in rows]
        reference = euler.from_quaternion(skeleton.rest.rotation[chosen], int(order))
        angles = euler.from_quaternion(rotations[:, chosen], int(order))
        result[:, rows] = _unrolled(angles, rotations[:, chosen], reference, int(order))
    return result


def _unrolled(angles: FloatArray, q: FloatArray, reference: FloatArray, order: int) -> FloatArray:
    """Each row the equivalent nearest to the one before, for all bones at once."""
    j = euler.SEQUENCE[order][1]
    locked = np.abs(np.cos(np.radians(angles[..., j]))) < 1e-5
    previous = reference
    for index in range(len(angles)):
        checkpoint()
        row = angles[index]
        twin = row + 180.0
        twin[:, j] = 180.0 - row[:, j]
        options = np.stack((row, twin))
        options -= 360.0 * np.round((options - previous) / 360.0)
        change = np.abs(options - previous).sum(axis=2)
        row = np.where((change[1] < change[0] - 1e-9)[:, None], options[1], options[0])
        if locked[index].any():
            row[locked[index]] = euler.nearest(q[index][locked[index]], order, previous[locked[index]])
        angles[index] = previous = row
    return angles
