"""Key types outlive files, mirroring, baking and conversion."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import core.io
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.convert import RotationKind, convert_rotations
from core.clips.key_times import baked_on
from core.clips.key_types import keys_of, type_counts, with_key_type
from core.clips.mirror import mirrored_clip
from core.clips.mirror_keys import mirrored_keys
from core.ids import AssetId
from core.io.common.type_extras import types_told, with_types_told
from core.project.project import Project
from core.timing import FrameRate
from core.tracks.edits import key_at
from core.tracks.key_types import KeyType
from core.tracks.keys import quaternion_track, scalar_track
from core.tracks.typed import with_types
from tests.core.clips.busy import busy, figure
from tests.editor.rigs import small_rig

RIG = small_rig()
RATE = FrameRate.of(30)
ARM = Channel("lower_arm_l", Property.ROTATE, 0)
HAND = Channel("hand_l", Property.ROTATE, WHOLE)
HIPS = Channel("pelvis", Property.TRANSLATE, 1)


def clip_of(codes=(0, 1, 3, 2, 4)) -> Clip:
    times = np.arange(5) / 4.0
    kinds = np.array(codes, dtype=np.uint8)
    turns = [[0, 0, np.sin(a), np.cos(a)] for a in np.linspace(0.0, 0.6, 5)]
    tracks = {
        ARM: with_types(scalar_track(times, [0.0, 30.0, 10.0, 60.0, 0.0]), np.array(kinds)),
        HAND: with_types(quaternion_track(times, turns), np.array(kinds)),
        HIPS: with_types(scalar_track(times, [0.9, 1.0, 0.8, 1.0, 0.9]), np.array(kinds)),
    }
    return Clip(AssetId("clip-1"), "c", RIG.id, 1.0, RATE, False, tracks)


def project_of(clip: Clip) -> Project:
    return Project().with_assets(RIG, clip)


@given(st.lists(st.integers(0, 4), min_size=5, max_size=5))
@settings(max_examples=5, deadline=None)
def test_types_survive_a_document_on_disk_and_a_gltf_file(tmp_path_factory, codes) -> None:
    folder = tmp_path_factory.mktemp("types")
    clip = clip_of(codes)
    for name in ("a.posewright", "a.glb"):
        core.io.save(project_of(clip), folder / name)
        again = core.io.load(folder / name).project.clips[0]
        assert again.rate == RATE
        for bone, part in (
            ("lower_arm_l", Property.ROTATE),
            ("hand_l", Property.ROTATE),
            ("pelvis", Property.TRANSLATE),
        ):
            tracks = [t for c, t in again.tracks.items() if (c.bone, c.property) == (bone, part)]
            assert tracks
            for channel, track in again.tracks.items():
                if (channel.bone, channel.property) == (bone, part) and (
                    channel in clip.tracks or part is Property.ROTATE
                ):
                    places = [
                        key_at(track, time) for time in np.arange(5) / 4.0
                    ]  # others fit the curve between
                    assert track.types[places].tolist() == list(codes), (name, channel)
                    assert track.types.sum() == sum(codes)


@pytest.mark.parametrize("suffix", ["fbx"])
def test_types_come_through_other_formats_that_have_a_place_for_them(tmp_path, suffix) -> None:
    clip = clip_of()
    core.io.save(project_of(clip), tmp_path / f"a.{suffix}")
    again = core.io.load(tmp_path / f"a.{suffix}").project.clips[0]
    found = [t for c, t in again.tracks.items() if c.bone == "pelvis" and c.property is Property.TRANSLATE]
    assert found and any(1 in t.types and 4 in t.types for t in found)


def test_extras_name_each_set_of_keys_once_and_take_bad_ones_as_an_error() -> None:
    clip = clip_of()
    told = types_told(clip)
    assert len(told) == 1 and len(told[0]["channels"]) == 3
    plain = replace(clip, tracks={c: with_types(t, np.zeros(5, np.uint8)) for c, t in clip.tracks.items()})
    assert types_told(plain) == []
    back = with_types_told(plain, told)
    assert all(back.tracks[c].types.tolist() == t.types.tolist() for c, t in clip.tracks.items())
    with pytest.raises((KeyError, TypeError, ValueError)):
        with_types_told(
            plain, [{"channels": [["bone", "pelvis", "nowhere", 1]], "times": [0], "types": ["key"]}]
        )


def test_mirroring_takes_types_to_the_other_side() -> None:
    clip = clip_of()
    mirrored = mirrored_clip(RIG, clip)
    found = [t for c, t in mirrored.tracks.items() if c.bone == "lower_arm_r" and len(t) == 5]
    assert found and all(t.types.tolist() == [0, 1, 3, 2, 4] for t in found)
    keyed = mirrored_keys(RIG, clip, {ARM: clip.tracks[ARM].times[1:3]})
    found = [t for c, t in keyed.tracks.items() if c.bone == "lower_arm_r"]
    assert found and all(t.types.tolist() == [1, 3] for t in found)


def test_baking_and_converting_keep_the_types_of_keys_that_stay() -> None:
    clip = clip_of()
    baked = baked_on(replace(clip, rate=FrameRate.of(4)), [ARM], 1)
    assert baked.tracks[ARM].types.tolist() == [0, 1, 3, 2, 4]
    turned = convert_rotations(clip, RIG.skeleton, ["hand_l"], RotationKind.EULER).clip
    made = [t for c, t in turned.tracks.items() if c.bone == "hand_l"]
    assert len(made) == 3 and all(t.types[np.isin(t.times, [0.25])] == 1 for t in made)


def test_types_are_set_found_and_counted_over_a_clip() -> None:
    clip = clip_of((0, 0, 0, 0, 0))
    done = with_key_type(clip, {ARM: np.array([1, 2]), HAND: np.array([0])}, KeyType.EXTREME)
    assert with_key_type(done, {ARM: np.array([1])}, KeyType.EXTREME) is done
    found = keys_of(done, list(done.tracks), [KeyType.EXTREME])
    assert {c: k.tolist() for c, k in found.items()} == {ARM: [1, 2], HAND: [0]}
    assert type_counts(done) == {
        KeyType.KEY: 12, KeyType.BREAKDOWN: 0, KeyType.INBETWEEN: 0, KeyType.EXTREME: 3, KeyType.HOLD: 0,
    }  # fmt: skip


def test_mirrored_tracks_keep_the_types_of_the_track_they_are_made_of() -> None:
    clip = busy(1)
    done = mirrored_clip(figure(plain=True), clip)
    for bone, other in (("arm_l", "arm_r"), ("arm_r", "arm_l"), ("spine", "spine"), ("hand_l", "hand_r")):
        for channel, track in clip.tracks.items():
            if channel.bone == other:
                made = done.tracks[channel._replace(bone=bone)]
                np.testing.assert_array_equal(made.types, track.types)
