"""What ``posewright render`` and ``sheet`` draw: a rig with its meshes in the poses of a clip, without Qt."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.pose.pose import Pose
from core.project.project import Project
from core.rig.rig import Rig
from editor.gl.character_drawables import CharacterDrawables, bone_caster
from editor.gl.colors import Color
from editor.gl.draw_list import BoneState, BoneStyle, DrawList, Floor, Grid
from editor.render_shot import RenderShot

FRAMED = 12
"""At how many frames the camera looks for what of the meshes it must show."""


def poses_at(project: Project, rig: Rig, clip: Clip | None, frames: Sequence[float]) -> list[Pose]:
    """What the editor shows at each frame; without a clip the rest pose."""
    from core.evaluation.clip_pipeline import ClipPipeline
    from core.pose.pose import rest_pose

    if clip is None:
        return [rest_pose(rig)] * len(frames)
    times = np.array([clip.rate.to_seconds(frame) for frame in frames])
    batch = ClipPipeline.of(project, clip).sample_many(times)
    return [batch.pose(index) for index in range(len(frames))]


class RenderScene:
    """What is drawn in every picture.

    Parameters
    ----------
    bones : draw the bones, too; a rig without meshes always shows them
    grid : draw the ground's grid
    clay : one colour in place of textures and materials, or None
    floor : a terrain in place of the grid
    folder : where the file is, from which second characters of other files are named
    """

    def __init__(
        self,
        project: Project,
        rig: Rig,
        bones: bool = False,
        grid: bool = True,
        clay: Color | None = None,
        floor: Floor | None = None,
        folder: Path | None = None,
    ) -> None:
        self.rig, self.meshes = rig, project.meshes_of(rig.id)
        self.character = CharacterDrawables()
        self.bones = bones or not self.meshes
        self.grid, self.clay, self.floor = grid, clay, floor
        self.beside = RenderShot(project, rig, self.character, folder)

    def decode(self) -> dict[str, str]:
        """Decode the images of the meshes and bake their shade; what is wrong with images of which materials."""
        meshes = (*self.meshes, *self.beside.meshes)
        self.character.occlusion.bake(self.character.occlusion.unknown(meshes))
        if self.clay is not None:
            return {}
        library = self.character.library
        wrong = library.decode(library.unknown(meshes))
        return {
            material.name: wrong[material.texture.data]
            for mesh in meshes
            for material in mesh.materials
            if material.texture is not None and material.texture.data in wrong
        }

    def matrices(self, pose: Pose) -> FloatArray:
        """From each bone's space to the world ``(B, 4, 4)``."""
        from core.pose import kinematics

        return kinematics.model_matrices(self.rig.skeleton, pose.local)

    def bodies(self, poses: Sequence[Pose], matrices: Sequence[FloatArray]) -> list[FloatArray]:
        """Some vertices ``(V, 3)`` of the meshes at some of the frames, for the camera to see; else none."""
        from editor.gl.cpu_skin import skin_positions

        step = max(1, len(poses) // FRAMED)
        found = []
        for number, (pose, places) in enumerate(zip(poses, matrices, strict=True)):
            shown = self.character.meshes(self.meshes, self.rig, places, pose) if number % step == 0 else ()
            rows = [np.asarray(skin_positions(mesh), dtype=np.float64) for mesh in shown]
            found.append(np.concatenate([np.zeros((0, 3)), *rows]))
        return found

    def draw_list(self, pose: Pose, matrices: FloatArray, time: float = 0.0) -> DrawList:
        """One picture; `time` is the seconds of playback at which props and other characters are shown."""
        shapes = None
        if self.bones:
            states = np.full(len(self.rig.skeleton), BoneState.NORMAL, dtype=np.uint8)
            solid = not self.meshes
            shapes = self.character.bones(self.rig.skeleton, matrices, states, BoneStyle.OCTAHEDRAL, solid)
        return DrawList(
            Grid() if self.grid and self.floor is None else None,
            (
                *self.character.meshes(self.meshes, self.rig, matrices, pose, clay=self.clay),
                *self.beside.shown(time, matrices, self.clay),
            ),
            self.beside.ghosts(time),
            bones=shapes,
            floor=self.floor,
            casters=(bone_caster(shapes),) if shapes is not None and shapes.solid else (),
        )
