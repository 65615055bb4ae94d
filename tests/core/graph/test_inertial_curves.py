"""Curves in an inertial blend die out as bones do (spec: graph, §7), in machines as in the inertialise node."""

# ruff: noqa: E501 - a line a case

import numpy as np
import pytest

from core.blending.easing import EaseShape, Easing
from core.blending.inertia import SHORTEST_STEP, decay
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, Variable
from core.graph.inertial import _curve_offsets
from core.graph.instance import Instance
from core.math import kernels
from tests.core.graph.builders import Drawing, clip

DT, SECONDS = 0.02, 0.2


def instance(kind: BlendKind, compiled: bool) -> Instance:
    """Two standing clips whose curve ``level`` is 0.25 and 1; ``go`` inertialises from one to the other."""
    drawing = Drawing(clip("a", x=0.25), clip("b", x=1.0), variables=(Variable("go", maximum=1.0),))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    options = {"seconds": str(SECONDS), "easing": Easing(EaseShape.SMOOTH), "blend": {"kind": kind}}
    graph = drawing.machine_graph(drawing.machine(states, [("a", "b", "go > 0.5", options)]))
    found = Instance(compile_graph(graph, drawing.project(graph)))
    if not compiled:
        found.runner = None
    return found


@pytest.mark.parametrize("kind", [BlendKind.INERTIALISE, BlendKind.DEAD_BLEND])
@pytest.mark.parametrize("compiled", [True, False])
def test_curve_of_a_machine_dies_out_by_the_definition(kind, compiled):
    if compiled and kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")
    made = instance(kind, compiled)
    for _ in range(5):
        made.step(DT)
    for number in range(1, 15):
        level = made.step(DT, {"go": 1.0}).pose.curves["level"]
        left = float(decay(0.75, 0.0, SECONDS).at(DT * number))
        assert level == pytest.approx(1.0 - left, abs=1e-12)
    assert level == 1.0


@pytest.mark.parametrize(("step", "speeds"), [
    (0.5, [-0.5, 1.0, -0.5, 0.0]), (SHORTEST_STEP, [-0.25 / SHORTEST_STEP, 0.5 / SHORTEST_STEP, -0.25 / SHORTEST_STEP, 0.0]),
    (SHORTEST_STEP / 2.0, [0.0] * 4), (0.0, [0.0] * 4),
])  # fmt: skip
def test_offsets_of_curves_have_the_speed_of_the_last_two_outputs(step, speeds):
    """Of their sizes: on the one side of the target as on the other."""
    target, last, before = (
        np.array(x) for x in ([1.0, 1.0, 0.0, 2.0], [1.5, 0.0, -0.25, 2.0], [1.75, 0.5, -0.5, 2.5])
    )
    found, wanted = (
        _curve_offsets(target, last, before, step, 0.2),
        decay(np.abs(last - target), np.array(speeds), 0.2),
    )
    for elapsed in (0.0, 0.05, 0.1, 0.2):
        assert found.at(elapsed) == pytest.approx(wanted.at(elapsed), rel=1e-9)
