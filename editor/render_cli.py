"""``posewright render``: pictures of a clip without a visible window, and without Qt."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.cli.common import Subcommand, UsageError, chosen_clip, chosen_rig
from core.clips.clip import Clip
from core.errors import AnimError
from core.io.movies import SUFFIXES, write_movie
from core.media.soundtrack import audible, write_soundtrack
from core.media.tracks import ReferenceTrack, media_of
from core.progress import Progress
from core.project.project import Project
from core.timing import FrameRate

if TYPE_CHECKING:
    from core.arrays import ByteArray
    from editor.gl.camera import Camera
    from editor.gl.colors import Color
    from editor.render_references import RenderReferences

MAX_FRAMES = 100_000
MAX_EDGE = 8192
OTHER_FILMS = {".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg", ".apng", ".png", ".jpg", ".jpeg"}
"""What a person would take for the name of a video or an image; refused rather than taken for a folder."""


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


def plain_color(text: str) -> "Color":
    """A colour of ``#rrggbb``; raises `argparse.ArgumentTypeError`."""
    from editor.gl.colors import rgba

    digits = text.removeprefix("#")
    try:
        if len(digits) != 6:
            raise ValueError
        int(digits, 16)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a colour as #rrggbb, got {text!r}") from None
    return rgba(f"#{digits}")


def zoom_factor(text: str) -> float:
    """A factor; raises `argparse.ArgumentTypeError`."""
    try:
        factor = float(text)
    except ValueError:
        factor = float("nan")
    if not 0.01 <= factor <= 100.0:
        raise argparse.ArgumentTypeError(f"expected a number from 0.01 to 100, got {text!r}")
    return factor


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the file")
    parser.add_argument("--clip", metavar="NAME", help="clip name (default: the first)")
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
    parser.add_argument(
        "--camera",
        default="three-quarter",
        metavar="SIDE|NAME|FILE",
        help="front, back, left, right, top, three-quarter (the default), the name of a camera of the document (with "
        "camera: before it where a side has that name), or a JSON file with target [x, y, z] and "
        "distance in metres, yaw, pitch and fov in degrees, orthographic; what is left out keeps its default, "
        "without target and distance the whole character is framed",
    )
    parser.add_argument("--follow", action="store_true", help="move the camera along with the character")
    parser.add_argument(
        "--zoom", type=zoom_factor, default=1.0, metavar="X", help="2 is twice as near (0.01 to 100; 1)"
    )
    parser.add_argument("--bones", action="store_true", help="draw the bones, too")
    parser.add_argument("--light", action="store_true", help="on a light background")
    parser.add_argument(
        "--clay", action="store_true", help="one plain colour in place of textures and materials"
    )
    parser.add_argument("--no-grid", action="store_true", help="without the ground's grid")
    parser.add_argument("--background", type=plain_color, metavar="#RRGGBB", help="a plain background colour")
    parser.add_argument(
        "--reference", action="store_true", help="draw the reference footage of the clip, as the view does"
    )
    parser.add_argument("--sound", action="store_true", help="an MP4 with the audio of the clip")
    parser.add_argument(
        "--frame-numbers", action="store_true", help="write the number of the frame into each"
    )


def _run(arguments: argparse.Namespace) -> int:
    import core.io

    project = core.io.load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    rig = chosen_rig(project, clip, arguments.file)
    check_frames(clip, arguments.frames)
    _check_sound(project, clip, arguments)
    out = Path(arguments.out)
    moving = out.suffix.lower() in SUFFIXES
    if out.suffix.lower() in OTHER_FILMS and not out.is_dir():
        known = ", ".join(SUFFIXES)
        raise UsageError(f"{out}: videos are written as {known}; a name without an extension is a folder")
    from editor.gl.capture import NoContextError, OffscreenRenderer, write_png
    from editor.gl.colors import DARK, LIGHT, on_plain
    from editor.gl.lettering import put_counter
    from editor.render_camera import cameras
    from editor.render_scene import RenderScene, poses_at

    poses = poses_at(project, rig, clip, arguments.frames)
    colors = LIGHT if arguments.light else DARK
    if arguments.background is not None:
        colors = on_plain(colors, arguments.background)
    clay = colors.body if arguments.clay else None
    folder = Path(arguments.file).parent
    scene = RenderScene(project, rig, arguments.bones, not arguments.no_grid, clay, folder=folder)
    rate = clip.rate if clip is not None else FrameRate.of(30)
    times = [rate.to_seconds(frame) for frame in arguments.frames]
    matrices = [scene.matrices(pose) for pose in poses]
    heads = [places[:, :3, 3] for places in matrices]
    last = "" if clip is None else f" / {clip.frames:g}"
    bodies = scene.bodies(poses, matrices)
    eyes = _eyes(arguments, project, times) or cameras(
        arguments.camera, heads, bodies, arguments.size, arguments.follow, arguments.zoom
    )
    try:
        (out.parent if moving else out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{out}: {error.strerror or error}") from error
    for name, why in scene.decode().items():
        print(f"posewright: texture of {name} is not shown: {why}", file=sys.stderr)  # noqa: T201
    try:
        with OffscreenRenderer() as renderer, _references(project, clip, arguments) as references:

            def drawn(number: int) -> "ByteArray":
                shown = scene.draw_list(poses[number], matrices[number], times[number])
                if footage := references.shapes(times[number]):
                    shown = replace(shown, pictures=footage)
                image = renderer.render(shown, eyes[number], arguments.size, colors)
                if arguments.frame_numbers:
                    put_counter(image, f"{arguments.frames[number]:g}{last}", colors)
                return image

            images = map(drawn, range(len(poses)))
            if moving:
                with _soundtrack(project, clip, arguments, len(poses)) as sound:
                    write_movie(out, images, len(poses), _rate(clip, arguments.frames), told(), sound=sound)
            else:
                for frame, image in zip(arguments.frames, images, strict=True):
                    write_png(out / f"{_file_name(frame)}.png", image)
    except NoContextError as error:
        raise AnimError(f"no pictures can be drawn here: {error}") from error
    except OSError as error:
        raise AnimError(f"{out}: {error.strerror or error}") from error
    return 0


def _check_sound(project: Project, clip: Clip | None, arguments: argparse.Namespace) -> None:
    """Raise `UsageError` where sound is wanted and there can be none: before anything is drawn or made."""
    if not arguments.sound:
        return
    if Path(arguments.out).suffix.lower() != ".mp4":
        raise UsageError("--sound: only an MP4 has sound; name the output *.mp4")
    if clip is None or not audible(media_of(project, clip.id)):
        raise UsageError("--sound: the clip has no audio that is not muted (see: posewright media list FILE)")


def _references(project: Project, clip: Clip | None, arguments: argparse.Namespace) -> "RenderReferences":
    """The references of the clip where they are to be drawn, else none."""
    from editor.render_references import RenderReferences

    found = media_of(project, clip.id) if clip is not None and arguments.reference else ()
    tracks = [track for track in found if isinstance(track, ReferenceTrack)]
    rate = clip.rate.fps if clip is not None else 30.0
    return RenderReferences(tracks, rate, arguments.size)


@contextmanager
def _soundtrack(
    project: Project, clip: Clip | None, arguments: argparse.Namespace, count: int
) -> Iterator[Path | None]:
    """The audio of the clip over the frames rendered, as a file for as long as that is needed."""
    if not arguments.sound or clip is None:
        yield None
        return
    tracks = audible(media_of(project, clip.id))
    with tempfile.TemporaryDirectory(prefix="posewright-sound-") as folder:
        path = Path(folder) / "sound.wav"
        start = clip.rate.to_seconds(arguments.frames[0])
        write_soundtrack(path, tracks, start, count / _rate(clip, arguments.frames))
        yield path


def _eyes(arguments: argparse.Namespace, project: "Project", times: Sequence[float]) -> "list[Camera] | None":
    """The camera of the document that is asked for, for each picture; None where a side or a file is."""
    from editor.render_camera import SIDES
    from editor.render_shot import CAMERA, required_cameras, shot_cameras

    name = arguments.camera
    if name.startswith(CAMERA):
        return required_cameras(project, name, times, arguments.size)
    return None if name in SIDES else shot_cameras(project, name, times, arguments.size)


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


def check_frames(clip: Clip | None, frames: Sequence[float]) -> None:
    """Frames must be in the clip; there is nothing to show beyond it."""
    last = clip.frames if clip is not None else 0.0
    outside = [frame for frame in frames if not -1e-6 <= frame <= last + 1e-6]
    if not outside:
        return
    where = (
        f"clip {clip.name!r} has frames 0 to {last:g}"
        if clip is not None
        else "without a clip there is frame 0"
    )
    raise UsageError(f"--frames: {where}, got {outside[0]:g}")


COMMAND = Subcommand("render", "Render images of a clip, without a window.", _arguments, _run)
