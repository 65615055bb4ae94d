"""What a journal writes of a project is read back the same."""

import json
from dataclasses import replace
from enum import Enum
from pathlib import Path

import numpy as np
import pytest

import core.io
from core.arrays import constant, same_value
from core.errors import ValidationError
from core.rig.mesh import Mesh
from core.tracks import edits
from editor.model.codec import decode, difference, encode, pack, patched, unpack
from tests.editor.model.journals import CHANNEL
from tests.editor.rigs import small_project

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright"


def test_encode_and_decode_give_equal_projects() -> None:
    project = small_project()
    arrays: list = []
    packed, blob = pack(encode(project, arrays), arrays)
    data, back = unpack(json.loads(json.dumps(packed)), b"".join(blob))
    assert same_value(decode(data, back), project)


@pytest.mark.parametrize("shape", [(5,), (4000,), (3, 4)])
def test_an_array_of_one_number_is_written_as_that_number_and_stays_one(shape) -> None:
    arrays: list = []
    even = constant(2.5, shape[0]) if len(shape) == 1 else np.broadcast_to(2.5, shape)
    written = encode(even, arrays)
    assert arrays == [] and len(json.dumps(written)) < 60
    back = decode(json.loads(json.dumps(written)), arrays)
    assert same_value(back, even) and back.shape == shape and not any(back.strides)
    for uneven in (np.arange(5.0), np.full(5, 2.5), np.zeros(0)):
        encode(uneven, arrays)
    assert len(arrays) == 3


def test_bones_of_a_mesh_are_read_from_journals_that_call_them_joints() -> None:
    mesh = next(asset for asset in small_project().assets.values() if isinstance(asset, Mesh))
    arrays: list[np.ndarray] = []
    kind, name, values = encode(mesh, arrays)
    assert "bones" in values
    values["joints"] = values.pop("bones")
    assert same_value(decode([kind, name, values], arrays), mesh)
    other = replace(mesh, bones=tuple(reversed(mesh.bones)))
    arrays.clear()
    kind, changes = difference(mesh, other, arrays)
    changes["joints"] = changes.pop("bones")
    assert patched(mesh, [kind, changes], arrays).bones == other.bones


def test_difference_holds_only_the_arrays_that_changed() -> None:
    project = small_project()
    clip = project.clips[0]
    track = edits.set_value(clip.scalar(CHANNEL), 0.5, 3.0)
    after = project.with_assets(clip.with_tracks({CHANNEL: track}))
    arrays: list = []
    data = difference(project, after, arrays)
    assert sum(a.nbytes for a in arrays) < 300
    packed, blob = pack(data, arrays)
    read, back = unpack(json.loads(json.dumps(packed)), b"".join(blob))
    result = patched(project, read, back)
    assert same_value(result, after) and result.rigs[0] is project.rigs[0]


def test_difference_keeps_the_order_of_what_was_moved() -> None:
    project = small_project()
    turned = type(project)(dict(reversed(project.assets.items())), {"a": 1})
    arrays: list = []
    result = patched(project, difference(project, turned, arrays), arrays)
    assert list(result.assets) == list(turned.assets) and result.settings["a"] == 1


def test_every_asset_of_the_sample_character_survives_the_journal_s_codec():
    """Its graph's variables have a kind that was written but not known when read: nothing could be recovered."""
    project = core.io.load(SAMPLE).project
    arrays: list = []
    written = json.loads(json.dumps(encode(project, arrays)))
    assert same_value(dict(decode(written, arrays).assets), dict(project.assets))


def test_codec_refuses_to_write_an_enumeration_that_it_could_not_read():
    with pytest.raises(ValidationError, match="cannot write a Unknown down"):
        encode(Enum("Unknown", ["A"]).A, [])


@pytest.mark.parametrize(("extents", "readable"), [((1,) * 8, True), ((1,) * 9, False), ((-1,), False)])
def test_arrays_have_eight_extents_at_most_and_none_below_zero(
    extents: tuple[int, ...], readable: bool
) -> None:
    packed = [None, [["<f8", list(extents)]]]
    if not readable:
        with pytest.raises(ValidationError, match="shape"):
            unpack(packed, bytes(8))
        return
    _, (array,) = unpack(packed, bytes(8))
    assert array.shape == extents
