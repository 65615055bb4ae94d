"""A clip whose keys are of all kinds: what verbs over time are tried on beside the even ones of `rigs`."""

from dataclasses import replace

import numpy as np

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.math import quat
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, quaternion_track, scalar_track

SWING, HEAD = Channel("upper_arm_l", Property.ROTATE, 2), Channel("head", Property.ROTATE, WHOLE)
DROP, FOOT = Channel("pelvis", Property.TRANSLATE, 1), Channel("foot_l", Property.ROTATE, 0)
WIDE = Channel("hand_l", Property.SCALE, 0)


def uneven(clip: Clip) -> Clip:
    """A clip that does not loop, with keys of all types and kinds, turns in one piece, and a length off the frames."""
    rows = np.random.default_rng(5)
    times = np.array([0.0, 0.2, 0.5, 0.55, 1.0, 1.4, 1.9])
    head = quat.continuous(quat.normalise(rows.normal(size=(7, 4))))
    kinds = [Interpolation.CUBIC, Interpolation.LINEAR, Interpolation.CONSTANT]
    swing = scalar_track(
        times[1:], rows.normal(size=6) * 20.0, interpolations=np.array([int(kinds[k % 3]) for k in range(6)])
    )
    swing = replace(swing, types=np.array([int(list(KeyType)[k % 5]) for k in range(6)], dtype=np.uint8))
    tracks = {
        HEAD: quaternion_track(times, head), SWING: swing, DROP: scalar_track(times[:4], rows.normal(size=4)),
        WIDE: scalar_track([0.4], [1.2]),
        FOOT: scalar_track([0.1, 1.0, 1.8], [4.0, -30.0, 12.0]),
    }  # fmt: skip
    return replace(clip.with_tracks(tracks), looping=False, length=2.05)
