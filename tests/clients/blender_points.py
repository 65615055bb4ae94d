"""Run by Blender's own Python: ``blender_points.py FILE CLIP FRAME FPS OUT.npy`` writes where its mesh vertices are.

In metres, +Y up. Blender imports glTF with the bind pose guessed, as its own default is.
"""

import sys

import bpy
import numpy as np


def import_file(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(fps)
    if path.endswith(".fbx"):
        bpy.ops.wm.fbx_import(filepath=path)
    elif path.endswith(".glb"):
        bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)
    else:
        bpy.ops.wm.usd_import(filepath=path)


def play(clip):
    """Armatures and shape keys play the clip's action, and nothing else."""
    owners = [*bpy.data.objects, *bpy.data.shape_keys]
    for owner in (one for one in owners if one.animation_data):
        data = owner.animation_data
        for track in data.nla_tracks:
            track.mute = True
        action = bpy.data.actions.get(clip)
        name = owner.name if isinstance(owner, bpy.types.Object) else owner.user.name
        slots = [] if action is None else [s for s in action.slots if s.identifier[2:] == name]
        if slots:
            data.action, data.action_slot = action, slots[0]


def points():
    graph, found = bpy.context.evaluated_depsgraph_get(), []
    for body in bpy.data.objects:
        if body.type == "MESH":
            seen = body.evaluated_get(graph)
            found += [tuple(seen.matrix_world @ vertex.co) for vertex in seen.to_mesh().vertices]
    x, y, z = np.array(found).T
    return np.stack((x, z, -y), axis=1)


if __name__ == "__main__":
    file, clip, frame, fps, out = sys.argv[1:]
    import_file(file, float(fps))
    if not file.endswith(".usda"):  # USD plays one clip, which Blender bakes on its own objects
        play(clip)
    bpy.context.scene.frame_set(int(frame) + (1 if file.endswith(".fbx") else 0))
    np.save(out, points())
