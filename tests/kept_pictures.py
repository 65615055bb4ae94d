"""Small pictures of poses, drawn once in each process: every window that stays open draws those of its clips."""

import threading
from typing import Any

from core.arrays import ByteArray, FloatArray
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.gl.clip_sketch import ClipSketcher

MOST = 2000
"""Pictures that are kept, 64 KiB each."""


class KeptPictures:
    """Stands in for `ClipSketcher.draw_pose`: the same pose of the same rig and meshes is drawn once.

    Assets are frozen, so that the same ones look the same. Who asks gets a copy of the picture.
    """

    def __init__(self) -> None:
        self.draw = ClipSketcher.draw_pose
        self._kept: dict[tuple[int | bytes, ...], tuple[object, ByteArray]] = {}
        self._lock = threading.Lock()

    def __call__(
        self, sketcher: ClipSketcher, rig: Rig, meshes: tuple[Mesh, ...], place: FloatArray
    ) -> ByteArray:
        """Draw as the sketcher does."""
        key: Any = id(rig), *map(id, meshes), place.tobytes()
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            # Rig and meshes are kept as well: others could have their numbers later.
            known = (rig, meshes), self.draw(sketcher, rig, meshes, place)
            with self._lock:
                if len(self._kept) >= MOST:
                    self._kept.clear()
                self._kept[key] = known
        return known[1].copy()
