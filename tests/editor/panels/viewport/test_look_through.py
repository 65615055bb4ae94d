"""Looking through a camera of the shot, without a window: where the view stands, how it is flipped, the way back."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.shot.camera import ShotCamera
from editor.gl.camera import Camera
from editor.gl.shot_view import place_of
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import ToolState
from tests.editor.panel_stage import small_session
from tests.editor.verb_stages import replace_place

EYE = (0.3, 1.1, 4.0)


@pytest.fixture
def view(qapp) -> Iterator[tuple[Session, ViewportModel]]:
    session = small_session()
    model = ViewportModel(session, ToolState())
    model.resize((640.0, 480.0))
    session.feature(Shot).add(ShotCamera("camera-a", "first", replace_place(*EYE)))
    yield session, model
    model.close()
    session.close()


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_view_stands_where_the_camera_does_flipped_as_before(view, mirrored: bool) -> None:
    session, model = view
    before = replace(Camera(yaw=1.0), mirrored=mirrored)
    model.controller.set_camera(before)
    session.feature(Shot).look_through(True)
    assert np.allclose(place_of(model.camera)[0], EYE, atol=1e-6)
    assert model.camera.mirrored is mirrored
    assert model.camera_rectangle() is not None
    session.feature(Shot).look_through(False)
    assert model.camera == before and model.camera_rectangle() is None


def test_only_a_locked_camera_holds_the_view_still(view) -> None:
    session, model = view
    shot = session.feature(Shot)
    shot.look_through(True)
    assert not model.controller.still
    shot.lock(True)
    assert model.controller.still
    shot.look_through(False)
    assert not model.controller.still
