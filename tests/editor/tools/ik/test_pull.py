"""Goals and poles dragged: the chain's bones are keyed, or the goal itself where the clip keys it; what is said."""

import numpy as np
import pytest

from core.ik.keyed import drives
from editor.model.ik import goals
from editor.model.ik.state import IkState
from editor.tools.ik.pull import Pulled, PullGoal, into_model, tell_ending
from editor.tools.pointer import Button, Pointer
from editor.tools.state import Pivot, Setup, Space, Tool
from editor.tools.world_pose import Frame, world_pose
from tests.editor.actions import rich


class Handle:
    """Along all axes: a millimetre a pixel to the right towards −x."""

    free, axes, direction = False, (), np.array([0.0, 0.0, 1.0])

    def __init__(self):
        self.told = []

    def amount(self, pixel):
        return np.array([-pixel[0] / 1000.0, 0.0, 0.0])

    def show(self, amount):
        self.told.append(np.array(amount))


@pytest.fixture
def session():
    made, _ = rich.at_stage("ik")
    made.keying.auto = True
    yield made
    made.close()


def at(x):
    return Pointer(x, 0.0, Button.LEFT)


def chain(session, name):
    return next(s for s in session.feature(IkState).setups if s.name == name)


def pull(session, name, what="goal"):
    setup = chain(session, name)
    begun = world_pose(session.rig.skeleton, session.evaluator.pose(), session.evaluator.world())
    places = goals.goal_places(session, setup)
    frame = Frame(Space.WORLD, Pivot.ACTIVE, np.eye(3), np.zeros(3))
    made = PullGoal(
        session, Setup(Tool.ROTATE), begun, Pulled(setup, what, places), frame, Handle(), np.eye(3)
    )
    made.begin(at(0.0))
    return made


def hand(session, bone):
    number = session.rig.skeleton.index(bone)
    return (session.evaluator.world() @ np.append(session.evaluator.model().translation[number], 1.0))[:3]


def test_a_goal_that_the_clip_keys_gets_a_key_and_the_limb_follows(session):
    assert drives(session.clip, "Left arm")
    clip, start, before = session.clip, hand(session, "hand_l"), session.history.position
    gesture = pull(session, "Left arm")
    gesture.move(at(60.0))
    assert session.preview.clip is not None and session.clip is clip
    assert np.allclose(hand(session, "hand_l"), start - [0.06, 0.0, 0.0], atol=2e-3)
    assert gesture.status.startswith("Left arm goal  0.06 m  ")
    gesture.move(at(0.0))
    assert session.preview.clip is None  # back at the start
    gesture.move(at(50.0))
    gesture.finish(at(50.0))
    assert (
        session.history.labels[-1] == "Move goal of Left arm @ f10" and session.history.position == before + 1
    )
    assert session.preview.clip is None and session.clip is not clip
    assert np.allclose(hand(session, "hand_l"), start - [0.05, 0.0, 0.0], atol=2e-3)
    assert session.clip.tracks[rich.TURN] is clip.tracks[rich.TURN]
    assert session.undo() and session.clip is clip


def test_another_goal_keys_the_bones_of_its_chain(session):
    name = next(s.name for s in session.feature(IkState).setups if s.tip == "hand_r")
    assert not drives(session.clip, name)
    clip, start = session.clip, hand(session, "hand_r")
    gesture = pull(session, name)
    gesture.move(at(-60.0))
    assert session.preview.pose is not None and session.preview.clip is None
    assert np.allclose(hand(session, "hand_r"), start + [0.06, 0.0, 0.0], atol=2e-3)
    gesture.finish(at(-60.0))
    assert session.history.labels[-1] == f"Move goal of {name} @ f10" and session.preview.pose is None
    assert np.allclose(hand(session, "hand_r"), start + [0.06, 0.0, 0.0], atol=2e-3)
    assert {c.bone for c in session.clip.tracks if c not in clip.tracks} <= {
        "upper_arm_r",
        "lower_arm_r",
        "hand_r",
    }
    assert not drives(session.clip, name)


def test_a_press_alone_selects_the_chain(session):
    right = next(s.name for s in session.feature(IkState).setups if s.tip == "hand_r")
    for name, tip in (("Left arm", "hand_l"), (right, "hand_r")):
        session.selection.select(["head"])
        before = session.history.position
        gesture = pull(session, name)
        gesture.move(at(1.0))
        gesture.finish(at(1.0))
        assert session.selection.bones == (tip,) and session.feature(IkState).active == name
        assert session.history.position == before


def test_escape_takes_a_goal_back(session):
    clip, start = session.clip, hand(session, "hand_l")
    gesture = pull(session, "Left arm")
    gesture.move(at(60.0))
    gesture.cancel()
    assert session.clip is clip and session.preview.clip is None
    assert np.allclose(hand(session, "hand_l"), start)


def test_a_pole_is_dragged_on_its_own(session):
    places = goals.goal_places(session, chain(session, "Left arm"))
    gesture = pull(session, "Left arm", "pole")
    gesture.move(at(60.0))
    assert gesture.status.startswith("Left arm pole  0.06 m")
    moved = gesture._goal()
    assert np.allclose(moved.pole, np.asarray(places.pole) - [0.06, 0.0, 0.0])
    assert np.array_equal(moved.position, places.position)
    gesture.finish(at(60.0))
    assert session.history.labels[-1] == "Move pole of Left arm @ f10"


def test_world_places_are_told_in_the_characters_space(session):
    root = np.eye(4)
    root[:3, :3] = [[0.0, 0.0, 2.0], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.0]]
    root[:3, 3] = [1.0, 2.0, 3.0]
    begun = world_pose(session.rig.skeleton, session.evaluator.pose(), root)
    place = np.array([0.3, -0.4, 0.5])
    assert np.allclose(into_model(begun, root[:3, :3] @ place + root[:3, 3]), place)


def test_how_far_off_a_chain_is_is_told_by_its_name_or_its_tip(session):
    gesture = pull(session, "Left arm")
    gesture.move(at(60.0))
    words = tell_ending(session, "Left arm")
    state = session.feature(IkState)
    ending = state.ending("Left arm")
    steps = "1 iteration" if ending.iterations == 1 else f"{ending.iterations} iterations"
    assert words == f"{ending.residual * 1000.0:.2f} mm off · {steps}" == tell_ending(session, "hand_l")
    assert tell_ending(session, "no such chain") == ""
    gesture.cancel()
