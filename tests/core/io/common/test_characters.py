"""Several characters in one file: told apart, chosen, and written together."""

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.errors import FormatError
from core.ids import AssetId
from core.io import load, save
from core.io.bvh.options import BvhReadOptions
from core.io.common.characters import OBJECTS, told_apart
from core.io.common.compare import compared
from core.io.fbx.options import FbxWriteOptions
from core.io.gltf.options import GltfWriteOptions
from core.io.usd.options import UsdWriteOptions
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Interpolation
from tests.core.io import making

NEEDS = {".fbx": "ufbx", ".usda": "pxr"}
TOGETHER = {
    ".glb": GltfWriteOptions(together=True),
    ".fbx": FbxWriteOptions(together=True),
    ".usda": UsdWriteOptions(together=True),
}


def pair(bones=9):
    """Two figures of the same bone names, each with a mesh and a clip of the same name."""
    project = Project()
    for number, name in enumerate(("Anna", "Bert")):
        rng = np.random.default_rng(number)
        rig = Rig(AssetId(f"rig-{name}"), name, making.skeleton(rng, [f"b{i}" for i in range(bones)]))
        body = making.mesh(rng, rig.id, rig.skeleton.names, f"{name} body", morphs=("smile",), texture=False)
        turning = making.turning(rng, at=np.array([0.0, 0.5, 1.0]), interpolations=Interpolation.LINEAR)
        tracks = {Channel(f"b{bone}", Property.ROTATE, WHOLE): turning for bone in (0, 3, 5)}
        weight = making.scalar(rng, at=np.array([0.0, 1.0]), interpolations=Interpolation.LINEAR)
        clip = Clip(
            AssetId(f"clip-{name}"),
            "dance",
            rig.id,
            1.0,
            tracks=tracks,
            morphs={f"{name} body/smile": weight},
        )
        project = project.with_assets(rig, body, clip)
    return project


def chain(*lengths, start=-1):
    """Parents of chains, one after the other, each below `start`."""
    parents = [] if start < 0 else [-1] * (start + 1)
    for length in lengths:
        first = len(parents)
        parents += [start, *range(first, first + length - 1)]
    return np.array(parents)


def names_of(parents):
    return [f"n{bone}" for bone in range(len(parents))]


def test_two_skinned_branches_are_two_characters():
    parents = chain(3, 2)
    found = told_apart(parents, names_of(parents), range(5), [{0, 1, 2}, {3, 4}], ["Anna", ""])
    assert [(c.name, c.bones) for c in found] == [("Anna", (0, 1, 2)), ("n3", (3, 4))]


def test_one_skin_over_two_branches_is_one_character():
    parents = chain(3, 2)
    assert told_apart(parents, names_of(parents), range(5), [{0, 4}], [""]) == []


def test_long_branches_without_skins_are_characters_and_short_ones_stay_by_themselves():
    parents = chain(9, 8, 3)
    found = told_apart(parents, names_of(parents), range(20))
    assert [(c.name, len(c.bones)) for c in found] == [("n0", 9), ("n9", 8), (OBJECTS, 3)]
    parents = chain(20, 3)
    assert told_apart(parents, names_of(parents), range(23)) == []


def test_roots_below_one_armature_are_one_character():
    parents = chain(9, 9, start=0)
    assert told_apart(parents, names_of(parents), range(1, 19)) == []


def test_armatures_below_one_node_are_characters_that_share_it():
    parents = np.array([-1, 0, 1, 2, 0, 4, 5])  # scene → two armatures, each with two joints
    found = told_apart(parents, names_of(parents), [2, 3, 5, 6], [{2, 3}, {5, 6}], ["", ""])
    assert [(c.name, c.bones) for c in found] == [("n1", (0, 1, 2, 3)), ("n4", (0, 4, 5, 6))]


def test_rigid_things_skinned_to_one_bone_each_are_no_characters():
    parents = chain(1, 1, 1)
    assert told_apart(parents, names_of(parents), range(3), [{0}, {1}, {2}], [""] * 3) == []


def test_labels_tell_apart_and_together():
    parents = chain(2, 2, 2)
    found = told_apart(parents, names_of(parents), range(6), labels={0: "Anna", 2: "Bert", 4: "Anna"})
    assert [(c.name, c.bones) for c in found] == [("Anna", (0, 1, 4, 5)), ("Bert", (2, 3))]


@pytest.mark.parametrize("suffix", TOGETHER)
def test_characters_written_together_come_back_as_they_were(suffix, tmp_path):
    pytest.importorskip(NEEDS.get(suffix, "numpy"))
    project = pair()
    report = save(project, tmp_path / f"both{suffix}", TOGETHER[suffix])
    assert not any("one file holds one" in text for text in report.left_out)
    loaded = load(tmp_path / f"both{suffix}")
    assert loaded.report.characters == ["Anna", "Bert"]
    for rig, other in zip(project.rigs, loaded.project.rigs, strict=True):
        assert set(other.skeleton.names) == set(rig.skeleton.names)
        pairs = [(bone, other.skeleton.index(name)) for bone, name in enumerate(rig.skeleton.names)]
        for bone, twin in pairs:
            above = rig.skeleton.parent(bone)
            assert other.skeleton.parent(twin) == (-1 if above < 0 else dict(pairs)[above])
        (clip,), (twin_clip,) = project.clips_of(rig.id), loaded.project.clips_of(other.id)
        assert twin_clip.name == "dance"
        found = compared("", rig, other, clip, twin_clip, pairs, False)
        assert found.millimetres < 0.01
        assert found.degrees < 0.01
        (mesh,) = loaded.project.meshes_of(other.id)
        assert mesh.name.replace("_", " ") == f"{rig.name} body"
        assert list(twin_clip.morphs) == [f"{mesh.name}/smile"]


def test_one_character_is_chosen_by_name_and_all_are_told(tmp_path):
    save(pair(), tmp_path / "both.glb", GltfWriteOptions(together=True))
    loaded = load(tmp_path / "both.glb", character="Bert")
    assert loaded.report.characters == ["Anna", "Bert"]
    assert [rig.name for rig in loaded.project.rigs] == ["Bert"]
    assert len(loaded.project.clips) == 1
    assert "characters: Anna, Bert" in loaded.report.to_text()
    assert loaded.report.renamed == []  # both have their own names again
    with pytest.raises(FormatError, match="there are: Anna, Bert"):
        load(tmp_path / "both.glb", character="Carl")


def test_glb_written_together_has_a_skin_for_each_and_names_of_its_own_for_clips(tmp_path):
    save(pair(), tmp_path / "both.glb", GltfWriteOptions(together=True))
    data = (tmp_path / "both.glb").read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    assert [animation["name"] for animation in document["animations"]] == ["dance", "dance.001"]
    joints = [set(skin["joints"]) for skin in document["skins"]]
    assert len(joints) == 2
    assert not joints[0] & joints[1]


def test_two_figures_in_one_bvh_are_rigs_of_their_own_unless_asked_together(tmp_path):
    project = pair()
    rig = project.rigs[0]
    parents = np.array([-1, *range(8)])  # one root
    rig = replace(rig, skeleton=Skeleton(rig.skeleton.names, parents, rig.skeleton.rest))
    save(Project().with_assets(rig, *project.clips_of(rig.id)), tmp_path / "a.bvh")
    text = (tmp_path / "a.bvh").read_text()
    head, _, motion = text.partition("MOTION\n")
    lines = motion.splitlines()
    both = (
        head
        + head.replace("HIERARCHY\n", "")
        + "MOTION\n"
        + "\n".join([*lines[:2], *(f"{x} {x}" for x in lines[2:])])
    )
    (tmp_path / "b.bvh").write_text(both)
    alone = load(tmp_path / "a.bvh").project.rigs[0].skeleton
    loaded = load(tmp_path / "b.bvh")
    assert [r.skeleton.names for r in loaded.project.rigs] == [alone.names] * 2
    joined = load(tmp_path / "b.bvh", options=BvhReadOptions(apart=False)).project
    assert len(joined.rigs) == 1
    assert len(joined.rigs[0].skeleton.roots()) == 2 * len(alone.roots())
