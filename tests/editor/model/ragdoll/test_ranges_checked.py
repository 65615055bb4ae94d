"""Clips against the ranges of bodies: what cannot be checked, how often it is told, where a row leads, widening."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from core.rig.propose_bodies import propose_bodies
from editor.model.messages import Level
from editor.model.ragdoll import check as module
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.check import RangeCheck
from editor.model.session import Session
from tests.editor.panel_stage import small_session
from tests.editor.panels.test_working_models import Later

ARM = "upper_arm_l"


@pytest.fixture
def session() -> Iterator[Session]:
    """Bodies whose left arm hardly turns, which the clip does by 20 degrees, the most of it at frames 20 and 40."""
    made = small_session(mesh=False)
    plan = propose_bodies(made.rig)
    for axis in range(len(plan.body(ARM).axes)):
        plan = plan.with_body(plan.body(ARM).with_range(axis, -1.0, 1.0))
    made.edits.put("bodies", replace(made.rig, body_plan=plan))
    made.feature(Bodies).symmetric = False
    yield made
    made.feature(Bodies).symmetric = True
    made.close()


@pytest.fixture
def check(session) -> RangeCheck:
    made = session.feature(RangeCheck)
    made.told = []
    made.changed.connect(lambda _: made.told.append(made.job is not None))
    return made


def arm(check: RangeCheck):
    return next(row for row in check.rows if row.excess.bone == ARM)


def test_before_a_check_there_is_nothing(check):
    assert check.rows is None and check.checked == 0 and check.job is None and not check.stale


def test_a_check_finds_the_clip_that_leaves_a_range_and_says_so_at_both_ends(session, check):
    later = session.jobs.runner = Later()
    assert check.run() and check.job is not None and check.job.title == "Check ranges"
    assert check.told == [True]
    later.deliver()
    assert check.job is None and check.told[-1] is False and check.checked == 1 and not check.stale
    row = arm(check)
    assert row.clip == session.clip.id and round(row.time * 30.0, 6) in (20.0, 40.0)


def test_the_window_waits_for_a_short_check(session, check, monkeypatch):
    waited = []
    monkeypatch.setattr(session.jobs, "start", lambda job, grace=0.0: waited.append(grace))
    check.run()
    assert waited == [module.GRACE] and 0.0 < module.GRACE < 0.1


def test_what_is_missing_is_said_in_the_order_of_the_work(session, check):
    assert check.why_not == ""
    additive = replace(session.clip, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST))
    session.edits.put("Additive", additive)
    assert check.why_not == "the character has no clips to check"
    session.feature(Bodies).clear()
    assert check.why_not == "propose bodies first"
    session.document.replace(Project({}), None)
    assert check.why_not == "open or import a character first"
    assert not check.run()
    message = session.messages.latest
    assert (message.level, message.text) == (
        Level.INFO, "Ranges cannot be checked: open or import a character first",
    )  # fmt: skip
    assert check.job is None and check.rows is None


def test_bodies_clips_and_their_number_make_a_check_stale(session, check):
    check.run()
    session.edits.put("Name", replace(session.clip, name="other"))
    assert check.stale
    session.undo()
    assert not check.stale
    session.edits.put("More", replace(session.clip, id=AssetId("clip-more"), name="more"))
    assert check.stale
    session.undo()
    session.feature(Bodies).set_mass(ARM, 9.0)
    assert check.stale
    check.run()
    assert not check.stale


def test_another_edit_of_the_character_does_not_make_it_stale_but_is_told(session, check):
    check.run()
    check.told.clear()
    session.edits.put("Name", replace(session.rig, name="other"))
    assert not check.stale and check.told == [False]


def test_a_new_check_takes_the_place_of_the_one_under_way(session, check):
    later = session.jobs.runner = Later()
    check.run()
    first = check.job
    check.run()
    assert check.job is not first and session.jobs.running == (check.job,)
    later.deliver()
    assert check.job is None and check.rows is not None


def test_a_check_is_cancelled_and_told_once(session, check):
    session.jobs.runner = Later()
    check.run()
    check.told.clear()
    check.cancel()
    assert check.job is None and check.told == [False] and not session.jobs.running and check.rows is None
    check.cancel()
    assert check.told == [False]


def test_a_job_that_is_cancelled_elsewhere_ends_the_check(session, check):
    session.jobs.runner = Later()
    check.run()
    check.told.clear()
    session.jobs.cancel_all()
    assert check.job is None and check.told == [False]


def test_a_failure_is_said_and_keeps_what_was_found(session, check, monkeypatch):
    check.run()
    before = check.rows

    def fail(*_):
        raise ValidationError("no poses")

    monkeypatch.setattr(module, "check_ranges", fail)
    check.told.clear()
    assert check.run()
    message = session.messages.latest
    assert (message.level, message.text) == (Level.ERROR, "Checking ranges failed: no poses")
    assert check.job is None and check.rows is before and check.told[-1] is False


@pytest.mark.parametrize("error", [None, ValidationError("no poses")])
def test_what_comes_of_a_check_that_was_given_up_is_not_taken(session, check, monkeypatch, error):
    """Its job is taken away from the list, as of a window that waits for the worker."""
    later = session.jobs.runner = Later()
    if error is not None:
        monkeypatch.setattr(module, "check_ranges", lambda *_: (_ for _ in ()).throw(error))
    check.run()
    first, check._job = check._job, None
    said = len(session.messages.log)
    later.deliver()
    assert first.finished and check.rows is None and check.checked == 0 and len(session.messages.log) == said


# ---------------------------------------------------------------- going there
def test_a_row_is_gone_to_with_its_clip_bone_and_time(session, check):
    check.run()
    row = arm(check)
    session.playback.set_clip(None, session.rig.id)
    session.playback.play()
    check.go(row)
    assert session.clip.id == row.clip and session.selection.bones == (ARM,) and not session.playback.playing
    assert session.playback.time == pytest.approx(row.time)
    shown = []
    session.playback.clip_changed.connect(lambda _: shown.append(1))
    session.playback.play()
    check.go(row)
    assert shown == [] and not session.playback.playing


def test_a_row_of_a_clip_that_is_gone_is_said(session, check):
    check.run()
    row = arm(check)
    session.edits.remove("Delete", row.clip)
    session.selection.select(["head"])
    check.go(row)
    assert session.messages.latest.text == "“swing” is not in the document any more"
    assert session.selection.bones == ("head",)


# ---------------------------------------------------------------- widening
def test_ranges_are_widened_in_one_step_and_checked_again(session, check):
    check.run()
    joints = {(row.excess.bone, row.excess.axis) for row in check.rows}
    steps = session.history.position
    assert check.widen() and session.history.position == steps + 1 and check.rows == () and not check.stale
    words = "1 range" if len(joints) == 1 else f"{len(joints)} ranges"
    assert session.history.labels[-1] == f"Widen {words} to fit"
    assert not check.widen() and session.messages.latest.text == "No clip leaves a range"
    assert session.history.position == steps + 1


def test_chosen_rows_alone_are_widened(session, check):
    check.run()
    row = arm(check)
    before = session.rig.body_plan
    assert check.widen([row]) and session.history.labels[-1] == "Widen 1 range to fit"
    after = session.rig.body_plan
    assert [b.bone for b in after.bodies if b != before.body(b.bone)] == [ARM]
    assert all(r.excess.bone != ARM or r.excess.axis != row.excess.axis for r in check.rows)
    assert not check.widen([]) and session.messages.latest.text == "No clip leaves a range"


def test_before_a_check_nothing_is_widened(session, check):
    assert not check.widen() and session.messages.latest.text == "No clip leaves a range"


def test_ranges_that_fit_already_are_no_step_and_no_check(session, check):
    check.run()
    rows = check.rows
    check.widen()
    session.jobs.runner = Later()
    assert not check.widen(rows) and check.job is None


def test_without_bodies_nothing_is_widened(session, check):
    check.run()
    rows = check.rows
    session.feature(Bodies).clear()
    with pytest.raises(AnimError, match="propose bodies first"):
        check.widen(rows)
    session.document.replace(Project({}), None)
    with pytest.raises(AnimError, match="open or import a character first"):
        check.widen(rows)


# ---------------------------------------------------------------- upkeep
def test_what_was_found_is_of_the_character_that_it_was_found_for(session, check):
    check.run()
    twin = replace(session.rig, id=AssetId("rig-twin"), name="twin")
    session.edits.put("Twin", twin)
    session.playback.set_clip(None, session.rig.id)
    assert check.rows is not None
    check.told.clear()
    session.playback.set_clip(None, twin.id)
    assert check.rows is None and not check.stale and check.told == [False]
    session.playback.set_clip(None, session.rig.id)
    assert check.told == [False]


def test_another_document_forgets_what_was_found(session, check):
    check.run()
    check.told.clear()
    session.document.replace(small_session(mesh=False).document.project, None)
    assert check.rows is None and check.told != [] and not check.stale
