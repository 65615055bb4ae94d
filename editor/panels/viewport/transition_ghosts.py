"""The selected transition as three ghosts in a row: source, middle, target. Free of Qt."""

import numpy as np

from core.arrays import FloatArray
from core.pose import kinematics
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import DARK, Color, ViewportColors, with_alpha
from editor.gl.draw_list import Ghost, Lines, Shape
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.session import Session

BEGINS, ASIDE, BACK = 0.3, 0.4, 0.6
"""Beside the character, from ghost to ghost, and behind the character, in its heights: it hides none from the front."""
OPACITY = 0.75
STICK = 2.0
"""Logical pixels of the bones of a character without a mesh."""


class TransitionGhosts:
    """Makes the ghosts of a picture; keeps where the bones are while the poses are the same."""

    def __init__(self, session: Session) -> None:
        self._session, self._strip = session, session.feature(GhostStrip)
        self.tints: tuple[Color, ...] = ()
        self.use_colors(DARK)
        self._key: tuple[object, object] = (None, None)
        self._placed: tuple[FloatArray, ...] = ()

    def use_colors(self, colors: ViewportColors) -> None:
        """Tint them: the source as what was before, the target as what comes after, the middle between."""
        first, last = np.array(colors.ghost_before), np.array(colors.ghost_after)
        middle: Color = tuple(float(x) for x in (first + last) / 2.0)  # type: ignore[assignment]
        ends = (colors.ghost_before, middle, colors.ghost_after)
        self.tints = tuple(with_alpha(color, OPACITY) for color in ends)

    def ghosts(self, figure: CharacterDrawables, meshes: tuple[Mesh, ...], rig: Rig) -> tuple[Ghost, ...]:
        """The three, from the left to the right; none where no transition is shown."""
        world = self._session.evaluator.world()
        return tuple(
            ghost
            for tint, placed in zip(self.tints, self._matrices(rig), strict=False)
            for ghost in figure.ghosts(meshes, rig, world @ placed, tint)
        )

    def sticks(self, figure: CharacterDrawables, meshes: tuple[Mesh, ...], rig: Rig) -> tuple[Shape, ...]:
        """Those of a character without a mesh: its bones as lines."""
        found: list[Shape] = []
        for tint, placed in zip(self.tints, () if meshes else self._matrices(rig), strict=False):
            at = self._session.evaluator.world() @ placed
            heads = at[:, :3, 3]
            tails = heads + np.einsum("bij,bj->bi", at[:, :3, :3], figure.tips(rig.skeleton))
            found.append(Lines(np.stack([heads, tails], axis=1), np.array(tint), STICK))
        return tuple(found)

    def _matrices(self, rig: Rig) -> tuple[FloatArray, ...]:
        """Model matrices ``(B, 4, 4)`` of the three, each moved to its place in the row."""
        poses = self._strip.poses
        if poses is None or poses.source.rig != rig.id or len(poses.source) != len(rig.skeleton):
            return ()
        if self._key[0] is not poses or self._key[1] is not rig:
            self._key = (poses, rig)
            height = float(np.ptp(kinematics.model_matrices(rig.skeleton, rig.skeleton.rest)[:, 1, 3]))
            placed = []
            for number, pose in enumerate((poses.source, poses.middle, poses.target)):
                matrices = np.array(kinematics.model_matrices(rig.skeleton, pose.local))
                matrices[:, :3, 3] += np.array([BEGINS + number * ASIDE, 0.0, -BACK]) * height
                placed.append(matrices)
            self._placed = tuple(placed)
        return self._placed
