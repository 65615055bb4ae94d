"""A pose dragged in the pose strip: retimed, with all later ones, copied, swapped; one step, and taken back."""

import numpy as np
import pytest

from core.clips.poses import poses_of
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.pose_drag import DragPose
from tests.editor.actions import rich

SHIFT, CTRL, ALT, NONE = Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT, Modifiers.NONE
POSE = 20.0 / 30.0


@pytest.fixture
def session():
    made = rich.session()
    made.playback.set_range(None)
    made.switches.set("snap", True)
    yield made
    made.close()


def frames(clip):
    return np.round(poses_of(clip).times * 30.0, 6).tolist()


def at(x, held=NONE):
    return Pointer(200.0 + x, 5.0, modifiers=held)


def drag(session, *ways, held=NONE, pose=POSE, over=None):
    shown = []
    gesture = DragPose(session, pose, lambda x: x / 300.0, lambda x: over, shown.append)
    gesture.begin(at(0.0))
    for x in ways:
        gesture.move(at(x, held))
    gesture.shown = shown
    return gesture


@pytest.mark.parametrize("x, held, left, label, ends", [
    (52.0, NONE, [0.0, 25.0, 40.0, 60.0], "Retime pose f20 to f25", 25.0),
    (-58.0, NONE, [0.0, 14.0, 40.0, 60.0], "Retime pose f20 to f14", 14.0),
    (900.0, NONE, [0.0, 39.0, 40.0, 60.0], "Retime pose f20 to f39", 39.0),
    (-900.0, NONE, [0.0, 1.0, 40.0, 60.0], "Retime pose f20 to f1", 1.0),
    (52.0, SHIFT, [0.0, 25.0, 45.0, 65.0], "Retime poses from f20 to f25", 25.0),
    (-900.0, SHIFT, [0.0, 1.0, 21.0, 41.0], "Retime poses from f20 to f1", 1.0),
    (52.0, CTRL, [0.0, 20.0, 25.0, 40.0, 60.0], "Copy pose f20 to f25", 25.0),
    (-900.0, CTRL, [0.0, 20.0, 40.0, 60.0], "Copy pose f20 to f0", 0.0),
])  # fmt: skip
def test_a_pose_is_retimed_between_its_neighbours_with_later_ones_or_copied(
    session, x, held, left, label, ends
):
    clip, position = session.clip, session.history.position
    session.playback.play()
    gesture = drag(session, 30.0, x, held=held)
    assert not session.playback.playing and session.clip is clip
    assert frames(session.preview.clip) == left and gesture.status == label and gesture.dragged
    assert gesture.shown[-1].label == label and gesture.shown[-1].time * 30.0 == pytest.approx(ends)
    gesture.finish(at(x, held))
    assert gesture.shown[-1] is None and session.preview.clip is None
    assert session.history.labels[-1] == label and session.history.position == position + 1
    assert frames(session.clip) == left and session.playback.frame == pytest.approx(ends)
    assert session.undo() and session.clip is clip


def test_the_first_of_all_poses_goes_no_further_than_the_start_with_all_later_ones(session):
    gesture = drag(session, -90.0, held=SHIFT, pose=0.0)
    assert gesture.status == "Retime poses from f0 to f0" and session.preview.clip is None
    gesture.finish(at(-90.0, SHIFT))
    drag(session, 90.0, held=SHIFT, pose=0.0).finish(at(90.0, SHIFT))
    assert frames(session.clip) == [9.0, 29.0, 49.0, 69.0]


def test_alt_swaps_a_pose_with_the_one_it_is_dropped_on(session):
    clip = session.clip
    gesture = drag(session, 52.0, held=ALT)
    assert gesture.status == "Swap poses: drop it on another pose" and session.preview.clip is None
    assert gesture.shown[-1].time * 30.0 == pytest.approx(25.0)
    gesture.finish(at(52.0, ALT))
    assert session.clip is clip
    for over in (POSE, POSE + 1e-7):
        gesture = drag(session, 52.0, held=ALT, over=over)
        assert gesture.status.endswith("another pose")
        gesture.cancel()
    gesture = drag(session, 198.0, held=ALT, over=40.0 / 30.0)
    assert gesture.status == "Swap poses f20 and f40" and gesture.shown[-1].time == 40.0 / 30.0
    gesture.finish(at(198.0, ALT))
    assert session.history.labels[-1] == "Swap poses f20 and f40" and frames(session.clip) == frames(clip)
    before, after = clip.tracks[rich.TURN].values, session.clip.tracks[rich.TURN].values
    assert after.tolist() == before[[0, 2, 1, 3]].tolist()


def test_keys_of_locked_bones_stay(session):
    session.selection.set_flag("locked", ["upper_arm_l"])
    drag(session, 52.0, held=SHIFT).finish(at(52.0, SHIFT))
    assert np.allclose(session.clip.tracks[rich.TURN].times * 30.0, [0, 20, 40, 60])
    for held, over in ((NONE, None), (CTRL, None), (ALT, 40.0 / 30.0)):
        session.undo()
        drag(session, 52.0, held=held, over=over).finish(at(52.0, held))
        assert np.allclose(session.clip.tracks[rich.TURN].times * 30.0, [0, 20, 40, 60])
        assert np.array_equal(session.clip.tracks[rich.TURN].values, [0, -20, 20, 0])


def test_a_press_that_does_not_wander_is_no_drag(session):
    position = session.history.position
    gesture = drag(session, 3.9)
    assert not gesture.dragged and gesture.status == "" and gesture.shown == []
    gesture.move(at(4.0))
    assert gesture.dragged
    gesture.move(at(1.0))  # a drag from now on, back at its start
    assert gesture.status == "Retime pose f20 to f20" and session.preview.clip is None
    gesture.finish(at(1.0))
    assert session.history.position == position and gesture.shown[-1] is None


def test_escape_takes_all_back_and_a_clip_that_changed_meanwhile_is_not_overwritten(session):
    clip, position = session.clip, session.history.position
    gesture = drag(session, 52.0)
    gesture.cancel()
    assert session.clip is clip and session.preview.clip is None and gesture.shown[-1] is None
    gesture = drag(session, 52.0)
    session.undo()
    session.edits.put("other", session.clip.with_tracks({rich.TURN: None}))
    after = session.clip
    gesture.finish(at(52.0))
    assert session.clip is after and session.preview.clip is None and session.history.position == position
