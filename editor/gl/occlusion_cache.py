"""Baked ambient occlusion on the disk, so that a character opened again is shaded at once. Free of Qt and OpenGL.

A file for each mesh, named by the digest of its shape. Whatever is wrong with a file or the folder, the shade is baked
again: nothing of it is ever told or lost.
"""

import hashlib
import logging
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from core.arrays import Float32Array
from core.io.backups import data_dir
from core.rig.mesh import Mesh

logger = logging.getLogger(__name__)

SUFFIX = ".shade"
MAGIC = b"PWSHADE1"
"""Head of a file; the number changes with what is baked, see `editor.gl.occlusion`."""
MOST_BYTES = 64 * 2**20
"""Size of all files together: those that were not used for longest go first."""
FRESH_SECONDS = 24 * 3600.0
"""A file used is marked as used at most this often."""


def digest(mesh: Mesh) -> str:
    """Name of a mesh by its shape."""
    sums = hashlib.sha256()
    for part in (mesh.positions, mesh.normals, mesh.triangles):
        array = np.ascontiguousarray(part)
        sums.update(f"{array.dtype.str}{array.shape}".encode())
        sums.update(array.tobytes())
    return sums.hexdigest()[:40]


def read(key: str, count: int, folder: Path | None = None) -> Float32Array | None:
    """The shade of a mesh ``(V,)``; None where there is none, or a file that is damaged or of another mesh."""
    path = _path(key, folder)
    try:
        with path.open("rb") as file:  # no more is read than such a file has
            data = file.read(len(MAGIC) + 32 + count + 1)
        head, told, body = data[: len(MAGIC)], data[len(MAGIC) : len(MAGIC) + 32], data[len(MAGIC) + 32 :]
        if head != MAGIC or len(body) != count or hashlib.sha256(body).digest() != told:
            return None
        if time.time() - path.stat().st_mtime > FRESH_SECONDS:
            os.utime(path)
    except OSError:
        return None
    return np.frombuffer(body, np.uint8).astype(np.float32) / np.float32(255.0)


def write(key: str, shade: Float32Array, folder: Path | None = None) -> None:
    """Keep a shade, a byte a vertex, and drop what is too much. A folder that cannot be written is no error."""
    path = _path(key, folder)
    body = stored(shade).tobytes()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(made, path)
        except OSError:
            Path(made).unlink(missing_ok=True)
            raise
        sweep(path.parent)
    except OSError as error:
        logger.info("shade not kept: %s", error)


def stored(shade: Float32Array) -> np.ndarray:  # type: ignore[type-arg]
    """A shade as its file holds it: ``(V,)`` uint8."""
    return np.rint(np.clip(shade, 0.0, 1.0) * 255.0).astype(np.uint8)


def rounded(shade: Float32Array) -> Float32Array:
    """A shade as it is after a way through a file, so that a picture does not depend on who was first."""
    return stored(shade).astype(np.float32) / np.float32(255.0)


def sweep(folder: Path, most: int = MOST_BYTES) -> None:
    """Delete the files that were not used for longest until the others are not too much, and what was half written."""
    found = []
    for entry in os.scandir(folder):
        if entry.name.endswith(SUFFIX):
            seen = entry.stat()
            found.append((seen.st_mtime, seen.st_size, entry.path))
        elif entry.name.endswith(".part") and time.time() - entry.stat().st_mtime > FRESH_SECONDS:
            Path(entry.path).unlink()
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= most:
            return
        Path(path).unlink()
        total -= size


def _path(key: str, folder: Path | None) -> Path:
    return (folder or data_dir() / "shades") / (key + SUFFIX)
