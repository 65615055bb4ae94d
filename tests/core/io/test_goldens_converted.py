"""Golden files through ``.posewright`` and back to ``.glb``: they sample the same, and clients read them."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from core.arrays import same_value
from core.cli.main import main
from core.clips.sample import sample_many
from core.io import load
from core.math import quat
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import model_matrices
from tests.core.io.golden import FILES, evaluated_clips, golden
from tests.shared import shared_files

SAME = 1e-5
CHECK = os.environ.get("POSEWRIGHT_CHECK", "")
needs_clients = pytest.mark.skipif(
    not CHECK, reason="POSEWRIGHT_CHECK names no folder with the installed check clients"
)


@pytest.fixture
def converted(request, tmp_path):
    """The file as ``.posewright`` and as ``.glb``, made by the command line."""
    path = request.param
    native, glb = tmp_path / "a.posewright", tmp_path / "a.glb"
    assert main(["convert", str(path), str(native)]) == 0
    assert main(["convert", str(native), str(glb)]) == 0
    return path, native, glb


def world(project, clip, times):
    """Model transforms (T, B, k) at times."""
    rig = project.rigs[0]
    if clip is None:
        local = Transform(*(np.repeat(part[None], len(times), axis=0) for part in rig.skeleton.rest))
    else:
        local = sample_many(rig, clip, times, wrap=False).local
    return from_matrix(model_matrices(rig.skeleton, local))


@pytest.mark.parametrize("converted", shared_files(*FILES), indirect=True)
def test_convert_to_native_and_glb_samples_the_same(converted):
    path, native, glb = converted
    first, middle, last = (load(p).project for p in converted)
    assert same_value([c.tracks for c in first.clips], [c.tracks for c in middle.clips])
    order = [last.rigs[0].skeleton.index(name) for name in first.rigs[0].skeleton.names]
    assert len(order) == len(last.rigs[0].skeleton)
    rest = world(first, None, np.zeros(1)).translation[0]
    size = float(np.linalg.norm(np.ptp(rest, axis=0))) or 1.0
    for clip in first.clips or (None,):
        other = None if clip is None else last.clip_named(clip.name)
        length = 0.0 if clip is None else clip.length
        told = [c["times"] for c in evaluated_clips(path) if clip is not None and c["name"] == clip.name]
        times = np.union1d(np.linspace(0.0, length, 41), np.clip(told[0], 0.0, length) if told else [])
        a, b = world(first, clip, times), world(last, other, times)
        assert np.abs(a.translation - b.translation[:, order]).max() <= SAME * size
        turned = quat.aligned(b.rotation[:, order], a.rotation)
        assert np.abs(turned - a.rotation).max() <= SAME


def expectation(path, folder):
    """The golden in our units and axes, for the clients."""
    told = golden(path)
    source = load(path).project.rigs[0].source

    def placed(points):
        return (quat.rotate(source.to_y_up, np.array(points)) * source.metres_per_unit).tolist()

    if path.suffix == ".bvh":
        told = {**told, "rest": {**told["rest"], "p": placed(told["rest"]["p"])}}
        told["clips"] = [
            {
                **clip,
                "name": path.stem,
                "p": placed(clip["p"]),
                "q": quat.multiply(source.to_y_up, np.array(clip["q"])).tolist(),
            }
            for clip in told["clips"]
        ]
    target = folder / "expect.json"
    target.write_text(json.dumps(told), "utf-8")
    return target


def still(path):
    """Files in which nothing moves, as far as a client looks at bones."""
    return path.name in ("standard_skeleton_1frame.bvh", "manny_med_mod.gltf", "AnimatedMorphCube.gltf")


def run(words):
    done = subprocess.run(words, cwd=CHECK, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_clients
@pytest.mark.parametrize("converted", shared_files(*FILES), indirect=True)
def test_converted_glb_passes_validator_and_three(converted, tmp_path):
    path, _, glb = converted
    expect = ["--expect", str(expectation(path, tmp_path)), "--tol", "1e-4"]
    run(["node", "check_gltf.mjs", str(glb), *expect, *(["--allow-static"] if still(path) else [])])


@needs_clients
@pytest.mark.parametrize("converted", shared_files(*FILES), indirect=True)
def test_converted_glb_moves_alike_in_blender(converted, tmp_path):
    path, _, glb = converted
    python = Path(CHECK) / "venv-bpy" / "bin" / "python"
    # Blender interpolates quaternion channels one by one: 5e-3 between keys (the checkers' README).
    expect = ["--expect", str(expectation(path, tmp_path)), "--tol", "5e-3"]
    run([str(python), "check_bpy.py", str(glb), *expect, *(["--allow-static"] if still(path) else [])])
