"""The character as draw values: meshes in a pose, bones with their states. Free of Qt.

Geometry is made once a mesh and kept while the project holds it; a frame costs the matrices.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from core.arrays import ByteArray, Float32Array, FloatArray, IndexArray, IntArray
from core.ids import AssetId
from core.pose.pose import Pose
from core.rig.mesh import Mesh, Texture
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.gl.bone_geometry import bone_surface, bone_tips
from editor.gl.coarse_mesh import coarse_mesh
from editor.gl.colors import Color
from editor.gl.draw_list import (
    BoneShapes,
    BoneState,
    BoneStyle,
    Ghost,
    MeshGeometry,
    MeshInstance,
    Shading,
)
from editor.gl.limbs import limbs
from editor.gl.mesh_source import geometry_of, part_colors
from editor.gl.occlusion import OcclusionLibrary
from editor.gl.texture_library import TextureLibrary
from editor.gl.texture_values import Surface, TextureImage, surface_of
from editor.model.selection import Selection

_versions = count()
BEHIND, NEARLY = 1.2, 0.03
"""How far a ghost may be in front of the character and gives way to it still, as a part of its size: anywhere; and
over a terrain, which would hide what is taken so far back, only where both nearly coincide."""


class CharacterDrawables:
    """Turns a rig's meshes and poses into draw values.

    Attributes
    ----------
    library : decoded images; a texture that is not decoded is left away
    ghosts_behind : `BEHIND` or `NEARLY`
    occlusion : how open the vertices of each mesh are; one that is not baked is all open
    """

    def __init__(
        self, library: TextureLibrary | None = None, occlusion: OcclusionLibrary | None = None
    ) -> None:
        self.library = library or TextureLibrary()
        self.occlusion = occlusion or OcclusionLibrary()
        self.ghosts_behind = BEHIND
        self._known: dict[AssetId, tuple[Mesh, Skeleton, _Skin]] = {}
        self._tips: tuple[Skeleton, FloatArray] | None = None
        self._limbs: tuple[Skeleton, IntArray] | None = None

    def meshes(
        self,
        meshes: Sequence[Mesh],
        rig: Rig,
        matrices: FloatArray,
        pose: Pose,
        shading: Shading = Shading.LIT,
        shadow: bool = True,
        clay: Color | None = None,
    ) -> tuple[MeshInstance, ...]:
        """Meshes in a pose; `matrices` ``(B, 4, 4)`` take bones to the world.

        Parameters
        ----------
        clay : one colour in place of all materials and vertex colours, or None for their own
        """
        made = (
            self._skin(mesh, rig).posed(matrices, pose, shading, shadow, clay, self.library.image)
            for mesh in meshes
        )
        return tuple(
            instance if shade is None else replace(instance, occlusion=shade)
            for instance, shade in zip(made, map(self.occlusion.of, meshes), strict=True)
        )

    def lit_up(
        self, shown: Sequence[MeshInstance], meshes: Sequence[Mesh], rig: Rig, bone: int
    ) -> tuple[MeshInstance, ...]:
        """Meshes in a pose with the part of the body marked that follows a bone and its twist bones."""
        bones = np.flatnonzero(self.limbs(rig.skeleton) == self.limbs(rig.skeleton)[bone])
        regions = [self._skin(mesh, rig).region(bones) for mesh in meshes]
        return tuple(
            instance if region is None else replace(instance, region=region)
            for instance, region in zip(shown, regions, strict=True)
        )

    def ghosts(
        self, meshes: Iterable[Mesh], rig: Rig, matrices: FloatArray, tint: Color
    ) -> tuple[Ghost, ...]:
        """Light translucent copies of the meshes in another pose."""
        behind = self.ghosts_behind * float(np.ptp(matrices[:, :3, 3], axis=0).max())
        return tuple(Ghost(self._skin(mesh, rig).ghost(matrices), tint, behind) for mesh in meshes)

    def bone_of(self, mesh: Mesh, rig: Rig, joint: int) -> int:
        """The rig's number of a bone that a mesh numbers by itself."""
        return int(self._skin(mesh, rig).bones[joint])

    def _skin(self, mesh: Mesh, rig: Rig) -> "_Skin":
        known = self._known.get(mesh.id)
        if known is None or known[0] is not mesh or known[1] is not rig.skeleton:
            known = mesh, rig.skeleton, _Skin(mesh, rig.skeleton)
            self._known[mesh.id] = known
        return known[2]

    def forget(self, kept: Iterable[AssetId]) -> None:
        """Release meshes that the project no longer holds."""
        alive = set(kept)
        self._known = {key: value for key, value in self._known.items() if key in alive}

    def tips(self, skeleton: Skeleton) -> FloatArray:
        """Where each bone ends in its own space ``(B, 3)``."""
        if self._tips is None or self._tips[0] is not skeleton:
            self._tips = skeleton, bone_tips(skeleton.rest.translation, skeleton.parents)
        return self._tips[1]

    def limbs(self, skeleton: Skeleton) -> IntArray:
        """For each bone the one whose limb it is part of ``(B,)``, see `editor.gl.limbs`."""
        if self._limbs is None or self._limbs[0] is not skeleton:
            self._limbs = skeleton, limbs(skeleton, self.tips(skeleton))
        return self._limbs[1]

    def bones(
        self,
        skeleton: Skeleton,
        matrices: FloatArray,
        states: ByteArray,
        style: BoneStyle,
        solid: bool = False,
    ) -> BoneShapes:
        """The skeleton in the world; `solid` where nothing else of the character is drawn."""
        heads = matrices[:, :3, 3]
        tails = heads + np.einsum("bij,bj->bi", matrices[:, :3, :3], self.tips(skeleton))
        below = skeleton.parents >= 0
        parents = skeleton.parents[below]
        gap = np.linalg.norm(tails[parents] - heads[below], axis=1)
        reach = np.linalg.norm(heads[parents] - heads[below], axis=1)
        shown = states != BoneState.HIDDEN
        apart = (gap > 1e-3 + 0.02 * reach) & shown[below] & shown[parents]
        links = np.stack([tails[parents][apart], heads[below][apart]], axis=1)
        return BoneShapes(heads, tails, matrices[:, :3, 0], states, None, links, style, solid)


def bone_caster(shapes: BoneShapes) -> MeshInstance:
    """Bones as something that throws a shadow."""
    count = 24 * len(shapes.heads)
    still = np.zeros((count, 3), np.float32)
    geometry = MeshGeometry(("bones", count), still, still, np.arange(count).reshape(-1, 3))
    placed = bone_surface(shapes).astype(np.float32)
    eye = np.eye(4, dtype=np.float32)[None]
    return MeshInstance(
        geometry, eye, np.ones((1, 4), np.float32), skinned_positions=placed, skinned_normals=still
    )


class _Skin:
    """One mesh ready to be posed."""

    def __init__(self, mesh: Mesh, skeleton: Skeleton) -> None:
        self.bones = np.array([skeleton.index(joint) for joint in mesh.bones], dtype=np.int64)
        self.inverse_bind = np.asarray(mesh.inverse_bind)
        self.colors = part_colors(mesh)
        self.morphs = tuple((f"{mesh.name}/{m.name}", m.name, m.default_weight) for m in mesh.morphs)
        self.geometry = geometry_of(mesh, (mesh.id, next(_versions)))
        self.coarse = coarse_mesh(self.geometry)
        self.materials = mesh.materials
        self._images: tuple[TextureImage | None, ...] = ()
        self._surfaces: tuple[Surface, ...] | None = None
        self._clay: MeshGeometry | None = None
        self._region: tuple[tuple[int, ...], Float32Array | None] = (), None

    def region(self, bones: IndexArray) -> Float32Array | None:
        """How much each vertex follows some bones of the rig ``(V,)``; None where none does."""
        key = tuple(int(bone) for bone in bones)
        if self._region[0] != key:
            own, geometry = np.isin(self.bones, bones), self.geometry
            if geometry.bones is None or geometry.weights is None:
                found = np.full(len(geometry.positions), float(own[:1].any()), np.float32)
            else:
                found = (geometry.weights * own[geometry.bones]).sum(axis=1).astype(np.float32)
            self._region = key, found if found.any() else None
        return self._region[1]

    def posed(
        self, matrices: FloatArray, pose: Pose, shading: Shading, shadow: bool, clay: Color | None,
        image: Callable[[Texture | None], TextureImage | None],
    ) -> MeshInstance:  # fmt: skip
        skin = matrices[self.bones] @ self.inverse_bind
        weights = None
        if self.morphs:
            weights = np.array([_weight(pose.morphs, *names) for names in self.morphs], np.float32)
        geometry, colors = self.geometry, self.colors
        if clay is not None:
            geometry, colors = self._in_clay(), np.array([clay], np.float32)
        return MeshInstance(
            geometry, skin, colors, weights, shading=shading, shadow=shadow, coarse=self.coarse,
            surfaces=() if clay is not None else self._dressed(image),
        )  # fmt: skip

    def _dressed(self, image: Callable[[Texture | None], TextureImage | None]) -> tuple[Surface, ...]:
        """The surface of each material with what images there are now; the same object while they are the same."""
        images = tuple(image(material.texture) for material in self.materials)
        if self._surfaces is None or self._images != images:
            self._images = images
            self._surfaces = tuple(surface_of(m, i) for m, i in zip(self.materials, images, strict=True))
        return self._surfaces

    def _in_clay(self) -> MeshGeometry:
        if self.geometry.colors is None:
            return self.geometry
        if self._clay is None:
            self._clay = replace(self.geometry, key=("clay", self.geometry.key), colors=None)
        return self._clay

    def ghost(self, matrices: FloatArray) -> MeshInstance:
        """A light copy, without morphs."""
        geometry = self.coarse
        weights = (
            None if geometry.morph_positions is None else np.zeros(len(geometry.morph_positions), np.float32)
        )
        skin = matrices[self.bones] @ self.inverse_bind
        return MeshInstance(geometry, skin, self.colors, weights, shadow=False)


def _weight(weights: Mapping[str, float], path: str, name: str, default: float) -> float:
    return weights.get(path, weights.get(name, default))


def bone_states(skeleton: Skeleton, selection: Selection, hover: str | None) -> ByteArray:
    """How each bone is to be drawn ``(B,)``."""
    states = np.full(len(skeleton), BoneState.NORMAL, dtype=np.uint8)
    chosen = [skeleton.index(name) for name in selection.bones if skeleton.find(name) is not None]
    if chosen:
        states[skeleton.descendants(chosen)] = BoneState.CHILD
        states[chosen] = BoneState.SELECTED
        if len(chosen) > 1:
            states[chosen[-1]] = BoneState.ACTIVE
    for name in selection.locked:
        bone = skeleton.find(name)
        if bone is not None and bone not in chosen:
            states[bone] = BoneState.DIMMED
    over = skeleton.find(hover) if hover is not None else None
    if over is not None and over not in chosen:
        states[over] = BoneState.HOVER
    if selection.hidden or selection.solo:
        unseen = [index for index, name in enumerate(skeleton.names) if not selection.shown(name)]
        states[unseen] = BoneState.HIDDEN
    return states


def heat(shares: FloatArray, scale: Sequence[Color]) -> FloatArray:
    """Colours ``(B, 4)`` of shares of what is allowed: from the first of a scale at 0 to its last at 1."""
    at = np.linspace(0.0, 1.0, len(scale))
    return np.stack([np.interp(shares, at, channel) for channel in np.array(scale).T], axis=1)
