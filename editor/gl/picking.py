"""Which bone is under the pointer or in a box. Free of Qt and OpenGL.

Bones are caught by what is drawn of them: the shape's width counts, and a zone around it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from editor.gl.bone_geometry import WAIST, bone_frames, bone_widths
from editor.gl.camera import Camera, Pixel, Size, axes, clip_range, eye, metres_per_pixel, project
from editor.gl.draw_list import BoneShapes, BoneState, BoneStyle
from editor.gl.screen_geometry import distance_to_segments, segments_meet_rectangle

HIT_PIXELS = 6.0


@dataclass(frozen=True, slots=True)
class BoneHit:
    """A bone under a pixel.

    `gap` is the distance in logical pixels from the pixel to the bone's shape, 0 inside it;
    `depth` is metres from the eye along the view.
    """

    bone: int
    gap: float
    depth: float


def _visible(bones: BoneShapes) -> npt.NDArray[np.intp]:
    if bones.states is None:
        return np.arange(len(bones.heads))
    return np.flatnonzero(bones.states != BoneState.HIDDEN)


def _seen_segments(
    bones: BoneShapes, camera: Camera
) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray, FloatArray]:
    """Visible bones in front of the eye: numbers, ends (N, 2, 3) cut at the near plane, cuts (N, 2)."""
    numbers = _visible(bones)
    along, _ = bone_frames(bones)
    start = bones.heads[numbers].astype(np.float64)
    run = along[numbers]
    cuts = np.tile((0.0, 1.0), (len(numbers), 1))
    if not camera.orthographic and len(numbers):
        near = clip_range(camera)[0]
        forward = axes(camera)[2]
        depth = (start - eye(camera)) @ forward - near
        rise = run @ forward
        seen = (depth > 0) | (depth + rise > 0)
        crossing = np.clip(-depth / np.where(np.abs(rise) < 1e-12, 1.0, rise), 0.0, 1.0)
        cuts[:, 0] = np.where((depth <= 0) & seen, crossing, 0.0)
        cuts[:, 1] = np.where((depth + rise <= 0) & seen, crossing, 1.0)
        numbers, start, run, cuts = numbers[seen], start[seen], run[seen], cuts[seen]
    ends = start[:, None] + cuts[..., None] * run[:, None]
    return numbers, ends, start, cuts


def pick_bones(
    bones: BoneShapes, camera: Camera, size: Size, pixel: Pixel, reach: float = HIT_PIXELS
) -> tuple[BoneHit, ...]:
    """All bones under a pixel, the one to take first: inside before beside, then near before far.

    A repeated click at one place walks along this list.
    """
    numbers, ends, _, cuts = _seen_segments(bones, camera)
    if not len(numbers):
        return ()
    at = np.asarray(pixel, np.float64)
    pixels, depth = project(camera, ends, size)
    distance, along = distance_to_segments(at, pixels[:, 0], pixels[:, 1])
    if camera.orthographic:
        t, deep = along, depth[:, 0] + along * (depth[:, 1] - depth[:, 0])
    else:
        # Halfway on the screen is not halfway along the bone: the reciprocal depth is linear.
        deep = 1.0 / np.maximum((1 - along) / depth[:, 0] + along / depth[:, 1], 1e-12)
        t = along * deep / depth[:, 1]
    spots = ends[:, 0] + t[:, None] * (ends[:, 1] - ends[:, 0])
    whole = cuts[:, 0] + t * (cuts[:, 1] - cuts[:, 0])
    half = _half_width(bones, numbers, whole) / metres_per_pixel(camera, spots, size)
    gap = np.maximum(distance - np.maximum(half, 1.5), 0.0)
    if bones.style is BoneStyle.SPHERE:
        gap = np.minimum(gap, _ball_gap(bones, numbers, camera, size, at))
    caught = np.flatnonzero(gap <= reach)
    order = sorted(caught, key=lambda n: (round(float(gap[n]), 1), float(deep[n]), int(numbers[n])))
    return tuple(BoneHit(int(numbers[n]), float(gap[n]), float(deep[n])) for n in order)


def _half_width(bones: BoneShapes, numbers: npt.NDArray[np.intp], t: FloatArray) -> FloatArray:
    if bones.style is not BoneStyle.OCTAHEDRAL:
        return np.zeros(len(numbers))
    widest = bone_widths(bones.heads, bones.tails)[numbers]
    return np.asarray(widest * 0.85 * np.clip(np.minimum(t / WAIST, (1 - t) / (1 - WAIST)), 0.0, 1.0))


def _ball_gap(
    bones: BoneShapes, numbers: npt.NDArray[np.intp], camera: Camera, size: Size, at: FloatArray
) -> FloatArray:
    heads = bones.heads[numbers]
    pixels, depth = project(camera, heads, size)
    radius = bone_widths(bones.heads, bones.tails)[numbers] / metres_per_pixel(camera, heads, size)
    gap = np.maximum(np.linalg.norm(pixels - at, axis=1) - radius, 0.0)
    return np.where((depth > 0) | camera.orthographic, gap, np.inf)


def next_hit(hits: tuple[BoneHit, ...], current: int | None) -> int | None:
    """The bone to take: the first, or the one after `current` when the same place is clicked again."""
    order = [hit.bone for hit in hits]
    if not order:
        return None
    return order[(order.index(current) + 1) % len(order)] if current in order else order[0]


def bones_in_box(bones: BoneShapes, camera: Camera, size: Size, a: Pixel, b: Pixel) -> tuple[int, ...]:
    """Bones whose segment has a point within the box between two corner pixels, by number."""
    numbers, ends, _, _ = _seen_segments(bones, camera)
    if not len(numbers):
        return ()
    pixels, _ = project(camera, ends, size)
    low, high = np.minimum(a, b).astype(np.float64), np.maximum(a, b).astype(np.float64)
    return tuple(int(n) for n in numbers[segments_meet_rectangle(pixels[:, 0], pixels[:, 1], low, high)])
