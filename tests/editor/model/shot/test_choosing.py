"""Which prop is meant where none is selected, and what comes of files that are added to the shot."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import FormatError
from core.ids import AssetId
from core.math.transform import IDENTITY
from core.shot.camera import ShotCamera
from core.shot.prop import Hold
from editor.model.messages import Level
from editor.model.session import Session
from editor.model.shot import importing
from editor.model.shot.choosing import _away, held_meant, prop_meant
from editor.model.shot.state import Shot
from tests.editor.panel_stage import small_session
from tests.editor.verb_stages import _prop


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def shot(session) -> Shot:
    _prop(session, None)
    found = session.feature(Shot)
    found.select(None)
    return found


def another(shot: Shot, name: str, place=(0.0, 0.0, 0.0), **values):
    """A prop like the first, at a place."""
    first = shot.props[0]
    offset = IDENTITY._replace(translation=np.array(place))
    made = replace(first, id=AssetId(f"prop-{name}"), name=name, holds=(Hold(0.0, offset),), **values)
    shot.put("Add", made)
    return made


def named(prop) -> str | None:
    return None if prop is None else prop.name


# ---------------------------------------------------------------- attached
def test_without_props_none_is_meant(session):
    assert prop_meant(session.feature(Shot)) is None and held_meant(session.feature(Shot)) is None


def test_the_only_prop_in_sight_is_meant_also_without_a_bone(session, shot):
    shot._last_bone = None
    session.selection.select(())
    assert named(prop_meant(shot)) == "box"
    another(shot, "hidden", visible=False)
    assert named(prop_meant(shot)) == "box"
    shot.put("Hide", replace(shot.props[0], visible=False))
    assert prop_meant(shot) is None


def test_the_selected_prop_is_meant_whatever_is_near_and_nothing_else_that_is_selected(session, shot):
    far = another(shot, "far", (50.0, 0.0, 0.0))
    session.selection.select(["hand_l"])
    shot.select(far.id)
    assert named(prop_meant(shot)) == "far" and named(held_meant(shot)) == "far"
    shot.add(ShotCamera(AssetId("camera"), "camera"))
    assert prop_meant(shot) is None and held_meant(shot) is None


def test_of_several_the_one_whose_surface_is_nearest_to_the_bone_is_meant(session, shot):
    session.selection.select(["hand_l"])
    bone = shot.holder_matrix()[:3, 3]
    near, far = another(shot, "near", (0.5, 0.0, 0.0)), another(shot, "far", (5.0, 0.0, 0.0))
    for prop in (near, far):
        place = prop.holds[0].offset.translation
        points = np.concatenate([mesh.positions for mesh in prop.meshes]) + place
        assert _away(shot, prop, bone) == pytest.approx(np.linalg.norm(points - bone, axis=1).min(), rel=1e-6)
    assert named(prop_meant(shot)) == "box"
    shot.put("Hide", replace(shot.props[0], visible=False))
    assert named(prop_meant(shot)) == "near"
    session.selection.select(())
    shot._last_bone = None
    assert prop_meant(shot) is None


def test_a_prop_that_is_nowhere_is_the_farthest(session, shot):
    other = replace(session.rig, id=AssetId("rig-other"), name="other")
    lost = another(shot, "lost")
    session.edits.put("Lost", other, replace(lost, holds=(Hold(0.0, IDENTITY, "head", other.id),)))
    session.selection.select(["hand_l"])
    found = next(prop for prop in shot.props if prop.name == "lost")
    assert _away(shot, found, np.zeros(3)) == float("inf") and named(prop_meant(shot)) == "box"


# ---------------------------------------------------------------- released
def test_the_only_prop_that_is_held_now_is_meant(session, shot):
    assert held_meant(shot) is None
    session.selection.select(["hand_l"])
    session.playback.seek(0.5)
    shot.attach(shot.props[0])
    session.selection.select(["head"])
    assert named(held_meant(shot)) == "box"
    session.playback.seek(0.0)
    assert held_meant(shot) is None


def test_of_several_held_ones_that_of_the_bone_is_meant(session, shot):
    another(shot, "cup")
    for bone, name in (("hand_l", "box"), ("hand_r", "cup")):
        session.selection.select([bone])
        shot.attach(next(prop for prop in shot.props if prop.name == name))
    assert named(held_meant(shot)) == "cup"
    session.selection.select(["hand_l"])
    assert named(held_meant(shot)) == "box"
    session.selection.select(["head"])
    assert held_meant(shot) is None
    another(shot, "pen")
    session.selection.select(["hand_l"])
    shot.attach(next(prop for prop in shot.props if prop.name == "pen"))
    assert held_meant(shot) is None
    shot.put("Hide", replace(next(prop for prop in shot.props if prop.name == "pen"), visible=False))
    assert named(held_meant(shot)) == "box"


# ---------------------------------------------------------------- files
@pytest.mark.parametrize("count, words", [(1, "1 camera"), (2, "2 cameras")])
def test_cameras_of_a_file_are_added_in_one_step_and_counted(session, monkeypatch, count, words):
    read = []

    def cameras(path, progress):
        read.append((path, progress))
        return tuple(ShotCamera(AssetId(f"camera-{n}"), f"shot {n}") for n in range(count))

    monkeypatch.setattr(importing, "read_shot_cameras", cameras)
    steps = session.history.position
    importing.import_cameras(session, Path("films/set.usd"))
    assert [c.name for c in session.feature(Shot).cameras] == [f"shot {n}" for n in range(count)]
    assert session.history.position == steps + 1 and read[0][0] == Path("films/set.usd")
    assert session.messages.latest.text == f"Imported {words} of set.usd"
    assert session.messages.latest.level is Level.INFO


def test_a_file_of_meshes_becomes_a_prop(session, shot, monkeypatch):
    prop = replace(shot.props[0], id=AssetId("prop-cup"), name="cup")
    monkeypatch.setattr(importing, "read_prop", lambda path, progress: prop)
    importing.import_prop(session, Path("films/cup.obj"))
    assert [p.name for p in shot.props] == ["box", "cup"] and shot.selected.name == "cup"
    assert session.messages.latest.text == "Imported cup.obj as a prop"


@pytest.mark.parametrize("reader, verb", [
    ("read_prop", importing.import_prop), ("read_shot_cameras", importing.import_cameras),
])  # fmt: skip
def test_a_file_that_cannot_be_read_is_told_and_changes_nothing(session, monkeypatch, reader, verb):
    def fail(path, progress):
        raise FormatError("cup.obj", "", "broken")

    monkeypatch.setattr(importing, reader, fail)
    project = session.document.project
    verb(session, Path("films/cup.obj"))
    message = session.messages.latest
    assert (message.level, message.text) == (Level.ERROR, "cup.obj was not imported")
    assert "broken" in message.next_step and session.document.project is project


def test_a_file_is_read_as_a_job_named_after_it(session, monkeypatch):
    titles = []
    session.jobs.changed.connect(lambda _: titles.extend(job.title for job in session.jobs.running))
    monkeypatch.setattr(importing, "read_prop", lambda path, progress: pytest.fail("read"))
    session.jobs.runner = lambda work, then: None
    importing.import_prop(session, Path("films/cup.obj"))
    assert titles == ["Read cup.obj"]


def test_a_second_character_goes_by_its_files_name(session, tmp_path):
    shot = session.feature(Shot)
    importing.add_character(session, tmp_path / "guest.glb")
    (guest,) = shot.characters
    assert guest.name == "guest" and guest.file == str(tmp_path / "guest.glb") and shot.selected is guest
    assert session.history.labels[-1] == "Add guest to the shot"
