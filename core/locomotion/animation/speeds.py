"""How fast a rig's clips go, measured, at every point of the blend spaces that play them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.arrays import FloatArray
from core.blending.blend_space import BlendSpace
from core.blending.measure import travel
from core.blending.weights import SpaceWeights
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.ids import AssetId
from core.ik.ground import find_feet
from core.locomotion.dampers import clamp
from core.math.transform import down_chain
from core.rig.rig import Rig
from core.rig.roles import rig_roles

CELLS = 4
"""Cells of the table between two samples of an axis."""
STILL = 0.05
"""m/s below which a clip's root stands, and its feet are measured instead."""
SAMPLES = 48
"""Times at which a clip's feet are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class SpeedTable:
    """Ways and lengths of a cycle over one or two axes; what lies between is linear.

    Parameters
    ----------
    axes : the places ``(n,)`` of each axis
    values : ``(n[, m], 3)`` metres to the right and ahead, and seconds of a cycle
    """

    axes: tuple[tuple[float, ...], ...]
    values: FloatArray

    def __call__(self, *point: float) -> tuple[float, float]:
        """Speed in m/s and direction in degrees, right positive, where the clips are blended at a point."""
        rows = self.values
        for axis, x in zip(self.axes, point, strict=False):
            x = clamp(x, axis[0], axis[-1])
            k = min(max(int(np.searchsorted(axis, x, side="right")) - 1, 0), len(axis) - 2)
            share = (x - axis[k]) / (axis[k + 1] - axis[k])
            rows = rows[k] * (1.0 - share) + rows[k + 1] * share
        right, ahead, seconds = rows.tolist()
        speed = float(np.hypot(right, ahead)) / seconds if seconds > 0.0 else 0.0
        return speed, float(np.degrees(np.arctan2(right, ahead))) if speed > 1e-6 else 0.0


def clip_way(rig: Rig, clip: Clip) -> tuple[float, float, float]:
    """Metres to the right and ahead, and seconds, of a clip's cycle; by its feet where its root stands."""
    found = travel(rig, clip)
    right, ahead = found.right, found.ahead
    if found.speed < STILL:
        right, ahead = feet_way(rig, clip)
    return right * clip.length, ahead * clip.length, clip.length


def feet_way(rig: Rig, clip: Clip) -> tuple[float, float]:
    """m/s to the right and ahead of a clip that walks on the spot: against its lower foot."""
    feet = find_feet(rig, rig_roles(rig))
    if len(feet) < 2 or clip.length <= 0.0:
        return 0.0, 0.0
    times = np.linspace(0.0, clip.length, SAMPLES + 1)
    places = down_chain(rig.skeleton.parents, sample_many(rig, clip, times, wrap=False).local).translation
    ankles = places[:, [rig.skeleton.index(foot.leg.end or "") for foot in feet]]
    speeds = np.diff(ankles, axis=0) * (SAMPLES / clip.length)
    low = np.argmin((ankles[:-1] + ankles[1:])[:, :, 1], axis=1)
    standing = speeds[np.arange(SAMPLES), low]
    if float(np.abs(standing).max()) < STILL:
        return 0.0, 0.0
    return float(np.median(standing[:, 0])), -float(np.median(standing[:, 2]))


def table_of(rig: Rig, space: BlendSpace, clips: Mapping[AssetId, Clip]) -> SpeedTable:
    """The table of a blend space on one or two axes."""
    ways = np.array(
        [
            np.array(clip_way(rig, clips[sample.clip])) * (1.0, 1.0, 1.0 / sample.rate)
            for sample in space.samples
        ]
    )
    axes = []
    for number, axis in enumerate(space.axes):
        stops = sorted({axis.kept(s.place[number]) for s in space.samples} | {axis.minimum, axis.maximum})
        fine = [np.linspace(a, b, CELLS, endpoint=False) for a, b in pairwise(stops)]
        axes.append(tuple(float(x) for x in np.concatenate([*fine, [stops[-1]]])))
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    weights = SpaceWeights(space)(points)
    return SpeedTable(tuple(axes), weights @ ways)


def table_of_clip(rig: Rig, clip: Clip) -> SpeedTable:
    """The table of a clip played alone."""
    way = np.array(clip_way(rig, clip))
    return SpeedTable(((0.0, 1.0),), np.stack([way, way]))
