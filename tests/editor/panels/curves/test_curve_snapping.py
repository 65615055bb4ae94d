"""Where dragged keys snap to: frames, and where frames are wide markers and the playhead within five pixels, too."""

from types import SimpleNamespace

import pytest

from core.clips.clip import Marker
from core.timing import FrameRate
from editor.model.time_axis import TimeAxis
from editor.panels.curves.curve_view import CurveView

FRAME = 1.0 / 30.0
WIDE, NARROW = 20.0 * 30.0, 10.0 * 30.0
"""Pixels a second: twenty and ten a frame."""


@pytest.mark.parametrize(
    ("time", "scale", "wanted"),
    [
        (10.4, WIDE, 10.5),  # the playhead, nearer than frame 10
        (10.2, WIDE, 10.0),  # frame 10, nearer than the playhead
        (10.4, NARROW, 10.0),  # frames are too narrow
        (20.3, WIDE, 20.3),  # the marker
        (20.1, WIDE, 20.0),
        (20.49, WIDE, 20.3),
        (20.6, WIDE, 21.0),  # the marker is six pixels away
        (7.6, WIDE, 8.0),
        (-2.4, WIDE, -2.0),
    ],
)
def test_times_in_frames(time: float, scale: float, wanted: float) -> None:
    clip = SimpleNamespace(markers=(Marker("note", 20.3 * FRAME),), rate=FrameRate.of(30))
    playback = SimpleNamespace(shown=clip, time=10.5 * FRAME)
    view = CurveView(None, None, playback, None)  # type: ignore[arg-type]
    view.axis = TimeAxis(scale=scale)
    assert view.snapped(time * FRAME, {}) == pytest.approx(wanted * FRAME)


def test_without_a_clip_nothing_snaps_and_up_is_more() -> None:
    view = CurveView(None, None, SimpleNamespace(shown=None), None)  # type: ignore[arg-type]
    assert view.snapped(0.123, {}) == 0.123
    assert view.time_at(view.axis.x(0.7)) == pytest.approx(0.7)
