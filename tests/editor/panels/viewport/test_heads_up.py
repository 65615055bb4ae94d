"""The lines over the view: whether playback keeps up with what the clip asks for."""

import pytest

from editor.model.playback import Playback, PlayMode
from editor.panels.viewport.heads_up import heads_up
from editor.tools.state import ToolState
from tests.editor.panel_stage import small_session


@pytest.mark.parametrize(
    ("measured", "speed", "mode", "behind"),
    [
        (0.0, 1.0, PlayMode.REAL_TIME, False),
        (30.0, 1.0, PlayMode.REAL_TIME, False),
        (27.5, 1.0, PlayMode.REAL_TIME, False),
        (26.5, 1.0, PlayMode.REAL_TIME, True),
        (26.5, 0.5, PlayMode.REAL_TIME, False),
        (26.5, 1.0, PlayMode.EVERY_FRAME, False),
        (50.0, 4.0, PlayMode.REAL_TIME, True),
        (56.0, 4.0, PlayMode.REAL_TIME, False),
    ],
)
def test_frames_a_second_below_nine_tenths_of_the_wanted_are_behind(
    monkeypatch, measured, speed, mode, behind
):
    session = small_session(mesh=False)
    monkeypatch.setattr(Playback, "measured_fps", property(lambda playback: measured))
    session.playback.speed, session.playback.mode = speed, mode
    lines = heads_up(session, ToolState().setup, "", "")
    assert lines.behind is behind
    assert lines.rate == (f"{measured:.0f} fps" if measured else "")
    session.close()
