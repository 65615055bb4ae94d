"""Drags of events without a window: ends are trimmed within the clip, copies and lanes by modifier and place, boxes."""

from dataclasses import replace

import pytest

from core.clips.clip import Notify, SyncMarker
from core.clips.contacts import contact_spans
from editor.tools.clip_events import FEET, Kind, Lane, on_lane
from editor.tools.event_drags import BoxEvents, DragEvents
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.span_part import Part
from tests.editor.actions import rich

FRAME, PIXELS = 1.0 / 30.0, 300.0
PLAIN, SOUNDS, SYNC, FOOT = (
    Lane(Kind.NOTIFY), Lane(Kind.NOTIFY, name="Sounds"), Lane(Kind.SYNC), Lane(Kind.CONTACT, FEET[0]),
)  # fmt: skip


@pytest.fixture
def session():
    """A span from frame 15 to 30 and a moment at 45, a marker at 12, a contact from 6 to 24."""
    made = rich.session()
    clip = replace(
        made.clip, notifies=(Notify("trail", 0.5, 0.5), Notify("step", 1.5)), sync_markers=(SyncMarker("l", 0.4),)
    )  # fmt: skip
    made.edits.put("events", clip)
    yield made
    made.close()


def at(frame: float, y: float = 0.0, held: Modifiers = Modifiers.NONE) -> Pointer:
    return Pointer(frame * FRAME * PIXELS, y, Button.LEFT, held)


class Drag:
    """A drag of events; what became of it."""

    def __init__(self, session, part, start, goal, *lanes, held=Modifiers.NONE, y=0.0, over=None) -> None:
        self.clicks, self.chosen = 0, ()
        found = tuple(on_lane(session.clip, lane)[0] for lane in lanes)
        self.gesture = DragEvents(
            session, found, part, lambda x: x / PIXELS, session.clip.rate.snap, self.click, self.choose,
            lambda y: over if y > 50.0 else None,
        )  # fmt: skip
        self.gesture.begin(at(start, 0.0, held))
        self.gesture.move(at((start + goal) / 2.0, 0.0, held))
        self.gesture.move(at(goal, y, held))
        self.gesture.finish(at(goal, y, held))

    def click(self) -> None:
        self.clicks += 1

    def choose(self, events) -> None:
        self.chosen = events


def frames(session, lane: Lane) -> list[tuple[str, float, float]]:
    return [(e.name, round(e.time / FRAME, 3), round(e.end / FRAME, 3)) for e in on_lane(session.clip, lane)]


@pytest.mark.parametrize(
    "part, start, goal, span, verb",
    [
        (Part.WHOLE, 20.0, 26.0, (21.0, 36.0), "Move"),
        (Part.WHOLE, 20.0, 90.0, (45.0, 60.0), "Move"),  # within the clip, as long as it was
        (Part.WHOLE, 20.0, -30.0, (0.0, 15.0), "Move"),
        (Part.FIRST, 15.0, 20.0, (20.0, 30.0), "Trim"),
        (Part.FIRST, 15.0, 48.0, (30.0, 30.0), "Trim"),  # at most to its end
        (Part.FIRST, 15.0, -9.0, (0.0, 30.0), "Trim"),
        (Part.LAST, 30.0, 36.0, (15.0, 36.0), "Trim"),
        (Part.LAST, 30.0, 90.0, (15.0, 60.0), "Trim"),
        (Part.LAST, 30.0, 2.0, (15.0, 15.0), "Trim"),
    ],
)
def test_an_event_moves_and_its_ends_are_trimmed_within_the_clip(session, part, start, goal, span, verb):
    before, steps = session.clip, session.history.position
    drag = Drag(session, part, start, goal, PLAIN)
    assert frames(session, PLAIN)[0] == ("trail", *span) or frames(session, PLAIN)[-1] == ("trail", *span)
    assert session.history.labels[steps:] == (f"{verb} trail",) and session.preview.clip is None
    assert [(e.name, round(e.time / FRAME, 3), round(e.end / FRAME, 3)) for e in drag.chosen] == [
        ("trail", *span)
    ]
    session.undo()
    assert session.clip is before


@pytest.mark.parametrize("part, start, goal, span", [
    (Part.FIRST, 6.0, 40.0, (23.0, 24.0)), (Part.LAST, 24.0, 1.0, (6.0, 7.0)), (Part.LAST, 24.0, 30.0, (6.0, 30.0)),
])  # fmt: skip
def test_a_contact_lasts_a_frame_at_least(session, part, start, goal, span):
    Drag(session, part, start, goal, FOOT)
    (found,) = contact_spans(session.clip, FEET[0])
    assert found == pytest.approx((span[0] * FRAME, span[1] * FRAME))


def test_a_held_end_lands_on_frames_and_those_beside_keep_their_distance(session):
    drag = Drag(session, Part.WHOLE, 15.0, 18.4, PLAIN, SYNC)
    assert [round(e.time / FRAME, 3) for e in drag.chosen] == [18.0, 15.0]
    assert session.history.labels[-1] == "Move 2 events"
    Drag(session, Part.LAST, 33.0, 35.4, PLAIN, held=Modifiers.CTRL)
    assert frames(session, PLAIN)[0][2] == pytest.approx(35.4, abs=1e-3)


def test_alt_copies_the_whole_and_trims_without_a_copy(session):
    drag = Drag(session, Part.WHOLE, 15.0, 25.0, PLAIN, held=Modifiers.ALT)
    assert frames(session, PLAIN) == [("trail", 15.0, 30.0), ("trail", 25.0, 40.0), ("step", 45.0, 45.0)]
    assert session.history.labels[-1] == "Copy trail"
    assert [round(e.time / FRAME) for e in drag.chosen] == [25]
    Drag(session, Part.LAST, 30.0, 33.0, PLAIN, held=Modifiers.ALT)
    assert frames(session, PLAIN)[0] == ("trail", 15.0, 33.0) and len(frames(session, PLAIN)) == 3


@pytest.mark.parametrize("part, over, lands", [
    (Part.WHOLE, SOUNDS, True), (Part.LAST, SOUNDS, False), (Part.WHOLE, SYNC, False), (Part.WHOLE, None, False),
])  # fmt: skip
def test_a_notify_goes_to_the_lane_of_notifies_that_it_is_over(session, part, over, lands):
    Drag(session, part, 30.0, 33.0, PLAIN, SYNC, y=60.0, over=over)
    assert [n for n, _, _ in frames(session, SOUNDS)] == (["trail"] if lands else [])
    assert len(frames(session, SYNC)) == 1


def test_a_press_without_a_drag_is_a_click(session):
    before = session.clip
    drag = Drag(session, Part.WHOLE, 15.0, 15.05, PLAIN)
    assert drag.clicks == 1 and session.clip is before and drag.chosen == ()


def test_a_drag_taken_back_chooses_what_was_dragged(session):
    drag = Drag(session, Part.WHOLE, 15.0, 15.0, PLAIN)
    before = session.clip
    drag.gesture.begin(at(15.0))
    drag.gesture.move(at(30.0))
    assert session.preview.clip is not None and drag.chosen[0].time == pytest.approx(1.0)
    drag.gesture.cancel()
    assert session.preview.clip is None and session.clip is before
    assert drag.chosen == on_lane(before, PLAIN)[:1]


def test_a_box_any_way_round_adds_to_what_was_selected_and_escape_brings_that_back(session):
    first, second = on_lane(session.clip, PLAIN)
    shown, chosen = [], []
    gesture = BoxEvents(lambda box: (first, second), (first,), chosen.append, shown.append)
    gesture.move(Pointer(5.0, 5.0, Button.LEFT))  # not begun
    assert not shown
    for start, end in (((10.0, 90.0), (70.0, 20.0)), ((70.0, 20.0), (10.0, 90.0))):
        gesture.begin(Pointer(*start, Button.LEFT))
        gesture.move(Pointer(*end, Button.LEFT))
        assert shown[-1] == (10.0, 20.0, 70.0, 90.0) and chosen[-1] == (first, second)
    gesture.finish(Pointer(70.0, 20.0, Button.LEFT))
    assert shown[-1] is None and chosen[-1] == (first, second)
    gesture.move(Pointer(10.0, 90.0, Button.LEFT))
    gesture.cancel()
    assert shown[-1] is None and chosen[-1] == (first,)
