"""Gestures over time, by kind: Esc takes all back, a release is one step, Ctrl leaves frames, locked bones stay."""

from collections.abc import Callable

import numpy as np
import pytest

from editor.model.session import Session
from editor.tools.clip_events import Kind, Lane, on_lane
from editor.tools.event_drags import DragEvents
from editor.tools.gesture import Gesture
from editor.tools.key_drag import DragKeys, ScaleKeys
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.scrub import Scrub
from editor.tools.span_part import Part
from tests.editor.actions import rich

FRAME = 1.0 / 30.0
PIXELS = 300.0
"""A second on the screen."""


def time_at(x: float) -> float:
    return x / PIXELS


def at(frames: float, *held: Modifiers) -> Pointer:
    keys = Modifiers.NONE
    for key in held:
        keys |= key
    return Pointer(frames * FRAME * PIXELS, 10.0, Button.LEFT, keys)


def drag_keys(session: Session) -> Gesture:
    return DragKeys(session, 20.0 * FRAME, time_at, lambda: None)


def scale_keys(session: Session) -> Gesture:
    return ScaleKeys(session, (20.0 * FRAME, 40.0 * FRAME), True, time_at, session.clip.rate.snap)


def events(kind: Kind) -> Callable[[Session], Gesture]:
    def make(session: Session) -> Gesture:
        clip = session.clip
        found = on_lane(clip, Lane(kind))[0]
        return DragEvents(
            session, (found,), Part.WHOLE, time_at, clip.rate.snap, lambda: None, lambda chosen: None
        )

    return make


def scrub(session: Session) -> Gesture:
    return Scrub(session.playback, time_at, session.playback.rate.snap)


EDITS = {
    "keys": drag_keys, "span of keys": scale_keys, "notify": events(Kind.NOTIFY), "sync marker": events(Kind.SYNC),
}  # fmt: skip


@pytest.fixture
def session():
    made = rich.session()
    yield made
    made.close()


def state(session: Session) -> tuple:
    keys = {c: k.tolist() for c, k in session.selection.keys.items()}
    return (
        session.document.project,
        session.history.position,
        session.preview.clip,
        keys,
        session.playback.time,
    )


def dragged(gesture: Gesture, frames: float, *held: Modifiers) -> Gesture:
    gesture.begin(at(20.0))
    for share in (0.3, 0.7, 1.0):
        gesture.move(at(20.0 + frames * share, *held))
    return gesture


@pytest.mark.parametrize("name", [*EDITS, "scrub"])
def test_a_gesture_taken_back_leaves_all_as_it_was(session: Session, name: str) -> None:
    before = state(session)
    gesture = dragged({**EDITS, "scrub": scrub}[name](session), 7.0)
    assert state(session) != before
    gesture.cancel()
    assert state(session) == before
    session.undo()  # nothing of it is among the steps either
    assert session.history.redo_label == "Save pose kept"


@pytest.mark.parametrize("name", list(EDITS))
def test_a_release_is_one_step_with_a_name_and_undo_brings_the_clip_back(session: Session, name: str) -> None:
    clip, position = session.clip, session.history.position
    gesture = dragged(EDITS[name](session), 7.0)
    shown = session.preview.clip
    gesture.finish(at(27.0))
    assert session.history.position == position + 1 and session.history.labels[-1]
    assert session.preview.clip is None and session.clip is shown
    session.undo()
    assert session.clip is clip


@pytest.mark.parametrize("name", list(EDITS))
def test_a_gesture_back_at_its_start_is_no_step(session: Session, name: str) -> None:
    before = state(session)
    gesture = EDITS[name](session)
    gesture.begin(at(20.0))
    gesture.finish(at(20.0))
    assert state(session)[:3] == before[:3]


def moved_to(session: Session, name: str) -> float:
    """The frame that what was dragged is at."""
    clip = session.clip
    seconds = {
        "keys": lambda: clip.tracks[rich.TURN].times[1],
        "span of keys": lambda: clip.tracks[rich.TURN].times[2],
        "notify": lambda: clip.notifies[0].time,
        "sync marker": lambda: clip.sync_markers[0].time,
    }[name]()
    return float(seconds) / FRAME


@pytest.mark.parametrize("name", list(EDITS))
def test_frames_catch_and_ctrl_goes_between_them(session: Session, name: str) -> None:
    dragged(EDITS[name](session), 5.4).finish(at(25.4))
    caught = moved_to(session, name)
    assert caught == pytest.approx(round(caught), abs=1e-6)
    session.undo()
    dragged(EDITS[name](session), 5.4, Modifiers.CTRL).finish(at(25.4, Modifiers.CTRL))
    free = moved_to(session, name)
    assert abs(free - caught) > 0.05 and abs(free - round(free)) > 0.05
    session.undo()
    session.switches.set("snap", False)  # then it is the other way round
    dragged(EDITS[name](session), 5.4).finish(at(25.4))
    assert moved_to(session, name) == pytest.approx(free)
    session.undo()
    dragged(EDITS[name](session), 5.4, Modifiers.CTRL).finish(at(25.4, Modifiers.CTRL))
    assert moved_to(session, name) == pytest.approx(caught)


@pytest.mark.parametrize("name", ["keys", "span of keys"])
def test_keys_of_locked_bones_are_not_dragged(session: Session, name: str) -> None:
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = state(session)[:2]
    gesture = dragged(EDITS[name](session), 7.0)
    gesture.finish(at(27.0))
    assert state(session)[:2] == before


@pytest.mark.parametrize(("name", "left"), [("keys", 5), ("notify", 2), ("sync marker", 2)])
def test_alt_leaves_the_original(session: Session, name: str, left: int) -> None:
    gesture = EDITS[name](session)
    gesture.begin(at(20.0, Modifiers.ALT))
    gesture.move(at(27.0, Modifiers.ALT))
    gesture.finish(at(27.0, Modifiers.ALT))
    clip = session.clip
    found = {"keys": clip.tracks[rich.TURN].times, "notify": clip.notifies, "sync marker": clip.sync_markers}[
        name
    ]
    assert len(found) == (6 if name == "keys" else left)


def test_scrubbing_goes_to_whole_frames_and_with_shift_between_them(session: Session) -> None:
    gesture = scrub(session)
    gesture.begin(at(5.4))
    assert session.playback.frame == pytest.approx(5.0)
    gesture.move(at(12.4, Modifiers.SHIFT))
    assert session.playback.frame == pytest.approx(12.4)
    gesture.finish(at(12.4, Modifiers.SHIFT))
    assert session.history.position == 1
    assert np.isclose(session.playback.frame, 12.4)
