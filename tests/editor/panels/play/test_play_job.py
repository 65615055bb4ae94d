"""The user's job in Play from the first key to the file in another program, with the whole locomotion sample.

Every input is a key or mouse event in the real window; three.js plays the exported file where it is installed.
"""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

import core.io
from core.io.native.write import to_bytes
from editor.model.play.state import Play
from editor.panels.viewport.play_driver import PlayDriver
from tests.editor.panels.play.played import enter, held, pick, run_for, tap, whole
from tests.editor.shell.test_window import choose_file
from tests.editor.stage import stage
from tests.editor.user import RIGHT, SHIFT
from tests.three import MISSING, require_three_plays

PANELS = ("viewport", "clips", "history", "graph", "play", "play_run", "play_setup")


@pytest.fixture
def here(qapp, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)  # time goes on by `run_for` alone
    with stage(qapp, *PANELS, project=whole) as made:
        yield made
        made.session.feature(Play).stop()


def drive(here, play) -> None:
    """Walk, run, turn, jump, crouch."""
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.5)
        assert play.run.control.speed == pytest.approx(3.75, abs=0.05)
        tap(here, Qt.Key.Key_Control)
        run_for(here, 0.6)
        assert play.run.control.speed == pytest.approx(1.75, abs=0.05)
        tap(here, Qt.Key.Key_Control)
        here.user.drag("viewport", (300, 200), (300 - 180, 200), RIGHT)
        run_for(here, 0.6)
        assert play.run.control.yaw == pytest.approx(45.0, abs=5.0)
        tap(here, Qt.Key.Key_Space)
        run_for(here, 0.25)
        assert play.run.control.in_air and play.run.control.position[1] > 0.4
        run_for(here, 0.8)
        assert not play.run.control.in_air
    tap(here, Qt.Key.Key_C)
    run_for(here, 0.4)
    assert play.run.control.crouching and play.run.control.speed == 0.0
    tap(here, Qt.Key.Key_C)
    run_for(here, 0.2)


def test_play_rewind_bake_export_and_three_js_plays_it(here, tmp_path):
    session = here.session
    before = to_bytes(session.document.project)
    play = enter(here)
    drive(here, play)
    pick(here, "playTerrain", "Stairs")
    here.user.wait_until(lambda: play.run.terrain.name == "stairs" and not play.preparing)
    here.user.move("viewport")
    here.user.drag("viewport", (300 - 180, 200), (300, 200), RIGHT)
    with held(here, Qt.Key.Key_W):
        run_for(here, 2.0)
    assert play.run.control.position[1] > 1.0 and play.run.notes[-1].control.position[2] > 3.0
    # rewind, look, choose a span
    model = here.window.docks["play_run"].body.panel.model
    places = [note.control.position for note in play.run.notes]
    here.user.drag("playBar", (model.x(110), 40), (model.x(70), 40))
    assert not play.running and play.run.control.position == places[play.run.at]
    here.user.drag("playBar", (model.x(20), 40), (model.x(80), 40), modifiers=SHIFT)
    first, last = play.span
    assert to_bytes(session.document.project) == before and session.history.position == 0
    # bake: one undo step
    here.user.click("playBake")
    here.user.wait_until(lambda: session.history.position == 1, "nothing was baked")
    baked = session.document.project.clips[-1]
    assert baked.length == pytest.approx((last - first) / 60.0) and baked.root_motion.enabled
    # export
    here.user.click("playExport")
    choose_file(here, tmp_path / "climbed.glb")
    path = tmp_path / "climbed.glb"
    here.user.wait_until(lambda: path.exists() and not session.jobs.running, "nothing was written")
    again = core.io.load(path).project
    assert [clip.name for clip in again.clips] == ["climbed"]
    rise = places[last][1] - places[first][1]
    root = again.clips[0]
    assert root.length == pytest.approx(baked.length, abs=1e-3) and rise > 0.3
    here.user.press("Ctrl+Z")
    assert to_bytes(session.document.project) == before
    rig = session.document.project.rigs[0]
    alone = session.document.project.__class__({rig.id: rig, baked.id: replace(baked, name="climbed")})
    assert np.isfinite(baked.length)
    if not require_three_plays(alone, path, tmp_path):
        pytest.skip(f"all but three.js was tested: {MISSING}")
