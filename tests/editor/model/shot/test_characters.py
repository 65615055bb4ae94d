"""Second characters: which file each is of, what is read once, why one is not shown, and how it stands at a time."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.evaluator import ClipEvaluator
from core.errors import FormatError
from core.ids import AssetId
from core.math.transform import IDENTITY, Transform, to_matrix
from core.pose.kinematics import model_matrices
from core.project.project import Project
from core.shot.character import ShotCharacter
from editor.model.messages import Level
from editor.model.session import Session
from editor.model.shot import characters as module
from editor.model.shot.characters import Characters, cast_of, time_of
from tests.editor.panel_stage import small_session
from tests.editor.panels.test_working_models import Later
from tests.editor.rigs import small_clip, small_project, small_rig, tube_mesh


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def guests(session) -> Characters:
    made = session.feature(Characters)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


@pytest.fixture
def own(session) -> ShotCharacter:
    """The character of the document, as a second one, half a second later and to the left."""
    place = IDENTITY._replace(translation=np.array([2.0, 0.0, 0.0]))
    return ShotCharacter(
        AssetId("guest"), "guest", rig=session.rig.id, clip=session.clip.id, offset=0.5, place=place
    )


def files(monkeypatch, project: Project | Exception) -> list[Path]:
    """From now on every file is there and holds this project, or cannot be read; gives which were read."""
    read: list[Path] = []

    def read_character(path: Path, progress: object) -> Project:
        read.append(path)
        if isinstance(project, Exception):
            raise project
        return project

    monkeypatch.setattr("core.io.shot_files.read_character", read_character)
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    return read


def of_file(file: str = "guest.glb", **values: object) -> ShotCharacter:
    return ShotCharacter(AssetId("guest"), "guest", file=file, **values)  # type: ignore[arg-type]


# ---------------------------------------------------------------- which file
def test_a_file_is_written_and_found_relative_to_the_document(session, guests, tmp_path):
    folder = tmp_path / "films"
    rooted = str(folder / "a.glb")
    assert guests.path_of(of_file("a.glb")) == Path("a.glb") and guests.relative(Path(rooted)) == rooted
    session.document.replace(small_project(mesh=False), folder / "scene.posewright")
    assert guests.path_of(of_file("parts/a.glb")) == folder / "parts" / "a.glb"
    assert guests.path_of(of_file("../a.glb")) == tmp_path / "a.glb"
    assert guests.path_of(of_file(str(tmp_path / "else.glb"))) == tmp_path / "else.glb"
    assert guests.relative(folder / "parts" / "a.glb") == "parts/a.glb"
    assert guests.relative(tmp_path / "a.glb") == str(tmp_path / "a.glb")


def test_a_character_of_the_document_has_no_file_and_is_there_at_once(session, guests, own):
    assert guests.path_of(own) is None and guests.project(own) is session.document.project
    assert guests.problem(own) == "" and guests.cast(own).rig is session.rig


# ---------------------------------------------------------------- reading
def test_a_file_is_read_once_and_told_when_it_is_there(session, guests, monkeypatch):
    found = small_project(mesh=True)
    read, later = files(monkeypatch, found), Later()
    session.jobs.runner = later
    character = of_file()
    assert guests.project(character) is None and guests.cast(character) is None
    assert guests.appearance(character, 0.0) is None and guests.problem(character) == "reading guest.glb"
    (job,) = session.jobs.running
    assert job.title == "Read guest.glb" and guests.told == []
    later.deliver()
    assert guests.told == [1] and guests.project(character) is found and guests.problem(character) == ""
    cast = guests.cast(character)
    assert (
        cast.rig is found.rigs[0]
        and cast.meshes == found.meshes_of(cast.rig.id)
        and len(cast.meshes) == 1
        and cast.clip is None
    )
    assert read == [Path("guest.glb")] and not session.jobs.running


def test_a_file_that_is_not_there_says_what_to_do(session, guests, tmp_path):
    file = str(tmp_path / "guest.glb")
    character = of_file(file)
    assert guests.project(character) is None
    said = f"{file} is not there: put it back, or choose another file in the Shot panel"
    message = session.messages.latest
    assert (message.level, message.text) == (Level.WARNING, "A character of the shot is not shown")
    assert message.next_step == said == guests.problem(character) and guests.told == [1]
    count = len(session.messages.log)
    assert guests.project(character) is None and len(session.messages.log) == count


def test_a_file_that_cannot_be_read_is_tried_again_when_it_is_asked_for_afresh(session, guests, monkeypatch):
    read = files(monkeypatch, FormatError("guest.glb", "", "broken"))
    character = of_file()
    for count in (1, 2):
        for _ in range(2):
            assert guests.project(character) is None and "broken" in guests.problem(character)
        assert len(read) == count
        guests.told.clear()
        guests.forget()
        assert guests.told == [1]
    session.document.replace(small_project(mesh=False), None)
    assert guests.project(character) is None and len(read) == 3


def test_reading_that_is_cancelled_is_the_reason(session, guests, monkeypatch):
    files(monkeypatch, small_project())
    later = session.jobs.runner = Later()
    character = of_file()
    guests.project(character)
    session.jobs.cancel_all()
    later.deliver()
    assert (
        guests.problem(character) == "cancelled" and guests.project(character) is None and guests.told == [1]
    )


def test_a_file_that_is_put_back_is_read_when_forgotten(session, guests, monkeypatch):
    found = small_project()
    read = files(monkeypatch, found)
    character = of_file()
    before = guests.cast(character)
    assert guests.cast(character) is before
    guests.forget()
    assert guests.cast(character) is not before and len(read) == 2


def test_a_file_without_the_character_says_so(guests, monkeypatch):
    files(monkeypatch, Project({}))
    assert guests.problem(of_file()) == "reading guest.glb"
    assert guests.cast(of_file()) is None
    assert guests.problem(of_file()) == "its character is not in the file"


# ---------------------------------------------------------------- who and when
def test_rig_and_clip_are_those_named_by_id_else_by_name_else_the_first():
    rig, clip = small_rig(), small_clip(small_rig())
    twin = replace(rig, id=AssetId("rig-twin"), name="twin")
    run = replace(clip, id=AssetId("clip-run"), name="run", rig=twin.id)
    jump = replace(run, id=AssetId("clip-jump"), name="jump")
    mesh = replace(tube_mesh(rig), rig=twin.id)
    project = Project({a.id: a for a in (rig, twin, clip, run, jump, mesh)})

    def cast(**values):
        return cast_of(project, of_file(**values))

    first = cast()
    assert first.rig is rig and first.clip is None and first.pipeline is None and first.meshes == ()
    named = cast(rig_name="twin", clip_name="jump")
    assert (
        named.rig is twin and named.clip is jump and named.meshes == (mesh,) and named.pipeline.clip is jump
    )
    known = cast(rig=twin.id, rig_name="small", clip=run.id, clip_name="jump")
    assert known.rig is twin and known.clip is run
    assert cast(rig_name="twin", clip_name="none").clip is None
    assert cast(rig_name="twin", clip=clip.id).clip is None
    assert cast(rig_name="nobody") is None and cast(rig=AssetId("gone")) is None
    assert cast_of(Project({}), of_file()) is None


def test_its_time_is_its_clips(session, own):
    cast = cast_of(session.document.project, own)
    assert time_of(cast, own, 0.25) == module.clip_time(cast.clip, 0.5, 0.25)
    assert time_of(replace(cast, clip=None), own, 0.25) == 0.0


def test_it_stands_at_its_place_in_its_clips_pose(session, guests, own):
    cast = guests.cast(own)
    for time in (0.0, 0.4, 1.0):
        at = time_of(cast, own, time)
        pose = ClipEvaluator(session.rig, session.clip).sample_many(np.array([at])).pose(0)
        found = guests.appearance(own, time)
        wanted = to_matrix(own.place) @ model_matrices(session.rig.skeleton, pose.local)
        np.testing.assert_allclose(found.matrices, wanted, atol=1e-12)
    still = guests.appearance(replace(own, clip=None), 1.0)
    rest = to_matrix(own.place) @ model_matrices(session.rig.skeleton, session.rig.skeleton.rest)
    np.testing.assert_allclose(still.matrices, rest, atol=1e-12)


def test_it_is_posed_again_when_time_place_or_clip_differ_alone(session, guests, own):
    waiting = guests.appearance(own, 0.3)
    assert guests.appearance(own, 0.4) is waiting
    first = guests.appearance(own, 0.8)
    assert first is not waiting and guests.appearance(own, 0.8) is first
    place = Transform(np.array([5.0, 0.0, 0.0]), *IDENTITY[1:])
    moved = replace(own, place=place)
    assert guests.appearance(moved, 0.8).matrices[0, 0, 3] == pytest.approx(first.matrices[0, 0, 3] + 3.0)
    before = guests.cast(own)
    session.edits.put("Name", replace(session.clip, name="other"))
    assert guests.cast(own) is not before and guests.cast(own).clip is session.clip
