"""Motion matching: a search of 100,000 frames by boxes beside every other route, sizes, and steps of a character.

    python -m tests.benchmarks.bench_matching

Frames are synthetic and smooth (sums of slow sines, 100 ranges of 1000), queries are frames with noise. Routes are
timed turn by turn in one loop, so that a busy machine slows all of them; figures are medians in milliseconds.
"""

import time
from collections.abc import Callable, Mapping

import numpy as np

import core.io
from core.arrays import Float32Array
from core.clips.clip import Clip
from core.locomotion.character import CharacterSetup, begin, character_setup, pose, step
from core.locomotion.course import Course
from core.locomotion.course_file import read_course
from core.locomotion.input import Input
from core.locomotion.matching.database import build
from core.locomotion.matching.driver import make_matcher
from core.locomotion.matching.query import Root, path_features
from core.locomotion.matching.search import Index, by_twin, make_index, nearest
from core.locomotion.matching.setup import Matching
from core.math import kernels
from resources.sample.locomotion import FILE

FRAMES, RANGES = 100_000, 100
QUERIES = 60
COURSE = FILE.with_name("course") / "course.json"


def smooth(features: int, seed: int = 7) -> Float32Array:
    """Features ``(100000, K)`` that change slowly within ranges, about 1 large."""
    random = np.random.default_rng(seed)
    seconds = np.arange(FRAMES // RANGES) / 60.0
    rows = []
    for _ in range(RANGES):
        rates = random.uniform(0.2, 2.0, (4, features))
        phases = random.uniform(0.0, 6.3, (4, features))
        sizes = random.normal(size=(4, features)) / 2.0
        waves = np.sin(6.283 * rates[:, None] * seconds[None, :, None] + phases[:, None]) * sizes[:, None]
        rows.append(waves.sum(axis=0) + random.normal(size=features) * 0.7)
    return np.concatenate(rows).astype(np.float32)


Route = Callable[[Float32Array, float], int]


def paired(routes: Mapping[str, Route], queries: Float32Array, limits: list[float]) -> dict[str, list[float]]:
    """Milliseconds of each query by each route, turn by turn; all have to find the same frame."""
    spent: dict[str, list[float]] = {name: [] for name in routes}
    for query, limit in zip(queries, limits, strict=True):
        found = {}
        for name, route in routes.items():
            start = time.perf_counter()
            found[name] = route(query, limit)
            spent[name].append(1e3 * (time.perf_counter() - start))
        assert len(set(found.values())) == 1, found
    return spent


def searches(features: int) -> None:
    """The table of one number of features."""
    rows = smooth(features)
    index = make_index(rows)
    random = np.random.default_rng(3)
    queries = rows[random.integers(0, FRAMES, QUERIES)] + 0.15 * random.normal(size=(QUERIES, features))
    queries = queries.astype(np.float32)
    squares = (rows.astype(np.float64) ** 2).sum(axis=1)
    wide = rows.astype(np.float64)
    whole = index.everything
    limits = [1.5 * nearest(index, query, whole).cost + 0.1 for query in queries]
    routes: dict[str, Route] = {
        "boxes (compiled)": lambda q, _: nearest(index, q, whole).frame,
        "boxes, with a present frame to beat": lambda q, limit: nearest(index, q, whole, limit).frame,
        "every frame (compiled)": lambda q, _: _every(index, q),
        "every frame (numpy twin)": lambda q, _: by_twin(index, q, whole, np.inf, features).frame,
        "matrix product (numpy, 64 bit)": lambda q, _: int(
            np.argmin(squares - 2.0 * (wide @ q.astype(np.float64)))
        ),
    }
    if kernels.compiled() is None:
        del routes["every frame (compiled)"]
    spent = paired(routes, queries, limits)
    plain = np.median(spent.get("every frame (compiled)", spent["every frame (numpy twin)"]))
    print(f"{features} features, {FRAMES} frames: index {index.nbytes / 1e6:.1f} MB")
    for name, times in spent.items():
        middle = float(np.median(times))
        print(
            f"  {name:<38}{middle:>9.3f} ms   worst {max(times):>8.3f}   ×{middle / plain:.2f} of every frame"
        )


def _every(index: Index, query: Float32Array) -> int:
    compiled = kernels.compiled()
    assert compiled is not None
    return int(
        compiled.matching.nearest_of_all(
            query, index.features, index.blocks, index.everything, np.float32(np.inf)
        )[0]
    )


def steps(ways: Mapping[str, CharacterSetup], course: Course) -> None:
    """Step and pose over the course, the ways turn by turn."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for section in course.sections:
        states = {name: begin(setup, course.terrain, section.at, section.yaw) for name, setup in ways.items()}
        for given in section.inputs():
            for name, setup in ways.items():
                start = time.perf_counter()
                states[name] = step(setup, course.terrain, states[name], given)
                pose(setup, states[name])
                spent[name].append(1e3 * (time.perf_counter() - start))
    for name, times in spent.items():
        print(
            f"  step and pose by {name:<17}{np.median(times):>9.3f} ms   p95 {np.percentile(times, 95):.3f}"
            f"   p99 {np.percentile(times, 99):.3f}"
        )


def main() -> None:
    """Print the tables."""
    kernels.load()
    for features in (27, 144):
        searches(features)
    project = core.io.load(FILE).project
    rig, course = project.rigs[0], read_course(COURSE)
    start = time.perf_counter()
    made = build(rig, list(project.all(Clip)), Matching())
    seconds = time.perf_counter() - start
    print(
        f"the sample's database: {len(made.stretches)} ranges, {made.index.count} frames, {len(made.poses)} poses, "
        f"{made.nbytes / 1e6:.1f} MB, made in {seconds:.2f} s"
    )
    own = character_setup(project, rig)
    matched = own.with_matching(make_matcher(project, rig, own.moves))
    body = begin(own, course.terrain).body
    times = []
    for _ in range(40):
        start = time.perf_counter()
        path_features(own.controller, body, Input.of((0.6, 0.8)), Root(0.0, 0.0, 0.0))
        times.append(1e3 * (time.perf_counter() - start))
    print(f"  the controller's path, 1 s from a start {np.median(times):>6.3f} ms")
    steps({"rules": own, "motion matching": matched}, course)


if __name__ == "__main__":
    main()
