"""Where a clip is nearest to a pose: the search of motion matching without a path, for getting up and the like.

Poses are compared by where bones are, in a frame on the ground under the hips that faces as the body lies or stands:
from the hips to the head seen from above where it lies, else as the hips face. So it counts for nothing where in the
world, and facing where, a pose is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.locomotion.matching.search import Index, make_index, nearest
from core.locomotion.setup import H
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles

PARTS = ((Role.HIPS, 0), (Role.HEAD, 0), *((role, side) for side in (1, -1) for role in (
    Role.THIGH, Role.CALF, Role.FOOT, Role.UPPER_ARM, Role.LOWER_ARM, Role.HAND
)))  # fmt: skip
"""Parts of the body whose places are compared, where the rig has them."""
LIES = 0.7
"""Share of the way from hips to head that is level from which a body lies."""


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
    index: Index
    moments: tuple[tuple[str, float], ...]
    bones: tuple[int, ...]
    _hips_inverse: FloatArray

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
        row = _features(self.rig, Transform(*(part[None] for part in local)), self.bones, self._hips_inverse)[
            0
        ]
        if not np.isfinite(row).all():
            raise ValidationError("search by pose: expected finite transforms")
        own = np.array([clip is None or name == clip for name, _ in self.moments])
        if not own.any():
            have = ", ".join(dict.fromkeys(name for name, _ in self.moments))
            raise ValidationError(f"search by pose: no frame is of the clip {clip!r}; there are: {have}")
        edges = np.flatnonzero(np.diff(np.concatenate([[False], own, [False]]).astype(np.int64)))
        spans = np.ascontiguousarray(edges.reshape(-1, 2), dtype=np.int64)
        found = nearest(self.index, row.astype(np.float32), spans)
        name, time = self.moments[found.frame]
        return Moment(name, time, float(np.sqrt(found.cost / len(self.bones))))


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
    rest = down_chain(rig.skeleton.parents, rig.skeleton.rest).rotation[bones[0]]
    inverse = quat.conjugate(rest)
    rows, moments = [], []
    for clip, first, last in ranges:
        count = max(round((min(last, clip.length) - first) / H), 0) + 1
        times = np.linspace(first, min(last, clip.length), count)
        rows.append(_features(rig, sample_many(rig, clip, times, wrap=False).local, bones, inverse))
        moments += [(clip.name, float(time)) for time in times]
    return PoseIndex(rig, make_index(np.concatenate(rows)), tuple(moments), bones, inverse)


def nearest_time(
    rig: Rig, clip: Clip, local: Transform, first: float = 0.0, last: float | None = None
) -> Moment:
    """The time of a clip, between two of its seconds, at which it is nearest to a pose ``(B, k)``; see `PoseIndex`."""
    return pose_index(rig, [(clip, first, clip.length if last is None else last)]).nearest(local)


def _features(rig: Rig, local: Transform, bones: tuple[int, ...], hips_inverse: FloatArray) -> FloatArray:
    """Places ``(T, 3 K)`` of bones under the hips, facing as the body does; the heights are those over the ground."""
    model = down_chain(rig.skeleton.parents, local)
    places = model.translation[:, bones]
    up = places[:, 1] - places[:, 0]
    flat = np.hypot(up[:, 0], up[:, 2])
    ahead = quat.rotate(quat.multiply(model.rotation[:, bones[0]], hips_inverse), np.array([0.0, 0.0, 1.0]))
    lies = flat > LIES * np.maximum(np.linalg.norm(up, axis=1), 1e-9)
    x, z = np.where(lies, up[:, 0], ahead[:, 0]), np.where(lies, up[:, 2], ahead[:, 2])
    size = np.maximum(np.hypot(x, z), 1e-9)
    s, c = x / size, z / size
    about = places - places[:, :1] * (1.0, 0.0, 1.0)
    turned = np.stack(
        [
            c[:, None] * about[..., 0] - s[:, None] * about[..., 2],
            about[..., 1],
            s[:, None] * about[..., 0] + c[:, None] * about[..., 2],
        ],
        axis=-1,
    )
    return turned.reshape(len(places), -1)
