"""Keys of Play without its view: what is held is let go when the view loses the keyboard. Where its camera stands."""

from types import SimpleNamespace

import numpy as np
import pytest

from editor.gl import camera as cameras
from editor.model.play.controls import PlayControls
from editor.panels.viewport.play_driver import camera_of
from editor.panels.viewport.play_input import Key, PlayInput
from editor.tools.pointer import Modifiers


def test_no_key_is_held_once_the_view_has_lost_the_keyboard() -> None:
    controls = PlayControls()
    keys = PlayInput(SimpleNamespace(on=True, preparing=False, controls=controls), lambda on: None)
    assert keys.key(Key.Key_W, Modifiers.NONE, pressed=True, repeated=False) and controls.held
    keys.release_all()
    assert not controls.held
    keys.key(Key.Key_W, Modifiers.NONE, pressed=True, repeated=False)
    assert controls.held  # it can be pressed anew


@pytest.mark.parametrize("pitch", [-40.0, 0.0, 25.0])
def test_the_camera_looks_up_by_the_pitch_and_along_the_yaw(pitch: float) -> None:
    follow = SimpleNamespace(pivot=np.array([1.0, 2.0, 3.0]), distance=4.0)
    camera = camera_of(follow, 90.0, pitch)  # type: ignore[arg-type]
    up, ahead = np.sin(np.radians(pitch)), np.cos(np.radians(pitch))
    assert cameras.axes(camera)[2] == pytest.approx([ahead, up, 0.0], abs=1e-12)
    assert cameras.eye(camera) == pytest.approx(follow.pivot - 4.0 * np.array([ahead, up, 0.0]))
