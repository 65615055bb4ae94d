"""The ground that a run walks on, and the run before a change as a ghost. Free of Qt."""

import numpy as np

from core.arrays import FloatArray
from core.math import quat, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.terrain.ground import Ground
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import DARK, Color, with_alpha
from editor.gl.draw_list import Ghost, Layer, Lines, Shape
from editor.model.graph_run.state import GraphRun
from editor.model.session import Session

ASIDE = np.linspace(-1.5, 1.5, 7)
"""Metres to the sides of the lines along the ground."""
ALONG = np.arange(-2.0, 4.01, 0.05)
"""Metres before and behind the character at which the ground is asked: fine enough for the edges of stairs."""
ACROSS = 10
"""One line across for so many points along."""


class RunMarks:
    """What the viewport shows of the run beside its character."""

    def __init__(self, session: Session) -> None:
        self._session, self._run = session, session.feature(GraphRun)
        self.color: Color = with_alpha(DARK.text, 0.35)
        self.tint: Color = with_alpha(DARK.ghost_before, 0.45)

    def shapes(self) -> tuple[Shape, ...]:
        """The ground, where the run has one that is not level."""
        run, take = self._run, self._run.take
        if not run.on or take is None or take.ground is None or take.ground.flat:
            return ()
        lines = ground_lines(take.ground, take.stands, self._session.playback.in_place)
        return (Lines(lines, np.array(self.color, np.float32), 1.0, layer=Layer.SCENE),)

    def ghosts(self, figure: CharacterDrawables, meshes: tuple[Mesh, ...], rig: Rig) -> tuple[Ghost, ...]:
        """The run before the change at the same step, while the run stands still."""
        run, comparison = self._run, self._run.deck.comparison
        take = run.take
        if not run.on or run.running or comparison is None or comparison.first is None or take is None:
            return ()
        old = comparison.take
        if take.at > len(old.steps) or old.plan.rig.id != rig.id:
            return ()
        result = old.goto(take.at)
        if result is None:
            return ()
        world = np.eye(4) if self._session.playback.in_place else transform.to_matrix(old.stands)
        matrices = world @ kinematics.model_matrices(rig.skeleton, result.pose.local)
        return figure.ghosts(meshes, rig, matrices, self.tint)


def ground_lines(ground: Ground, stands: Transform, in_place: bool) -> FloatArray:
    """Lines ``(N, 2, 3)`` on the ground around where a character stands.

    Parameters
    ----------
    in_place : whether the character is shown where the world begins, so that the ground moves below it
    """
    grid = np.stack(np.meshgrid(ASIDE, [0.0], ALONG, indexing="ij"), axis=-1)[:, 0]
    turn = np.broadcast_to(stands.rotation, (*grid.shape[:-1], 4))
    world = quat.rotate(turn, grid) + stands.translation
    heights = np.asarray(ground.under(world))
    if in_place:
        shown = np.stack([grid[..., 0], heights - stands.translation[1], grid[..., 2]], axis=-1)
    else:
        shown = np.stack([world[..., 0], heights, world[..., 2]], axis=-1)
    along = np.stack([shown[:, :-1], shown[:, 1:]], axis=2).reshape(-1, 2, 3)
    picked = shown[:, ::ACROSS]
    across = np.stack([picked[:-1], picked[1:]], axis=2).reshape(-1, 2, 3)
    return np.concatenate([along, across])
