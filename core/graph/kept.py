"""Poses that an op keeps from step to step, in the instance's pose buffers."""

import numpy as np

from core.graph.op import Run
from core.graph.output import Output
from core.math.transform import Transform


def store(run: Run, place: int, output: Output) -> None:
    """Keep a pose with its curves."""
    run.poses[place] = np.concatenate(output.local, axis=-1)
    run.curves[place], run.present[place] = output.curves, output.present


def stored(run: Run, place: int) -> Output:
    """What was kept; without root motion."""
    packed = run.poses[place].copy()
    local = Transform(packed[:, :3], packed[:, 3:7], packed[:, 7:])
    return Output(local, run.curves[place].copy(), run.present[place].copy())


def copy(run: Run, source: int, target: int) -> None:
    """Keep what is kept at one place at another too."""
    run.poses[target], run.curves[target] = run.poses[source], run.curves[source]
    run.present[target] = run.present[source]
