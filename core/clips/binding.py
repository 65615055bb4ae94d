"""A clip bound to a skeleton: which track drives which bone, curve or morph."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Clip, Property
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


def rest_degrees(skeleton: Skeleton) -> FloatArray:
    """Euler angles ``(B, 3)`` of the rest rotations, each in its bone's own order."""
    degrees = np.zeros((len(skeleton), 3))
    for order in np.unique(skeleton.euler_orders):
        rows = skeleton.euler_orders == order
        degrees[rows] = euler.from_quaternion(skeleton.rest.rotation[rows], int(order))
    return degrees
