"""What a source is posed by, how sure a pairing is, hands that reach, and limbs without an end."""

import numpy as np
import pytest

from core.clips.clip import Clip
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.retarget.align import align, standing_frame, with_flat_feet
from core.retarget.chain_map import Part, _confidence, propose_map
from core.retarget.report import worst_deviation
from core.retarget.retarget import Options, aligned, carry
from core.retarget.transfer import TransferOptions, bind
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, sample
from tests.core.retarget.test_tips import without_bones


def rig(skeleton: Skeleton, name: str) -> Rig:
    return Rig(AssetId(f"rig-{name}"), name, skeleton)


def lying(skeleton: Skeleton) -> Skeleton:
    """The figure on its back: its rest says nothing of how it stands."""
    rest = Transform(*(np.array(part) for part in skeleton.rest))
    turn = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(-90.0))
    rest.rotation[0] = quat.multiply(turn, rest.rotation[0])
    return Skeleton(skeleton.names, skeleton.parents, rest)


def upright(skeleton: Skeleton, frames: int = 4) -> Transform:
    """A clip of the lying figure: it lies, and stands in the frame before the last."""
    local = Transform(*(np.tile(part, (frames, 1, 1)) for part in skeleton.rest))
    turn = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(90.0))
    local.rotation[frames - 2, 0] = quat.multiply(turn, local.rotation[frames - 2, 0])
    return local


def alike(one, two) -> bool:
    same = all(np.allclose(a, b, atol=1e-9) for a, b in zip(one.local, two.local, strict=True))
    return same and one.deviation == pytest.approx(two.deviation, abs=1e-6)


def test_a_source_that_lies_is_posed_by_the_frame_in_which_it_stands() -> None:
    source, target = lying(figure()), figure(spine=2, arms_down=40.0)
    chains, local = propose_map(source, target), upright(source)
    assert standing_frame(source, target, chains, local) == 2
    found = aligned(rig(source, "a"), rig(target, "b"), chains, local, Options())
    frame = with_flat_feet(source, chains, local, 2)
    assert not found.standing and alike(found, align(source, target, chains, frame, False))
    lies = with_flat_feet(source, chains, local, 0)
    assert not alike(found, align(source, target, chains, lies, False))


def test_a_source_that_lies_is_posed_by_its_rest_without_a_frame_or_for_its_own_bones() -> None:
    source, target = lying(figure()), figure(spine=2)
    chains, local = propose_map(source, target), upright(source)
    none = Transform(*(part[:0] for part in local))
    assert alike(
        aligned(rig(source, "a"), rig(target, "b"), chains, none, Options()), align(source, target, chains)
    )
    other = lying(figure(size=1.3))
    chains = propose_map(source, other)
    found = aligned(rig(source, "a"), rig(other, "b"), chains, local, Options())
    assert alike(found, align(source, other, chains))


def test_a_given_reference_goes_before_all() -> None:
    source, target = figure(), figure(arms_down=40.0)
    chains = propose_map(source, target)
    pose = Transform(*(np.array(part) for part in source.rest))
    arm = source.index("upper_arm_l")
    pose.rotation[arm] = quat.from_axis_angle([0.0, 0.0, 1.0], 0.4)
    found = aligned(rig(source, "a"), rig(target, "b"), chains, upright(source), Options(reference=pose))
    assert alike(found, align(source, target, chains, pose, False))
    assert not alike(found, align(source, target, chains))


@pytest.mark.parametrize(
    ("part", "source", "target", "sure"),
    [
        (Part.SPINE, ("spine_1", "spine_2"), ("spine_1", "spine_2"), 1.0),
        (Part.SPINE, ("spine_1", "spine_2"), ("spine_1",), 0.85),
        (Part.ARM, ("upper_arm_l", "lower_arm_l"), ("upper_arm_l",), 0.6),
        (Part.LEG, ("thigh_l",), ("thigh_l", "calf_l"), 0.6),
        (Part.SPINE, ("spine_2", "spine_1"), ("spine_1", "spine_2"), 0.5),
        (Part.SPINE, ("spine_1", "spine_2"), ("spine_1", "spine_1"), 0.5),
        (Part.ARM, ("lower_arm_l", "upper_arm_l"), ("upper_arm_l",), 0.5),
    ],
)  # fmt: skip
def test_how_sure_a_pairing_is(part, source, target, sure) -> None:
    assert _confidence(part, source, target, figure(), figure()) == sure


@pytest.mark.parametrize(
    ("name", "sure"), [("node_arm", 0.6), ("NodeThree", 0.6), ("b_12", 0.6), ("ab3", 0.6), ("arm", 1.0), ("b3cd", 1.0)]
)  # fmt: skip
def test_bones_with_names_that_say_nothing_are_unsure(name, sure) -> None:
    body = figure()
    renamed = Skeleton(tuple(name if n == "thigh_l" else n for n in body.names), body.parents, body.rest)
    assert _confidence(Part.LEG, ("calf_l",), (name,), body, renamed) == sure
    assert _confidence(Part.LEG, (name,), ("calf_l",), renamed, body) == sure


def test_hands_reach_where_those_of_the_source_are() -> None:
    target = figure(arms_down=50.0, rng=np.random.default_rng(4))
    project = sample()
    clip: Clip = next(c for c in project.clips if c.name == "wave")
    own = project.rigs[0]
    chains = propose_map(own.skeleton, target)
    places = {}
    for reach in (0.0, 1.0):
        options = Options(transfer=TransferOptions(arm_reach=reach), lock=None)
        places[reach] = carry(own, clip, rig(target, "b"), chains, options).local.rotation
    arms = [target.index(f"upper_arm_{side}") for side in "lr"]
    legs = [target.index(f"thigh_{side}") for side in "lr"]
    assert quat.angle_between(places[0.0][:, arms], places[1.0][:, arms]).max() > 0.02
    assert np.array_equal(places[0.0][:, legs], places[1.0][:, legs])


def test_limbs_that_end_nowhere_are_left_out_of_the_worst_deviation() -> None:
    whole = figure()
    body = without_bones(whole, "middle_01_l", "middle_01_r", "ball_l", "ball_r")
    chains = propose_map(body, body)
    binding = bind(body, body, chains, align(body, body, chains))
    local = Transform(*(np.tile(part, (2, 1, 1)) for part in body.rest))
    assert worst_deviation(binding, local, local)[0] < 1e-6
    bent = local._replace(rotation=np.array(local.rotation))
    bent.rotation[1, body.index("calf_l")] = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(25.0))
    angle, name = worst_deviation(binding, local, bent)
    assert angle == pytest.approx(25.0, abs=1e-6) and name == "calf_l"
