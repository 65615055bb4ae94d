"""Whole clips: lengths, rates, trimming, reversing, names."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips import edits
from core.clips.clip import WHOLE, Channel, Clip, Marker, Notify, Property, RootMotion, SyncMarker
from core.clips.edits import KeepTime
from core.clips.sample import ClipEvaluator
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

SKELETON = Skeleton(
    ("a", "b"), [-1, 0], Transform(np.zeros((2, 3)), np.tile([0, 0, 0, 1.0], (2, 1)), np.ones((2, 3)))
)
RIG = Rig(AssetId("rig-1"), "rig", SKELETON)


@pytest.fixture
def clip() -> Clip:
    times = np.linspace(0.0, 2.0, 5)
    turns = quat.normalise([[0.1 * k, 0.2, -0.1 * k, 1.0] for k in range(5)])
    rates = np.gradient(turns, times, axis=0)
    return Clip(
        AssetId("clip-1"),
        "walk",
        RIG.id,
        2.0,
        FrameRate.of(24),
        tracks={
            Channel("a", Property.TRANSLATE, 0): with_tangents(scalar_track(times, [0, 3, 1, 2, 5])),
            Channel("a", Property.ROTATE, WHOLE): quaternion_track(
                times, turns, rates, rates, int(Interpolation.CUBIC)
            ),
            Channel("b", Property.ROTATE, 2): scalar_track(
                times, [0, 90, 10, 30, 50], interpolations=Interpolation.LINEAR
            ),
        },
        notifies=(Notify("step", 0.5, 0.25), Notify("late", 1.75)),
        sync_markers=(SyncMarker("left", 1.0),),
        markers=(Marker("note", 1.5),),
    )


def poses(clip: Clip, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    batch = ClipEvaluator(SKELETON, clip).sample_many(times, wrap=False)
    return batch.translations, batch.rotations


def assert_same_motion(a: Clip, at: np.ndarray, b: Clip, bt: np.ndarray, degrees: float = 1e-6) -> None:
    ta, ra = poses(a, at)
    tb, rb = poses(b, bt)
    np.testing.assert_allclose(ta, tb, atol=1e-8)
    assert np.degrees(quat.angle_between(ra, rb)).max() < degrees


def test_trimmed_shows_the_same_motion(clip: Clip) -> None:
    part = edits.trimmed(clip, 0.3, 1.6)
    assert part.length == pytest.approx(1.3)
    dense = np.linspace(0.0, 1.3, 60)
    assert_same_motion(clip, dense + 0.3, part, dense, degrees=0.01)
    assert [n.name for n in part.notifies] == ["step"] and part.notifies[0].time == pytest.approx(0.2)
    assert all(t.times[0] > -1e-9 and t.times[-1] < 1.3 + 1e-9 for t in part.tracks.values())


def test_trimmed_to_a_part_without_keys_holds_its_value() -> None:
    track = scalar_track([1.5], [7.0])
    clip = Clip(AssetId("c"), "c", RIG.id, 2.0, tracks={Channel("a", Property.SCALE, 0): track})
    part = edits.trimmed(clip, 0.0, 0.5)
    assert part.tracks[Channel("a", Property.SCALE, 0)].values.tolist() == [7.0]


@pytest.mark.parametrize(("start", "end"), [(1.0, 1.0), (1.5, 1.0), (-0.1, 1.0), (0.0, 2.5)])
def test_trimmed_to_no_part_is_refused(clip: Clip, start: float, end: float) -> None:
    with pytest.raises(ValidationError, match="trim"):
        edits.trimmed(clip, start, end)


def test_reversed_clip_shows_the_motion_backwards_and_twice_is_the_same(clip: Clip) -> None:
    back = edits.reversed_clip(clip)
    dense = np.linspace(0.0, 2.0, 60)
    assert_same_motion(clip, dense, back, 2.0 - dense)
    assert [(n.name, n.time) for n in back.notifies] == [("late", 0.25), ("step", 1.25)]
    twice = edits.reversed_clip(back)
    assert_same_motion(clip, dense, twice, dense)


def test_with_rate_keeping_seconds_or_frames(clip: Clip) -> None:
    seconds = edits.with_rate(clip, FrameRate.of(48))
    assert seconds.length == 2.0 and seconds.tracks is clip.tracks
    frames = edits.with_rate(clip, FrameRate.of(48), KeepTime.FRAMES)
    assert frames.length == 1.0 and frames.frames == clip.frames
    dense = np.linspace(0.0, 1.0, 30)
    assert_same_motion(clip, dense * 2.0, frames, dense)


def test_with_rate_keeping_frames_keeps_times_shared(clip: Clip) -> None:
    times = clip.tracks[Channel("a", Property.TRANSLATE, 0)].times
    shared = clip.with_tracks({Channel("b", Property.SCALE, 1): scalar_track(times, np.ones(5))})
    changed = edits.with_rate(shared, FrameRate.of(48), KeepTime.FRAMES)
    assert (
        changed.tracks[Channel("b", Property.SCALE, 1)].times
        is changed.tracks[Channel("a", Property.TRANSLATE, 0)].times
    )


def test_with_length_keeps_keys(clip: Clip) -> None:
    assert edits.with_length(clip, 1.0).tracks is clip.tracks
    assert edits.with_length(clip, 0.0).length == 0.0
    assert edits.with_length(clip, 2.0) is clip
    with pytest.raises(ValidationError):
        edits.with_length(clip, -1.0)


def test_with_looping_smooths_a_closed_loop_at_its_ends() -> None:
    track = with_tangents(scalar_track([0, 1, 2], [0, 1, 0]))
    clip = Clip(AssetId("c"), "c", RIG.id, 2.0, tracks={Channel("a", Property.SCALE, 0): track})
    looping = edits.with_looping(clip, True)
    found = looping.tracks[Channel("a", Property.SCALE, 0)]
    assert same_value(found, with_tangents(track, 2.0)) and looping.looping
    assert same_value(edits.with_looping(looping, False), clip)


def test_with_root_motion_refuses_a_bone_that_is_not_there(clip: Clip) -> None:
    with pytest.raises(MissingReferenceError, match="nobody"):
        edits.with_root_motion(clip, RootMotion(True, "nobody"), RIG)


def test_names_are_unique_and_checked(clip: Clip) -> None:
    assert edits.unique_name("walk", ["walk", "walk 2"]) == "walk 3"
    assert edits.unique_name("walk 2", ["walk 2"]) == "walk 3"
    copy = edits.duplicated(clip, ["walk"])
    assert (copy.name, copy.id != clip.id) == ("walk 2", True)
    assert same_value(replace(copy, id=clip.id, name=clip.name), clip)
    assert edits.renamed(clip, "  gehen — 歩く ").name == "gehen — 歩く"
    for bad in ("", "   ", "a\nb", "x" * 300):
        with pytest.raises(ValidationError):
            edits.renamed(clip, bad)
    with pytest.raises(ValidationError, match="already"):
        edits.renamed(clip, "run", ["run"])
