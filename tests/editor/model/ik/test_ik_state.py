"""IK of a session without a window: set-ups edited, goals keyed in a space, weights, pins, the journal."""

import re
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from core.errors import ValidationError
from core.ik import feet, keyed
from core.ik.body import PinKind, Reach
from core.ik.chain import model_of
from core.ik.ground import Ground
from core.rig.ik_setup import IkSolver, IkSpace, IkTarget
from editor.model import codec
from editor.model.ik import edits, goals
from editor.model.ik.state import IkState
from editor.tools.ik.marks import chain_marks
from tests.editor.model.test_edit_jobs import Threads
from tests.editor.panel_stage import small_session

HEAD = IkTarget(IkSpace.BONE, "head")


@pytest.fixture
def session():
    made = small_session()
    edits.propose(made)
    yield made
    made.close()


def place(session, bone: str, frame: float | None = None) -> np.ndarray:
    pose = session.evaluator.pose() if frame is None else session.evaluator.sampled_pose(frame / 30)
    return model_of(session.rig.skeleton, pose.local, session.rig.skeleton.index(bone)).translation


def test_journal_keeps_set_ups(session):
    edits.toggle(session, ("Left arm",))
    arrays: list = []
    written = codec.encode(session.rig.ik_setups, arrays)
    assert codec.decode(written, arrays) == session.rig.ik_setups


def test_proposing_twice_adds_nothing(session):
    steps = session.history.position
    assert edits.propose(session) == 0
    assert session.history.position == steps


def test_shift_i_on_a_hand_turns_its_chain_on_and_off(session):
    session.selection.select(("hand_l",))
    assert edits.toggle(session)
    assert [s.name for s in session.feature(IkState).enabled] == ["Left arm"]
    assert session.feature(IkState).reach_of("hand_l") is Reach.LIMB
    assert session.feature(IkState).reach_of("head") is Reach.BONE
    edits.toggle(session)
    assert not session.feature(IkState).enabled


def test_removed_set_up_takes_its_curves_along_and_undo_brings_both_back(session):
    edits.match(session, "Left arm")
    assert keyed.drives(session.clip, "Left arm")
    before = session.clip, session.rig
    edits.remove(session, "Left arm")
    assert not keyed.driving(session.rig, session.clip.curves)
    assert not any(name.startswith("ik/Left arm") for name in session.clip.curves)
    session.undo()
    assert (session.clip, session.rig) == before


def test_goal_put_into_another_space_moves_nothing_and_then_follows_the_bone(session):
    edits.match(session, "Left arm")
    before = [place(session, "hand_l", f) for f in (0, 20, 45)]
    target = IkTarget(IkSpace.BONE, "head")
    goals.change_space(session, "Left arm", target, target)
    after = [place(session, "hand_l", f) for f in (0, 20, 45)]
    assert np.abs(np.array(after) - before).max() < 1e-3
    assert session.rig.ik_setup("Left arm").goal.bone == "head"


def test_keyed_weight_is_a_curve_where_the_goal_is_keyed_else_the_set_ups_own(session):
    setup = session.rig.ik_setup("Left arm")
    goals.key_weight(session, setup, 0.5)
    assert session.rig.ik_setup("Left arm").weight == 0.5
    session.undo()
    edits.match(session, "Left arm")
    goals.key_weight(session, session.rig.ik_setup("Left arm"), 0.25)
    assert session.clip.curves[keyed.curve_name("Left arm", keyed.WEIGHT)].values[-1] == 0.25


def test_pins_hold_whatever_shows_or_commits_a_pose(session):
    session.feature(IkState).toggle_pin(["foot_l"], PinKind.POSITION)
    foot = place(session, "foot_l")
    pose = session.evaluator.pose()
    lower = pose.with_bone(0, translation=pose.translations[0] + [0.0, -0.05, 0.0])
    session.preview.set_pose(lower)
    assert np.linalg.norm(place(session, "foot_l") - foot) < 1e-6
    session.preview.clear()
    session.keying.commit_pose("Lower", lower, ["pelvis"])
    assert np.linalg.norm(place(session, "foot_l") - foot) < 1e-4
    session.undo()
    assert np.array_equal(place(session, "foot_l"), foot)


def test_pins_hold_with_auto_key_off_too(session):
    session.keying.auto = False
    session.feature(IkState).toggle_pin(["foot_r"])
    foot, pose = place(session, "foot_r"), session.evaluator.pose()
    lower = pose.with_bone(0, translation=pose.translations[0] + [0.02, -0.06, 0.0])
    session.keying.commit_pose("Lower", lower, ["pelvis"])
    assert {"pelvis", "thigh_r", "calf_r"} <= set(session.keying.pending)
    assert np.linalg.norm(place(session, "foot_r") - foot) < 1e-6


def test_bake_of_a_range_says_its_largest_error(session):
    edits.match(session, "Left arm")
    told = []
    session.messages.posted.connect(told.append)
    session.playback.set_range(0.5, 1.0)
    assert edits.bake_to_keys(session, "Left arm")
    largest = re.search(r"largest error ([0-9.]+) mm", told[-1].text)
    assert largest is not None and float(largest[1]) < 1.0
    assert keyed.drives(session.clip, "Left arm")


@pytest.mark.parametrize("what", ["match", "bake", "space", "feet"])
def test_work_over_the_whole_clip_is_a_job_that_leaves_no_trace_when_cancelled(session, monkeypatch, what):
    """Of a long clip with three hundred bones each of them held the window for seconds."""
    edits.match(session, "Left arm")
    session.feature(IkState).set_ground(Ground(0.0, 8.0, 0.0))
    project, go, begun, threads = session.document.project, Event(), Event(), Threads()

    def stuck(*_, **__):
        begun.set()
        go.wait(400.0)
        raise AssertionError("nobody takes what comes of it")

    module, name, work = {
        "match": (edits.bake, "matched", lambda: edits.match(session, "Right arm")),
        "bake": (edits.bake, "baked", lambda: edits.bake_to_keys(session)),
        "space": (goals.bake, "baked", lambda: goals.change_space(session, "Left arm", HEAD, HEAD)),
        "feet": (feet, "placed_clip", lambda: edits.place_feet_in_clip(session)),
    }[what]
    monkeypatch.setattr(module, name, stuck)
    session.jobs.runner, session.edit_jobs.grace = threads, 0.01
    assert not work() and begun.wait(400.0)
    (job,) = session.jobs.running
    session.jobs.cancel(job)
    assert not session.jobs.running and session.document.project is project
    go.set()
    threads.deliver()
    assert session.document.project is project


def test_ground_belongs_to_the_file_and_is_undone(session):
    session.feature(IkState).set_ground(Ground(0.1, 5.0, 0.0))
    assert session.feature(IkState).ground == Ground(0.1, 5.0, 0.0)
    session.undo()
    assert session.feature(IkState).ground.flat


def test_adding_a_set_up_from_two_selected_bones(session):
    session.selection.select(("spine", "head"))
    name = edits.add(session)
    assert name is not None
    setup = session.rig.ik_setup(name)
    assert (setup.root, setup.tip, setup.enabled) == ("spine", "head", True)


def test_two_bone_solver_over_a_longer_chain_is_refused_and_nothing_changes(session):
    rig = session.rig
    setup = rig.ik_setups[0]
    with pytest.raises(ValidationError, match="choose CCD or FABRIK"):
        edits.change(session, setup.name, {"solver": IkSolver.TWO_BONE, "root": rig.skeleton.names[0]})
    assert session.rig is rig


@pytest.mark.parametrize("solver", [IkSolver.CCD, IkSolver.FABRIK])
def test_an_aiming_bone_that_becomes_a_chain_gets_a_first_bone_above_it(session, solver):
    head = session.rig.ik_setup("Head")
    assert head.solver is IkSolver.AIM and head.root == head.tip == "head"
    edits.change(session, "Head", {"solver": solver, "enabled": True})
    after = session.rig.ik_setup("Head")
    assert after.root != after.tip and after.solver is solver
    assert np.isfinite(goals.goal_values(session, after, "goal")).all()
    session.history.undo()
    assert session.rig.ik_setup("Head") == head


def test_one_bone_as_both_ends_is_refused_and_a_file_with_it_is_shown(session):
    with pytest.raises(ValidationError, match="choose a first bone above the tip"):
        edits.change(
            session, "Left arm", {"solver": IkSolver.CCD, "root": session.rig.ik_setup("Left arm").tip}
        )
    arm = session.rig.ik_setup("Left arm")
    broken = replace(arm, solver=IkSolver.CCD, root=arm.tip, enabled=True)
    rig = replace(session.rig, ik_setups=tuple(broken if s == arm else s for s in session.rig.ik_setups))
    session.edits.put("broken", rig)
    assert np.allclose(goals.goal_values(session, broken, "goal"), place(session, arm.tip))
    assert "Left arm" not in [mark.setup.name for mark in chain_marks(session)]
