"""Bones that follow spaces: a switch moves nothing, a bake equals what was live, other frames keep their bits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Property
from core.errors import MissingReferenceError, ValidationError
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.own_keys import LEAD_FRAMES, with_own_keys
from core.evaluation.spaces import baked, released, spans, switched, usual_follow, with_pose, without_unused
from core.ik import keyed
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import IkSolver
from core.rig.rig import VirtualBone
from core.rig.skeleton import Skeleton
from core.rig.spaces import Follow, target_named
from core.tracks.keys import quaternion_track, scalar_track
from tests.editor.rigs import small_clip, small_rig

VIRTUAL = VirtualBone("vb_grip", "chest", "hand_r", (0.02, 0.05, 0.0))
RIG = replace(small_rig(), virtual_bones=(VIRTUAL,))
TIMES = np.linspace(0.0, 2.0, 61)
STILL = 1e-5
FRAME = 1.0 / 30.0


def moving_clip(whole: bool = False, wild: float = 1.0):
    times = [0.0, 0.7, 1.3, 2.0]
    clip = small_clip(RIG).with_tracks(
        {
            Channel("pelvis", Property.TRANSLATE, 2): scalar_track(times, [0.0, 0.3, 0.1, 0.4]),
            Channel("pelvis", Property.ROTATE, 1): scalar_track(times, [0.0, 40.0 * wild, -30.0, 10.0]),
            Channel("chest", Property.ROTATE, 1): scalar_track(times, [0.0, 20.0, -25.0 * wild, 5.0]),
            Channel("lower_arm_l", Property.ROTATE, 2): scalar_track(times, [20.0, 70.0, 40.0, 60.0]),
        }
    )
    if not whole:
        return clip
    turns = quat.from_axis_angle(
        np.tile([0.0, 0.6, 0.8], (4, 1)), np.radians([5.0, 50.0 * wild, -40.0, 20.0])
    )
    others = {c: None for c in clip.tracks if c.bone == "hand_l" and c.property is Property.ROTATE}
    clip = clip.with_tracks(others)
    return clip.with_tracks({Channel("hand_l", Property.ROTATE, WHOLE): quaternion_track(times, turns)})


def shown(pipeline, times=TIMES) -> Transform:
    local = pipeline.sample_many(np.asarray(times)).local
    return down_chain(pipeline.rig.skeleton.parents, local)


def over(made, pipeline=None):
    return ClipPipeline(made.rig, made.clip, (), None if pipeline is None else pipeline.layers)


def apart(a: Transform, b: Transform) -> float:
    """Metres between bones, and between points 0.2 m out from them."""
    far = [
        np.linalg.norm(
            transform.apply(a, np.asarray(out)) - transform.apply(b, np.asarray(out)), axis=-1
        ).max()
        for out in ((0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.0, 0.2, 0.0))
    ]
    return float(max(far))


def relation(made, bone: str, space: str, times) -> Transform:
    """Where a bone is in a space."""
    model = shown(over(made), times)
    number, other = made.rig.skeleton.index(bone), made.rig.skeleton.index(space)
    frame, own = (Transform(*(p[:, n] for p in model)) for n in (other, number))
    return transform.compose(transform.inverse(frame), own)


CASES = [
    ("hand_l", "pelvis", None), ("hand_l", "world", None), ("hand_l", "hand_r", None), ("foot_l", "world", None),
    ("head", "world", None), ("chest", "root", Follow.BONE), ("hand_r", "hand_l", Follow.BONE),
    ("hand_l", "vb_grip", None), ("pelvis", "world", None),
]  # fmt: skip


@pytest.mark.parametrize(("bone", "space", "follow"), CASES)
@settings(max_examples=3, deadline=None)
@given(
    start=st.integers(0, 40), length=st.integers(1, 30), whole=st.booleans(), keep=st.booleans(),
    wild=st.floats(-2.0, 2.0), looping=st.booleans(),
)  # fmt: skip
def test_a_switch_moves_nothing_where_it_begins_and_ends_and_its_bake_equals_it(
    bone, space, follow, start, length, whole, keep, wild, looping
):
    pipeline = ClipPipeline(RIG, replace(moving_clip(whole, wild), looping=looping))
    begin, end = start * FRAME, min(start + length, 60) * FRAME
    made = switched(pipeline, bone, target_named(RIG, space), begin, end, follow, keep)
    live, before = over(made), shown(pipeline)
    frames = np.arange(61)
    outside = (frames <= start) | keep
    now = shown(live)
    assert apart(*(Transform(*(p[outside] for p in m)) for m in (now, before))) < STILL
    # what comes just before the end leads to the end: no jump there, but the motion of one ten-thousandth of a frame
    if end < 2.0:
        step = 1e-5
        sides = shown(live, [end - 2 * step, end - step, end])
        jump = apart(*(Transform(*(p[row : row + 1] for p in sides)) for row in (1, 2)))
        assert jump < 20.0 * step
    solid = baked(live)
    assert not spans(solid.rig, solid.clip)
    assert apart(shown(over(solid)), now) < 1e-5
    assert not keyed.driving(without_unused(solid.rig, (solid.clip,)), solid.clip.curves)
    assert without_unused(solid.rig, (solid.clip,)).ik_setups == ()


@pytest.mark.parametrize(("bone", "space"), [("hand_l", "pelvis"), ("hand_l", "hand_r"), ("chest", "pelvis")])
def test_a_bone_that_holds_stays_where_it_is_in_its_space(bone, space):
    pipeline = ClipPipeline(RIG, moving_clip())
    made = switched(pipeline, bone, target_named(RIG, space), 0.5, 1.5, Follow.BONE)
    inside = relation(made, bone, space, np.linspace(0.5, 1.49, 20))
    assert np.ptp(inside.translation, axis=0).max() < 1e-9
    assert quat.angle_between(inside.rotation, inside.rotation[:1]).max() < 1e-7
    assert np.ptp(
        relation(made, bone, space, np.linspace(1.5, 2.0, 10)).translation, axis=0
    ).max() > 1e-3 or (bone == "chest")


def test_a_switch_within_a_span_ends_that_and_a_release_hands_over_to_own_keys():
    pipeline = ClipPipeline(RIG, moving_clip())
    first = switched(pipeline, "hand_l", target_named(RIG, "pelvis"), 0.5)
    assert [(s.space, s.start, s.end) for s in spans(first.rig, first.clip)] == [("pelvis", 0.5, 2.0)]
    second = switched(over(first), "hand_l", target_named(RIG, "world"), 1.0)
    assert [(s.space, s.start, s.end) for s in spans(second.rig, second.clip)] == [
        ("pelvis", 0.5, 1.0), ("world", 1.0, 2.0),
    ]  # fmt: skip
    upto = np.linspace(0.0, 1.0, 31)
    assert apart(shown(over(second), upto), shown(over(first), upto)) < STILL
    third = released(over(second), "hand_l", 1.5)
    upto = np.linspace(0.0, 1.5, 46)
    assert apart(shown(over(third), upto), shown(over(second), upto)) < STILL
    assert [(s.space, s.start, s.end) for s in spans(third.rig, third.clip)][-1] == ("world", 1.0, 1.5)
    again = switched(over(third), "hand_l", target_named(RIG, "pelvis"), 1.7)
    assert [s.space for s in spans(again.rig, again.clip)] == ["pelvis", "world", "pelvis"]
    assert len(again.rig.ik_setups) == 2
    upto = np.linspace(0.0, 1.7, 52)
    assert apart(shown(over(again), upto), shown(over(third), upto)) < STILL
    solid = baked(over(again))
    assert apart(shown(over(solid)), shown(over(again))) < 1e-5
    one = baked(over(again), "hand_l", (0.4, 0.6))
    assert [s.space for s in spans(one.rig, one.clip)] == ["world", "pelvis"]
    assert apart(shown(over(one)), shown(over(again))) < 1e-5


def test_other_bones_and_frames_before_keep_their_bits():
    pipeline = ClipPipeline(RIG, moving_clip())
    made = switched(pipeline, "hand_l", target_named(RIG, "pelvis"), 0.5, 1.0)
    before, after = (p.sample_many(TIMES).local for p in (pipeline, over(made)))
    chain = [RIG.skeleton.index(b) for b in ("upper_arm_l", "lower_arm_l", "hand_l")]
    others = [b for b in range(len(RIG.skeleton)) if b not in chain]
    assert all(np.array_equal(a[:, others], b[:, others]) for a, b in zip(before, after, strict=True))


def test_posing_in_a_span_keys_the_goal_and_shows_the_pose():
    pipeline = ClipPipeline(RIG, moving_clip())
    made = switched(pipeline, "hand_r", target_named(RIG, "pelvis"), 0.5, 1.5, Follow.BONE)
    live = over(made)
    local = live.sample_many(np.array([1.0])).local
    hand = RIG.skeleton.index("hand_r")
    wanted = Transform(*(np.array(p[0]) for p in local))
    wanted.translation[hand] += (0.03, 0.01, -0.02)
    wanted.rotation[hand] = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.4)
    clip, held = with_pose(live, 1.0, wanted)
    assert held == {"hand_r"}
    now = live.with_clip(clip).sample_many(np.array([1.0, 0.0, 1.6])).local
    assert np.abs(now.translation[0, hand] - wanted.translation[hand]).max() < 1e-9
    assert quat.angle_between(now.rotation[0, hand], wanted.rotation[hand]) < 1e-7
    old = live.sample_many(np.array([1.0, 0.0, 1.6])).local
    assert np.array_equal(now.translation[1:], old.translation[1:])
    assert with_pose(live, 0.2, wanted) == (made.clip, frozenset())


def test_the_root_is_the_one_that_carries_the_character():
    parents = np.concatenate(([-1], np.asarray(RIG.skeleton.parents) + 1))
    parents[1] = -1
    rest = Transform(*(np.concatenate((p[:1], p)) for p in RIG.skeleton.rest))
    skeleton = Skeleton(("Camera", *RIG.skeleton.names), parents.astype(np.int32), rest)
    assert target_named(replace(small_rig(), skeleton=skeleton), "root").bone == "pelvis"


def test_what_would_go_round_in_a_ring_is_refused():
    pipeline = ClipPipeline(RIG, moving_clip())
    with pytest.raises(ValidationError, match="moves with it"):
        switched(pipeline, "chest", target_named(RIG, "hand_l"), 0.5)
    with pytest.raises(ValidationError, match="moves with it"):
        switched(pipeline, "hand_l", target_named(RIG, "lower_arm_l"), 0.5)
    with pytest.raises(ValidationError, match="empty"):
        switched(pipeline, "hand_l", target_named(RIG, "pelvis"), 1.0, 1.0)
    with pytest.raises(ValidationError, match="follows no space"):
        released(pipeline, "hand_l", 1.0)
    with pytest.raises(ValidationError, match="no bone follows"):
        baked(pipeline)
    with pytest.raises(MissingReferenceError, match="to follow"):
        target_named(RIG, "moon")


def test_set_ups_are_solved_in_the_order_in_which_they_hang_together():
    pipeline = ClipPipeline(RIG, moving_clip())
    hand = switched(pipeline, "hand_l", target_named(RIG, "world"), 0.5, 1.5)
    both = switched(over(hand), "pelvis", target_named(RIG, "world"), 0.2, 1.8)
    assert [s.tip for s in both.rig.ik_setups] == ["pelvis", "hand_l"]
    inside = np.linspace(0.5, 1.45, 20)
    place = shown(over(both), inside).translation[:, RIG.skeleton.index("hand_l")]
    assert np.ptp(place, axis=0).max() < 0.35  # as far as the arm reaches, it stays


def test_each_part_of_the_body_follows_in_its_own_way():
    ways = {bone: usual_follow(RIG, bone) for bone in ("hand_l", "foot_r", "head", "pelvis", "lower_arm_l")}
    assert ways == {
        "hand_l": Follow.LIMB, "foot_r": Follow.LIMB, "head": Follow.ROTATION, "pelvis": Follow.BONE,
        "lower_arm_l": Follow.ROTATION,
    }  # fmt: skip
    made = switched(ClipPipeline(RIG, moving_clip()), "head", target_named(RIG, "world"), 0.5, 1.5)
    assert made.rig.ik_setup("head in world").solver is IkSolver.TURN
    turns = shown(over(made), np.linspace(0.5, 1.49, 9)).rotation[:, RIG.skeleton.index("head")]
    assert quat.angle_between(turns, turns[:1]).max() < 1e-7


@pytest.mark.parametrize("whole", [False, True])
def test_captured_motion_leads_back_over_some_frames_and_is_what_it_was_after_them(whole):
    sparse = ClipPipeline(RIG, moving_clip(whole))
    names = [
        b
        for b in range(len(RIG.skeleton))
        if any(c.bone == RIG.skeleton.names[b] for c in sparse.clip.tracks)
    ]
    dense = sparse.with_clip(
        with_own_keys(RIG, sparse.clip, TIMES, sparse.sample_many(TIMES).local, names, True)
    )
    made = switched(dense, "hand_l", target_named(RIG, "world"), 0.5, 1.0)
    hand = RIG.skeleton.index("hand_l")
    before, after = (shown(p).translation[:, hand] for p in (dense, over(made)))
    gap = np.linalg.norm(after[30] - before[30])
    away = np.linalg.norm(after[30:] - before[30:], axis=1)
    assert gap > 0.02 and np.diff(away).max() < 0.02 * gap + 1e-4
    assert np.abs(np.diff(away)).max() < 0.25 * gap, "no step of a frame takes more than its part"
    assert away[LEAD_FRAMES:].max() < 1e-6
