"""The kernel of model transforms against its numpy twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import kernels, quat
from core.math.transform import Transform, down_chain
from core.pose.kinematics import to_model
from core.rig.skeleton import Skeleton


@given(st.integers(0, 10_000), st.sampled_from([(), (1,), (5,), (2, 3), (0,)]))
def test_kernel_agrees_with_its_numpy_twin(seed: int, lead: tuple[int, ...]) -> None:
    if kernels.load() is None:
        pytest.skip("numba cannot run here")
    rng = np.random.default_rng(seed)
    parents = np.array([-1, 0, 1, 1, -1, 4, 2])

    def pose(shape: tuple[int, ...]) -> Transform:
        return Transform(
            rng.normal(size=(*shape, 7, 3)),
            quat.normalise(rng.normal(size=(*shape, 7, 4))),
            rng.uniform(-1.0, 2.0, (*shape, 7, 3)),
        )

    skeleton = Skeleton(tuple("abcdefg"), parents, pose(()))
    local = pose(lead)
    for part in local:
        part.flags.writeable = False
    found, wanted = to_model(skeleton, local), down_chain(parents, local)
    for a, b in zip(found, wanted, strict=True):
        assert a.shape == b.shape and np.allclose(a, b, atol=1e-12) and a.flags.writeable
