"""What a step keeps beside the document: where it was, in history and journal; and memory that is given back."""

import json
from pathlib import Path

import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.math import quat
from core.tracks import edits
from editor.model import recovery
from editor.model.channels import curve_channel
from editor.model.commands import ViewState
from editor.model.history import StepKind
from editor.model.journal import Journal, _Stack
from editor.model.journal_lock import lock_path
from editor.model.pending import PendingPose
from editor.model.session import Session
from tests.editor.rigs import small_project

CHANNEL = Channel("upper_arm_l", Property.ROTATE, 1)


@pytest.fixture
def session(tmp_path: Path):
    made = Session.create(tmp_path / "config", tmp_path)
    made.document.replace(small_project(mesh=False), None)
    yield made
    made.close()


def put_value(session: Session, value: float) -> None:
    clip = session.clip
    session.edits.put(
        f"value {value}", clip.with_tracks({CHANNEL: edits.set_value(clip.scalar(CHANNEL), 0.5, value)})
    )


def at(session: Session, time: float, *bones: str) -> None:
    session.playback.seek(time)
    session.selection.select(bones)


def view(session: Session) -> tuple:
    return session.playback.clip, session.playback.time, session.selection.bones


def recovered(session: Session) -> recovery.Recovered:
    session.journal.flush()
    lock_path(session.journal.path).write_text(json.dumps({"pid": 1, "start": "another"}))
    return recovery.recover(session.journal.path)


def test_redo_shows_what_the_step_led_to_and_undo_where_it_was_made(session: Session) -> None:
    first = session.playback.clip
    at(session, 0.5, "hand_l")
    made = session.clips.new("other")
    assert session.playback.clip == made
    at(session, 1.5, "head")
    session.undo()
    assert view(session) == (first, 0.5, ("hand_l",))
    at(session, 1.0, "spine")
    session.redo()
    assert session.playback.clip == made  # of the clip that redo brings back, not of that of before
    at(session, 0.25, "foot_l")
    put_value_of = session.document.project
    session.history.go_to(0)
    session.history.go_to(1)
    assert same_value(dict(session.document.project.assets), dict(put_value_of.assets))


@pytest.mark.parametrize("steps", ["", "u", "ur", "uur"])
def test_a_recovered_document_shows_where_its_last_step_was(session: Session, steps: str) -> None:
    places = [(0.25, "hand_l"), (0.75, "head"), (1.25, "foot_r")]
    for number, (time, bone) in enumerate(places):
        at(session, time, bone)
        put_value(session, float(number + 1))
        at(session, 2.0, "spine")  # the view goes on
    done = len(places)
    for step in steps:
        session.undo() if step == "u" else session.redo()
        done += -1 if step == "u" else 1
    # the step that was done, undone or redone last tells the view
    last = done - 1 if not steps or steps[-1] == "r" else done
    time, bone = places[last]
    found = recovered(session).view
    assert (found.clip, found.time, found.bones) == (session.clip.id, time, (bone,))


def test_a_recovered_step_shows_the_clip_that_it_made(session: Session) -> None:
    at(session, 0.5, "hand_l")
    made = session.clips.new("other")
    assert recovered(session).view.clip == made


def test_a_recovered_undone_step_shows_where_it_was_made(session: Session) -> None:
    first = session.playback.clip
    at(session, 0.5, "hand_l")
    session.clips.new("other")
    at(session, 0.25, "head")
    session.undo()
    found = recovered(session).view
    assert (found.clip, found.time, found.bones) == (first, 0.5, ("hand_l",))


def test_undone_states_do_not_come_back_after_a_new_step(session: Session) -> None:
    put_value(session, 1.0)
    put_value(session, 2.0)
    session.undo()
    session.undo()
    put_value(session, 3.0)
    assert session.history.labels == ("value 3.0",)
    assert session.redo() is None or session.clip.scalar(CHANNEL).values[1] == 3.0
    put_value(session, 4.0)
    session.undo()
    found = recovered(session)
    assert found.project.clips[0].scalar(CHANNEL).values[1] == 3.0 and not found.problem


def test_numbers_of_states_are_never_used_twice() -> None:
    """A state that was undone and given up keeps its number: a new step must not be read as it."""
    stack, seen = _Stack(), set()
    for kind in "dduudurdduud":
        kinds = {"d": StepKind.DO, "u": StepKind.UNDO, "r": StepKind.REDO}
        written, _, end = stack.step(kinds[kind])
        if written is StepKind.DO:
            assert end not in seen
            seen.add(end)


def test_a_journal_of_steps_with_a_new_one_after_an_undo_leads_to_the_last(tmp_path: Path) -> None:
    project = small_project(mesh=False)
    journal = Journal(tmp_path / "journal")
    journal.begin(project, None, on_disk=False)
    states = [project]

    def step(kind: StepKind, after) -> None:
        journal.record(kind, "step", ViewState(), states[-1], after)
        states.append(after)

    def named(n: int):
        return type(project)(project.assets, {"n": n})

    step(StepKind.DO, named(1))
    step(StepKind.DO, named(2))
    step(StepKind.UNDO, named(1))
    step(StepKind.DO, named(3))
    step(StepKind.UNDO, named(1))
    step(StepKind.REDO, named(3))
    journal.flush()
    lock_path(journal.path).write_text("{}")
    found = recovery.recover(journal.path)
    assert found.project.settings["n"] == 3 and found.steps == 6 and not found.problem
    journal.close()


def test_memory_of_undone_steps_is_given_back_when_a_new_one_takes_their_place(session: Session) -> None:
    put_value(session, 0.5)
    session.history.count()
    alone = session.history.memory
    for value in range(30):
        put_value(session, float(value + 1))
    session.history.count()
    assert session.history.memory > 5 * alone
    session.history.go_to(1)
    put_value(session, 99.0)
    session.history.count()
    assert session.history.memory < 3 * alone + 2000
    session.history.clear()
    assert session.history.memory == 0


def test_memory_of_dropped_steps_is_given_back(session: Session) -> None:
    for value in range(20):
        put_value(session, float(value + 1))
    session.history.count()
    whole = session.history.memory
    session.history.max_bytes = whole // 2
    session.history.count()
    assert session.history.dropped > 0 and session.history.memory <= whole // 2


# ---------------------------------------------------------------- the pending pose


def test_pending_bones_and_weights_stay_beside_each_other_until_they_are_dropped() -> None:
    project = small_project(mesh=False)
    rig, pending = project.rigs[0], PendingPose()
    from core.pose.pose import rest_pose

    rest, told = rest_pose(rig), []
    pending.changed.connect(told.append)
    head, hand = rig.skeleton.index("head"), rig.skeleton.index("hand_l")
    turned = rest.with_bone(head, rotation=quat.from_axis_angle([1.0, 0.0, 0.0], 0.3))
    moved = rest.with_bone(hand, translation=[0.5, 0.0, 0.0])
    pending.put(rig, turned, ["head"])
    pending.put(rig, moved, ["hand_l"])
    weight = curve_channel("speed")
    pending.put_weights(rig, {weight: 0.5})
    assert (
        set(pending.bones) == {"head", "hand_l"} and dict(pending.weights) == {weight: 0.5} and len(told) == 3
    )
    spine = rest.with_bone(rig.skeleton.index("spine"), translation=[0.0, 0.5, 0.0])
    pending.put(rig, spine, ["spine"])
    assert dict(pending.weights) == {weight: 0.5}  # which a bone more does not take away
    pending.drop(["spine"])
    over = pending.over(rig, rest)
    assert over.rotations[head] == pytest.approx(turned.rotations[head])
    assert over.translations[hand] == pytest.approx([0.5, 0.0, 0.0])
    assert over.curves["speed"] == 0.5
    back = pending.kept()
    pending.drop(["head"])
    assert set(pending.bones) == {"hand_l"} and pending.weights and pending.rig == rig.id
    pending.drop_weights([weight])
    assert not pending.weights and set(pending.bones) == {"hand_l"}
    back()
    assert set(pending.bones) == {"head", "hand_l"} and dict(pending.weights) == {weight: 0.5}
    pending.drop()
    assert not pending and pending.rig is None
    assert pending.over(rig, rest) is rest


def test_what_is_pending_of_one_rig_says_nothing_of_another() -> None:
    from dataclasses import replace

    from core.ids import AssetId
    from core.pose.pose import rest_pose

    rig, pending = small_project(mesh=False).rigs[0], PendingPose()
    other = replace(rig, id=AssetId("rig-other"))
    pending.put(rig, rest_pose(rig), ["head"])
    pending.put_weights(rig, {curve_channel("speed"): 1.0})
    rest = rest_pose(other)
    assert pending.over(other, rest) is rest
    pending.put(other, rest, ["spine"])
    assert set(pending.bones) == {"spine"} and not pending.weights and pending.rig == other.id


def test_a_pending_pose_is_keyed_where_the_playhead_is_and_survives_scrubbing(session: Session) -> None:
    session.keying.auto = False
    at(session, 0.5, "head")
    head = session.rig.skeleton.index("head")
    turned = session.evaluator.pose().with_bone(head, rotation=quat.from_axis_angle([0.0, 1.0, 0.0], 0.4))
    session.keying.commit_pose("turn", turned, ["head"])
    session.playback.seek(1.0)
    assert session.evaluator.pose().rotations[head] == pytest.approx(turned.rotations[head])
    assert session.history.position == 0 and set(session.keying.pending) == {"head"}
    session.keying.set_key()
    track = session.clip.scalar(Channel("head", Property.ROTATE, 1))
    assert track.times.tolist() == [1.0] and track.values[0] == pytest.approx(22.918, abs=1e-3)
    assert not session.keying.pending
