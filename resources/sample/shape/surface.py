"""The mannequin's surface: made from the body's field once, then kept in a file beside this one.

Making it takes about a minute, and the last digits may differ from machine to machine, so the build reads
the stored surface. ``python -m resources.sample.shape.surface`` makes it anew after a change of the shape.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from resources.sample.shape.bands import cut_bands
from resources.sample.shape.body import body_field
from resources.sample.shape.fields import Array
from resources.sample.shape.nets import half_surface
from resources.sample.shape.remesh import Index, gradient, remeshed
from resources.sample.shape.sizing import edge_length

FILE = Path(__file__).with_name("surface.npz")
GRID_STEP = 0.004
SOURCES = ("fields", "torso", "limbs", "body", "nets", "sizing", "remesh", "bands", "surface")


@dataclass(frozen=True, slots=True)
class HalfSurface:
    """The left half (x >= 0): ``points`` and ``normals`` (V, 3), ``triangles`` (T, 3), ``dark`` (T,)."""

    points: Array
    normals: Array
    triangles: Index
    dark: NDArray[np.bool_]


def source_digest() -> str:
    """Digest of the code that the surface is made by."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in [here.parent / "skeleton.py", *(here / f"{name}.py" for name in SOURCES)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def make_surface() -> HalfSurface:
    """Mesh the body."""
    field = body_field()
    points, triangles = half_surface(field, GRID_STEP)
    points, triangles = remeshed(field, points, triangles, edge_length)
    points, triangles, dark = cut_bands(field, points, triangles)
    points = np.round(points, 6)
    normals = gradient(field, points)
    normals[points[:, 0] == 0.0, 0] = 0.0
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    order = np.lexsort(points.T)  # neighbours in space stand near each other in memory
    number = np.argsort(order)
    triangles = number[triangles]
    triangles = triangles[np.lexsort((triangles.min(axis=1), dark))]
    return HalfSurface(points[order], np.round(normals[order], 6), triangles, np.sort(dark))


def load_surface() -> HalfSurface:
    """Read the stored surface."""
    with np.load(FILE) as data:
        return HalfSurface(data["points"], data["normals"], data["triangles"].astype(np.int64), data["dark"])


def stored_digest() -> str:
    """Digest of the code that the stored surface was made by."""
    with np.load(FILE) as data:
        return str(data["digest"])


def main() -> None:
    """Make the surface and store it."""
    surface = make_surface()
    np.savez_compressed(
        FILE,
        points=surface.points,
        normals=surface.normals,
        triangles=surface.triangles.astype(np.int32),
        dark=surface.dark,
        digest=np.array(source_digest()),
    )


if __name__ == "__main__":
    main()
