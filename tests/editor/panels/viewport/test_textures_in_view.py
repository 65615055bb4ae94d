"""Textures as a person sees them: drawn once decoded, plain clay by a switch, and said where one is left out."""

import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage

import core.io
from core.rig.mesh import Material, Texture
from editor.gl.png import encode_png
from editor.model.retarget.state import Retargeting
from editor.panels.source_view.view_model import SourceView
from editor.panels.viewport.panel import PANEL
from editor.tools.state import ToolState
from tests.editor.panel_stage import Stage, small_session
from tests.editor.rigs import small_project
from tests.editor.user import User

GREEN = encode_png(np.tile(np.array((0, 255, 0, 255), np.uint8), (8, 8, 1)))
HUGE = b"\x89PNG\r\n\x1a\n" + b"".join(
    struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)), (b"IEND", b""))
)


def dressed(data: bytes):
    project = small_project()
    mesh = project.meshes_of(project.rigs[0].id)[0]
    skin = Material("skin", (1.0, 1.0, 1.0, 1.0), texture=Texture("image/png", data))
    uvs = np.zeros((len(mesh.positions), 2), np.float32)
    return project.with_assets(replace(mesh, materials=(skin,), uvs=uvs))


class Scene:
    def __init__(self, qapp, data: bytes) -> None:
        session = small_session()
        project = dressed(data)
        session.document.replace(project, None)
        session.playback.set_clip(project.clips[0].id, project.rigs[0].id)
        self.stage = Stage(qapp, session)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.stage.show(600, 420)
        self.user, self.session = User(self.stage.window), session

    def pixels(self, red: int, green: int, blue: int) -> int:
        """How many pixels have a hue."""
        self.user.settle()
        shown = self.panel.view.shown_image().convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.bytesPerLine())
        rgb = rows[:, : 3 * shown.width()].reshape(shown.height(), shown.width(), 3).astype(int)
        high = rgb > rgb.max(axis=2, keepdims=True) * 0.6
        return int(((high == np.array((red, green, blue), bool)).all(axis=2) & (rgb.max(axis=2) > 90)).sum())


@pytest.fixture
def made(qapp):
    scenes = []

    def make(data: bytes) -> Scene:
        scenes.append(Scene(qapp, data))
        return scenes[-1]

    yield make
    for scene in scenes:
        scene.stage.close(qapp)


def test_texture_is_drawn_and_plain_clay_takes_it_away_and_is_remembered(made):
    scene = made(GREEN)
    textured = scene.pixels(0, 1, 0)
    assert textured > 1000
    scene.user.click(scene.panel.findChild(type(scene.panel.switches._buttons["clay"]), "show_clay"))
    assert scene.session.switches["clay"]
    assert scene.pixels(0, 1, 0) < textured / 20
    assert scene.session.preferences.get("switches")["clay"] is True
    scene.stage.actions.run("view.clay")
    assert scene.pixels(0, 1, 0) == pytest.approx(textured, rel=0.02)


def test_texture_of_no_sensible_size_is_said_once_and_the_character_is_drawn(made):
    scene = made(HUGE)
    assert scene.pixels(1, 1, 1) > 1000
    (told,) = [m for m in scene.session.messages.log if "not shown" in m.text]
    assert "skin" in told.next_step
    assert "60000 × 60000" in told.next_step
    scene.session.playback.seek(0.5)
    scene.pixels(1, 1, 1)
    assert len([m for m in scene.session.messages.log if "not shown" in m.text]) == 1


def test_source_of_a_retarget_has_its_textures_or_is_in_clay(qapp, tmp_path):
    session = small_session()
    core.io.save(dressed(GREEN), tmp_path / "green.glb")
    view = SourceView(session, ToolState())
    try:
        session.feature(Retargeting).load(tmp_path / "green.glb")
        (mesh,) = view.draw_list().meshes
        assert mesh.surfaces[0].image is not None
        session.switches.set("clay", True)
        (mesh,) = view.draw_list().meshes
        assert mesh.surfaces == ()
    finally:
        view.close()
        session.close()
