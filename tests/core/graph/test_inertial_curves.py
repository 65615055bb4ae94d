"""Curves in an inertial blend die out as bones do (spec: graph, §7), in machines as in the inertialise node."""

import pytest

from core.blending.easing import EaseShape, Easing
from core.blending.inertia import decay
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, Variable
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
