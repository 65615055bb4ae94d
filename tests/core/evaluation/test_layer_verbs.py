"""Merging, extracting and splitting change nothing shown: laws on random clips and stacks of layers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.clips.clip import AdditiveSpace, Channel, Clip, Property
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.evaluation.layer_verbs import extracted, merged_all, merged_down, split
from core.ids import AssetId
from core.project.project import Project
from core.tracks.keys import Interpolation, scalar_track
from tests.core.blending.clips import RIG
from tests.core.evaluation.test_layer_pipeline import BONES, additive, apart, layers, moving

FRAMES = np.linspace(0.0, 1.0, 31)
DENSE = np.linspace(0.0, 1.0, 241)


def project_of(found: list[tuple[ClipLayer, Clip]], base: Clip, turned: bool = False) -> Project:
    stack = LayerStack(AssetId("stack"), "s", RIG.id, base.id, tuple(layer for layer, _ in found), turned)
    assets = (RIG, base, *(clip for _, clip in found), *((stack,) if found else ()))
    return Project({asset.id: asset for asset in assets})


def shown(project: Project, times: np.ndarray):
    clip = project.get(Clip, AssetId("clip-base"))
    return ClipPipeline.of(project, clip).sample_many(times).local


def stacks(least: int):
    return st.lists(layers(), min_size=least, max_size=3, unique_by=lambda pair: pair[1].id)


@settings(max_examples=20, deadline=None)
@given(stacks(1), st.integers(0, 2), st.booleans(), st.booleans())
def test_merging_changes_nothing_at_frames_and_keys(found, number, turned, everything) -> None:
    found = [(replace(layer, own=True), clip) for layer, clip in found]
    project, number = project_of(found, moving("base", 1), turned), min(number, len(found) - 1)
    base = project.get(Clip, AssetId("clip-base"))
    made = merged_all(project, base, number) if everything else merged_down(project, base, number)
    after = made.put_into(project)
    keys = np.unique(np.concatenate([t.times for _, clip in found for t in clip.tracks.values()] + [FRAMES]))
    assert apart(shown(project, keys), shown(after, keys)) < 1e-6
    stack = stack_of(after, base.id)
    count = len(found) - number - 1 if everything else len(found) - 1
    assert (0 if stack is None else len(stack.layers)) == count
    left = {clip.id for clip in after.clips}
    assert not left & {clip.id for _, clip in found[: number + 1]} if everything or number == 0 else True


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 100), st.booleans(), st.booleans(), stacks(0), st.sets(st.sampled_from(BONES), min_size=1),
    st.tuples(st.integers(0, 14), st.integers(15, 30)),
)  # fmt: skip
def test_extracting_a_range_changes_nothing_at_any_time(seed, whole, looping, found, bones, frames) -> None:
    base = replace(moving("base", seed, whole=whole), looping=looping)
    project = project_of(found, base)
    channels = [channel for channel in base.tracks if channel.bone in bones]
    span = frames[0] / 30.0, frames[1] / 30.0
    made = extracted(project, base, channels, span)
    after = made.put_into(project)
    # a cubic quaternion track keeps its shape as far as unit keys can (core.tracks.splits); these are linear
    assert apart(shown(project, DENSE), shown(after, DENSE)) < 1e-6
    left = after.get(Clip, base.id)
    for channel in channels:
        inside = left.tracks[channel].times
        assert not ((inside > span[0] + 1e-6) & (inside < span[1] - 1e-6)).any()


def test_extracting_keys_takes_these_alone_and_counts_only_around_them() -> None:
    base = moving("base", 2)
    channel = Channel("arm", Property.ROTATE, 0)
    project = project_of([], base)
    made = extracted(project, base, [channel], (0.0, 1.0), {channel: [0.6]})
    after = made.put_into(project)
    assert list(after.get(Clip, base.id).tracks[channel].times) == [0.0, 1.0]
    assert set(made.assets[1].tracks) == {Channel("arm", Property.ROTATE, axis) for axis in range(3)}
    assert after.get(Clip, base.id).tracks[Channel("arm", Property.ROTATE, 1)].times[1] == pytest.approx(0.6)
    assert apart(shown(project, DENSE), shown(after, DENSE)) < 1e-6


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 100), st.booleans(), stacks(0), st.lists(st.integers(1, 29), max_size=4))
def test_base_and_delta_give_the_clip_again_at_frames_and_keys(seed, whole, found, kept) -> None:
    base = moving("base", seed, whole=whole)
    project = project_of(found, base)
    made = split(project, base, tuple(base.tracks), (0.0, 1.0), [frame / 30.0 for frame in kept])
    after = made.put_into(project)
    times = np.unique(np.concatenate([t.times for t in base.tracks.values()] + [FRAMES]))
    assert apart(shown(project, times), shown(after, times)) < 1e-6
    few = after.get(Clip, base.id)
    assert all(len(track) == 2 + len(set(kept)) for track in few.tracks.values())
    # merged again it is the clip that there was, at every frame
    again = merged_down(after, few, 0).put_into(after)
    assert apart(shown(project, times), shown(again, times)) < 1e-6


def test_split_in_a_range_leaves_the_rest_of_the_curves_as_they_are() -> None:
    base = moving("base", 4)
    project = project_of([], base)
    made = split(project, base, tuple(base.tracks), (0.2, 0.8), [0.5])
    outside = DENSE[(DENSE <= 0.2) | (DENSE >= 0.8)]
    assert apart(shown(project, outside), shown(made.put_into(project), outside)) < 1e-9


def test_layer_that_does_not_count_is_not_merged() -> None:
    clip, base = moving("l", 3), moving("base", 1)
    project = project_of([(ClipLayer("l", clip.id, muted=True), clip)], base)
    with pytest.raises(ValidationError, match="unmute"):
        merged_down(project, base, 0)


def test_two_additive_layers_merge_to_one_that_follows_the_clip() -> None:
    found = [
        (
            ClipLayer(name, AssetId(f"clip-{name}"), LayerMode.ADDITIVE, 0.5),
            additive(moving(name, seed), AdditiveSpace.LOCAL),
        )
        for name, seed in (("a", 5), ("b", 6))
    ]  # fmt: skip
    base = moving("base", 1)
    project = project_of(found, base)
    after = merged_down(project, base, 1).put_into(project)
    layer = stack_of(after, base.id).layers[0]
    assert layer.mode is LayerMode.ADDITIVE and layer.own and layer.name == "a"
    lifted = replace(
        base, tracks={**base.tracks, Channel("root", Property.TRANSLATE, 1): scalar_track([0.0], [3.0])}
    )
    assert apart(shown(project.with_assets(lifted), FRAMES), shown(after.with_assets(lifted), FRAMES)) < 1e-6


def test_weight_that_steps_between_frames_is_merged_with_its_own_keys() -> None:
    curve = scalar_track([0.0, 0.417], [0.0, 1.0], interpolations=Interpolation.LINEAR)
    clip, base = moving("l", 3), moving("base", 1)
    project = project_of([(ClipLayer("l", clip.id, curve=curve), clip)], base)
    after = merged_down(project, base, 0).put_into(project)
    assert apart(shown(project, np.array([0.417])), shown(after, np.array([0.417]))) < 1e-6
