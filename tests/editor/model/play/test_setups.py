"""Set-ups in the session: what is found and missing, choosing by hand, keeping by name, the drawn graph."""

from dataclasses import replace
from functools import cache

import pytest

import core.io
from core.arrays import same_value
from core.errors import ValidationError
from core.graph.graph import Graph
from core.project.project import Project
from editor.model.graph.editor import GraphEditor
from editor.model.play.setups import By, Kind, PlaySetups
from editor.model.play.state import Play
from editor.model.session import Session
from resources.sample.locomotion import FILE


@cache
def sample() -> Project:
    """The sample with a few clips alone, so that making a character is quick."""
    whole = core.io.load(FILE).project
    rig = whole.rigs[0]
    clips = [whole.clip_named(name) for name in ("idle", "walk", "run", "wave")]
    return Project({asset.id: asset for asset in (replace(rig, post_graph=None, animation=None), *clips)})


@pytest.fixture
def session(tmp_path):
    made = Session.create(tmp_path / "config", tmp_path / "data")
    made.document.replace(sample(), None)
    made.playback.set_clip(sample().clips[0].id)
    yield made
    made.close()


@pytest.fixture
def setups(session):
    return session.feature(PlaySetups)


def part(setups, what):
    return next(found for found in setups.parts() if found.what == what)


def test_what_is_there_and_what_is_missing_is_told(setups):
    assert part(setups, "idle").name == "idle" and part(setups, "idle").by is By.NAME
    assert part(setups, "crouch idle").by is By.MISSING and part(setups, "lean").by is By.MISSING
    assert part(setups, "thigh_l").title == "left thigh" and part(setups, "thigh_l").by is By.NAME
    on = {one.name: one.lacks for one in setups.behaviours}
    assert on["walk"] == () and on["foot placement"] == ()
    assert on["jump"] == ("jump start", "fall") and "land" in on["land"]


def test_a_choice_makes_a_set_up_and_undo_takes_it_away(setups, session):
    before = session.document.project
    wave = before.clip_named("wave").id
    setups.choose(Kind.CLIP, "crouch idle", wave)
    choices = session.feature(Play).choices
    assert choices.setup.name == "Set-up" and session.history.position == 1
    assert part(setups, "crouch idle").by is By.HAND
    assert next(one for one in setups.behaviours if one.name == "crouch").on
    setups.choose(Kind.CLIP, "idle", None)
    assert part(setups, "idle").by is By.LEFT_OUT and len(choices.setups) == 1
    setups.choose(Kind.CLIP, "idle", "")
    assert part(setups, "idle").by is By.NAME
    for _ in range(3):
        session.undo()
    assert same_value(session.document.project, before) and choices.setup is None


def test_a_bone_is_chosen_on_the_rig(setups, session):
    setups.choose(Kind.BONE, "head", "neck_01")
    assert part(setups, "head") == part(setups, "head").__class__(Kind.BONE, "head", "neck_01", By.HAND)
    assert session.document.project.rigs[0].roles == {"head": "neck_01"}
    setups.choose(Kind.BONE, "head", "")
    assert session.document.project.rigs[0].roles == {} and session.history.position == 2


def test_set_ups_are_kept_renamed_and_deleted_by_name(setups, session):
    choices = session.feature(Play).choices
    setups.save_as("Slow")
    setups.choose(Kind.CLIP, "idle", session.document.project.clip_named("wave").id)
    setups.save_as("Fast")
    assert [found.name for found in choices.setups] == ["Slow", "Fast"] and choices.setup.name == "Fast"
    assert choices.setup.clips == choices.setups[0].clips
    with pytest.raises(ValidationError, match="already"):
        setups.rename("Slow")
    with pytest.raises(ValidationError, match="needs a name"):
        setups.save_as("  ")
    setups.rename("Quick")
    assert choices.setup.name == "Quick"
    setups.delete()
    assert [found.name for found in choices.setups] == ["Slow"] and choices.setup.name == "Slow"
    session.undo()
    assert choices.setup.name == "Quick"


def test_the_drawn_graph_is_added_shown_and_live(setups, session):
    play, canvas = session.feature(Play), session.feature(GraphEditor).canvas
    assert setups.drawn and setups.graph_title() == "drawn from the clips"
    play.start()
    assert canvas.notice is not None and canvas.notice.action == "play.add_graph" and canvas.frame is None
    play.stop()
    assert canvas.notice is None
    setups.add_graph()
    graph = session.document.project.all(Graph)[0]
    assert not setups.drawn and setups.graph_title() == graph.name == "Locomotion"
    assert canvas.frame is None
    play.start()
    for _ in range(4):
        play.advance(1.0 / 60.0)
    assert canvas.graph.id == graph.id and len(canvas.path) == 2
    frame = canvas.frame
    machine = frame.machines[canvas.sheet.id]
    names = {node.id: node.name for node in canvas.sheet.nodes}
    assert names[machine.active] == "stand" and frame.weights[machine.active] == pytest.approx(1.0)
    assert canvas.live.value(graph.id, "speed > 1") == "false"
    step = frame.step
    play.advance(1.0 / 60.0)
    assert canvas.frame.step > step
    play.stop()
    assert canvas.frame is None
