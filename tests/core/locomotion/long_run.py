"""Random inputs on random terrain: ``python -m tests.core.locomotion.long_run [STEPS] [SEED]`` (100,000 steps).

Nothing may be NaN, fall through the ground, or raise. The capsule never overlaps a surface by more than 1 mm, and it
never comes back from below the terrain.
"""

import hashlib
import random
import sys
import time
from collections.abc import Iterator

import numpy as np

from core.locomotion.capsule import SKIN
from core.locomotion.controller import start, step
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.setup import PRESETS, Setup
from core.locomotion.state import State
from core.terrain.pieces import Box, Bumps, HeightField, Piece, Plane, Slope, Stairs
from core.terrain.terrain import Terrain

WIDE = 14.0
"""Metres from the middle to the walls."""


def random_terrain(seed: int) -> Terrain:
    """Pieces at random within four walls, through each other."""
    rng = random.Random(seed)
    pieces: list[Piece] = [Plane()]
    for side in range(4):
        x, z = ((WIDE, 0.0), (-WIDE, 0.0), (0.0, WIDE), (0.0, -WIDE))[side]
        size = (1.0, 60.0, 2.0 * WIDE + 1.0) if x else (2.0 * WIDE + 1.0, 60.0, 1.0)
        pieces.append(Box((x, 0.0, z), size=size))

    def place() -> tuple[float, float, float]:
        return rng.uniform(-11.0, 11.0), 0.0, rng.uniform(-11.0, 11.0)

    for _ in range(3):
        yaw = rng.uniform(-180.0, 180.0)
        pieces.append(
            Slope(rng.uniform(5.0, 65.0), place(), yaw, rng.uniform(1.0, 4.0), rng.uniform(1.0, 4.0))
        )
        stairs = Stairs(place(), yaw, rng.uniform(0.1, 0.5), rng.uniform(0.2, 0.5), rng.randint(2, 8), 2.0)
        box = Box(place(), yaw, (rng.uniform(0.1, 3.0), rng.uniform(0.05, 3.0), rng.uniform(0.1, 3.0)))
        size = (rng.uniform(2.0, 6.0), rng.uniform(2.0, 6.0))
        bumps = Bumps(
            place(), yaw, size, rng.uniform(0.02, 0.5), rng.randrange(1000), cell=rng.uniform(0.1, 0.4)
        )
        roof = Box((*place()[:1], rng.uniform(0.8, 2.5), place()[2]), yaw, (2.0, 0.2, 2.0))
        pieces += [stairs, box, bumps, roof]
    heights = np.random.default_rng(seed).uniform(0.0, 1.2, (12, 14))
    pieces.append(HeightField(heights, place(), rng.uniform(-180.0, 180.0), 0.35))
    return Terrain(tuple(pieces))


def random_inputs(seed: int) -> Iterator[Input]:
    """Inputs held for a while each, some of them wild."""
    rng = random.Random(seed)
    yaw, pitch = 0.0, 0.0
    while True:
        move = (rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2)) if rng.random() < 0.85 else (0.0, 0.0)
        gait, mode = rng.choice(list(Gait)), rng.choice(list(RotationMode))
        jump, crouch, spin = (
            rng.random() < 0.3,
            rng.random() < 0.15,
            rng.choice((0.0, 0.0, rng.uniform(-900.0, 900.0))),
        )
        for _ in range(rng.randint(1, 50)):
            yaw, pitch = yaw + spin / 60.0, pitch + rng.uniform(-3.0, 3.0)
            yield Input.of(move, yaw, pitch, gait, mode, jump=jump and rng.random() < 0.5, crouch=crouch)


def faults(terrain: Terrain, state: State, height: float, radius: float) -> str:
    """What is wrong with a state, or ""."""
    numbers = [
        *state.position,
        *state.velocity,
        state.yaw,
        state.smooth_yaw,
        state.target_yaw,
        *state.set_weights,
    ]
    if not np.isfinite(numbers).all():
        return "not finite"
    if state.returned:
        return "fell out of the terrain"
    x, y, z = state.position
    if y < -SKIN or abs(x) > WIDE or abs(z) > WIDE:
        return "behind a surface"
    low, high = (x, y + radius + SKIN, z), (x, y + height - radius + SKIN, z)
    touch = terrain.touch(low, high, radius, (0.0, 0.0, 0.0))
    if touch is not None and touch.gap < -0.001:
        return f"{-1000.0 * touch.gap:.1f} mm in {terrain.pieces[touch.piece]}"
    return ""


def free_start(setup: Setup, terrain: Terrain, seed: int) -> State:
    """The first place of a random row where there is room to stand."""
    rng = random.Random(seed)
    while True:
        state = start(setup, terrain, (rng.uniform(-12.0, 12.0), 0.0, rng.uniform(-12.0, 12.0)))
        if not faults(terrain, state, setup.height, setup.radius):
            return state


def run(steps: int, seed: int, look_every: int = 1) -> tuple[list[str], str, float]:
    """Faults with their seed and step, a digest of every state, and the seconds of the steps alone."""
    found: list[str] = []
    digest, seconds = hashlib.sha256(), 0.0
    each = 2500
    for part in range((steps + each - 1) // each):
        terrain, number = random_terrain(seed + part), seed + part
        setup = PRESETS[sorted(PRESETS)[part % 3]]
        state = free_start(setup, terrain, number)
        inputs = random_inputs(number)
        for at in range(min(each, steps - part * each)):
            began = time.perf_counter()
            state = step(setup, terrain, state, next(inputs))
            seconds += time.perf_counter() - began
            digest.update(state.to_bytes())
            if at % look_every == 0:
                height = setup.crouch_height if state.crouching else setup.height
                wrong = faults(terrain, state, height, setup.radius)
                if wrong:
                    found.append(f"seed {number}, step {at}: {wrong}")
                    if len(found) > 40:
                        return found, digest.hexdigest(), seconds
    return found, digest.hexdigest(), seconds


def main() -> int:
    """Run it and tell what was found."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    found, digest, seconds = run(steps, seed)
    for line in found:
        print(line)
    print(f"{steps} steps, {len(found)} faults, {1e6 * seconds / steps:.0f} µs a step, states {digest[:16]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
