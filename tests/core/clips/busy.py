"""A figure with two sides, and clips for it in which every kind of key, curve, event and setting occurs."""

from dataclasses import replace
from functools import cache

import numpy as np

from core.clips.clip import WHOLE, Channel, Clip, Marker, Notify, Property, SyncMarker
from core.clips.contacts import with_contacts
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import MirrorSetup, Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import Extrapolation, TangentMode, columns, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

NAMES = ("root", "spine", "arm_l", "hand_l", "arm_r", "hand_r", "prop")
PARENTS = np.array([-1, 0, 1, 2, 1, 4, 3])
SETUP = MirrorSetup(0, ("root", "spine"), (("arm_l", "arm_r"), ("hand_l", "hand_r")))
LENGTH = 2.0
RATE = FrameRate.of(10)


@cache
def figure(seed: int = 3, scale: float = 1.0, plain: bool = False) -> Rig:
    """Odd axes and Euler orders; with `plain` no axes and one order, so that mirroring is a change of signs."""
    r = np.random.default_rng(seed)
    places = np.array([[0.1, 0.9, 0], [0, 0.4, 0], [0.2, 0.3, 0], [0.4, -0.1, 0.1], [-0.2, 0.3, 0],
                       [-0.4, -0.1, 0.1], [0.1, 0, 0.05]])  # fmt: skip
    turns = np.tile(quat.IDENTITY, (7, 1)) if plain else quat.normalise(r.normal(size=(7, 4)) + [0, 0, 0, 1])
    rest = Transform(places * scale, turns, np.ones((7, 3)) * (1.0 if plain else 1.1))
    orders = np.zeros(7, np.uint8) if plain else np.arange(7) % 6
    return Rig(AssetId("rig-1"), "figure", Skeleton(NAMES, PARENTS, rest, orders), SETUP)


@cache
def busy(seed: int = 1, looping: bool = False, kind: int | None = None, whole: bool = False) -> Clip:
    """Two seconds at ten frames a second.

    Parameters
    ----------
    kind : interpolation of all segments; None mixes them, with weights, modes and what is beyond the ends
    whole : whether every bone turns by quaternions; else those of the left side do
    """
    r = np.random.default_rng(seed)
    ends = (
        [Extrapolation.HOLD] * 2
        if looping or kind is not None
        else [Extrapolation.LINEAR, Extrapolation.CYCLE]
    )
    tracks = {}
    for number, bone in enumerate(NAMES[:6]):
        times = moments(r, number)
        size = len(times)
        codes = r.integers(0, 3, size) if kind is None else np.full(size, kind)
        for prop, spread in ((Property.TRANSLATE, 0.2), (Property.ROTATE, 40.0), (Property.SCALE, 0.1)):
            if prop is Property.ROTATE and (whole or bone.endswith("_l")):
                turns = quat.continuous(quat.normalise(r.normal(size=(size, 4)) + [0, 0, 0, 2.0]))
                made = quaternion_track(
                    times, turns, r.normal(size=(size, 4)), r.normal(size=(size, 4)), codes
                )
                tracks[Channel(bone, prop, WHOLE)] = typed(made, r)
                continue
            for axis in range(3 if prop is not Property.SCALE or number == 2 else 0):
                values = r.normal(size=size) * spread + (prop is Property.SCALE)
                values[-1] = values[0] if axis == 1 else values[-1]
                modes = (
                    r.integers(0, len(TangentMode), size)
                    if kind is None
                    else np.full(size, int(TangentMode.AUTO))
                )
                weights = r.uniform(0.1, 0.9, (2, size)) if kind is None and axis == 2 else (None, None)
                made = scalar_track(
                    times, values, r.normal(size=size) * spread, r.normal(size=size) * spread, codes, modes,
                    (weights[0], weights[1]), (ends[0], ends[1]),
                )  # fmt: skip
                if kind is not None:
                    made = with_tangents(made, LENGTH if looping else None)
                tracks[Channel(bone, prop, axis)] = typed(made, r)
    wave = with_tangents(scalar_track([0.0, 0.5, 1.25, 2.0], [0.0, 3.0, -1.0, 0.0]))
    clip = Clip(
        AssetId("clip-1"), "walk", AssetId("rig-1"), LENGTH, RATE, looping, tracks,
        {"speed": wave, "smile_l": scalar_track([0.3], [0.8])}, {"face/smile": wave, "face/wink_r": wave},
        notifies=(Notify("early", 0.25, 0.125), Notify("step_l", 0.9, 0.6), Notify("late", 1.75)),
        sync_markers=(SyncMarker("left", 0.5), SyncMarker("right", 1.5)),
        markers=(Marker("note", 1.0), Marker("end", 2.0)),
    )  # fmt: skip
    return with_contacts(clip, "contact_left_foot", [(0.5, 1.0), (1.6, 2.0)])


def moments(r: np.random.Generator, number: int) -> np.ndarray:
    """Key times: from end to end, on odd ones beyond both ends, or of one key alone."""
    inner = np.sort(r.choice(np.arange(1, 20), 4, replace=False)) / 10.0
    return [
        np.array([0.0, *inner, LENGTH]), np.array([0.0, *inner, LENGTH]) + 0.013,
        np.array([0.0, *inner, LENGTH]), np.array([-0.3, *inner, 2.45]), inner, np.array([0.7]),
    ][number]  # fmt: skip


def typed(track, r: np.random.Generator):
    """A track whose keys have types."""
    return replace(track, types=r.integers(0, 5, len(track.times)).astype(np.uint8))


def told(clip: Clip) -> tuple:
    """What a pin holds of a clip: all but ids and names; columns of all tracks in two rows, which are quick to hold."""
    words, whole, real = [], [np.zeros(0, np.int64)], [np.zeros(0)]
    bones = {f"{c.bone} {int(c.property)} {c.axis}": track for c, track in clip.tracks.items()}
    for name, track in [*bones.items(), *clip.curves.items(), *clip.morphs.items()]:
        words.append(f"{name}: {len(track)} {int(track.before)}{int(track.after)},")
        for column in columns(track):
            values = np.ravel(getattr(track, column))
            (real if values.dtype.kind == "f" else whole).append(values)
    return (
        clip.length, str(clip.rate.value), clip.looping, words, np.concatenate(whole), np.concatenate(real),
        clip.notifies, clip.sync_markers, clip.markers, clip.additive, clip.root_motion, clip.retarget_source,
    )  # fmt: skip
