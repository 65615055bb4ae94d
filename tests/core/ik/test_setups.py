"""Chains that carry a bone, by the part that it is; and points of a foot that can stand still."""

from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.ik import body
from core.ik.pivots import FootPoint, foot_anchor
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkTarget
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles
from core.rig.skeleton import Skeleton
from tests.core.graph.builders import walker
from tests.core.retarget.figures import figure

RIG = Rig(AssetId("rig-1"), "figure", figure())
ROLES = rig_roles(RIG)


@pytest.mark.parametrize(("bone", "root", "solver"), [
    ("hand_l", "upper_arm_l", IkSolver.TWO_BONE), ("hand_r", "upper_arm_r", IkSolver.TWO_BONE),
    ("foot_l", "thigh_l", IkSolver.TWO_BONE), ("lower_arm_r", "upper_arm_r", IkSolver.CCD),
    ("calf_l", "thigh_l", IkSolver.CCD), ("ball_r", "foot_r", IkSolver.CCD), ("head", "neck", IkSolver.CCD),
    ("spine_3", "spine_1", IkSolver.CCD), ("spine_2", "spine_1", IkSolver.CCD),
    ("upper_arm_l", "clavicle_l", IkSolver.CCD),
    ("hips", None, None), ("root", None, None), ("thigh_l", None, None), ("spine_1", None, None),
])  # fmt: skip
def test_a_limb_reaches_from_its_first_bone_and_a_body_from_none(bone, root, solver):
    made = body.limb_setup(RIG, ROLES, bone)
    if root is None:
        assert made is None
        return
    assert (made.root, made.tip, made.solver, made.tolerance) == (root, bone, solver, 1e-4)
    is_end = bone.startswith(("hand", "foot"))
    assert made.end_rotation is (EndRotation.MODEL if is_end else EndRotation.LOCAL)
    assert made.pole == (IkTarget() if is_end else None)


def test_the_rigs_own_setup_carries_its_tip_and_one_in_use_before_others():
    own = [
        IkSetup("off", "root", "hand_l", IkSolver.CCD, weight=0.2),
        IkSetup(
            "on",
            "clavicle_l",
            "hand_l",
            IkSolver.FABRIK,
            enabled=True,
            weight=0.3,
            goal=IkTarget((1.0, 2.0, 3.0)),
        ),
        IkSetup("aims", "hand_l", "hand_l", IkSolver.AIM),
    ]
    made = body.limb_setup(replace(RIG, ik_setups=tuple(own)), ROLES, "hand_l")
    assert made == replace(own[1], weight=1.0, goal=IkTarget())
    left = body.limb_setup(replace(RIG, ik_setups=(own[0], own[2])), ROLES, "hand_l")
    assert left.name == "off" and left.weight == 1.0
    alone = body.limb_setup(replace(RIG, ik_setups=(own[2],)), ROLES, "hand_l")
    assert alone.root == "upper_arm_l"


def test_a_head_beside_the_end_of_the_spine_is_carried_by_the_bone_above_it():
    skeleton = RIG.skeleton
    parents = np.array(skeleton.parents)
    parents[skeleton.index("neck")] = skeleton.index("spine_1")
    rig = replace(RIG, skeleton=Skeleton(skeleton.names, parents, skeleton.rest))
    chosen = rig_roles(rig)
    beside = type(chosen)({key: bones for key, bones in chosen.found.items() if key[0] is not Role.NECK})
    made = body.limb_setup(rig, beside, "head")
    assert (made.root, made.tip) == ("neck", "head")


def test_an_arm_with_a_bone_more_is_no_two_bone_limb():
    rig = _with(RIG, ("twist_l", "lower_arm_l"), under="hand_l")
    made = body.limb_setup(rig, rig_roles(rig), "hand_l")
    assert (made.root, made.solver) == ("upper_arm_l", IkSolver.CCD)
    assert made.end_rotation is EndRotation.MODEL


def _with(rig: Rig, *bones: tuple[str, str], under: str = "") -> Rig:
    """A rig with bones added, each below another; one bone may be put under the last of them."""
    s = rig.skeleton
    names, parents = list(s.names), s.parents.tolist()
    moves, turns = s.rest.translation.tolist(), s.rest.rotation.tolist()
    for name, above in bones:
        place = names.index(under) if under else len(names)
        parents = [p + (p >= place) for p in parents]
        parents.insert(place, names.index(above))
        names.insert(place, name)
        moves.insert(place, [0.0, 0.1, 0.0])
        turns.insert(place, list(quat.IDENTITY))
        if under:
            parents[place + 1] = place
    rest = Transform(np.array(moves), np.array(turns), np.ones((len(names), 3)))
    return replace(rig, skeleton=Skeleton(tuple(names), np.array(parents), rest))


def test_a_prop_is_carried_by_two_bones_where_nothing_forks():
    tail = (("lump_a", "hips"), ("lump_b", "lump_a"), ("lump_c", "lump_b"))
    rig = _with(RIG, *tail)
    roles = rig_roles(rig)
    assert body.limb_setup(rig, roles, "lump_c").root == "lump_a"
    forked = _with(RIG, *tail, ("lump_d", "lump_b"))
    assert body.limb_setup(forked, rig_roles(forked), "lump_c").root == "lump_b"


@pytest.mark.parametrize(("bone", "root"), [
    ("hand_l", "spine_1"), ("foot_r", "thigh_r"), ("head", "spine_1"), ("spine_2", "spine_1"),
    ("thigh_l", None), ("hips", None), ("root", None),
])  # fmt: skip
def test_a_chain_goes_up_to_below_the_hips(bone, root):
    made = body.chain_setup(RIG, ROLES, bone)
    if root is None:
        assert made is None
        return
    assert (made.root, made.tip, made.solver, made.iterations) == (root, bone, IkSolver.CCD, 200)
    is_end = bone.startswith(("hand", "foot"))
    assert made.end_rotation is (EndRotation.MODEL if is_end else EndRotation.LOCAL)
    stiff = {b: body.CHAIN_STIFFNESS for b in ("spine_1", "spine_2", "spine_3") if b != bone}
    assert made.stiffness == stiff


def test_a_chain_outside_the_hips_leaves_the_root_out():
    rig = _with(RIG, ("a", "root"), ("b", "a"), ("c", "b"))
    assert body.chain_setup(rig, rig_roles(rig), "c").root == "a"
    assert body.chain_setup(rig, rig_roles(rig), "a") is None


@pytest.mark.parametrize(("bone", "root"), [
    ("hand_l", "spine_1"), ("head", "spine_1"), ("spine_2", "spine_1"), ("spine_1", None), ("foot_l", None),
    ("hips", None),
])  # fmt: skip
def test_the_trunk_gives_for_what_hangs_on_it(bone, root):
    made = body._trunk(RIG, ROLES, bone)
    if root is None:
        assert made is None
        return
    assert (made.root, made.tip, made.iterations) == (root, bone, 1)
    wanted = {f"spine_{k}": body.SPINE_STIFFNESS for k in (1, 2, 3)} | {"clavicle_l": 0.7, "clavicle_r": 0.7}
    assert made.stiffness == wanted


# ------------------------------------------------------------------------- points of a foot
def _leaning(rig: Rig) -> Transform:
    """Model transforms of a pose in which the right foot is lower, and all is turned."""
    local = rig.skeleton.rest._replace(rotation=np.array(rig.skeleton.rest.rotation))
    for name, vector in (
        ("root", (0.1, 0.7, 0.2)),
        ("thigh_l", (-1.0, 0.0, 0.0)),
        ("foot_l", (0.3, 0.1, 0.0)),
    ):
        local.rotation[rig.skeleton.index(name)] = quat.from_rotation_vector(np.array(vector))
    return down_chain(rig.skeleton.parents, local)


def _toeless() -> Rig:
    rig = walker()
    s = rig.skeleton
    kept = [b for b, name in enumerate(s.names) if not name.startswith("toe")]
    names = [s.names[b] for b in kept]
    parents = np.array([-1 if s.parents[b] < 0 else names.index(s.names[s.parents[b]]) for b in kept])
    return Rig(rig.id, "toeless", Skeleton(tuple(names), parents, Transform(*(p[kept] for p in s.rest))))


@pytest.mark.parametrize(("bone", "side"), [
    ("foot_l", "l"), ("toe_l", "l"), ("thigh_l", "l"), ("thigh_r", "r"), ("head", "r"), ("nowhere", "r"),
])  # fmt: skip
def test_points_of_a_foot_are_on_the_sole_of_the_leg_that_holds_the_bone_else_of_the_lower(bone, side):
    rig = walker()
    model, rest = _leaning(rig), down_chain(rig.skeleton.parents, rig.skeleton.rest)
    found = {which: foot_anchor(rig, rig_roles(rig), bone, which, model) for which in FootPoint}
    names = {which: rig.skeleton.names[anchor.bone] for which, anchor in found.items()}
    assert names == {"ball": f"foot_{side}", "heel": f"foot_{side}", "toe": f"toe_{side}"}
    at = {
        which: transform.apply(Transform(*(p[anchor.bone] for p in rest)), anchor.point)
        for which, anchor in found.items()
    }
    ankle, toes = (rest.translation[rig.skeleton.index(f"{b}_{side}")] for b in ("foot", "toe"))
    assert at["heel"][1] == pytest.approx(at["ball"][1]) and at["toe"][1] == pytest.approx(at["heel"][1])
    assert at["heel"][2] < ankle[2] < at["ball"][2] < at["toe"][2]
    np.testing.assert_allclose(at["ball"][[0, 2]], toes[[0, 2]], atol=1e-9)


def test_without_toes_the_ball_is_a_third_of_the_way_from_the_tip_to_the_heel():
    rig = _toeless()
    found = {w: foot_anchor(rig, rig_roles(rig), "foot_l", w, down_chain(rig.skeleton.parents, rig.skeleton.rest))
             for w in FootPoint}  # fmt: skip
    assert {rig.skeleton.names[a.bone] for a in found.values()} == {"foot_l"}
    tip, ball, heel = (found[w].point for w in (FootPoint.TOE, FootPoint.BALL, FootPoint.HEEL))
    np.testing.assert_allclose(ball, (2.0 * tip + heel) / 3.0, atol=1e-9)
    assert np.linalg.norm(tip - heel) > 0.05


def test_a_rig_without_legs_has_no_points():
    rest = Transform(np.zeros((2, 3)), np.tile(quat.IDENTITY, (2, 1)), np.ones((2, 3)))
    rig = Rig(AssetId("rig-2"), "pole", Skeleton(("a", "b"), np.array([-1, 0]), rest))
    assert foot_anchor(rig, rig_roles(rig), "a", FootPoint.BALL, rest) is None


@pytest.mark.parametrize("bone", ["middle_01_l", "ball_r", "head"])
def test_what_hangs_on_a_part_of_the_body_is_carried_by_that_alone(bone):
    rig = _with(RIG, ("lump", bone))
    assert body.limb_setup(rig, rig_roles(rig), "lump").root == bone
