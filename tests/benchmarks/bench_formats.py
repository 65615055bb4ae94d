"""Import and export times beside Blender (bpy) and three.js, as ratios.

    python tests/benchmarks/bench_formats.py --clients DIR

DIR is the folder of the shared checkers with their clients installed. Every time is the best of some runs of the
import (or export) call alone, without the start of the program; ours of FBX includes its helper process. Nothing is
asserted.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.io import load, save  # noqa: E402
from core.io.ahead import keep_helpers  # noqa: E402
from core.io.common.helper.spare import release  # noqa: E402
from tests.shared import SHARED  # noqa: E402

FILES = ("bvh/cmu_01_01.bvh", "fbx/maya_kenney_character_7700_binary.fbx", "fbx/pab_jog.fbx", "gltf/CesiumMan.gltf",
         "gltf/RobotExpressive.glb")  # fmt: skip
RUNS = 3
BLENDER = """
import bpy, json, sys, time
path, out, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
kind = path.rsplit('.', 1)[1]
read = {'bvh': bpy.ops.import_anim.bvh, 'glb': bpy.ops.import_scene.gltf, 'gltf': bpy.ops.import_scene.gltf}.get(kind)
if read is None:
    read = bpy.ops.wm.fbx_import if hasattr(bpy.ops.wm, 'fbx_import') else bpy.ops.import_scene.fbx
best = {}
for _ in range(runs):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    began = time.perf_counter(); read(filepath=path); best.setdefault('import', []).append(time.perf_counter() - began)
for name, write in (('glb', bpy.ops.export_scene.gltf), ('fbx', bpy.ops.export_scene.fbx)):
    began = time.perf_counter(); write(filepath=out + '.' + name)
    best.setdefault(name, []).append(time.perf_counter() - began)
print('TIMES ' + json.dumps({k: min(v) for k, v in best.items()}))
"""
THREE = """
import { load } from './lib_three.mjs';
console.warn = () => {};
let best = 1e9;
for (let n = 0; n < +process.argv[2]; n++) { const t = performance.now(); await load(process.argv[1]);
  best = Math.min(best, performance.now() - t); }
console.log('TIMES ' + JSON.stringify({ import: best / 1000 }));
process.exit(0);
"""


def best(work):
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def waiting(path):
    """As in the window, where a helper has loaded its library before: one second to do so before each."""
    keep_helpers()
    times = []
    for _ in range(RUNS):
        time.sleep(1.0)
        began = time.perf_counter()
        load(path)
        times.append(time.perf_counter() - began)
    release()
    return min(times)


def told(words, folder):
    """Times a client prints; empty where it fails."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("TIMES ")]
    return json.loads(lines[-1][6:]) if lines else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=Path, default=os.environ.get("POSEWRIGHT_CHECK"))
    given = parser.parse_args().clients
    if given is None:
        print("No peer to compare with: POSEWRIGHT_CHECK names no folder of clients.")
        return
    clients = Path(given).resolve()
    print("| file | step | ours ms | Blender ms | ours / Blender | three.js ms | ours / three.js |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "time_blender.py"
        script.write_text(BLENDER)
        for file in FILES:
            path = SHARED / "data" / file
            project = load(path).project
            ours = {"import": best(lambda path=path: load(path))}
            if path.suffix == ".fbx":
                ours["import, helper waiting"] = waiting(path)
            for suffix in ("glb", "fbx"):
                target = folder / f"ours.{suffix}"
                ours[suffix] = best(lambda p=project, t=target: save(p, t))
            python = str(clients / "venv-bpy/bin/python")
            blender = told([python, str(script), str(path), str(folder / "theirs"), str(RUNS)], folder)
            words = ["node", "--input-type=module", "-e", THREE, "--", str(path), str(RUNS)]
            three = told(words, clients)
            for step, mine in ours.items():
                row = [
                    path.name,
                    step if step.startswith("import") else f"export {step}",
                    f"{mine * 1000:.0f}",
                ]
                for theirs in (blender.get(step.split(",")[0]), three.get(step.split(",")[0])):
                    row += [f"{theirs * 1000:.0f}", f"{mine / theirs:.2f}"] if theirs else ["–", "–"]
                print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
