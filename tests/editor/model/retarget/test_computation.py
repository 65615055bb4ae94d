"""The result of a retarget: worked out again when something of it changes; and where its source comes from."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.progress import Progress
from core.project.project import Project
from editor.model.messages import Level
from editor.model.retarget import computation as computing
from editor.model.retarget.source import read_source, source_of
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from tests.editor.model.retarget.stage import SMALL, SWING, counted, two_characters
from tests.editor.model.retarget.test_retargeting import JUMP, TALL, WALK, tall_clips, tall_rig
from tests.editor.panels.test_working_models import Later
from tests.editor.rigs import small_project


@pytest.fixture
def session() -> Iterator[Session]:
    made = two_characters()
    yield made
    made.close()


@pytest.fixture
def fresh(session) -> Retargeting:
    """Nothing is chosen yet."""
    return session.feature(Retargeting)


@pytest.fixture
def ready(fresh) -> Retargeting:
    """The taller character is the source, and the result is there."""
    fresh.use_rig(TALL)
    return fresh


# ---------------------------------------------------------------- working it out
def test_while_it_is_worked_out_that_is_so_and_there_is_no_result_yet(session, fresh):
    later = session.jobs.runner = Later()
    told = counted(fresh.computation.changed)
    fresh.use_rig(TALL)
    assert fresh.computation.busy and fresh.computation.result is None and told == [1]
    assert fresh.computation.spans == ()
    (job,) = session.jobs.running
    assert job.title == "Retarget walk"
    later.deliver()
    assert not fresh.computation.busy and fresh.computation.result is not None and told == [2]
    assert fresh.computation.spans == fresh.computation.result.spans


def test_another_clip_is_worked_out_and_the_same_one_is_not(ready):
    told = counted(ready.changed)
    before = ready.computation.result
    ready.set_clip(WALK)
    assert told == [0] and ready.computation.result is before
    ready.set_clip(JUMP)
    assert told[0] > 0 and ready.computation.result is not before
    assert ready.computation.result.report.clip == "jump"


def test_a_change_meanwhile_is_worked_out_after_that_and_only_the_last_result_counts(session, fresh):
    later = session.jobs.runner = Later()
    fresh.use_rig(TALL)
    fresh.set_clip(JUMP)
    fresh.set_clip(WALK)
    fresh.set_clip(JUMP)
    assert len(session.jobs.running) == 1
    later.deliver()
    assert fresh.computation.busy and fresh.computation.result is None
    (job,) = session.jobs.running
    assert job.title == "Retarget jump"
    later.deliver()
    assert not fresh.computation.busy and not session.jobs.running
    assert fresh.computation.result.report.clip == "jump"
    assert session.messages.latest is None or session.messages.latest.level < Level.WARNING


def test_the_result_of_another_clip_or_source_is_not_kept_meanwhile(session, ready):
    later = session.jobs.runner = Later()
    for work in (lambda: ready.set_clip(JUMP), lambda: ready.use_rig(TALL)):
        assert ready.computation.result is not None
        work()
        assert ready.computation.busy and ready.computation.result is None
        later.deliver()


def test_work_that_is_cancelled_leaves_the_result_there_was(session, ready):
    before = ready.computation.result
    later = session.jobs.runner = Later()
    ready.edits.choose("Floor", floor=0.1)
    session.jobs.cancel(session.jobs.running[0])
    later.deliver()
    assert not ready.computation.busy and ready.computation.result is before


@pytest.mark.parametrize(
    "error, said", [(ValidationError("no legs"), 0), (ZeroDivisionError("by nothing"), 1)]
)
def test_a_failure_is_the_reason_and_one_of_the_program_is_reported(session, ready, monkeypatch, error, said):
    def fail(*_):
        raise error

    monkeypatch.setattr(computing, "run", fail)
    before = len(session.messages.log)
    told = counted(ready.changed)
    ready.edits.choose("Floor", floor=0.1)
    assert ready.computation.result is None and not ready.computation.busy and told[0] > 0
    assert ready.computation.problem == ready.computation.why_not == str(error)
    found = session.messages.log[before:]
    assert len(found) == said
    if said:
        assert (found[0].level, found[0].text) == (Level.ERROR, "ZeroDivisionError: by nothing")
        assert found[0].next_step == "Please report this"
    monkeypatch.undo()
    ready.edits.choose("Floor", floor=0.2)
    assert ready.computation.problem == "" and ready.computation.result is not None


def test_a_map_that_is_refused_is_not_worked_out_and_says_why(session, ready):
    later = session.jobs.runner = Later()
    chains = replace(ready.subject.chains, refused="no legs in common")
    ready.subject.change("Map", chains=chains)
    assert not session.jobs.running and later.waiting == []
    assert ready.computation.result is None and ready.computation.why_not == "no legs in common"
    assert ready.outcome.commit_all() is None and session.messages.latest.text == "no legs in common"


def test_the_result_is_of_the_target_shown(session, ready):
    assert ready.computation.result.clip.rig == SMALL
    session.edits.put("Name", replace(session.rig, name="small again"))
    assert ready.computation.result.clip.rig == SMALL


def test_a_change_of_the_target_is_worked_out_again_and_one_of_another_asset_is_not(session, ready):
    before = ready.computation.result
    session.edits.put("Name", replace(session.clip, name="other"))
    assert ready.computation.result is before
    session.edits.put("Name", replace(session.rig, name="other"))
    assert ready.computation.result is not before


def test_a_step_undone_brings_its_map_and_what_is_lit_back(session, ready):
    ready.edits.set_bones("head", ["Tall_chest", "Tall_head"], ["chest", "head"])
    ready.pick.look_at("head")
    told = counted(ready.pick.changed)
    session.undo()
    assert ready.subject.pair("head").source == ("Tall_head",) and ready.pick.source_bones == ("Tall_head",)
    assert told[0] > 0
    session.redo()
    assert ready.pick.source_bones == ("Tall_chest", "Tall_head")


def test_without_a_source_undo_takes_nothing_up(session, ready):
    ready.edits.choose("Floor", floor=0.1)
    ready.clear()
    session.undo()
    assert ready.subject.setup is None and ready.computation.result is None


def test_another_character_is_the_target_from_now_on(session, ready):
    ready.pick.look_at("head")
    session.playback.set_clip(None, TALL)
    assert ready.subject.target.id == TALL and ready.pick.chain is None
    assert not ready.subject.has_other_target()
    assert ready.computation.result.clip.rig == TALL


# ---------------------------------------------------------------- source
def test_others_are_characters_with_clips_and_not_the_target(session, fresh):
    assert [rig.id for rig in fresh.others()] == [TALL]
    session.edits.put("bare", replace(session.rig, id=AssetId("rig-bare"), name="bare"))
    assert [rig.id for rig in fresh.others()] == [TALL]
    session.playback.set_clip(WALK)
    assert [rig.id for rig in fresh.others()] == [SMALL]


def test_a_new_source_forgets_what_was_looked_at_made_and_picked(session, ready):
    ready.outcome.commit()
    ready.use_rig(TALL)
    ready.pick.look_at("head")
    ready.pick.set_picking(True)
    ready.outcome.reports = (ready.computation.result.report,)
    ready.use_rig(TALL)
    assert ready.pick.chain is None and not ready.pick.picking and ready.outcome.reports == ()
    assert ready.live.on


def test_another_document_begins_without_a_source(session, ready):
    assert ready.live.on
    session.document.replace(small_project(mesh=False), None)
    assert ready.subject.source is None and not ready.live.on and ready.computation.result is None


def test_a_file_without_an_animation_is_refused_in_words(session, fresh, monkeypatch):
    loaded = type("Loaded", (), {"project": small_project(mesh=False, clip=False)})
    monkeypatch.setattr("core.io.load", lambda path, progress: loaded)
    fresh.load(Path("folder/still.glb"))
    message = session.messages.latest
    assert message.level is Level.ERROR
    assert message.text == "still.glb holds no clip to retarget: choose a file with an animation"
    assert fresh.subject.source is None


def test_a_file_is_read_as_a_job_and_its_moving_character_becomes_the_source(session, fresh, monkeypatch):
    tall = tall_rig()
    still = replace(tall, id=AssetId("rig-still"), name="still")
    loaded = type("Loaded", (), {"project": Project({a.id: a for a in (still, tall, *tall_clips(tall))})})
    monkeypatch.setattr("core.io.load", lambda path, progress: loaded)
    job = fresh.load(Path("folder/tall.glb"))
    source = fresh.subject.source
    assert (
        job.title == "Read tall.glb" and source.title == "tall.glb" and source.path == Path("folder/tall.glb")
    )
    assert source.rig is tall and [clip.id for clip in source.clips] == [WALK, JUMP]
    assert source.clip(JUMP) is source.clips[1] and source.clip(AssetId("x")) is source.clip(None) is None


def test_a_file_with_broken_references_is_refused(monkeypatch):
    tall = tall_rig()
    walk, jump = tall_clips(tall)
    lost = replace(jump, rig=AssetId("rig-gone"))
    loaded = type("Loaded", (), {"project": Project({a.id: a for a in (tall, walk, lost)})})
    monkeypatch.setattr("core.io.load", lambda path, progress: loaded)
    with pytest.raises(MissingReferenceError):
        read_source(Path("a.glb"), Progress())


def test_a_character_of_the_document_goes_by_its_name(session):
    found = source_of(session.document.project, session.rig)
    assert found.title == session.rig.name and found.path is None and found.meshes == ()
    assert [clip.id for clip in found.clips] == [SWING]
