"""A driven run and its feet, with a character whose states are counted: steps, going back, cutting, forgetting."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.graph.events import Event, EventKind
from core.locomotion.input import Input
from core.locomotion.recording import KEPT_EVERY
from core.locomotion.setup import H
from core.locomotion.state import State
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.terrain.pieces import Plane
from core.terrain.terrain import Terrain, flat_terrain
from editor.model.play import run as runs
from editor.model.play.feet import NEAR, Feet
from editor.model.play.run import FORGOTTEN, LONGEST, Run
from tests.editor.rigs import small_rig

RIG = small_rig()
FEET = [RIG.skeleton.index(name) for name in ("foot_l", "foot_r")]


def rest_pose(rig: Rig = RIG, **curves: float) -> Pose:
    return Pose(rig.id, *rig.skeleton.rest, curves=curves)


def event(name: str, kind: EventKind = EventKind.NOTIFY) -> Event:
    return Event(name, kind, 0.0, 1.0, "node")


class Counted:
    """A character that goes a centimetre ahead with every step; the first bone turns to where it is."""

    def __init__(self) -> None:
        self.rig = RIG
        self.setup = SimpleNamespace(feet="graph of the feet")
        self.curves: dict[str, float] = {}

    def state(self, step: int) -> SimpleNamespace:
        events = (event(f"step {step}"), event("every", EventKind.TICK))
        body = State(step=step, position=(0.0, 0.0, 0.01 * step), velocity=(0.0, 0.0, 0.6))
        return SimpleNamespace(body=body, result=SimpleNamespace(events=events))

    def step(self, state: SimpleNamespace, given: Input) -> SimpleNamespace:
        return self.state(state.body.step + 1)

    def pose(self, state: SimpleNamespace) -> Pose:
        return rest_pose(**self.curves).with_bone(0, translation=[0.01 * state.body.step, 1.0, 0.0])


@pytest.fixture
def run() -> Run:
    driven = Counted()
    return Run(driven, flat_terrain(), driven.state(0))


def steps(run: Run, count: int) -> Run:
    run.give([Input()] * count)
    return run


def numbers(run: Run) -> list[int]:
    """The step of each note."""
    return [note.control.step for note in run.notes]


# ---------------------------------------------------------------- steps
def test_a_run_begins_with_a_note_of_its_first_state(run) -> None:
    assert (len(run), run.at, run.time, run.seconds, run.at_end) == (0, 0, 0.0, 0.0, True)
    assert numbers(run) == [0] and run.notes[0].events == () and run.size == 1.0
    assert run.before is run.state and run.pose_before is run.pose and run.control is run.state.body


def test_each_step_is_noted_with_its_events_but_not_the_ticks(run) -> None:
    steps(run, 3)
    assert (len(run), run.at, run.at_end) == (3, 3, True) and numbers(run) == [0, 1, 2, 3]
    assert [[e.name for e in note.events] for note in run.notes] == [[], ["step 1"], ["step 2"], ["step 3"]]
    assert run.time == run.seconds == 3 * H
    assert run.control.step == 3 and run.before.body.step == 2
    assert run.pose.translations[0, 0] == 0.03 and run.pose_before.translations[0, 0] == 0.02


@pytest.mark.parametrize(
    ("to", "at", "before"),
    [(4, 4, 3), (6, 6, 5), (7, 7, 6), (1, 1, 0), (0, 0, 0), (-3, 0, 0), (99, 10, 9), (10, 10, 9)],
)
def test_to_go_to_a_step_shows_it_and_what_was_before(run, to, at, before) -> None:
    steps(run, 10).goto(5)
    assert run.before.body.step == 4
    run.goto(to)
    assert (run.at, run.control.step, run.before.body.step) == (at, at, before)
    assert run.pose.translations[0, 0] == pytest.approx(0.01 * at)
    assert run.pose_before.translations[0, 0] == pytest.approx(0.01 * before)
    assert len(run) == 10 and numbers(run) == list(range(11)) and run.at_end is (at == 10)
    assert run.time == at * H and run.seconds == 10 * H


def test_the_step_after_the_one_shown_is_reached_from_it(run) -> None:
    steps(run, 10).goto(5)
    state, pose = run.state, run.pose
    run.goto(6)
    assert run.before is state and run.pose_before is pose


def test_to_stay_leaves_what_was_before(run) -> None:
    steps(run, 4)
    before = run.before
    run.goto(4)
    assert run.before is before and run.control.step == 4


def test_what_lies_ahead_is_cut(run) -> None:
    steps(run, 8).goto(3)
    run.cut()
    assert (len(run), run.at, run.at_end) == (3, 3, True) and numbers(run) == [0, 1, 2, 3]
    steps(run, 2)
    assert numbers(run) == [0, 1, 2, 3, 4, 5]


def test_inputs_that_were_only_read_are_noted_when_they_are_seen(run) -> None:
    run.recording.append(Input())
    run.recording.append(Input())
    assert numbers(run) == [0]
    run.goto(1)
    run.goto(1)
    assert numbers(run) == [0, 1]
    run.goto(2)
    assert numbers(run) == [0, 1, 2] and run.notes[2].events[0].name == "step 2"


def test_a_long_run_forgets_its_first_minute_in_whole_kept_states() -> None:
    assert pytest.approx(600.0) == LONGEST * H and pytest.approx(60.0) == FORGOTTEN * H
    assert FORGOTTEN % KEPT_EVERY == 0


def test_a_full_run_forgets_its_beginning(monkeypatch) -> None:
    monkeypatch.setattr(runs, "LONGEST", KEPT_EVERY + 2)
    monkeypatch.setattr(runs, "FORGOTTEN", KEPT_EVERY)
    driven = Counted()
    driven.curves = {"contact_l": 1.0, "contact_r": 1.0}
    run = steps(Run(driven, flat_terrain(), driven.state(0)), 32)
    assert (len(run), run.forgotten) == (32, 0)
    steps(run, 1)
    assert (len(run), run.at, run.forgotten, run.at_end) == (3, 3, 30, True)
    assert numbers(run) == [30, 31, 32, 33] and run.before.body.step == 32
    assert run.time == 33 * H and run.seconds == 3 * H
    run.goto(0)
    assert run.control.step == 30 and run.time == 30 * H
    assert [state.body.step for state in run.states(1, 3)] == [31, 32, 33]


# ---------------------------------------------------------------- what is shown
def test_between_two_steps_state_and_pose_are_mixed(run) -> None:
    steps(run, 5)
    state, pose = run.shown(0.25)
    assert state.position[2] == pytest.approx(0.0425) and pose.translations[0, 0] == pytest.approx(0.0425)
    for share in (1.0, 1.5):
        state, pose = run.shown(share)
        assert state is run.control and pose is run.pose
    run.goto(0)
    assert run.shown(0.5) == (run.control, run.pose), "there is nothing before the start"


@pytest.mark.parametrize(
    ("curves", "locked"),
    [
        ({"ik_l": 1.0, "ik_r": 1.0}, [0, 1]),
        ({"ik_l": 0.51, "ik_r": 0.5}, [0]),
        ({"ik_r": 0.7}, [1]),
        ({}, []),
        ({"ik_l": 1.0, "ik_r": 1.0, "contact_l": 1.0, "contact_r": 0.0}, [0]),
    ],
)
def test_feet_that_touch_and_are_placed_are_locked(curves, locked) -> None:
    driven = Counted()
    driven.curves = curves
    run = steps(Run(driven, flat_terrain(), driven.state(0)), 1)
    found = run.locks()
    assert np.array_equal(found, run.notes[1].feet.places[locked]) and found.shape == (len(locked), 3)
    driven.setup.feet = None
    assert run.locks().shape == (0, 3)


def test_a_body_without_legs_locks_nothing(run) -> None:
    run.notes[0].feet = None
    assert run.locks().shape == (0, 3)


# ---------------------------------------------------------------- feet
def placed(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Transform:
    return Transform(np.array([x, y, z]), np.array([0.0, 0.0, 0.0, 1.0]), np.ones(3))


def renamed(rig: Rig, names: dict[str, str]) -> Rig:
    skeleton = replace(rig.skeleton, names=tuple(names.get(name, name) for name in rig.skeleton.names))
    return replace(rig, skeleton=skeleton, mirror=type(rig.mirror)())


def test_feet_are_where_the_character_stands() -> None:
    feet = Feet(RIG)
    sample = feet.sample(rest_pose(), placed(2.0, 0.0, 3.0), flat_terrain(), None)
    assert feet.known and sample.slip == (0.0, 0.0) and sample.contacts == (True, True)
    assert np.allclose(sample.places, [[2.1, 0.05, 3.0], [1.9, 0.05, 3.0]])


@pytest.mark.parametrize("missing", ["thigh_l", "calf_r", "foot_l"])
def test_without_two_whole_legs_nothing_is_told(missing) -> None:
    feet = Feet(renamed(RIG, {missing: "thing"}))
    assert not feet.known and feet.sample(rest_pose(), placed(), flat_terrain(), None) is None


def test_of_a_foot_with_toes_the_toes_stand() -> None:
    old = RIG.skeleton
    parents = np.append(old.parents, old.index("foot_l")).astype(np.int32)
    added = ([0.0, -0.03, 0.1], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0])
    rest = Transform(*(np.vstack([part, row]) for part, row in zip(old.rest, added, strict=True)))
    rig = replace(RIG, skeleton=Skeleton((*old.names, "toe_l"), parents, rest))
    sample = Feet(rig).sample(rest_pose(rig), placed(), flat_terrain(), None)
    assert np.allclose(sample.places, [[0.1, 0.02, 0.1], [-0.1, 0.05, 0.0]])
    assert sample.contacts == (True, False), "the lower sole is the height at which a foot stands"


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("above", "touches"), [(NEAR - 0.001, True), (NEAR + 0.001, False), (-0.2, True)])
def test_without_contact_curves_a_foot_near_the_ground_touches_it(side, above, touches) -> None:
    feet = Feet(RIG)
    bone = FEET[side]
    lifted = rest_pose().with_bone(bone, translation=RIG.skeleton.rest.translation[bone] + [0.0, above, 0.0])
    ground = Terrain((Plane((0.0, 1.5, 0.0)),))
    sample = feet.sample(lifted, placed(0.0, 1.5, 0.0), ground, None)
    assert sample.contacts[side] is touches and sample.contacts[1 - side]


@pytest.mark.parametrize(
    ("left", "right", "contacts"),
    [(1.0, 0.0, (True, False)), (0.5, 0.51, (False, True)), (0.0, 0.0, (False, False))],
)
def test_contact_curves_count_before_the_ground(left, right, contacts) -> None:
    pose = rest_pose(contact_l=left, contact_r=right)
    assert Feet(RIG).sample(pose, placed(), flat_terrain(), None).contacts == contacts


def test_one_contact_curve_alone_does_not_count() -> None:
    assert Feet(RIG).sample(rest_pose(contact_l=0.0), placed(), flat_terrain(), None).contacts == (True, True)


def test_the_slip_is_over_the_ground_in_centimetres_a_second() -> None:
    feet, flat = Feet(RIG), flat_terrain()
    before = feet.sample(rest_pose(), placed(), flat, None)
    after = feet.sample(rest_pose(), placed(0.003, 0.01, 0.004), flat, before)
    assert after.slip == pytest.approx((0.5 / H, 0.5 / H))


@pytest.mark.parametrize("first", [True, False])
def test_a_foot_that_was_or_is_in_the_air_does_not_slip(first) -> None:
    feet, flat = Feet(RIG), flat_terrain()
    down, up = rest_pose(contact_l=1.0, contact_r=1.0), rest_pose(contact_l=0.0, contact_r=1.0)
    poses = (up, down) if first else (down, up)
    before = feet.sample(poses[0], placed(), flat, None)
    after = feet.sample(poses[1], placed(0.01, 0.0, 0.0), flat, before)
    assert after.slip == pytest.approx((0.0, 1.0 / H))
