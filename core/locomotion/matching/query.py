"""The query of a search: features of the present pose, and of the path that the controller predicts."""

import math
from typing import NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.locomotion.input import Input
from core.locomotion.matching.database import Database
from core.locomotion.matching.features import POSE, TIMES
from core.locomotion.predict import predicted
from core.locomotion.setup import H, Setup
from core.locomotion.state import State
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig

STEADY = 1e-3
"""m/s and degrees in a step under which a predicted path goes straight on."""


class Root(NamedTuple):
    """Where the root of a matched pose is: x and z in metres, yaw in degrees."""

    x: float
    z: float
    yaw: float


def path_features(
    setup: Setup, body: State, given: Input, root: Root
) -> tuple[FloatArray, tuple[float, float]]:
    """Features ``(12,)`` of the path from a root on, not weighted, and the velocity x, z at its first place."""
    path = predicted(setup, body, given, max(TIMES), STEADY)
    s, c = math.sin(math.radians(root.yaw)), math.cos(math.radians(root.yaw))
    places, facings = [], []
    for ahead in TIMES:
        x, z = float(path.places[ahead, 0]) - root.x, float(path.places[ahead, 1]) - root.z
        places += [c * x - s * z, s * x + c * z]
        turned = math.radians(float(path.yaws[ahead]) - root.yaw)
        facings += [math.sin(turned), math.cos(turned)]
    vx, vz = path.velocities[TIMES[0]].tolist()
    return np.array(places + facings), (vx, vz)


def pose_features(
    database: Database,
    rig: Rig,
    shown: FloatArray,
    before: FloatArray | None,
    velocity: tuple[float, float, float],
) -> FloatArray:
    """Features ``(15,)`` of a pose in the character's space, not weighted.

    Parameters
    ----------
    shown, before : rows of the pose and of that a step earlier, None where it is not known
    velocity : of the character in its own space: x, z in m/s, and radians a second to the left
    """
    now = points_of(database, rig, shown)
    earlier = now if before is None else points_of(database, rig, before)
    vx, vz, turn = velocity
    speeds = (now - earlier) / H
    speeds = speeds + np.stack([vx + turn * now[:, 2], np.zeros(len(now)), vz - turn * now[:, 0]], axis=1)
    return np.concatenate([now[1:].ravel(), speeds[1:].ravel(), speeds[0]])


def points_of(database: Database, rig: Rig, row: FloatArray) -> FloatArray:
    """Hips and feet ``(3, 3)`` of a row of a pose, model space."""
    bones = len(rig.skeleton)
    local = Transform(
        row[: 3 * bones].reshape(bones, 3), row[3 * bones : 7 * bones].reshape(bones, 4),
        row[7 * bones : 10 * bones].reshape(bones, 3),
    )  # fmt: skip
    body = database.body
    found: FloatArray = down_chain(rig.skeleton.parents, local).translation[[body.hips, *body.feet]]
    return found


def query(database: Database, pose: FloatArray | Float32Array, path: FloatArray) -> Float32Array:
    """A query of weighted pose features (32 bit) or plain ones (64 bit), and plain features of a path."""
    scaling = database.scaling
    made = np.empty(POSE + len(path), dtype=np.float32)
    if pose.dtype == np.float32:
        made[:POSE] = pose[:POSE]
    else:
        made[:POSE] = (pose - scaling.mean[:POSE]) * scaling.scale[:POSE]
    made[POSE:] = (path - scaling.mean[POSE:]) * scaling.scale[POSE:]
    return made
