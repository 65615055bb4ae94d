"""The ball that a pose turns about is the point of the sole that a planted foot keeps, however foot and toes turn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.ids import AssetId
from core.ik.ground import find_feet
from core.ik.leg import find_legs
from core.ik.pivots import FootPoint, foot_anchor
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig
from core.rig.roles import rig_roles
from tests.core.retarget.figures import figure

RIG = Rig(AssetId("rig-1"), "figure", figure())
LEGS = {RIG.skeleton.names[leg.foot]: leg for leg in find_legs(RIG, find_feet(RIG, rig_roles(RIG)))}
TURN = st.tuples(*[st.floats(-1.2, 1.2)] * 3)


@given(side=st.sampled_from("lr"), foot=TURN, toes=TURN)
def test_the_ball_is_under_the_joint_of_the_toes_and_stays_with_the_foot(side, foot, toes) -> None:
    skeleton, leg = RIG.skeleton, LEGS[f"foot_{side}"]
    rest = down_chain(skeleton.parents, skeleton.rest)
    rotations = np.array(skeleton.rest.rotation)
    for bone, turn in ((f"foot_{side}", foot), (f"ball_{side}", toes)):
        rotations[skeleton.index(bone)] = quat.from_rotation_vector(np.array(turn))
    posed = down_chain(skeleton.parents, Transform(skeleton.rest.translation, rotations, skeleton.rest.scale))
    found = foot_anchor(RIG, rig_roles(RIG), f"ball_{side}", FootPoint.BALL, posed)
    assert found is not None and found.bone == leg.foot
    for model in (rest, posed):
        place = model.translation[found.bone] + quat.rotate(model.rotation[found.bone], found.point)
        sole = model.translation[leg.foot] + quat.rotate(model.rotation[leg.foot], np.array(leg.toe))
        assert np.abs(place - sole).max() < 1e-9
    joint = rest.translation[skeleton.index(f"ball_{side}")]
    at_rest = rest.translation[found.bone] + quat.rotate(rest.rotation[found.bone], found.point)
    assert np.abs(at_rest[[0, 2]] - joint[[0, 2]]).max() < 1e-9 and at_rest[1] < joint[1]
