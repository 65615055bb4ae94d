"""Every shared file into every export format, and each of them through the programs that read it.

``python tests/clients/matrix.py --clients DIR`` writes the table into README.md between its markers. DIR is the folder
of the shared checkers with their clients installed. ``--only NAME`` tries some files and prints, without the README.

Clips are written with a key on every frame, as the presets for most programs do: between sparse keys they
disagree (GOLDENS.md of the shared folder). A cell tells the largest error of bone positions on frames, as a part
of the character's size, by the client's own evaluation (of the file as we wrote it) against ours (of the file as
it came). ``ok`` is a client that loads and plays the file but tells no numbers. Reasons of failures stand below.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.clips.sample import sample_many  # noqa: E402
from core.errors import AnimError  # noqa: E402
from core.io import load, save  # noqa: E402
from core.io.bvh.options import BvhWriteOptions  # noqa: E402
from core.io.fbx.write import scene_nodes  # noqa: E402
from core.io.prepare import Keys, Prepare, prepared  # noqa: E402
from core.io.presets import bvh_known  # noqa: E402
from core.io.selfcheck import check_file  # noqa: E402
from core.io.usd.names import identifiers  # noqa: E402
from core.math.transform import from_matrix  # noqa: E402
from core.pose.kinematics import model_matrices  # noqa: E402
from core.rig.rig import SourceFrame  # noqa: E402
from tests.shared import SHARED  # noqa: E402

KINDS = ("gltf/*.gltf", "gltf/*.glb", "gltf/*.vrma", "bvh/*.bvh", "fbx/*.fbx", "usd/*.usda", "clients/*.*")
CLIENTS = {
    "glb": ("validator + three.js", "Blender"),
    "bvh": ("three.js", "Blender"),
    "fbx": ("ufbx", "three.js", "Blender"),
    "usda": ("OpenUSD", "Blender"),
}
TOLERANCE = 1e-3
BEGIN, END = "<!-- matrix:begin -->", "<!-- matrix:end -->"


def command(client, path, expect, folder, still):
    """The words that run a checker."""
    numbers = ["--expect", str(expect), "--tol", str(TOLERANCE)]
    allow = ["--allow-static"] if still else []
    match client:
        case "validator + three.js":
            return ["node", "check_gltf.mjs", str(path), *numbers, *allow]
        case "three.js" if path.suffix == ".bvh":
            return ["node", "check_three.mjs", str(path), *numbers, *allow]
        case "three.js":  # its between-key motion of FBX and its treatment of units are its own
            return ["node", "check_three.mjs", str(path), *allow]
        case "ufbx":
            return ["venv-ufbx/bin/python", "check_ufbx.py", str(path), *numbers, "--scale", "0.01", *allow]
        case "OpenUSD":
            return ["venv-usd/bin/python", "check_usd.py", str(path), *allow]
    return ["venv-bpy/bin/python", "check_bpy.py", str(path), *numbers, *allow]


def expectation(project, names, target, codes):
    """What we evaluate, in metres and +Y up, on frames; `codes`: times as USD counts them."""
    rig = project.rigs[0]
    rest = from_matrix(model_matrices(rig.skeleton, rig.skeleton.rest))
    clips = []
    for clip in project.clips_of(rig.id)[: 1 if codes else 4]:
        frames = np.unique(np.linspace(0, np.floor(clip.frames + 1e-6), 9).astype(int))
        times = np.minimum(frames / clip.rate.fps, clip.length)
        world = from_matrix(model_matrices(rig.skeleton, sample_many(rig, clip, times, wrap=False).local))
        name = names["clips"].get(clip.name, clip.name)
        told = {
            "name": name,
            "duration": clip.length,
            "times": (times * (project.clips[0].rate.fps if codes else 1.0)).tolist(),
        }
        clips.append(told | {"p": world.translation.tolist(), "q": world.rotation.tolist()})
    nodes = scene_nodes(project, rig) if names["fbx"] else set()
    joints = [
        {
            "name": names["bones"].get(name, name),
            "parent": int(rig.skeleton.parents[bone]),
            "joint": bone not in nodes,
            "endsite": names["bvh"] and name.endswith("_End"),
        }
        for bone, name in enumerate(rig.skeleton.names)
    ]
    told = {"format": "interop-golden/1", "joints": joints, "clips": clips}
    target.write_text(
        json.dumps(told | {"rest": {"p": rest.translation.tolist(), "q": rest.rotation.tolist()}})
    )


def cells(path, suffix, clients, folder):
    """One cell a client, our own reading first; and the reasons of failures."""
    project = load(path).project
    rig = replace(project.rigs[0], source=SourceFrame())
    own = [*project.meshes_of(rig.id), *project.clips_of(rig.id)]
    if suffix == "bvh":
        own = [*own[: len(project.meshes_of(rig.id))], *project.clips_of(rig.id)[:1]]
    project = type(project)().with_assets(rig, *own)
    project = prepared(project, Prepare(keys=Keys.FRAMES))
    target = folder / f"{path.name}.{suffix}"
    save(project, target, BvhWriteOptions(metres_per_unit=1.0) if suffix == "bvh" else None)
    known = bvh_known(rig, 1.0) if suffix == "bvh" else None
    check = check_file(target, project, rest=known is None, between=known is None, options=known)
    size = (
        float(np.linalg.norm(np.ptp(model_matrices(rig.skeleton, rig.skeleton.rest)[:, :3, 3], axis=0)))
        or 1.0
    )
    worst = check.worst
    found = [f"{worst.millimetres / 1000.0 / size:.0e}" if worst and not check.problems else "✗"]
    reasons = [f"own reading: {text}" for text in check.problems[:1]]
    bones = rig.skeleton.names
    spelled = {name: name for name in bones}
    if suffix == "bvh":
        spelled = {n: "_".join(n.split()).replace("{", "(").replace("}", ")") for n in bones}
    elif suffix == "usda":
        spelled = dict(zip(bones, identifiers(list(bones)), strict=True))
    names = {"bones": spelled, "clips": {}, "bvh": suffix == "bvh", "fbx": suffix == "fbx"}
    expect = folder / "expect.json"
    expectation(project, names, expect, suffix == "usda")
    moved = [model_matrices(rig.skeleton, sample_many(rig, c, np.linspace(0, c.length, 5), wrap=False).local)
             for c in project.clips_of(rig.id)]  # fmt: skip
    still = not any(np.ptp(m[..., :3, :], axis=0).max() > 1e-6 for m in moved)
    for client in CLIENTS[suffix]:
        words = command(client, target, expect, folder, still)
        try:
            done = subprocess.run(
                words, cwd=clients, capture_output=True, text=True, timeout=180, check=False
            )
            said, code = done.stdout + done.stderr, done.returncode
        except subprocess.TimeoutExpired:
            said, code = "FAIL: it took more than three minutes", 1
        error = re.search(r"worst position ([\d.e+-]+)", said)
        if code == 0:
            found.append(f"{float(error.group(1)):.0e}" if error else "ok")
        else:
            found.append("✗")
            lines = [line for line in said.splitlines() if "FAIL" in line] or said.splitlines()[-1:] or ["?"]
            reasons.append(f"{client}: {lines[0].replace('FAIL: ', '')[:140]}")
    return found, reasons


def table(clients, only, echo):
    """The lines of the table and of the reasons."""
    head = [f"{suffix}: {c}" for suffix, who in CLIENTS.items() for c in ("own reading", *who)]
    lines = ["| file | " + " | ".join(head) + " |", "| --- |" + " --- |" * len(head)]
    reasons = []
    paths = sorted({p for kind in KINDS for p in SHARED.glob(f"data/{kind}")})
    paths = [p for p in paths if p.suffix in (".gltf", ".glb", ".vrma", ".bvh", ".fbx", ".usda", ".usdc")]
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if only and not any(word in path.name for word in only):
                continue
            row = []
            for suffix in CLIENTS:
                try:
                    found, why = cells(path, suffix, clients, Path(folder))
                except AnimError as error:
                    found, why = ["✗"] * (1 + len(CLIENTS[suffix])), [str(error)[:140]]
                row += found
                reasons += [f"- {path.name} → {suffix}, {text}" for text in why]
            lines.append(f"| {path.name} | " + " | ".join(row) + " |")
            if echo:
                print(lines[-1], *reasons[-4:], sep="\n", flush=True)
    return [*lines, "", *reasons]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=Path, required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--out", type=Path, help="write the table here instead of into the README")
    words = parser.parse_args()
    lines = table(words.clients, words.only, True)
    if words.only:
        return 0
    text = "\n".join(lines)
    if words.out:
        words.out.write_text(text + "\n", "utf-8")
        return 0
    readme = ROOT / "README.md"
    whole = readme.read_text("utf-8")
    start, end = whole.index(BEGIN) + len(BEGIN), whole.index(END)
    readme.write_text(f"{whole[:start]}\n{text}\n{whole[end:]}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
