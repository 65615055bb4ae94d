"""Speed of evaluation: compiled kernels beside their numpy twins, and beside a peer where one is installed.

    python tests/benchmarks/bench_core.py [--json FILE] [--quick]

Figures are medians over samples, in microseconds a call or a pose. Nothing is asserted.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.clips.stepping import Stepper
from core.ids import AssetId
from core.math import euler, kernels, quat, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.mesh import Mesh, normalised_weights
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import scalar_track
from core.tracks.tangents import with_tangents

BONES, VERTICES, POSES = 65, 10_000, 1_000
PEERS = {  # from shared/bench/peers.md, another machine's day: only the order of magnitude compares
    "one pose, steady": "ozz 1.5–2.0 µs (linear keys), three.js 45–60, Blender 1500+",
    "one pose, random": "ozz 3–49 µs, ACL 1–2",
    "poses in one call": "ozz 1.64 µs a pose",
    "skin 10,000 × 4": "ozz 77 µs, gcc 195",
}


def character(keys: int, length: float, seed: int = 0) -> tuple[Rig, Clip]:
    """65 bones, 9 cubic channels each (585), all on the same key times."""
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(max(0, b - 4), b)) for b in range(1, BONES))]
    rest = Transform(
        rng.normal(size=(BONES, 3)) * 0.1, quat.normalise(rng.normal(size=(BONES, 4))), np.ones((BONES, 3))
    )
    skeleton = Skeleton(tuple(f"bone_{b}" for b in range(BONES)), np.array(parents), rest)
    times = np.linspace(0.0, length, keys)
    times.flags.writeable = False
    tracks = {}
    for bone in skeleton.names:
        for prop in Property:
            for axis in range(3):
                values = (0.0, 0.0, 1.0)[prop] + (0.1, 40.0, 0.05)[prop] * rng.normal(size=keys)
                tracks[Channel(bone, prop, axis)] = with_tangents(scalar_track(times, values))
    rig = Rig(AssetId("rig-bench"), "bench", skeleton)
    return rig, Clip(AssetId("clip-bench"), "bench", rig.id, length, tracks=tracks)


def median(call: Callable[[], Any], repeats: int = 7, inner: int = 1) -> float:
    """Microseconds a call: the median over `repeats` samples of `inner` calls each."""
    call()
    samples = []
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(inner):
            call()
        samples.append((time.perf_counter() - began) / inner)
    return float(np.median(samples)) * 1e6


def stepping(times: np.ndarray) -> Callable[[Callable[[float], Any]], Callable[[], Any]]:
    """Turn a function of a time into one that goes on to the next time each call."""
    endless: Iterator[float] = cycle(times.tolist())
    return lambda function: lambda: function(next(endless))


class Bench:
    """Collects the rows."""

    def __init__(self, quick: bool) -> None:
        self.rows: list[dict[str, Any]] = []
        self.quick = quick

    def row(self, name: str, kernel: float, twin: float, goal: str = "", peer: float | None = None) -> None:
        """One line of the table, in microseconds."""
        self.rows.append(
            {
                "work": name,
                "kernel_us": kernel,
                "twin_us": twin,
                "ratio": twin / kernel,
                "goal": goal,
                "peer_us": peer,
            }
        )

    def sampling(self, label: str, keys: int, length: float) -> None:
        """One pose steady and at random times, many poses in one call."""
        rig, clip = character(keys, length)
        evaluator = ClipEvaluator(rig, clip)
        player = evaluator.player()
        twin = _twin(evaluator)
        count = 200 if self.quick else 2000
        steady = np.arange(0.0, length, 1.0 / 60.0)
        anywhere = np.random.default_rng(0).uniform(0.0, length, 4096)
        for name, times, goal in (("steady", steady, "≤ 4"), ("random", anywhere, "≤ 15")):
            fast = median(stepping(times)(player.models), inner=count)
            slow = median(stepping(times)(twin), inner=max(20, count // 20))
            self.row(f"one pose, {name}, {label}", fast, slow, goal)
        at = np.sort(np.random.default_rng(1).uniform(0.0, length, POSES))
        at = np.arange(POSES) / 60.0 % length
        fast = median(lambda: player.poses(at), repeats=15) / POSES
        slow = median(lambda: evaluator.sampled_by_track(at), repeats=3) / POSES
        self.row(f"poses in one call, {label}", fast, slow, "≤ 2–3")
        fast = median(lambda: player.models_many(at), repeats=15) / POSES
        parents = rig.skeleton.parents

        def slowly() -> Any:
            local = evaluator.sampled_by_track(at)[0]
            return kinematics.chain_matrices(parents, transform.to_matrix(local))

        self.row(f"model matrices in one call, {label}", fast, median(slowly, repeats=3) / POSES)

    def kinematics(self) -> None:
        """Forward kinematics of many poses, and Euler angles."""
        rig, clip = character(40, 4.0)
        local = ClipEvaluator(rig, clip).sampled_by_track(np.linspace(0, 4, POSES))[0]
        parents = rig.skeleton.parents
        fast = median(lambda: kinematics.model_matrices(rig.skeleton, local)) / POSES
        slow = (
            median(lambda: kinematics.chain_matrices(parents, transform.to_matrix(local)), repeats=3) / POSES
        )
        self.row("forward kinematics a pose", fast, slow, peer=_peer_kinematics(rig.skeleton, local))
        degrees = np.random.default_rng(0).uniform(-180, 180, (BONES * POSES, 3))
        fast = median(lambda: euler.to_quaternion(degrees, 2)) / POSES
        slow = median(lambda: euler.to_quaternion_numpy(degrees, 2), repeats=3) / POSES
        self.row(f"Euler → quaternion × {BONES}", fast, slow, peer=_peer_euler(degrees))

    def skinning(self) -> None:
        """10,000 vertices with four influences each."""
        rng = np.random.default_rng(0)
        normals = rng.normal(size=(VERTICES, 3))
        mesh = Mesh(
            AssetId("mesh-bench"),
            "bench",
            AssetId("rig-bench"),
            rng.normal(size=(VERTICES, 3)),
            normals / np.linalg.norm(normals, axis=1, keepdims=True),
            np.zeros((1, 3)),
            tuple(f"bone_{b}" for b in range(BONES)),
            np.tile(np.eye(4), (BONES, 1, 1)),
            rng.integers(0, BONES, (VERTICES, 4)),
            normalised_weights(rng.random((VERTICES, 4))),
        )
        matrices = np.tile(np.eye(4), (BONES, 1, 1))
        matrices[:, :3] += 0.2 * rng.normal(size=(BONES, 3, 4))
        fast = median(lambda: kinematics.skin(mesh, matrices), repeats=9, inner=20)
        arrays = (mesh.positions, mesh.normals, mesh.influences, mesh.weights)
        slow = median(lambda: kinematics.skin_vertices(*arrays, matrices))
        self.row("skin 10,000 × 4 with normals", fast, slow, "≤ 200")

    def editing(self) -> None:
        """A clip of 585 tracks × 4,000 keys: laying it out, and changing one key of it."""
        rig, clip = character(4000, 4000 / 60.0)
        channel, track = next(iter(clip.tracks.items()))
        values = np.array(track.values)
        values[2000] += 0.1
        evaluator = ClipEvaluator(rig, clip)
        evaluator.player()
        everything = median(lambda: ClipEvaluator(rig, clip).player(), repeats=5)

        def edit() -> Any:
            moved = with_tangents(
                scalar_track(track.times, values, track.in_slopes, track.out_slopes), keys=[1999, 2000, 2001]
            )
            return evaluator.updated(clip.with_tracks({channel: moved})).player().models(33.0)

        self.row(
            "lay out 585 × 4,000 keys (beside: one key edited and shown)",
            everything,
            median(edit),
            "≤ 100,000",
        )


def _twin(evaluator: ClipEvaluator) -> Callable[[float], Any]:
    """One pose with model matrices by the numpy twins."""
    bones = len(evaluator.skeleton)
    local = Transform(np.zeros((bones, 3)), np.zeros((bones, 4)), np.zeros((bones, 3)))
    stepper = Stepper(evaluator.binding, evaluator.loop, local, np.zeros(0))
    parents = evaluator.skeleton.parents

    def step(time: float) -> Any:
        stepper.step(time)
        return kinematics.chain_matrices(parents, transform.to_matrix(local))

    return step


def _peer_kinematics(skeleton: Skeleton, local: Transform) -> float | None:
    """Microseconds a pose of upc-pymotion's forward kinematics, where it is installed."""
    try:
        from pymotion.ops.skeleton import fk
    except ImportError:
        return None
    wxyz = np.ascontiguousarray(local.rotation[..., [3, 0, 1, 2]])
    parents = np.maximum(skeleton.parents, 0)
    root, offsets = local.translation[:, 0], np.array(skeleton.rest.translation)
    offsets[0] = 0.0
    return median(lambda: fk(wxyz, root, offsets, parents), repeats=3) / len(wxyz)


def _peer_euler(degrees: np.ndarray) -> float | None:
    try:
        from pymotion.rotations.quat import from_euler
    except ImportError:
        return None
    radians, order = np.radians(degrees), np.tile(np.array(["z", "x", "y"]), (len(degrees), 1))
    return median(lambda: from_euler(radians, order), repeats=3) / POSES


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = [f"{'work':<62}{'kernel µs':>11}{'numpy µs':>11}{'ratio':>8}{'peer µs':>10}  goal"]
    for row in rows:
        peer = "" if row["peer_us"] is None else f"{row['peer_us']:.2f}"
        numbers = f"{row['kernel_us']:>11.2f}{row['twin_us']:>11.1f}{row['ratio']:>8.1f}{peer:>10}"
        lines.append(f"{row['work']:<62}{numbers}  {row['goal']}")
    lines += ["", "quoted, not run here:", *(f"  {name}: {text}" for name, text in PEERS.items())]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    if kernels.load() is None:
        print("the compiled kernels cannot be used here", file=sys.stderr)
        return 1
    print(f"kernels loaded in {time.perf_counter() - began:.2f} s\n")
    bench = Bench(options.quick)
    bench.sampling("a key every 0.1 s", 41, 4.0)
    bench.sampling("a key every frame, 4,000 frames", 4000, 4000 / 60.0)
    bench.kinematics()
    bench.skinning()
    bench.editing()
    print(table(bench.rows))
    if options.json:
        options.json.write_text(json.dumps(bench.rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
