"""Props and second characters as draw values; what stands still gives the same objects: no upload. Free of Qt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.pose.pose import Pose, rest_pose
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.shot.prop import BONE, RIG, prop_skeleton
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import Color
from editor.gl.draw_list import Ghost, MeshInstance, Shading

PROP_RIG = Rig(RIG, BONE, prop_skeleton())
PROP_POSE = rest_pose(PROP_RIG)


@dataclass(frozen=True, slots=True)
class Dress:
    """How meshes are drawn, for all of them."""

    shading: Shading = Shading.LIT
    shadow: bool = True
    clay: Color | None = None


class ShotDrawables:
    """Keeps what was drawn last of each prop and character.

    Parameters
    ----------
    character : makes the draw values; of its own, for it forgets what is not in the shot
    """

    def __init__(self, character: CharacterDrawables) -> None:
        self.character = character
        self._last: dict[str, tuple[object, ...]] = {}
        self._made: dict[str, tuple[MeshInstance, ...]] = {}

    def keep(self, items: Sequence[str], meshes: Sequence[Mesh]) -> None:
        """Forget all other items and meshes."""
        self.character.forget(mesh.id for mesh in meshes)
        for key in [key for key in self._made if key not in items]:
            del self._made[key], self._last[key]

    def prop(
        self, key: str, meshes: tuple[Mesh, ...], matrix: FloatArray, dress: Dress
    ) -> tuple[MeshInstance, ...]:
        """Rigid meshes at a world matrix ``(4, 4)``."""
        return self.posed(key, meshes, PROP_RIG, matrix[None], PROP_POSE, dress)

    def posed(
        self, key: str, meshes: tuple[Mesh, ...], rig: Rig, matrices: FloatArray, pose: Pose, dress: Dress
    ) -> tuple[MeshInstance, ...]:  # fmt: skip
        """Meshes of a rig with world matrices ``(B, 4, 4)`` of its bones."""
        library, shades = self.character.library, self.character.occlusion
        looks = tuple(library.image(m.texture) for mesh in meshes for m in mesh.materials)
        state = (
            meshes,
            rig,
            matrices.tobytes(),
            pose,
            dress,
            looks,
            tuple(shades.of(mesh) is None for mesh in meshes),
        )
        last = self._last.get(key)
        if last is not None and len(last) == len(state) and all(map(_same, last, state)):
            return self._made[key]
        made = self.character.meshes(meshes, rig, matrices, pose, dress.shading, dress.shadow, dress.clay)
        self._last[key], self._made[key] = state, made
        return made

    def ghosts(
        self, meshes: tuple[Mesh, ...], rig: Rig, matrices: FloatArray, tint: Color
    ) -> tuple[Ghost, ...]:
        """See-through copies."""
        return self.character.ghosts(meshes, rig, np.asarray(matrices), tint)


def _same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, bytes | Dress | tuple) and a == b)
