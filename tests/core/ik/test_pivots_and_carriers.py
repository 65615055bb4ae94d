"""Which bone brings a pivot back: the hips and not the root above them, or what is turned above the pivot."""

import numpy as np
import pytest

from core.ids import AssetId
from core.ik.pivots import Anchor, carrier
from core.rig.rig import Rig
from tests.core.retarget.figures import figure

RIG = Rig(AssetId("rig-1"), "figure", figure())


def number(name: str) -> int:
    return RIG.skeleton.index(name)


@pytest.mark.parametrize(
    ("hips", "turned", "found"),
    [
        ("hips", ("calf_l",), "hips"),
        ("hips", ("root",), "root"),
        ("hips", ("foot_l", "root"), "root"),
        (None, ("calf_l",), "root"),
        ("head", ("calf_l",), "root"),
    ],
)
def test_a_foot_is_brought_back_by_the_hips_unless_what_is_above_them_turns(hips, turned, found) -> None:
    anchor = Anchor(number("foot_l"), np.zeros(3))
    assert carrier(RIG, hips, anchor, tuple(number(name) for name in turned)) == number(found)
