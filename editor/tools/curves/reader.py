"""How quaternion channels are read and written as angles."""

from dataclasses import dataclass

import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel
from core.rig.skeleton import Skeleton
from core.tracks.components import Reading, set_angles, to_angles
from core.tracks.keys import QuaternionTrack
from editor.tools.curves.lanes import rest_of


@dataclass(frozen=True, slots=True)
class Reader:
    """How quaternion channels are read as angles."""

    skeleton: Skeleton | None
    reading: Reading = Reading.VECTOR

    def angles(self, track: QuaternionTrack, channel: Channel) -> FloatArray:
        """Angles ``(K, 3)`` in degrees at the keys."""
        rest, axis = rest_of(self.skeleton, channel.bone)
        return to_angles(track.values, rest, self.reading, axis)

    def put(
        self, track: QuaternionTrack, channel: Channel, keys: npt.ArrayLike, part: int, degrees: npt.ArrayLike
    ) -> QuaternionTrack:
        """The track with one angle of keys changed."""
        rest, axis = rest_of(self.skeleton, channel.bone)
        return set_angles(track, keys, part, degrees, rest, self.reading, axis)
