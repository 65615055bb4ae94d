"""Clips of a retarget source: sampled in the rig's proportions before anything else, written, keyed, added."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cli.main import main
from core.clips.additive import AdditiveSampler
from core.clips.bake import bake
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.clips.proportions import baked_proportions, to_hold
from core.errors import MissingReferenceError
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.io import load, save
from core.math import kernels, quat
from core.math.transform import Transform
from core.pose.proportions import Proportions, authored, pair_for, rest_pair, retargeted
from core.project.project import Project
from core.project.references import check
from core.rig.rig import RetargetMode, Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from tests.core.retarget.test_modes import MODES, plain, rest, skeleton

seeds = st.integers(0, 10_000)
TIMES = np.linspace(0.0, 1.0, 7)


def made(seed: int, modes: dict[str, RetargetMode] | None = None) -> tuple[Rig, Clip]:
    """A rig with another character's rest pose, and a clip of that: some bones keyed, some not."""
    rng = np.random.default_rng(seed)
    own, other = rest(rng, 10), rest(rng, 10)
    body = skeleton(own)
    chosen = modes or {name: MODES[i] for name, i in zip(body.names, rng.integers(0, 5, 10), strict=True)}
    rig = Rig(AssetId("rig-1"), "figure", body, retarget_modes=chosen, retarget_sources={"tall": other})
    local = Transform(*(np.repeat(part[None], 4, axis=0) for part in other))
    moved = local.translation[:, 3:7] + 0.3 * rng.normal(size=(4, 4, 3))
    turned = quat.normalise(local.rotation + 0.3 * rng.normal(size=local.rotation.shape))
    times = np.array([0.0, 0.3, 0.7, 1.0])
    local.translation[:, 3:7] = moved
    local = local._replace(rotation=turned)
    whole = Skeleton(body.names, body.parents, other)
    tracks = bake(whole, times, local, bones=range(2, 9))
    clip = Clip(
        AssetId("clip-1"), "move", rig.id, 1.0, FrameRate.of(30), tracks=tracks, retarget_source="tall"
    )
    return rig, clip


def as_authored(rig: Rig, clip: Clip) -> Transform:
    """Samples of the clip on the character that it was made on."""
    body = replace(rig.skeleton, rest=rig.retarget_sources["tall"])
    return ClipEvaluator(body, clip).sample_many(TIMES).local


@settings(max_examples=25)
@given(seeds)
def test_sampling_agrees_with_the_spec_bone_by_bone(seed: int) -> None:
    rig, clip = made(seed)
    found, before = ClipPipeline(rig, clip).sample_many(TIMES).local, as_authored(rig, clip)
    rests = rig.retarget_sources["tall"], rig.skeleton.rest
    for bone, name in enumerate(rig.skeleton.names):
        ends = [tuple(part[bone] for part in r) for r in rests]
        for row in range(len(TIMES)):
            t, q, s = plain(rig.retarget_modes[name], *(p[row, bone] for p in before), *ends, False)
            assert found.translation[row, bone] == pytest.approx(t, abs=1e-9)
            assert quat.angle_between(found.rotation[row, bone], q) < 1e-7
            assert found.scale[row, bone] == pytest.approx(s)


@settings(max_examples=10)
@given(seeds)
def test_every_way_of_sampling_gives_the_same(seed: int) -> None:
    rig, clip = made(seed)
    evaluator = ClipEvaluator(rig, clip)
    many, twin = evaluator.sample_many(TIMES).local, evaluator.sampled_by_track(TIMES)[0]
    player = evaluator.player()
    for row, time in enumerate(TIMES):
        for _ in range(2):  # again from the same place: nothing may pile up
            one = player.pose(float(time))
            for a, b, c in zip(one, many, twin, strict=True):
                assert np.allclose(a, b[row], atol=1e-9) and np.allclose(c[row], b[row], atol=1e-9)
        assert np.allclose(player.models(float(time)), evaluator.models_many(TIMES)[row], atol=1e-9)
    few = evaluator.root_locals((0, 5), TIMES)
    assert np.allclose(few.translation, many.translation[:, [0, 5]], atol=1e-9)
    edited = evaluator.updated(replace(clip, retarget_source=None))
    plainly = ClipEvaluator(rig, replace(clip, retarget_source=None)).sample_many(TIMES).local
    assert all(np.allclose(a, b) for a, b in zip(edited.sample_many(TIMES).local, plainly, strict=True))


@settings(max_examples=25)
@given(seeds)
def test_kernel_agrees_with_its_numpy_twin(seed: int) -> None:
    kernels.load()
    rig, clip = made(seed)
    pair = pair_for(rig, "tall")
    assert pair is not None
    work = Proportions(pair)
    poses = [Transform(*(np.array(p) for p in as_authored(rig, clip))) for _ in range(2)]
    work.put(poses[0])
    work.put_by_numpy(poses[1])
    assert all(np.allclose(a, b, atol=1e-12) for a, b in zip(*poses, strict=True))


@settings(max_examples=15)
@given(seeds)
def test_a_clip_of_the_rigs_own_rest_plays_as_it_is_in_every_mode(seed: int) -> None:
    rig, clip = made(seed)
    own = replace(clip, retarget_source=None)
    plainly = ClipEvaluator(rig.skeleton, own).sample_many(TIMES).local
    found = ClipEvaluator(rig, own).sample_many(TIMES).local
    assert all(np.array_equal(a, b) for a, b in zip(found, plainly, strict=True))


@settings(max_examples=15)
@given(seeds)
def test_what_a_clip_has_to_hold_gives_the_pose_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, target, before = rest(rng, 8), rest(rng, 8), rest(rng, 8)
    body = skeleton(source)
    modes = {name: MODES[i] for name, i in zip(body.names, rng.integers(0, 5, 8), strict=True)}
    pair = rest_pair(body, source, target, modes)
    wanted = retargeted(pair, rest(rng, 8))
    again = retargeted(pair, authored(pair, wanted, before))
    # orient and scale gives the very rest where the clip is near it, from which nothing leads back
    far = ~(pair.of(RetargetMode.ORIENT_AND_SCALE) & (pair.scale < 1e-6))
    assert np.abs(again.translation - wanted.translation)[far].max() < 2e-3
    assert quat.angle_between(again.rotation, wanted.rotation).max() < 1e-6
    assert np.allclose(again.scale, wanted.scale)


def test_baking_keeps_what_is_seen_and_names_no_source() -> None:
    rig, clip = made(5)
    flat = baked_proportions(rig, clip)
    assert flat.retarget_source is None and baked_proportions(rig, flat) is flat
    frames = np.arange(31) / 30.0
    a, b = (ClipEvaluator(rig, c).sample_many(frames).local for c in (clip, flat))
    assert np.abs(a.translation - b.translation).max() < 1e-6
    assert quat.angle_between(a.rotation, b.rotation).max() < 1e-6
    held = to_hold(rig, clip, frames, a)
    own = as_authored(rig, clip)
    relative = [rig.skeleton.index(n) for n, m in rig.retarget_modes.items() if m is RetargetMode.ANIMATION]
    assert np.allclose(held.translation[::5][:, relative], own.translation[:, relative])
    assert to_hold(rig, flat, frames, b) is b


@settings(max_examples=15)
@given(seeds, st.sampled_from(list(AdditiveBase)), st.sampled_from(list(AdditiveSpace)))
def test_additive_clips_keep_the_rules_of_the_table(
    seed: int, base: AdditiveBase, space: AdditiveSpace
) -> None:
    rig, clip = made(seed)
    other = replace(made(seed + 1)[1], id=AssetId("clip-2"))
    clip = replace(clip, additive=Additive(space, base, other.id, 0.4))
    found = AdditiveSampler(rig, clip, {other.id: other}).deltas(TIMES).local
    body = replace(
        rig, skeleton=replace(rig.skeleton, rest=rig.retarget_sources["tall"]), retarget_sources={}
    )
    own, under = (replace(c, retarget_source=None) for c in (clip, other))
    before = AdditiveSampler(body, own, {under.id: under}).deltas(TIMES).local
    pair = pair_for(rig, "tall")
    assert pair is not None
    for bone, name in enumerate(rig.skeleton.names):
        mode, moved = rig.retarget_modes[name], before.translation[:, bone]
        wanted = {
            RetargetMode.SKELETON: np.zeros_like(moved),
            RetargetMode.ANIMATION_SCALED: moved * pair.scale[bone],
        }.get(mode, moved)
        assert found.translation[:, bone] == pytest.approx(wanted, abs=1e-9)
    assert np.allclose(found.rotation, before.rotation) and np.allclose(found.scale, before.scale)


def test_a_source_that_is_not_there_is_refused_with_the_names() -> None:
    rig, clip = made(1)
    lost = replace(clip, retarget_source="short")
    with pytest.raises(MissingReferenceError, match="no retarget source 'short'; there are: tall"):
        ClipEvaluator(rig, lost)
    with pytest.raises(MissingReferenceError, match="'move' was made on the rest pose 'short'"):
        check(Project().with_assets(rig, lost))


def test_sample_and_convert_honour_the_source(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    modes = dict.fromkeys((f"b{i}" for i in range(10)), RetargetMode.SKELETON)
    rig, clip = made(2, modes | {"b4": RetargetMode.ANIMATION_SCALED})
    ones = rig.skeleton.rest._replace(scale=np.ones((10, 3)))
    tall = rig.retarget_sources["tall"]._replace(scale=np.ones((10, 3)))
    rig = replace(rig, skeleton=replace(rig.skeleton, rest=ones), retarget_sources={"tall": tall})
    clip = clip.with_tracks({Channel("b4", Property.TRANSLATE, 0): scalar_track([0.0, 1.0], [0.5, 1.0])})
    path, out = tmp_path / "a.posewright", tmp_path / "b.glb"
    save(Project().with_assets(rig, clip), path)
    assert main(["sample", str(path), "--times", "0,0.5,1", "--space", "local"]) == 0
    said = json.loads(capsys.readouterr().out)
    wanted = ClipPipeline(rig, clip).sample_many([0.0, 0.5, 1.0]).local
    assert np.allclose(said["positions"], wanted.translation, atol=1e-9)
    assert main(["convert", str(path), str(out)]) == 0
    written = load(out).project
    rows = [written.rigs[0].skeleton.index(name) for name in rig.skeleton.names]
    again = ClipPipeline(written.rigs[0], written.clips[0]).sample_many([0.0, 0.5, 1.0]).local
    assert written.clips[0].retarget_source is None
    assert np.allclose(again.translation[:, rows], wanted.translation, atol=1e-5)
    assert quat.angle_between(again.rotation[:, rows], wanted.rotation).max() < 1e-4


@settings(max_examples=10)
@given(seeds)
def test_bone_without_a_mode_is_animation_for_clips_without_a_source(seed: int) -> None:
    """Second routes: the bare skeleton, which knows no modes, and every bone set to *animation* by hand."""
    rig, clip = made(seed)
    clip = replace(clip, retarget_source=None)
    found = ClipPipeline(replace(rig, retarget_modes={}), clip).sample_many(TIMES).local
    by_hand = replace(rig, retarget_modes=dict.fromkeys(rig.skeleton.names, RetargetMode.ANIMATION))
    for other in (ClipEvaluator(rig.skeleton, clip), ClipPipeline(by_hand, clip)):
        for one, two in zip(found, other.sample_many(TIMES).local, strict=True):
            np.testing.assert_array_equal(one, two)
