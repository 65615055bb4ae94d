"""Ranges as frames of 1/60 s: poses with the way of the root taken out, that way, and curves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.clips.clip import RootPose
from core.clips.root_motion import accumulate, root_bone, without_root
from core.clips.sample import ClipEvaluator
from core.locomotion.animation.speeds import STILL, feet_way
from core.locomotion.matching.ranges import Range
from core.locomotion.setup import H
from core.math import quat
from core.math.transform import Transform, compose, down_chain, inverse
from core.pose.mirror import MirrorMap, mirrored
from core.rig.mirror import side_of
from core.rig.rig import Rig

AHEAD = 120
"""Frames that a path is known beyond the last: a second of a range that is played twice as fast."""
SMOOTH = 0.15
"""Seconds, deviation of the bell by which the way of hips is smoothed where they are the root."""
SIGNED = ("FootPosition", "FootDirection", "TurnYaw")
"""Curves whose sign changes with the side."""


class Body(NamedTuple):
    """Bones that features are of: numbers of the hips and of the feet, left and right."""

    hips: int
    feet: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """A range, frame by frame.

    Parameters
    ----------
    looping : whether frame `len` is frame 0 again
    seconds : of a frame
    poses : ``(n, B, 7)`` translations and rotations in bone space, roots in the root's frame
    scale : ``(B, 3)`` of the first frame
    path : ``(n + 120, 3)`` x, z in metres and yaw in radians of the root, from (0, 0, 0) on
    points : ``(n, 3, 3)`` hips, left foot, right foot in the root's frame
    curves : name → ``(n,)``
    """

    looping: bool
    seconds: float
    poses: Float32Array
    scale: FloatArray
    path: FloatArray
    points: FloatArray
    curves: Mapping[str, FloatArray]

    def __len__(self) -> int:
        return len(self.poses)


def frames_of(rig: Rig, part: Range, body: Body) -> Frames:
    """The frames of a range; what goes on the spot is given the way of its feet."""
    length = part.last - part.first
    count = max(round(length / H), 2) if part.looping else max(int(length / H + 1e-6) + 1, 2)
    seconds = length / count if part.looping else length / (count - 1)
    times = part.first + seconds * np.arange(count + (AHEAD if part.looping else 0))
    clip = part.clip
    clip = replace(
        clip, root_motion=replace(clip.root_motion, ground=True, height=False, yaw=True, pose=RootPose.ZERO)
    )
    evaluator = ClipEvaluator(rig, clip)
    sampled = evaluator.sample_many(times[:count], wrap=part.looping)
    local, path = sampled.local, np.zeros((len(times), 3))
    hips_are_root = _root_is_hips(rig, part, body)
    if not clip.root_motion.enabled and _travels(rig, part):
        clip = replace(clip, root_motion=replace(clip.root_motion, enabled=True))
        evaluator = ClipEvaluator(rig, clip)
    if clip.root_motion.enabled:
        path = _path(accumulate(evaluator, times))
        local = without_root(evaluator, local)
    else:
        right, ahead = feet_way(rig, clip) if part.looping else (0.0, 0.0)
        path[:, 0], path[:, 1] = -right * (times - part.first), ahead * (times - part.first)
    if not part.looping:
        path = _gone_on(path)
    if clip.root_motion.enabled and hips_are_root:
        local, path = _smoothed(rig, local, path, seconds, part.looping)
    path = path - path[0] if not path[0, 2] else _from_start(path)
    return _made(rig, body, local, path, part.looping, seconds, dict(sampled.curves))


def _made(
    rig: Rig,
    body: Body,
    local: Transform,
    path: FloatArray,
    looping: bool,
    seconds: float,
    curves: dict[str, FloatArray],
) -> Frames:
    model = down_chain(rig.skeleton.parents, local)
    points = model.translation[:, [body.hips, *body.feet]]
    poses = np.concatenate([local.translation, local.rotation], axis=2).astype(np.float32)
    return Frames(looping, seconds, poses, np.array(local.scale[0]), path, points, curves)


def mirrored_frames(rig: Rig, frames: Frames, body: Body, mapping: MirrorMap) -> Frames:
    """The same the other way round."""
    poses = frames.poses.astype(np.float64)
    scale = np.broadcast_to(frames.scale, (len(poses), *frames.scale.shape))
    local = mirrored(rig, Transform(poses[..., :3], quat.normalise(poses[..., 3:]), scale), mapping)
    curves = {}
    for name, values in frames.curves.items():
        curves[_other_side(name, frames.curves)] = -values if name in SIGNED else values
    return _made(rig, body, local, frames.path * (-1.0, 1.0, -1.0), frames.looping, frames.seconds, curves)


def _other_side(name: str, names: Mapping[str, FloatArray]) -> str:
    """The name of the curve of the other side, where there is one."""
    told = side_of(name)
    if told is None:
        return name
    return next((n for n in names if n != name and (side_of(n) or (0, ""))[1] == told[1]), name)


def bent(frames: Frames, degrees: float) -> Frames:
    """The same on a path that turns by so many degrees a second to the left; poses are shared."""
    path = frames.path
    number = np.arange(len(path))
    turned = path[:, 2] + np.radians(degrees) * frames.seconds * number
    steps = np.diff(path[:, :2], axis=0)
    local = _turned(steps, -path[:-1, 2])
    middle = 0.5 * (turned[:-1] + turned[1:]) - 0.5 * np.diff(path[:, 2])
    places = np.concatenate([np.zeros((1, 2)), np.cumsum(_turned(local, middle), axis=0)])
    made = np.concatenate([places, turned[:, None]], axis=1)
    return replace(frames, path=made)


def paced(frames: Frames, pace: float) -> Frames:
    """The same played so many times as fast; poses are shared."""
    return replace(frames, seconds=frames.seconds / pace)


# ------------------------------------------------------------------------- the root's way
def _turned(flat: FloatArray, yaw: FloatArray) -> FloatArray:
    """Vectors ``(n, 2)`` x, z turned about +Y by radians ``(n,)``."""
    s, c = np.sin(yaw), np.cos(yaw)
    return np.stack([c * flat[:, 0] + s * flat[:, 1], c * flat[:, 1] - s * flat[:, 0]], axis=1)


def _path(way: Transform) -> FloatArray:
    yaw = np.unwrap(2.0 * np.arctan2(way.rotation[:, 1], way.rotation[:, 3]))
    return np.stack([way.translation[:, 0], way.translation[:, 2], yaw], axis=1)


def _from_start(path: FloatArray) -> FloatArray:
    """A path seen from its first place and facing."""
    flat = _turned(path[:, :2] - path[0, :2], np.full(len(path), -path[0, 2]))
    return np.concatenate([flat, path[:, 2:] - path[0, 2]], axis=1)


def _gone_on(path: FloatArray) -> FloatArray:
    """A path with `AHEAD` steps more, straight on at its last speed."""
    step = path[-1] - path[-2]
    step[2] = 0.0
    return np.concatenate([path, path[-1] + step * np.arange(1, AHEAD + 1)[:, None]])


def _root_is_hips(rig: Rig, part: Range, body: Body) -> bool:
    return root_bone(rig.skeleton, part.clip.root_motion) == body.hips


def _travels(rig: Rig, part: Range) -> bool:
    """Whether the root of a clip goes somewhere though its way is not taken out."""
    clip = replace(
        part.clip, root_motion=replace(part.clip.root_motion, enabled=True, ground=True, height=False)
    )
    if root_bone(rig.skeleton, clip.root_motion) is None:
        return False
    ends = accumulate(ClipEvaluator(rig, clip), [part.first, part.last]).translation
    return bool(np.hypot(*(ends[1] - ends[0])[[0, 2]]) > STILL * (part.last - part.first))


def _smoothed(
    rig: Rig, local: Transform, path: FloatArray, seconds: float, looping: bool
) -> tuple[Transform, FloatArray]:
    """Where hips are the root: their way smoothed, and what they sway about it put back into the pose."""
    wide = max(int(3.0 * SMOOTH / seconds), 1)
    bell = np.exp(-0.5 * (np.arange(-wide, wide + 1) * seconds / SMOOTH) ** 2)
    bell /= bell.sum()
    count = len(local.translation)
    if looping:
        turn = path[count] - path[0] if len(path) > count else np.zeros(3)
        before = path[np.arange(-wide, 0) % count] - turn * np.ceil(np.arange(wide, 0, -1) / count)[:, None]
        after = path[-1] + (path[1 : wide + 1] - path[0])
    else:
        before, after = 2.0 * path[0] - path[wide:0:-1], 2.0 * path[-1] - path[-2 : -wide - 2 : -1]
    whole = np.concatenate([before, path, after])
    smooth = np.stack([np.convolve(whole[:, k], bell, mode="valid") for k in range(3)], axis=1)[: len(path)]
    sway = compose(inverse(_placed(smooth[:count])), _placed(path[:count]))
    moved = Transform(*(np.array(part) for part in local))
    for root in rig.skeleton.roots():
        placed = compose(sway, Transform(*(part[:, root] for part in local)))
        moved.translation[:, root], moved.rotation[:, root] = (
            placed.translation,
            quat.normalise(placed.rotation),
        )
    return moved, smooth


def _placed(path: FloatArray) -> Transform:
    half, zero = path[:, 2] / 2.0, np.zeros(len(path))
    rotation = np.stack([zero, np.sin(half), zero, np.cos(half)], axis=1)
    return Transform(np.stack([path[:, 0], zero, path[:, 1]], axis=1), rotation, np.ones((len(path), 3)))
