"""``posewright render``: pictures of a clip without a visible window, and without Qt."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import FloatArray
from core.cli.common import Subcommand, UsageError, chosen_clip, chosen_rig
from core.clips.clip import Clip
from core.errors import AnimError
from core.io.movies import SUFFIXES, write_movie
from core.pose.pose import Pose
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig

if TYPE_CHECKING:
    from editor.gl.camera import Camera
    from editor.gl.draw_list import DrawList

MAX_FRAMES = 100_000
MAX_EDGE = 8192
OTHER_FILMS = {".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg", ".apng", ".png", ".jpg", ".jpeg"}
"""What a person would take for a film's or a picture's name; refused rather than taken for a folder."""
MARGIN = 0.12
"""Metres around the bones that the mesh may fill."""


def frame_list(text: str) -> tuple[float, ...]:
    """Frame numbers of ``A``, ``A:B`` or ``A:B:S``, both ends included.

    Raises
    ------
    argparse.ArgumentTypeError
        What is wrong with it.
    """
    parts = text.split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected A, A:B or A:B:S, got {text!r}") from None
    if not 1 <= len(numbers) <= 3 or not all(np.isfinite(numbers)):
        raise argparse.ArgumentTypeError(f"expected A, A:B or A:B:S, got {text!r}")
    first, last = numbers[0], numbers[1] if len(numbers) > 1 else numbers[0]
    step = numbers[2] if len(numbers) > 2 else 1.0
    if step <= 0.0:
        raise argparse.ArgumentTypeError(f"expected a step above 0, got {step:g}")
    if last < first:
        raise argparse.ArgumentTypeError(f"expected the first frame before the last, got {text!r}")
    count = int(np.floor((last - first) / step + 1e-9)) + 1
    if count > MAX_FRAMES:
        raise argparse.ArgumentTypeError(f"expected at most {MAX_FRAMES} pictures, got {count}")
    return tuple(first + step * number for number in range(count))


def size_of(text: str) -> tuple[int, int]:
    """Width and height of ``WxH``; raises `argparse.ArgumentTypeError`."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT, got {text!r}") from None
    if not (1 <= width <= MAX_EDGE and 1 <= height <= MAX_EDGE):
        raise argparse.ArgumentTypeError(f"expected 1 to {MAX_EDGE} pixels each way, got {text!r}")
    return width, height


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the file")
    parser.add_argument("--clip", metavar="NAME", help="which clip; the first where left out")
    parser.add_argument(
        "--frames", type=frame_list, default=(0.0,), metavar="A:B:S", help="first, last (included) and step"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the pictures, made if missing; or a file named *.gif, *.webp or *.mp4",
    )
    parser.add_argument("--size", type=size_of, default=(1280, 720), metavar="WxH", help="pixels (1280x720)")
    parser.add_argument("--bones", action="store_true", help="draw the bones, too")
    parser.add_argument("--light", action="store_true", help="on a light background")
    parser.add_argument("--no-grid", action="store_true", help="without the ground's grid")


def _run(arguments: argparse.Namespace) -> int:
    import core.io

    project = core.io.load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    rig = chosen_rig(project, clip, arguments.file)
    out = Path(arguments.out)
    moving = out.suffix.lower() in SUFFIXES
    if out.suffix.lower() in OTHER_FILMS and not out.is_dir():
        known = ", ".join(SUFFIXES)
        raise UsageError(f"{out}: films are written as {known}; a name without an extension is a folder")
    try:
        (out.parent if moving else out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{out}: {error.strerror or error}") from error
    from editor.gl.capture import NoContextError, OffscreenRenderer, write_png
    from editor.gl.colors import DARK, LIGHT

    poses = _poses(project, rig, clip, arguments.frames)
    scene = _Scene(project, rig, arguments.bones, not arguments.no_grid)
    matrices = [scene.matrices(pose) for pose in poses]
    camera = _camera(matrices, arguments.size)
    try:
        with OffscreenRenderer() as renderer:
            colors = LIGHT if arguments.light else DARK
            images = (
                renderer.render(scene.draw_list(pose, places), camera, arguments.size, colors)
                for pose, places in zip(poses, matrices, strict=True)
            )
            if moving:
                write_movie(out, images, len(poses), _rate(clip, arguments.frames), told())
            else:
                for frame, image in zip(arguments.frames, images, strict=True):
                    write_png(out / f"{_file_name(frame)}.png", image)
    except NoContextError as error:
        raise AnimError(f"no pictures can be drawn here: {error}") from error
    except OSError as error:
        raise AnimError(f"{out}: {error.strerror or error}") from error
    return 0


def _rate(clip: Clip | None, frames: Sequence[float]) -> float:
    """Pictures a second at which the clip plays in its own time."""
    step = frames[1] - frames[0] if len(frames) > 1 else 1.0
    return (clip.rate.fps if clip is not None else 30.0) / step


def told() -> Progress:
    """Progress on one line of a terminal's standard error; silent where that is no terminal."""
    if not sys.stderr.isatty():
        return Progress()

    def show(fraction: float, text: str) -> None:
        sys.stderr.write(f"\r{text} {fraction:4.0%} ")
        sys.stderr.flush()

    return Progress(show)


def _file_name(frame: float) -> str:
    """Sorts as frames do; part of a frame is written after an underscore."""
    whole = int(np.floor(frame))
    rest = round((frame - whole) * 1000)
    name = f"frame-{-whole:04d}" if whole < 0 else f"frame_{whole:04d}"
    return f"{name}_{rest:03d}" if rest else name


def _poses(project: Project, rig: Rig, clip: Clip | None, frames: Sequence[float]) -> list[Pose]:
    from core.pose.pose import rest_pose
    from core.project.seen import SeenEvaluator

    if clip is None:
        return [rest_pose(rig)] * len(frames)
    times = np.array([clip.rate.to_seconds(frame) for frame in frames])
    batch = SeenEvaluator(project, clip).sample_many(times)
    return [batch.pose(index) for index in range(len(frames))]


def _camera(matrices: Sequence[FloatArray], size: tuple[int, int]) -> "Camera":
    """From in front and aside, so that every picture holds the whole character."""
    from editor.gl.camera import Camera, frame

    heads = np.concatenate([places[:, :3, 3] for places in matrices])
    return frame(Camera(), heads.min(axis=0) - MARGIN, heads.max(axis=0) + MARGIN, size)


class _Scene:
    """What is drawn in every picture."""

    def __init__(self, project: Project, rig: Rig, bones: bool, grid: bool) -> None:
        from editor.gl.figure import Figure

        self.rig, self.meshes = rig, project.meshes_of(rig.id)
        self.figure: Figure = Figure()
        self.bones = bones or not self.meshes
        self.grid = grid

    def matrices(self, pose: Pose) -> FloatArray:
        from core.pose import kinematics

        return kinematics.model_matrices(self.rig.skeleton, pose.local)

    def draw_list(self, pose: Pose, matrices: FloatArray) -> "DrawList":
        from editor.gl.draw_list import BoneState, BoneStyle, DrawList, Grid

        shapes = None
        if self.bones:
            states = np.full(len(self.rig.skeleton), BoneState.NORMAL, dtype=np.uint8)
            shapes = self.figure.bones(self.rig.skeleton, matrices, states, BoneStyle.OCTAHEDRAL)
        return DrawList(
            Grid() if self.grid else None,
            self.figure.meshes(self.meshes, self.rig, matrices, pose),
            bones=shapes,
        )


COMMAND = Subcommand("render", "draw pictures of a clip, without a window", _arguments, _run)
