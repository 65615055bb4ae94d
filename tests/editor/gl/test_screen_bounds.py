"""What is left out of a picture because nothing can be there, against pictures in which nothing is left out."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gl import camera as cameras
from editor.gl import renderer as renderers
from editor.gl.camera import Camera
from editor.gl.cpu_skin import skin_positions
from editor.gl.draw_list import DrawList, Ghost
from editor.gl.frame_view import FrameStats, FrameView
from editor.gl.screen_bounds import screen_area
from tests.editor.gl.figure import WALKING, figure

SIZE = (320, 220)
CAMERA = Camera(target=(0, 0.85, 0), yaw=0.6, pitch=0.25, distance=3.6)
CAMERAS = {
    "in sight": CAMERA,
    "near": replace(CAMERA, distance=0.9),
    "inside": replace(CAMERA, distance=0.1),
    "aside": replace(CAMERA, target=(1.2, 1.4, 0.0)),
    "rolled": replace(CAMERA, roll=0.7),
    "mirrored": replace(CAMERA, mirrored=True, target=(0.5, 0.85, 0)),
    "parallel": replace(CAMERA, orthographic=True),
    "away": replace(CAMERA, target=(40.0, 0.0, 0.0)),
}


def frame(camera: Camera, size=SIZE, ratio: float = 1.0) -> FrameView:
    view, projection = cameras.view_matrix(camera), cameras.projection_matrix(camera, size)
    pixels = (round(size[0] * ratio), round(size[1] * ratio))
    return FrameView(
        camera, size, pixels, ratio, view, projection, projection @ view, cameras.eye(camera), FrameStats()
    )


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_area_holds_every_skinned_vertex_in_sight(camera, small_figure):
    mesh = figure(WALKING, geometry=small_figure).mesh
    area = screen_area((mesh,), frame(camera), 0)
    if area is None:
        assert camera.distance < 1.0, "all of the view only where the mesh reaches the eye"
        return
    pixels, _ = cameras.project(camera, skin_positions(mesh), SIZE)
    up = SIZE[1] - pixels[:, 1]
    inside = (pixels[:, 0] >= 0) & (pixels[:, 0] <= SIZE[0]) & (up >= 0) & (up <= SIZE[1])
    left, bottom, width, height = area
    assert (pixels[inside, 0] >= left).all() and (pixels[inside, 0] <= left + width).all()
    assert (up[inside] >= bottom).all() and (up[inside] <= bottom + height).all()
    assert bool(width and height) == bool(inside.any())


def test_area_of_a_figure_in_the_middle_is_a_part_of_the_view(small_figure):
    area = screen_area((figure(WALKING, geometry=small_figure).mesh,), frame(CAMERA), 3)
    assert area is not None
    assert area[2] * area[3] < 0.7 * SIZE[0] * SIZE[1]


def test_mesh_skinned_elsewhere_may_be_anywhere(small_figure):
    mesh = figure(WALKING, geometry=small_figure).mesh
    placed = skin_positions(mesh)
    assert (
        screen_area((replace(mesh, skinned_positions=placed, skinned_normals=placed),), frame(CAMERA), 0)
        is None
    )


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_ghosts_look_as_if_the_whole_picture_were_gone_over(view, small_figure, camera, ratio, monkeypatch):
    here, there = figure(WALKING, geometry=small_figure), figure(at=(0.4, 0.0, 0.1), geometry=small_figure)
    list_ = DrawList(
        meshes=(here.mesh,),
        ghosts=(Ghost(there.mesh, (0.2, 0.4, 1.0, 0.5)), Ghost(here.mesh, (1.0, 0.3, 0.1, 0.4))),
    )
    part = view.render(list_, camera, SIZE, device_pixel_ratio=ratio)
    monkeypatch.setattr(renderers, "screen_area", lambda *_: None)
    moved = replace(list_, ghosts=tuple(reversed(list_.ghosts)))  # another picture in between
    view.render(moved, camera, SIZE, device_pixel_ratio=ratio)
    assert np.array_equal(part, view.render(list_, camera, SIZE, device_pixel_ratio=ratio))
