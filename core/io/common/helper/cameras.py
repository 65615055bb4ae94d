"""Cameras out of a helper's packet."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.ids import new_id
from core.io.common.cameras import lenses_of, world_camera
from core.io.common.helper.packet import Packet
from core.io.common.naming import unique_names
from core.io.report import ImportReport
from core.math import quat
from core.math.transform import Transform, to_matrix
from core.rig.rig import SourceFrame
from core.shot.camera import ShotCamera
from core.timing import FrameRate

SENSOR_HEIGHT = 24.0


def read_cameras(
    packet: Packet, source: SourceFrame, ahead: FloatArray, report: ImportReport
) -> list[ShotCamera]:
    """The cameras that a helper collected, in our unit and axes.

    Parameters
    ----------
    ahead : quaternion from a camera as we know it (it looks along −Z, +Y up) to one of the format
    """
    told = packet.told.get("cameras", [])
    names = unique_names([str(one["name"]).strip() or "camera" for one in told])
    made = []
    for one, name in zip(told, names, strict=True):
        try:
            made.append(_camera(packet, one, name, source, ahead))
        except ValidationError as error:
            report.leave_out(f"camera {name!r} ({error})")
            continue
        if one.get("others"):
            takes = ", ".join(repr(take) for take in one["others"])
            report.leave_out(f"motion of camera {name!r} in {takes}; that in {one['take']!r} was imported")
        if one.get("aimed"):
            report.warn(
                f"camera {name!r} is aimed at another node in the file; its own rotation was imported"
            )
    return made


def _camera(
    packet: Packet, told: dict[str, Any], name: str, source: SourceFrame, ahead: FloatArray
) -> ShotCamera:
    key, metres = told["key"], source.metres_per_unit
    times, fovs = packet.array(f"{key}.times"), packet.array(f"{key}.fov")
    turn = to_matrix(Transform(np.zeros(3), source.to_y_up, np.ones(3)))
    world = turn @ packet.array(f"{key}.world") @ to_matrix(Transform(np.zeros(3), ahead, np.ones(3)))
    world[:, :3, 3] *= metres
    camera = ShotCamera(new_id("camera"), name)
    rate = told["rate"] if 0.01 < told["rate"] < 10000 else 24.0
    near, far = told["near"] * metres, told["far"] * metres
    if np.isfinite([near, far]).all() and 0.0 < near < far:
        camera = replace(camera, near=near, far=far)
    if told["height"] > 0.0:
        sensor = (SENSOR_HEIGHT * (told["aspect"] or 16.0 / 9.0), SENSOR_HEIGHT)
        camera = replace(camera, sensor=sensor, height=told["height"] * metres)
        return world_camera(camera, world, np.full(len(times), camera.lens), times, FrameRate.of(rate))
    if not ((fovs > 0.0) & (fovs < 180.0)).all():
        raise ValidationError(f"its field of view is {fovs[0].tolist()} degrees")
    across, down = np.tan(np.radians(fovs[0]) / 2.0)
    # Where a format tells apertures, it tells them in tenths of the scene's unit; many writers mean millimetres.
    told_height = float(told.get("sensor", 0.0))
    sizes = (told_height * metres * 100.0, told_height, SENSOR_HEIGHT)
    height = next(size for size in sizes if 1.0 <= size <= 500.0)
    camera = replace(camera, sensor=(height * float(across / down), height))
    lenses = lenses_of(np.radians(fovs[:, 1]), height)
    return world_camera(camera, world, lenses, times, FrameRate.of(rate))


Y_AHEAD = quat.IDENTITY
"""Of formats whose cameras look along −Z with +Y up, as ours do."""
X_AHEAD = quat.from_matrix(np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
"""Of FBX, whose cameras look along +X."""
