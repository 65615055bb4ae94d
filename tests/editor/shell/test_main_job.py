"""The main job in the real window, from the first click to the file opened again."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from core.arrays import same_value
from core.clips.clip import Channel, Property
from editor.gl.gizmo import Handle
from editor.gl.viewport_widget import ViewportWidget
from tests.editor.seen import Seen
from tests.editor.shell.test_window import ALL, choose_file, wait
from tests.editor.stage import stage


def test_bone_turned_by_the_gizmo_is_keyed_undone_saved_and_read_back(qapp: QApplication, tmp_path):
    with stage(qapp, *ALL) as here:
        view = here.window.findChild(ViewportWidget)
        panel = view.parentWidget()
        while not hasattr(panel, "model"):
            panel = panel.parentWidget()
        seen = Seen(here.session, panel)
        before = here.clip()
        here.frame(10)
        here.user.click(seen.view, seen.bone_pixel("arm_l"))
        assert here.session.selection.bones == ("arm_l",)
        start = seen.handle_pixel(Handle.X)
        here.user.drag(seen.view, start, (start[0] + 8, start[1] + 30))
        after = here.clip()
        changed = {c for c, t in after.tracks.items() if before.tracks.get(c) is not t}
        assert changed == {Channel("arm_l", Property.ROTATE, 0)}
        assert all(np.isclose(after.tracks[c].times, 10 / 30, atol=1e-6).any() for c in changed)
        here.frame(20)
        here.user.press("Ctrl+Z")
        assert same_value(here.clip(), before)
        assert here.session.playback.frame == pytest.approx(10.0)
        here.user.press("Ctrl+Shift+Z")
        assert same_value(here.clip(), after)
        here.user.press("Ctrl+S")
        choose_file(here, tmp_path / "job")
        wait(here)
    with stage(qapp, *ALL, project=None) as here:
        here.window.documents.open(tmp_path / "job.posewright")
        wait(here)
        assert same_value(here.clip(), after)
