"""Rigs and clips for tests, from a seed."""

import numpy as np

from core.clips.clip import WHOLE, Channel, Clip, Property, RootMotion
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Extrapolation, Interpolation, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

RIG = AssetId("rig-1")


def rotations(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return quat.normalise(rng.normal(size=(*shape, 4)))


def rig(bones: int = 5, seed: int = 0, even: bool = True) -> Rig:
    """A rig with bones in every Euler order, and scales that are even or not."""
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(max(0, b - 3), b)) for b in range(1, bones))]
    scale = np.ones((bones, 3)) if even else rng.uniform(0.5, 2.0, (bones, 3))
    rest = Transform(rng.normal(size=(bones, 3)), rotations(rng, bones), scale)
    orders = np.arange(bones) % 6
    return Rig(
        RIG, "rig", Skeleton(tuple(f"b{b}" for b in range(bones)), np.array(parents[:bones]), rest, orders)
    )


def clip(
    bones: int = 5, length: float = 2.0, looping: bool = False, seed: int = 0, wild: bool = False, **more
) -> Clip:
    """Scalar tracks on even bones, quaternion tracks on odd ones.

    `wild` mixes interpolations, weights, key times and extrapolations.
    """
    rng = np.random.default_rng(seed)
    shared = np.linspace(0.0, length, 6)
    tracks = {}
    for b in range(bones):
        for prop in Property:
            if prop is Property.ROTATE and b % 2:
                tracks[Channel(f"b{b}", prop, WHOLE)] = turning(rng, times(rng, shared, wild), wild)
                continue
            for axis in range(3):
                if wild and rng.random() < 0.2:
                    continue
                tracks[Channel(f"b{b}", prop, axis)] = moving(rng, times(rng, shared, wild), wild, prop)
    curves = {"effort": scalar_track(shared, rng.normal(size=6)), "blink": scalar_track([0.3], [0.8])}
    return Clip(
        AssetId("clip-1"), "clip", RIG, length, looping=looping, tracks=tracks, **({"curves": curves} | more)
    )


def times(rng: np.random.Generator, shared: np.ndarray, wild: bool) -> np.ndarray:
    if not wild or rng.random() < 0.3:
        return shared
    count = int(rng.integers(1, 8))
    return np.cumsum(rng.uniform(0.02, 0.5, count)) - rng.uniform(0.0, 0.3)


def ends(rng: np.random.Generator, wild: bool) -> tuple[Extrapolation, Extrapolation]:
    if not wild:
        return Extrapolation.HOLD, Extrapolation.HOLD
    before, after = (Extrapolation(int(n)) for n in rng.integers(0, len(Extrapolation), 2))
    return before, after


def moving(rng: np.random.Generator, at: np.ndarray, wild: bool, prop: Property):
    scale, base = ((0.5, 0.0), (60.0, 0.0), (0.2, 1.0))[prop]
    count = len(at)
    values = base + scale * rng.normal(size=count)
    if not wild:
        return with_tangents(scalar_track(at, values))
    weighted = rng.random() < 0.5
    return scalar_track(
        at,
        values,
        scale * rng.normal(size=count),
        scale * rng.normal(size=count),
        rng.integers(0, 3, count),
        weights=(rng.random(count) if weighted else None, rng.random(count) if weighted else None),
        beyond=(ends(rng, wild)[0], ends(rng, wild)[1]),
    )


def turning(rng: np.random.Generator, at: np.ndarray, wild: bool):
    count = len(at)
    kinds = rng.integers(0, 3, count) if wild else Interpolation.LINEAR
    before, after = ends(rng, wild)
    return quaternion_track(
        at,
        rotations(rng, count),
        rng.normal(size=(count, 4)),
        rng.normal(size=(count, 4)),
        kinds,
        before=before,
        after=after,
    )


def walk(yaw: bool = True, looping: bool = True, **settings) -> Clip:
    """A root that goes, rises, turns and leans; it does not come back, so the seam jumps."""
    at = np.array([0.0, 0.4, 1.1, 1.5])
    columns = {
        (Property.TRANSLATE, 0): [0.2, 0.4, 0.1, 0.5],
        (Property.TRANSLATE, 1): [1.0, 1.1, 0.9, 1.2],
        (Property.TRANSLATE, 2): [-0.3, 0.5, 1.0, 1.6],
        (Property.ROTATE, 0): [5.0, -10.0, 8.0, 3.0],
        (Property.ROTATE, 1): [20.0, 50.0, 90.0, 75.0],
        (Property.ROTATE, 2): [0.0, 6.0, -4.0, 2.0],
    }
    tracks = {Channel("b0", p, a): with_tangents(scalar_track(at, v)) for (p, a), v in columns.items()}
    settings = {"enabled": True, "yaw": yaw, **settings}
    return Clip(
        AssetId("clip-2"),
        "walk",
        RIG,
        1.5,
        looping=looping,
        tracks=tracks,
        root_motion=RootMotion(**settings),
    )
