"""One table: the compiled kernels, their numpy twins, and peers that install from registries.

    python -m tests.benchmarks.bench_peers [--clients FOLDER]

Peers run in processes of their own, from the folder of clients (default: ``POSEWRIGHT_CHECK``):
`venv-pymotion` (upc-pymotion), `venv-bpy` (Blender as a module), `node_modules/three`. One that is not there
leaves its columns empty. Every figure is the median of samples of the processor's time that was spent, which
others at work on the machine disturb least; a ratio above 1 says how many times longer the other takes.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.clips.compiled.compile import compile_clip
from core.clips.compiled.player import CompiledPlayer
from core.clips.evaluator import ClipEvaluator
from core.clips.reduce import reduce_clip
from core.io import load
from core.math import euler, kernels, quat, transform
from core.math.transform import Transform
from core.pose import blend, kinematics
from core.tracks.fit import fit_knots, knots_numpy
from tests.benchmarks.bench_core import _twin, character, stepping
from tests.benchmarks.bench_growth import capture
from tests.benchmarks.bench_io import bvh_text, naive_bvh

POSES, FRAMES = 1_000, 4_511
MEDIAN = """
import json, statistics, sys, time
def median(call, repeats=7, inner=1):
    call(); spent = []
    for _ in range(repeats):
        began = time.process_time()
        for _ in range(inner): call()
        spent.append((time.process_time() - began) / inner)
    return statistics.median(spent) * 1e6
"""
PYMOTION = (
    MEDIAN
    + """
import numpy as np
from pymotion.io.bvh import BVH
from pymotion.ops.skeleton import fk
from pymotion.rotations.quat import from_euler
data = np.load(sys.argv[1])
order = np.tile(np.array(['z', 'x', 'y']), (len(data['degrees']), 1))
print('TIMES ' + json.dumps({
    'kinematics': median(lambda: fk(*(data[n] for n in ('wxyz', 'root', 'offsets', 'parents'))), 3) / POSES,
    'euler': median(lambda: from_euler(np.radians(data['degrees']), order), 3) / POSES,
    'import': median(lambda: BVH().load(sys.argv[2]), 3),
}))
""".replace("POSES", str(POSES))
)
BLENDER = (
    MEDIAN
    + """
import itertools, bpy, numpy as np
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
data = bpy.data.armatures.new('a'); figure = bpy.data.objects.new('a', data)
scene.collection.objects.link(figure); bpy.context.view_layer.objects.active = figure
bpy.ops.object.mode_set(mode='EDIT')
parents = np.load(sys.argv[1])['parents']
for n in range(65):
    bone = data.edit_bones.new(f'b{n}'); bone.head = (0, 0, 0.1 * n); bone.tail = (0, 0, 0.1 * n + 0.1)
    if n: bone.parent = data.edit_bones[int(parents[n])]
bpy.ops.object.mode_set(mode='POSE')
rng = np.random.default_rng(0); scene.render.fps = 60
for bone in figure.pose.bones:
    bone.rotation_mode = 'XYZ'
    for key in range(41):
        bone.location, bone.rotation_euler, bone.scale = rng.normal(size=3) * .1, rng.normal(size=3), (1, 1, 1)
        for name in ('location', 'rotation_euler', 'scale'): bone.keyframe_insert(name, frame=6 * key)
frames = itertools.cycle(range(240))
found = {'pose': median(lambda: scene.frame_set(next(frames)), 5, 40)}
def read():
    bpy.ops.wm.read_factory_settings(use_empty=True); bpy.ops.import_anim.bvh(filepath=sys.argv[2])
found['import'] = median(read, 1)
print('TIMES ' + json.dumps(found))
"""
)
THREE = """
import * as THREE from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';
import { readFileSync } from 'node:fs';
const median = (call, repeats = 7, inner = 1) => { for (let n = 0; n < inner; n++) call(); const spent = [];
  for (let r = 0; r < repeats; r++) { const began = process.cpuUsage(); for (let n = 0; n < inner; n++) call();
    const more = process.cpuUsage(began); spent.push((more.user + more.system) / inner); }
  return spent.sort((a, b) => a - b)[repeats >> 1]; };
const parents = JSON.parse(process.argv[1]), bones = parents.map((p, n) => { const bone = new THREE.Bone();
  bone.name = 'b' + n; return bone; });
const root = new THREE.Group(); root.add(bones[0]);
parents.forEach((p, n) => { if (n) bones[p].add(bones[n]); });
const times = Float32Array.from({ length: 41 }, (_, k) => k / 10), tracks = [];
for (const bone of bones) for (const [name, width, kind] of [['position', 3, THREE.VectorKeyframeTrack],
  ['quaternion', 4, THREE.QuaternionKeyframeTrack], ['scale', 3, THREE.VectorKeyframeTrack]])
  tracks.push(new kind(`${bone.name}.${name}`, times, Float32Array.from({ length: 41 * width }, Math.random)));
const mixer = new THREE.AnimationMixer(root); mixer.clipAction(new THREE.AnimationClip('c', 4, tracks)).play();
const found = { pose: median(() => { mixer.update(1 / 60); root.updateMatrixWorld(true); }, 7, 2000) };
const text = readFileSync(process.argv[2], 'utf8'); const say = console.log; console.log = () => {};
found.import = median(() => new BVHLoader().parse(text), 3);
say('TIMES ' + JSON.stringify(found)); process.exit(0);
"""


def told(words: list[str], folder: Path) -> dict[str, float]:
    """What a peer measured; nothing where it is not there or fails."""
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    lines = [line for line in done.stdout.splitlines() if line.startswith("TIMES ")]
    return json.loads(lines[-1][6:]) if lines else {}


def peers(clients: Path | None, folder: Path) -> dict[str, dict[str, float]]:
    """Peer → work → microseconds."""
    if clients is None or not clients.is_dir():
        return {}
    rig, clip = character(41, 4.0)
    local = ClipEvaluator(rig, clip).sampled_by_track(np.linspace(0, 4, POSES))[0]
    offsets = np.array(rig.skeleton.rest.translation)
    offsets[0] = 0.0
    parents = np.maximum(rig.skeleton.parents, 0)
    np.savez(
        folder / "data.npz",
        wxyz=np.ascontiguousarray(local.rotation[..., [3, 0, 1, 2]]),
        root=local.translation[:, 0],
        offsets=offsets,
        parents=parents,
        degrees=DEGREES,
    )
    files = [str(folder / "data.npz"), str(folder / "long.bvh")]
    for name, script in (("pymotion", PYMOTION), ("bpy", BLENDER)):
        (folder / f"time_{name}.py").write_text(script)
    node = ["node", "--input-type=module", "-e", THREE, "--", json.dumps(parents.tolist()), files[1]]
    return {
        name: told(
            [str(clients / f"venv-{name}/bin/python"), str(folder / f"time_{name}.py"), *files], folder
        )
        for name in ("pymotion", "bpy")
    } | {"three": told(node, clients)}


def median(call: Callable[[], Any], repeats: int = 7, inner: int = 1) -> float:
    """Microseconds of processor time a call."""
    call()
    samples = []
    for _ in range(repeats):
        began = time.process_time()
        for _ in range(inner):
            call()
        samples.append((time.process_time() - began) / inner)
    return float(np.median(samples)) * 1e6


DEGREES = np.random.default_rng(0).uniform(-180, 180, (65 * POSES, 3))
Row = tuple[str, str, float, float | None]


def playing() -> list[Row]:
    """Rows of evaluation."""
    rig, clip = character(41, 4.0)
    evaluator = ClipEvaluator(rig, clip)
    player, twin, parents = evaluator.player(), _twin(evaluator), rig.skeleton.parents
    steady, seek = np.arange(0, 4, 1 / 60), np.random.default_rng(0).uniform(0, 4, 4096)
    rows: list[Row] = []
    for name, times, key in (("steady playback", steady, "pose"), ("random seek", seek, "")):
        ours = median(stepping(times)(player.models), inner=2000)
        rows.append(
            (f"one pose, {name} (65 × 9 cubics, matrices)", key, ours, median(stepping(times)(twin), 5, 40))
        )
    dense = character(4000, 4000 / 60)
    far = ClipEvaluator(*dense).player()
    anywhere = np.random.default_rng(0).uniform(0, 4000 / 60, 4096)
    rows.append(
        (
            "one pose, random seek, 4,000 keys a channel",
            "",
            median(stepping(anywhere)(far.models), inner=1000),
            None,
        )
    )
    at = np.arange(POSES) / 60 % 4.0

    def slowly() -> Any:
        return kinematics.chain_matrices(parents, transform.to_matrix(evaluator.sampled_by_track(at)[0]))

    rows.append(
        (
            "a pose of many in one call (matrices)",
            "",
            median(lambda: player.models_many(at)) / POSES,
            median(slowly, 3) / POSES,
        )
    )
    local = evaluator.sampled_by_track(np.linspace(0, 4, POSES))[0]
    ours = median(lambda: kinematics.model_matrices(rig.skeleton, local)) / POSES
    slow = median(lambda: kinematics.chain_matrices(parents, transform.to_matrix(local)), 3) / POSES
    rows.append(("forward kinematics alone, a pose", "kinematics", ours, slow))
    ours = median(lambda: euler.to_quaternion(DEGREES, 2)) / POSES
    rows.append(
        (
            "65 Euler angles to quaternions",
            "euler",
            ours,
            median(lambda: euler.to_quaternion_numpy(DEGREES, 2), 3) / POSES,
        )
    )
    rng = np.random.default_rng(0)
    for count in (2, 4):
        parts = [
            Transform(
                rng.normal(size=(64, 65, 3)),
                quat.normalise(rng.normal(size=(64, 65, 4))),
                np.ones((64, 65, 3)),
            )
            for _ in range(count)
        ]
        shares = np.full((count, 64, 1), 1.0 / count)
        rows.append(
            (
                f"blend of {count} poses, inside a batch",
                "",
                median(lambda p=parts, s=shares: blend.weighted(p, s), 9, 20) / 64,
                median(lambda p=parts, s=shares: blend._by_numpy(p, s), 5) / 64,
            )
        )  # type: ignore[misc]
    compiled = CompiledPlayer(compile_clip(*capture(65, 600))[0])
    at = np.arange(600) / 60
    slow = median(lambda: compiled.clip.poses_numpy(at), 3) / len(at)
    rows.append(
        ("one pose of a compiled clip, steady", "", median(stepping(at)(compiled.pose), inner=600), slow)
    )
    return rows


def working(path: Path) -> list[Row]:
    """Rows of import and reduction."""
    read = median(lambda: load(path), 3)
    rows: list[Row] = [
        (
            f"BVH import, {FRAMES} frames × 31 (twin: number by number)",
            "import",
            read,
            median(lambda: naive_bvh(path), 1),
        )
    ]
    rig, clip = capture(66, 4000)
    tracks = list(clip.tracks.values())[:198]

    def fit(solve: Callable[..., Any], some: int) -> None:
        for track in tracks[:some]:
            solve(track.times, track.values[:, None])

    ours = median(lambda: fit(lambda t, v: fit_knots(t, v, 0.1), 198), 3)
    edges, even = np.array([0, 3999]), np.ones(4000)
    slow = (
        median(lambda: fit(lambda t, v: knots_numpy(t, v, np.array([10.0]), even, False, edges), 6), 1) * 33
    )
    rows.append(("cubic keys, 198 channels × 4,000 frames, 0.1° (twin: of 6)", "", ours, slow))
    ours = median(lambda: reduce_clip(rig, clip, 1e-4), 1)
    rows.append(("the same within 0.1 mm in model space, 66 bones", "", ours, None))
    return rows


def number(value: float | None) -> str:
    """Microseconds for people."""
    if value is None:
        return "–"
    for limit, scale, unit in ((1e3, 1.0, "µs"), (1e6, 1e3, "ms")):
        if value < limit:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e6:.3g} s"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    named = os.environ.get("POSEWRIGHT_CHECK")
    parser.add_argument("--clients", type=Path, default=Path(named).resolve() if named else None)
    clients = parser.parse_args().clients
    kernels.load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "long.bvh").write_text(bvh_text(FRAMES))
        rows = [*playing(), *working(folder / "long.bvh")]
        others = peers(clients, folder)
    columns = ("pymotion", "bpy", "three")
    print(f"{'work':<58}{'ours':>10}{'numpy twin':>20}" + "".join(f"{c:>20}" for c in columns))
    for title, key, ours, slow in rows:
        cells = [slow, *(others.get(column, {}).get(key) for column in columns)]
        texts = [number(cell) + (f" ({cell / ours:.3g}×)" if cell else "") for cell in cells]
        print(f"{title:<58}{number(ours):>10}" + "".join(f"{text:>20}" for text in texts))
    print(
        "\nthree.js plays three linear tracks a bone, Blender nine curves with its own constraints and redraw."
    )
    if not any(others.values()):
        print("No peer was run: POSEWRIGHT_CHECK names no folder of clients.")


if __name__ == "__main__":
    main()
