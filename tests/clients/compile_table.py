"""Compiles the sample's clips and those of files, and prints what each kept and how true it is.

::

    python -m tests.clients.compile_table              the sample's clips and all of ../shared/data
    python -m tests.clients.compile_table FILE…        clips of these files
    python -m tests.clients.compile_table --mm 0.5     another bound

Ratio is raw bytes (ten float32 a bone a frame) to bytes of motion. The errors are in millimetres: the
largest at all checked times, and the largest at 1,000 random times. A star marks what is above the bound.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.clips.compiled.compile import compile_clip
from core.clips.compiled.options import CompileOptions
from core.errors import AnimError
from core.io import load
from core.math import kernels
from core.project.project import Project
from core.rig.rig import Rig

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
KINDS = ("bvh/*.bvh", "gltf/*.gl*", "gltf/*.vrm*", "fbx/*.fbx", "usd/*.usd*", "clients/*.*")
NAMES = 44


def projects(paths: Sequence[Path]) -> Iterator[tuple[str, Project]]:
    """Files that open."""
    for path in paths:
        try:
            yield path.name, load(path).project
        except AnimError as error:
            print(f"{path.name}: {str(error)[:90]}")


def default_paths() -> list[Path]:
    """The sample, then everything shared that may hold clips."""
    found = [ROOT / "resources" / "sample" / "mannequin.posewright"]
    for kind in KINDS:
        found.extend(p for p in sorted(SHARED.glob(kind)) if p.suffix not in (".json", ".bin", ".md"))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 where a clip is above its bound or cannot be compiled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--mm", type=float, default=0.1, help="allowed error in millimetres")
    given = parser.parse_args(arguments)
    kernels.load()
    options = CompileOptions(metres=given.mm * 1e-3)
    raw = motion = above = 0
    seconds = 0.0
    print(f"{'clip':{NAMES}} {'ratio':>7} {'seconds':>8} {'checked':>8} {'worst mm':>9} {'random mm':>9}")
    for name, project in projects(given.files or default_paths()):
        for clip in project.clips:
            rig = project.get(Rig, clip.rig)
            title = f"{name}: {clip.name}"[:NAMES]
            try:
                report = compile_clip(rig, clip, options, project.meshes_of(rig.id))[1]
            except AnimError as error:
                print(f"{title:{NAMES}} {error}")
                above += 1
                continue
            worst = report.largest
            off = max(worst, report.random) > options.metres
            print(
                f"{title:{NAMES}} {report.ratio:7.1f} {report.seconds:8.2f} {report.checked:8,} "
                f"{worst * 1e3:9.4f} {report.random * 1e3:9.4f}{' *' if off else ''}",
                flush=True,
            )
            raw, motion = raw + report.raw, motion + report.motion
            above, seconds = above + off, seconds + report.seconds
    print(
        f"in all {raw:,} bytes raw, {motion:,} compiled, {raw / max(motion, 1):.1f} : 1, "
        f"{seconds:.1f} s; above the bound: {above}"
    )
    return int(above > 0)


if __name__ == "__main__":
    sys.exit(main())
