"""Small clips that the blending tests play."""

from typing import Any

import numpy as np

from core.clips.clip import Channel, Clip, Property, RootMotion, SyncMarker
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Interpolation, scalar_track

NAMES = ("root", "spine", "arm", "hand")
RIG = Rig(
    AssetId("rig-1"),
    "figure",
    Skeleton(
        NAMES,
        np.array([-1, 0, 1, 2]),
        Transform(
            np.array([[0, 0, 0], [0, 1, 0], [0, 0.5, 0], [0, 0.4, 0.0]]),
            np.tile(quat.IDENTITY, (4, 1)),
            np.ones((4, 3)),
        ),
    ),
    masks={"upper": {"arm": 0.5, "hand": 1.0}},
)


def walking(
    name: str, length: float, speed: float, markers: tuple[tuple[str, float], ...] = (), **more: Any
) -> Clip:
    """A loop that walks along +Z at `speed` m/s and swings its arm once; markers as (name, time)."""
    swing = np.linspace(0.0, length, 9)
    return Clip(
        AssetId(f"clip-{name}"),
        name,
        RIG.id,
        length,
        looping=True,
        tracks={
            Channel("root", Property.TRANSLATE, 2): scalar_track(
                [0.0, length], [0.0, speed * length], interpolations=Interpolation.LINEAR
            ),
            Channel("arm", Property.ROTATE, 0): scalar_track(
                swing, 40.0 * speed * np.sin(2 * np.pi * swing / length), interpolations=Interpolation.LINEAR
            ),
        },
        curves={"speed": scalar_track([0.0], [speed])},
        sync_markers=tuple(SyncMarker(n, t) for n, t in markers),
        root_motion=RootMotion(enabled=True),
        **more,
    )
