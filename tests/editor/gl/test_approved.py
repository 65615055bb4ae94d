"""The viewport looks as it was approved; and the comparison would notice if something were missing."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from editor.gl.capture import NoContextError, OffscreenRenderer
from editor.gl.draw_list import DrawList, Shading
from tests.editor.gl import approved_pictures as pictures


@pytest.fixture(scope="module")
def smooth():
    """As on a graphics card, and in software once the view stands still: multisampled."""
    try:
        renderer = OffscreenRenderer()
    except NoContextError as error:
        pytest.skip(str(error))
    with renderer:
        yield renderer


@pytest.mark.parametrize("name", list(pictures.APPROVED))
def test_viewport_looks_as_approved(smooth, name):
    shown = pictures.APPROVED[name]()
    try:
        found = pictures.problem(name, pictures.drawn(smooth, shown))
    finally:
        pictures.close(shown)
    assert not found, found


LESS: dict[str, Callable[[DrawList], DrawList]] = {
    "no bones": lambda frame: replace(frame, bones=None),
    "no gizmo": lambda frame: replace(frame, gizmo=None),
    "no grid": lambda frame: replace(frame, grid=None),
    "flat shading": lambda frame: replace(
        frame, meshes=tuple(replace(mesh, shading=Shading.FLAT) for mesh in frame.meshes)
    ),
    "nothing selected": lambda frame: replace(
        frame, gizmo=None, bones=replace(frame.bones, states=np.zeros(len(frame.bones.heads), np.uint8))
    ),
}


@pytest.mark.parametrize("less", list(LESS))
def test_what_is_missing_is_noticed(smooth, less, tmp_path, monkeypatch):
    shown = pictures.APPROVED["dark-selection"]()
    try:
        wrong = pictures.drawn(smooth, shown._replace(frame=LESS[less](shown.frame)))
    finally:
        pictures.close(shown)
    wanted = pictures.approved("dark-selection")
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    monkeypatch.setattr(pictures, "approved", lambda name: wanted)
    said = pictures.problem("dark-selection", wrong)
    assert "of the pixels differ" in said
    assert (tmp_path / "dark-selection.failed.png").is_file()


def test_noise_and_softer_edges_are_tolerated(tmp_path):
    """Another driver rounds otherwise and places its samples elsewhere."""
    wanted = pictures.approved("dark-selection").astype(float)
    noisy = wanted + np.random.default_rng(1).integers(-1, 2, wanted.shape)
    soft = wanted.copy()
    soft[:, 1:] = 0.85 * wanted[:, 1:] + 0.15 * wanted[:, :-1]
    for image in (noisy, soft):
        assert pictures.problem("dark-selection", np.clip(np.rint(image), 0, 255).astype(np.uint8)) == ""
