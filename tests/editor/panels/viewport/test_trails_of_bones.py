"""Which bones have trails, and whose path is drawn anew: that of the bone selected last."""

import numpy as np
import pytest

from editor.panels.viewport.trails import MOST_BONES, dot_text, trail_times
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import ToolState
from tests.editor.panel_stage import small_session


@pytest.fixture
def view(qapp):
    session = small_session()
    model = ViewportModel(session, ToolState())
    model.resize((640.0, 480.0))
    session.switches.set("trails", True)
    yield session, model
    model.close()
    session.close()


def test_the_path_is_that_of_the_bone_selected_last(view) -> None:
    session, model = view
    session.selection.select(("head", "hand_l"))
    name, times, places = model.scene.trails.path(model.rig)
    assert name == "hand_l" and len(times) == len(places) == len(trail_times(session))
    drawn = model.scene.trails._trails(model.rig)
    assert drawn.bones == ("head", "hand_l") and np.array_equal(places, drawn.places[1])
    assert not np.allclose(drawn.places[0], drawn.places[1])
    session.selection.select(())
    assert model.scene.trails.path(model.rig) is None


def test_of_many_bones_those_selected_last_have_trails(view) -> None:
    session, model = view
    names = session.rig.skeleton.names
    session.selection.select(names)
    assert model.scene.trails._trails(model.rig).bones == tuple(names)[-MOST_BONES:]


def test_a_dot_tells_its_frame_and_speed(view) -> None:
    session, model = view
    session.selection.select(("hand_l",))
    trails = model.scene.trails
    drawn = trails._trails(model.rig)
    times, places = drawn.times, drawn.places[0]
    frame = int(np.argmin(np.abs(times - 10.0 / 30.0)))
    speed = np.linalg.norm(places[frame + 1] - places[frame - 1]) / (times[frame + 1] - times[frame - 1])
    from editor.panels.viewport.trails import Dot

    dot = Dot("hand_l", float(times[frame]), places[frame], float(speed))
    assert dot_text(session, dot) == f"frame 10 · {speed:.2f} m/s"
