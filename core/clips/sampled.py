"""What sampling a clip gives: batches of poses, and where playback stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.arrays import FloatArray
from core.ids import AssetId
from core.math.transform import Transform
from core.pose.output import Playback
from core.pose.pose import Pose


@dataclass(frozen=True, slots=True, eq=False)
class PoseBatch:
    """Local transforms of every bone at many times; the arrays belong to the caller.

    Parameters
    ----------
    rig : id of the rig
    times : ``(T,)`` seconds as asked for
    translations, rotations, scales : ``(T, B, 3)`` metres, ``(T, B, 4)`` unit quaternions, ``(T, B, 3)``
    curves, morphs : name → ``(T,)``
    """

    rig: AssetId
    times: FloatArray
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    curves: Mapping[str, FloatArray] = field(default_factory=dict)
    morphs: Mapping[str, FloatArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def local(self) -> Transform:
        """The three arrays as one `Transform` ``(T, B, k)``."""
        return Transform(self.translations, self.rotations, self.scales)

    def with_local(self, local: Transform) -> "PoseBatch":
        """The same moments with other local transforms ``(T, B, k)``."""
        return PoseBatch(self.rig, self.times, *local, self.curves, self.morphs)

    def pose(self, index: int) -> Pose:
        """One of the poses (copies)."""
        return Pose(
            self.rig,
            np.array(self.translations[index]),
            np.array(self.rotations[index]),
            np.array(self.scales[index]),
            {name: float(values[index]) for name, values in self.curves.items()},
            {name: float(values[index]) for name, values in self.morphs.items()},
        )


def playback_at(length: float, looping: bool, time: float, stopped: bool = False) -> Playback:
    """Where playback that started at 0 stands after `time` seconds.

    Exactly at the end of a turn a looping clip shows the first frame, for it goes on; with
    `stopped` it shows the end frame. A clip that does not loop stays within 0..length.
    """
    if length <= 0.0:
        return Playback(0.0, 0.0, 0.0, 0)
    if not looping:
        position = min(max(time, 0.0), length)
        return Playback(length, position, position / length, 0)
    loops = int(np.floor(time / length))
    position = time - loops * length
    if position >= length:
        loops, position = loops + 1, 0.0
    elif position < 0.0:
        position = 0.0
    if stopped and position == 0.0 and time > 0.0:
        loops, position = loops - 1, length
    return Playback(length, position, position / length, loops)
