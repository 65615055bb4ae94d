"""All that a playblast asks for reaches the session that its pictures are made of."""

from pathlib import Path

import pytest

import core.io
from core.ids import AssetId
from editor.gl.colors import DARK, LIGHT
from editor.model.blocking import Blocking
from editor.model.shot.state import Shot
from editor.shell.playblast.settings import Playblast
from editor.shell.playblast.worker import CONFIG, DOCUMENT, Stage
from tests.editor.panel_stage import small_session
from tests.editor.verb_stages import _camera


@pytest.fixture
def made(qapp, tmp_path: Path):
    session = small_session()
    _camera(session, None)  # type: ignore[arg-type]
    core.io.save(session.document.project, tmp_path / DOCUMENT)
    clip = session.clip.id
    session.close()
    (tmp_path / CONFIG).mkdir()
    stages: list[Stage] = []

    def make(**changes: object) -> Stage:
        task = Playblast(**{"path": tmp_path / "a.png", "clip": clip, "start": 0.0, "end": 1.0, "rate": 30.0,
                            "size": (320, 200), **changes})  # fmt: skip
        stages.append(Stage(tmp_path, task))
        return stages[-1]

    yield make
    for stage in stages:
        stage.model.close()
        stage.session.close()


@pytest.mark.parametrize("on", [True, False])
def test_switches_of_the_task_are_those_of_the_pictures(made, on: bool) -> None:
    stage = made(layers=on, in_place=on, light=on, switches={"grid": on, "axes": not on})
    session = stage.session
    assert session.evaluator.layers.shown is on and session.playback.in_place is on
    assert (session.switches["grid"], session.switches["axes"]) == (on, not on)
    assert stage.colors == (LIGHT if on else DARK)
    assert not stage.model.scene.shot.outlines


def test_bones_clip_and_size(made) -> None:
    stage = made(bones=("hand_l", "head"), ratio=2.0)
    assert stage.session.selection.bones == ("hand_l", "head")
    assert stage.session.playback.clip == stage.task.clip and stage.session.playback.playing
    assert stage.model.controller.size == (160.0, 100.0)


@pytest.mark.parametrize("frames", [None, 0, 4])
def test_the_blocking_view_steps_as_asked(made, frames: int | None) -> None:
    blocking = made(blocking=frames).session.feature(Blocking)
    assert blocking.on is (frames is not None)
    assert frames is None or blocking.frames == frames


@pytest.mark.parametrize("camera", ["", "camera-b"])
def test_a_camera_of_the_shot_is_looked_through(made, camera: str) -> None:
    stage = made(shot_camera=camera)
    chosen = stage.session.feature(Shot).selected
    if camera:
        assert chosen is not None and chosen.id == AssetId(camera)
    drawn = stage.draw_list(0.5)
    assert drawn.gizmo is None and drawn.axis_widget is None
    assert stage.session.playback.time == pytest.approx(0.5)


def test_a_plain_background_replaces_the_themes(made) -> None:
    stage = made(background="#00b140")
    assert stage.colors.background_top == stage.colors.background_bottom != DARK.background_top
