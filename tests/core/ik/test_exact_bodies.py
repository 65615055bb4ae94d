"""Bodies that are pulled, feet on grounds and legs in plain numbers: exact results of many cases."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from core.arrays import FloatArray
from core.ids import AssetId
from core.ik import leg as plain
from core.ik.body import PinKind, Reach, chain_setup, held, limb_setup, pulled, solved_bones
from core.ik.ground import ANKLE, Ground, clearances, find_feet, place_feet, wanted_offsets
from core.ik.hands import eased_wrist, end_above, hips_above
from core.ik.pivots import Anchor, FootPoint, carrier, foot_anchor
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.rig import JointLimit, LimitKind, Rig
from core.rig.roles import Roles, rig_roles
from core.rig.skeleton import Skeleton
from tests.core.graph.builders import walker
from tests.core.retarget.figures import figure, motion, sample
from tests.core.retarget.test_exact_alignment import posed, shifted, with_helpers
from tests.core.retarget.test_exact_clips import under_scale
from tests.core.retarget.test_tips import with_bones, without_bones
from tests.editor.rigs import small_rig
from tests.pins import Pins

PINS = Pins(__file__)
CONES = {
    "foot_l": JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -10.0, 10.0, 20.0),
    "foot_r": JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), -30.0, 30.0),
}


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def rig_of(skeleton: Skeleton, **more) -> Rig:
    return Rig(AssetId("rig-f"), "f", skeleton, **more)


@cache
def rigs() -> dict[str, Rig]:
    long_necked = with_bones(
        without_bones(figure(), "head", "neck"), ("neck_01", "spine_3", (0.0, 0.1, 0.0)),
        ("neck_02", "neck_01", (0.0, 0.06, 0.0)), ("head_spare", "neck_02", (0.0, 0.04, 0.0)),
        ("head", "head_spare", (0.0, 0.05, 0.0)),
    )  # fmt: skip
    tailed = with_bones(
        without_bones(figure(), "neck", "head"), ("tail_1", "hips", (0.0, 0.0, -0.1)),
        ("head", "spine_2", (0.0, 0.4, 0.0)), ("tail_2", "tail_1", (0.0, 0.0, -0.1)),
        ("tail_3", "tail_2", (0.0, 0.0, -0.1)), ("fin_l", "tail_2", (0.1, 0.0, 0.0)),
        ("prop", "root", (1.0, 0.0, 0.0)), ("prop_tip", "prop", (0.0, 0.2, 0.0)),
    )  # fmt: skip
    return {
        "figure": rig_of(figure()),
        "any axes": rig_of(figure(4, 1.2, 30.0, rng=rng(1)), limits=CONES),
        "helpers": rig_of(with_helpers(figure(arms_down=50.0))),
        "long neck": rig_of(long_necked),
        "tail": rig_of(tailed),
        "scaled root": rig_of(under_scale(figure(2, 0.9)), limits=CONES),
        "no toes": rig_of(without_bones(figure(rng=rng(2)), "ball_l", "ball_r")),
        "one foot": rig_of(without_bones(figure(), "foot_l", "ball_l")),
        "sunk": rig_of(shifted(figure(), root=(0.0, -0.3, 0.0), thigh_r=(0.0, 0.1, 0.0))),
        "raised": rig_of(shifted(figure(), root=(0.0, 0.15, 0.0), hips=(0.2, 0.0, 0.1))),
        "crooked": rig_of(posed(figure(), thigh_l=(20.0, 5.0, 10.0), calf_l=(40.0, 0.0, 0.0), foot_l=(-20.0, 15.0, 0.0),
                                thigh_r=(-10.0, 0.0, -8.0), hips=(0.0, 12.0, 0.0))),
        "walker": walker(),
        "small": small_rig(),
        "sample": sample().rigs[0],
    }  # fmt: skip


NAMES = (
    "figure", "any axes", "helpers", "long neck", "tail", "scaled root", "no toes", "one foot", "sunk", "raised",
    "crooked", "walker", "small", "sample",
)  # fmt: skip
POSED = ("figure", "any axes", "tail", "scaled root", "no toes", "small")


def test_every_kind_of_rig_is_here():
    assert tuple(rigs()) == NAMES


def standing(rig: Rig, roles: Roles, seed: int = 3) -> Transform:
    """A pose ``(B, k)`` with bent knees and elbows, and a little of everything else."""
    local = Transform(*(part[0] for part in motion(rig.skeleton, rng(seed), 1, 0.08)))
    rotation = np.array(local.rotation)
    for limb in (*roles.legs(), *roles.arms()):
        for bone, angle in ((limb.upper, -0.5), (limb.lower, 0.9)):
            number = rig.skeleton.index(bone)
            rotation[number] = quat.multiply(
                rotation[number], quat.from_rotation_vector(np.array([angle, 0.1, 0.1]))
            )
    return local._replace(rotation=rotation)


def place(rig: Rig, local: Transform, bone: str) -> FloatArray:
    return down_chain(rig.skeleton.parents, local).translation[rig.skeleton.index(bone)]


# ------------------------------------------------------------ which bones
@pytest.mark.parametrize("name", NAMES)
def test_limbs_chains_and_what_carries_a_bone(name: str):
    rig = rigs()[name]
    roles, pins = rig_roles(rig), [b for b in rig.skeleton.names if b.startswith(("foot", "hand_l", "head"))]
    for told, row in (
        ("limbs", [limb_setup(rig, roles, bone) for bone in rig.skeleton.names]),
        ("chains", [chain_setup(rig, roles, bone) for bone in rig.skeleton.names]),
        ("ends", [end_above(rig, roles, bone) for bone in rig.skeleton.names]),
        ("hips", [hips_above(rig, roles, bone) for bone in rig.skeleton.names]),
    ):
        PINS.hold(f"{told} of {name}", row)
    for reach in Reach:
        with PINS.together(f"bones of {name}, {reach}") as note:
            for bone in rig.skeleton.names:
                note(
                    solved_bones(rig, roles, bone, reach),
                    solved_bones(rig, roles, bone, reach, (*pins, "gone")),
                )


# ------------------------------------------------------------ pulls
PULLED = {"any axes": ("hand_l", "foot_r", "hips", "spine_2", "ball_l"), "tail": ("head", "hips", "tail_3")}
FEET = {"foot_l": PinKind.BOTH, "foot_r": PinKind.POSITION, "gone": PinKind.BOTH}
HANDS = {"foot_l": PinKind.POSITION, "hand_r": PinKind.ROTATION, "hips": PinKind.BOTH, "hand_l": PinKind.BOTH}
PULLS = (
    ([0.0, 0.0, 0.0], FEET),
    ([0.06, -0.05, 0.08], {}),
    ([0.1, 0.15, -0.1], HANDS),
    ([0.3, -0.3, 0.5], FEET),
)


@pytest.mark.parametrize("reach", Reach)
@pytest.mark.parametrize("name", PULLED)
def test_bodies_pulled(name: str, reach: Reach):
    rig = rigs()[name]
    roles = rig_roles(rig)
    local = standing(rig, roles)
    for bone in PULLED[name]:
        with PINS.together(f"{name}: {bone} pulled, {reach}") as note:
            for way, pins in PULLS:
                done = pulled(rig, roles, local, bone, place(rig, local, bone) + way, reach, pins)
                note(done.local, done.residual, done.held)


@pytest.mark.parametrize("name", POSED)
def test_pins_that_hold(name: str):
    rig = rigs()[name]
    roles = rig_roles(rig)
    before, after = standing(rig, roles), standing(rig, roles, 4)
    bones = [
        b
        for b in ("foot_l", "hand_r", "head", "hips", "spine_2", "ball_r", "prop")
        if rig.skeleton.find(b) is not None
    ]
    for kind in PinKind:
        with PINS.together(f"{name} held by {kind}") as note:
            for bone in bones:
                note(held(rig, roles, before, after, {bone: kind}))
            note(held(rig, roles, before, after, dict.fromkeys((*reversed(bones), "gone"), kind), bones[0]))


def test_wrists_eased():
    for name in ("figure", "any axes", "sample"):
        rig = rigs()[name]
        roles, hand = rig_roles(rig), rig.skeleton.index("hand_l")
        rest = Transform(*(np.array(part) for part in rig.skeleton.rest))
        axis = rest.translation[hand] / np.linalg.norm(rest.translation[hand])
        across = np.cross(axis, [0.36, 0.48, 0.8])
        across /= np.linalg.norm(across)
        with PINS.together(f"wrists of {name}") as note:
            for bend, twist, was in product(
                (-80.0, 20.0, 44.9, 45.1, 100.0), (0.0, 59.9, 60.1, -120.0), (0.0, 70.0)
            ):
                turns = []
                for angles in ((bend, twist), (was, was)):
                    swing = quat.from_axis_angle(across, np.radians(angles[0]))
                    turn = quat.multiply(swing, quat.from_axis_angle(axis, np.radians(angles[1])))
                    rotation = np.array(rest.rotation)
                    rotation[hand] = quat.multiply(turn, rest.rotation[hand])
                    turns.append(rest._replace(rotation=rotation))
                done = eased_wrist(rig, roles, turns[1], turns[0], "hand_l")
                within = abs(bend) <= max(45.0, was) and abs(twist) <= max(60.0, was)
                assert (done is turns[0]) is within
                note(done.rotation[hand])
                assert eased_wrist(rig, roles, turns[1], turns[0], "foot_l") is turns[0]


@pytest.mark.parametrize("name", NAMES)
def test_points_of_feet_and_what_brings_them_back(name: str):
    rig = rigs()[name]
    roles = rig_roles(rig)
    for seed in (5, 6):
        local = standing(rig, roles, seed)
        model = down_chain(rig.skeleton.parents, local)
        with PINS.together(f"anchors of {name}, {seed}") as note:
            for point in FootPoint:
                bones = rig.skeleton.names[:: 1 + len(rig.skeleton) // 40]
                note([foot_anchor(rig, roles, bone, point, model) for bone in (*bones, "gone")])
    last = len(rig.skeleton) - 1
    with PINS.together(f"carriers of {name}") as note:
        for hips, bone, bones in product(
            (None, "hips", "gone"), (0, last // 2, last), ((), (0, 1), (1, last), (2, 3, 4))
        ):
            note(carrier(rig, hips, Anchor(bone, np.zeros(3)), bones))


# ------------------------------------------------------------ grounds
GROUNDS = {
    "slope": Ground(0.1, 12.0, -9.0),
    "steep": Ground(-0.2, 50.0, 0.0),
    "stairs": Ground(0.0, 0.0, 4.0, count=5, start=-0.3),
}


@pytest.mark.parametrize("name", NAMES)
def test_feet_placed(name: str):
    rig = rigs()[name]
    roles = rig_roles(rig)
    feet = find_feet(rig, roles)
    PINS.hold(f"feet of {name}", feet)
    if not feet or name == "sample":
        return
    poses = [standing(rig, roles, seed) for seed in (3, 7, 8)]
    hips = rig.skeleton.index(roles.one("hips") or "")
    for number, lift in ((1, 0.05), (2, 0.2)):
        poses[number].translation[hips] += [0.3, lift, 0.4]
    local = Transform(*(np.stack(parts) for parts in zip(*poses, strict=True)))
    model = down_chain(rig.skeleton.parents, local)
    for told, ground in GROUNDS.items():
        with PINS.together(f"{name} on {told}") as note:
            note(place_feet(rig, roles, local, ground), place_feet(rig, roles, local, ground, feet[:1]))
            note(place_feet(rig, roles, local, ground, times=np.array([0.0, 0.02, 0.1])))
            note(wanted_offsets(rig, model, feet, ground, 0.1), clearances(rig, local, ground, feet))
        for usual, given in zip(wanted_offsets(rig, model, feet, ground),
                                wanted_offsets(rig, model, feet, ground, np.radians(40.0)), strict=True):  # fmt: skip
            assert np.array_equal(usual, given)
    assert pytest.approx(np.radians(40.0)) == ANKLE
    still = place_feet(rig, roles, local, Ground())
    assert still.local is local and not still.lowered.any() and not still.residual.any()


# ------------------------------------------------------------ legs in plain numbers
def rows(part: FloatArray) -> dict[int, tuple[float, ...]]:
    return {bone: tuple(float(v) for v in row) for bone, row in enumerate(part)}


@pytest.mark.parametrize("name", NAMES)
def test_legs_reached(name: str):
    rig = rigs()[name]
    roles = rig_roles(rig)
    legs = plain.find_legs(rig, find_feet(rig, roles))
    PINS.hold(f"legs of {name}", legs, plain.body_legs(rig))
    for seed, bend in ((9, None), (10, 0.0), (11, 0.2), (12, -0.25)):
        local = standing(rig, roles, seed)
        for leg in legs:
            rotation = np.array(local.rotation)
            if bend is not None:  # nearly straight: the leg's own hinge has a say
                knee = leg.chain[leg.lower]
                turn = quat.from_rotation_vector(bend * np.array([0.9, 0.2, 0.1]))
                rotation[knee] = quat.multiply(rig.skeleton.rest.rotation[knee], turn)
            at = plain.placed(leg, rows(local.translation), rows(rotation))
            hip, foot = np.array(at.places[leg.upper]), np.array(at.places[-1])
            pole = hip + quat.rotate(np.array(at.turns[leg.upper]), np.array(leg.pole))
            turn = tuple(float(v) for v in quat.normalise(rng(seed).normal(size=4)))
            with PINS.together(f"a leg of {name} reached, {leg.side}, {seed}") as note:
                note(at, plain.length(leg, at))
                for share, aside in product((0.0, 0.3, 0.9, 1.0, 1.4), (0.0, 0.2)):
                    goal = hip + share * (foot - hip) + aside * np.array([1.0, 0.0, 0.4])
                    for knee in (pole, hip + 2.0 * (goal - hip), hip - [0.0, 0.0, 1.0]):
                        note(plain.reached(leg, at, plain._vec(goal), turn, plain._vec(knee)))
                for angle in (0.1, 0.3, 0.4, 1.0, 3.0):
                    lean = quat.from_rotation_vector(angle * np.array([0.48, 0.6, -0.64]))
                    tilted = quat.multiply(np.array(leg.rest), lean)
                    note(plain.leaning(leg, plain._quat(tilted)), plain.leaning(leg, plain._quat(-tilted)))
