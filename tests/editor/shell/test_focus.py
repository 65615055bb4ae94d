"""Where the focus goes when the panel that had it is put away."""

import pytest
from PySide6.QtWidgets import QWidget

from editor.panels.timeline.layout import RULER
from editor.panels.timeline.transport import Transport
from tests.editor.stage import stage


@pytest.mark.parametrize("focused", ["clips", "clipSearch"])
def test_frame_field_follows_the_playhead_after_the_panel_with_the_focus_was_hidden(qapp, focused):
    """As a workspace switch does: Qt hands the focus on as if by Tab, and the open editor covered the number."""
    with stage(qapp, "clips", "timeline", "bone_tree") as here:
        transport = here.window.findChild(Transport)
        if focused == "clipSearch":
            here.window.findChild(QWidget, "clipSearch").setVisible(True)
        here.window.findChild(QWidget, focused).setFocus()
        here.user.settle()
        here.window.docks["clips"].hide()
        here.window.docks["timeline"].hide()
        here.user.settle()
        here.window.docks["timeline"].show()
        here.user.settle()
        assert not transport.frame.editing
        tracks = transport.parentWidget().tracks
        here.user.click(tracks, (tracks._model.view.view_x(12 / 30), RULER / 2))
        assert transport.frame.value == 12.0 and not transport.frame.editing
        here.frame(20)
        assert transport.frame.value == 20.0 and not transport.frame.editing
