"""Where ``posewright render`` looks from: a named side, or a camera described in a small JSON file."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.cli.common import UsageError
from core.errors import AnimError
from core.json_text import parse_object
from core.json_values import Value
from editor.gl.camera import Camera, Size, View, dolly, frame

MARGIN = 0.05
"""Metres around the character that are shown, too."""
SIDES = {
    "front": View.FRONT.value,
    "back": View.BACK.value,
    "left": View.LEFT.value,
    "right": View.RIGHT.value,
    "top": View.TOP.value,
    "three-quarter": (Camera().yaw, Camera().pitch),
}
"""Yaw and pitch; *left* and *right* are the character's."""
FIELDS = {"target", "distance", "yaw", "pitch", "fov", "orthographic"}


def cameras(
    name: str, heads: list[FloatArray], bodies: list[FloatArray], size: Size, follow: bool, zoom: float
) -> list[Camera]:
    """The camera of each picture.

    Parameters
    ----------
    name : one of `SIDES`, or the path of a file (see `read_camera`)
    heads : ``(B, 3)`` world places of the bones, of each picture
    bodies : ``(V, 3)`` what else of each picture is to be seen; empty for some of them does
    size : of a picture, pixels
    follow : move along with the character over the ground
    zoom : above 1 nearer

    Raises
    ------
    UsageError
        An unknown side that is no file, or a file that is no camera.
    """
    ways = [_ground(places) for places in heads]
    moved = [way - ways[0] if follow else np.zeros(3) for way in ways]
    points = np.concatenate(
        [places - way for seen in (heads, bodies) for places, way in zip(seen, moved, strict=True)]
    )
    base = _base(name, points, size)
    base = dolly(base, 1.0 / zoom, size)
    return [_shifted(base, way) for way in moved]


def _base(name: str, points: FloatArray, size: Size) -> Camera:
    if name in SIDES:
        yaw, pitch = SIDES[name]
        return frame(
            Camera(yaw=yaw, pitch=pitch), points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN, size
        )
    path = Path(name)
    if not path.is_file():
        raise UsageError(
            f"--camera: expected {', '.join(SIDES)}, a camera of the document, or a file, got {name!r}"
        )
    camera, framed = read_camera(path)
    if framed:
        return frame(camera, points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN, size)
    return camera


def read_camera(path: Path) -> tuple[Camera, bool]:
    """A camera of a JSON file, and whether it is left to us to stand so that the whole character is seen.

    An object of ``target`` ``[x, y, z]`` and ``distance`` (metres, +Y up; both left out: the whole character
    is framed), ``yaw``, ``pitch`` and ``fov`` (degrees; yaw 0 from in front, 90 from +X) and ``orthographic``.

    Raises
    ------
    UsageError
        What is wrong with it, and where.
    """
    try:
        value = Value(parse_object(path.read_bytes(), path, "camera"), "", path)
        unknown = sorted(set(value.names()) - FIELDS)
        if unknown:
            raise value.error(f"expected {', '.join(sorted(FIELDS))}", unknown[0][:40])
        plain = Camera()
        x, y, z = value.floats("target", 3, list(plain.target)).tolist()
        camera = Camera(
            (x, y, z), _radians(value, "yaw", plain.yaw), _radians(value, "pitch", plain.pitch),
            value.number("distance", plain.distance), _radians(value, "fov", plain.fov),
            value.flag("orthographic"),
        )  # fmt: skip
        if value.number("distance", 1.0) <= 0.0:
            raise value.error("expected a distance above 0", "distance")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except AnimError as error:
        raise UsageError(str(error)) from error
    return camera, not (value.has("target") or value.has("distance"))


def _radians(value: Value, key: str, default: float) -> float:
    return math.radians(value.number(key, math.degrees(default)))


def _ground(heads: FloatArray) -> FloatArray:
    """Where a character is over the ground: the middle of its bones, smooth enough to travel with."""
    middle = heads.mean(axis=0)
    return np.array([middle[0], 0.0, middle[2]])


def _shifted(camera: Camera, way: FloatArray) -> Camera:
    x, y, z = (float(a + b) for a, b in zip(camera.target, way, strict=True))
    return replace(camera, target=(x, y, z))
