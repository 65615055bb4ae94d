"""Names that are no UTF-8, hold halves of surrogate pairs, or are very long; links that lead to themselves."""

import os
import sys
from dataclasses import replace

import pytest

from core.arrays import same_value
from core.cli.main import main
from core.clips.clip import Channel, Notify, Property
from core.errors import FormatError
from core.io import load, save
from core.io.common.naming import cut_at, printable, stem_of
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import MirrorSetup
from core.tracks.keys import scalar_track
from tests.core.io import making

NEEDS = {".fbx": "ufbx", ".usda": "pxr", ".usdc": "pxr"}
ODD = "caf\udce9_\udcff"
"""How Python tells the bytes of ``café`` in Latin-1, and one that is nothing."""
LONE = "a\ud800b\udcff"
bytes_names = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode here")


@bytes_names
@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".fbx", ".usda", ".usdc", ".bvh", ".posewright"])
def test_file_whose_name_is_no_utf8_is_saved_opened_and_saved_again(suffix, tmp_path, capsys):
    pytest.importorskip(NEEDS.get(suffix, "numpy"))
    path = tmp_path / f"{ODD}{suffix}"
    save(making.small(), path)
    assert os.fsencode(path.name).startswith(b"caf\xe9_\xff")
    loaded = load(path).project
    loaded.rigs[0].name.encode("utf-8")  # can be shown and written
    save(loaded, tmp_path / f"again{suffix}")
    assert len(load(tmp_path / f"again{suffix}").project.rigs[0].skeleton) == len(loaded.rigs[0].skeleton)
    assert main(["info", str(path)]) == 0
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".fbx", ".usda", ".bvh", ".csv"])
def test_names_with_halves_of_surrogate_pairs_are_written_as_text_and_said(suffix, tmp_path):
    pytest.importorskip(NEEDS.get(suffix, "numpy"))
    project = making.with_clip(making.small(), {}, 1.0)
    rig = project.rigs[0]
    bad = [replace(rig, name=LONE), *(replace(clip, name=LONE) for clip in project.clips)]
    for mesh in project.all(Mesh):
        morphs = tuple(replace(m, name=f"{LONE}{n}") for n, m in enumerate(mesh.morphs))
        materials = tuple(replace(m, name=f"{LONE}{n}") for n, m in enumerate(mesh.materials))
        bad.append(replace(mesh, name=LONE, morphs=morphs, materials=materials))
    report = save(project.with_assets(*bad), tmp_path / f"a{suffix}")
    assert any("no text" in line and "“a?b?”" in line for line in report.warnings), report
    if suffix != ".csv":
        for asset in load(tmp_path / f"a{suffix}").project.assets.values():
            asset.name.encode("utf-8")


def test_document_keeps_names_with_halves_of_surrogate_pairs(tmp_path):
    """Two bones that differ in such a half alone became one name, and the file could not be opened again."""
    project = making.with_clip(making.small(), {}, 1.0)
    rig, clip = project.rigs[0], project.clips[0]
    names = (*rig.skeleton.names[:-2], "a\ud800", "a\udcff")
    key = Channel("a\udcff", Property.ROTATE, 0)
    odd = replace(
        clip,
        name=LONE,
        tracks={key: scalar_track([0.0], [1.0])},
        curves={LONE: scalar_track([0.0], [1.0])},
        notifies=(Notify(LONE, 0.5, data={LONE: "\udcff"}),),
    )
    skeleton = replace(rig.skeleton, names=names)
    renamed = replace(rig, name=LONE, skeleton=skeleton, mirror=MirrorSetup())
    project = Project({rig.id: renamed, odd.id: odd})
    report = save(project, tmp_path / "a.posewright")
    found = load(tmp_path / "a.posewright").project
    assert not report.warnings and same_value(dict(found.assets), dict(project.assets))
    save(found, tmp_path / "b.posewright")
    assert (tmp_path / "a.posewright").read_bytes() == (tmp_path / "b.posewright").read_bytes()


@bytes_names
def test_command_tells_of_a_name_that_is_no_utf8(tmp_path, capfd):
    assert main(["info", str(tmp_path / f"{ODD}.glb")]) == 1


def test_name_is_cut_between_characters():
    assert cut_at("日本語", 7) == "日本" and cut_at("abc", 7) == "abc" and cut_at("é", 1) == ""
    assert printable(LONE) == "a?b?"


@bytes_names
def test_stem_of_a_name_that_is_no_utf8_can_be_shown(tmp_path):
    assert stem_of(tmp_path / f"{ODD}.glb") == "caf?_?"


def test_file_with_as_long_a_name_as_there_can_be_is_saved(tmp_path):
    path = tmp_path / ("日" * 80 + ".posewright")  # 251 bytes: 255 is what most file systems take
    save(making.small(), path)
    save(making.small(), path)
    assert load(path).project.rigs and len(list(tmp_path.iterdir())) == 1


def test_batch_cuts_long_names_of_clips_at_bytes(tmp_path):
    project = making.small()
    clip = replace(making.with_clip(project, {}, 1.0).clips[0], name="走" * 120)
    save(project.with_assets(clip, replace(clip, id="clip-b", name="歩")), tmp_path / "a.posewright")
    words = [
        "batch",
        str(tmp_path / "a.posewright"),
        "--to",
        str(tmp_path / "out"),
        "--format",
        "bvh",
        "--each",
    ]
    assert main([*words, "--no-check"]) == 0
    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert len(names) == 2 and max(len(os.fsencode(name)) for name in names) <= 255


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_link_to_itself_is_told_when_read_and_when_written(tmp_path):
    path = tmp_path / "loop.glb"
    path.symlink_to(path)
    with pytest.raises(FormatError, match=r"loop\.glb: cannot be read|link"):
        load(path)
    with pytest.raises(FormatError, match="leads back to itself"):
        save(making.small(), path)
    assert path.is_symlink() and len(list(tmp_path.iterdir())) == 1
