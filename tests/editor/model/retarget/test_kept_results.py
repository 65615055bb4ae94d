"""Results of a retarget that are put into the document: steps, names, reports, what is shown and said."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ValidationError
from core.retarget.contacts import ContactSpan
from core.retarget.report import name_of
from editor.model.retarget import outcome as outcomes
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from tests.editor.model.retarget.stage import SMALL, SWING, counted, two_characters
from tests.editor.model.retarget.test_retargeting import JUMP, TALL, WALK
from tests.editor.panels.test_working_models import Later


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


# ---------------------------------------------------------------- kept in the document
def test_a_new_session_has_made_nothing():
    made = Session.create()
    found = made.feature(Retargeting)
    assert (
        found.outcome.reports == () and found.computation.result is None and found.computation.problem == ""
    )
    assert not found.pick.picking and not found.pick.watched and found.pick.chain is None
    made.close()


def test_a_result_is_kept_in_one_step_shown_at_the_same_time_and_told(session, ready):
    session.playback.seek(0.4)
    steps, told = session.history.position, counted(ready.outcome.changed, ready.changed)
    assert ready.outcome.commit()
    made = session.clip
    assert session.history.position == steps + 1 and session.history.labels[-1] == "Retarget walk onto small"
    assert made.rig == SMALL and made.name == "walk 2" and session.playback.time == pytest.approx(0.4)
    assert made.id not in (WALK, ready.computation.result.clip.id)
    assert not made.curves and [r.clip for r in ready.outcome.reports] == ["walk"]
    assert session.messages.latest.text == "Added clip “walk 2” to small"
    assert session.messages.latest.next_step == "The eye in the retarget panel shows source and preview again"
    assert told[0] == 1 and told[1] >= 1
    session.undo()
    assert made.id not in session.document.project.assets


def test_while_a_result_is_worked_out_none_is_kept(session, ready):
    session.jobs.runner = Later()
    ready.edits.choose("Floor", floor=0.1)
    steps = session.history.position
    assert not ready.outcome.commit() and session.history.position == steps
    assert session.messages.latest.text == "wait: the result is being computed"
    assert ready.outcome.reports == ()


def test_nothing_is_kept_without_a_source(session, fresh):
    assert not fresh.outcome.commit() and session.messages.latest.text == "choose a source first"
    assert fresh.outcome.commit_all() is None and len(session.messages.log) == 2


def test_all_clips_are_kept_in_one_step_and_the_first_is_shown(session, ready):
    steps, told = session.history.position, counted(ready.outcome.changed)
    job = ready.outcome.commit_all()
    assert job.title == "Retarget tall" and told == [1]
    assert (
        session.history.position == steps + 1 and session.history.labels[-1] == "Retarget 2 clips onto small"
    )
    own = [clip for clip in session.document.project.clips if clip.rig == SMALL and clip.id != SWING]
    assert [clip.name for clip in own] == ["walk 2", "jump 2"] and session.clip is own[0]
    assert [report.clip for report in ready.outcome.reports] == ["walk", "jump"]
    assert not any(report.failure for report in ready.outcome.reports)


def test_a_clip_that_fails_is_told_and_the_others_are_kept(session, ready, monkeypatch):
    plain = outcomes.retarget_clip

    def one_fails(rig, clip, *rest, **options):
        if clip.id == WALK:
            raise ValidationError("too fast")
        return plain(rig, clip, *rest, **options)

    monkeypatch.setattr(outcomes, "retarget_clip", one_fails)
    ready.outcome.commit_all()
    assert [(r.clip, r.failure) for r in ready.outcome.reports] == [("walk", "too fast"), ("jump", "")]
    assert ready.outcome.reports[0].source == "tall"
    assert session.clip.name == "jump 2" and session.history.labels[-1] == "Retarget 1 clip onto small"


def test_where_every_clip_fails_there_is_no_step_but_reports(session, ready, monkeypatch):
    def fail(*_, **__):
        raise ValidationError("too fast")

    monkeypatch.setattr(outcomes, "retarget_clip", fail)
    steps, told = session.history.position, counted(ready.outcome.changed)
    ready.outcome.commit_all()
    assert session.history.position == steps and told == [1]
    assert [r.failure for r in ready.outcome.reports] == ["too fast"] * 2


def test_names_of_one_run_are_told_apart(session, ready):
    walk, jump = ready.subject.source.clips
    ready.set_source(replace(ready.subject.source, clips=(walk, replace(jump, name="walk"))))
    ready.outcome.commit_all()
    own = [clip.name for clip in session.document.project.clips if clip.rig == SMALL and clip.id != SWING]
    assert own == ["walk 2", "walk 3"]


def test_each_clip_is_made_with_the_contacts_that_were_edited_for_it(session, ready, monkeypatch):
    spans = (ContactSpan("left foot", 0, 1, 5),)
    ready.edits.set_spans(spans, "Contacts")
    plain, seen = outcomes.retarget_clip, {}

    def noted(rig, clip, target, chains, options, **rest):
        seen[clip.id] = options.lock.spans
        return plain(rig, clip, target, chains, options, **rest)

    monkeypatch.setattr(outcomes, "retarget_clip", noted)
    ready.outcome.commit_all()
    assert seen == {WALK: spans, JUMP: None}


@pytest.mark.parametrize("curves", [False, True])
def test_contacts_become_curves_where_that_is_chosen(session, ready, curves):
    ready.edits.choose("Curves", curves=curves)
    ready.edits.set_spans((ContactSpan("left foot", 0, 1, 5),), "Contacts")
    ready.outcome.commit()
    assert ("contact_left_foot" in session.clip.curves) is curves


def test_a_result_is_named_like_the_file_of_a_single_clip(session, ready):
    source = ready.subject.source
    path = Path("folder/run.bvh")
    ready.set_source(replace(source, path=path, clips=source.clips[:1]))
    ready.outcome.commit()
    assert session.clip.name == name_of("walk", path, 1)
    ready.set_source(replace(source, path=path))
    ready.outcome.commit()
    assert session.clip.name == "walk 2"
