"""Run by Blender's module: a keyed camera beside an armature, in three formats, and what Blender says it sees."""

import json
import sys
from pathlib import Path

import bpy  # type: ignore[import-not-found]

POSES = (
    (0, (4.0, -5.0, 2.0), (1.2, 0.1, 0.6), 50.0),
    (24, (-1.0, -6.0, 1.5), (1.3, -0.2, -0.1), 85.0),
)


def scene() -> tuple[object, tuple[object, ...]]:
    """The scene, 25 frames of 24 a second, and its cameras: one with keys of its own, one on a cart that moves."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    made = bpy.context.scene
    made.render.fps, made.frame_start, made.frame_end = 24, 0, 24
    made.render.resolution_x, made.render.resolution_y = 1920, 1080
    lens = bpy.data.cameras.new("ShotCam")
    lens.sensor_width, lens.sensor_height = 36.0, 20.25
    camera = bpy.data.objects.new("ShotCam", lens)
    made.collection.objects.link(camera)
    made.camera = camera
    for frame, place, turn, focal in POSES:
        camera.location, camera.rotation_euler, lens.lens = place, turn, focal
        camera.keyframe_insert("location", frame=frame)
        camera.keyframe_insert("rotation_euler", frame=frame)
        lens.keyframe_insert("lens", frame=frame)
    rider = bpy.data.objects.new("Rider", bpy.data.cameras.new("Rider"))
    rider.data.sensor_width, rider.data.sensor_height = 36.0, 20.25  # the shape of the picture
    cart = bpy.data.objects.new("Cart", None)
    rider.parent, rider.location, rider.rotation_euler = cart, (0.3, 0.0, 1.1), (1.4, 0.0, 0.2)
    made.collection.objects.link(rider)
    made.collection.objects.link(cart)
    for frame, place, turn in ((0, (0.0, 3.0, 0.0), 0.0), (24, (2.0, 3.5, 0.5), 1.3)):
        cart.location, cart.rotation_euler = place, (0.0, 0.0, turn)
        cart.keyframe_insert("location", frame=frame)
        cart.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.object.armature_add()
    bone = bpy.context.object.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((0, 0.0), (24, 0.5)):
        bone.rotation_euler = (turn, 0.0, 0.0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    return made, (camera, rider)


def _seen(made: object, camera: object, frame: int) -> dict[str, object]:
    """What a camera sees at a frame, in metres and +Y up."""
    made.frame_set(frame)
    matrix = camera.matrix_world
    place, back, up = matrix.translation, matrix.col[2], matrix.col[1]
    return {
        "camera": camera.name,
        "time": frame / 24,
        "place": [place[0], place[2], -place[1]],
        "ahead": [-back[0], -back[2], back[1]],
        "up": [up[0], up[2], -up[1]],
        "fov": camera.data.angle_y,
        "across": camera.data.angle_x,
    }


def main(folder: Path) -> None:
    """Write the files and what the camera sees, in metres and +Y up."""
    made, cameras = scene()
    told = [_seen(made, camera, frame) for camera in cameras for frame in (0, 12, 24)]
    (folder / "gold.json").write_text(json.dumps(told))
    bpy.ops.export_scene.gltf(
        filepath=str(folder / "cam.glb"), export_cameras=True, export_animation_mode="SCENE"
    )
    bpy.ops.export_scene.fbx(
        filepath=str(folder / "cam.fbx"), bake_anim=True, bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False, bake_anim_simplify_factor=0.0,
    )  # fmt: skip
    bpy.ops.wm.usd_export(filepath=str(folder / "cam.usda"), export_animation=True)


if __name__ == "__main__":
    main(Path(sys.argv[-1]))
