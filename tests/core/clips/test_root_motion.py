"""Root motion: the spec's formula with matrices, additivity, what stays in the pose."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips import root_motion
from core.clips.clip import Property, RootMotion, RootPose
from core.clips.evaluator import ClipEvaluator
from core.math import quat, transform
from core.math.transform import Transform
from tests.core.clips import making

RIG = making.rig(bones=3)
times = st.floats(-6.0, 9.0)


def evaluator(**settings) -> ClipEvaluator:
    return ClipEvaluator(RIG, making.walk(**settings))


def matrix(parts: Transform) -> np.ndarray:
    return transform.to_matrix(parts)


def close(a: Transform, b: Transform, tolerance: float = 1e-9) -> bool:
    return bool(np.allclose(matrix(a), matrix(b), atol=tolerance))


def root(source: ClipEvaluator, position: float) -> np.ndarray:
    """The extracted part by a second route: yaw as the direction in which the turned +Z points."""
    batch = source.sample_many([position], wrap=False)
    turn = quat.multiply(batch.rotations[0, 0], quat.conjugate(RIG.skeleton.rest.rotation[0]))
    # A twist about Y is half the angle atan2(y, w) of the quaternion; the matrix says the same of
    # the vector that the twist's remainder, a turn about a level axis, leaves bisected.
    m = quat.to_matrix(turn)
    yaw = np.arctan2(m[0, 2] - m[2, 0], m[0, 0] + m[2, 2])
    settings = source.clip.root_motion
    result = np.eye(4)
    if settings.yaw:
        result[:3, :3] = [[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]]
    position_ = batch.translations[0, 0]
    kept = [settings.ground, settings.height, settings.ground]
    result[:3, 3] = np.where(kept, position_, 0.0)
    return result


def by_formula(source: ClipEvaluator, a: float, b: float) -> np.ndarray:
    """spec/evaluation.md, Root motion, with matrices, turn after turn."""
    if b < a:
        return np.linalg.inv(by_formula(source, b, a))
    length = source.clip.length
    n = int(np.floor(b / length) - np.floor(a / length))
    start, end = a - np.floor(a / length) * length, b - np.floor(b / length) * length
    inverse = np.linalg.inv
    if n == 0:
        return inverse(root(source, start)) @ root(source, end)
    result = inverse(root(source, start)) @ root(source, length)
    for _ in range(n - 1):
        result = result @ (inverse(root(source, 0.0)) @ root(source, length))
    return result @ (inverse(root(source, 0.0)) @ root(source, end))


@given(times, times, st.booleans(), st.booleans(), st.booleans())
def test_motion_between_any_times_is_the_spec_s_formula(a, b, ground, height, yaw):
    source = evaluator(ground=ground, height=height, yaw=yaw)
    assert np.allclose(matrix(root_motion.motion_between(source, a, b)), by_formula(source, a, b), atol=1e-7)


@given(times, times, st.lists(times, max_size=5))
def test_motion_between_however_a_span_is_cut_is_the_same(a, b, cuts):
    source = evaluator()
    whole = root_motion.motion_between(source, a, b)
    steps = [a, *cuts, b]
    pieces = root_motion.motion_between(source, a, a)
    for start, end in pairwise(steps):  # cuts may even go back and forth
        pieces = transform.compose(pieces, root_motion.motion_between(source, start, end))
    assert close(whole, pieces, 1e-7)


@given(times, times)
def test_motion_between_backwards_is_the_inverse(a, b):
    source = evaluator()
    there, back = root_motion.motion_between(source, a, b), root_motion.motion_between(source, b, a)
    assert close(transform.compose(there, back), transform.IDENTITY, 1e-7)


@given(st.floats(0, 1.49), st.floats(0, 1.49), st.integers(-4, 4))
def test_root_delta_over_seams_agrees_with_times_that_count_on(a, b, loops):
    source = evaluator()
    counted = root_motion.motion_between(source, a, b + loops * 1.5)
    assert close(root_motion.root_delta(source, a, b, loops), counted, 1e-7)


def test_accumulate_many_times_agrees_with_one_at_a_time():
    source = evaluator()
    at = np.linspace(-4, 7, 23)
    path = root_motion.accumulate(source, at)
    for index, time in enumerate(at):
        alone = root_motion.motion_between(source, 0.0, float(time))
        assert close(Transform(*(part[index] for part in path)), alone, 1e-8)


@pytest.mark.parametrize("stays", list(RootPose))
@pytest.mark.parametrize(
    "parts", [(True, False, True), (True, True, False), (False, False, True), (True, True, True)]
)
def test_character_carrying_its_pose_follows_the_clip_s_path(stays, parts):
    ground, height, yaw = parts
    source = evaluator(ground=ground, height=height, yaw=yaw, pose=stays, looping=False)
    at = np.linspace(0, 1.5, 16)
    batch = source.sample_many(at)
    pose = root_motion.without_root(source, batch.local)
    place = root_motion.character_at(source, at)
    carried = matrix(place) @ matrix(Transform(*(part[:, 0] for part in pose)))
    asked = matrix(Transform(*(part[:, 0] for part in batch.local)))
    # Moved as a whole, by where the start was put.
    assert np.allclose(np.linalg.inv(carried[0]) @ carried, np.linalg.inv(asked[0]) @ asked, atol=1e-9)
    if stays is RootPose.FIRST_FRAME:
        assert np.allclose(carried, asked, atol=1e-9)


def test_without_root_zero_takes_ground_and_yaw_out_and_leaves_the_rest():
    source = evaluator(pose=RootPose.ZERO)
    batch = source.sample_many(np.linspace(0, 1.4, 8))
    pose = root_motion.without_root(source, batch.local)
    assert np.allclose(pose.translation[:, 0, [0, 2]], 0.0, atol=1e-12)
    assert np.allclose(pose.translation[:, 0, 1], batch.translations[:, 0, 1])
    turn = quat.multiply(pose.rotation[:, 0], quat.conjugate(RIG.skeleton.rest.rotation[0]))
    assert np.allclose(turn[:, 1], 0.0, atol=1e-9)  # no yaw is left; the lean is
    assert np.abs(turn[:, [0, 2]]).max() > 0.01


def test_without_root_rest_keeps_the_root_over_its_rest_place():
    source = evaluator(pose=RootPose.REST)
    pose = root_motion.without_root(source, source.sample_many([0.0, 0.8]).local)
    rest = RIG.skeleton.rest.translation[0]
    assert np.allclose(pose.translation[:, 0, [0, 2]], rest[[0, 2]], atol=1e-9)


def test_without_root_bone_below_others_takes_its_model_motion_out():
    clip = making.clip(3, root_motion=RootMotion(enabled=True, bone="b1", pose=RootPose.ZERO))
    clip = clip.with_tracks({channel: None for channel in clip.tracks if channel.property is Property.SCALE})
    source = ClipEvaluator(RIG, clip)
    pose = root_motion.without_root(source, source.sample_many([0.2, 1.3]).local)
    model = transform.compose(*(Transform(*(part[:, b] for part in pose)) for b in (0, 1)))
    assert np.allclose(model.translation[:, [0, 2]], 0.0, atol=1e-7)


def test_motion_switched_off_or_without_its_bone_is_none():
    for settings in ({"enabled": False}, {"bone": "nobody"}):
        source = evaluator(**settings)
        assert close(root_motion.motion_between(source, 0.2, 7.7), transform.IDENTITY)
        local = source.sample_many([0.3]).local
        assert root_motion.without_root(source, local) is local


def test_motion_of_a_clip_that_does_not_loop_stops_at_its_ends():
    source = evaluator(looping=False)
    assert close(root_motion.motion_between(source, -5.0, 99.0), root_motion.motion_between(source, 0.0, 1.5))


def test_sample_hands_the_motion_over_and_shows_the_pose_in_place():
    source = evaluator(pose=RootPose.FIRST_FRAME)
    shown = source.sample(4.0, 0.3)
    assert np.allclose(matrix(shown.root_motion), by_formula(source, 0.3, 4.0), atol=1e-7)
    first = source.sample_many([0.0]).translations[0, 0]
    assert shown.pose.translations[0, [0, 2]] == pytest.approx(first[[0, 2]])


def test_motion_after_very_many_turns_stays_rigid():
    path = root_motion.accumulate(evaluator(), [1e7])
    assert np.isfinite(path.translation).all()
    assert np.linalg.norm(path.rotation) == pytest.approx(1.0, abs=1e-6)
