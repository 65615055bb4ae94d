"""Feet on the ground where the rig is scaled above the hips or at the foot, and which foot the hips follow."""

from dataclasses import replace

import numpy as np
import pytest

from core.ik.ground import Ground, clearances, find_feet, place_feet
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig
from core.rig.roles import find_roles
from core.rig.skeleton import Skeleton
from tests.core.ik.test_body_and_ground import RIG, ROLES, batch, grounded, standing


def hung(scale: float, turn: float) -> Rig:
    """The small person below a root that is tipped over and scaled, as an armature made in centimetres, Z up."""
    skeleton = RIG.skeleton
    tipped = quat.from_axis_angle([1.0, 0.0, 0.0], turn)
    root = Transform(np.zeros((1, 3)), tipped[None], np.full((1, 3), scale))
    translation, rotation = skeleton.rest.translation / scale, np.array(skeleton.rest.rotation)
    translation[0] = quat.rotate(quat.conjugate(tipped), translation[0])
    rotation[0] = quat.multiply(quat.conjugate(tipped), rotation[0])
    below = skeleton.rest._replace(translation=translation, rotation=rotation)
    rest = Transform(*(np.concatenate(parts) for parts in zip(root, below, strict=True)))
    names = ("armature", *skeleton.names)
    return replace(RIG, skeleton=Skeleton(names, np.concatenate(([-1], skeleton.parents + 1)), rest))


@pytest.mark.parametrize(("scale", "turn"), [(0.01, -0.5 * np.pi), (2.0, 0.0)])
def test_hips_below_a_scaled_parent_move_by_metres_of_the_world(scale: float, turn: float) -> None:
    rig = hung(scale, turn)
    ground = Ground(-0.05, 0.0, 0.0)  # a floor five centimetres lower
    local = Transform(*(part[None] for part in rig.skeleton.rest))
    done = place_feet(rig, find_roles(rig.skeleton), local, ground)
    hips = rig.skeleton.index("pelvis")
    places = [down_chain(rig.skeleton.parents, pose).translation[0, hips] for pose in (local, done.local)]
    assert places[1] - places[0] == pytest.approx([0.0, -0.05, 0.0], abs=1e-9)
    assert done.lowered[0] == pytest.approx(-0.05, abs=1e-9)
    assert done.residual.max() < 1e-6
    assert np.abs(done.clearance).max() < 1e-6


@pytest.mark.parametrize("side", ["l", "r"])
def test_hips_go_down_with_the_foot_that_stands_lower(side: str) -> None:
    """On a slope to the side one foot stands lower; bent legs could reach either way."""
    poses = grounded(batch(standing(0.5)))
    ground = Ground(0.0, 12.0 if side == "l" else -12.0, 0.0)
    done = place_feet(RIG, ROLES, poses, ground)
    feet = [RIG.skeleton.index(f"foot_{s}") for s in "lr"]
    before = down_chain(RIG.skeleton.parents, poses).translation[0, feet, 1]
    after = down_chain(RIG.skeleton.parents, done.local).translation[0, feet, 1]
    rises = after - before
    assert abs(rises[0] - rises[1]) > 0.02
    assert done.lowered[0] == pytest.approx(rises.min(), abs=2e-3)
    assert done.residual.max() < 1e-6


def test_contacts_of_a_scaled_foot_are_scaled_with_it() -> None:
    scale = np.array(RIG.skeleton.rest.scale)
    feet = find_feet(RIG, ROLES)
    foot = RIG.skeleton.index("foot_l")
    scale[foot] = 2.0
    local = Transform(*(p[None] for p in RIG.skeleton.rest._replace(scale=scale)))
    model = down_chain(RIG.skeleton.parents, local)
    place = model.translation[0, foot]
    wanted = [
        place[1] + quat.rotate(model.rotation[0, foot], 2.0 * p)[1] for p in (feet[0].heel, feet[0].toe)
    ]
    assert clearances(RIG, local, Ground(), feet)[0, 0] == pytest.approx(wanted, abs=1e-12)


def test_a_leg_of_no_length_has_a_foot_of_a_metres_leg() -> None:
    """Bones may lie in one place at rest: the foot still has a heel and a tip."""
    places = np.array(RIG.skeleton.rest.translation)
    for bone in ("calf_l", "foot_l"):
        places[RIG.skeleton.index(bone)] = 0.0
    skeleton = replace(RIG.skeleton, rest=RIG.skeleton.rest._replace(translation=places))
    left, right = find_feet(replace(RIG, skeleton=skeleton), ROLES)
    assert left.toe[2] == pytest.approx(1.4 * 0.18) and left.heel[2] == pytest.approx(-0.3 * 0.18)
    assert right.toe[2] == pytest.approx(1.4 * 0.18 * 0.9) and right.heel[1] == pytest.approx(-0.05)


def test_a_foot_of_no_size_has_its_points_where_one_of_its_own_size_has_them() -> None:
    scale = np.array(RIG.skeleton.rest.scale)
    scale[RIG.skeleton.index("foot_l")] = [0.0, 2.0, 1.0]
    skeleton = replace(RIG.skeleton, rest=RIG.skeleton.rest._replace(scale=scale))
    left, right = find_feet(replace(RIG, skeleton=skeleton), ROLES)
    for one, other in ((left.heel, right.heel), (left.toe, right.toe)):
        np.testing.assert_allclose(one, other / [1.0, 2.0, 1.0], atol=1e-12)
