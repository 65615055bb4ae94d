"""How cost grows: over bones, over frames, over clips in a blend.

    python -m tests.benchmarks.bench_growth [--quick]

Motion is three angles a bone with a key at every frame, smooth with a little noise, as motion capture is.
Times are the processor's, which others at work on the machine disturb least.
"^" beside a figure is the exponent of its growth from the row before: 1 is linear.
"""

import argparse
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceSample
from core.blending.space_player import SpacePlayer
from core.clips.clip import Channel, Clip, Property
from core.clips.compiled.compile import compile_clip
from core.clips.evaluator import ClipEvaluator
from core.clips.reduce import reduce_clip
from core.ids import AssetId
from core.io import load
from core.math import kernels, quat
from core.math.transform import Transform
from core.pose.blend import weighted
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track
from tests.benchmarks.bench_io import bvh_text

RATE = 60.0
METRES = 1e-4
HEAD = ("steady µs", "seek µs", "batch µs", "lay out ms", "reduce s", "keys %", "compile s", "ratio", "MB")


def capture(bones: int, frames: int, seed: int = 0) -> tuple[Rig, Clip]:
    """A branching figure that moves smoothly, with a few thousandths of a degree of noise."""
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(max(0, b - 4), b)) for b in range(1, bones))])
    offsets = rng.normal(size=(bones, 3))
    offsets *= 2.0 / bones / np.linalg.norm(offsets, axis=1, keepdims=True)  # the figure stays as tall
    rest = Transform(offsets, np.tile(quat.IDENTITY, (bones, 1)), np.ones((bones, 3)))
    skeleton = Skeleton(tuple(f"bone_{b}" for b in range(bones)), parents, rest)
    times = np.arange(frames) / RATE
    times.flags.writeable = False
    speeds = rng.uniform(0.05, 1.2, 12)
    waves = np.sin(2.0 * np.pi * (np.outer(speeds, times) + rng.random((12, 1)))) / (0.3 + speeds)[:, None]
    tracks = {}
    for bone in skeleton.names:
        for axis in range(3):
            values = 3.0 * rng.normal(size=12) @ waves + 0.002 * rng.normal(size=frames)
            tracks[Channel(bone, Property.ROTATE, axis)] = scalar_track(
                times, values, interpolations=Interpolation.LINEAR
            )
    rig = Rig(AssetId("rig-growth"), "growth", skeleton)
    length = float(times[-1])
    return rig, Clip(AssetId("clip-growth"), "growth", rig.id, length, FrameRate.of(RATE), tracks=tracks)


def least(work: Callable[[], Any], rounds: int = 5) -> float:
    """Seconds of processor time, the least of some rounds: others work on the machine too."""
    work()
    spent = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


def costs(rig: Rig, clip: Clip) -> list[float]:
    """One row of figures, as `HEAD` names them."""
    evaluator = ClipEvaluator(rig, clip)
    player = evaluator.player()
    frames = round(clip.length * RATE) + 1
    steady = (np.arange(400) / RATE % max(clip.length, 1e-3)).tolist()
    seek = np.random.default_rng(0).uniform(0.0, clip.length, 400).tolist()
    figures = [least(lambda t=t: [player.models(at) for at in t]) / 400 * 1e6 for t in (steady, seek)]  # type: ignore[misc]
    many = np.arange(min(frames, max(64, 40_000 // len(rig.skeleton)))) / RATE
    figures.append(least(lambda: player.models_many(many)) / len(many) * 1e6)
    figures.append(least(lambda: ClipEvaluator(rig, clip).player(), 3) * 1e3)
    began = time.process_time()
    reduced = reduce_clip(rig, clip, METRES)
    figures.append(time.process_time() - began)
    figures.append(100.0 * reduced.after / reduced.before)
    began = time.process_time()
    report = compile_clip(rig, clip)[1]
    figures += [time.process_time() - began, report.ratio]
    figures.append(sum(track.values.nbytes for track in clip.tracks.values()) / 1e6)
    return figures


def table(name: str, head: tuple[str, ...], rows: list[tuple[int, list[float]]]) -> None:
    """Figures with the exponents of their growth."""
    print(f"\n{name:>10}" + "".join(f"{title:>17}" for title in head))
    before: tuple[int, list[float]] | None = None
    for size, figures in rows:
        cells = []
        for place, figure in enumerate(figures):
            power = ""
            if before is not None and figure > 0.0 and before[1][place] > 0.0:
                power = f"^{math.log(figure / before[1][place]) / math.log(size / before[0]):.2f}"
            cells.append(f"{figure:>11.2f}{power:>6}")
        print(f"{size:>10}" + "".join(cells), flush=True)
        before = (size, figures)


def imports(counts: list[int]) -> None:
    """Reading a BVH file of 31 bones."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for frames in counts:
            path = Path(folder) / f"{frames}.bvh"
            path.write_text(bvh_text(frames))
            spent = least(lambda path=path: load(path), 3)  # type: ignore[misc]
            rows.append((frames, [spent * 1e3, path.stat().st_size / 1e6]))
    table("frames", ("import BVH ms", "file MB"), rows)


def blends(counts: list[int]) -> None:
    """So many clips of 65 bones under equal weights."""
    rows = []
    rng = np.random.default_rng(0)
    for count in counts:
        parts = [
            Transform(
                rng.normal(size=(64, 65, 3)),
                quat.normalise(rng.normal(size=(64, 65, 4))),
                np.ones((64, 65, 3)),
            )
            for _ in range(count)
        ]
        shares = np.full((count, 64, 1), 1.0 / count)
        alone = least(lambda p=parts, s=shares: weighted(p, s), 30) / 64 * 1e6  # type: ignore[misc]
        rig, clip = capture(65, 240)
        turns = 2.0 * np.pi * np.arange(count) / count
        samples = tuple(
            SpaceSample(clip.id, (float(np.cos(turn)), float(np.sin(turn))), 1.0 + 0.01 * k)
            for k, turn in enumerate(turns)
        )
        axes = (SpaceAxis("x", -1.0, 1.0, 1), SpaceAxis("y", -1.0, 1.0, 1))
        space = BlendSpace(AssetId("space-growth"), "growth", rig.id, axes, samples, sync=False)
        player = SpacePlayer(rig, space, {clip.id: clip})
        clocks, even = np.linspace(0.0, 1.0, 300), np.full(count, 1.0 / count)
        whole = least(lambda p=player, c=clocks, e=even: p.poses(c, e), 5) / 300 * 1e6  # type: ignore[misc]
        rows.append((count, [alone, whole]))
    table("clips", ("blend µs", "sample + blend µs"), rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out the largest sizes")
    quick = parser.parse_args().quick
    kernels.load()
    bones = [10, 30, 65, 100, 300, 1000][: 4 if quick else 6]
    frames = [100, 1_000, 10_000, 100_000][: 3 if quick else 4]
    table("bones", HEAD, [(count, costs(*capture(count, 1_000))) for count in bones])
    table("frames", HEAD, [(count, costs(*capture(20, count))) for count in frames])
    imports(frames)
    blends([1, 2, 4, 8, 16])


if __name__ == "__main__":
    main()
