"""Where clips are nearest to a pose, for getting up and the like.

Poses are compared by where bones are about the hips, turned about the vertical as fits best: so it counts for nothing
where in the world, on which height, and facing where, a pose is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles

STEP = 1.0 / 60.0
"""Seconds from one frame that is compared to the next."""
PARTS = ((Role.HIPS, 0), (Role.HEAD, 0), *((role, side) for side in (1, -1) for role in (
    Role.THIGH, Role.CALF, Role.FOOT, Role.UPPER_ARM, Role.LOWER_ARM, Role.HAND
)))  # fmt: skip
"""Parts of the body whose places are compared, where the rig has them."""


class Fit(NamedTuple):
    """The frame nearest to some places.

    Parameters
    ----------
    distance : metres, root mean square
    yaw : radians about +Y by which the frame is turned to fit
    """

    frame: int
    distance: float
    yaw: float


class PlaceIndex:
    """Frames of bones' places, to be asked which is nearest to others.

    Parameters
    ----------
    places : ``(F, K, 3)``, the hips first
    weights : ``(K,)`` how much each counts; None counts all alike
    """

    def __init__(self, places: FloatArray, weights: FloatArray | None = None) -> None:
        self._about = places - places[:, :1]
        self._weights = np.ones(places.shape[1]) if weights is None else np.asarray(weights, np.float64)
        self._own = np.einsum("k,fkx,fkx->f", self._weights, self._about, self._about)

    def nearest(self, places: FloatArray, among: BoolArray | None = None) -> Fit:
        """The frame nearest to places ``(K, 3)``; the first of equals.

        Parameters
        ----------
        among : ``(F,)`` the frames that count, one or more; None counts all
        """
        about = places - places[0]
        weighted = self._weights[:, None] * about
        x, y, z = (np.einsum("fk,k->f", self._about[..., axis], weighted[:, axis]) for axis in range(3))
        cross = np.einsum("fk,k->f", self._about[..., 2], weighted[:, 0])
        cross = cross - np.einsum("fk,k->f", self._about[..., 0], weighted[:, 2])
        dot = x + z
        costs = self._own + float(np.sum(weighted * about)) - 2.0 * (np.hypot(cross, dot) + y)
        if among is not None:
            costs = np.where(among, costs, np.inf)
        best = int(np.argmin(costs))
        mean = max(float(costs[best]), 0.0) / float(self._weights.sum())
        return Fit(best, float(np.sqrt(mean)), float(np.arctan2(cross[best], dot[best])))


class Moment(NamedTuple):
    """A time of a clip, seconds, and how far the bones are from the pose there: metres, root mean square."""

    clip: str
    time: float
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class PoseIndex:
    """Frames of some ranges of clips, to be asked by a pose.

    Parameters
    ----------
    moments : clip and seconds of each frame
    bones : numbers of the bones that are compared, the hips first, then the head
    """

    rig: Rig
    index: PlaceIndex
    moments: tuple[tuple[str, float], ...]
    bones: tuple[int, ...]

    def nearest(self, local: Transform, clip: str | None = None) -> Moment:
        """The frame nearest to a pose.

        Parameters
        ----------
        local : local transforms ``(B, k)``, of any place and facing
        clip : only frames of the clip of this name; None for all

        Raises
        ------
        ValidationError
            The pose is not finite, or no frame is of that clip.
        """
        places = down_chain(self.rig.skeleton.parents, local).translation[list(self.bones)]
        if not np.isfinite(places).all():
            raise ValidationError("search by pose: expected finite transforms")
        own = np.array([clip is None or name == clip for name, _ in self.moments])
        if not own.any():
            have = ", ".join(dict.fromkeys(name for name, _ in self.moments))
            raise ValidationError(f"search by pose: no frame is of the clip {clip!r}; there are: {have}")
        found = self.index.nearest(places, own)
        return Moment(*self.moments[found.frame], found.distance)


def pose_index(rig: Rig, ranges: Sequence[tuple[Clip, float, float]]) -> PoseIndex:
    """An index over ranges of clips, each from … to … seconds, both included.

    Raises
    ------
    ValidationError
        The rig's hips could not be told, or there is no range.
    """
    roles = rig_roles(rig)
    found = [roles.one(role, side) for role, side in PARTS]
    if found[0] is None or found[1] is None:
        raise ValidationError(
            f"search by pose: {rig.name} needs hips and a head that are told by name or choice"
        )
    if not ranges:
        raise ValidationError("search by pose: expected one range of a clip or more")
    bones = tuple(rig.skeleton.index(name) for name in found if name is not None)
    rows, moments = [], []
    for clip, first, last in ranges:
        count = max(round((min(last, clip.length) - first) / STEP), 0) + 1
        times = np.linspace(first, min(last, clip.length), count)
        model = down_chain(rig.skeleton.parents, sample_many(rig, clip, times, wrap=False).local)
        rows.append(model.translation[:, list(bones)])
        moments += [(clip.name, float(time)) for time in times]
    return PoseIndex(rig, PlaceIndex(np.concatenate(rows)), tuple(moments), bones)


def nearest_time(
    rig: Rig, clip: Clip, local: Transform, first: float = 0.0, last: float | None = None
) -> Moment:
    """The time of a clip, between two of its seconds, at which it is nearest to a pose ``(B, k)``; see `PoseIndex`."""
    return pose_index(rig, [(clip, first, clip.length if last is None else last)]).nearest(local)
