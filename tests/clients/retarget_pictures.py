"""Pictures of clips retargeted onto the sample character: source and target side by side, five frames each.

    python -m tests.clients.retarget_pictures OUT [NAME…] [--no-foot-lock] [--bones]

Above the source (its skeleton, or its mesh where it has one), below the target from the same side, then from
another side. Each pair is drawn from in front of the source, scaled by leg height; the grid is the floor. To be looked
at by a person: nothing is asserted.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import new_id
from core.io import load
from core.pose import kinematics
from core.project.project import Project
from core.retarget.retarget import Options, Retargeted, retarget_clip
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.gl.camera import Camera
from editor.gl.capture import OffscreenRenderer
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import LIGHT
from editor.gl.draw_list import BoneState, BoneStyle, DrawList, Grid

ROOT = Path(__file__).resolve().parents[2]
SIZE = (300, 380)


@dataclass(frozen=True, slots=True)
class Case:
    """A clip of a file in the shared data, and the frames to draw (evenly spread where left out)."""

    name: str
    file: str
    clip: str | None = None
    frames: tuple[int, ...] = ()


CASES = (
    Case("cmu_walk", "bvh/cmu_01_01.bvh"),
    Case("cmu_straight_walk", "../cases/cmu_12_01_walk.bvh", frames=(126, 150, 176, 214, 246)),
    Case("jumping_jacks", "bvh/cmu_jumping_jacks.bvh", frames=(10, 26, 33, 41, 58)),
    Case("rokoko_dance", "bvh/rokoko_jesse_dance.bvh", frames=(5, 167, 503, 670, 980)),
    Case("kaykit_run", "gltf/KayKit_Med_MovementBasic.glb", "Rig_Medium|Running_A"),
    Case("kaykit_walk", "gltf/KayKit_Med_MovementBasic.glb", "Rig_Medium|Walking_C"),
    Case("kaykit_jump", "gltf/KayKit_Med_MovementBasic.glb", "Rig_Medium|Jump_Full_Long"),
    Case("pab_jog", "fbx/pab_jog.fbx"),
    Case("fair_dab", "bvh/fair1_dab.bvh"),
    Case("robot_dance", "gltf/RobotExpressive.glb", "Dance"),
)


class Scene:
    """One character of a project, and how it is drawn."""

    def __init__(self, project: Project, rig: Rig, clip: Clip, bones: bool) -> None:
        self.rig, self.clip, self.meshes = rig, clip, project.meshes_of(rig.id)
        self.pipeline = ClipPipeline(rig, clip, self.meshes)
        self.character, self.bones = CharacterDrawables(), bones or not self.meshes

    def at(self, number: int) -> tuple[DrawList, FloatArray]:
        """What to draw at a frame, and the bones' model matrices."""
        time = self.clip.rate.to_seconds(number)
        pose = self.pipeline.pose(time)
        matrices = kinematics.model_matrices(self.rig.skeleton, pose.local)
        shapes = None
        if self.bones:
            states = np.full(len(self.rig.skeleton), BoneState.NORMAL, dtype=np.uint8)
            shapes = self.character.bones(self.rig.skeleton, matrices, states, BoneStyle.OCTAHEDRAL)
        meshes = self.character.meshes(self.meshes, self.rig, matrices, pose)
        return DrawList(Grid(), meshes, bones=shapes), matrices


def around(place: FloatArray, height: float, yaw: float) -> Camera:
    """A camera, yaw in degrees, on a figure of a height whose hips stand at a place."""
    target = (float(place[0]), 0.52 * height, float(place[2]))
    return Camera(target, float(np.radians(yaw)), 0.14, 2.0 * height)


def height_of(skeleton: Skeleton, bones: Iterable[str]) -> float:
    """Metres from the floor to the highest of some bones at rest, with a little for the head."""
    places = kinematics.to_model(skeleton, skeleton.rest).translation
    heights = places[[skeleton.index(bone) for bone in bones], 1]
    return 1.1 * float(heights.max() - min(heights.min(), 0.0))


def sheet(
    renderer: OffscreenRenderer, project: Project, done: Retargeted, source: Clip, case: Case, bones: bool
) -> Image.Image:
    """The contact sheet of one clip."""
    onto = load(ROOT / "resources/sample/mannequin.posewright").project
    rigs = project.get(Rig, source.rig), onto.rigs[0]
    scenes = Scene(project, rigs[0], source, bones), Scene(onto, rigs[1], done.clip, False)
    count = done.report.frames
    numbers = case.frames or tuple(int(f) for f in np.linspace(0, count - 1, 7)[1:-1])
    chains, heading = done.binding.chains, done.binding.alignment.heading
    turned = float(np.degrees(2.0 * np.arctan2(heading[1], heading[3])))
    hips = next(pair for pair in chains.chains if pair.part.value == "hips")
    pairs = done.binding.chains.chains
    tall = height_of(rigs[1].skeleton, [bone for pair in pairs for bone in pair.target])
    own = height_of(rigs[0].skeleton, [bone for pair in pairs for bone in pair.source])
    # a rest that does not stand says nothing of a height; legs do
    standing = done.binding.alignment.standing
    heights = own if standing else tall / done.binding.scale, tall
    columns = []
    for number in numbers:
        column = []
        for scene, bone, height, yaw in (
            (scenes[0], hips.source[0], heights[0], 25.0 - turned),
            (scenes[1], hips.target[0], heights[1], 25.0),
            (scenes[1], hips.target[0], heights[1], 115.0),
        ):
            drawn, matrices = scene.at(number)
            place = matrices[scene.rig.skeleton.index(bone), :3, 3]
            camera = around(place, height, yaw)
            column.append(Image.fromarray(renderer.render(drawn, camera, SIZE, LIGHT)).convert("RGB"))
        columns.append(column)
    width, height = SIZE
    picture = Image.new("RGB", (width * len(columns), height * 3))
    for x, column in enumerate(columns):
        for y, part in enumerate(column):
            picture.paste(part, (x * width, y * height))
        ImageDraw.Draw(picture).text((x * width + 6, 4), f"{case.name}, frame {numbers[x]}", fill="black")
    return picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--no-foot-lock", action="store_true")
    parser.add_argument("--bones", action="store_true", help="the source's bones, even where it has a mesh")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    target = load(ROOT / "resources/sample/mannequin.posewright").project.rigs[0]
    options = replace(Options(), lock=None) if arguments.no_foot_lock else Options()
    with OffscreenRenderer() as renderer:
        for case in CASES:
            if arguments.names and case.name not in arguments.names:
                continue
            project = load(arguments.data / case.file).project
            clip = project.clip_named(case.clip) if case.clip else project.clips[0]
            done = retarget_clip(project.get(Rig, clip.rig), clip, target, options=options, id=new_id("clip"))
            path = arguments.out / f"{case.name}.png"
            sheet(renderer, project, done, clip, case, arguments.bones).save(path)
            print(path)


if __name__ == "__main__":
    sys.exit(main())
