"""A character driven over a terrain: microseconds a step and the share of each part; queries beside their twins.

    python tests/benchmarks/bench_locomotion.py [--quick]

Times are the processor's, so that other programs do not count. Nothing is asserted.
"""

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from core.locomotion import controller
from core.locomotion.controller import start, step
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.root import averaged
from core.locomotion.setup import PRESETS
from core.math import kernels
from core.terrain import twin
from core.terrain.course import course_terrain
from core.terrain.terrain import Terrain, flat_terrain

SETUP = PRESETS["normal"]
CASES = (
    ("flat, idle", flat_terrain, (0.0, 0.0, 0.0), Input.of()),
    ("flat, run", flat_terrain, (0.0, 0.0, 0.0), Input.of((0.0, 1.0))),
    (
        "flat, looking sideways",
        flat_terrain,
        (0.0, 0.0, 0.0),
        Input.of((0.7, 0.7), mode=RotationMode.LOOKING),
    ),
    ("stairs, run", course_terrain, (-15.0, 0.0, 9.0), Input.of((0.0, 1.0))),
    ("bumps, walk", course_terrain, (-30.0, 0.0, 9.0), Input.of((0.0, 1.0), gait=Gait.WALK)),
    ("against a wall", course_terrain, (45.0, 0.0, -24.0), Input.of((0.2, 1.0))),
    ("falling", course_terrain, (45.0, 12.0, -18.6), Input.of((0.0, 1.0))),
)


def run(terrain: Terrain, place: tuple[float, float, float], given: Input, steps: int) -> list[float]:
    """Microseconds of each step."""
    state, times = start(SETUP, terrain, place), []
    for _ in range(steps):
        began = time.thread_time()
        state = step(SETUP, terrain, state, given)
        times.append((time.thread_time() - began) * 1e6)
    return times


def share(
    terrain: Terrain, place: tuple[float, float, float], given: Input, steps: int
) -> tuple[float, float]:
    """Microseconds a step in queries of the terrain (root aside), and in averaging the ground for the root."""
    spent = {"query": 0.0, "root": 0.0}

    def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*arguments)
            finally:
                spent[name] += time.thread_time() - began

        return call

    touch, ray, mean = Terrain.touch, Terrain.ray, controller.averaged
    Terrain.touch, Terrain.ray = timed("query", touch), timed("query", ray)  # type: ignore[method-assign]
    controller.averaged = timed("root", averaged)  # type: ignore[assignment]
    try:
        run(terrain, place, given, steps)
    finally:
        Terrain.touch, Terrain.ray, controller.averaged = touch, ray, mean  # type: ignore[method-assign]
    return spent["query"] * 1e6 / steps, spent["root"] * 1e6 / steps


def median(call: Callable[[], Any], repeats: int, inner: int) -> float:
    call()
    samples = []
    for _ in range(repeats):
        began = time.thread_time()
        for _ in range(inner):
            call()
        samples.append((time.thread_time() - began) / inner)
    return float(np.median(samples)) * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    steps = 60 if parser.parse_args().quick else 240
    loaded = kernels.load()
    print(f"{'controller step, µs':28}{'median':>9}{'p99':>9}{'queries':>9}{'root':>9}")
    for name, make, place, given in CASES:
        terrain = make()
        times = run(terrain, place, given, steps)
        query, root = share(terrain, place, given, steps)
        print(f"{name:28}{np.median(times):9.1f}{np.percentile(times, 99):9.1f}{query:9.1f}{root:9.1f}")
    terrain, rng = course_terrain(), np.random.default_rng(1)
    places = rng.uniform((-34.0, 0.5, 8.0), (-26.0, 2.0, 20.0), (200, 3))
    ends, moves = places + [0.0, 1.2, 0.0], np.tile([0.0, -1.0, 0.0], (200, 1))
    long = np.tile([10.0, -6.0, 8.0], (200, 1))
    m = terrain.mesh
    out, which = np.empty((200, 8)), np.empty(200, dtype=np.int64)
    print(f"\n{'one of 200, µs':28}{'compiled':>9}{'twin':>9}{'ratio':>9}")
    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "height and normal": (
            partial(terrain.height_normal, places),
            partial(twin.rays, m, places + [0.0, 0.5, 0.0], moves * 2e4, out[:, 0], which),
        )
    }
    for name, way, end, radius in (
        ("sweep sphere 1 m", moves, places, 0.3),
        ("sweep capsule 1 m", moves, ends, 0.3),
        ("sweep sphere 14 m", long, places, 0.1),
    ):
        calls[name] = (
            partial(terrain.sweep_capsule, places, end, radius, way),
            partial(twin.sweeps, m, places, end, way, np.full(200, radius), out, which),
        )
    for name, (fast, slow) in calls.items():
        a = median(fast, 5, 5) / 200 if loaded is not None else float("nan")
        b = median(slow, 1, 1) / 200
        print(f"{name:28}{a:9.2f}{b:9.1f}{b / a:9.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
