"""Where a figure was at a time between its samples, as a fall's speeds are taken from them."""

import numpy as np
import pytest

from core.graph.nodes.ragdoll_op import _at
from core.math import quat
from core.math.transform import Transform
from core.physics.start import Posture


def posture(x: float, degrees: float = 0.0) -> Posture:
    """A figure of two bones at a place along x, turned."""
    turn = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    local = Transform(
        np.array([[x, 0.0, 0.0], [0.0, x, 0.0]]), np.array([turn, quat.IDENTITY]), np.ones((2, 3))
    )
    return Posture(local, Transform(np.array([0.0, 0.0, x]), turn, np.ones(3)))


SMOOTH = [(-0.5, posture(1.0)), (0.5, posture(3.0, 40.0)), (1.5, posture(2.0, 60.0))]
JUMP = [(0.0, posture(0.0)), (0.4, posture(2.0)), (0.4, posture(10.0)), (0.8, posture(20.0))]


@pytest.mark.parametrize(("samples", "time", "x", "degrees"), [
    (SMOOTH, -9.0, 1.0, 0.0), (SMOOTH, -0.5, 1.0, 0.0), (SMOOTH, -0.25, 1.5, 10.0), (SMOOTH, 0.0, 2.0, 20.0),
    (SMOOTH, 0.5, 3.0, 40.0), (SMOOTH, 0.75, 2.75, 45.0), (SMOOTH, 1.5, 2.0, 60.0), (SMOOTH, 9.0, 2.0, 60.0),
    (JUMP, 0.1, 0.5, 0.0), (JUMP, 0.4, 2.0, 0.0),  # at a jump it is still where it came from
    (JUMP, 0.5, 12.5, 0.0), (JUMP, 0.8, 20.0, 0.0), (JUMP[:1], 0.3, 0.0, 0.0), (JUMP[1:3], 0.4, 10.0, 0.0),
])  # fmt: skip
def test_it_is_between_its_samples_and_held_before_and_after_them(samples, time, x, degrees):
    found, wanted = _at(samples, time), posture(x, degrees)
    for a, b in zip(found, wanted, strict=True):
        assert a.translation == pytest.approx(b.translation, abs=1e-9)
        apart = np.degrees(quat.angle_between(a.rotation, b.rotation))
        assert apart == pytest.approx(0.0, abs=0.1)  # mixed, not turned evenly
