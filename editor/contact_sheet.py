"""Contact sheets: pictures of a clip side by side, one row for each view, for people who judge movement.

    from editor.contact_sheet import SheetStyle, Strip, contact_sheet, spread
    strips = [Strip(clip, spread(clip, 12))]
    image = contact_sheet(project, rig, strips, SheetStyle(views=("front", "left")))

No window and no Qt; OpenGL in software is enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, sin
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.arrays import ByteArray, FloatArray
from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.pose.pose import Pose, rest_pose
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.terrain.terrain import Terrain
from core.timing import FrameRate, frame_text
from editor.gl.camera import Camera, dolly, frame
from editor.gl.colors import DARK, LIGHT, Color, ViewportColors, on_plain
from editor.gl.draw_list import Floor, Surface
from editor.gl.lettering import line_height, put_text, shortened, text_width
from editor.render_camera import MARGIN, SIDES
from editor.render_scene import RenderScene, poses_at
from editor.render_shot import CAMERA, required_cameras

MOST_PIXELS = 16384
"""Each way of a whole sheet."""
CLOSE = 0.12
"""Metres around the bones of a close-up, where nothing is asked for."""
PAD = 6
LINE = 1


class Strip(NamedTuple):
    """A clip, or None for the rest pose, and the frames that are shown of it."""

    clip: Clip | None
    frames: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SheetStyle:
    """How a sheet looks.

    Parameters
    ----------
    views : of `editor.render_camera.SIDES`, or ``camera:NAME`` of the document; a row each
    cell : pixels of a picture
    columns : pictures side by side at most; more frames go on in further rows
    focus : bones of a close-up; the pictures follow them in all three directions
    margin : metres around the bones of a close-up
    follow : move along with the character, so that it stays in the middle of each picture
    rise : follow it up and down, too
    turn : turn along with the character's root, too: "front" is then always its front
    zoom : above 1 nearer
    orthographic : parallel projection
    bones : draw the bones, too
    clay : one plain colour in place of textures and materials
    light : the light theme's colours
    background : a plain colour in place of the theme's, or None
    grid : draw the ground's grid
    labels : frame numbers, names of views and clips
    """

    views: tuple[str, ...] = ("front", "left")
    cell: tuple[int, int] = (200, 280)
    columns: int = 12
    focus: tuple[str, ...] = ()
    margin: float = CLOSE
    follow: bool = True
    rise: bool = False
    turn: bool = False
    zoom: float = 1.0
    orthographic: bool = False
    bones: bool = False
    clay: bool = False
    light: bool = False
    background: Color | None = None
    grid: bool = True
    labels: bool = True

    def __post_init__(self) -> None:
        if not self.views:
            raise ValidationError("sheet: expected at least one view")
        for name in self.views:
            if name not in SIDES and not name.startswith(CAMERA):
                raise ValidationError(
                    f"sheet: expected views of {', '.join(SIDES)}, {CAMERA}NAME, got {name!r}"
                )
        if self.columns < 1 or min(self.cell) < 16:
            raise ValidationError("sheet: expected at least 1 column and pictures of at least 16 pixels")

    @property
    def colors(self) -> ViewportColors:
        """What the pictures are drawn in."""
        colors = LIGHT if self.light else DARK
        return colors if self.background is None else on_plain(colors, self.background)


def spread(clip: Clip | None, count: int) -> tuple[float, ...]:
    """So many whole frames spread over a clip from its first to its last; fewer where it has fewer.

    Raises
    ------
    ValidationError
        The number is below 1.
    """
    if count < 1:
        raise ValidationError(f"sheet: expected at least 1 frame, got {count}")
    last = int(clip.frames + 1e-3) if clip is not None else 0  # times of files are rounded
    at = np.rint(np.linspace(0.0, last, count)) if count > 1 else np.zeros(1)
    return tuple(float(frame) for frame in dict.fromkeys(at.tolist()))


def contact_sheet(
    project: Project,
    rig: Rig,
    strips: Sequence[Strip],
    style: SheetStyle | None = None,
    floor: Floor | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> ByteArray:
    """Pictures of clips side by side.

    Parameters
    ----------
    rig : the character; every clip must be of it
    strips : one after another, each with a row of pictures for each view
    floor : a terrain in place of the grid
    folder : where the document is, from which files of second characters are named

    Returns
    -------
    ``(H, W, 4)`` uint8, top row first, opaque

    Raises
    ------
    ValidationError
        Nothing to show, or the sheet is larger than 16384 pixels.
    MissingReferenceError
        A bone of the close-up is not in the rig.
    NoContextError
        OpenGL is not there.
    Cancelled
        From `progress`.
    """
    style = style or SheetStyle()
    if not any(strip.frames for strip in strips):
        raise ValidationError("sheet: expected at least one frame")
    _bones_of(rig.skeleton, style.focus)
    page = _Page(strips, style)
    colors = style.colors
    clay = colors.body if style.clay else None
    scene = RenderScene(project, rig, style.bones, style.grid, clay, floor, folder)
    scene.decode()
    from editor.gl.capture import OffscreenRenderer

    progress = progress or Progress()
    total, done = sum(len(strip.frames) for strip in strips) * len(style.views), 0
    with OffscreenRenderer() as renderer:
        for number, strip in enumerate(strips):
            poses = poses_at(project, rig, strip.clip, strip.frames)
            rate = strip.clip.rate if strip.clip is not None else FrameRate.of(30)
            times = [rate.to_seconds(frame) for frame in strip.frames]
            shots = _Shots(scene, poses, style)
            eyes = {
                view: required_cameras(project, view, times, style.cell)
                for view in style.views
                if view.startswith(CAMERA)
            }
            page.title(number)
            for index, pose in enumerate(poses):
                drawn = scene.draw_list(pose, shots.matrices[index], times[index])
                for row, view in enumerate(style.views):
                    progress.report(done / total, f"picture {done + 1} of {total}")
                    done += 1
                    eye = eyes[view][index] if view in eyes else shots.camera(view, index)
                    picture = renderer.render(drawn, eye, style.cell, colors)
                    page.put(number, row, index, picture)
    return page.image


def _bones_of(skeleton: Skeleton, names: Sequence[str]) -> list[int]:
    found = []
    for name in names:
        bone = skeleton.find(name)
        if bone is None:
            near = [have for have in skeleton.names if name.lower() in have.lower()][:5]
            hint = f"; there are {', '.join(near)}" if near else ""
            raise MissingReferenceError(f"no bone is named {name!r}{hint}")
        found.append(bone)
    return found


def section_floor(terrain: Terrain, at: tuple[float, float, float], yaw: float) -> Floor:
    """The terrain under a clip that was baked from a section of a course.

    Such a clip begins at the world's origin, facing +Z.

    Parameters
    ----------
    at, yaw : metres and degrees of the section's start, see `core.locomotion.course.Section`
    """
    found = terrain.triangles()
    height = float(terrain.under(np.asarray(at, dtype=np.float64)))
    start = np.array([at[0], height if np.isfinite(height) else at[1], at[2]])
    back = _about_up(np.radians(yaw))
    return Floor(Surface((found.corners - start) @ back, found.normals @ back))


class _Shots:
    """The cameras of one strip: where the character is in each picture, and what they all must show."""

    def __init__(self, scene: RenderScene, poses: Sequence[Pose], style: SheetStyle) -> None:
        self._style = style
        self.matrices = [scene.matrices(pose) for pose in poses]
        bones = _bones_of(scene.rig.skeleton, style.focus)
        heads = [places[:, :3, 3] for places in self.matrices]
        if bones:
            seen, margin = [places[bones] for places in heads], style.margin
            self._ways = [places.mean(axis=0) for places in seen]
        else:
            bodies = scene.bodies(poses, self.matrices)
            seen = [np.concatenate(pair) for pair in zip(heads, bodies, strict=True)]
            margin = MARGIN
            followed = (1.0, 1.0 if style.rise else 0.0, 1.0)
            self._ways = [places.mean(axis=0) * followed for places in heads]
        if not style.follow:
            self._ways = [np.zeros(3)] * len(poses)
        rest = scene.matrices(rest_pose(scene.rig))[0]
        self._turns = [_turn(places[0], rest) if style.turn else 0.0 for places in self.matrices]
        local = [
            (places - way) @ _about_up(turn)
            for places, way, turn in zip(seen, self._ways, self._turns, strict=True)
        ]
        points = np.concatenate(local)
        self._low, self._high = points.min(axis=0) - margin, points.max(axis=0) + margin

    def camera(self, view: str, index: int) -> Camera:
        """Where one picture is seen from."""
        style, way, turn = self._style, self._ways[index], self._turns[index]
        yaw, pitch = SIDES[view]
        base = frame(
            Camera(yaw=yaw, pitch=pitch, orthographic=style.orthographic),
            self._low,
            self._high,
            style.cell,
            1.02,
        )
        base = dolly(base, 1.0 / style.zoom, style.cell)
        x, y, z = (float(part) for part in way + _about_up(turn) @ np.asarray(base.target))
        return replace(base, target=(x, y, z), yaw=base.yaw + turn)


def _turn(root: FloatArray, rest: FloatArray) -> float:
    """Radians about +Y that a root is turned by against its rest pose; model matrices ``(4, 4)``."""
    ahead = root[:3, :3] @ np.linalg.pinv(rest[:3, :3]) @ (0.0, 0.0, 1.0)
    return float(np.arctan2(ahead[0], ahead[2]))


def _about_up(angle: float) -> FloatArray:
    """Rotation ``(3, 3)`` of column vectors about +Y; a row vector times it turns back."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def size_of_sheet(counts: Sequence[int], style: SheetStyle) -> tuple[int, int]:
    """Pixels across and down of a sheet whose strips have so many frames each.

    Raises
    ------
    ValidationError
        They are more than 16384 each way.
    """
    columns = _columns(counts, style)
    height = sum(_strip_height(count, columns, style) for count in counts) - LINE
    size = (columns * (style.cell[0] + LINE) - LINE, height)
    if max(size) > MOST_PIXELS:
        raise ValidationError(
            f"sheet: {size[0]}x{size[1]} pixels are more than {MOST_PIXELS} each way; "
            "take fewer frames, smaller pictures or fewer clips"
        )
    return size


def _columns(counts: Sequence[int], style: SheetStyle) -> int:
    return max(min(style.columns, count) for count in counts)


def _strip_height(count: int, columns: int, style: SheetStyle) -> int:
    blocks = -(-count // columns)
    return _title_height(style) + blocks * len(style.views) * (style.cell[1] + LINE)


def _title_height(style: SheetStyle) -> int:
    return line_height() + 2 * PAD if style.labels else 0


class _Page:
    """The whole picture, filled cell by cell."""

    def __init__(self, strips: Sequence[Strip], style: SheetStyle) -> None:
        self._strips, self._style = strips, style
        self._wide, self._high = style.cell[0] + LINE, style.cell[1] + LINE
        self._title = _title_height(style)
        counts = [len(strip.frames) for strip in strips]
        size = size_of_sheet(counts, style)
        self._columns = _columns(counts, style)
        highs = [_strip_height(count, self._columns, style) for count in counts]
        self._tops = [sum(highs[:number]) for number in range(len(highs))]
        self._ink = style.colors.text
        ground = style.colors.plate
        self.image = np.empty((size[1], size[0], 4), np.uint8)
        self.image[:] = [round(255 * part) for part in (*ground[:3], 1.0)]

    def title(self, number: int) -> None:
        """Name the clip above its pictures."""
        if not self._style.labels:
            return
        clip, frames = self._strips[number]
        words = ["rest pose"]
        if clip is not None:
            words = [
                clip.name,
                f"{frame_text(clip.frames)} frames",
                f"{clip.rate.fps:g} fps",
                f"{clip.length:.2f} s",
            ]
        words.append(", ".join(self._style.views))
        if self._style.focus:
            words.append("close-up of " + ", ".join(self._style.focus))
        text = shortened(" · ".join(words), self.image.shape[1] - 2 * PAD)
        put_text(self.image, text, (PAD, self._tops[number] + PAD), self._ink)

    def put(self, number: int, row: int, index: int, picture: ByteArray) -> None:
        """Paste one picture of a strip."""
        style, strip = self._style, self._strips[number]
        block, column = divmod(index, self._columns)
        if style.labels:
            view = style.views[row].removeprefix(CAMERA)
            self._label(picture, strip.frames[index], view if column == 0 else "")
        top = self._tops[number] + self._title + (block * len(style.views) + row) * self._high
        left = column * self._wide
        self.image[top : top + style.cell[1], left : left + style.cell[0]] = picture

    def _label(self, picture: ByteArray, frame: float, view: str) -> None:
        """The frame's number at the top left, the view's name at the top right."""
        put_text(picture, f"{frame:g}", (PAD, PAD), self._ink)
        if view:
            left = picture.shape[1] - PAD - text_width(view)
            put_text(picture, view, (left, PAD), (*self._ink[:3], 0.7 * self._ink[3]))


__all__ = ["MOST_PIXELS", "SheetStyle", "Strip", "contact_sheet", "section_floor", "size_of_sheet", "spread"]
