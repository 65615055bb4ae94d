"""Poses that an op keeps from step to step, in the instance's pose buffers."""

from core.graph.op import Run
from core.graph.output import Output, packed, unpacked


def store(run: Run, place: int, output: Output) -> None:
    """Keep a pose with its curves."""
    run.poses[place] = packed(output)


def stored(run: Run, place: int) -> Output:
    """What was kept; without root motion."""
    return unpacked(run.poses[place], len(run.rig.skeleton))


def copy(run: Run, source: int, target: int) -> None:
    """Keep what is kept at one place at another too."""
    run.poses[target] = run.poses[source]
