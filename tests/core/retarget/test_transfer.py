"""Alignment and transfer: the laws of the spec, and rotations against matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.math import quat
from core.math.transform import Transform, down_chain
from core.pose import kinematics
from core.retarget.align import align, standing_frame
from core.retarget.chain_map import ChainMap, propose_map
from core.retarget.transfer import Stride, TransferOptions, bind, transfer
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, motion, sample

seeds = st.integers(0, 10_000)


def carried(source: Skeleton, target: Skeleton, local: Transform, **options: object) -> Transform:
    chains = propose_map(source, target)
    chosen = TransferOptions(**options)  # type: ignore[arg-type]
    return transfer(bind(source, target, chains, align(source, target, chains), chosen), local, chosen)


def lengths(skeleton: Skeleton, local: Transform) -> np.ndarray:
    places = kinematics.to_model(skeleton, local).translation
    rows = [b for b in range(len(skeleton)) if skeleton.parent(b) >= 2]
    return np.linalg.norm(places[:, rows] - places[:, skeleton.parents[rows]], axis=-1)


@settings(max_examples=10)
@given(seeds)
def test_transfer_onto_itself_is_the_identity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = figure(arms_down=float(rng.uniform(0, 80)), turned=float(rng.uniform(-180, 180)), rng=rng)
    local = motion(own, rng)
    result = carried(own, own, local)
    assert np.abs(result.translation - local.translation).max() < 1e-6
    assert quat.angle_between(result.rotation, local.rotation).max() < 1e-6


@settings(max_examples=10)
@given(seeds)
def test_lengths_of_the_target_never_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, target = figure(2, 0.7, 0.0, 90.0, rng), figure(5, 1.2, 45.0, 0.0, rng)
    result = carried(source, target, motion(source, rng))
    rest = Transform(*(part[None] for part in target.rest))
    assert np.allclose(lengths(target, result), lengths(target, rest), atol=1e-9)
    assert np.array_equal(result.scale, np.broadcast_to(target.rest.scale, result.scale.shape))


@settings(max_examples=10)
@given(seeds)
def test_limbs_point_where_the_source_points_whatever_the_bones_axes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, target = figure(3, 0.8, 0.0, 0.0, rng), figure(3, 1.1, 50.0, 0.0, rng)
    local = motion(source, rng)
    result = carried(source, target, local)
    places = [kinematics.to_model(s, p).translation for s, p in ((source, local), (target, result))]
    for side in ("l", "r"):
        for head, end in (
            ("upper_arm", "lower_arm"),
            ("lower_arm", "hand"),
            ("thigh", "calf"),
            ("calf", "foot"),
        ):
            spans = [
                at[:, s.index(f"{end}_{side}")] - at[:, s.index(f"{head}_{side}")]
                for at, s in zip(places, (source, target), strict=True)
            ]
            units = [v / np.linalg.norm(v, axis=-1, keepdims=True) for v in spans]
            assert np.abs(units[0] - units[1]).max() < 1e-6


@settings(max_examples=10)
@given(seeds)
def test_rotation_is_the_difference_from_the_aligned_rest_by_matrices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, target = figure(3, 1.0, 0.0, 0.0, rng), figure(3, 1.0, 45.0, 0.0, rng)
    chains, local = propose_map(source, target), motion(source, rng, 2)
    aligned = align(source, target, chains)
    result = transfer(bind(source, target, chains, aligned), local)
    before, after = (
        quat.to_matrix(kinematics.to_model(s, p).rotation) for s, p in ((source, local), (target, result))
    )
    reference = quat.to_matrix(down_chain(source.parents, aligned.local).rotation)
    rest = quat.to_matrix(down_chain(target.parents, target.rest).rotation)
    for pair in chains.chains:
        for a, b in zip(pair.source, pair.target, strict=True):
            s, t = source.index(a), target.index(b)
            assert np.allclose(after[:, t], before[:, s] @ reference[s].T @ rest[t], atol=1e-9)


@pytest.mark.parametrize(("first", "second"), [(1, 5), (5, 1), (3, 4), (6, 2)])
def test_chains_of_other_counts_end_turned_alike_and_spread_between(first: int, second: int) -> None:
    source, target = figure(first), figure(second)
    bend = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(20.0))
    local = Transform(*(np.array(part)[None] for part in source.rest))
    for row in range(first):
        local.rotation[0, source.index(f"spine_{row + 1}")] = bend
    result = carried(source, target, local)
    model = kinematics.model_rotations(target, result.rotation)[0]
    last = model[target.index(f"spine_{second}")]
    whole = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(20.0 * first))
    assert quat.angle_between(last, whole) < 1e-9
    turns = np.degrees(quat.angle_between(quat.IDENTITY, result.rotation[0]))
    chain = [turns[target.index(f"spine_{row + 1}")] for row in range(second)]
    assert max(chain) <= 20.0 * first / second * 2.0 + 1e-6 and min(chain) >= 0.0


@settings(max_examples=10)
@given(seeds, st.floats(-170.0, 170.0))
def test_a_source_that_rests_turned_faces_as_the_target_does(seed: int, degrees: float) -> None:
    quarter = 90.0 * round(degrees / 90.0)
    rng = np.random.default_rng(seed)
    plain, turned = figure(), figure(turned=quarter)
    local = motion(plain, rng)
    spin = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(quarter))
    model = kinematics.to_model(plain, local)
    whole = Transform(
        quat.rotate(spin, model.translation),
        quat.multiply(quat.multiply(spin, model.rotation), quat.conjugate(spin)),
        model.scale,
    )
    results = [carried(plain, plain, local), carried(turned, plain, kinematics.to_local(turned, whole))]
    assert np.abs(results[0].translation - results[1].translation).max() < 1e-6
    assert quat.angle_between(results[0].rotation, results[1].rotation).max() < 1e-6


def test_half_the_size_goes_half_as_far_and_stands_on_the_ground() -> None:
    source, target = figure(size=2.0), figure(size=1.0)
    local = Transform(*(np.array(part)[None].repeat(2, axis=0) for part in source.rest))
    local.translation[1, source.index("hips")] += [4.0, 0.2, 0.0]
    hips = target.index("hips")
    moved = carried(source, target, local).translation[:, hips]
    assert moved[1] - moved[0] == pytest.approx([2.0, 0.1, 0.0])
    assert moved[0] == pytest.approx(target.rest.translation[hips])
    shorter = carried(source, target, local, stride_factor=0.5, floor_offset=0.03).translation[:, hips]
    assert shorter[1] - shorter[0] == pytest.approx([1.0, 0.1, 0.0])
    assert shorter[0, 1] == pytest.approx(target.rest.translation[hips, 1] + 0.03)
    legs = carried(source, target, local, stride=Stride.LEG_LENGTH).translation[:, hips]
    assert legs == pytest.approx(moved)
    unscaled = carried(source, target, local, stride=Stride.NONE).translation[:, hips]
    assert unscaled[1, 0] - unscaled[0, 0] == pytest.approx(4.0)


def test_a_chain_left_out_keeps_its_rest() -> None:
    rng = np.random.default_rng(4)
    source, target = figure(), figure()
    whole = propose_map(source, target)
    chains = ChainMap(tuple(p for p in whole.chains if p.name == "left arm"))
    local = motion(source, rng)
    binding = bind(source, target, chains, align(source, target, chains))
    result = transfer(binding, local)
    mapped = [target.index(b) for b in ("upper_arm_l", "lower_arm_l")]
    assert list(binding.mapped()) == sorted(mapped) and binding.moved() == ()
    rest = np.delete(result.rotation, mapped, axis=1)
    assert np.allclose(rest, np.delete(target.rest.rotation, mapped, axis=0))
    assert np.array_equal(
        result.translation, np.broadcast_to(target.rest.translation, result.translation.shape)
    )


def test_a_source_whose_rest_is_no_pose_takes_a_standing_frame() -> None:
    own = figure(arms_down=45.0)
    rest = down_chain(own.parents, own.rest)
    # all bones along +X at rest, as some recorders write them; the motion's third frame stands
    odd = np.array(own.rest.translation)
    below = own.parents >= 1
    odd[below] = np.linalg.norm(odd[below], axis=1)[:, None] * [1.0, 0.0, 0.0]
    source = Skeleton(own.names, own.parents, own.rest._replace(translation=odd))
    model = np.tile(quat.IDENTITY, (len(own), 1))
    for bone in range(len(own)):
        for child in own.children(bone)[:1]:
            model[bone] = quat.shortest_arc([1.0, 0.0, 0.0], rest.translation[child] - rest.translation[bone])
    frames = np.tile(model, (4, 1, 1))
    frames[[0, 1, 3]] = quat.multiply(quat.from_axis_angle([0.0, 0.0, 1.0], 1.4), model)
    above = np.where((own.parents < 0)[:, None], quat.IDENTITY, frames[:, np.maximum(own.parents, 0)])
    local = Transform(
        np.tile(odd, (4, 1, 1)), quat.multiply(quat.conjugate(above), frames), np.ones((4, len(own), 3))
    )
    chains = propose_map(source, own)
    assert not align(source, own, chains).standing
    assert standing_frame(source, own, chains, local) == 2


def test_twist_helpers_share_the_twist() -> None:
    target = sample().rigs[0].skeleton
    source = figure(arms_down=45.0)
    local = Transform(*(np.array(part)[None] for part in source.rest))
    hand = source.index("hand_l")
    along = source.rest.translation[source.index("middle_01_l")]
    local.rotation[0, hand] = quat.from_axis_angle(along, np.radians(60.0))
    result = carried(source, target, local)
    helper, lower = target.index("lower_arm_twist_01_l"), target.index("lower_arm_l")
    rest = Transform(*(np.array(part)[None] for part in source.rest))
    before = carried(source, target, rest)
    turned = np.degrees(quat.angle_between(before.rotation[0], result.rotation[0]))
    assert turned[lower] < 1e-6 and 20.0 < turned[helper] < 40.0


def test_every_sample_clip_onto_its_own_character_is_itself() -> None:
    from core.ik.bake import frame_times
    from core.ik.rigged import sample_many

    project = sample()
    rig = project.rigs[0]
    for clip in project.clips[::6]:
        local = sample_many(rig, clip, frame_times(clip)[::4], wrap=False).local
        result = carried(rig.skeleton, rig.skeleton, local)
        assert np.abs(result.translation - local.translation).max() < 1e-6
        assert quat.angle_between(result.rotation, local.rotation).max() < 1e-6
