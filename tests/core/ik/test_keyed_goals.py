"""Goals keyed on clips: playback follows them, matching and baking change nothing that is seen."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property
from core.clips.sample import sample_many as plain_sample_many
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline
from core.ik import bake, keyed, solve
from core.ik.chain import take_chain
from core.ik.keyed import GOAL, WEIGHT, curve_name
from core.ik.rigged import sample_many
from core.math import quat
from core.math.transform import down_chain
from core.rig.ik_proposals import propose_setups
from core.rig.ik_setup import IkSolver, IkSpace, IkTarget
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import TangentMode, quaternion_track, scalar_track
from tests.core.ik.chains import bent, chain_rig
from tests.editor.rigs import small_clip, small_rig

RIG = replace(small_rig(), ik_setups=propose_setups(small_rig()))
ARM = RIG.ik_setup("Left arm")
TIMES = np.linspace(0.0, 2.0, 61)


def moving_clip():
    """Pelvis and spine move too, so that chains hang on something that moves."""
    clip = small_clip(RIG)
    times = [0.0, 0.7, 1.3, 2.0]
    return clip.with_tracks(
        {
            Channel("pelvis", Property.TRANSLATE, 2): scalar_track(times, [0.0, 0.3, 0.1, 0.4]),
            Channel("chest", Property.ROTATE, 1): scalar_track(times, [0.0, 20.0, -25.0, 5.0]),
            Channel("thigh_l", Property.ROTATE, 0): scalar_track(times, [0.0, -50.0, 30.0, -10.0]),
            Channel("calf_l", Property.ROTATE, 0): scalar_track(times, [10.0, 70.0, 20.0, 60.0]),
        }
    )


def places(rig, clip, times=TIMES):
    return down_chain(rig.skeleton.parents, sample_many(rig, clip, times, wrap=False).local).translation


def reach_clip():
    """The left hand follows a keyed line, hanging on nothing of the arm."""
    path = {"goal x": [0.45, 0.35], "goal y": [1.5, 1.2], "goal z": [0.1, 0.35]}
    curves = {curve_name("Left arm", f): scalar_track([0.0, 2.0], v) for f, v in path.items()}
    return replace(moving_clip(), curves=curves)


def test_clip_without_goals_plays_bit_for_bit_as_before():
    clip = moving_clip()
    ours, plain = sample_many(RIG, clip, TIMES), plain_sample_many(RIG, clip, TIMES)
    assert all(np.array_equal(a, b) for a, b in zip(ours.local, plain.local, strict=True))


def test_hand_follows_its_keyed_goal_on_playback():
    clip = reach_clip()
    batch = sample_many(RIG, clip, TIMES, wrap=False)
    goal = np.stack([batch.curves[curve_name("Left arm", f)] for f in GOAL], axis=-1)
    hand = places(RIG, clip)[:, RIG.skeleton.index("hand_l")]
    assert np.linalg.norm(hand - goal, axis=1).max() < 1e-6
    outside = [RIG.skeleton.index(b) for b in ("pelvis", "chest", "thigh_l", "upper_arm_r")]
    plain = plain_sample_many(RIG, clip, TIMES, wrap=False)
    assert np.array_equal(batch.rotations[:, outside], plain.rotations[:, outside])
    one = ClipPipeline(RIG, clip).sample(1.0)
    assert np.allclose(one.pose.rotations, batch.rotations[30])
    models = ClipPipeline(RIG, clip).models_many(TIMES)
    assert np.allclose(models[:, :, :3, 3], places(RIG, clip), atol=1e-6)


def test_keyed_weight_fades_from_fk_to_the_goal():
    clip = reach_clip()
    faded = replace(
        clip, curves={**clip.curves, curve_name("Left arm", WEIGHT): scalar_track([0.0, 2.0], [0.0, 1.0])}
    )
    plain, full = plain_sample_many(RIG, clip, TIMES, wrap=False), sample_many(RIG, clip, TIMES, wrap=False)
    mixed = sample_many(RIG, faded, TIMES, wrap=False)
    assert np.array_equal(mixed.rotations[0], plain.rotations[0])
    assert np.allclose(mixed.rotations[-1], full.rotations[-1])
    assert not np.allclose(mixed.rotations[30], plain.rotations[30])


def test_pipeline_of_an_edited_clip_follows_an_edited_goal():
    pipeline = ClipPipeline(RIG, moving_clip())
    pipeline.sample_many(TIMES)
    changed = pipeline.with_clip(reach_clip())
    assert np.array_equal(
        changed.sample_many(TIMES).rotations, sample_many(RIG, reach_clip(), TIMES).rotations
    )
    ends = changed.solved(TIMES)
    assert ends["Left arm"].residual.max() < 1e-6


@pytest.mark.parametrize("name", ["Left arm", "Left leg", "Spine", "Head"])
def test_matching_a_goal_to_the_clip_changes_no_pose(name):
    rig = RIG
    clip = moving_clip()
    change = bake.matched(rig, clip, rig.ik_setup(name))
    assert keyed.drives(change.clip, name)
    assert change.metres < 1e-3
    assert np.linalg.norm(places(rig, change.clip) - places(rig, clip), axis=-1).max() < 2e-3


@pytest.mark.parametrize("size", [0.05, 1.0, 20.0])
@pytest.mark.parametrize(("share", "own"), [(0.8e-4, False), (1.2e-4, True)])
def test_a_pose_bent_by_less_than_a_ten_thousandth_of_its_chain_takes_its_neighbour_s_side(size, share, own):
    rig = chain_rig(2, size)
    pose = bent(rig, 1, 2, 0.0)
    pose.rotation[0, 1] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.5)
    pose.rotation[1, 1] = quat.from_axis_angle([0.0, 0.0, 1.0], 4.0 * share)
    chain = take_chain(rig.skeleton, pose, "b0", "b2")
    sides = (keyed.steady_poles(chain) - chain.joints[:, 1]) / (2.0 * size)
    assert abs(sides[0, 2]) > 0.9
    np.testing.assert_allclose(sides[1], [1.0, 0.0, 0.0] if own else sides[0], atol=1e-3)


@pytest.mark.parametrize(("bones", "middle"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_chain_s_side_is_that_of_its_middle_joint(bones, middle):
    """Of the joints, root and end among them, the one in the middle, or the first after it."""
    rig = chain_rig(bones)
    pose = bent(rig, 1, 2, 0.0)
    for row in range(2):
        for bone in range(1, bones):
            axis = [0.6, 0.0, 0.8] if bone % 2 else [0.8, 0.6, 0.0]
            pose.rotation[row, bone] = quat.from_axis_angle(axis, 0.4 * (1 - row))
    chain = take_chain(rig.skeleton, pose, "b0", f"b{bones}")
    poles, joints = keyed.steady_poles(chain), chain.joints
    line = joints[0, -1] - joints[0, 0]
    line /= np.linalg.norm(line)
    out = joints[0, middle] - joints[0, 0]
    aside = out - np.dot(out, line) * line
    wanted = 0.1 * bones * aside / np.linalg.norm(aside)
    assert poles - joints[:, middle] == pytest.approx(np.tile(wanted, (2, 1)), abs=1e-9)


TIMES_OF = np.array([0.0, 0.3, 1.0, 1.6, 2.0])
LOOP = np.array([1.0, 2.5, 0.5, 0.0, 1.0])


@pytest.mark.parametrize(
    ("values", "loop", "even"),
    [
        (LOOP, 2.0, True), (LOOP, None, False), (LOOP + [0, 0, 0, 0, 0.9e-6], 2.0, True),
        (LOOP + [0, 0, 0, 0, 1.1e-6], 2.0, False), (LOOP - [0, 0, 0, 0, 1.1e-6], 2.0, False),
    ],
)  # fmt: skip
def test_curves_of_a_loop_go_over_its_seam_evenly(values, loop, even):
    track = bake._smooth(TIMES_OF, values, loop)
    slopes = np.gradient(values, TIMES_OF, edge_order=2)
    if even:
        slopes[[0, -1]] = (2.5 - 0.0) / (0.3 + 0.4)  # from the last but one to the second, over the seam
    for found in (track.in_slopes, track.out_slopes):
        assert found == pytest.approx(slopes, abs=1e-5)
    assert track.values.tolist() == values.tolist() and (track.modes == TangentMode.FREE).all()


def test_curves_of_one_two_and_three_samples():
    assert bake._smooth(TIMES_OF[:1], LOOP[:1], 2.0).out_slopes.tolist() == [0.0]
    same = np.array([1.0, 1.0])
    assert bake._smooth(TIMES_OF[:2], same, 0.3).out_slopes.tolist() == [0.0, 0.0]
    assert bake._smooth(TIMES_OF[:2], LOOP[:2], None).out_slopes == pytest.approx([5.0, 5.0])
    three = bake._smooth(TIMES_OF[:3], np.array([1.0, 2.0, 1.0]), 1.0)
    assert three.out_slopes[[0, 2]] == pytest.approx([0.0, 0.0])


def test_a_loop_is_matched_as_one_only_as_a_whole(monkeypatch):
    told = []
    real = bake._smooth
    monkeypatch.setattr(bake, "_smooth", lambda *given: told.append(given[2]) or real(*given))
    for clip, start, loop in (
        (moving_clip(), None, None), (replace(moving_clip(), looping=True), None, 2.0),
        (replace(moving_clip(), looping=True), 0.5, None),
    ):  # fmt: skip
        told.clear()
        assert bake.matched(RIG, clip, ARM, start).metres < 2e-3
        assert set(told) == {loop} and len(told) == 9


def test_matching_in_a_bone_s_space_hangs_the_goal_on_that_bone():
    held = replace(ARM, goal=IkTarget(IkSpace.BONE, "head"), pole=IkTarget(IkSpace.BONE, "chest"))
    rig = replace(RIG, ik_setups=(held,))
    clip = moving_clip()
    change = bake.matched(rig, clip, held)
    assert change.metres < 1e-3
    hand, head = rig.skeleton.index("hand_l"), rig.skeleton.index("head")
    first = sample_many(rig, change.clip, np.array([0.5]), wrap=False)
    model = down_chain(rig.skeleton.parents, first.local)
    goal = np.array([first.curves[curve_name("Left arm", f)][0] for f in GOAL])
    assert np.linalg.norm(goal) == pytest.approx(
        np.linalg.norm(model.translation[0, hand] - model.translation[0, head]), abs=1e-4
    )


@pytest.mark.parametrize("quaternion", [False, True])
def test_baked_clip_looks_the_same_without_goals(quaternion):
    clip = reach_clip()
    if quaternion:
        clip = replace(
            clip, tracks={c: t for c, t in clip.tracks.items() if c.property is Property.TRANSLATE}
        )
        whole = quaternion_track([0.0, 2.0], [[0, 0, 0, 1.0], [0, 0, np.sin(0.2), np.cos(0.2)]])
        clip = clip.with_tracks({Channel(b, Property.ROTATE, WHOLE): whole for b in ("chest", "upper_arm_l")})
    change = bake.baked(RIG, clip)
    assert not keyed.driving(RIG, change.clip.curves)
    assert change.metres < 1e-3
    assert np.linalg.norm(places(RIG, change.clip) - places(RIG, clip), axis=-1).max() <= change.metres + 1e-9
    assert change.keys < 61 * 9


def test_bake_of_a_range_leaves_the_rest_alone():
    clip = reach_clip()
    change = bake.baked(RIG, clip, ["Left arm"], 0.5, 1.0)
    assert change.metres < 1e-3
    before, after = places(RIG, clip), places(RIG, change.clip)
    assert np.linalg.norm(after - before, axis=-1).max() < 1e-3
    plain = plain_sample_many(RIG, change.clip, TIMES, wrap=False).local
    fk = down_chain(RIG.skeleton.parents, plain).translation
    inside = (TIMES >= 0.5) & (TIMES <= 1.0)
    assert np.linalg.norm(fk - after, axis=-1)[inside].max() < 1e-9
    assert np.linalg.norm(fk - after, axis=-1)[~inside].max() > 0.01


def test_baking_what_nothing_drives_is_refused():
    with pytest.raises(ValidationError, match="no IK set-up drives"):
        bake.baked(RIG, moving_clip())


def test_goal_curves_follow_a_new_name_and_can_be_removed():
    clip = bake.renamed_goal(reach_clip(), "Left arm", "Arm")
    assert keyed.drives(clip, "Arm")
    assert not keyed.drives(clip, "Left arm")
    assert not bake.without_goal(clip, "Arm").curves
    assert bake.without_goal(clip, "Other") is clip


def test_aim_bakes_and_matches_too():
    assert RIG.ik_setup("Head").solver is IkSolver.AIM
    clip = bake.matched(RIG, moving_clip(), RIG.ik_setup("Head")).clip
    change = bake.baked(RIG, clip, ["Head"])
    assert change.metres < 1e-3


def test_a_set_up_that_can_not_be_solved_is_left_out_of_playback():
    # A two-bone set-up whose chain is longer: every picture of the clip failed.
    broken = replace(RIG, ik_setups=(replace(ARM, solver=IkSolver.TWO_BONE, root="pelvis"),))
    clip = reach_clip()
    assert "two bones above" in solve.unsolvable(broken, broken.ik_setups[0])
    ours = sample_many(broken, clip, TIMES).local
    plain = plain_sample_many(replace(RIG, ik_setups=()), clip, TIMES).local
    assert all(np.array_equal(a, b) for a, b in zip(ours, plain, strict=True))


def test_keyed_weight_beyond_its_ends_is_that_of_the_ends():
    """Handles of a curve overshoot: a weight of 1.6 must not throw the arm beyond its goal."""
    clip = reach_clip()

    def weighed(value: float):
        curve = scalar_track([0.0, 2.0], [value, value])
        return sample_many(
            RIG,
            replace(clip, curves={**clip.curves, curve_name("Left arm", WEIGHT): curve}),
            TIMES,
            wrap=False,
        ).rotations

    assert np.array_equal(weighed(1.6), weighed(1.0))
    assert np.array_equal(weighed(-0.7), weighed(0.0))


def test_matching_a_range_keeps_the_goal_s_keys_outside_it():
    clip = reach_clip()
    change = bake.matched(RIG, clip, ARM, 0.5, 1.0)
    outside = (TIMES < 0.5 - 1e-9) | (TIMES > 1.0 + 1e-9)
    for field in GOAL:
        name = curve_name("Left arm", field)
        now, before = (evaluate_scalar(c.curves[name], TIMES) for c in (change.clip, clip))
        assert np.abs(now - before)[outside].max() < 2e-3, field


def test_the_error_told_is_that_between_the_frames_too():
    clip = reach_clip()
    change = bake.baked(RIG, clip, ["Left arm"], 0.5, 1.0)
    frames = bake.frame_times(clip, 0.5, 1.0)
    between = np.unique(np.concatenate((frames, (frames[1:] + frames[:-1]) / 2.0)))
    apart = np.linalg.norm(places(RIG, change.clip, between) - places(RIG, clip, between), axis=-1)
    assert change.metres >= apart.max() - 1e-12
    at = places(RIG, change.clip, np.array([change.time])) - places(RIG, clip, np.array([change.time]))
    bone = RIG.skeleton.index(change.bone)
    assert np.linalg.norm(at[0, bone]) == pytest.approx(change.metres, abs=1e-12)


def test_baking_a_range_mutes_a_keyed_weight_there_and_keeps_it_outside():
    name = curve_name("Left arm", WEIGHT)
    keyed_weight = scalar_track([0.0, 0.4, 0.6, 0.8, 1.2, 2.0], [1.0, 0.7, 0.5, 0.9, 0.6, 1.0])
    clip = reach_clip()
    clip = replace(clip, curves={**clip.curves, name: keyed_weight})
    change = bake.baked(RIG, clip, ["Left arm"], 0.5, 1.0)
    inside = np.linspace(0.5, 1.0, 16)
    outside = np.concatenate((np.linspace(0.0, 0.4, 9), np.linspace(1.2, 2.0, 9)))
    weight = change.clip.curves[name]
    assert np.abs(evaluate_scalar(weight, inside)).max() == 0.0
    assert evaluate_scalar(weight, outside) == pytest.approx(evaluate_scalar(keyed_weight, outside), abs=1e-9)
