"""The shot in the view: props, second characters, outlines of cameras, and which lies under a pixel. Free of Qt."""

from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.rig.mesh import Mesh
from core.shot.camera import CameraView, ShotCamera, view_at
from core.shot.character import ShotCharacter
from core.shot.prop import Prop
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel, Size
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import DARK, Color, ViewportColors, with_alpha
from editor.gl.draw_list import Ghost, Layer, Lines, MeshInstance, Shape
from editor.gl.mesh_picking import pick_mesh
from editor.gl.shot_drawables import Dress, ShotDrawables
from editor.model.session import Session
from editor.model.shot.characters import Characters
from editor.model.shot.state import Item, Shot

LENGTH = 0.5
"""Metres from a camera to the frame that its outline shows."""
NEAR = 7.0
"""Pixels within which the outline of a camera is caught."""


class Shown(NamedTuple):
    """One thing of the shot and how it is drawn."""

    item: Item
    meshes: tuple[MeshInstance, ...] = ()
    ghosts: tuple[Ghost, ...] = ()


class ShotMarks:
    """Draw values of the shot beside the character.

    Attributes
    ----------
    outlines : whether cameras are drawn; not in recordings
    lines, chosen, ghost : colours of cameras, of what is selected, and of a see-through character
    """

    def __init__(self, session: Session, character: CharacterDrawables) -> None:
        self._session = session
        self._shot, self._characters = session.feature(Shot), session.feature(Characters)
        self._drawables = ShotDrawables(CharacterDrawables(character.library, character.occlusion))
        self.outlines = True
        self.lines: Color = with_alpha(DARK.text, 0.7)
        self.chosen: Color = DARK.bone_selected
        self.ghost: Color = with_alpha(DARK.text, 0.35)

    def use_colors(self, colors: ViewportColors) -> None:
        """Take the theme's colours."""
        self.lines, self.chosen = with_alpha(colors.text, 0.7), colors.bone_selected
        self.ghost = with_alpha(colors.text, 0.35)

    @property
    def on(self) -> bool:
        """Whether the shot is shown at all."""
        return bool(self._session.switches["shot"])

    def meshes(self) -> tuple[Mesh, ...]:
        """Meshes whose images are wanted."""
        if not self.on:
            return ()
        found = [mesh for prop in self._shot.props if prop.visible for mesh in prop.meshes]
        for character in self._shot.characters:
            cast = self._characters.cast(character) if character.visible else None
            found += [] if cast is None else cast.meshes
        return tuple(found)

    def shown(self, dress: Dress) -> tuple[Shown, ...]:
        """Props and characters with their draw values."""
        if not self.on:
            return ()
        items = self._shot.all()
        made = [
            self._shown(item, dress) for item in items if not isinstance(item, ShotCamera) and item.visible
        ]
        self._drawables.keep([str(item.id) for item in items], self.meshes())
        return tuple(one for one in made if one is not None)

    def _shown(self, item: Item, dress: Dress) -> Shown | None:
        if isinstance(item, Prop):
            matrix = self._shot.matrix(item)
            if matrix is None:
                return None
            return Shown(item, self._drawables.prop(str(item.id), item.meshes, matrix, dress))
        if not isinstance(item, ShotCharacter):
            return None
        found = self._characters.appearance(item, self._shot.time)
        if found is None:
            return None
        cast = found.cast
        if item.ghosted:
            return Shown(item, (), self._drawables.ghosts(cast.meshes, cast.rig, found.matrices, self.ghost))
        return Shown(
            item,
            self._drawables.posed(str(item.id), cast.meshes, cast.rig, found.matrices, found.pose, dress),
        )

    def shapes(self) -> tuple[Shape, ...]:
        """Outlines of the cameras but the one that is looked through, and sticks of characters without a mesh."""
        if not self.on:
            return ()
        found: list[Shape] = []
        chosen = self._shot.selected
        for camera in self._shot.cameras if self.outlines else ():
            if self._shot.through and camera is self._shot.camera:
                continue
            color = self.chosen if chosen is not None and camera.id == chosen.id else self.lines
            ends = outline(view_at(camera, self._shot.time))
            found.append(Lines(ends, np.array(color, np.float32), 1.5, layer=Layer.XRAY))
        for character in self._shot.characters:
            shown = self._characters.appearance(character, self._shot.time) if character.visible else None
            if shown is not None and not shown.cast.meshes:
                found.append(
                    Lines(
                        _sticks(shown.cast.rig.skeleton.parents, shown.matrices),
                        np.array(self.ghost, np.float32),
                        2.0,
                    )
                )
        return tuple(found)

    def at(
        self, camera: Camera, size: Size, pixel: Pixel, shown: tuple[Shown, ...]
    ) -> tuple[Item, float] | None:
        """What of the shot lies under a pixel, and how far away; a camera's outline comes first."""
        for one in self._shot.cameras if self.on else ():
            if self._shot.through and one is self._shot.camera:
                continue
            ends, depth = cameras.project(camera, outline(view_at(one, self._shot.time)), size)
            ahead = camera.orthographic or bool((depth > 0.0).all())
            if ahead and _distance(ends, np.array(pixel)) < NEAR:
                return one, 0.0
        best: tuple[Item, float] | None = None
        for one_shown in shown:
            seen = [*one_shown.meshes, *(ghost.instance for ghost in one_shown.ghosts)]
            hit = pick_mesh(seen, camera, size, pixel) if seen else None
            if hit is not None and (best is None or hit.distance < best[1]):
                best = one_shown.item, hit.distance
        return best


def outline(view: CameraView) -> FloatArray:
    """Segments ``(N, 2, 3)`` of a camera: from the eye to its frame, the frame, and a mark at its upper edge."""
    high = view.height / 2.0 if view.height is not None else LENGTH * np.tan(view.fov / 2.0)
    wide = high * view.aspect
    if view.height is None and max(high, wide) > LENGTH:  # a wide lens stays as small as others
        high, wide = (side * LENGTH / max(high, wide) for side in (high, wide))
        depth = high / np.tan(view.fov / 2.0)
    else:
        depth = LENGTH
    corners = np.array(
        [[-wide, -high, -depth], [wide, -high, -depth], [wide, high, -depth], [-wide, high, -depth]]
    )
    top = np.array(
        [[-0.4 * wide, 1.08 * high, -depth], [0.4 * wide, 1.08 * high, -depth], [0.0, 1.5 * high, -depth]]
    )
    eyes = np.zeros((4, 3)) if view.height is None else corners * (1.0, 1.0, 0.0)
    rows = [np.stack([eyes, corners], axis=1)]
    rows += [np.stack([shape, np.roll(shape, -1, axis=0)], axis=1) for shape in (corners, top)]
    found: FloatArray = quat.rotate(view.rotation, np.concatenate(rows)) + view.position
    return found


def _sticks(parents: np.ndarray, matrices: FloatArray) -> FloatArray:  # type: ignore[type-arg]
    heads = matrices[:, :3, 3]
    below = np.flatnonzero(parents >= 0)
    return np.stack([heads[parents[below]], heads[below]], axis=1)


def _distance(segments: FloatArray, pixel: FloatArray) -> float:
    """Pixels from a point to the nearest of segments ``(N, 2, 2)``."""
    start, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((pixel - start) * along).sum(axis=1) / length, 0.0, 1.0)
    return float(np.linalg.norm(start + share[:, None] * along - pixel, axis=1).min())
