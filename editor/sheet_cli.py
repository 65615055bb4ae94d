"""``posewright sheet``: contact sheets of clips, without a visible window and without Qt."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.common import Subcommand, UsageError, chosen_rig, output_folder, positive
from core.clips.clip import Clip
from core.errors import AnimError
from core.project.project import Project
from editor.render_cli import check_frames, frame_list, plain_color, size_of, told, zoom_factor

if TYPE_CHECKING:
    from editor.contact_sheet import SheetStyle
    from editor.gl.draw_list import Floor

ALL = "all"
SIDE = {"side": "left"}
"""Other words for views."""


def _frames(text: str) -> int | tuple[float, ...]:
    """A number of frames, or which; raises `argparse.ArgumentTypeError`."""
    if ":" in text:
        return frame_list(text)
    if "," in text:
        return tuple(frame for part in text.split(",") for frame in frame_list(part))
    try:
        count = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected how many, A:B, A:B:S or frames separated by commas, got {text!r}"
        ) from None
    if not 1 <= count <= 1000:
        raise argparse.ArgumentTypeError(f"expected 1 to 1000 frames, got {count}")
    return count


def _views(text: str) -> tuple[str, ...]:
    names = tuple(SIDE.get(part, part) for part in (word.strip() for word in text.split(",")) if part)
    from editor.render_camera import SIDES
    from editor.render_shot import CAMERA

    wrong = [name for name in names if name not in SIDES and not name.startswith(CAMERA)]
    if wrong or not names:
        known = ", ".join([*SIDES, *SIDE, f"{CAMERA}NAME"])
        raise argparse.ArgumentTypeError(f"expected views of {known}, got {wrong[0] if wrong else text!r}")
    return names


def _names(text: str) -> tuple[str, ...]:
    return tuple(part for part in (word.strip() for word in text.split(",")) if part)


def _columns(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if not 1 <= count <= 100:
        raise argparse.ArgumentTypeError(f"expected 1 to 100, got {text!r}")
    return count


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", help="the file")
    add("--clip", action="append", metavar="NAME",
        help="clip name or number from 1; may be repeated; all: every clip (default: the first)")  # fmt: skip
    add("--frames", type=_frames, default=12, metavar="N|A:B:S|A,B,…",
        help="how many, spread evenly over the clip (12); or first, last (included) and step; or which")  # fmt: skip
    add("--views", type=_views, default=("front", "left"), metavar="VIEW,…",
        help="a row each: front, back, left (or side), right, top, three-quarter, camera:NAME of the document "
        "(front,side)")  # fmt: skip
    add("--out", metavar="FILE.png", help="the picture (default: FILE-CLIP.png in the working folder)")
    add("--overwrite", action="store_true", help="replace the picture where it is there already")
    add("--size", type=size_of, default=(200, 280), metavar="WxH", help="pixels of each picture (200x280)")
    add("--columns", type=_columns, default=12, metavar="N", help="pictures side by side at most (12)")
    add(
        "--focus",
        type=_names,
        default=(),
        metavar="BONE,…",
        help="close-up of these bones, followed everywhere",
    )
    add("--margin", type=positive, metavar="M", help="metres around the bones of a close-up (0.12)")
    add("--zoom", type=zoom_factor, default=1.0, metavar="X", help="2 is twice as near (0.01 to 100; 1)")
    add("--still", action="store_true", help="one camera for all pictures of a clip instead of following")
    add("--rise", action="store_true", help="follow the character up and down, too")
    add("--turn", action="store_true", help="turn along with the character's root: front stays its front")
    add("--orthographic", action="store_true", help="parallel projection")
    add("--bones", action="store_true", help="draw the bones, too")
    add("--light", action="store_true", help="on a light background")
    add("--background", type=plain_color, metavar="#RRGGBB", help="a plain background colour")
    add("--clay", action="store_true", help="one plain colour in place of textures and materials")
    add("--no-grid", action="store_true", help="without the ground's grid")
    add("--no-labels", action="store_true", help="without frame numbers and names")
    add("--course", metavar="COURSE.json",
        help="draw the terrain of a course under a clip that 'locomotion --bake' made of its section")  # fmt: skip


def _run(arguments: argparse.Namespace) -> int:
    import core.io

    project = core.io.load(arguments.file).project
    clips = _clips(project, arguments.clip)
    out = Path(arguments.out or _file_name(arguments.file, clips))
    if out.suffix.lower() != ".png":
        raise UsageError(f"{out}: a sheet is written as .png")
    output_folder(str(out))
    if os.path.lexists(out) and not arguments.overwrite:
        raise UsageError(f"{out}: this file exists already; choose another name (--overwrite replaces it)")
    rig = chosen_rig(project, clips[0], arguments.file)
    if any(clip is not None and clip.rig != rig.id for clip in clips):
        raise UsageError("--clip: clips of one character make a sheet; these are of several")
    from editor.contact_sheet import Strip, contact_sheet, spread
    from editor.gl.capture import NoContextError, write_png

    strips = []
    for clip in clips:
        asked = arguments.frames
        if not isinstance(asked, int):
            check_frames(clip, asked)
        strips.append(Strip(clip, spread(clip, asked) if isinstance(asked, int) else asked))
    style, floor = _style(arguments), _floor(arguments.course, clips)
    try:
        image = contact_sheet(project, rig, strips, style, floor, told(), Path(arguments.file).parent)
    except NoContextError as error:
        raise AnimError(f"no pictures can be drawn here: {error}") from error
    try:
        write_png(out, image[..., :3])
    except OSError as error:
        raise AnimError(f"{out}: {error.strerror or error}") from error
    count = sum(len(strip.frames) for strip in strips)
    print(f"{out}: {count} frame{'' if count == 1 else 's'}, {image.shape[1]}x{image.shape[0]} pixels")  # noqa: T201
    return 0


def _style(arguments: argparse.Namespace) -> "SheetStyle":
    from editor.contact_sheet import CLOSE, SheetStyle

    return SheetStyle(
        views=arguments.views,
        cell=arguments.size,
        columns=arguments.columns,
        focus=arguments.focus,
        margin=CLOSE if arguments.margin is None else arguments.margin,
        follow=not arguments.still,
        rise=arguments.rise,
        turn=arguments.turn,
        zoom=arguments.zoom,
        orthographic=arguments.orthographic,
        bones=arguments.bones,
        clay=arguments.clay,
        light=arguments.light,
        background=arguments.background,
        grid=not arguments.no_grid,
        labels=not arguments.no_labels,
    )


def _clips(project: Project, names: list[str] | None) -> list[Clip | None]:
    """The clips asked for; the first, or None where there is none, without any name."""
    if names is None:
        return [project.clips[0] if project.clips else None]
    if names == [ALL]:
        return list(project.clips) or [None]
    have = {clip.name for clip in project.clips}
    found: list[Clip | None] = []
    for name in names:
        if name not in have and name.isdigit() and 1 <= int(name) <= len(project.clips):
            found.append(project.clips[int(name) - 1])
        else:
            found.append(project.clip_named(name))
    return found


def _file_name(file: str, clips: list[Clip | None]) -> str:
    """Named after the file and its clip."""
    words = [Path(file).stem]
    if len(clips) == 1 and clips[0] is not None:
        words.append(clips[0].name)
    return "".join(c if c.isalnum() or c in "-_. " else "_" for c in "-".join(words)) + ".png"


def _floor(path: str | None, clips: list[Clip | None]) -> "Floor | None":
    """The terrain of a course as the clip of one of its sections has it: that begins at the world's origin."""
    if path is None:
        return None
    from core.locomotion.course_file import read_course
    from editor.contact_sheet import section_floor

    course = read_course(path)
    names = {clip.name for clip in clips if clip is not None}
    found = [section for section in course.sections if section.name in names]
    if len(clips) != 1 or len(found) != 1:
        have = ", ".join(section.name for section in course.sections)
        raise UsageError(f"--course: expected one clip named after a section of it; there are: {have}")
    return section_floor(course.terrain, found[0].at, found[0].yaw)


COMMAND = Subcommand("sheet", "Draw frames of clips side by side, without a window.", _arguments, _run)
