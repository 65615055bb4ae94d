"""Drags along a time axis on stand-ins: contacts, tracks of media, the play range, keys of cameras."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.ids import AssetId
from core.retarget.contacts import ContactSpan
from core.shot.camera import ShotCamera, key_times, keyed_at
from core.timing import FrameRate
from editor.tools import camera_keys, contacts, media, play_look, scrub
from editor.tools.contacts import DragSpan, Lane, clear_of, lanes_of
from editor.tools.play_range import DragRange, RangeEdge, edge_at
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.span_part import Part

SHIFT, NONE = Modifiers.SHIFT, Modifiers.NONE
RATE = FrameRate.of(30)


def at(x, held=NONE):
    return Pointer(x, 5.0, modifiers=held)


# ---------------------------------------------------------------- contacts
def span(first, last, limb="left foot", point=0):
    return ContactSpan(limb, point, first, last)


BETWEEN = (span(0, 9), span(20, 29), span(50, 59), span(12, 18, point=1), span(12, 18, "right foot"))


class Contacts:
    """A retargeting's spans, and what was asked of it."""

    def __init__(self, spans=BETWEEN):
        self.computation, self.edits = SimpleNamespace(spans=spans), self
        self.steps, self.shown = [], []

    def set_spans(self, spans, label):
        self.computation.spans = tuple(spans)
        self.steps.append(label)

    def show(self, spans, active):
        self.shown.append((spans, active))

    def drag(self, part, *way, frames=100, held=BETWEEN[1]):
        gesture = DragSpan(self, held, part, frames, lambda x: x / 8.0, self.show)
        gesture.begin(at(100.0))
        for x in way:
            gesture.move(at(100.0 + x))
        return gesture


def test_a_lane_for_each_point_that_can_stand_and_for_any_other_span():
    limbs = [("right foot", 2), ("left hand", 1)]
    assert lanes_of([span(0, 1, "tail"), span(3, 4, "right foot", 1)], limbs) == (
        Lane("left hand", 0), Lane("right foot", 0), Lane("right foot", 1), Lane("tail", 0),
    )  # fmt: skip
    assert lanes_of([], []) == ()


@pytest.mark.parametrize("asked, kept", [
    ((22, 27), (22, 27)), ((5, 27), (10, 27)), ((22, 55), (22, 49)), ((5, 55), (10, 49)),
    ((-20, -10), None), ((-20, 1), None), ((62, 120), (62, 99)), ((55, 120), (60, 99)), ((30, 31), (30, 31)),
    ((8, 12), (10, 12)),
    ((4, 6), (10, 10)), ((4, 5), None), ((54, 56), (60, 60)), ((54, 55), (49, 49)), ((52, 54), (49, 49)),
])  # fmt: skip
def test_a_span_is_kept_clear_of_its_neighbours_and_within_the_clip(asked, kept):
    others = (BETWEEN[0], *BETWEEN[2:])
    found = clear_of(span(*asked), others, 100)
    assert found == (None if kept is None else span(*kept))


def test_without_neighbours_the_clip_is_the_bound_and_full_lanes_have_no_room():
    assert clear_of(span(-5, 200), (), 100) == span(0, 99)
    assert clear_of(span(40, 41), (span(0, 40), span(41, 99)), 100) is None
    assert clear_of(span(40, 41), (span(0, 39), span(41, 99)), 100) == span(40, 40)


@pytest.mark.parametrize("part, x, kept", [
    (Part.WHOLE, 40.0, (25, 34)), (Part.WHOLE, -40.0, (15, 24)), (Part.WHOLE, 43.0, (25, 34)),
    (Part.WHOLE, 45.0, (26, 35)), (Part.WHOLE, -88.0, (10, 18)), (Part.WHOLE, 200.0, (45, 49)),
    (Part.FIRST, -24.0, (17, 29)), (Part.FIRST, -200.0, (10, 29)), (Part.FIRST, 56.0, (27, 29)),
    (Part.FIRST, 200.0, (28, 29)), (Part.LAST, 24.0, (20, 32)), (Part.LAST, 400.0, (20, 49)),
    (Part.LAST, -56.0, (20, 22)), (Part.LAST, -200.0, (20, 21)),
])  # fmt: skip
def test_a_contact_or_an_end_of_it_is_dragged_by_whole_frames(part, x, kept):
    state = Contacts()
    gesture = state.drag(part, 3.0, x)
    others = (BETWEEN[0], *BETWEEN[2:])
    assert state.shown[-1] == ((*others, span(*kept)), span(*kept)) and state.steps == []
    gesture.finish(at(100.0 + x))
    assert state.steps == ["Move contact of left foot"] and state.computation.spans == (*others, span(*kept))
    assert state.shown[-1] == (None, span(*kept))


def test_a_whole_contact_stays_as_long_as_it_is_at_the_ends_of_the_clip():
    held = span(20, 29)
    for x, kept in ((-4000.0, (0, 9)), (4000.0, (90, 99))):
        state = Contacts((held,))
        state.drag(Part.WHOLE, x).finish(at(0.0))
        assert state.computation.spans == (span(*kept),)


def test_a_contact_that_finds_no_room_stays_where_it_last_had_some():
    full = (span(0, 9), span(10, 19), span(20, 29))
    state = Contacts(full)
    gesture = state.drag(Part.WHOLE, -112.0, held=full[2], frames=30)
    assert state.shown[-1][1] == full[2]
    gesture.finish(at(0.0))
    assert state.steps == [] and state.shown[-1] == (None, full[2])


def test_a_contact_taken_back_or_where_it_was_is_no_step():
    state = Contacts()
    state.drag(Part.WHOLE, 80.0).cancel()
    assert state.shown[-1] == (None, BETWEEN[1]) and state.steps == []
    state.drag(Part.WHOLE, 80.0, 0.0).finish(at(100.0))
    state.drag(Part.LAST).finish(at(100.0))
    assert state.steps == [] and state.shown[-1] == (None, BETWEEN[1])


def test_contacts_are_deleted_and_added_where_there_is_room():
    state = Contacts()
    contacts.delete(state, span(1, 2))
    assert state.steps == []
    contacts.delete(state, BETWEEN[1])
    assert state.steps == ["Delete contact of left foot"]
    assert state.computation.spans == (BETWEEN[0], *BETWEEN[2:])
    left = Lane("left foot", 0)
    assert contacts.add(state, left, 29.6, 100, 30.0) == span(27, 33)
    assert state.steps[-1] == "Add contact of left foot" and state.computation.spans[-1] == span(27, 33)
    for frame in (0.0, 9.0, 27.0, 33.0, 55.0, -0.6, 100.0, 99.6):
        assert contacts.add(state, left, frame, 100, 30.0) is None
    assert contacts.add(state, left, 35.0, 100, 30.0) == span(34, 38)
    assert contacts.add(state, Lane("left foot", 1), 99.4, 100, 4.0) == span(98, 99, point=1)
    assert contacts.add(state, Lane("right foot", 1), 0.4, 100, 50.0) == span(0, 5, "right foot", 1)
    assert len(state.steps) == 5


# ---------------------------------------------------------------- tracks of media
class Media:
    rate = 30.0

    def __init__(self):
        self.asked = []

    def drag(self, id, **values):
        self.asked.append(("drag", id, values))

    def set(self, id, what, **values):
        self.asked.append((what, id, values))

    def cancel(self):
        self.asked.append("cancel")


def drag_track(x, held=NONE):
    state = Media()
    gesture = media.DragTrack(
        state, SimpleNamespace(id="audio-1", name="steps", start=0.5), lambda x: x / 300.0
    )
    gesture.begin(at(100.0))
    assert gesture.status == "steps starts at frame 15" and state.asked == []
    gesture.move(at(100.0 + x, held))
    return state, gesture


@pytest.mark.parametrize("x, held, start, frame", [
    (33.0, NONE, 18.0 / 30.0, "18"), (-42.0, NONE, 11.0 / 30.0, "11"), (33.0, SHIFT, 0.61, "18.3"),
    (-300.0, NONE, -0.5, "-15"),
])  # fmt: skip
def test_a_track_starts_at_whole_frames_and_with_shift_between_them(x, held, start, frame):
    state, gesture = drag_track(x, held)
    assert state.asked == [("drag", "audio-1", {"start": pytest.approx(start)})]
    assert gesture.status == f"steps starts at frame {frame}"
    gesture.finish(at(100.0 + x))
    assert state.asked[1:] == [("Start", "audio-1", {"start": pytest.approx(start)})]


def test_a_track_that_was_not_moved_is_no_step_and_escape_takes_all_back():
    state, gesture = drag_track(4.0)
    gesture.finish(at(104.0))
    assert state.asked == []
    state, gesture = drag_track(33.0)
    gesture.move(at(100.0))  # back at its start it is shown there
    assert state.asked[-1] == ("drag", "audio-1", {"start": pytest.approx(0.5)})
    gesture.cancel()
    assert state.asked[-1] == "cancel" and len(state.asked) == 3


# ---------------------------------------------------------------- the play range
class Playback:
    rate, length = RATE, 2.0

    def __init__(self, range=None):
        self.range, self.time, self.paused = range, 0.5, 0

    @property
    def span(self):
        return self.range or (0.0, self.length)

    def set_range(self, start, end):
        self.range = None if start is None else (start, end)

    def pause(self):
        self.paused += 1

    def seek(self, time):
        self.time = time


@pytest.mark.parametrize("range, found", [
    (None, {-10.1: None, -10.0: "start", -2.0: "start", -1.9: None, 0.0: None, 300.0: None, 601.9: None,
            602.0: "end", 610.0: "end", 610.1: None}),
    ((0.5, 1.5), {139.9: None, 140.0: "start", 152.0: "start", 152.1: None, 447.9: None, 448.0: "end",
                  460.0: "end", 460.1: None, 300.0: None}),
])  # fmt: skip
def test_brackets_are_held_mostly_outside_the_range(range, found):
    playback = Playback(range)
    for x, edge in found.items():
        assert edge_at(playback, lambda t: t * 300.0, x) is (None if edge is None else RangeEdge(edge)), x
    playback.length = 0.0
    assert edge_at(playback, lambda t: t * 300.0, next(x for x, e in found.items() if e)) is None


@pytest.mark.parametrize("edge, x, held, left", [
    (RangeEdge.START, 93.0, NONE, (0.3, 1.5)), (RangeEdge.START, 93.0, SHIFT, (0.31, 1.5)),
    (RangeEdge.START, 900.0, NONE, (1.5 - 1 / 30, 1.5)), (RangeEdge.START, -50.0, NONE, (0.0, 1.5)),
    (RangeEdge.END, 333.0, NONE, (0.5, 1.1)), (RangeEdge.END, 333.0, SHIFT, (0.5, 1.11)),
    (RangeEdge.END, 20.0, NONE, (0.5, 0.5 + 1 / 30)), (RangeEdge.END, 660.0, NONE, (0.5, 2.2)),
])  # fmt: skip
def test_an_end_of_the_range_is_dragged_up_to_the_other(edge, x, held, left):
    playback = Playback((0.5, 1.5))
    gesture = DragRange(playback, edge, lambda x: x / 300.0)
    gesture.move(at(x, held))
    assert playback.range == pytest.approx(left)
    gesture.cancel()
    assert playback.range == (0.5, 1.5)


def test_over_the_whole_clip_there_is_no_range_and_escape_brings_none_back():
    playback = Playback((0.0, 1.5))
    gesture = DragRange(playback, RangeEdge.END, lambda x: x / 300.0)
    for x, whole in ((600.0, True), (599.995, True), (599.95, False), (570.0, False)):
        gesture.move(at(x, SHIFT))
        assert (playback.range is None) is whole, x
        playback.range = (0.0, 1.5)
    playback.range = (0.1, 2.0)
    DragRange(playback, RangeEdge.END, lambda x: x / 300.0).move(at(600.0))
    assert playback.range == (0.1, 2.0)
    playback.range = None
    gesture = DragRange(playback, RangeEdge.START, lambda x: x / 300.0)
    gesture.move(at(60.0))
    assert playback.range == (pytest.approx(0.2), 2.0)
    gesture.cancel()
    assert playback.range is None


# ---------------------------------------------------------------- scrubbing, looking
def test_a_drag_anywhere_scrubs_by_six_pixels_a_frame():
    playback = Playback()
    gesture = scrub.scrub_from(playback, 200.0, RATE.snap, RATE.frame)
    gesture.begin(at(200.0))
    assert playback.paused == 1 and playback.time == pytest.approx(0.5)
    gesture.move(at(212.0))
    assert playback.time == pytest.approx(0.5 + 2 / 30)
    gesture.move(at(186.0))
    assert playback.time == pytest.approx(0.5 - 2 / 30)
    gesture.move(at(186.0, SHIFT))
    assert playback.time == pytest.approx(0.5 - 14 / 6 / 30)
    gesture.cancel()
    assert playback.time == 0.5


def test_the_view_of_a_driven_character_turns_by_each_way_of_the_pointer():
    seen = []
    gesture = play_look.DragLook(SimpleNamespace(look=lambda dx, dy: seen.append((dx, dy))))
    gesture.move(Pointer(1.0, 1.0))  # before the press it is not known from where
    gesture.begin(Pointer(10.0, 20.0))
    gesture.move(Pointer(13.0, 15.0))
    gesture.move(Pointer(14.0, 15.5))
    assert seen == [(3.0, -5.0), (1.0, 0.5)]


# ---------------------------------------------------------------- keys of cameras
class Shot:
    def __init__(self):
        self.shown, self.steps = [], []

    def set_preview(self, camera):
        self.shown.append(camera)

    def put(self, label, camera):
        self.steps.append((label, camera))
        return True


def camera():
    made = ShotCamera(AssetId("camera-1"), "close")
    for time in (0.5, 1.0, 1.5):
        made = keyed_at(made, time)
    return made


def times(made):
    return np.round(key_times(made) * 30.0, 6).tolist()


def drag_camera_keys(*ways, held=NONE, keys=(1.0, 1.5)):
    shot, made = Shot(), camera()
    gesture = camera_keys.DragCameraKeys(shot, made, keys, RATE, lambda x: x / 300.0)
    gesture.begin(at(100.0))
    for x in ways:
        gesture.move(at(100.0 + x, held))
    return shot, gesture


@pytest.mark.parametrize("x, held, left, status", [
    (33.0, NONE, [15.0, 33.0, 48.0], "33"), (33.0, SHIFT, [15.0, 33.3, 48.3], "33.3"),
    (-32.0, NONE, [15.0, 27.0, 42.0], "27"),
])  # fmt: skip
def test_keys_of_a_camera_are_dragged_along_by_the_one_that_is_held(x, held, left, status):
    shot, gesture = drag_camera_keys(70.0, x, held=held)
    assert times(shot.shown[-1]) == left and shot.steps == []
    assert gesture.status == f"Key of close at frame {status}"
    gesture.finish(at(100.0 + x))
    ((label, made),) = shot.steps
    assert label == "Retime 2 keys of close" and times(made) == left and shot.shown[-1] is None


def test_no_key_of_a_camera_goes_before_the_start():
    shot, gesture = drag_camera_keys(-4000.0, keys=(1.5, 0.5))
    assert gesture.shift == -0.5 and gesture.status == "Key of close at frame 30"
    assert times(shot.shown[-1])[0] == 0.0


def test_a_cameras_keys_at_their_place_are_no_step_and_escape_shows_none_of_it():
    shot, gesture = drag_camera_keys(30.0, 0.0, keys=(1.0,))
    gesture.finish(at(100.0))
    assert shot.steps == [] and shot.shown[-1] is None
    shot, gesture = drag_camera_keys(30.0, keys=(1.0,))
    gesture.cancel()
    assert shot.steps == [] and shot.shown[-1] is None and gesture.shift == 0.0
    assert not camera_keys.retime(shot, camera(), [1.0], 0.0)
    assert camera_keys.retime(shot, camera(), [1.0], 0.1) and shot.steps[-1][0] == "Retime 1 key of close"


def test_keys_of_a_camera_are_deleted_in_one_step():
    shot = Shot()
    assert camera_keys.delete(shot, camera(), [0.5, 1.5])
    ((label, made),) = shot.steps
    assert label == "Delete keys of close" and times(made) == [30.0]
