"""Pictures of the viewport that a person has looked at and approved: the sample, posed, small.

    python -m tests.editor.gl.approved_pictures     # writes them again after a wanted change

Look at each before a commit. They are made by the viewport's own model and renderer, so that every effect is in them.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from PIL import Image

import core.io
from core.arrays import ByteArray
from editor.gl import camera as cameras
from editor.gl.capture import OffscreenRenderer
from editor.gl.colors import DARK, LIGHT, ViewportColors
from editor.gl.draw_list import DrawList
from editor.model.opening import sample_path
from editor.model.session import Session
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import Setup, Tool, ToolState

FOLDER = Path(__file__).with_name("approved")
SIZE = (250, 360)
MEAN, MUCH, SHARE = 0.9, 32, 0.012
"""Tolerance: mean difference of 255 levels; from which difference on a pixel differs; and what part of them may."""


class Shown(NamedTuple):
    """A picture ready to be drawn."""

    model: ViewportModel
    frame: DrawList
    colors: ViewportColors


def _stage(colors: ViewportColors, setup: Callable[[Session, ViewportModel], object]) -> Shown:
    session = Session.create()
    project = core.io.load(sample_path()).project
    session.document.replace(project, None)
    clip = project.clip_named("walk")
    session.playback.set_clip(clip.id, project.rigs[0].id)
    session.playback.pause()
    session.playback.seek(clip.rate.to_seconds(13))
    session.switches.set("ghosts", False)  # whatever the picture before left
    model = ViewportModel(session, ToolState())
    model.controller.resize((float(SIZE[0]), float(SIZE[1])))
    model.scene.use_colors(colors)
    model.frame_all()
    setup(session, model)
    return Shown(model, replace(model.draw_list(), axis_widget=None), colors)


def _hover(model: ViewportModel, name: str) -> None:
    bone = model.rig.skeleton.index(name)
    shapes = model.draw_list().bones
    place = 0.7 * shapes.heads[bone] + 0.3 * shapes.tails[bone]
    pixel, _ = cameras.project(model.camera, place, model.controller.size)
    model.hover((float(pixel[0]), float(pixel[1])))


def _posed(session: Session, model: ViewportModel) -> None:
    model.tools.set(Setup(Tool.ROTATE))
    session.selection.select(("upper_arm_l",))
    _hover(model, "thigh_l")


def _with_ghosts(session: Session, model: ViewportModel) -> None:
    session.selection.select(("upper_arm_l",))
    session.switches.set("ghosts", True)


APPROVED: dict[str, Callable[[], Shown]] = {
    "dark-selection": lambda: _stage(DARK, _posed),
    "light-selection": lambda: _stage(LIGHT, _posed),
    "dark-ghosts": lambda: _stage(DARK, _with_ghosts),
}


def drawn(view: OffscreenRenderer, shown: Shown) -> ByteArray:
    """The picture ``(H, W, 3)``."""
    image = view.render(shown.frame, shown.model.camera, (float(SIZE[0]), float(SIZE[1])), shown.colors)
    return np.ascontiguousarray(image[..., :3])


def close(shown: Shown) -> None:
    """Release what a picture was made of."""
    shown.model.close()
    shown.model.session.close()


def approved(name: str) -> ByteArray:
    """The picture as it was approved ``(H, W, 3)``."""
    with Image.open(FOLDER / f"{name}.png") as image:
        return np.asarray(image.convert("RGB"))


def difference(image: ByteArray, wanted: ByteArray) -> tuple[float, float]:
    """Mean difference in levels, and the share of pixels that differ."""
    off = np.abs(image.astype(np.int16) - wanted)
    return float(off.mean()), float((off.max(axis=2) > MUCH).mean())


def problem(name: str, image: ByteArray) -> str:
    """What is wrong with a picture, or nothing; one that differs is written beside the approved one."""
    wanted = approved(name)
    if image.shape != wanted.shape:
        return f"{name}: expected {wanted.shape}, got {image.shape}"
    mean, share = difference(image, wanted)
    if mean <= MEAN and share <= SHARE:
        return ""
    off = np.clip(np.abs(image.astype(np.int16) - wanted) * 4, 0, 255).astype(np.uint8)
    beside = FOLDER / f"{name}.failed.png"
    Image.fromarray(np.concatenate([wanted, image, off], axis=1)).save(beside)
    return (
        f"{name}: mean difference {mean:.2f} (allowed {MEAN}), {100 * share:.2f} % of the pixels differ (allowed "
        f"{100 * SHARE:g} %). Approved, drawn and four times their difference: {beside}. If the change is wanted, look "
        "at it and run python -m tests.editor.gl.approved_pictures"
    )


def main() -> None:
    """Draw and write all of them."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as home, OffscreenRenderer() as view:  # nobody's own preferences
        os.environ |= {"POSEWRIGHT_CONFIG_DIR": f"{home}/config", "POSEWRIGHT_DATA_DIR": f"{home}/data"}
        for name, make in APPROVED.items():
            shown = make()
            Image.fromarray(drawn(view, shown)).save(FOLDER / f"{name}.png", optimize=True)
            close(shown)


if __name__ == "__main__":
    main()
