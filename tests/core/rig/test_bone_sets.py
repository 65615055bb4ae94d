"""Bone sets of a rig: made, changed, carried to another rig, and kept in files with their colours."""

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property
from core.clips.key_types import with_key_type
from core.clips.moving_bones import bones_with_keys, frames_between, moving_bones
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.io.native import rig_schema
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math.transform import Transform
from core.project.differences import differences
from core.project.project import Project
from core.rig import bone_sets
from core.rig.set_color import SetColor
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import scalar_track
from tests.core.io import making


@pytest.fixture
def rig():
    return making.small().rigs[0]


def test_set_is_made_changed_and_deleted(rig):
    names = rig.skeleton.names
    one = bone_sets.with_set(rig, "ends", reversed(names[:2]))
    assert one.bone_sets["ends"] == names[:2], "in the order of the skeleton"
    color = bone_sets.color_of(one, "ends")
    assert color is not SetColor.GRAY
    two = bone_sets.with_set(one, "rest", names[1:])
    assert bone_sets.color_of(two, "rest") is not color, "a new set gets a color that is free"
    assert bone_sets.with_set(two, "rest", names[1:]) is two
    more = bone_sets.without_bones(bone_sets.with_bones(two, "ends", names), "ends", names[:1])
    assert more.bone_sets["ends"] == names[1:]
    called = bone_sets.renamed(bone_sets.recolored(more, "ends", SetColor.PINK), "ends", " tips ")
    assert [n for n in called.bone_sets if n not in rig.bone_sets] == ["tips", "rest"]
    assert bone_sets.color_of(called, "tips") is SetColor.PINK
    assert bone_sets.bones_of_colors(called, (SetColor.PINK,)) == names[1:]
    gone = bone_sets.without_set(called, "tips")
    assert "tips" not in gone.bone_sets and "tips" not in gone.set_colors


def test_what_cannot_be_is_refused(rig):
    rig = bone_sets.with_set(rig, "a", rig.skeleton.names[:1])
    rig = bone_sets.with_set(rig, "b", rig.skeleton.names[:1])
    with pytest.raises(ValidationError, match="already"):
        bone_sets.renamed(rig, "a", "b")
    with pytest.raises(ValidationError, match="delete the set"):
        bone_sets.without_bones(rig, "a", rig.skeleton.names)
    with pytest.raises(MissingReferenceError, match="'c'"):
        bone_sets.recolored(rig, "c", SetColor.RED)
    for name, bones in (("", rig.skeleton.names[:1]), ("x", ())):
        with pytest.raises(ValidationError):
            bone_sets.with_set(rig, name, bones)
    with pytest.raises(MissingReferenceError):
        bone_sets.with_set(rig, "x", ("no such bone",))


def test_sets_are_carried_where_names_match(rig):
    names = rig.skeleton.names
    source = bone_sets.with_set(rig, "some", names[:2], SetColor.TEAL)
    mine = bone_sets.with_set(rig, "own", names[:1])
    both = bone_sets.carried(mine, source)
    assert both.bone_sets["some"] == names[:2] and bone_sets.color_of(both, "some") is SetColor.TEAL
    assert both.bone_sets["own"] == names[:1]
    assert bone_sets.carried(both, source) is both


def test_colors_are_kept_in_files_and_differ(rig):
    project = Project().with_assets(bone_sets.with_set(rig, "some", rig.skeleton.names[:2], SetColor.TEAL))
    back = from_bytes(to_bytes(project))
    assert bone_sets.color_of(back.rigs[0], "some") is SetColor.TEAL
    assert not differences(project, back)
    other = project.with_assets(bone_sets.recolored(project.rigs[0], "some", SetColor.RED))
    assert [found.what for found in differences(project, other)] == ["set colors"]


def test_rig_of_version_6_gets_colors_in_turn():
    document = {"schema": "posewright.rig", "version": 6, "bone_sets": {"a": ["x"], "b": ["y"]}}
    assert rig_schema.SCHEMA.upgraded(document)["set_colors"] == {"a": "red", "b": "orange"}


def test_moving_bones_are_those_that_change_whatever_the_sign_of_a_quaternion():
    times = frames_between(FrameRate.of(30), 0.1, 20.0)
    assert times[0] == 0.1 and times[-1] == 20.0 and len(times) > 512

    def sample(at):
        local = Transform(np.zeros((len(at), 3, 3)), np.zeros((len(at), 3, 4)), np.ones((len(at), 3, 3)))
        local.rotation[..., 3] = 1.0
        local.rotation[1::2, 0] *= -1.0  # the same rotation
        local.translation[at > 19.0, 1, 2] = 0.001
        local.scale[:, 2, 0] = 1.0 + at
        return local

    assert moving_bones(sample, times) == (1, 2)
    assert moving_bones(sample, times[times < 18.0]) == (2,)
    assert moving_bones(sample, times[:0]) == ()


def test_bones_with_keys_of_a_type_in_a_span():
    tracks = {Channel(bone, Property.ROTATE, 0): scalar_track([0.0, 1.0], [0.0, 1.0]) for bone in ("a", "b")}
    clip = Clip(AssetId("c"), "c", AssetId("r"), 1.0, FrameRate.of(30), tracks=tracks)
    clip = with_key_type(clip, {Channel("b", Property.ROTATE, 0): np.array([1])}, KeyType.HOLD)
    assert bones_with_keys(clip, (KeyType.KEY,)) == {"a", "b"}
    assert bones_with_keys(clip, (KeyType.HOLD, KeyType.EXTREME)) == {"b"}
    assert bones_with_keys(clip, (KeyType.HOLD,), (0.5, 1.0)) == {"b"}
    assert not bones_with_keys(clip, (KeyType.HOLD,), (0.0, 0.9))
