"""Ragdolls: a step of 1/60 s (four of the engine) and the pose back, for 1 to 20 characters; the start; a drive.

    python -m tests.benchmarks.bench_ragdoll

Figures are milliseconds on the clock, and of the processor for each character. Target: a step with its pose within
2 ms a character.
"""

import time

import numpy as np

from core.physics.engine import unavailable
from core.physics.powered import Aim, towards
from core.physics.ragdoll import PICTURE
from tests.core.physics.falls import TERRAINS, fall, placed, postures, project, ragdoll

STEPS = 150
CROWDS = (1, 2, 5, 10, 20)


def _crowd(count: int, terrain: str) -> tuple[float, float, float, float]:
    """Median, p99 and worst milliseconds of one step of all with their poses, and the processor's median."""
    names = [clip.name for clip in project().clips if clip.additive is None][:count]
    doll = ragdoll(terrain)
    states = [fall(name, 0.1, terrain)[1] for name in names]
    where, spent, used = placed(), [], []
    for _ in range(STEPS):
        begun, worked = time.perf_counter(), time.thread_time()
        states = [doll.step(state) for state in states]
        for state in states:
            doll.local(state, where)
        spent.append(1e3 * (time.perf_counter() - begun))
        used.append(1e3 * (time.thread_time() - worked))
    return float(np.median(spent)), float(np.percentile(spent, 99)), max(spent), float(np.median(used))


def _start() -> float:
    """Median milliseconds of the start of a fall."""
    doll = ragdoll()
    clip = next(clip for clip in project().clips if clip.name == "run")
    before, now = postures(doll.rig, clip, 0.2, speed=3.6)
    spent = []
    for _ in range(30):
        begun = time.perf_counter()
        doll.start(before, now)
        spent.append(1e3 * (time.perf_counter() - begun))
    return float(np.median(spent))


def _driven() -> float:
    """Median milliseconds of a step that is pulled towards a clip."""
    doll = ragdoll()
    clip = next(clip for clip in project().clips if clip.name == "idle")
    before, now = postures(doll.rig, clip, 0.2, (0.0, 1.0, 0.0))
    state, spent = doll.start(before, now), []
    for _ in range(40):
        begun = time.perf_counter()
        drive = towards(doll, state, (before, now, now), Aim(1.0, 6.0, 1.0), PICTURE)
        state = doll.step(state, drive)
        spent.append(1e3 * (time.perf_counter() - begun))
    return float(np.median(spent))


def main() -> None:
    """Print the figures."""
    reason = unavailable()
    if reason:
        print(reason)
        return
    begun = time.perf_counter()
    ragdoll()
    print(f"model of 19 bodies: {1e3 * (time.perf_counter() - begun):.0f} ms, start: {_start():.2f} ms")
    for terrain in TERRAINS:
        print(f"\n{terrain}: a step of all with their poses, ms")
        print(f"{'characters':>12} {'median':>8} {'p99':>8} {'worst':>8} {'cpu each':>9}")
        for count in CROWDS:
            median, high, worst, used = _crowd(count, terrain)
            print(f"{count:12d} {median:8.2f} {high:8.2f} {worst:8.2f} {used / count:9.2f}")
    print(f"\na step pulled towards a clip: {_driven():.2f} ms")


if __name__ == "__main__":
    main()
