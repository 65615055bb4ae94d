"""Contacts and locking: hysteresis, slip taken away, lengths and foot rotations kept."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.align import align
from core.retarget.chain_map import propose_map
from core.retarget.contacts import ContactSpan, mask_of, runs, spans_of, standing
from core.retarget.lock import LockOptions, find_contacts, held
from core.retarget.transfer import Binding, bind, transfer
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, motion

FPS = 30.0


def walking(skeleton: Skeleton, frames: int = 60) -> Transform:
    """Legs that swing in turn while the hips go on at an even pace; not a good walk, so feet slide."""
    local = Transform(*(np.array(part)[None].repeat(frames, axis=0) for part in skeleton.rest))
    phase = np.arange(frames) / 30.0 * 2.0 * np.pi
    local.translation[:, skeleton.index("root"), 2] += np.linspace(0.0, 0.3, frames)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        swing, bend = 0.3 * np.sin(phase) * sign, 0.6 * np.clip(np.cos(phase) * sign, 0.0, None)
        for bone, angle in (("thigh", swing - bend), ("calf", 2.0 * bend), ("foot", -swing - bend)):
            local.rotation[:, skeleton.index(f"{bone}_{side}")] = quat.from_axis_angle(
                [-1.0, 0.0, 0.0], -angle
            )
    return local


def bound(source: Skeleton, target: Skeleton) -> Binding:
    chains = propose_map(source, target)
    return bind(source, target, chains, align(source, target, chains))


def test_standing_needs_height_and_speed_and_forgives_noise_between() -> None:
    places = np.zeros((60, 3))
    places[20:40, 1] = 0.3 * np.sin(np.linspace(0.0, np.pi, 20))
    places[20:40, 2] = np.linspace(0.0, 1.0, 20)
    places[40:, 2] = 1.0
    down = standing(places, 1.0, FPS)
    assert len(runs(down)) == 2 and down[:18].all() and not down[22:38].any() and down[43:].all()
    # slides along the floor, too fast to stand
    places[:, 1], places[:, 2] = 0.0, np.linspace(0.0, 2.0, 60)
    assert not standing(places, 1.0, FPS).any()
    # a swing that turns back high up is no stance
    places[:, 2], places[:, 1] = 0.0, np.abs(np.sin(np.linspace(0.0, 4.0 * np.pi, 60))) * 0.4
    high = places[:, 1] > 0.1
    assert not standing(places, 1.0, FPS)[high].any()


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_spans_and_masks_are_each_others_inverse(flags: list[bool]) -> None:
    mask = np.array(flags)
    assert np.array_equal(mask_of(spans_of("left foot", 1, mask), "left foot", 1, len(mask)), mask)


def test_edited_spans_are_taken_instead_of_those_found() -> None:
    source = figure()
    binding = bound(source, figure(size=0.8))
    mine = (ContactSpan("left foot", 0, 3, 20),)
    places = kinematics.to_model(source, walking(source)).translation
    assert find_contacts(binding, places, FPS, LockOptions(spans=mine)) == mine


def test_held_feet_stay_where_they_stand_and_lengths_are_kept() -> None:
    source, target = figure(size=1.0), figure(size=1.3, arms_down=40.0)
    binding, local = bound(source, target), walking(source)
    before = transfer(binding, local)
    spans = (ContactSpan("left foot", 1, 5, 18), ContactSpan("right foot", 1, 21, 34))
    after, slip = held(binding, local, before, FPS, LockOptions(spans=spans, floor=False))
    # force the case in which the target does not follow its source to the millimetre
    assert slip.contacts == 2 and slip.after <= slip.before
    off = Transform(np.array(before.translation), before.rotation, before.scale)
    off.translation[:, 0, 2] += 0.02 * np.sin(np.arange(60) / 3.0)
    after, slip = held(binding, local, off, FPS, LockOptions(spans=spans, floor=False))
    assert slip.before > 20.0 and slip.after < 0.01 * slip.before and slip.reach < 0.02
    models = [kinematics.to_model(target, pose) for pose in (off, after)]
    for side in ("l", "r"):
        for head, end in (("thigh", "calf"), ("calf", "foot"), ("foot", "ball")):
            a, b = target.index(f"{head}_{side}"), target.index(f"{end}_{side}")
            spans_ = [np.linalg.norm(m.translation[:, b] - m.translation[:, a], axis=-1) for m in models]
            assert np.allclose(spans_[0], spans_[1], atol=1e-9)
        foot = target.index(f"foot_{side}")
        assert quat.angle_between(models[0].rotation[:, foot], models[1].rotation[:, foot]).max() < 1e-6


def test_no_foot_goes_below_the_floor() -> None:
    source, target = figure(), figure(size=0.9)
    binding, local = bound(source, target), walking(source)
    low = transfer(binding, local)
    low.translation[:, 0, 1] -= 0.05
    after, _ = held(binding, local, low, FPS)
    model, rest = (kinematics.to_model(target, p).translation for p in (after, target.rest))
    for name in ("foot_l", "foot_r", "ball_l", "ball_r"):
        bone = target.index(name)
        assert model[:, bone, 1].min() > rest[bone, 1] - 1e-3


@settings(max_examples=8)
@given(st.integers(0, 10_000))
def test_holding_onto_itself_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = figure(rng=rng)
    local = motion(own, rng, 12, 0.1)
    binding = bound(own, own)
    carried = transfer(binding, local)
    result, slip = held(binding, local, carried, FPS, LockOptions(hands=True))
    assert result is carried and slip.before == slip.after
