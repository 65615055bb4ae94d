"""Meshes that deform in Blender as they do here, from files written with the Blender preset's settings."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from core.clips.sample import sample_many
from core.io import load, save
from core.io.prepare.prepare import prepared
from core.io.prepare.settings import Keys, Prepare
from core.io.presets import preset_named
from core.pose import kinematics
from core.project.project import Project
from tests.shared import ROOT, shared_files

CHECK = os.environ.get("POSEWRIGHT_CHECK", "")
pytestmark = pytest.mark.skipif(
    not CHECK, reason="POSEWRIGHT_CHECK names no folder with the installed check clients"
)
FILES = (
    "data/gltf/Fox.glb",
    "data/gltf/CesiumMan.gltf",
    "data/gltf/RobotExpressive.glb",
    "data/gltf/AnimatedMorphCube.gltf",
    "data/fbx/max_transformed_skin_7500_binary.fbx",
    "data/fbx/maya_kenney_character_7700_binary.fbx",
    "data/fbx/ozz_robot.fbx",
    "data/fbx/animation_with_skeleton.fbx",
    "data/clients/blender501_Fox_Run.fbx",
    "data/clients/blender501_Robot_Walking.fbx",
    "data/clients/blender501_Robot_Walking.usdc",
    "data/usd/lbs.usda",
)
TOLERANCE = 1e-3
SCALED_BIND = {("animation_with_skeleton.fbx", "glb")}
"""Bound to bones of scale 0.82: Blender's glTF import has no scale at rest, its FBX and USD import make up for it."""


def deformed(project, time):
    rig, clip = project.rigs[0], project.clips_of(project.rigs[0].id)[0]
    meshes = project.meshes_of(rig.id)
    batch = sample_many(rig, clip, [time], wrap=False, meshes=meshes)
    model = kinematics.model_matrices(rig.skeleton, batch.local)[0]
    weights = {name: float(values[0]) for name, values in batch.morphs.items()}
    return np.concatenate(
        [kinematics.skin(m, kinematics.skin_matrices(m, rig.skeleton, model), weights)[0] for m in meshes]
    )


@pytest.mark.parametrize("suffix", ["glb", "fbx", "usda"])
@pytest.mark.parametrize("path", shared_files(*FILES))
def test_meshes_deform_in_blender_as_here(path, suffix, tmp_path):
    whole = load(path).project
    rig = whole.rigs[0]
    first = Project().with_assets(rig, *whole.meshes_of(rig.id), *whole.clips_of(rig.id))
    settings = Prepare(keys=Keys.FRAMES, scale=preset_named("blender").scale)
    clip = first.clips_of(rig.id)[0]
    frame, file, out = int(clip.frames // 2), tmp_path / f"a.{suffix}", tmp_path / "points.npy"
    save(prepared(first, settings), file)
    python, script = (
        Path(CHECK) / "venv-bpy" / "bin" / "python",
        ROOT / "tests" / "clients" / "blender_points.py",
    )
    words = [python, script, file, clip.name, frame, clip.rate.fps, out]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    theirs, ours = np.load(out), deformed(first, frame / clip.rate.fps)
    size = float(np.linalg.norm(np.ptp(ours, axis=0)))
    off = max(cKDTree(ours).query(theirs)[0].max(), cKDTree(theirs).query(ours)[0].max()) / size
    assert bool(off > TOLERANCE) is ((path.name, suffix) in SCALED_BIND), off
