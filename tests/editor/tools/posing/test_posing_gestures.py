"""Trails, paths, drawn arcs and breakdowns dragged in the viewport, without one: what is posed, one step, Escape."""

import numpy as np
import pytest

from core.errors import ValidationError
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.posing import path
from editor.tools.posing.breakdown import DragBreakdown
from editor.tools.posing.draw_arc import DrawArc
from editor.tools.posing.path import DragPath
from editor.tools.posing.trail import DragTrailDot
from tests.editor.actions import rich

NONE, SHIFT = Modifiers.NONE, Modifiers.SHIFT
BONE, TIME = "hand_l", 20.0 / 30.0


@pytest.fixture
def session():
    made = rich.session()
    made.playback.set_range(None)
    made.preferences.set("path_frames", 6)
    yield made
    made.close()


def at(x, y=0.0, held=NONE):
    return Pointer(100.0 + x, 100.0 + y, modifiers=held)


def place(session, time=None, bone=BONE):
    """Where a bone is in the world, now or at another time."""
    before = session.playback.time
    if time is not None:
        session.playback.seek(time)
    number = session.rig.skeleton.index(bone)
    found = session.evaluator.world() @ np.append(session.evaluator.model().translation[number], 1.0)
    session.playback.seek(before)
    return found[:3]


def moved(pixel):
    """A thousandth of a metre a pixel, in the plane of the screen."""
    return np.array([pixel[0] - 100.0, 100.0 - pixel[1], 0.0]) / 1000.0


# ---------------------------------------------------------------- dots of a trail
def drag_dot(session, *ways):
    gesture = DragTrailDot(session, session.rig, BONE, TIME, place(session, TIME), moved)
    gesture.begin(at(0.0))
    for x, y in ways:
        gesture.move(at(x, y))
    return gesture


def test_the_limb_follows_a_dot_at_the_dots_own_time(session):
    session.playback.play()
    start, position = place(session, TIME), session.history.position
    gesture = drag_dot(session, (-20.0, 0.0), (-40.0, -30.0))
    assert not session.playback.playing and session.playback.time == pytest.approx(TIME)
    assert np.allclose(place(session), start + [-0.04, 0.03, 0.0], atol=1e-4)
    assert gesture.status == "Trail of hand_l" and session.history.position == position
    gesture.finish(at(-40.0, -30.0))
    assert session.preview.pose is None and session.history.labels[-1] == "Drag trail of hand_l @ f20"
    assert session.history.position == position + 1
    assert np.allclose(place(session), start + [-0.04, 0.03, 0.0], atol=1e-4)
    keyed = session.clip.tracks[rich.TURN]
    assert np.allclose(keyed.times * 30.0, [0, 20, 40, 60])


def test_a_dot_pressed_or_taken_back_poses_nothing_and_the_playhead_goes_back(session):
    position, time = session.history.position, session.playback.time
    gesture = drag_dot(session, (1.0, 1.0))
    assert session.preview.pose is None
    gesture.finish(at(1.0))
    assert session.history.position == position
    session.playback.seek(time)
    gesture = drag_dot(session, (-40.0, 0.0), (-1.0, 0.0))
    assert session.preview.pose is not None  # a drag once it was one
    gesture.cancel()
    assert session.preview.pose is None and session.playback.time == time
    assert session.history.position == position


def test_a_locked_bone_is_not_pulled_and_it_is_said(session):
    session.selection.set_flag("locked", ["lower_arm_l"])
    gesture = drag_dot(session, (-40.0, 0.0))
    assert session.preview.pose is None and session.messages.latest.text == "Locked: lower_arm_l"
    assert session.messages.latest.next_step == "Unlock in the bone tree to pose"
    position = session.history.position
    gesture.finish(at(-40.0))
    assert session.history.position == position


# ---------------------------------------------------------------- paths
def drag_path(session, *ways, typed=""):
    shown = []
    gesture = DragPath(session, BONE, TIME, moved, shown.append)
    gesture.shown = shown
    gesture.begin(at(0.0))
    for x, y in ways:
        gesture.move(at(x, y))
    for text in typed:
        assert gesture.type_text(text)
    return gesture


def test_the_path_follows_a_dot_with_a_falloff_in_one_step(session):
    clip, position, start = session.clip, session.history.position, place(session, TIME)
    session.playback.play()
    gesture = drag_path(session, (-20.0, 0.0), (-30.0, -20.0))
    assert not session.playback.playing and session.playback.time == pytest.approx(TIME)
    assert gesture.shown == [(TIME, pytest.approx(0.2))] and session.preview.clip is not clip
    assert gesture.status.startswith("Path of hand_l  ± 6 f · ") and session.clip is clip
    shown = session.preview.clip
    gesture.finish(at(-30.0, -20.0))
    assert gesture.shown[-1] is None and session.preview.clip is None and session.clip is shown
    assert session.history.labels[-1] == "Drag path of hand_l @ f20"
    assert session.history.position == position + 1
    assert np.allclose(place(session, TIME), start + [-0.03, 0.02, 0.0], atol=1e-3)
    assert session.undo() and session.clip is clip


def test_typed_digits_are_the_falloff_and_are_kept(session):
    gesture = drag_path(session, (-20.0, 0.0), typed="1")
    assert gesture.shown[-1] == (TIME, pytest.approx(1.0 / 30.0)) and "± 1 f" in gesture.status
    narrow = session.preview.clip
    gesture.type_text("2")
    assert gesture.shown[-1] == (TIME, pytest.approx(0.4)) and session.preview.clip is not narrow
    assert not gesture.type_text("x")
    for _ in range(2):
        gesture.type_text("\b")
    assert gesture.shown[-1] == (TIME, pytest.approx(0.2)) and not gesture.type_text("\b")
    for text in "-15":
        gesture.type_text(text)
    assert gesture.shown[-1] == (TIME, pytest.approx(0.5))
    gesture.finish(at(-20.0))
    assert path.falloff(session) == 15
    gesture = drag_path(session, typed="99999")
    assert gesture.shown[-1] == (TIME, pytest.approx(1000.0 / 30.0)) and session.preview.clip is None
    gesture.finish(at(0.0))
    assert path.falloff(session) == 1000


def test_a_path_taken_back_is_as_it_was_and_so_is_the_falloff(session):
    clip, time = session.clip, session.playback.time
    gesture = drag_path(session, (-40.0, 0.0), typed="3")
    gesture.cancel()
    assert session.clip is clip and session.preview.clip is None and session.playback.time == time
    assert gesture.shown[-1] is None and path.falloff(session) == 6
    position = session.history.position
    drag_path(session, (1.0, 1.0)).finish(at(1.0, 1.0))
    assert session.history.position == position and session.preview.clip is None


def test_a_path_of_a_locked_limb_stays_and_it_is_said_once(session):
    session.selection.set_flag("locked", ["lower_arm_l"])
    said = len(session.messages.log)
    gesture = drag_path(session, (-20.0, 0.0), (-40.0, 0.0))
    assert session.preview.clip is None and len(session.messages.log) == said + 1
    assert session.messages.latest.text == "Locked: lower_arm_l"
    position = session.history.position
    gesture.finish(at(-40.0))
    assert session.history.position == position


def test_the_falloff_widens_by_a_quarter_and_has_bounds(session):
    for frames, wider, narrower in ((8, 10, 6), (3, 4, 2), (0, 1, 0), (1000, 1000, 750), (1, 2, 0)):
        for sign, left in ((1, wider), (-1, narrower)):
            session.preferences.set("path_frames", frames)
            path.wider(session, sign)
            assert path.falloff(session) == left
            word = "frame follows" if left == 1 else "frames follow"
            assert session.messages.latest.text == f"Path drag: {left:,} {word}"
    path.set_falloff(session, 5000)
    assert path.falloff(session) == 1000
    path.set_falloff(session, -3)
    assert path.falloff(session) == 0


def test_digits_belong_to_these_gestures():
    assert DragPath.grabs_keys and DragTrailDot.grabs_keys and DrawArc.grabs_keys and DragBreakdown.grabs_keys


# ---------------------------------------------------------------- drawn arcs
FRAMES = np.arange(0, 61) / 30.0


def draw(session, *way, held=NONE, end="finish"):
    """Draw over the hand's path, seen a thousand pixels a metre; x and y of the world are those of the screen."""
    places = np.array([place(session, time) for time in FRAMES])
    pixels = places[:, :2] * 1000.0
    shown = []

    def away(at_place, start, goal):
        return np.array([goal[0] - start[0], goal[1] - start[1], 0.0]) / 1000.0

    gesture = DrawArc(session, BONE, FRAMES, pixels, places, away, lambda s: shown.append(list(s)))
    session.switches.set("path_draw", True)
    points = [(float(x), float(y)) for x, y in way]
    gesture.begin(Pointer(*points[0]))
    for point in points[1:]:
        gesture.move(Pointer(*point))
    if end == "finish":
        gesture.finish(Pointer(*points[-1], modifiers=held))
    else:
        gesture.cancel()
    assert shown[:-1] == [points[: k + 2] for k in range(len(points) - 1)] and shown[-1] == []
    assert not session.switches["path_draw"]
    return gesture, places


def stroke(session, first, last, lift):
    """A stroke from the hand's place at one frame to that at another, bent towards the body, where it can reach."""
    a, b = (place(session, FRAMES[k])[:2] * 1000.0 for k in (first, last))
    shares = np.linspace(0.0, 1.0, 9)[:, None]
    line = a * (1 - shares) + b * shares
    line[:, 0] -= lift * np.sin(np.pi * shares[:, 0])
    return line


def test_the_keys_between_the_ends_of_a_stroke_lie_on_it(session):
    session.playback.play()
    clip, position = session.clip, session.history.position
    line = stroke(session, 0, 40, 150.0)
    gesture, _ = draw(session, *line)
    assert not session.playback.playing and gesture.status == "Draw path of hand_l"
    assert session.history.labels[-1] == "Draw path of hand_l" and session.history.position == position + 1
    assert session.messages.latest.text == "The path follows the arc at 3 keys"
    for time in (0.0, TIME, 40.0 / 30.0):
        found = place(session, time)[:2] * 1000.0
        assert np.linalg.norm(line - found, axis=1).min() < 15.0
    assert np.allclose(session.clip.tracks[rich.TURN].times * 30.0, [0, 20, 40, 60])
    assert session.undo() and session.clip is clip


def test_with_shift_every_frame_lies_on_the_stroke(session):
    draw(session, *stroke(session, 0, 40, 150.0), held=SHIFT)
    assert session.messages.latest.text == "The path follows the arc at 41 keys"
    assert len(session.clip.tracks[rich.TURN].times) > 35


def test_a_short_stroke_one_taken_back_and_one_of_a_locked_limb_change_nothing(session):
    clip, position = session.clip, session.history.position
    draw(session, (0.0, 0.0), (2.0, 0.0), (3.9, 0.0))
    draw(session, *stroke(session, 0, 40, 150.0), end="cancel")
    session.selection.set_flag("locked", ["lower_arm_l"])
    draw(session, *stroke(session, 0, 40, 150.0))
    assert session.messages.latest.text == "Locked: lower_arm_l"
    assert session.messages.latest.next_step == "Unlock in the bone tree to pose"
    assert session.clip is clip and session.history.position == position


# ---------------------------------------------------------------- breakdowns
def test_a_breakdown_begins_where_the_playhead_stands_and_goes_to_the_keys_on_both_sides(session):
    session.selection.select(["upper_arm_l"])
    session.playback.seek(25.0 / 30.0)
    before = session.evaluator.pose()
    arm = session.rig.skeleton.index("upper_arm_l")
    gesture = DragBreakdown(session)
    gesture.begin(at(0.0))
    assert gesture.status == "Breakdown  25 %"
    gesture.move(at(1.0, 1.0))
    assert gesture.status == "Breakdown  25 %"
    gesture.move(at(24.0))
    assert gesture.status == "Breakdown  35 %"
    gesture.move(at(180.0))
    assert gesture.status == "Breakdown  100 %"
    session.playback.seek(25.0 / 30.0)
    posed = session.evaluator.pose().rotations[arm]
    gesture.move(at(-60.0))
    assert gesture.status == "Breakdown  0 %"
    other = session.evaluator.pose().rotations[arm]
    gesture.cancel()
    assert np.allclose(session.evaluator.pose().rotations, before.rotations)
    for time, wanted in ((40.0 / 30.0, posed), (TIME, other)):
        session.playback.seek(time)
        assert np.allclose(session.evaluator.pose().rotations[arm], wanted, atol=1e-6)


def test_a_breakdown_is_one_step(session):
    session.selection.select(["upper_arm_l"])
    session.playback.seek(25.0 / 30.0)
    position = session.history.position
    gesture = DragBreakdown(session)
    gesture.begin(at(0.0))
    gesture.finish(at(0.0))
    assert session.history.position == position
    gesture = DragBreakdown(session)
    gesture.begin(at(0.0))
    gesture.move(at(60.0))
    gesture.finish(at(60.0))
    assert session.history.position == position + 1
    assert np.allclose(session.clip.tracks[rich.TURN].times * 30.0, [0, 20, 25, 40, 60])


def test_without_keys_on_both_sides_there_is_no_breakdown(session):
    session.selection.select(["head"])
    with pytest.raises(ValidationError):
        DragBreakdown(session)
