"""Angles and sizes from which on a rest pose stands, a foot is flat, a body has four legs; maps made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.math import quat
from core.math.transform import Transform, down_chain
from core.pose import kinematics
from core.retarget.align import align, body_of, tip_bones
from core.retarget.chain_map import ChainMap, ChainPair, Part, is_quadruped, propose_map
from core.retarget.limbs import limbs_of
from core.retarget.transfer import Stride, TransferOptions, bind, leg_sizes, transfer
from core.rig.roles import find_roles
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, motion
from tests.core.retarget.test_exact_alignment import posed, shifted
from tests.core.retarget.test_lock import bound
from tests.core.retarget.test_tips import with_bones

BODY = figure()
CHAINS = propose_map(BODY, BODY)


def deviation(other: Skeleton, chain: str) -> float:
    """Degrees that the source's chain turns to agree with another figure's rest."""
    return align(BODY, other, propose_map(BODY, other)).deviation[chain]


@pytest.mark.parametrize(("degrees", "turned"), [(68.0, False), (72.0, True)])
def test_trunk_and_collars_keep_their_own_rest_up_to_seventy_degrees(degrees, turned):
    for chain, turns in (
        ("neck", {"neck": (degrees, 0, 0)}),
        ("left clavicle", {"clavicle_l": (0, 0, degrees)}),
    ):
        found = deviation(posed(BODY, **turns), chain)
        assert found == pytest.approx(degrees if turned else 0.0, abs=2.0)


def sole(made, side: str = "l") -> np.ndarray:
    """Unit vector from the ankle to the ball of the aligned pose."""
    places = down_chain(BODY.parents, made.local).translation
    span = places[BODY.index(f"ball_{side}")] - places[BODY.index(f"foot_{side}")]
    return np.asarray(span / np.linalg.norm(span))


@pytest.mark.parametrize(("degrees", "flat"), [(38.0, True), (42.0, False), (-38.0, True), (-42.0, False)])
def test_feet_stay_flat_up_to_forty_degrees_of_pitch(degrees, flat):
    other = posed(BODY, foot_l=(degrees, 0.0, 0.0))
    made = align(BODY, other, propose_map(BODY, other))
    rest = down_chain(other.parents, other.rest).translation
    goal = rest[other.index("ball_l")] - rest[other.index("foot_l")]
    own = down_chain(BODY.parents, BODY.rest).translation
    plain = own[BODY.index("ball_l")] - own[BODY.index("foot_l")]
    wanted = plain if flat else goal
    np.testing.assert_allclose(sole(made), wanted / np.linalg.norm(wanted), atol=1e-6)
    np.testing.assert_allclose(sole(made, "r"), plain / np.linalg.norm(plain), atol=1e-6)


@pytest.mark.parametrize(("degrees", "flat"), [(58.0, True), (-58.0, True), (62.0, False), (-62.0, False)])
def test_flat_feet_take_a_heading_that_is_up_to_sixty_degrees_elsewhere(degrees, flat):
    """Of one that heads elsewhere by more the direction is taken, and the shortest way there tilts it."""
    other = posed(BODY, foot_l=(0.0, degrees, 0.0))
    made = align(BODY, other, propose_map(BODY, other))
    turn = quat.multiply(
        made.rotation[BODY.index("foot_l")], quat.conjugate(BODY.rest.rotation[BODY.index("foot_l")])
    )
    assert bool(np.abs(quat.to_rotation_vector(turn)[[0, 2]]).max() < 1e-9) is flat
    assert np.degrees(quat.angle_between(turn, quat.IDENTITY)) == pytest.approx(abs(degrees), abs=15.0)


@pytest.mark.parametrize(("degrees", "stands"), [(44.0, True), (47.0, False), (-44.0, True), (-47.0, False)])
def test_a_body_stands_whose_trunk_and_legs_are_upright_to_seven_tenths(degrees, stands):
    for turns in ({"thigh_l": (degrees, 0.0, 0.0)}, {"thigh_r": (0.0, 0.0, degrees)},
                  {"hips": (degrees, 0.0, 0.0), "thigh_l": (-degrees, 0, 0), "thigh_r": (-degrees, 0, 0)}):  # fmt: skip
        body = posed(BODY, **turns)
        found = body_of(body, CHAINS, down_chain(body.parents, body.rest).translation, True)
        assert found.stands is stands, turns


def test_a_body_without_left_or_up_has_those_of_the_axes():
    places = down_chain(BODY.parents, BODY.rest).translation
    none = body_of(BODY, ChainMap(()), places, True)
    assert none.left.tolist() == [1.0, 0.0, 0.0] and none.up.tolist() == [0.0, 1.0, 0.0] and none.stands
    arms = ChainMap(tuple(p for p in CHAINS.chains if p.part is Part.ARM or p.part is Part.HIPS))
    turned = body_of(
        figure(turned=90.0), arms, down_chain(BODY.parents, figure(turned=90.0).rest).translation, True
    )
    np.testing.assert_allclose(turned.left, [0.0, 0.0, -1.0], atol=1e-9)
    assert turned.yaw() == pytest.approx(np.pi / 2)
    flat = body_of(BODY, CHAINS, np.zeros_like(places), True)
    assert flat.left.tolist() == [1.0, 0.0, 0.0] and flat.up.tolist() == [0.0, 1.0, 0.0] and not flat.stands


@pytest.mark.parametrize(
    ("trunk", "arm", "leg", "four"),
    [
        (90.0, 0.0, 0.0, True), (48.0, 0.0, 0.0, True), (43.0, 0.0, 0.0, False), (132.0, 0.0, 0.0, True),
        (137.0, 0.0, 0.0, False), (90.0, 58.0, 0.0, True), (90.0, 62.0, 0.0, False), (90.0, 0.0, 58.0, True),
        (90.0, 0.0, -62.0, False), (90.0, 62.0, 62.0, False),
    ],
)  # fmt: skip
def test_a_body_has_four_legs_where_its_trunk_lies_and_arms_and_legs_stand(trunk, arm, leg, four):
    """Degrees from upright of the trunk, from straight down of arms and legs."""
    straight = shifted(figure(arms_down=90.0), calf_l=(0.0, 0.0, -0.01), calf_r=(0.0, 0.0, -0.01),
                       foot_l=(0.0, 0.0, 0.01), foot_r=(0.0, 0.0, 0.01))  # fmt: skip
    straight = shifted(straight, spine_1=(0.0, 0.0, 0.0))
    turns = {"root": (trunk, 0.0, 0.0)}
    turns |= {f"upper_arm_{s}": (arm - trunk, 0.0, 0.0) for s in "lr"}
    turns |= {f"thigh_{s}": (leg - trunk, 0.0, 0.0) for s in "lr"}
    body = posed(straight, **turns)
    assert is_quadruped(body, find_roles(straight)) is four
    assert is_quadruped(straight, find_roles(straight), body.rest) is four
    assert not is_quadruped(straight, find_roles(straight))


# ------------------------------------------------------------ maps made by hand
def by_hand(*pairs: tuple[str, Part, tuple[str, ...], tuple[str, ...]]) -> ChainMap:
    return ChainMap(tuple(ChainPair(*pair) for pair in pairs))


def test_without_legs_figures_are_scaled_by_their_heights():
    assert leg_sizes(BODY, ChainMap(()), BODY.rest, True) == (0.0, 0.0)
    other = figure(size=0.5, arms_down=30.0)
    chains = by_hand(("hips", Part.HIPS, ("hips",), ("hips",)))
    tall = [np.ptp(down_chain(s.parents, s.rest).translation[:, 1]) for s in (BODY, other)]
    for stride in Stride:
        made = bind(BODY, other, chains, align(BODY, other, chains), TransferOptions(stride))
        assert made.scale == pytest.approx(1.0 if stride is Stride.NONE else tall[1] / tall[0])
        assert made.anchors == ((1,), (1,))
    none = Transform(np.zeros_like(BODY.rest.translation), BODY.rest.rotation, BODY.rest.scale)
    point = Skeleton(BODY.names, BODY.parents, none)
    for pair in ((BODY, point), (point, BODY)):
        assert bind(*pair, chains, align(*pair, chains)).scale == 1.0
    assert bind(BODY, other, ChainMap(()), align(BODY, other, ChainMap(()))).anchors == ((), ())
    legs = by_hand(("left leg", Part.LEG, ("thigh_l", "calf_l"), ("thigh_l", "calf_l")))
    assert bind(BODY, other, legs, align(BODY, other, legs)).anchors == ((), ())


@pytest.mark.parametrize(
    ("source", "target"), [((1,), (1, 2, 3)), ((1, 2, 3), (1,)), ((1, 2), (1, 2, 3)), ((1, 2, 3), (2, 3))]
)
def test_chains_of_other_counts_take_their_shares_by_length(source, target):
    """A bone of the target is turned as the place on the source's chain at which it ends."""
    names = [tuple(f"spine_{n}" for n in row) for row in (source, target)]
    rest = [("neck", Part.NECK, ("neck",), ("neck",)), ("hips", Part.HIPS, ("hips",), ("hips",))]
    chains = by_hand(("spine", Part.SPINE, *names), *rest)
    weights = bind(BODY, BODY, chains, align(BODY, BODY, chains)).weights
    places = down_chain(BODY.parents, BODY.rest).translation[:, 1]

    def knots(row):
        first = places[BODY.index(f"spine_{row[0]}")]
        heads = [places[BODY.index(f"spine_{n}")] - first for n in row[1:]]
        whole = places[BODY.index("neck")] - first
        return np.array([*heads, whole]) / whole

    bones = [BODY.parent(BODY.index(names[0][0])), *(BODY.index(n) for n in names[0])]
    at = np.concatenate(([0.0], knots(source)))
    for bone, end in zip(names[1], knots(target), strict=True):
        row = next(k for k in range(len(source)) if end <= at[k + 1] + 1e-9)
        share = (end - at[row]) / (at[row + 1] - at[row])
        low, high, found = weights[BODY.index(bone)]
        assert (low, high) == (bones[row], bones[row + 1]) and found == pytest.approx(share)


def test_chains_without_an_end_or_without_a_length_are_shared_evenly():
    body = with_bones(BODY, ("tail_1", "hips", (0, 0, -0.1)), ("tail_2", "tail_1", (0, 0, -0.2)),
                      ("tail_3", "tail_2", (0, 0, -0.1)))  # fmt: skip
    on_spot = shifted(body, tail_2=(0.0, 0.0, 0.2), tail_3=(0.0, 0.0, 0.1))
    tails = ("tail_1", "tail_2", "tail_3")
    first, last = body.index("tail_1"), body.index("tail_2")
    chains = by_hand(("tail", Part.OTHER, tails[:2], tails))
    found = bind(on_spot, body, chains, align(on_spot, body, chains)).weights
    third = [(body.index("hips"), first), (first, last), (first, last)]
    assert [found[body.index(t)][:2] for t in tails] == third  # by 0.2, 0.3 and 0.45 of 0.45 m
    assert [found[body.index(t)][2] for t in tails] == pytest.approx([0.2 / 0.45 * 2.0, 1.0 / 3.0, 1.0])
    back = bind(body, on_spot, chains, align(body, on_spot, chains)).weights
    assert [back[body.index(t)][2] for t in tails] == pytest.approx([0.5, 1.0, 1.0])


def longer(chains: ChainMap, part: Part, bone: str) -> ChainMap:
    """The map with a bone more, ``bone_l`` and ``bone_r``, at the end of a part's chains."""
    more = {name: f"{bone}_{name[0]}" for name in (f"left {part}", f"right {part}")}
    return ChainMap(tuple(
        replace(p, source=(*p.source, more[p.name]), target=(*p.target, more[p.name])) if p.name in more else p
        for p in chains.chains
    ))  # fmt: skip


@pytest.mark.parametrize(("part", "bone"), [(Part.TOE, "tip"), (Part.FOOT, "heel"), (Part.HAND, "palm")])
def test_limbs_end_at_the_first_bone_of_hands_feet_and_toes(part, bone):
    above = {"tip": "ball", "heel": "foot", "palm": "hand"}[bone]
    place = (0.0, -0.02, 0.05) if part is Part.FOOT else (0.0, -0.5, 0.1)  # a foot's low bones are its floor
    more = [(f"{bone}_{s}", f"{above}_{s}", place) for s in "lr"]
    source, target = with_bones(BODY, *more), shifted(with_bones(BODY, *more), root=(0.0, -0.4, 0.0))
    plain = bound(source, target)
    changed = replace(plain, chains=longer(plain.chains, part, bone))
    for one, two in zip(limbs_of(plain, hands=True), limbs_of(changed, hands=True), strict=True):
        assert (one.bones, one.source_end) == (two.bones, two.source_end)
        assert [(p.source, p.source_height, p.height) for p in one.points] == [
            (p.source, p.source_height, p.height) for p in two.points
        ]
        for a, b in zip(one.points, two.points, strict=True):
            np.testing.assert_array_equal(a.offset, b.offset)
            np.testing.assert_array_equal(a.source_offset, b.source_offset)


def test_bones_that_move_go_as_far_as_their_sources_scaled():
    source = with_bones(BODY, ("prop", "root", (1.0, 0.2, 0.0)))
    target = with_bones(figure(size=0.5), ("prop", "root", (0.3, 0.4, 0.1)))
    chains = propose_map(source, target)
    assert chains.chain("bone prop").moves
    local = motion(source, np.random.default_rng(1), 3, 0.0)
    prop = source.index("prop")
    local.translation[:, prop] += [[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.5]]
    options = TransferOptions(stride_factor=2.0)
    made = transfer(bind(source, target, chains, align(source, target, chains)), local, options)
    places = [
        kinematics.to_model(*pair).translation[:, pair[0].index("prop")]
        for pair in ((source, local), (target, made))
    ]
    way = (places[0] - [1.0, 0.2, 0.0]) * 0.5 * [2.0, 1.0, 2.0]
    np.testing.assert_allclose(places[1], [0.3, 0.4, 0.1] + way, atol=1e-6)


def test_where_a_bone_ends_does_not_depend_on_where_a_map_has_its_other_bones():
    body = with_bones(BODY, ("tail_1", "hips", (0, 0, -0.1)), ("twist_l", "calf_l", (0.0, -0.2, 0.0)))
    chains = propose_map(body, body)
    others = [pair for pair in chains.chains if pair.part is Part.OTHER]
    first = replace(
        chains, chains=(*others, *(pair for pair in chains.chains if pair.part is not Part.OTHER))
    )
    assert others and first.chains != chains.chains
    for bone in range(len(body)):
        for source in (True, False):
            assert (
                tip_bones(body, first, bone, source).tolist()
                == tip_bones(body, chains, bone, source).tolist()
            )


def test_a_root_ends_at_the_next_mapped_bone_however_far_below():
    places = np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.3]])
    rest = Transform(places, np.tile(quat.IDENTITY, (4, 1)), np.ones((4, 3)))
    body = Skeleton(("root", "between", "hips", "aside"), np.array([-1, 0, 1, 0]), rest)
    chains = by_hand(("root", Part.ROOT, ("root",), ("root",)), ("hips", Part.HIPS, ("hips",), ("hips",)))
    assert tip_bones(body, chains, 0, True).tolist() == tip_bones(body, chains, 1, True).tolist() == [2]
    assert tip_bones(body, ChainMap(()), 0, True).tolist() == [1, 3]
