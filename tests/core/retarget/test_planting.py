"""What standing feet are corrected by, hips that come down, hands that reach, floors that drift."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.align import align
from core.retarget.chain_map import propose_map
from core.retarget.contacts import ContactSpan, floor_under, standing
from core.retarget.drift import levelled
from core.retarget.limbs import Limb, limbs_of
from core.retarget.lock import LockOptions, find_contacts, held
from core.retarget.planting import Floor, drop_for, planted
from core.retarget.reach import with_reach
from core.retarget.transfer import Binding, TransferOptions, transfer
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, motion
from tests.core.retarget.test_lock import FPS, bound, walking

seeds = st.integers(0, 10_000)
UP = np.array([0.0, 1.0, 0.0])


def foot_of(target: Skeleton | None = None) -> Limb:
    body = target or figure()
    return next(limb for limb in limbs_of(bound(body, body)) if limb.name == "left foot")


def wobbling(
    limb: Limb, rng: np.random.Generator, frames: int, degrees: float
) -> tuple[np.ndarray, np.ndarray]:
    """A foot that stands and yet slides, turns and tilts a little, more and more."""
    path = np.cumsum(rng.normal(scale=0.002, size=(frames, 3)), axis=0) + [0.1, 0.1, 0.0]
    tilt = np.radians(degrees) * np.cumsum(rng.normal(size=(frames, 3)), axis=0) / np.sqrt(frames)
    still = quat.shortest_arc(limb.up, UP)
    return path, quat.multiply(quat.from_rotation_vector(tilt), still)


@settings(max_examples=15)
@given(seeds)
def test_points_that_stand_stay_and_a_flat_foot_lies_on_the_floor(seed: int) -> None:
    rng, limb = np.random.default_rng(seed), foot_of()
    place, rotation = wobbling(limb, rng, 40, 4.0)
    masks = np.zeros((2, 40), dtype=bool)
    masks[0, 8:25], masks[1, 8:33] = True, True
    done = planted(limb, place, rotation, masks, FPS, Floor(0.0))
    points = limb.places(done.place, done.rotation)
    for point, mask in zip(points, masks, strict=True):
        assert np.ptp(point[mask][:, [0, 2]], axis=0).max() < 1e-9
    flat = quat.rotate(done.rotation[8:25], limb.up)
    assert np.abs(flat - UP).max() < 1e-9
    heights = points[..., 1] - np.array([[p.height] for p in limb.points])
    assert np.abs(heights[:, 8:25]).max() < 1e-9 and np.abs(heights[:, 8:33].min(axis=0)).max() < 1e-9
    assert heights.min() > -1e-9


@settings(max_examples=15)
@given(seeds)
def test_corrections_come_and_go_evenly(seed: int) -> None:
    rng, limb = np.random.default_rng(seed), foot_of()
    place, rotation = wobbling(limb, rng, 120, 3.0)
    masks = np.zeros((2, 120), dtype=bool)
    masks[:, 30:60] = True
    done = planted(limb, place, rotation, masks, 120.0, None)
    before, after = np.abs(np.diff(place, axis=0)).max(), np.abs(np.diff(done.place, axis=0)).max()
    assert after < before + 0.03
    far = np.r_[0:8, 82:120]
    assert np.allclose(done.place[far], place[far]) and np.allclose(done.rotation[far], rotation[far])


def test_a_foot_that_pivots_keeps_its_turn_and_one_far_from_flat_its_tilt() -> None:
    limb = foot_of()
    still = quat.shortest_arc(limb.up, UP)
    turn = quat.from_axis_angle(UP, np.linspace(0.0, np.radians(90.0), 20))
    place = np.tile([0.1, 0.1, 0.0], (20, 1))
    masks = np.ones((2, 20), dtype=bool)
    pivot = planted(limb, place, quat.multiply(turn, still), masks, FPS, Floor(0.0))
    assert quat.angle_between(pivot.rotation, quat.multiply(turn, still)).max() < 1e-9
    tip = quat.multiply(quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(40.0)), still)
    toes = planted(limb, place, np.tile(tip, (20, 1)), masks, FPS, Floor(0.0))
    assert quat.angle_between(toes.rotation, tip).max() < 1e-9


@given(st.lists(st.floats(0.0, 0.3), min_size=1, max_size=80))
def test_drop_is_enough_everywhere_and_never_more_than_the_most(need: list[float]) -> None:
    wanted = np.array(need)
    drop = drop_for(wanted, 30.0, 0.4, 0.2)
    assert drop.shape == wanted.shape
    assert (drop >= np.minimum(wanted, 0.2) - 1e-12).all() and (drop <= wanted.max(initial=0.0) + 1e-12).all()
    assert np.abs(np.diff(drop)).max(initial=0.0) < 0.1


@given(st.lists(st.floats(0.0, 0.3), min_size=3, max_size=60), st.integers(0, 59))
def test_drop_of_a_loop_does_not_know_where_the_loop_begins(need: list[float], start: int) -> None:
    once = np.array(need)
    drops = []
    for turned in (once, np.roll(once, -start)):
        drop = drop_for(np.append(turned, turned[0]), 30.0, 0.4, 0.2, looping=True)
        assert drop[0] == pytest.approx(drop[-1], abs=1e-12)
        assert (drop[:-1] >= np.minimum(turned, 0.2) - 1e-12).all()
        drops.append(drop[:-1])
    assert np.allclose(np.roll(drops[0], -start), drops[1], atol=1e-12)


def test_hips_come_down_where_a_leg_cannot_reach_and_bones_keep_their_lengths() -> None:
    source, target = figure(), figure(size=0.9)
    binding = bound(source, target)
    local = Transform(*(np.array(p)[None].repeat(60, axis=0) for p in source.rest))
    carried = transfer(binding, local)
    carried.translation[:, target.index("hips"), 0] += 0.25 * np.sin(np.arange(60) / 60.0 * np.pi)
    spans = tuple(ContactSpan(f"{s} foot", p, 10, 50) for s in ("left", "right") for p in (0, 1))
    options = LockOptions(spans=spans)
    down, slip = held(binding, local, carried, FPS, options)
    stiff, without = held(binding, local, carried, FPS, replace(options, hip_drop=False))
    assert slip.after < 1e-6 and slip.drop > 0.0 and without.drop == 0.0
    assert without.reach > 10 * max(slip.reach, 1e-4)
    for pose in (down, stiff):
        assert np.array_equal(np.delete(pose.translation, target.index("hips"), axis=1),
                              np.delete(carried.translation, target.index("hips"), axis=1))  # fmt: skip
    hips = kinematics.to_model(target, down).translation[:, target.index("hips"), 1]
    assert np.abs(np.diff(hips, 2)).max() < 0.01


@settings(max_examples=8)
@given(seeds)
def test_slip_is_gone_on_figures_of_any_proportions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source = figure(rng=rng)
    target = figure(4, float(rng.uniform(0.6, 1.5)), float(rng.uniform(0.0, 70.0)), rng=rng)
    binding = bound(source, target)
    local = Transform(*(np.array(p)[None].repeat(60, axis=0) for p in source.rest))
    local.translation[:, source.index("root"), 2] += 0.1 * np.sin(np.arange(60) / 9.0)
    spans = (ContactSpan("left foot", 1, 5, 30), ContactSpan("right foot", 0, 20, 50))
    _, slip = held(binding, local, transfer(binding, local), FPS, LockOptions(spans=spans))
    assert slip.before > 1.0 and slip.after < 1e-3 and slip.contacts == 2
    assert [limb.contacts for limb in slip.limbs] == [1, 1]


def test_hands_are_held_where_asked() -> None:
    rng = np.random.default_rng(3)
    source, target = figure(arms_down=60.0), figure(size=0.8, arms_down=70.0)
    binding = bound(source, target)
    local = Transform(*(np.array(p)[None].repeat(60, axis=0) for p in source.rest))
    bend = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(-40.0))
    local.rotation[:, source.index("lower_arm_l")] = bend
    carried = transfer(binding, local)
    carried.translation[:, target.index("hips")] += 0.01 * np.cumsum(rng.normal(size=(60, 3)), axis=0)
    spans = (ContactSpan("left hand", 0, 10, 40),)
    _, slip = held(binding, local, carried, FPS, LockOptions(hands=True, spans=spans))
    assert slip.contacts == 1 and slip.before > 5.0 and slip.after < 0.05 * slip.before
    assert [limb.limb for limb in slip.limbs if limb.contacts] == ["left hand"]
    plain, _ = held(binding, local, carried, FPS, LockOptions(spans=spans, floor=False, hip_drop=False))
    assert np.allclose(plain.rotation, carried.rotation)


def test_contacts_of_a_walk_are_those_of_the_standing_legs() -> None:
    source = figure()
    binding = bound(source, source)
    local = walking(source)
    spans = find_contacts(binding, kinematics.to_model(source, local), FPS)
    assert spans == find_contacts(binding, kinematics.to_model(source, local), FPS, LockOptions(spans=None))
    for span in spans:
        limb = next(each for each in limbs_of(binding) if each.name == span.limb)
        path = limb.points[span.point].source_places(kinematics.to_model(source, local))
        assert path[span.first : span.last + 1, 1].max() < 0.1


def test_a_jump_into_the_clip_is_no_contact_and_a_foot_in_the_air_no_floor() -> None:
    places = np.zeros((40, 3))
    places[0] = [0.0, 0.0, 0.3]
    assert not standing(places, 1.0, FPS)[0]
    assert floor_under([(places + [0.0, 0.5, 0.0], 0.0), (places + [0.0, 0.1, 0.0], 0.06)]) == pytest.approx(
        0.04
    )
    assert floor_under([]) == 0.0
    assert not standing(places + [0.0, 0.2, 0.0], 1.0, FPS, at_rest=0.0).any()


@settings(max_examples=8)
@given(seeds)
def test_hands_go_where_the_sources_are_from_the_hips(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, target = figure(), figure(arms_down=30.0)
    local = motion(source, rng, 5, 0.3)
    binding = bound(source, target)
    # the arms alone are longer: scaled, the source's hands stand within reach
    carried = transfer(binding, local)
    done = with_reach(binding, local, carried, 1.0)
    assert with_reach(binding, local, carried, 0.0) is carried
    gaps = []
    for pose in (carried, done):
        ends = []
        for skeleton, each, anchors in ((source, local, 0), (target, pose, 1)):
            places = kinematics.to_model(skeleton, each).translation
            middle = places[:, list(binding.anchors[anchors])].mean(axis=1)
            scale = binding.scale if anchors == 0 else 1.0
            ends.append((places[:, skeleton.index("hand_l")] - middle) * scale)
        gaps.append(np.linalg.norm(ends[0] - ends[1], axis=-1))
    assert gaps[1].max() <= gaps[0].max() + 1e-9 and gaps[1].max() < 0.02
    half = with_reach(binding, local, carried, 0.5)
    places = [
        kinematics.to_model(target, p).translation[:, target.index("hand_l")] for p in (carried, half, done)
    ]
    assert np.allclose(places[1], (places[0] + places[2]) / 2.0, atol=0.03)
    with pytest.raises(ValidationError, match="arm reach of 0 to 1"):
        TransferOptions(arm_reach=1.5)


def test_floor_that_drifts_is_levelled_and_jumps_stay() -> None:
    own = figure()
    binding = bound(own, own)
    local = Transform(*(np.array(p)[None].repeat(240, axis=0) for p in own.rest))
    drift = 0.2 * np.sin(np.linspace(0.0, np.pi, 240))
    jump = np.zeros(240)
    jump[100:112] = 0.3
    hips = own.index("hips")
    local.translation[:, hips, 1] += drift + jump
    done, most = levelled(binding, local, FPS)
    rise = done.translation[:, hips, 1] - own.rest.translation[hips, 1]
    assert most == pytest.approx(0.2, abs=0.03)
    assert np.abs(rise - jump).max() < 0.08


def test_floor_offset_lifts_the_floor_that_feet_stand_on() -> None:
    source, target = figure(), figure(size=0.9)
    binding, local = bound(source, target), walking(source)
    options = TransferOptions(floor_offset=0.1)
    spans = (ContactSpan("left foot", 0, 5, 50), ContactSpan("left foot", 1, 5, 50))
    lifted, _ = held(
        binding, local, transfer(binding, local, options), FPS, LockOptions(spans=spans), floor_offset=0.1
    )
    ball = kinematics.to_model(target, lifted).translation[5:51, target.index("ball_l"), 1]
    rest = kinematics.to_model(target, target.rest).translation[target.index("ball_l"), 1]
    assert ball == pytest.approx(np.full(46, rest + 0.1), abs=1e-6)


def test_alignment_is_adjusted_by_degrees_and_by_shares() -> None:
    source, target = figure(arms_down=0.0), figure(arms_down=40.0)
    chains = propose_map(source, target)
    found = align(source, target, chains)
    none = align(source, target, chains, turns={"left arm": 0.0})
    half = align(source, target, chains, turns={"left arm": 0.5})
    assert found.deviation["left arm"] == pytest.approx(40.0, abs=0.5)
    assert none.deviation["left arm"] == pytest.approx(0.0, abs=1e-6)
    assert half.deviation["left arm"] == pytest.approx(found.deviation["left arm"] / 2.0, abs=1e-6)
    assert half.deviation["right arm"] == found.deviation["right arm"]
    raised = align(source, target, chains, adjust={"left arm": (0.0, 0.0, 25.0)})
    bone = source.index("upper_arm_l")
    turn = quat.multiply(raised.rotation[bone], quat.conjugate(found.rotation[bone]))
    assert np.degrees(quat.to_rotation_vector(turn)) == pytest.approx([0.0, 0.0, 25.0], abs=1e-6)


@settings(max_examples=6)
@given(seeds)
def test_every_stage_onto_itself_is_the_identity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = figure(arms_down=float(rng.uniform(0, 80)), rng=rng)
    local = motion(own, rng, 12, 0.2)
    binding: Binding = bound(own, own)
    carried = with_reach(binding, local, transfer(binding, local, TransferOptions(arm_reach=1.0)), 1.0)
    done, slip = held(binding, local, carried, FPS, LockOptions(hands=True))
    assert np.abs(done.translation - local.translation).max() < 1e-6
    assert quat.angle_between(done.rotation, local.rotation).max() < 1e-6
    assert slip.before == pytest.approx(slip.after, abs=1e-6) and slip.drop == 0.0
