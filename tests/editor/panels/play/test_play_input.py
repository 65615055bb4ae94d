"""Keys of Play without its view: what is held is let go when the view loses the keyboard."""

from types import SimpleNamespace

from editor.model.play.controls import PlayControls
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
