"""Where mapped bones end, feet that say nothing of their direction, and hips below a root that is turned."""

from dataclasses import replace

import numpy as np
import pytest

from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.align import align, tip_of
from core.retarget.chain_map import ChainMap, Part, propose_map
from core.retarget.contacts import ContactSpan
from core.retarget.lock import LockOptions, held
from core.retarget.transfer import transfer
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure
from tests.core.retarget.test_lock import FPS, bound


def with_bones(skeleton: Skeleton, *more: tuple[str, str, tuple[float, float, float]]) -> Skeleton:
    """A skeleton with further bones, each by name, parent and place below it."""
    names, parents = list(skeleton.names), skeleton.parents.tolist()
    rest = [np.array(part) for part in skeleton.rest]
    for name, parent, place in more:
        parents.append(names.index(parent))
        names.append(name)
        row = (np.array(place), quat.IDENTITY, np.ones(3))
        rest = [np.concatenate((part, value[None])) for part, value in zip(rest, row, strict=True)]
    return Skeleton(tuple(names), np.array(parents), Transform(*rest))


def without_bones(skeleton: Skeleton, *gone: str) -> Skeleton:
    kept = [row for row, name in enumerate(skeleton.names) if name not in gone]
    parents = [kept.index(p) if (p := int(skeleton.parents[row])) >= 0 else -1 for row in kept]
    rest = Transform(*(np.asarray(part)[kept] for part in skeleton.rest))
    return Skeleton(tuple(skeleton.names[row] for row in kept), np.array(parents), rest)


def places(skeleton: Skeleton) -> np.ndarray:
    return np.asarray(
        kinematics.to_model(skeleton, Transform(*(p[None] for p in skeleton.rest))).translation[0]
    )


def test_a_hand_ends_at_its_fingers_and_not_at_thumb_twist_or_prop() -> None:
    plain = without_bones(figure(), "middle_01_l")
    body = with_bones(
        plain, ("thumb_01_l", "hand_l", (0.02, 0.0, 0.05)), ("hand_twist_l", "hand_l", (0.03, 0.0, 0.0)),
        ("prop_l", "hand_l", (0.0, -0.2, 0.0)), ("palm_l", "hand_l", (0.07, 0.0, 0.0)),
    )  # fmt: skip
    at = places(body)
    tip = tip_of(body, ChainMap(()), body.index("hand_l"), True, at)
    assert tip == pytest.approx(at[body.index("palm_l")])


def test_a_lower_arm_ends_at_its_hand_whatever_fingers_are_mapped() -> None:
    body = figure()
    chains = propose_map(body, body)
    hand = body.index("hand_l")
    assert any(pair.part is Part.FINGER for pair in chains.chains)
    for source in (True, False):
        tip = tip_of(body, chains, body.index("lower_arm_l"), source, places(body))
        assert tip == pytest.approx(places(body)[hand])


@pytest.mark.parametrize("bare", ["source", "target"])
def test_a_foot_without_toes_is_aligned_as_the_leg_above_it(bare: str) -> None:
    whole, without = figure(), without_bones(figure(), "ball_l", "ball_r")
    pair = (without, whole) if bare == "source" else (whole, without)
    found = align(*pair, propose_map(*pair))
    source = pair[0]
    for side in "lr":
        foot, calf = source.index(f"foot_{side}"), source.index(f"calf_{side}")
        assert float(quat.angle_between(found.turn[foot], found.turn[calf])) < 1e-9


@pytest.mark.parametrize("turn", [0.0, 90.0])
def test_hips_below_a_turned_root_come_down_by_metres_straight_down(turn: float) -> None:
    plain = figure()
    spin = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(turn))
    translation, rotation = np.array(plain.rest.translation), np.array(plain.rest.rotation)
    rotation[0] = spin
    hips = plain.index("hips")
    translation[hips] = quat.rotate(quat.conjugate(spin), translation[hips])
    rotation[hips] = quat.multiply(quat.conjugate(spin), rotation[hips])
    target = replace(plain, rest=Transform(translation, rotation, plain.rest.scale))
    binding = bound(figure(), target)
    still = Transform(*(np.array(part)[None].repeat(60, axis=0) for part in figure().rest))
    carried = transfer(binding, still)
    out = np.zeros((60, 3))
    out[:, 0] = 0.45 * np.sin(np.arange(60) / 60.0 * np.pi)
    carried.translation[:, hips] += quat.rotate(quat.conjugate(spin), out)
    spans = tuple(ContactSpan(f"{side} foot", p, 10, 50) for side in ("left", "right") for p in (0, 1))
    down, slip = held(binding, still, carried, FPS, LockOptions(spans=spans))
    assert slip.drop > 0.01
    half = held(binding, still, carried, FPS, LockOptions(spans=spans, hip_drop=0.5))[1]
    assert 0.4 * slip.drop < half.drop < 0.9 * slip.drop
    step = (kinematics.to_model(target, down).translation - kinematics.to_model(target, carried).translation)[
        :, hips
    ]
    assert step[:, 1].min() == pytest.approx(-slip.drop, rel=0.3)
    assert np.abs(step[:, [0, 2]]).max() < 1e-9
