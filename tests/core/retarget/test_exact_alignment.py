"""Maps, alignments and transfers between figures of many kinds: exact results, case by case."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform, down_chain
from core.retarget.align import align, body_of, standing_frame, tip_bones, tip_of, with_flat_feet
from core.retarget.chain_map import ChainMap, ChainPair, Part, check_map, is_quadruped, propose_map
from core.retarget.report import worst_deviation
from core.retarget.transfer import Stride, TransferOptions, bind, leg_sizes, place_of, transfer
from core.rig.roles import find_roles
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, mixamo, motion, sample
from tests.core.retarget.test_tips import with_bones, without_bones
from tests.pins import Pins

PINS = Pins(__file__)


def posed(skeleton: Skeleton, **turns: tuple[float, float, float]) -> Skeleton:
    """The skeleton with bones turned at rest, degrees about their own axes."""
    rotation = np.array(skeleton.rest.rotation)
    for name, degrees in turns.items():
        bone = skeleton.index(name)
        rotation[bone] = quat.multiply(rotation[bone], quat.from_rotation_vector(np.radians(degrees)))
    return Skeleton(skeleton.names, skeleton.parents, skeleton.rest._replace(rotation=rotation))


def shifted(skeleton: Skeleton, **places: tuple[float, float, float]) -> Skeleton:
    """The skeleton with bones moved at rest, metres in their parents' frames."""
    translation = np.array(skeleton.rest.translation)
    for name, way in places.items():
        translation[skeleton.index(name)] += way
    return Skeleton(skeleton.names, skeleton.parents, skeleton.rest._replace(translation=translation))


def with_helpers(skeleton: Skeleton) -> Skeleton:
    """Twists, a thumb, a prop, a tail and a bone on the spot of another."""
    return with_bones(
        skeleton, ("upper_arm_twist_01_l", "upper_arm_l", (0.1, 0.0, 0.0)),
        ("lower_arm_twist_01_l", "lower_arm_l", (0.17, 0.01, 0.0)), ("thigh_Roll_r", "thigh_r", (0.0, -0.3, 0.0)),
        ("thumb_01_l", "hand_l", (0.02, -0.01, 0.04)), ("index_01_l", "hand_l", (0.08, 0.0, 0.03)),
        ("weapon_r", "hand_r", (-0.05, 0.0, 0.05)), ("tail_1", "hips", (0.0, 0.05, -0.2)),
        ("ball_tip_l", "ball_l", (0.0, 0.0, 0.05)), ("spot_r", "ball_r", (0.0, 0.0, 0.0)),
        ("spot_tip_r", "spot_r", (0.01, 0.0, 0.06)),
    )  # fmt: skip


def lying(skeleton: Skeleton) -> Skeleton:
    return posed(skeleton, root=(-84.0, 7.0, 0.0))


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@cache
def figures() -> dict[str, Skeleton]:
    plain = figure()
    return {
        "plain": plain,
        "any axes": figure(rng=rng(1)),
        "A pose, five of a spine": figure(5, 1.3, 47.0, rng=rng(2)),
        "turned, one of a spine": figure(1, 0.6, 20.0, 97.0, rng(3)),
        "turned about": figure(2, 1.0, 0.0, 163.0),
        "helpers": with_helpers(figure(arms_down=33.0)),
        "bent": posed(plain, neck=(60.0, 0.0, 0.0), head=(-20.0, 0.0, 0.0), clavicle_l=(0.0, 0.0, 75.0),
                      clavicle_r=(0.0, 20.0, 40.0), spine_1=(15.0, 0.0, 10.0), foot_l=(35.0, 30.0, 0.0),
                      foot_r=(46.0, 0.0, 0.0), ball_l=(10.0, 5.0, 0.0), hand_l=(0.0, 30.0, 10.0)),
        "strides": posed(plain, neck=(85.0, 0.0, 0.0), thigh_l=(-25.0, 5.0, 0.0),
                         thigh_r=(20.0, 0.0, 5.0), calf_r=(30.0, 0.0, 0.0), foot_l=(0.0, 66.0, 0.0),
                         foot_r=(-80.0, 10.0, 0.0), spine_2=(0.0, 30.0, 0.0)),
        "lies": lying(figure(4, 0.9, 30.0)),
        "no toes, no neck": without_bones(figure(rng=rng(5)), "ball_l", "ball_r", "neck", "head"),
        "half": without_bones(figure(), "clavicle_r", "upper_arm_r", "lower_arm_r", "hand_r", "middle_01_r",
                              "foot_l", "ball_l"),
        "centimetres": mixamo(in_centimetres=True),
        "automatic": mixamo(),
        "sample": sample().rigs[0].skeleton,
    }  # fmt: skip


NAMES = (
    "plain", "any axes", "A pose, five of a spine", "turned, one of a spine", "turned about", "helpers", "bent",
    "strides", "lies", "no toes, no neck", "half", "centimetres", "automatic", "sample",
)  # fmt: skip
PAIRS = [
    *product(("any axes", "helpers"), NAMES), *product(NAMES, ("A pose, five of a spine",)),
    *product(("bent", "strides", "half"), ("plain", "sample", "lies", "bent", "strides")),
]  # fmt: skip
PAIRS = list(dict.fromkeys(PAIRS))


def told(chains: ChainMap) -> list[str]:
    """A map as lines."""
    rows = [
        f"{p.name}: {p.part} {' '.join(p.source)} > {' '.join(p.target)} {p.confidence:g}{' moves' * p.moves}"
        for p in chains.chains
    ]
    return [*rows, *chains.source_left, "-", *chains.target_left, "-", chains.refused, *chains.notes]


def test_every_kind_of_figure_is_here():
    assert tuple(figures()) == NAMES


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_maps_alignments_and_transfers(one: str, two: str):
    source, target = figures()[one], figures()[two]
    chains = propose_map(source, target)
    PINS.hold(f"map {one} > {two}", told(chains))
    if not chains.chains:
        return
    found = align(source, target, chains)
    PINS.hold(f"aligned {one} > {two}", found, align(source, target, chains, turned=False).rotation)
    local = motion(source, rng(7), 5, 0.3)
    for stride in Stride:
        options = TransferOptions(stride, 1.25, 0.03)
        binding = bind(source, target, chains, found, options)
        made = transfer(binding, local, options)
        worst, bone = worst_deviation(binding, local, made)
        PINS.hold(f"carried {one} > {two}, {stride}", binding.scale, binding.anchors, binding.mapped(), binding.moved(),
                  {bone: binding.weights[bone] for bone in sorted(binding.weights)}, binding.twists, made.rotation,
                  made.translation, worst, bone if worst > 0.01 else "none")  # fmt: skip
    usual = bind(source, target, chains, found)
    assert usual.scale == bind(source, target, chains, found, TransferOptions()).scale
    assert np.array_equal(
        transfer(usual, local).translation, transfer(usual, local, TransferOptions()).translation
    )


@pytest.mark.parametrize("name", NAMES)
def test_tips_bodies_and_legs(name: str):
    body = figures()[name]
    chains = propose_map(body, figures()["any axes"])
    rest = down_chain(body.parents, body.rest)
    with PINS.together(f"tips of {name}") as note:
        for bone in range(len(body)):
            tip = tip_of(body, chains, bone, True, rest.translation)
            note(tip_bones(body, chains, bone, True), tip)
    back = propose_map(figures()["any axes"], body)
    with PINS.together(f"tips of {name} as a target") as note:
        note([tip_bones(body, back, bone, False) for bone in range(len(body))])
    here = body_of(body, chains, rest.translation, True)
    PINS.hold(f"body of {name}", here, here.yaw(), body_of(body, back, rest.translation, False),
              leg_sizes(body, chains, body.rest, True), leg_sizes(body, back, body.rest, False),
              is_quadruped(body, find_roles(body)))  # fmt: skip


def test_alignments_that_a_person_changed():
    source, target = figures()["any axes"], figures()["A pose, five of a spine"]
    chains = propose_map(source, target)
    pose = Transform(*(part[2] for part in motion(source, rng(11), 3, 0.4)))
    names = [pair.name for pair in chains.chains]
    for name in names:
        PINS.hold(f"{name} turned by hand", align(source, target, chains, adjust={name: (10.0, -20.0, 5.0)}),
                  align(source, target, chains, pose, turns={name: 0.4}).rotation)  # fmt: skip
    every = dict.fromkeys(names, 1.3)
    PINS.hold(
        "all turned further", align(source, target, chains, pose, False, {"left arm": (0.0, 9.0, 0.0)}, every)
    )
    same = align(source, target, chains, turns=dict.fromkeys(names, 1.0))
    assert quat.angle_between(same.rotation, align(source, target, chains).rotation).max() < 1e-7


def clip(body: Skeleton, seed: int, frames: int) -> Transform:
    """A clip of which the frame after the middle one stands."""
    local = motion(body, rng(seed), frames, 0.5)
    stands = min(frames // 2 + 1, frames - 1)
    local.rotation[stands], local.rotation[stands, 0] = body.rest.rotation, quat.IDENTITY
    return local


@pytest.mark.parametrize("name", ["plain", "lies", "bent", "no toes, no neck", "half", "helpers"])
def test_frames_that_stand_and_flat_feet(name: str):
    source, target = figures()[name], figures()["A pose, five of a spine"]
    chains = propose_map(source, target)
    for frames, most in ((1, 3), (7, 9), (40, 9)):
        local = clip(source, 21, frames)
        PINS.hold(
            f"{name}: the best of {frames} and {most}", standing_frame(source, target, chains, local, most)
        )
        PINS.hold(f"{name}: flat feet of {frames}", with_flat_feet(source, chains, local, frames // 3))


def test_frames_of_a_long_clip_are_looked_at_by_turns():
    """240 of them: the frame that stands is one of these, or the nearest to it that is."""
    source = figures()["plain"]
    chains = ChainMap(propose_map(source, source).part(Part.LEG)[:1])
    for frames, stands, found in ((240, 200, 200), (478, 199, 199), (478, 200, 199), (478, 477, 477)):
        local = Transform(*(np.repeat(part[None], frames, axis=0) for part in source.rest))
        lean = np.abs(np.arange(frames) - stands) * 0.002 + 0.0003 * (np.arange(frames) > stands)
        local.rotation[:, source.index("thigh_l")] = quat.from_axis_angle([0.0, 0.0, 1.0], lean)
        assert standing_frame(source, source, chains, local) == found


def test_places_of_bones():
    body = figures()["any axes"]
    local = motion(body, rng(8), 4)
    whole = [down_chain(body.parents, Transform(*(part[k] for part in local))).translation for k in range(4)]
    for bone in range(len(body)):
        np.testing.assert_allclose(place_of(body, local, bone), np.stack(whole)[:, bone], atol=1e-12)


# ------------------------------------------------------------ maps
def named(*bones: tuple[str, str, tuple[float, float, float]]) -> Skeleton:
    """A skeleton of bones by name, parent and offset."""
    names = [name for name, _, _ in bones]
    parents = np.array([names.index(parent) if parent else -1 for _, parent, _ in bones])
    offsets: FloatArray = np.array([offset for *_, offset in bones])
    rest = Transform(offsets, np.tile(quat.IDENTITY, (len(names), 1)), np.ones((len(names), 3)))
    return Skeleton(tuple(names), parents, rest)


def renamed(skeleton: Skeleton, **names: str) -> Skeleton:
    return Skeleton(tuple(names.get(n, n) for n in skeleton.names), skeleton.parents, skeleton.rest)


MAPS = {
    "a root of another name": (figure(), renamed(figure(), root="Master")),
    "a root that says nothing": (renamed(figure(), root="thing"), figure()),
    "roots two deep": (
        renamed(with_bones(figure(), ("extra", "root", (0.0, 0.0, 0.0))), root="Armature"),
        renamed(figure(), root="Bip01"),
    ),
    "bones of one name": (
        with_bones(figure(), ("tail_1", "hips", (0.0, 0.0, -0.2)), ("prop", "root", (1.0, 0.0, 0.0))),
        with_bones(figure(2), ("tail_1", "hips", (0.0, 0.0, -0.3)), ("prop", "root", (0.5, 0.0, 0.0))),
    ),
    "no body": (named(("a", "", (0.0, 0.0, 0.0)), ("b", "a", (0.0, 1.0, 0.0))), figure()),
    "one leg": (without_bones(figure(), "thigh_l", "calf_l", "foot_l", "ball_l"), figure()),
    "no feet": (without_bones(figure(), "foot_l", "ball_l", "foot_r", "ball_r"), figure()),
    "no feet of the target": (figure(), without_bones(figure(), "foot_l", "ball_l", "foot_r", "ball_r")),
    "no head": (without_bones(figure(), "head", "neck"), figure(2)),
}


@pytest.mark.parametrize("name", MAPS)
def test_maps_proposed(name: str):
    PINS.hold(f"proposed: {name}", told(propose_map(*MAPS[name])), told(propose_map(*reversed(MAPS[name]))))


def test_maps_changed_chain_by_chain():
    source, target = figure(), figure(4)
    chains = propose_map(source, target)
    arm = ChainPair("left arm", Part.ARM, ("upper_arm_l",), ("lower_arm_l",))
    other = ChainPair("extra", Part.OTHER, ("head",), ("neck",))
    PINS.hold("one chain put in another's place", told(chains.with_chain(arm, source, target)))
    PINS.hold("a chain more", told(chains.with_chain(other, source, target)))
    PINS.hold(
        "a chain less",
        told(chains.with_chain(ChainPair("left arm", Part.ARM, (), ("hand_l",)), source, target)),
    )
    assert chains.chain("left arm").part is Part.ARM and chains.chain("nothing") is None
    assert [pair.name for pair in chains.part(Part.ARM)] == ["left arm", "right arm"]
    check_map(chains, source, target)
