"""Root motion: the root bone's motion, taken out of the pose and handed to the character.

``E(t)`` is the part of the root's model transform that the clip's settings take out: ground-plane
translation, height, yaw (the turn about +Y of its rotation relative to the rest pose). The motion
from a to b is ``E(a)⁻¹ ∘ E(b)``; over the seam of a loop the turns are put together as
spec/evaluation.md says, which makes it additive under any cutting. What stays in the pose is
``K ∘ E(t)⁻¹ ∘ root(t)``, with ``K`` the extracted part of the rest pose, of the first frame, or nothing.
"""

import math
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Clip, RootMotion, RootPose
from core.math import kernels, quat, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.skeleton import Skeleton

UP = np.array([0.0, 1.0, 0.0])


class RootFrame(NamedTuple):
    """What stays the same for a clip on a skeleton.

    Parameters
    ----------
    chain : bones from the skeleton's root down to the root bone
    rest : model transform of the root bone in the rest pose
    first_inverse : ``E(0)⁻¹``
    turn : ``E(0)⁻¹ ∘ E(L)``
    anchor : ``K``
    bones, numbers : chain ``(C,)`` and all of the above ``(29,)`` as `core.math.kernel_moment` takes them
    """

    chain: tuple[int, ...]
    rest: Transform
    first_inverse: Transform
    turn: Transform
    anchor: Transform
    bones: npt.NDArray[np.int64]
    numbers: FloatArray


class RootSource(Protocol):
    """What root motion needs of a clip's evaluator."""

    root_frame: RootFrame | None
    """Kept by `frame_of` once it was worked out."""

    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def clip(self) -> Clip: ...

    def root_locals(self, bones: tuple[int, ...], times: npt.ArrayLike) -> Transform:
        """Local transforms ``(T, len(bones), k)`` at times within the clip, its end included."""
        ...

    def moment_row(self, time: float) -> tuple[FloatArray, list[float]] | None:
        """The pose at a time within the clip as one row ``(10B,)`` by the kernel, or None without it."""
        ...


def root_bone(skeleton: Skeleton, settings: RootMotion) -> int | None:
    """Number of the root bone; None for a skeleton without bones or without the bone named."""
    if settings.bone is not None:
        return skeleton.find(settings.bone)
    roots = skeleton.roots()
    return roots[0] if roots else None


def extracted(settings: RootMotion, root: Transform, rest: Transform) -> Transform:
    """The part ``E`` of root model transforms ``(..., k)`` that is taken out; scale stays in the pose."""
    kept = np.array([settings.ground, settings.height, settings.ground], dtype=np.float64)
    translation = root.translation * kept
    if settings.yaw:
        turn = quat.multiply(root.rotation, quat.conjugate(rest.rotation))
        rotation = _yaw(turn)
    else:
        rotation = np.broadcast_to(quat.IDENTITY, root.rotation.shape)
    return Transform(translation, rotation, np.ones_like(translation))


def _yaw(turn: FloatArray) -> FloatArray:
    """Twist about +Y; the identity where the turn leans over by half a circle."""
    y, w = turn[..., 1], turn[..., 3]
    zero = np.zeros_like(y)
    return quat.normalise(np.stack((zero, y, zero, w), axis=-1))


def frame_of(source: RootSource) -> RootFrame | None:
    """What stays the same, worked out once; None where nothing is taken out."""
    settings, skeleton = source.clip.root_motion, source.skeleton
    bone = root_bone(skeleton, settings)
    if bone is None or not settings.enabled:
        return None
    if source.root_frame is None:
        chain = kinematics.ancestors(skeleton, bone)
        rest = rest_root(skeleton, bone)
        ends = _extracted_at(source, chain, rest, np.array([0.0, source.clip.length]))
        first, last = _row(ends, 0), _row(ends, 1)
        undo = transform.inverse(first)
        anchor = _row(_identity(1), 0)
        if settings.pose is RootPose.FIRST_FRAME:
            anchor = first
        elif settings.pose is RootPose.REST:
            anchor = extracted(settings, rest, rest)
        turn = transform.compose(undo, last)
        numbers = np.concatenate(
            (
                [settings.yaw, settings.ground, settings.height, settings.ground],
                rest.rotation,
                *(part for rigid in (anchor, undo, turn) for part in (rigid.translation, rigid.rotation)),
            ),
            dtype=np.float64,
        )
        source.root_frame = RootFrame(chain, rest, undo, turn, anchor, np.array(chain, np.int64), numbers)
    return source.root_frame


def take_out(source: RootSource, row: FloatArray) -> None:
    """Root motion taken out of a pose ``(10B,)``, in place; for poses of `RootSource.moment_row`.

    The twin is `without_root`.
    """
    frame, loaded = frame_of(source), kernels.compiled()
    if frame is not None:
        assert loaded is not None  # who has a row has the kernels
        loaded.moment.without_root(row, frame.bones, frame.numbers)


def _extracted_at(
    source: RootSource, chain: tuple[int, ...], rest: Transform, positions: FloatArray
) -> Transform:
    local = source.root_locals(chain, np.clip(positions, 0.0, source.clip.length))
    return extracted(source.clip.root_motion, kinematics.chain_end(local), rest)


def root_at(source: RootSource, positions: npt.ArrayLike) -> Transform:
    """Extracted part ``E`` at positions ``(T,)`` within the clip, 0 to its length, both included.

    The identity where root motion is off or there is no root bone.
    """
    times = np.atleast_1d(np.asarray(positions, dtype=np.float64))
    frame = frame_of(source)
    if frame is None:
        return _identity(len(times))
    return _extracted_at(source, frame.chain, frame.rest, times)


def rest_root(skeleton: Skeleton, bone: int) -> Transform:
    """Model transform of a bone in the rest pose."""
    chain = list(kinematics.ancestors(skeleton, bone))
    return kinematics.chain_end(Transform(*(part[chain] for part in skeleton.rest)))


def root_delta(source: RootSource, start: float, end: float, loops: int = 0) -> Transform:
    """Motion from position `start` to position `end` (0..length) with the seam crossed `loops` times.

    ``loops`` is negative for playing backwards over the seam. See `motion_between` for playback
    times that count on.
    """
    ends = _turn_parts(source, np.array([start, end]))
    a, b = _row(ends, 0), _row(ends, 1)
    turned = _powers(_whole_turn(source), np.array([loops]))
    return transform.compose(transform.inverse(a), transform.compose(_row(turned, 0), b))


def motion_between(source: RootSource, start: float, end: float) -> Transform:
    """Motion ``E(start)⁻¹ ∘ E(end)`` between two playback times, which count on over seams."""
    frame = frame_of(source)
    if frame is None:
        return transform.IDENTITY
    (before, first), (after, last) = (_turns(source.clip, time) for time in (start, end))
    ends = source.moment_row(first), source.moment_row(last)
    loaded = kernels.compiled()
    if loaded is not None and ends[0] is not None and ends[1] is not None:
        moved = np.empty(7)
        loaded.moment.motion(ends[0][0], before, ends[1][0], after, frame.bones, frame.numbers, moved)
        return Transform(moved[:3], moved[3:], np.ones(3))
    path = accumulate(source, np.array([start, end]))
    return transform.compose(transform.inverse(_row(path, 0)), _row(path, 1))


def _turns(clip: Clip, time: float) -> tuple[int, float]:
    """How many turns are over at a playback time, and the position in the clip, as `accumulate` has them."""
    length = clip.length
    if not clip.looping or length <= 0.0:
        return 0, min(max(time, 0.0), length)
    loops = math.floor(time / length)
    return loops, min(max(time - loops * length, 0.0), length)


def accumulate(source: RootSource, times: npt.ArrayLike) -> Transform:
    """Motion since playback time 0 at playback times ``(T,)``: parts ``(T, 3)``, ``(T, 4)``, ``(T, 3)``.

    Times of a looping clip count on over the seam and may be negative; those of another clip are
    held within its length.
    """
    seconds = np.atleast_1d(np.asarray(times, dtype=np.float64))
    length = source.clip.length
    if not source.clip.looping or length <= 0.0:
        return _turn_parts(source, np.clip(seconds, 0.0, length))
    loops = np.floor(seconds / length)
    positions = np.clip(seconds - loops * length, 0.0, length)
    return transform.compose(
        _powers(_whole_turn(source), loops.astype(np.int64)), _turn_parts(source, positions)
    )


def character_at(source: RootSource, times: npt.ArrayLike, start: Transform | None = None) -> Transform:
    """Where the character stands at playback times ``(T,)``, having stood at `start` at time 0.

    The root stays in the pose at ``K``, so the character moves by ``K ∘ D ∘ K⁻¹``: its pose, put
    there, follows the path of the clip exactly, whatever K is.
    """
    kept = pose_anchor(source)
    motion = accumulate(source, times)
    moved = transform.compose(kept, transform.compose(motion, transform.inverse(kept)))
    return moved if start is None else transform.compose(start, moved)


def pose_anchor(source: RootSource) -> Transform:
    """``K``: the extracted part that stays in the pose."""
    frame = frame_of(source)
    return _row(_identity(1), 0) if frame is None else frame.anchor


def without_root(source: RootSource, local: Transform) -> Transform:
    """Local transforms ``(T, B, k)`` with root motion taken out of the root bone (a copy).

    Unchanged (the same arrays) where root motion is off.
    """
    frame = frame_of(source)
    if frame is None:
        return local
    chain, bone = list(frame.chain), frame.chain[-1]
    model = kinematics.chain_end(Transform(*(part[..., chain, :] for part in local)))
    part = extracted(source.clip.root_motion, model, frame.rest)
    stays = transform.compose(frame.anchor, transform.compose(transform.inverse(part), model))
    if len(chain) > 1:
        above = kinematics.chain_end(Transform(*(p[..., chain[:-1], :] for p in local)))
        stays = transform.compose(transform.inverse(above), stays)
    result = Transform(*(np.array(part) for part in local))
    result.translation[..., bone, :] = stays.translation
    result.rotation[..., bone, :] = stays.rotation
    return result


def with_motion(skeleton: Skeleton, local: Transform, steps: Transform, settings: RootMotion) -> Transform:
    """Poses with the character's motion, step by step, put back into the root bone.

    Parameters
    ----------
    local : local transforms ``(T, B, k)`` with root motion taken out
    steps : motion ``(T, k)`` of the step that ends at each pose; the first is where the path begins
    """
    bone = root_bone(skeleton, settings)
    if bone is None:
        return local
    path = [Transform(*(part[0] for part in steps))]
    for k in range(1, len(steps.translation)):
        step = Transform(*(part[k] for part in steps))
        moved = transform.compose(path[-1], step)
        path.append(Transform(moved.translation, quat.normalise(moved.rotation), moved.scale))
    whole = Transform(*(np.stack(parts) for parts in zip(*path, strict=True)))
    chain = list(kinematics.ancestors(skeleton, bone))
    model = kinematics.chain_end(Transform(*(part[:, chain] for part in local)))
    placed = transform.compose(whole, model)
    if len(chain) > 1:
        above = kinematics.chain_end(Transform(*(part[:, chain[:-1]] for part in local)))
        placed = transform.compose(transform.inverse(above), placed)
    parts = [np.array(part) for part in local]
    parts[0][:, bone], parts[1][:, bone] = placed.translation, quat.normalise(placed.rotation)
    return Transform(*parts)


def _turn_parts(source: RootSource, positions: FloatArray) -> Transform:
    """``E(0)⁻¹ ∘ E(position)``."""
    frame = frame_of(source)
    if frame is None:
        return _identity(len(positions))
    return transform.compose(frame.first_inverse, root_at(source, positions))


def _whole_turn(source: RootSource) -> Transform:
    """``E(0)⁻¹ ∘ E(L)``."""
    frame = frame_of(source)
    return _row(_identity(1), 0) if frame is None else frame.turn


def _powers(turn: Transform, exponents: npt.NDArray[np.int64]) -> Transform:
    """A rigid transform put together with itself, ``(N,)`` whole numbers of times, by repeated squaring."""
    result = _identity(len(exponents))
    if not exponents.any():
        return result
    backwards = exponents < 0
    left = np.abs(exponents)
    square = turn
    while left.any():
        odd = (left & 1 == 1)[:, None]
        product = transform.compose(result, square)
        result = Transform(*(np.where(odd, new, old) for new, old in zip(product, result, strict=True)))
        square = transform.compose(square, square)
        square = Transform(square.translation, quat.normalise(square.rotation), square.scale)
        left = left >> 1
    inverse = transform.inverse(result)
    return Transform(
        *(np.where(backwards[:, None], new, old) for new, old in zip(inverse, result, strict=True))
    )


def _identity(count: int) -> Transform:
    return Transform(np.zeros((count, 3)), np.tile(quat.IDENTITY, (count, 1)), np.ones((count, 3)))


def _row(parts: Transform, index: int) -> Transform:
    return Transform(*(part[index] for part in parts))
