"""References between assets: told by each asset, checked where they change, cleared where they lead nowhere."""

from dataclasses import replace
from pathlib import Path

import pytest

import core.io
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.layer_stack import ClipLayer, LayerStack
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.errors import FormatError, MissingReferenceError, ValidationError
from core.ids import AssetId
from core.io.native import kinds
from core.io.native.write import to_bytes, write
from core.progress import Progress
from core.project.project import Project
from core.project.references import check, check_step, mended, without
from tests.editor.rigs import small_project

GONE = AssetId("clip-gone")


def full_project() -> Project:
    """One of each kind that names others."""
    project = small_project()
    rig, clip = project.rigs[0], project.clips[0]
    lean = replace(
        clip,
        id=AssetId("clip-lean"),
        name="lean",
        additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, clip.id),
    )
    space = BlendSpace(
        AssetId("space-a"), "moves", rig.id, (SpaceAxis("Speed", 0.0, 4.0, 4),),
        (SpaceSample(clip.id, (0.0,)), SpaceSample(lean.id, (2.0,))), SpaceKind.LINE, base_clip=clip.id,
    )  # fmt: skip
    stack = LayerStack(AssetId("stack-a"), "over", rig.id, clip.id, (ClipLayer("lean", lean.id),))
    return project.with_assets(lean, space, stack)


def dangling_file(path: Path) -> Path:
    """A document as the program used to save it: an aim offset on a clip that is not there."""
    project = full_project()
    space = project.all(BlendSpace)[0]
    whole = to_bytes(project.with_assets(replace(space, base_clip=AssetId("clip-tmp1"))))
    path.write_bytes(whole)
    return path


def test_every_kind_of_asset_tells_its_references_and_takes_others() -> None:
    project = full_project()
    new = {key: AssetId(f"new-{key}") for key in project.assets}
    for asset in project.assets.values():
        moved = asset.with_targets(new)
        assert moved is not None
        assert [r.target for r in moved.references()] == [new[r.target] for r in asset.references()]
        for reference in asset.references():
            cleared = asset.with_targets({reference.target: None})
            assert cleared is None or reference.target not in [r.target for r in cleared.references()]
    for kind in kinds.KINDS:
        assert hasattr(kind.type, "references") and hasattr(kind.type, "with_targets")


def test_check_of_a_reference_to_another_kind_is_refused() -> None:
    project = full_project()
    clip = project.clips[0]
    with pytest.raises(MissingReferenceError, match="no rig"):
        check(project.with_assets(replace(clip, rig=clip.id)))


def test_check_step_refuses_a_reference_that_leads_nowhere() -> None:
    project = full_project()
    space = project.all(BlendSpace)[0]
    with pytest.raises(MissingReferenceError, match="'moves' refers to 'clip-gone'"):
        check_step(project, {space.id: replace(space, base_clip=GONE)})
    check_step(project, {space.id: replace(space, base_clip=GONE), GONE: replace(project.clips[0], id=GONE)})


def test_check_step_refuses_to_remove_what_is_used() -> None:
    project = full_project()
    clip = project.clips[0]
    with pytest.raises(MissingReferenceError, match=str(clip.id)):
        check_step(project, {clip.id: None})
    users = {asset.id for asset in project.references(clip.id)}
    check_step(project, {clip.id: None, **dict.fromkeys(users)})


def test_check_step_of_a_rig_that_loses_a_rest_pose_in_use_is_refused() -> None:
    project = small_project()
    rig, clip = project.rigs[0], project.clips[0]
    tall = replace(rig, retarget_sources={"tall": rig.skeleton.rest})
    project = project.with_assets(tall, replace(clip, retarget_source="tall"))
    with pytest.raises(MissingReferenceError, match="rest pose 'tall'"):
        check_step(project, {rig.id: rig})


def test_mended_clears_what_can_be_without_and_leaves_out_what_cannot() -> None:
    project = full_project()
    clip, lean = project.clips[0], project.get(Clip, AssetId("clip-lean"))
    found = mended(Project({k: a for k, a in project.assets.items() if k != clip.id}))
    check(found.project)
    kept = found.project.get(Clip, lean.id)
    assert kept.additive is not None and kept.additive.base is AdditiveBase.REST
    space = found.project.all(BlendSpace)[0]
    assert [s.clip for s in space.samples] == [lean.id] and space.base_clip is None
    assert not found.project.all(LayerStack)  # its clip is gone
    assert len(found.notes) == 3 and all(name in " ".join(found.notes) for name in ("lean", "moves", "over"))
    assert mended(project) == (project, ())


def test_mended_without_the_rig_leaves_out_all_that_needs_it() -> None:
    project = full_project()
    found = mended(project.without(project.rigs[0].id))
    assert not found.project.assets and len(found.notes) == len(project.assets) - 1


def test_without_clears_references_to_what_is_taken_out() -> None:
    project = full_project()
    found = without(project, {AssetId("clip-lean")})
    check(found.project)
    assert [len(s.samples) for s in found.project.all(BlendSpace)] == [1]
    assert [len(s.layers) for s in found.project.all(LayerStack)] == [0]


def test_document_with_a_dangling_reference_opens_with_it_cleared_and_said(tmp_path: Path) -> None:
    loaded = core.io.load(dangling_file(tmp_path / "old.posewright"))
    assert loaded.project.all(BlendSpace)[0].base_clip is None
    assert any("moves" in note and "base clip" in note for note in loaded.report.cleared)
    assert "moves" in loaded.report.to_text()


def test_save_of_a_dangling_reference_is_refused_and_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    project = full_project()
    core.io.save(project, path)
    before = path.read_bytes()
    space = project.all(BlendSpace)[0]
    with pytest.raises(MissingReferenceError, match="moves"):
        core.io.save(project.with_assets(replace(space, base_clip=GONE)), path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["a.posewright"]


def test_save_reads_its_own_file_back_before_it_replaces_the_old_one(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.posewright"
    project = full_project()
    core.io.save(project, path)
    before = path.read_bytes()
    import core.io.native.write as module

    real = module._write

    def careless(project, file, *rest):
        written = real(project, file, *rest)
        file.seek(40)
        file.write(b"damaged")
        return written

    monkeypatch.setattr(module, "_write", careless)
    with pytest.raises(FormatError, match="read back"):
        write(project.without(AssetId("stack-a")), path, Progress())
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["a.posewright"]


def test_reference_to_itself_under_another_id_is_refused() -> None:
    project = small_project()
    with pytest.raises(ValidationError, match="filed under"):
        check_step(project, {AssetId("other"): project.clips[0]})
