"""Where events lie on their strip, without a strip: lanes below each other, what overlaps in rows of its own."""

from dataclasses import replace

import pytest

from core.clips.clip import Notify, SyncMarker
from editor.panels.timeline.event_rows import EventRows
from editor.tools.clip_events import Kind, Lane, on_lane
from tests.editor.rigs import small_project

NOTIFIES, SYNC = Lane(Kind.NOTIFY), Lane(Kind.SYNC)
LANES = (NOTIFIES, SYNC)


def clip(*notifies: Notify):
    found = small_project().clips[0]
    return replace(found, notifies=notifies, sync_markers=(SyncMarker("left", 0.5),))


def laid_out(*notifies: Notify, held: bool = False, rows: EventRows | None = None) -> EventRows:
    rows = rows or EventRows()
    rows.lay_out(clip(*notifies), LANES, 100.0, lambda name: 10.0 * len(name), held)
    return rows


THREE = (Notify("a", 0.0, 1.0), Notify("b", 0.5, 1.0), Notify("c", 0.75, 1.0))


def test_what_overlaps_takes_rows_of_its_own_and_the_next_lane_lies_below():
    rows = laid_out(*THREE)
    assert rows.lanes == ((NOTIFIES, 0, 3), (SYNC, 3, 1)) and rows.count == 4
    found = {event.name: rows.row(event) for lane in LANES for event in on_lane(clip(*THREE), lane)}
    assert found == {"a": 0, "b": 1, "c": 2, "left": 3}


def test_a_name_takes_room_as_a_bar_does():
    """Of a moment: ten pixels a letter, a hundred a second."""
    long = Notify("ten_letter", 0.0)
    assert laid_out(long, Notify("x", 0.9)).lanes[0][2] == 2
    assert laid_out(long, Notify("x", 1.1)).lanes[0][2] == 1


@pytest.mark.parametrize(
    ("row", "lane"),
    [(-0.01, None), (0.0, NOTIFIES), (2.99, NOTIFIES), (3.0, SYNC), (3.99, SYNC), (4.0, None), (9.0, None)],
)
def test_lane_of_a_row_from_its_first_to_its_last(row: float, lane: Lane | None):
    assert laid_out(*THREE).lane_at(row) == lane


def test_tops_are_told_of_lanes_that_are_shown():
    rows = laid_out(*THREE)
    assert [rows.top(lane) for lane in (*LANES, Lane(Kind.CONTACT, "left foot"))] == [0, 3, None]


def test_a_drag_keeps_every_lane_as_high_as_it_was():
    rows = laid_out(*THREE)
    laid_out(Notify("a", 0.0, 1.0), held=True, rows=rows)
    assert rows.lanes == ((NOTIFIES, 0, 3), (SYNC, 3, 1))
    laid_out(Notify("a", 0.0, 1.0), rows=rows)
    assert rows.lanes == ((NOTIFIES, 0, 1), (SYNC, 1, 1))


def test_the_same_again_is_no_change():
    rows, made = EventRows(), clip(*THREE)
    given = made, LANES, 100.0, len, False
    assert rows.lay_out(*given) and not rows.lay_out(*given)
    assert not rows.lay_out(made, LANES, 101.0, len, False)  # made anew, and lies where it did
    assert rows.lay_out(made, LANES[:1], 101.0, len, False)
    assert rows.count == 3 and EventRows().count == 1
