"""The five modes against a plain second implementation, and the laws of the spec."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.retarget.modes import proposed_modes, rest_pair, retarget_source, retargeted
from core.rig.rig import RetargetMode, Rig
from core.rig.skeleton import Skeleton

MODES = tuple(RetargetMode)


def rest(rng: np.random.Generator, count: int) -> Transform:
    translation = rng.normal(size=(count, 3))
    translation[rng.random(count) < 0.2] = 0.0
    return Transform(
        translation, quat.normalise(rng.normal(size=(count, 4))), rng.uniform(0.5, 2.0, size=(count, 3))
    )


def skeleton(pose: Transform) -> Skeleton:
    count = len(pose.translation)
    return Skeleton(tuple(f"b{i}" for i in range(count)), np.arange(-1, count - 1), pose)


def plain(mode: RetargetMode, t, q, s, a, p, additive):  # type: ignore[no-untyped-def]
    """One bone, word by word from the spec's table, with scipy's rotations."""
    (ta, qa, sa), (tp, qp, sp) = a, p
    la, lp = np.linalg.norm(ta), np.linalg.norm(tp)
    if mode is RetargetMode.ANIMATION:
        return t, q, s
    if mode is RetargetMode.SKELETON:
        return (np.zeros(3) if additive else tp), q, s
    if mode is RetargetMode.ANIMATION_SCALED:
        return (t * lp / la if la > 1e-6 else t), q, s
    if additive:
        return t, q, s
    if mode is RetargetMode.ANIMATION_RELATIVE:
        turned = (Rotation.from_quat(q) * Rotation.from_quat(qa).inv() * Rotation.from_quat(qp)).as_quat()
        return t + (tp - ta), turned, s * sp / sa
    if np.linalg.norm(ta - tp) <= 1e-6 or la <= 1e-6 or lp <= 1e-6:
        return t, q, s
    if np.linalg.norm(t - ta) <= 1e-5 * la:
        return tp, q, s
    axis = np.cross(ta, tp)
    angle = np.arctan2(np.linalg.norm(axis), ta @ tp)
    turn = Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle)
    return lp / la * turn.apply(t), q, s


@given(st.integers(0, 10_000), st.booleans())
def test_modes_agree_with_a_plain_second_implementation(seed: int, additive: bool) -> None:
    rng = np.random.default_rng(seed)
    source, target, clip = rest(rng, 10), rest(rng, 10), rest(rng, 10)
    target.translation[9] = source.translation[9]
    clip.translation[:3] = source.translation[:3]
    modes = [MODES[i] for i in rng.integers(0, 5, 10)]
    pair = rest_pair(skeleton(source), source, target, {f"b{i}": m for i, m in enumerate(modes)})
    result = retargeted(pair, clip, additive)
    for bone, mode in enumerate(modes):
        rests = [tuple(part[bone] for part in r) for r in (source, target)]
        t, q, s = plain(mode, *(part[bone] for part in clip), *rests, additive)
        assert result.translation[bone] == pytest.approx(t, abs=1e-9)
        assert quat.angle_between(result.rotation[bone], q) < 1e-9
        assert result.scale[bone] == pytest.approx(s)


@given(st.integers(0, 10_000), st.sampled_from(MODES))
def test_retargeting_onto_itself_is_the_identity(seed: int, mode: RetargetMode) -> None:
    rng = np.random.default_rng(seed)
    own, clip = rest(rng, 6), rest(rng, 6)
    if mode is RetargetMode.SKELETON:
        clip = clip._replace(translation=own.translation)
    result = retargeted(rest_pair(skeleton(own), own, own, {f"b{i}": mode for i in range(6)}), clip)
    assert np.abs(result.translation - clip.translation).max() < 1e-6
    assert quat.angle_between(result.rotation, clip.rotation).max() < 1e-6
    assert np.abs(result.scale - clip.scale).max() < 1e-6


def test_many_poses_at_once_are_each_alone() -> None:
    rng = np.random.default_rng(1)
    source, target = rest(rng, 5), rest(rng, 5)
    clips = [rest(rng, 5) for _ in range(4)]
    pair = rest_pair(skeleton(source), source, target, dict(zip(skeleton(source).names, MODES, strict=True)))
    together = retargeted(pair, Transform(*(np.stack(p) for p in zip(*clips, strict=True))))
    for index, clip in enumerate(clips):
        for part, whole in zip(retargeted(pair, clip), together, strict=True):
            assert np.allclose(whole[index], part)


def test_scale_of_zero_in_the_source_is_safe() -> None:
    rng = np.random.default_rng(2)
    source, target, clip = rest(rng, 3), rest(rng, 3), rest(rng, 3)
    source.scale[1] = 0.0
    modes = dict.fromkeys(("b0", "b1", "b2"), RetargetMode.ANIMATION_RELATIVE)
    assert np.isfinite(retargeted(rest_pair(skeleton(source), source, target, modes), clip).scale).all()


def test_proposal_and_refusals() -> None:
    own = rest(np.random.default_rng(3), 4)
    bones = Skeleton(("root", "pelvis", "spine_01", "ik_foot_l"), np.array([-1, 0, 1, 0]), own)
    assert list(proposed_modes(bones).values()) == [
        RetargetMode.ANIMATION,
        RetargetMode.ANIMATION_SCALED,
        RetargetMode.SKELETON,
        RetargetMode.ANIMATION,
    ]
    with pytest.raises(ValidationError, match="4 bones"):
        rest_pair(bones, rest(np.random.default_rng(3), 3), own)
    rig = Rig(AssetId("rig-1"), "figure", bones, retarget_sources={"tall": own})
    assert retarget_source(rig, "tall") is own
    assert retarget_source(rig, None) is bones.rest
    with pytest.raises(MissingReferenceError, match="there are: tall"):
        retarget_source(rig, "short")
