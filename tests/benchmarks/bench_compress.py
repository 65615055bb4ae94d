"""How small compiled clips get, and how fast: every shared clip, and those of the sample file.

Raw is ten float32 a bone a frame; compiled is the motion, file with names and skeleton. The error is
the largest, measured on what comes out of the file at every frame and half-frame, 3 cm shell, 0.1 mm
allowed. Play is microseconds a pose, one after another at 60 a second; seek at random times.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.clips.clip import Clip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.unpack import from_bytes
from core.errors import AnimError
from core.io import load
from core.math import kernels
from core.project.project import Project
from core.rig.rig import Rig

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"


def projects() -> Iterator[tuple[str, Project]]:
    """Every file that opens and holds clips."""
    paths = [ROOT / "resources" / "sample" / "mannequin.posewright"]
    for kind in ("bvh/*.bvh", "gltf/*.gl*", "gltf/*.vrm*", "fbx/*.fbx", "usd/*.usd*"):
        paths.extend(p for p in sorted(SHARED.glob(kind)) if not p.name.endswith(".json"))
    for path in paths:
        try:
            yield path.name, load(path).project
        except AnimError as error:
            print(f"{path.name}: {str(error)[:90]}")


def row(name: str, project: Project, clip: Clip) -> tuple[int, int]:
    rig = project.get(Rig, clip.rig)
    compiled, report = compile_clip(rig, clip, meshes=project.meshes_of(rig.id))
    data = to_bytes(compiled)
    began = time.perf_counter()
    read = from_bytes(data)
    loading = time.perf_counter() - began
    player = CompiledPlayer(read)
    player.pose(0.0)
    figures = []
    steady = np.arange(0.0, max(clip.length, 0.5), 1 / 60)[:600].tolist()
    seek = np.random.default_rng(0).uniform(0.0, max(clip.length, 0.1), 600).tolist()
    for times in (steady, seek):
        rounds = []
        for _ in range(3):
            began = time.perf_counter()
            for at in times:
                player.pose(at)
            rounds.append((time.perf_counter() - began) / len(times) * 1e6)
        figures.append(float(np.median(rounds)))
    print(
        f"{(name + ': ' + clip.name)[:46]:46} {len(rig.skeleton):4} {round(clip.frames) + 1:6} {report.raw:9} "
        f"{report.motion:8} {report.file:8} {report.ratio:6.1f} {report.largest * 1e3:8.4f} "
        f"{report.seconds:7.2f} {loading * 1e3:7.1f} {figures[0]:6.1f} {figures[1]:6.1f}",
        flush=True,
    )
    return report.raw, report.motion


def main() -> None:
    kernels.load()
    print(
        f"{'clip':46} {'bone':>4} {'frames':>6} {'raw':>9} {'compiled':>8} {'file':>8} {'ratio':>6} "
        f"{'max mm':>8} {'s':>7} {'load ms':>7} {'play':>6} {'seek':>6}"
    )
    raw = motion = 0
    for name, project in projects():
        for clip in project.clips:
            try:
                more = row(name, project, clip)
            except AnimError as error:
                print(f"{name}: {clip.name}: {error}")
                continue
            raw, motion = raw + more[0], motion + more[1]
    print(f"in all {raw} bytes raw, {motion} compiled, {raw / max(motion, 1):.1f} : 1")


if __name__ == "__main__":
    main()
