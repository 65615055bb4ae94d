"""Random inputs on random terrain, posed: ``python -m tests.core.locomotion.long_poses [STEPS] [SEED]`` (100,000).

Nothing may be NaN, fall through the ground, or raise: beside what `long_run` asks of the controller, every number of
the pose is finite, every rotation has length 1, and no bone is farther than `FAR` from the character. A character
that falls as a ragdoll is judged by its pose and place alone.
"""

import hashlib
import random
import sys
import time

import numpy as np

from core.locomotion.character import CharacterSetup, CharacterState, begin, pose, step
from core.locomotion.fall import Phase
from core.locomotion.setup import PRESETS
from core.math import kernels
from core.math.transform import down_chain
from core.terrain.terrain import Terrain
from tests.core.locomotion.long_run import WIDE, faults, free_start, random_inputs, random_terrain
from tests.core.locomotion.sample import sample

EACH = 2500
"""Steps on one terrain."""
FAR = 4.0
"""Metres."""


def faults_of_pose(setup: CharacterSetup, state: CharacterState) -> str:
    """What is wrong with a pose, or ""."""
    if not np.isfinite(state.numbers).all():
        return "a pose is not finite"
    local = pose(setup, state).local
    if np.abs(np.linalg.norm(local.rotation, axis=-1) - 1.0).max() > 1e-6:
        return "a rotation is not of length 1"
    far = float(np.abs(down_chain(setup.rig.skeleton.parents, local).translation).max())
    return f"a bone is {far:.1f} m away" if far > FAR else ""


def faults_of(setup: CharacterSetup, terrain: Terrain, state: CharacterState) -> str:
    """What is wrong with a state, or ""."""
    body, numbers = state.body, setup.controller
    wrong = faults_of_pose(setup, state)
    if wrong or state.fall.phase is Phase.STANDING:
        height = numbers.crouch_height if body.crouching else numbers.height
        return wrong or faults(terrain, body, height, numbers.radius)
    x, y, z = body.position
    return "behind a surface" if y < -1.0 or abs(x) > WIDE or abs(z) > WIDE else ""


def run(steps: int, seed: int, look_every: int = 1) -> tuple[list[str], str, float]:
    """Faults with their seed and step, a digest of every state and pose, and the seconds of the steps alone."""
    found: list[str] = []
    digest, seconds = hashlib.sha256(), 0.0
    for part in range((steps + EACH - 1) // EACH):
        number = seed + part
        terrain, rng = random_terrain(number), random.Random(number)
        setup = sample().with_controller(PRESETS[sorted(PRESETS)[part % 3]])
        place = free_start(setup.controller, terrain, number).position
        state = begin(setup, terrain, place, rng.uniform(-180.0, 180.0))
        inputs = random_inputs(number)
        for at in range(min(EACH, steps - part * EACH)):
            began = time.thread_time()
            state = step(setup, terrain, state, next(inputs))
            seconds += time.thread_time() - began
            digest.update(state.to_bytes())
            wrong = faults_of(setup, terrain, state) if at % look_every == 0 else ""
            if wrong:
                found.append(f"seed {number}, step {at}: {wrong}")
                break
        if len(found) > 40:
            break
    return found, digest.hexdigest(), seconds


def main() -> int:
    """Run it and tell what was found."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    kernels.load()
    found, digest, seconds = run(steps, seed)
    for line in found:
        print(line)
    print(f"{steps} steps, {len(found)} faults, {1e6 * seconds / steps:.0f} µs a step, states {digest[:16]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
