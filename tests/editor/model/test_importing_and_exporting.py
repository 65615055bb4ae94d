"""Importing into a document and exporting of it: what comes along, what is shown, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

import core.io
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.errors import ValidationError
from core.ids import AssetId
from core.io import ExportReport, ImportReport
from core.progress import Progress
from core.project.project import Project
from editor.model.importing import Imported, fitting, read_for_import, with_fresh_ids
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.rigs import small_clip, small_project, small_rig

RIG, CLIP = AssetId("rig-small"), AssetId("clip-small")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session.create(tmp_path / "config", tmp_path / "data")
    made.document.replace(small_project(), None)
    yield made
    made.close()


def imported(project: Project, name: str = "walk.glb") -> Imported:
    return Imported(Path("/x") / name, project, ImportReport("glTF"), ())


def test_import_shows_what_came_and_is_one_step(session: Session) -> None:
    assert session.files.accept(imported(small_project()))
    assert session.history.labels == ("Import walk.glb",) and session.clip.name == "swing 2"
    assert session.clip.id != CLIP and session.rig.id not in (RIG, None) and session.playback.time == 0.0
    assert session.preferences.recent == (Path("/x/walk.glb"),)
    assert session.files.origins.first == Path("/x/walk.glb")
    assert session.files.origins.made_here([session.clip]) == ()
    session.undo()
    assert [clip.id for clip in session.document.project.clips] == [CLIP] and session.clip.id == CLIP


def test_import_of_a_character_without_clips_shows_it(session: Session) -> None:
    assert session.files.accept(imported(small_project(clip=False)))
    assert session.clip is None and session.rig.id != RIG


def test_import_onto_a_character_brings_the_clips_chosen_as_plain_ones(session: Session) -> None:
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME)
    clip = replace(small_clip(small_rig()), id=AssetId("clip-a"), name="a", additive=additive)
    project = small_project().with_assets(clip)
    assert session.files.accept(imported(project), onto=RIG, clips=[clip.id])
    assert [c.name for c in session.document.project.clips] == ["swing", "a"]
    assert session.clip.additive is None
    assert session.clip.rig == RIG and session.clip.id != clip.id and len(session.document.project.rigs) == 1


@pytest.mark.parametrize(
    ("onto", "words"), [(RIG, "holds no clip to import"), (None, "holds nothing to import")]
)
def test_import_of_nothing_is_refused(session: Session, onto: AssetId | None, words: str) -> None:
    empty = Project() if onto is None else small_project(clip=False)
    with pytest.raises(ValidationError, match=words):
        session.files.accept(imported(empty), onto=onto)
    assert session.history.labels == ()


def test_a_file_fits_characters_that_have_every_bone_it_moves(tmp_path: Path) -> None:
    project = small_project(mesh=False)
    few = replace(small_rig(), id=AssetId("rig-few"), name="few")
    names = tuple("arm" if name == "lower_arm_l" else name for name in few.skeleton.names)
    few = replace(few, skeleton=replace(few.skeleton, names=names), mirror=type(few.mirror)())
    assert fitting(project.with_assets(few), project) == (RIG,)
    assert fitting(project, small_project(clip=False)) == ()
    path = tmp_path / "a.posewright"
    core.io.save(project, path)
    found = read_for_import(project, path, None, Progress())
    assert found.path == path and found.fits == (RIG,) and found.project.clips[0].name == "swing"


def test_fresh_ids_keep_their_kinds_and_their_references() -> None:
    project = small_project()
    fresh = with_fresh_ids(Project(project.assets, {"n": 1}))
    assert not set(fresh.assets) & set(project.assets) and dict(fresh.settings) == {"n": 1}
    assert [id.partition("-")[0] for id in fresh.assets] == ["rig", "mesh", "clip"]
    assert {fresh.clips[0].rig, fresh.meshes_of(fresh.rigs[0].id)[0].rig} == {fresh.rigs[0].id}


def test_export_tells_where_and_what(session: Session, tmp_path: Path) -> None:
    heard: list[tuple[Path, ExportReport]] = []
    session.files.exported.connect(heard.append)
    path = tmp_path / "a.glb"
    job = session.files.export(path)
    assert job.title == "Export a.glb" and [file for file, _ in heard] == [path] and path.exists()
    latest = session.messages.latest
    assert (latest.level, latest.text) == (Level.INFO, "Exported a.glb") and latest.next_step
    (tmp_path / "file").write_text("")
    session.files.export(tmp_path / "file" / "b.glb")
    assert session.messages.latest.level is Level.ERROR and len(heard) == 1


def test_what_is_exported_are_the_clips_and_meshes_asked_for(session: Session) -> None:
    other = replace(session.clip, id=AssetId("clip-other"), name="other")
    session.edits.put("other", other, replace(small_rig(), id=AssetId("rig-other"), name="b"))
    for clips, meshes, expected in (
        (None, True, {RIG, CLIP, other.id, AssetId("mesh-small")}),
        ([other.id], False, {RIG, other.id}),
        ([], True, {RIG, AssetId("mesh-small")}),
    ):
        assert set(session.files.exportable(RIG, clips, meshes).assets) == expected
