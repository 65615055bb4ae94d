"""Where the processor draws, the grid's pixels are kept while the camera stands: nobody may see that."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gl.camera import Camera, View, orbit, standard_view
from editor.gl.capture import OffscreenRenderer
from editor.gl.colors import DARK, LIGHT
from editor.gl.draw_list import DrawList, Grid
from editor.gl.passes.grid import GridPass
from tests.editor.gl.figure import WALKING, figure, rotation

SIZE = (300, 220)


def pixels(view, frames):
    """The pictures of some draw lists, cameras and colours, one after another by one renderer."""
    found = []
    with view.current():
        for drawn, camera, colors in frames:
            view.renderer.draw(drawn, camera, SIZE, framebuffer=None, colors=colors)
            found.append(view.renderer.read().copy())
    return found


def test_a_kept_grid_is_the_computed_one_to_the_last_bit(small_figure, monkeypatch):
    cameras = [
        Camera(), orbit(Camera(), 0.7, 0.3), orbit(Camera(), 0.2, -1.0), standard_view(Camera(), View.FRONT),
    ]  # fmt: skip
    frames = []
    for number, camera in enumerate(cameras):
        for step in range(3):  # the first computes it, the others take it; feet are below the ground too
            turns = {**WALKING, 1: rotation(1, 20.0 * step)}
            posed = figure(turns, at=(0.0, -0.1 * step, 0.0), geometry=small_figure)
            drawn = DrawList(Grid(axes=bool(step < 2)), (posed.mesh,))
            frames.append((drawn, camera, LIGHT if number == 2 else DARK))
    with OffscreenRenderer(0) as view:
        kept = pixels(view, frames)
    monkeypatch.setattr(
        "editor.gl.renderer.GridPass", lambda software: GridPass(False)
    )  # as on a graphics card
    with OffscreenRenderer(0) as view:
        computed = pixels(view, frames)
    for one, other in zip(kept, computed, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_grid_is_computed_again_only_for_another_camera_or_look(small_figure, monkeypatch):
    computed = []
    keep = GridPass._keep
    monkeypatch.setattr(GridPass, "_keep", lambda self, *a: computed.append(1) or keep(self, *a))
    with OffscreenRenderer(0) as view:
        with view.current():
            view.renderer.initialise()
        if not view.renderer.driver.software:
            pytest.skip("a graphics card draws here")
        poses = [
            DrawList(Grid(), (figure({1: rotation(1, 5.0 * n)}, geometry=small_figure).mesh,))
            for n in range(4)
        ]
        pixels(view, [(drawn, Camera(), DARK) for drawn in poses])
        assert len(computed) == 1
        pixels(view, [(poses[0], orbit(Camera(), 0.1, 0.0), DARK)])
        pixels(view, [(poses[0], orbit(Camera(), 0.1, 0.0), LIGHT)])
        pixels(view, [(replace(poses[0], grid=Grid(height=0.2)), orbit(Camera(), 0.1, 0.0), LIGHT)])
        assert len(computed) == 4
