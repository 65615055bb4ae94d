"""Reducing keys without its panel: why not, what ends it, what is told once; outcomes counted by hand."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.reduce import Reduction
from core.errors import ValidationError
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from core.tracks.places import KeyPlaces
from editor.model.compile_state import Compiling
from editor.model.session import Session
from editor.panels.reduce import view_model as reducing
from editor.panels.reduce.view_model import Outcome, ReduceModel, Scope, outcome_of
from tests.editor.panel_stage import small_session
from tests.editor.panels.test_working_models import Later

HEAD, ARM = Channel("head", Property.ROTATE, 1), Channel("upper_arm_l", Property.ROTATE, 0)
TIMES = np.arange(11) / 10.0


@pytest.fixture
def session():
    made = small_session(mesh=False)
    tracks = {HEAD: scalar_track(TIMES, 10.0 * TIMES), ARM: scalar_track(TIMES, np.sin(5.0 * TIMES))}
    made.edits.put("dense", replace(made.clip, tracks=tracks))
    made.said = []
    made.messages.posted.connect(lambda m: made.said.append((m.text, m.next_step, m.level.name)))
    made.jobs.runner = Later()
    yield made
    made.jobs.runner.deliver()
    made.close()


@pytest.fixture
def model(session, monkeypatch):
    def work(rig, clip, metres, meshes, channels, progress, places) -> Reduction:
        """Every second key of the channels, and what it was asked for."""
        asked.append((metres, [c.bone for c in channels], places))
        thin = {c: scalar_track(clip.tracks[c].times[::2], clip.tracks[c].values[::2]) for c in channels}
        return Reduction(clip.with_tracks(thin), 0, 0, 0.00123456, "head", 0.5)

    asked: list[tuple[float, list[str], KeyPlaces]] = []
    monkeypatch.setattr(reducing, "reduce_clip", work)
    made = ReduceModel(session)
    made.asked = asked
    made.told = []
    made.changed.connect(made.told.append)
    yield made
    made.close()


def tried(session: Session, model: ReduceModel) -> None:
    assert model.begin()
    session.jobs.runner.deliver()
    session.said.clear()
    model.told.clear()


def test_why_nothing_can_be_reduced(session, model) -> None:
    def why() -> str:
        session.said.clear()
        started = model.begin()
        assert started == (not model.why_not)
        if not started:
            assert session.said == [(f"Keys cannot be reduced: {model.why_not}", "", "INFO")]
        model.cancel()
        return model.why_not

    assert why() == ""
    session.selection.set_flag("locked", ["head"])
    assert why() == ""
    session.selection.set_flag("locked", ["head", "upper_arm_l"])
    assert why() == "every bone with keys is locked"
    model.set_scope(Scope.SELECTED)
    assert why() == "select a bone first"
    session.selection.set_flag("locked", [])
    session.selection.select(["pelvis"])
    assert why() == "select a bone first"
    session.selection.select(["pelvis", "head"])
    assert why() == ""
    model.set_scope(Scope.ALL)
    session.edits.put(
        "gone",
        replace(session.clip, tracks={Channel("tail", Property.ROTATE, 0): scalar_track([0.0], [1.0])}),
    )
    assert why() == "every bone with keys is locked"  # keys of bones that the character does not have
    session.edits.put("bare", replace(session.clip, tracks={}))
    assert why() == "the clip has no keys yet"
    session.playback.set_clip(None, session.rig.id)
    assert why() == "create or select a clip first"


def test_what_is_asked_for_and_what_is_shown_meanwhile(session, model) -> None:
    compare = session.feature(Compiling).compare
    compare.show(True)
    clip, run = session.clip, session.jobs.runner
    assert not (model.active or model.busy or model.can_apply) and model.job is None and model.shows_original
    assert model.begin() and not compare.on
    assert model.active and model.busy and model.can_apply and model.shows_original and len(model.told) == 1
    assert model.job.title == f"Reduce keys of {clip.name}" and model.job.detached
    run.deliver()
    ((metres, bones, places),) = model.asked
    assert (metres, sorted(bones), places) == (pytest.approx(0.0001), ["head", "upper_arm_l"], KeyPlaces.OWN)
    assert not model.busy and model.active and not model.shows_original and model.can_apply
    assert len(session.preview.clip.tracks[HEAD]) == 6 and session.clip is clip
    assert model.outcome == Outcome(
        22, 12, pytest.approx(1.23456), "head", pytest.approx(15.0), 0.5, model.outcome.bones
    )
    assert sorted(model.outcome.bones) == [("head", 11, 6), ("upper_arm_l", 11, 6)]
    assert model.outcome.share == 12 / 22
    model.told.clear()
    model.show_original(True)
    assert session.preview.clip is None and model.shows_original and model.told
    model.set_millimetres(0.5)
    run.deliver()
    assert session.preview.clip is None and model.shows_original  # still looked at as it was
    model.show_original(False)
    assert len(session.preview.clip.tracks[HEAD]) == 6 and not model.shows_original
    assert model.asked[-1][0] == pytest.approx(0.0005)


@pytest.mark.parametrize("begun", [False, True])
def test_each_setting_asks_again_only_where_it_differs(session, model, begun) -> None:
    session.selection.select(["upper_arm_l", "head"])
    if begun:
        tried(session, model)
    own, both = str(KeyPlaces.OWN), ["head", "upper_arm_l"]
    for act, again in (
        (lambda: model.set_millimetres(0.1), False), (lambda: model.set_millimetres(0.2), True),
        (lambda: model.set_scope(Scope.ALL), False), (lambda: model.set_scope(Scope.SELECTED), True),
        (lambda: session.selection.select(["head"]), True), (lambda: model.set_places(KeyPlaces.FRAMES), True),
        (lambda: session.preferences.set("theme", "light"), False), (lambda: model.set_scope(Scope.ALL), True),
        (lambda: session.selection.select(["upper_arm_l"]), False),
    ):  # fmt: skip
        model.told.clear()
        act()
        assert model.busy == (again and begun)
        session.jobs.runner.deliver()
        assert bool(model.told) == again
    assert model.places is KeyPlaces.FRAMES and model.scope is Scope.ALL and model.millimetres == 0.2
    assert not begun or [(m, sorted(b), str(p)) for m, b, p in model.asked[1:]] == [
        (pytest.approx(0.0002), both, own), (pytest.approx(0.0002), both, own), (pytest.approx(0.0002), ["head"], own),
        (pytest.approx(0.0002), ["head"], "frames"), (pytest.approx(0.0002), both, "frames"),
    ]  # fmt: skip


def test_keeping_is_one_step_and_waits_for_what_is_under_way(session, model) -> None:
    run, steps = session.jobs.runner, session.history.position
    tried(session, model)
    model.apply()
    assert session.history.position == steps + 1 and not model.active and session.preview.clip is None
    assert session.history.undo_label == f"Reduce keys of {session.clip.name}: 22 → 12 keys"
    assert session.said == [("22 → 12 keys, largest error 1.2346 mm", "", "INFO")]
    assert model.outcome is None and not model.can_apply
    model.apply()  # nothing is tried out
    assert session.history.position == steps + 1
    model.begin()
    model.told.clear()
    model.apply()
    assert model.busy and model.told and session.history.position == steps + 1
    run.deliver()
    assert session.history.position == steps + 2 and not model.active
    assert session.history.undo_label == f"Reduce keys of {session.clip.name}: 12 → 6 keys"
    model.begin()
    model.apply()
    model.cancel()
    run.deliver()
    assert not model.active and session.history.position == steps + 2
    model.begin()
    run.deliver()
    assert model.active and session.history.position == steps + 2  # what was asked before the cancel is over


def test_one_key_left_is_told_as_one(session, model) -> None:
    session.edits.put("two", replace(session.clip, tracks={HEAD: scalar_track([0.0, 1.0], [1.0, 1.0])}))
    tried(session, model)
    model.apply()
    assert session.said[0][0].startswith("2 → 1 key, largest")
    many = np.arange(2001) / 1000.0
    session.edits.put("many", replace(session.clip, length=2.0, tracks={HEAD: scalar_track(many, many)}))
    tried(session, model)
    model.apply()
    assert session.said[0][0].startswith("2,001 → 1,001 keys")


def test_nothing_removable_and_refusals_are_said(session, model, monkeypatch) -> None:
    steps = session.history.position
    monkeypatch.setattr(
        reducing, "reduce_clip", lambda rig, clip, *_: Reduction(clip, 0, 0, 0.0, "head", 0.0)
    )
    tried(session, model)
    assert model.outcome.share == 1.0 and not model.can_apply
    model.apply()
    assert session.said == [("No removable keys at this tolerance", "Increase the tolerance", "INFO")]
    assert session.history.position == steps and not model.active

    def refuses(*_: object) -> None:
        raise ValidationError("no room")

    monkeypatch.undo()
    monkeypatch.setattr(reducing, "reduce_clip", lambda rig, clip, *_: Reduction(
        clip.with_tracks({HEAD: scalar_track([0.0], [1.0])}), 0, 0, 0.0, "head", 0.0))  # fmt: skip
    tried(session, model)
    monkeypatch.setattr(session.edits, "put", refuses)
    model.apply()
    assert session.said == [("no room", "", "WARNING")] and not model.active


def test_the_worst_place_is_gone_to(session, model) -> None:
    model.go_to_worst()
    assert session.selection.bones == ()
    tried(session, model)
    session.playback.play()
    model.go_to_worst()
    assert (
        not session.playback.playing and session.selection.bones == ("head",) and session.playback.time == 0.5
    )


def ended(session: Session, do: Callable[[], object], model: ReduceModel) -> tuple[bool, list[str]]:
    tried(session, model)
    do()
    session.jobs.runner.deliver()
    assert model.active or (session.preview.clip is None and model.outcome is None)
    return model.active, [text for text, *_ in session.said]


def test_what_ends_it_and_what_does_not(session, model) -> None:
    changed = ["Reduction cancelled: the clip was changed"]
    put = session.edits.put
    assert ended(session, lambda: put("rig", replace(session.rig, name="x")), model) == (True, [])
    model.told.clear()
    put("rig", replace(session.rig, name="y"))
    assert model.told  # what can be reduced may differ
    assert ended(session, lambda: put("clip", replace(session.clip, length=1.5)), model) == (False, changed)
    assert session.said[0][1] == "Start again to reduce it as it is now"
    assert ended(session, lambda: session.playback.set_clip(None, session.rig.id), model) == (False, [])
    session.playback.set_clip(session.document.project.clips[0].id)
    assert ended(session, lambda: session.document.replace(session.document.project, None), model)[0] is False
    session.playback.set_clip(session.document.project.clips[0].id)
    assert ended(session, lambda: session.preview.set_clip(None), model) == (True, [])
    model.begin()
    model.told.clear()
    session.jobs.cancel(model.job)
    session.jobs.runner.deliver()
    assert not model.active and [m[0] for m in session.said] == [
        "Reducing keys was cancelled: nothing changed"
    ]
    tried(session, model)
    other = session.clip.with_tracks({HEAD: scalar_track([0.0], [2.0])})
    session.preview.set_clip(other)  # what another tool tries out is not taken away
    model.cancel()
    assert session.preview.clip is other


def test_a_failure_is_shown_until_something_is_asked_again(session, model, monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise ValidationError("no such thing")

    tried(session, model)
    with monkeypatch.context() as patch:
        patch.setattr(reducing, "reduce_clip", fails)
        model.set_millimetres(4.0)
        session.jobs.runner.deliver()
    assert (model.problem, model.outcome, model.active, model.busy) == ("no such thing", None, True, False)
    assert session.preview.clip is None and model.told
    model.set_millimetres(5.0)
    assert model.problem == "" and model.busy
    session.jobs.runner.deliver()
    session.selection.set_flag("locked", ["head", "upper_arm_l"])
    model.set_millimetres(6.0)
    assert model.problem == "every bone with keys is locked" and model.outcome is None and not model.busy
    model.cancel()
    assert model.problem == "" and not model.active


def test_work_that_is_overtaken_is_given_up(session, model) -> None:
    model.begin()
    first = model.job
    model.set_millimetres(7.0)
    assert model.job is not first and model.busy
    session.jobs.runner.deliver()
    assert not model.busy and model.asked[-1][0] == pytest.approx(0.007)
    assert session.said == []


def test_outcomes_count_the_keys_of_each_bone(session) -> None:
    head, other = HEAD._replace(axis=2), ARM
    tracks = {
        HEAD: scalar_track(TIMES, TIMES),
        head: scalar_track(TIMES[:5], TIMES[:5]),
        other: scalar_track(TIMES, TIMES),
    }
    before = replace(session.clip, rate=FrameRate.of(24), tracks=tracks)
    after = before.with_tracks({
        HEAD: scalar_track(TIMES[:2], TIMES[:2]), head: scalar_track(TIMES[:1], TIMES[:1]),
        other: scalar_track(TIMES[:7], TIMES[:7])})  # fmt: skip
    found = outcome_of(before, Reduction(after, 9, 9, 0.002, "head", 0.75), [HEAD, head, other])
    assert found == Outcome(27, 10, 2.0, "head", 18.0, 0.75, (("upper_arm_l", 11, 7), ("head", 16, 3)))
    assert outcome_of(before, Reduction(after, 9, 9, 0.0, "", 0.0), []).share == 1.0
