"""Draws a playblast in a process of its own: ``python -m editor.shell.playblast.worker FOLDER``.

The folder holds the document and what is to be done (see `run`). The pictures are composed by the
viewport's own model and drawn by its renderer, so that they show what the view shows while it plays.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import core.io
from core.arrays import ByteArray
from core.clips.clip import Clip
from core.errors import AnimError
from core.ids import AssetId
from core.io.movies import write_movie
from core.media.soundtrack import audible, write_soundtrack
from core.media.tracks import media_of
from core.progress import Progress
from core.timing import frame_text
from editor.gl.capture import NoContextError, OffscreenRenderer, write_png
from editor.gl.colors import DARK, LIGHT, Color, ViewportColors, on_plain, rgba
from editor.gl.draw_list import DrawList
from editor.gl.lettering import put_counter
from editor.gl.shot_view import camera_of
from editor.model.blocking import Blocking
from editor.model.media.state import Media
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.panels.viewport.view_model import ViewportModel
from editor.shell.helper import serve
from editor.shell.playblast.settings import PICTURES, Playblast
from editor.tools.state import ToolState

DOCUMENT, TASK, RESULT, CONFIG, DATA = "document.posewright", "task.json", "result", "config", "data"
LOW, HIGH = 10, 245
"""Grey levels of the two backgrounds that a transparent picture is worked out from."""
PNG_COMPRESSION = 4


class Stage:
    """The session and the viewport's model, as the window has them, without a window."""

    def __init__(self, folder: Path, task: Playblast) -> None:
        project = core.io.load(folder / DOCUMENT).project
        self.session = Session.create(folder / CONFIG, folder / DATA)
        media = self.session.feature(Media)
        media.player.close()  # nothing is to be heard here
        media.pictures.set_rows(task.size[1])
        self.session.document.replace(project, None)
        self.task = task
        self.colors = LIGHT if task.light else DARK
        if task.background:
            self.colors = on_plain(self.colors, rgba(task.background))
        self.model = ViewportModel(self.session, ToolState())
        self._set_up()

    def _set_up(self) -> None:
        session, task, controller = self.session, self.task, self.model.controller
        for name, on in task.switches.items():
            session.switches.set(name, on)
        session.playback.set_clip(task.clip)
        session.playback.in_place = task.in_place
        session.evaluator.layers.shown = task.layers
        if task.blocking is not None:
            session.feature(Blocking).hold_for(task.blocking)
            session.feature(Blocking).set(True)
        session.selection.select(task.bones)
        self.model.scene.use_colors(self.colors)
        controller.resize((task.size[0] / task.ratio, task.size[1] / task.ratio))
        # A camera that follows the character does so from its place at that time.
        session.playback.seek(task.camera_time)
        controller.set_camera(task.camera)
        self.model.scene.shot.outlines = False
        if task.shot_camera:
            session.feature(Shot).select(AssetId(task.shot_camera))
        session.playback.play()  # what only helps in posing is not shown while it plays

    def draw_list(self, time: float) -> DrawList:
        """What the view shows at a time; without handles and cursors."""
        self.session.playback.seek(time)
        view = self.session.feature(Shot).view() if self.task.shot_camera else None
        if view is not None:
            self.model.controller.set_camera(camera_of(view, self.model.controller.size, 1.0))
        return replace(self.model.draw_list(), gizmo=None, axis_widget=None)

    def frame_told(self, time: float) -> str:
        """The number of the frame at a time, and of the clip's last one."""
        clip = self.session.document.project.get(Clip, self.task.clip)
        return f"{frame_text(clip.rate.to_frame(time))} / {frame_text(clip.frames)}"

    def close(self) -> None:
        """Release everything."""
        self.model.close()
        self.session.close()


def pictures(stage: Stage, renderer: OffscreenRenderer) -> Iterator[ByteArray]:
    """The pictures ``(H, W, 4)`` one after another."""
    task = stage.task
    logical = stage.model.controller.size
    sheer = see_through(stage.colors)

    def drawn(shown: DrawList, colors: ViewportColors) -> ByteArray:
        return renderer.render(shown, stage.model.camera, logical, colors, task.ratio)

    for time in task.times():
        shown = stage.draw_list(float(time))
        made = merged(*(drawn(shown, c) for c in sheer)) if task.transparent else drawn(shown, stage.colors)
        if task.counter:
            put_counter(made, stage.frame_told(float(time)), stage.colors)
        yield made


def see_through(colors: ViewportColors) -> tuple[ViewportColors, ViewportColors]:
    """The colours before a dark and before a bright background."""

    def plain(level: int) -> ViewportColors:
        grey: Color = (level / 255.0, level / 255.0, level / 255.0, 1.0)
        bare = (*colors.stage[:3], 0.0)  # the light round on the ground is a part of the background
        return replace(colors, background_top=grey, background_bottom=grey, stage=bare, vignette=0.0)

    return plain(LOW), plain(HIGH)


def merged(dark: ByteArray, bright: ByteArray) -> ByteArray:
    """The picture with its own opacity, from the same one before two backgrounds.

    What is drawn with colour c and opacity a before a background b shows as c a + b (1 - a); two
    backgrounds give a and c. That holds whatever was blended in whichever order.
    """
    low, high = dark[..., :3].astype(np.float64), bright[..., :3].astype(np.float64)
    opacity = 1.0 - np.clip((high - low).mean(axis=-1) / (HIGH - LOW), 0.0, 1.0)
    opacity[opacity < 1.5 / 255.0] = 0.0  # the noise of the background
    shown = np.maximum(opacity, 1e-6)[..., None]
    color = np.where(opacity[..., None] > 0.0, (low - LOW * (1.0 - opacity[..., None])) / shown, 0.0)
    whole = np.concatenate([color, 255.0 * opacity[..., None]], axis=-1)
    return np.clip(np.rint(whole), 0, 255).astype(np.uint8)


def soundtrack(stage: Stage, folder: Path, progress: Progress) -> Path | None:
    """The sound of the part of the clip that is recorded, as a file; None where it is to have none."""
    task = stage.task
    tracks = audible(media_of(stage.session.document.project, task.clip))
    if not (task.sound and tracks and task.kind == ".mp4"):
        return None
    path = folder / "sound.wav"
    write_soundtrack(path, tracks, task.start, task.count / task.rate, progress.part(0.0, 0.0))
    return path


def work(folder: Path, progress: Progress) -> None:
    """Draw and write everything into the folder of results."""
    task = Playblast.from_json(json.loads((folder / TASK).read_text(encoding="utf-8")))
    result = folder / RESULT
    result.mkdir()
    stage = Stage(folder, task)
    try:
        with OffscreenRenderer() as renderer:
            made = pictures(stage, renderer)
            if task.kind != PICTURES:
                write_movie(
                    result / task.path.name,
                    made,
                    task.count,
                    task.rate,
                    progress,
                    transparent=task.transparent,
                    sound=soundtrack(stage, folder, progress),
                )
                return
            for number, (name, picture) in enumerate(zip(task.files(), made, strict=True)):
                progress.report(number / task.count, f"picture {number + 1} of {task.count}")
                write_png(result / name, picture if task.transparent else picture[..., :3], PNG_COMPRESSION)
    finally:
        stage.close()


def _work(folder: Path, progress: Progress) -> bool:
    try:
        work(folder, progress)
    except NoContextError as error:
        raise AnimError(f"no pictures can be drawn here: {error}") from error
    return True


if __name__ == "__main__":
    sys.exit(serve(_work))
