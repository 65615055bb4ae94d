"""Speed of files: reading and writing beside naive twins, and beside a peer where one is installed.

    python tests/benchmarks/bench_io.py [--json FILE] [--quick]

Figures are medians, in milliseconds. Nothing is asserted.
"""

import argparse
import importlib.util
import io
import json
import math
import struct
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.io import load, save
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import columns, scalar_track

PEERS = {  # from shared/bench/peers.md, another day: only the order of magnitude compares
    "BVH read": "pymotion 235 ms (+ 490 to quaternions), three.js 327, Blender 1740; goal ≤ 120",
    "BVH write": "pymotion 320 ms, Blender 1760; goal ≤ 150",
    "glTF write": "Blender 9650 ms; goal ≤ 300",
    "glTF read": "pygltflib 1000–1900 ms for 3 MB, json + numpy 22",
}


def bvh_text(frames: int, bones: int = 31, seed: int = 0) -> str:
    """A chain-like figure with random but smooth motion."""
    rng = np.random.default_rng(seed)
    lines, closing = ["HIERARCHY"], []
    for bone in range(bones):
        word = "ROOT" if bone == 0 else "JOINT"
        position = "6 Xposition Yposition Zposition" if bone == 0 else "3"
        lines += [
            f"{word} bone_{bone}",
            "{",
            "OFFSET 0 10 0",
            f"CHANNELS {position} Zrotation Yrotation Xrotation",
        ]
        closing.append("}")
    lines += ["End Site", "{", "OFFSET 0 5 0", "}", *closing]
    values = np.cumsum(rng.normal(size=(frames, 3 + 3 * bones)), axis=0)
    rows = "\n".join(" ".join(f"{value:.4f}" for value in row) for row in values)
    return "\n".join(lines) + f"\nMOTION\nFrames: {frames}\nFrame Time: 0.0083333\n{rows}\n"


def clip_of_585(keys: int, seed: int = 0) -> Project:
    """65 bones × 9 cubic channels on shared times."""
    rng, bones = np.random.default_rng(seed), 65
    rest = Transform(
        rng.normal(size=(bones, 3)), quat.normalise(rng.normal(size=(bones, 4))), np.ones((bones, 3))
    )
    rig = Rig(
        AssetId("rig-1"),
        "rig",
        Skeleton(tuple(f"b{i}" for i in range(bones)), np.arange(-1, bones - 1), rest),
    )
    times = np.arange(keys) / 30.0
    times.flags.writeable = False
    tracks = {
        Channel(name, prop, axis): scalar_track(times, *rng.normal(size=(3, keys)))
        for name in rig.skeleton.names
        for prop in Property
        for axis in range(3)
    }
    return Project().with_assets(
        rig, Clip(AssetId("clip-1"), "clip", rig.id, float(times[-1]), tracks=tracks)
    )


# ---------------------------------------------------------------- naive twins


def naive_bvh(path: Path) -> list[list[list[float]]]:
    """Number by number, and each rotation by itself."""
    rows = path.read_text().split("MOTION")[1].splitlines()[3:]
    frames = []
    for row in rows:
        values = [float(word) for word in row.split()]
        frames.append([_zyx(*map(math.radians, values[i : i + 3])) for i in range(3, len(values), 3)])
    return frames


def _zyx(z: float, y: float, x: float) -> list[float]:
    """Quaternion of ``Rz·Ry·Rx``."""
    sx, cx, sy, cy = math.sin(x / 2), math.cos(x / 2), math.sin(y / 2), math.cos(y / 2)
    sz, cz = math.sin(z / 2), math.cos(z / 2)
    return [
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    ]


def naive_native_save(project: Project, path: Path) -> None:
    """One entry for each column of each track, deflated, as ``np.savez_compressed`` would."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, track in enumerate(project.clips[0].tracks.values()):
            for name in columns(track):
                out = io.BytesIO()
                np.save(out, getattr(track, name))
                archive.writestr(f"{number}-{name}.npy", out.getvalue())


def naive_native_load(path: Path) -> list[Any]:
    with zipfile.ZipFile(path) as archive:
        return [np.load(io.BytesIO(archive.read(name))) for name in archive.namelist()]


def naive_gltf(path: Path) -> list[list[float]]:
    """Every float accessor with struct, number by number."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document, body = json.loads(data[20 : 20 + length]), data[28 + length :]
    widths = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
    found = []
    for accessor in document["accessors"]:
        if accessor["componentType"] == 5126:
            start = document["bufferViews"][accessor["bufferView"]]["byteOffset"] + accessor.get(
                "byteOffset", 0
            )
            count = accessor["count"] * widths[accessor["type"]]
            found.append([struct.unpack_from("<f", body, start + 4 * i)[0] for i in range(count)])
    return found


def pymotion_bvh(path: Path) -> Callable[[], Any] | None:
    """pymotion's reader, where it is installed."""
    if importlib.util.find_spec("pymotion") is None:
        return None
    from pymotion.io.bvh import BVH

    return lambda: BVH().load(str(path))


# ---------------------------------------------------------------- measuring


def median(call: Callable[[], Any], repeats: int) -> float:
    """Milliseconds."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - began))
    return float(np.median(taken))


class Bench:
    def __init__(self, repeats: int) -> None:
        self.repeats = repeats
        self.rows: list[dict[str, Any]] = []

    def row(
        self,
        name: str,
        ours: Callable[[], Any],
        naive: Callable[[], Any] | None = None,
        peer: Callable[[], Any] | None = None,
        note: str = "",
    ) -> None:
        """Measure one piece of work; `naive` and `peer` may be absent."""
        row: dict[str, Any] = {"work": name, "ours": median(ours, self.repeats), "note": note}
        for who, call in (("naive", naive), ("peer", peer)):
            if call is not None:
                row[who] = median(call, max(1, self.repeats // 2))
        self.rows.append(row)
        print(_line(row), flush=True)


def _line(row: dict[str, Any]) -> str:
    parts = [f"{row['work']:<44}{row['ours']:9.1f} ms"]
    others = [who for who in ("naive", "peer") if who in row]
    parts += [f"{who} {row[who]:9.1f} ms = {row[who] / row['ours']:5.1f} ×" for who in others]
    return "   ".join([*parts, row["note"]]).rstrip()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    options = parser.parse_args(arguments)
    bench = Bench(3 if options.quick else 7)
    with tempfile.TemporaryDirectory() as name:
        run(bench, Path(name))
    if options.json:
        Path(options.json).write_text(json.dumps(bench.rows, indent=1), "utf-8")
    return 0


def run(bench: Bench, folder: Path) -> None:
    for frames in (4_000, 4_511, 18_044):
        path = folder / f"walk{frames}.bvh"
        path.write_text(bvh_text(frames))
        note = PEERS["BVH read"] if frames == 4_511 else ""
        bench.row(
            f"BVH read, {frames} frames × 31 bones",
            lambda path=path: load(path),
            lambda path=path: naive_bvh(path),
            pymotion_bvh(path),
            note,
        )
    mocap = load(folder / "walk4511.bvh").project
    bench.row("BVH write, 4511 × 31", lambda: save(mocap, folder / "out.bvh"), note=PEERS["BVH write"])
    bench.row("glTF write, the same clip", lambda: save(mocap, folder / "out.glb"), note=PEERS["glTF write"])
    glb = folder / "out.glb"
    bench.row("glTF read, the same clip", lambda: load(glb), lambda: naive_gltf(glb), note=PEERS["glTF read"])
    big = clip_of_585(4_000)
    native, naive = folder / "big.posewright", folder / "naive.zip"
    note = "585 tracks × 4,000 cubic keys; goal < 1 s"
    bench.row("native save", lambda: save(big, native), lambda: naive_native_save(big, naive), note=note)
    bench.row("native load", lambda: load(native), lambda: naive_native_load(naive), note=note)


if __name__ == "__main__":
    sys.exit(main())
