"""Bones near the pointer, handles at joints, the line around what is selected, and the part of the body that glows."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gl.bone_geometry import FAINT, FULL, state_colors
from editor.gl.bone_handles import (
    APART,
    HANDLE,
    NEAR,
    caught_handles,
    handle_bones,
    near_bones,
    outline_segments,
)
from editor.gl.camera import Camera, project
from editor.gl.colors import DARK, LIGHT
from editor.gl.draw_list import BoneShapes, BoneStyle, DrawList, MeshInstance
from editor.gl.passes.bones import instance_rows
from tests.editor.gl.figure import figure, with_states

SIZE = (320.0, 220.0)
CAMERA = Camera(target=(0, 0.85, 0), yaw=0.6, pitch=0.25, distance=3.6)
ORANGE = np.array([[1.0, 0.706, 0.329, 1.0]])


def row_of_bones(count: int, apart: float) -> BoneShapes:
    """Bones beside each other that point up."""
    heads = np.zeros((count, 3), np.float32)
    heads[:, 0] = apart * np.arange(count)
    return BoneShapes(heads, heads + (0.0, 0.2, 0.0))


def picture(view, frame: DrawList, colors=DARK) -> np.ndarray:
    return view.render(frame, CAMERA, (320, 220), colors=colors)[..., :3].astype(np.int16)


def test_bones_near_the_pointer_are_those_whose_line_comes_close():
    bones = row_of_bones(8, 0.2)
    camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=2, orthographic=True)
    pixels, _ = project(camera, bones.heads, SIZE)
    assert near_bones(bones, camera, SIZE, tuple(pixels[3])).tolist() == [
        bool(gap <= NEAR) for gap in np.abs(pixels[:, 0] - pixels[3, 0])
    ]
    halfway = project(camera, bones.heads[:1] + (0.0, 0.1, 0.0), SIZE)[0][0]
    assert near_bones(bones, camera, SIZE, tuple(halfway))[0]
    assert not near_bones(bones, CAMERA, SIZE, None).any()


def test_bones_are_faint_away_from_the_pointer_and_full_near_it():
    bones = replace(row_of_bones(3, 1.0), near=np.array([False, True, False]))
    fill, _ = state_colors(bones, DARK)
    assert fill[:, 3] == pytest.approx([FAINT, FULL, FAINT])
    solid, _ = state_colors(replace(bones, solid=True), DARK)
    assert (solid[:, 3] == 1.0).all()


def test_handles_never_lie_over_each_other_and_the_selected_one_comes_first():
    camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=2, orthographic=True)
    bones = row_of_bones(6, 0.02)
    bones = replace(with_states(bones, selected=[3]), near=np.ones(6, bool))
    numbers = handle_bones(bones, camera, SIZE)
    pixels, _ = project(camera, bones.heads[numbers], SIZE)
    gaps = np.hypot(*(pixels[:, None] - pixels[None]).transpose(2, 0, 1)) + 1e6 * np.eye(len(numbers))
    assert numbers[0] == 3 and gaps.min() >= APART
    assert 0 < len(numbers) < 6


def test_handle_is_caught_within_its_disc_and_not_outside():
    bones = replace(figure().bones, near=np.ones(len(figure().bones.heads), bool))
    numbers = handle_bones(bones, CAMERA, SIZE)
    pixels, _ = project(CAMERA, bones.heads[numbers], SIZE)
    for number, pixel in zip(numbers, pixels, strict=True):
        assert caught_handles(bones, CAMERA, SIZE, tuple(pixel))[0] == number
        aside = caught_handles(bones, CAMERA, SIZE, (pixel[0] + HANDLE, pixel[1]))
        assert number not in aside
    none = replace(bones, near=None)
    assert caught_handles(none, CAMERA, SIZE, tuple(pixels[0])) == ()


def test_edges_of_an_octahedron_end_in_its_corners():
    bones = row_of_bones(1, 1.0)
    ink = np.zeros((1, 4), np.float32)
    rows = instance_rows(bones, np.array([0]), ink, ink)
    edges = outline_segments(bones, np.array([0]), rows, CAMERA)
    assert edges.shape == (12, 2, 3)
    ends = np.unique(edges.reshape(-1, 3).round(5), axis=0)
    assert len(ends) == 6  # both ends of the bone and the four corners of its waist


@pytest.mark.parametrize("style", list(BoneStyle))
@pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
def test_selected_bone_on_a_body_of_its_own_colour_has_a_white_and_a_dark_line(
    view, small_figure, style, colors
):
    posed = figure(geometry=small_figure)
    body = replace(posed.mesh, part_colors=ORANGE)
    shown = [
        picture(view, DrawList(meshes=(body,), bones=replace(bones, style=style)), colors)
        for bones in (posed.bones, with_states(posed.bones, selected=[11]))
    ]
    white, dark = ([int((image.min(axis=2) > 235).sum()) for image in shown],
                   [int((image.max(axis=2) < 50).sum()) for image in shown])  # fmt: skip
    inside = np.hypot(*(project(CAMERA, posed.bones.heads[[11]], SIZE)[0][0] - (160, 110))) < 160
    assert inside and white[1] > white[0] + 25
    assert dark[1] > dark[0] + 25 or colors is LIGHT


def test_line_around_what_is_selected_is_not_drawn_inside_of_it(view):
    """A short bone that lies within a long one on the screen adds no line of its own."""
    camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=1.5, orthographic=True)
    heads = np.array([(-0.5, 0, 0), (-0.39, 0, 0)], np.float32)
    tails = np.array([(0.5, 0, 0), (-0.3, 0, 0)], np.float32)
    bones = BoneShapes(heads, tails)
    lines = [
        (view.render(DrawList(bones=shown), camera, (320, 220), colors=DARK)[..., :3].min(axis=2) > 235).sum()
        for shown in (with_states(bones, selected=[0]), with_states(bones, selected=[0, 1]))
    ]
    alone = with_states(bones, selected=[1])
    short = view.render(DrawList(bones=alone), camera, (320, 220), colors=DARK)[..., :3].min(axis=2) > 235
    assert short.sum() > 20 and lines[0] > 100
    assert abs(int(lines[0]) - int(lines[1])) < 0.3 * short.sum()


def test_only_the_part_of_the_body_that_is_marked_glows(view, small_figure):
    posed = figure(geometry=small_figure)
    region = (posed.mesh.geometry.weights * (posed.mesh.geometry.bones == 11)).sum(axis=1)
    lit: MeshInstance = replace(posed.mesh, region=region.astype(np.float32))
    before, after = picture(view, DrawList(meshes=(posed.mesh,))), picture(view, DrawList(meshes=(lit,)))
    rows, columns = np.nonzero(np.abs(after - before).max(axis=2) > 12)
    places = project(CAMERA, np.stack([posed.bones.heads[11], posed.bones.tails[11]]), SIZE)[0]
    assert len(rows) > 60
    low, high = places.min(axis=0) - 24, places.max(axis=0) + 24
    assert columns.min() >= low[0] and columns.max() <= high[0]
    assert rows.min() >= low[1] and rows.max() <= high[1]
    blue = (after - before)[rows, columns]
    assert blue[:, 2].mean() > blue[:, 0].mean() + 5
    again = picture(view, DrawList(meshes=(posed.mesh,)))
    assert np.array_equal(again, before)


def test_glow_goes_to_another_part_and_works_where_vertices_are_made_on_the_processor(view, small_figure):
    posed = figure(geometry=small_figure)
    weights, bones = posed.mesh.geometry.weights, posed.mesh.geometry.bones
    marks = [(weights * (bones == bone)).sum(axis=1).astype(np.float32) for bone in (11, 15)]
    plain = picture(view, DrawList(meshes=(posed.mesh,)))
    first, second = (
        np.abs(picture(view, DrawList(meshes=(replace(posed.mesh, region=mark),))) - plain).max(axis=2) > 12
        for mark in marks
    )
    assert first.any() and second.any() and not (first & second).any()
    view.renderer.cpu_skinning = True
    view.renderer.forget()
    try:
        skinned = picture(view, DrawList(meshes=(replace(posed.mesh, region=marks[1]),)))
    finally:
        view.renderer.cpu_skinning = False
        view.renderer.forget()
    touched = np.abs(skinned - plain).max(axis=2) > 12
    assert (touched != second).mean() < 0.002
