"""What the row of the transport leaves out where it is narrow, so that what stays is whole."""

from dataclasses import replace

import pytest

from core.timing import FrameRate
from editor.panels.timeline.transport import Transport
from tests.editor.stage import WALK, stage


@pytest.fixture
def row(qapp):
    with stage(qapp, "timeline") as here:
        found = here.window.findChild(Transport)
        found.here = here
        yield found


def at(row: Transport, width: int) -> tuple[list[str], bool]:
    """Captions, and whether the fields of the range are there, at a width; nothing is squeezed."""
    row.setFixedWidth(width)
    row.here.user.settle()
    assert row.layout().minimumSize().width() <= width
    return [caption.text() for caption in row._captions if caption.isVisible()], row.start.isVisible()


def needed(row: Transport) -> int:
    """Pixels for all of the row."""
    at(row, 2000)
    return row.layout().minimumSize().width()


ALL = ["frame", "of", "range", "–", "key frame"]


def test_captions_give_way_from_the_last_on_and_then_the_range_and_all_come_back(row):
    whole = needed(row)
    assert at(row, whole) == (ALL, True)
    assert at(row, whole - 1) == (ALL[:4], True)
    for width in range(whole, whole - 340, -7):
        captions, ranged = at(row, width)
        assert captions == ALL[: len(captions)] and (ranged or not captions)
        assert row.keys.isVisible() == row.end.isVisible() == row._clear.isVisible() == ranged
    assert (captions, ranged) == ([], False)
    assert row.frame.isVisible() and row.length.isVisible() and row.speed.isVisible()
    assert at(row, whole) == (ALL, True)


def test_a_longer_frame_rate_takes_its_room(row):
    session, whole = row.here.session, needed(row)
    assert at(row, whole) == (ALL, True)
    clip = session.document.project.assets[WALK]
    session.edits.put("rate", replace(clip, rate=FrameRate.of(29.97)))
    row.here.user.settle()
    assert row.rate.text() == "29.97 fps"
    assert at(row, whole) == (ALL[:4], True)
