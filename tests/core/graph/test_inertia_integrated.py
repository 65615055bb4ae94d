"""An inertial transition against a plain numeric integration of its definition (spec: graph, §7)."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, Variable
from core.graph.instance import Instance
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import Drawing, clip

SPEED = Variable("speed", maximum=10.0)


def integrated(x0: float, v0: float, seconds: float, times: np.ndarray) -> np.ndarray:
    """Offsets at times: the jerk of the quintic that meets its end conditions, integrated three times by RK4."""
    v0 = min(v0, 0.0)
    end = min(seconds, -5.0 * x0 / v0) if v0 < 0.0 else seconds
    a0 = max(0.0, (-8.0 * v0 * end - 20.0 * x0) / end**2)
    # x, x' and x'' are 0 at the end: three equations for the three highest coefficients.
    powers = np.array(
        [[end**5, end**4, end**3], [5 * end**4, 4 * end**3, 3 * end**2], [20 * end**3, 12 * end**2, 6 * end]]
    )
    a, b, c = np.linalg.solve(powers, -np.array([x0 + v0 * end + a0 * end**2 / 2, v0 + a0 * end, a0]))

    def slope(t: float, state: np.ndarray) -> np.ndarray:
        return np.array([state[1], state[2], 60 * a * t * t + 24 * b * t + 6 * c])

    found, state, t, h = [], np.array([x0, v0, a0]), 0.0, 1e-3
    for time in times:
        while t < min(time, end) - 1e-12:
            dt = min(h, min(time, end) - t)
            k1 = slope(t, state)
            k2 = slope(t + dt / 2, state + dt / 2 * k1)
            k3 = slope(t + dt / 2, state + dt / 2 * k2)
            k4 = slope(t + dt, state + dt * k3)
            state, t = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), t + dt
        found.append(state[0] if time < end else 0.0)
    return np.array(found)


@pytest.mark.parametrize(
    ("speed", "target", "seconds"), [(1.0, 3.0, 0.4), (8.0, 3.0, 0.6), (-2.0, 3.0, 0.3), (0.0, 1.0, 0.2)]
)
def test_inertial_transition_is_its_definition_integrated(speed, target, seconds):
    """a's hips move evenly along x, b's stand still at the target."""
    linear = Interpolation.LINEAR
    moving = scalar_track([0.0, 1.0], [0.0, speed], interpolations=linear)
    a = clip("a", looping=False).with_tracks({Channel("hips", Property.TRANSLATE, 0): moving})
    drawing = Drawing(a, replace(clip("b", x=target)), variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    arrows = [("a", "b", "speed > 1", {"seconds": seconds, "blend": {"kind": BlendKind.INERTIALISE}})]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    h = 0.02
    before = [float(instance.step(h).pose.translations[1, 0]) for _ in range(5)]
    found = [float(instance.step(h, {"speed": 5.0}).pose.translations[1, 0]) for _ in range(40)]
    sign = np.sign(before[-1] - target)
    x0, earlier = (abs(before[-1] - target), (before[-2] - target) * sign)
    wanted = target + sign * integrated(x0, (x0 - earlier) / h, seconds, np.arange(1, 41) * h)
    assert found == pytest.approx(wanted, abs=1e-9)
