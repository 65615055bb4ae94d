"""A node that did not count for a step begins as a fresh one: whatever it remembered is forgotten."""

# ruff: noqa: E501 - a line a case

import random

import numpy as np
import pytest

from core.graph.graph import Node
from core.graph.instance import Instance
from core.math import quat
from core.math.transform import Transform
from tests.core.graph.builders import Drawing
from tests.core.graph.nodes.test_any_node import PINS, drawing_with_everything
from tests.core.graph.nodes.test_node_stories import ALPHAS, NODES, slope

BEFORE, BACK = 3, 0
"""Seeds of runs in which selects change in the second step."""
KEPT = {
    "snapshot",  # what was saved stays saved
}


def switched(kind: str, literals: dict, parameters: dict) -> Instance:
    """A node over moving poses, which counts while the variable ``there`` is on; its own values begin with it."""
    drawing = drawing_with_everything()
    walk, breath, still = drawing.play("walk"), drawing.play("breath"), drawing.node("rest")
    node = drawing.node(kind, "it", literals, **parameters)
    wires = [(breath if pin == "additive" else still if pin in ("base", "b", "pose_1", "false") else walk, node, pin)
             for pin in sorted(PINS)]  # fmt: skip
    last, nodes = node, [walk, breath, still, node]
    if kind == "make_additive":
        last = drawing.node("apply_additive", "on", {"alpha": "0.5"}, space="model")
        wires += [(walk, last, "base"), (node, last, "additive")]
        nodes.append(last)
    rest: Node = drawing.node("rest")
    switch = drawing.node("blend", "switch", {"alpha": "if(v.x > 0, 1, 0)"})
    wires += [(rest, switch, "a"), (last, switch, "b")]
    return run(drawing, [*nodes, rest, switch], wires, switch)


def run(drawing: Drawing, nodes: list, wires: list, last: Node) -> Instance:
    return drawing.run(drawing.graph(drawing.pose_sheet("main", nodes, wires, last)))


def played(instance: Instance, seed: int, there: bool) -> list:
    """Seven steps of a walk over a slope, the same for the same seed, with a step without the node before."""
    dice, found = random.Random(seed), []
    for number in range(8):
        turn = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1 * number)
        place = Transform(np.array([0.05 * number, 0.02 * number, 0.1 * number]), turn, np.ones(3))
        inputs = {"v": (float(there and number > 0), 0.0, 0.0), "s": dice.uniform(-1.5, 2.5)}
        result = instance.step((0.05, 0.1, 0.03, 0.08)[number % 4], inputs, slope, place)
        if number:
            found.append((result.numbers, [(e.name, e.moment, e.weight) for e in result.events]))
    return found


CASES = [
    *((kind, literals, more) for kind, literals, more in NODES if kind not in KEPT and "v" not in str(literals.get("velocity", ""))),
    *(("transform_bone", {"translation": "vec(0.1, s, -0.2)", **literals}, {"bone": "spine", **more}) for literals, more in ALPHAS),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: f"{CASES[n][0]} {n}")
def test_a_node_that_comes_back_is_as_fresh(number):
    fresh, used = switched(*CASES[number]), switched(*CASES[number])
    played(used, BEFORE, there=True)
    for a, b in zip(played(used, BACK, there=True), played(fresh, BACK, there=True), strict=True):
        assert a[0] == pytest.approx(b[0], abs=1e-9)
        assert [event[0] for event in a[1]] == [event[0] for event in b[1]]
        assert [event[1:] for event in a[1]] == [pytest.approx(event[1:], abs=1e-9) for event in b[1]]
