"""Every shared file into every export format, and each of them through the programs that read it.

``python tests/clients/matrix.py --clients DIR`` writes the table to ``matrix.md`` beside this file. DIR is the folder
of the shared checkers with their clients installed. ``--only NAME`` tries some files, and prints without writing.

A cell tells the largest error of bone positions on frames, as a part of the character's size, by the client's
own evaluation (of the file as we wrote it) against ours (of the file as it came); ✗ is a client that reads the
file wrongly or not at all. The script fails when a ✗ has no reason in `tests.clients.reasons`, and when a
reason is told of a cell that is no ✗.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.clips.sample import sample_many  # noqa: E402
from core.errors import AnimError  # noqa: E402
from core.io import load, save  # noqa: E402
from core.io.builtin import BVH  # noqa: E402
from core.io.bvh.options import BvhWriteOptions  # noqa: E402
from core.io.prepare.prepare import prepared  # noqa: E402
from core.io.prepare.settings import Keys, Prepare  # noqa: E402
from core.io.presets import one_clip_of, preset_named  # noqa: E402
from core.io.selfcheck import check_file  # noqa: E402
from core.io.usd.names import identifiers  # noqa: E402
from core.math.transform import from_matrix  # noqa: E402
from core.pose.kinematics import model_matrices  # noqa: E402
from core.project.project import Project  # noqa: E402
from core.rig.rig import SourceFrame  # noqa: E402
from tests.clients.reasons import REASONS  # noqa: E402
from tests.shared import SHARED  # noqa: E402

KINDS = (
    "data/gltf/*.gltf",
    "data/gltf/*.glb",
    "data/gltf/*.vrma",
    "data/bvh/*.bvh",
    "data/fbx/*.fbx",
    "data/usd/*.usda",
    "data/clients/*.*",
    "cases/*.*",
)
CLIENTS = {
    "glb": ("validator + three.js", "Blender"),
    "bvh": ("three.js", "Blender"),
    "fbx": ("ufbx", "three.js", "Blender"),
    "usda": ("OpenUSD", "Blender"),
}
OWN = "own reading"
TOLERANCE, DEGREES = 1e-3, 0.1
MOST_CLIPS = 4
SETTINGS = Prepare(keys=Keys.FRAMES)
BLENDER = preset_named("blender")
FOR_CLIENT = {
    "Blender": replace(SETTINGS, scale=BLENDER.scale),
    "three.js": replace(SETTINGS, one_root=True),
}
"""What a client needs otherwise than `SETTINGS`."""
OUT = Path(__file__).with_suffix(".md")
HEAD = (
    "# Every shared file in every export format, read back by other programs",
    "",
    "Each file is written with a key on every frame. For Blender, rest scale is folded, as the Blender preset does",
    "(`--preset blender`, or `--keys frames --scale folded` for its other formats); for three.js, several roots get",
    "one bone above them (`--one-root`). BVH holds the first clip that moves a bone, and USD plays that clip. A number",
    "is the largest error of bone positions on frames, relative to the character's size; our own reader also checks",
    "rotations to 0.1°. Blender's bones have no scale at rest: where a rig has some and it is not folded, its children",
    "are misplaced there. Made by `python tests/clients/matrix.py`.",
)


@dataclass(frozen=True)
class Case:
    """One file in one export format.

    Parameters
    ----------
    project : as it came, the clip that a file of one clip holds first
    """

    path: Path
    suffix: str
    project: Project
    folder: Path

    @property
    def rig(self):
        return self.project.rigs[0]

    @property
    def size(self):
        rest = model_matrices(self.rig.skeleton, self.rig.skeleton.rest)
        return float(np.linalg.norm(np.ptp(rest[:, :3, 3], axis=0))) or 1.0

    def clips(self):
        """The clips that a client is asked for."""
        most = 1 if self.suffix in ("bvh", "usda") else MOST_CLIPS
        return self.project.clips_of(self.rig.id)[:most]

    def written(self, client, settings):
        """The file for a client, and what was written."""
        ready = prepared(self.project, settings)
        target = self.folder / f"{self.path.name}_{re.sub(r'[^a-z]', '', client.lower())}.{self.suffix}"
        save(ready, target, BvhWriteOptions(metres_per_unit=1.0) if self.suffix == "bvh" else None)
        return target, ready


def worlds(rig, clip, times):
    return from_matrix(model_matrices(rig.skeleton, sample_many(rig, clip, times, wrap=False).local))


def moves(rig, clip):
    """How far bones go or turn in a clip; scale alone moves none."""
    world = worlds(rig, clip, np.linspace(0.0, clip.length, 7))
    return max(float(np.ptp(part, axis=0).max()) for part in world[:2])


def case_of(path, suffix, folder):
    """The first rig of a file, its clips sampled on frames (a step may stand a rounding beside one)."""
    project = prepared(load(path).project, SETTINGS)
    rig = replace(project.rigs[0], source=SourceFrame())
    clips = sorted(project.clips_of(rig.id), key=lambda clip: moves(rig, clip) < 1e-6)
    return Case(path, suffix, Project().with_assets(rig, *project.meshes_of(rig.id), *clips), folder)


def spelled(names, suffix):
    """Names of bones as clients tell them."""
    if suffix == "bvh":
        return ["_".join(n.split()).replace("{", "(").replace("}", ")") for n in names]
    if suffix == "usda":
        return identifiers(list(names))
    return names


def expectation(case, unit):
    """What we evaluate on frames, +Y up, lengths in `unit` metres; times as USD counts them where it is USD."""
    rig = case.rig
    rest = from_matrix(model_matrices(rig.skeleton, rig.skeleton.rest))
    clips = []
    for clip in case.clips():
        frames = np.unique(np.linspace(0, np.floor(clip.frames + 1e-6), 9).astype(int))
        times = np.minimum(frames / clip.rate.fps, clip.length)
        world = worlds(rig, clip, times)
        told = {"name": clip.name, "duration": clip.length}
        told["times"] = (times * (clip.rate.fps if case.suffix == "usda" else 1.0)).tolist()
        clips.append(told | {"p": (world.translation / unit).tolist(), "q": world.rotation.tolist()})
    joints = [
        {
            "name": name,
            "parent": int(rig.skeleton.parents[bone]),
            "joint": True,
            "endsite": case.suffix == "bvh" and name.endswith("_End"),
        }
        for bone, name in enumerate(spelled(rig.skeleton.names, case.suffix))
    ]
    told = {"format": "interop-golden/1", "joints": joints, "clips": clips}
    told["rest"] = {"p": (rest.translation / unit).tolist(), "q": rest.rotation.tolist()}
    target = case.folder / "expect.json"
    target.write_text(json.dumps(told))
    return target, told


def command(client, path, expect, told, still):
    """The words that run a checker."""
    numbers = ["--expect", str(expect), "--tol", str(TOLERANCE)]
    allow = ["--allow-static"] if still else []
    match client:
        case "validator + three.js":
            return ["node", "check_gltf.mjs", str(path), *numbers, *allow]
        case "three.js":
            return ["node", "check_three.mjs", str(path), *numbers, *allow]
        case "ufbx":
            return ["venv-ufbx/bin/python", "check_ufbx.py", str(path), *numbers, "--scale", "0.01", *allow]
        case "OpenUSD":  # tells what it sees; `usd_error` compares
            times = ["--times", ",".join(map(str, told["clips"][0]["times"]))] if told["clips"] else []
            return [
                "venv-usd/bin/python",
                "check_usd.py",
                str(path),
                "--out",
                str(seen(path)),
                *times,
                *allow,
            ]
    return ["venv-bpy/bin/python", "check_bpy.py", str(path), *numbers, *allow]


def seen(path):
    return path.with_suffix(".seen.json")


def usd_error(path, told, size):
    """Largest error of OpenUSD's own evaluation."""
    skeleton = json.loads(seen(path).read_text())["skeletons"][0]
    names = [joint["name"].split("/")[-1] for joint in skeleton["joints"]]
    order = [names.index(joint["name"]) for joint in told["joints"]]
    if not told["clips"]:
        return 0.0
    found, wanted = (np.array(clips[0]["p"]) for clips in (skeleton["clips"], told["clips"]))
    return float(np.linalg.norm(found[:, order] - wanted, axis=-1).max()) / size


def asked(case, client, clients):
    """A cell, and what the client complains of (None where it does not)."""
    path, _ = case.written(client, FOR_CLIENT.get(client, SETTINGS))
    unit = 0.01 if case.suffix == "fbx" and client == "three.js" else 1.0
    expect, told = expectation(case, unit)
    still = not any(moves(case.rig, clip) > 1e-6 for clip in case.clips())
    words = command(client, path, expect, told, still)
    try:
        done = subprocess.run(words, cwd=clients, capture_output=True, text=True, timeout=180, check=False)
    except subprocess.TimeoutExpired:
        return "✗", "it took more than three minutes"
    said = done.stdout + done.stderr
    if done.returncode:
        lines = [line for line in said.splitlines() if "FAIL" in line] or said.splitlines()[-1:] or ["?"]
        return "✗", lines[0].replace("FAIL: ", "")[:140]
    if client == "OpenUSD":
        error = usd_error(path, told, case.size)
        return (f"{error:.0e}", None) if error <= TOLERANCE else ("✗", f"off by {error:.1e} of the rig size")
    number = re.search(r"worst position ([\d.e+-]+)", said)
    return (f"{float(number.group(1)):.0e}" if number else "ok"), None


def read_back(case):
    """The cell of our own reading of what we wrote, and its complaint."""
    path, ready = case.written("own", SETTINGS)
    bvh = case.suffix == "bvh"
    known = BVH.read_back(ready.rigs[0], BvhWriteOptions(metres_per_unit=1.0)) if bvh else None
    check = check_file(
        path, one_clip_of(ready) if bvh else ready, rest=not bvh, between=not bvh, options=known
    )
    worst = check.worst
    if check.problems or worst is None or worst.millimetres > TOLERANCE * case.size * 1000.0:
        return "✗", (*check.problems, worst.to_text() if worst else "nothing to compare")[0]
    turned = max(check.checks, key=lambda one: one.degrees)
    if not bvh and turned.degrees > DEGREES:  # rotations of BVH count from a rest pose without any
        return "✗", turned.to_text()
    return f"{worst.millimetres / 1000.0 / case.size:.0e}", None


def cells(path, suffix, clients, folder):
    """One cell a client, our own reading first; and (client, complaint) of each ✗."""
    found, complaints = [], []
    case = case_of(path, suffix, folder)
    for client in (OWN, *CLIENTS[suffix]):
        try:
            cell, why = read_back(case) if client == OWN else asked(case, client, clients)
        except AnimError as error:
            cell, why = "✗", str(error)[:140]
        found.append(cell)
        if why is not None:
            complaints.append((client, why))
    return found, complaints


def table(clients, only):
    """The lines of the table, one for each ✗, and what is wrong with `REASONS`."""
    head = [f"{suffix}: {c}" for suffix, who in CLIENTS.items() for c in (OWN, *who)]
    lines = [*HEAD, "", "| file | " + " | ".join(head) + " |", "| --- |" + " --- |" * len(head)]
    reasons, wrong, asked_for = [], [], set()
    paths = sorted({p for kind in KINDS for p in SHARED.glob(kind)})
    paths = [p for p in paths if p.suffix in (".gltf", ".glb", ".vrma", ".bvh", ".fbx", ".usda", ".usdc")]
    for path in paths:
        if only and not any(word in path.name for word in only):
            continue
        row = []
        for suffix in CLIENTS:
            with tempfile.TemporaryDirectory() as folder:
                found, complaints = cells(path, suffix, clients, Path(folder))
            row += found
            asked_for |= {(path.name, suffix, client) for client in (OWN, *CLIENTS[suffix])}
            for client, why in complaints:
                reason = REASONS.get((path.name, suffix, client))
                reasons.append(f"- {path.name} → {suffix}, {client}: {reason or 'unexplained'} ({why})")
                if reason is None:
                    wrong.append(f"unexplained: {path.name} → {suffix}, {client}: {why}")
                asked_for.discard((path.name, suffix, client))
        lines.append(f"| {path.name} | " + " | ".join(row) + " |")
        print(lines[-1], *wrong, sep="\n", flush=True)
    wrong += [f"stale reason: {key} is right by now" for key in REASONS if key in asked_for]
    return [*lines, *([""] if reasons else []), *reasons], wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=Path, required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--out", type=Path, help="write the table here instead of to matrix.md")
    words = parser.parse_args()
    lines, wrong = table(words.clients, words.only)
    print(*wrong, sep="\n", file=sys.stderr)
    text = "\n".join(lines)
    if words.out or not words.only:
        (words.out or OUT).write_text(text + "\n", "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
