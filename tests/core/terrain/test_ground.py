"""The ground: a plane that rises, and stairs on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.terrain.ground import Ground

angles = st.floats(-70.0, 70.0)


@given(st.floats(-2.0, 2.0), angles, angles, st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
def test_normal_stands_on_the_plane(height, x, z, a, b):
    ground = Ground(height, x, z)
    points = np.array([[a, 0.0, b], [a + 1.0, 0.0, b], [a, 0.0, b + 1.0]])
    points[:, 1] = ground.under(points)
    assert np.abs((points[1:] - points[0]) @ ground.normal).max() < 1e-9
    assert ground.normal[1] > 0.0 and np.linalg.norm(ground.normal) == pytest.approx(1.0)


def test_stairs_climb_one_rise_a_run_and_end():
    ground = Ground(rise=0.2, run=0.3, start=1.0, count=3)
    heights = ground.under(np.array([[5.0, 9.0, z] for z in (-1.0, 0.99, 1.01, 1.29, 1.31, 1.7, 40.0)]))
    assert heights == pytest.approx([0.0, 0.0, 0.2, 0.2, 0.4, 0.6, 0.6])
    assert not ground.flat and Ground(rise=0.2).flat and Ground(count=3, rise=0.0).flat


@pytest.mark.parametrize("wrong", [{"height": np.inf}, {"tilt_z": 89.0}, {"run": 0.0}, {"count": -1}])
def test_ground_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValidationError, match="expected"):
        Ground(**wrong)
