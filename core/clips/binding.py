"""A clip bound to a skeleton: which track drives which bone, curve or morph."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, distinct
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.math import euler
from core.rig.skeleton import Skeleton
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track


class BoneTracks(NamedTuple):
    """The tracks of one bone, by property; each scalar one with its axis."""

    bone: int
    translate: tuple[tuple[int, ScalarTrack], ...]
    turn: tuple[tuple[int, ScalarTrack], ...]
    scale: tuple[tuple[int, ScalarTrack], ...]
    whole: QuaternionTrack | None


class Extra(NamedTuple):
    """A float beside the bones: a named curve or a morph weight, with its value where no track is."""

    name: str
    is_morph: bool
    track: ScalarTrack | None
    default: float


class Place(NamedTuple):
    """What a track drives: a bone's property along an axis, or (bone −1) an extra's row."""

    bone: int
    property: Property
    axis: int
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A clip's tracks sorted by what they drive in a skeleton; bones that it lacks are left out.

    Parameters
    ----------
    bones : one entry a bone that has tracks
    extras : curves first, then morphs
    rest_degrees : ``(B, 3)`` Euler angles of the rest rotations in the bones' own orders
    tracks, places : every track that drives something, and what it drives
    """

    skeleton: Skeleton
    bones: tuple[BoneTracks, ...]
    extras: tuple[Extra, ...]
    rest_degrees: FloatArray
    tracks: tuple[Track, ...]
    places: tuple[Place, ...]


def _driven(bones: Iterable[BoneTracks]) -> Iterator[tuple[Track, Place]]:
    for entry in bones:
        for prop, scalars in zip(Property, (entry.translate, entry.turn, entry.scale), strict=True):
            for axis, track in scalars:
                yield track, Place(entry.bone, prop, axis, 0)
        if entry.whole is not None:
            yield entry.whole, Place(entry.bone, Property.ROTATE, WHOLE, 0)


def bind(
    skeleton: Skeleton, clip: Clip, defaults: Mapping[str, float], degrees: FloatArray | None
) -> Binding:
    """Sort a clip's tracks by what they drive.

    Parameters
    ----------
    defaults : morph channel → weight where the clip has no track for it
    degrees : `Binding.rest_degrees`, where known from an earlier binding
    """
    scalars: dict[int, tuple[list[tuple[int, ScalarTrack]], ...]] = {}
    whole: dict[int, QuaternionTrack] = {}
    for channel, track in clip.tracks.items():
        bone = skeleton.find(channel.bone)
        if bone is None:
            continue
        if isinstance(track, QuaternionTrack):
            whole[bone] = track
            scalars.setdefault(bone, ([], [], []))
        else:
            scalars.setdefault(bone, ([], [], []))[channel.property].append((channel.axis, track))
    bones = tuple(
        BoneTracks(bone, tuple(parts[0]), tuple(parts[1]), tuple(parts[2]), whole.get(bone))
        for bone, parts in scalars.items()
    )
    extras = [Extra(name, False, track, 0.0) for name, track in clip.curves.items()]
    extras += [Extra(name, True, track, 0.0) for name, track in clip.morphs.items()]
    extras += [
        Extra(name, True, None, weight) for name, weight in defaults.items() if name not in clip.morphs
    ]
    driven = [*_driven(bones)]
    driven += [
        (extra.track, Place(-1, Property.TRANSLATE, 0, row))
        for row, extra in enumerate(extras)
        if extra.track is not None
    ]
    return Binding(
        skeleton,
        bones,
        tuple(extras),
        rest_degrees(skeleton) if degrees is None else degrees,
        tuple(track for track, _ in driven),
        tuple(place for _, place in driven),
    )


def rebound(known: Binding, before: Clip, after: Clip) -> Binding | None:
    """What `bind` gives for an edited clip, made from the binding of the clip before: at the cost of what changed.

    None where the clips have other channels, curves or morphs, or tracks of another kind: then bind anew.
    """
    if list(before.tracks) != list(after.tracks):
        return None
    for old_side, new_side in ((before.curves, after.curves), (before.morphs, after.morphs)):
        if list(old_side) != list(new_side):
            return None
        if any(old is not new for old, new in zip(old_side.values(), new_side.values(), strict=True)):
            return None
    changed: set[int | None] = set()
    for (channel, new), old in zip(after.tracks.items(), before.tracks.values(), strict=True):
        if new is not old:
            if type(new) is not type(old):
                return None
            changed.add(known.skeleton.find(channel.bone))
    bones, tracks, start = list(known.bones), list(known.tracks), 0
    for number, entry in enumerate(known.bones):
        count = len(entry.translate) + len(entry.turn) + len(entry.scale) + (entry.whole is not None)
        if entry.bone in changed:
            bones[number] = fresh = _refilled(entry, known.skeleton.names[entry.bone], after.tracks)
            tracks[start : start + count] = [track for track, _ in _driven((fresh,))]
        start += count
    return Binding(
        known.skeleton, tuple(bones), known.extras, known.rest_degrees, tuple(tracks), known.places
    )


def _refilled(entry: BoneTracks, name: str, tracks: Mapping[Channel, Track]) -> BoneTracks:
    """One bone's tracks as they are now."""

    def scalars(
        prop: Property, known: tuple[tuple[int, ScalarTrack], ...]
    ) -> tuple[tuple[int, ScalarTrack], ...]:
        now = ((axis, tracks[Channel(name, prop, axis)]) for axis, _ in known)
        return tuple((axis, track) for axis, track in now if isinstance(track, ScalarTrack))

    whole = None if entry.whole is None else tracks[Channel(name, Property.ROTATE, WHOLE)]
    return BoneTracks(
        entry.bone,
        scalars(Property.TRANSLATE, entry.translate),
        scalars(Property.ROTATE, entry.turn),
        scalars(Property.SCALE, entry.scale),
        whole if isinstance(whole, QuaternionTrack) else None,
    )


def rest_degrees(skeleton: Skeleton) -> FloatArray:
    """Euler angles ``(B, 3)`` of the rest rotations, each in its bone's own order."""
    degrees = np.zeros((len(skeleton), 3))
    for order in distinct(skeleton.euler_orders):
        rows = skeleton.euler_orders == order
        degrees[rows] = euler.from_quaternion(skeleton.rest.rotation[rows], int(order))
    return degrees
