"""Retargeting: frames a second beside a plain loop over frames and bones.

    python tests/benchmarks/bench_retarget.py [--frames N] [--json FILE]

The source is made up (a body of another size and bone axes), the target the sample character. Times
are medians of processor time; the plain loop does the transfer alone, one bone of one frame at a time.
The five modes are timed on poses of the sample character, all modes in turn, beside one bone of one pose at
a time. Nothing is asserted.
"""

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.math import kernels, quat
from core.math.transform import Transform, down_chain
from core.pose.proportions import Proportions, rest_pair
from core.retarget.align import align
from core.retarget.chain_map import propose_map
from core.retarget.lock import held
from core.retarget.transfer import Binding, bind, transfer
from core.rig.rig import RetargetMode
from tests.core.retarget.figures import figure, motion, sample
from tests.core.retarget.test_modes import plain as one_bone


def timed(call: Callable[[], Any], repeats: int = 5) -> float:
    """Median seconds of processor time of a call."""
    call()
    samples = []
    for _ in range(repeats):
        began = time.process_time()
        call()
        samples.append(time.process_time() - began)
    return float(np.median(samples))


def plain(binding: Binding, local: Transform) -> list[list[np.ndarray]]:
    """The transfer's rotations bone by bone and frame by frame, for chains of equal counts."""
    source, target = binding.source, binding.target
    rest = down_chain(target.parents, target.rest).rotation
    back = quat.conjugate(binding.alignment.rotation)
    result = []
    for frame in range(len(local.rotation)):
        model: list[np.ndarray] = []
        for bone in range(len(source)):
            parent = source.parent(bone)
            own = local.rotation[frame, bone]
            model.append(own if parent < 0 else quat.multiply(model[parent], own))
        turned: list[np.ndarray] = []
        row: list[np.ndarray] = []
        for bone in range(len(target)):
            parent = target.parent(bone)
            found = binding.weights.get(bone)
            above = turned[parent] if parent >= 0 else quat.IDENTITY
            if found is None:
                turned.append(quat.multiply(above, target.rest.rotation[bone]))
            else:
                difference = quat.multiply(model[found[1]], back[found[1]])
                turned.append(quat.multiply(difference, rest[bone]))
            row.append(quat.multiply(quat.conjugate(above), turned[-1]))
        result.append(row)
    return result


def measured(frames: int) -> dict[str, float]:
    """Frames a second of each part."""
    rng = np.random.default_rng(1)
    source, target = figure(5, 0.8, rng=rng), sample().rigs[0].skeleton
    local = motion(source, rng, frames, 0.2)
    chains = propose_map(source, target)
    binding = bind(source, target, chains, align(source, target, chains))
    carried = transfer(binding, local)
    few = Transform(*(part[: max(frames // 50, 5)] for part in local))
    modes = modes_measured(carried)
    return {
        "transfer": frames / timed(lambda: transfer(binding, local)),
        "transfer and foot lock": frames
        / timed(lambda: held(binding, local, transfer(binding, local), 30.0)),
        "foot lock": frames / timed(lambda: held(binding, local, carried, 30.0)),
        "plain loop, rotations alone": len(few.rotation) / timed(lambda: plain(binding, few), 3),
        "map and alignment (a second)": 1.0
        / timed(lambda: align(source, target, propose_map(source, target)), 3),
        **modes,
    }


def modes_measured(poses: Transform) -> dict[str, float]:
    """Poses a second through the five modes, by what is used and by a loop over poses and bones."""
    body = sample().rigs[0].skeleton
    modes = dict(zip(body.names, itertools.cycle(RetargetMode), strict=False))
    longer = body.rest._replace(translation=1.1 * body.rest.translation + [0.01, 0.02, 0.0])
    pair = rest_pair(body, longer, body.rest, modes)
    work, count, few = Proportions(pair), len(poses.translation), 20
    rests = [
        [tuple(part[bone] for part in rest) for rest in (longer, body.rest)] for bone in range(len(body))
    ]

    def loop() -> None:
        for row in range(few):
            for bone, mode in enumerate(pair.modes):
                one_bone(mode, *(part[row, bone] for part in poses), *rests[bone], False)

    local = Transform(*(np.array(part) for part in poses))
    return {
        "five modes": count / timed(lambda: work.put(local)),
        "five modes, plain loop": few / timed(loop, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    kernels.load()
    figures = measured(arguments.frames)
    for name, value in figures.items():
        print(f"{name:32} {value:12,.0f} frames/s" if "map" not in name else f"{name:32} {value:12,.1f}")
    print(
        f"transfer beside the plain loop: {figures['transfer'] / figures['plain loop, rotations alone']:.0f} times"
    )
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    sys.exit(main())
