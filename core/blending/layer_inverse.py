"""Layers taken the other way: what lies below a layer, or what the layer holds, when the pose on top is known.

Each layer is undone in closed form. With a weight ``w``, a bone's turn between what is below and the layer is the
``1/w``-th power of the turn between what is below and what is on top, along the same axis; translation and scale are
linear in the weight. A turn that would have to be larger than half a turn cannot come out of a layer (rotations go the
short way): the nearest that can is given. With override layers that blend rotations in model space the pose below is
found step by step.
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.arrays import FloatArray
from core.blending.keyed_channels import KeyedChannels
from core.blending.layer_stack import ActiveLayer, LayerSamples, StackPlayer
from core.clips.additive import Deltas
from core.clips.clip import AdditiveSpace
from core.math import quat
from core.math.transform import Transform, rotations_down_chain
from core.pose.additive import to_local_rotations
from core.pose.kinematics import to_model
from core.rig.skeleton import Skeleton

ROUNDS = 60
"""Steps at most in which the pose below layers in model space is found."""
HALF_TURN = np.pi * (1.0 - 1e-9)
"""The largest turn that comes out of a layer as it went in, in radians."""
FULL, NONE = 1.0 - 1e-9, 1e-9
"""Shares that count as covering a bone in full, and as not reaching it."""


def below_layers(
    player: StackPlayer, samples: Sequence[LayerSamples], wanted: Transform, own: Transform
) -> Transform:
    """The local transforms ``(T, B, k)`` that some layers turn into wanted ones.

    Parameters
    ----------
    samples : of the layers, from the lowest to the highest
    own : what is below now: what layers cover in full stays so
    """
    if player.stack.model_rotations and any(played.batch is not None for played in samples):
        return _step_by_step(lambda local: player.folded(local, samples), _covered(samples), wanted, own)
    skeleton, stages = player.rig.skeleton, [own]
    for played in samples[:-1]:
        stages.append(played.put_over(player.rig, stages[-1], player.stack.model_rotations))
    for played, stage in zip(reversed(samples), reversed(stages), strict=True):
        wanted = _below_one(skeleton, played, wanted, stage)
    return wanted


def _below_one(skeleton: Skeleton, played: LayerSamples, wanted: Transform, own: Transform) -> Transform:
    if played.deltas is not None:
        return _without(skeleton, played.deltas, wanted, played.share)
    assert played.batch is not None
    layer = played.batch.local
    shares = _channel_shares(played.share, played.channels)
    move, turn, grow = (np.where(part < FULL, 1.0 / np.maximum(1.0 - part, NONE), 0.0) for part in shares)
    back = power(quat.multiply(quat.conjugate(layer.rotation), wanted.rotation), turn)
    translation = layer.translation + move * (wanted.translation - layer.translation)
    scale = layer.scale + grow * (wanted.scale - layer.scale)
    free = shares.rotation < FULL
    untouched = shares.rotation < NONE
    rotation = quat.normalise(quat.multiply(layer.rotation, back))
    rotation = np.where(free[..., None], rotation, own.rotation)
    return Transform(
        np.where(shares.translation < FULL, translation, own.translation),
        np.where(untouched[..., None], wanted.rotation, rotation),
        np.where(shares.scale < FULL, scale, own.scale),
    )


def _channel_shares(share: FloatArray, channels: KeyedChannels | None) -> Transform:
    """The share of each channel: ``(T, B, 3)``, ``(T, B)`` and ``(T, B, 3)``."""
    column = np.repeat(share[..., None], 3, axis=-1)
    if channels is None:
        return Transform(column, share, column)
    return Transform(column * channels.translate, share * channels.rotate, column * channels.scale)


def _without(skeleton: Skeleton, deltas: Deltas, wanted: Transform, share: FloatArray) -> Transform:
    """The pose that a difference, put on by a share, turns into a wanted one."""
    column, delta = share[..., None], deltas.local
    grown = 1.0 + column * delta.scale
    back = quat.conjugate(power(delta.rotation, share))
    if deltas.space is AdditiveSpace.MODEL:
        model = quat.multiply(back, to_model(skeleton, wanted).rotation)
        rotation = to_local_rotations(skeleton, model) if share.any() else wanted.rotation
    else:
        turned = quat.normalise(quat.multiply(back, wanted.rotation))
        rotation = np.where(column < NONE, wanted.rotation, turned)
    return Transform(
        wanted.translation - column * delta.translation,
        rotation,
        np.where(grown == 0.0, wanted.scale, wanted.scale / np.where(grown == 0.0, 1.0, grown)),
    )


def layer_values(
    layer: ActiveLayer, played: LayerSamples, model_rotations: bool, below: Transform, wanted: Transform
) -> Transform:
    """What a layer's clip has to hold so that it turns the pose below it into a wanted one.

    Parameters
    ----------
    layer, played : the layer, and what it is at the times asked for
    below, wanted : local transforms ``(T, B, k)`` under the layer and on top of it

    Returns
    -------
    Transform
        Local transforms ``(T, B, k)``. A bone that the layer does not reach keeps what the layer holds.
    """
    share, skeleton = played.share, layer.rig.skeleton
    gain = np.where(share > NONE, 1.0 / np.maximum(share, NONE), 0.0)
    column, reached = gain[..., None], (share > NONE)[..., None]
    if played.deltas is not None:
        assert layer.sampler is not None
        times = played.own_times
        own, base = layer.sampler.poses(times).local, layer.sampler.base(times).local
        return _difference_values(skeleton, played.deltas, (own, base, below, wanted), gain)
    assert played.batch is not None
    own = played.batch.local
    if played.channels is not None:
        own = played.channels.filled(own, below)
    if model_rotations:
        under, goal, mine = (rotations_down_chain(skeleton.parents, t.rotation) for t in (below, wanted, own))
        turned = quat.multiply(under, power(quat.multiply(quat.conjugate(under), goal), gain))
        rotation = to_local_rotations(skeleton, np.where(reached, turned, mine))
    else:
        turned = quat.multiply(
            below.rotation, power(quat.multiply(quat.conjugate(below.rotation), wanted.rotation), gain)
        )
        rotation = np.where(reached, quat.normalise(turned), own.rotation)
    return Transform(
        np.where(
            reached, below.translation + column * (wanted.translation - below.translation), own.translation
        ),
        rotation,
        np.where(reached, below.scale + column * (wanted.scale - below.scale), own.scale),
    )


def _difference_values(
    skeleton: Skeleton,
    deltas: Deltas,
    poses: tuple[Transform, Transform, Transform, Transform],
    gain: FloatArray,
) -> Transform:
    """What an additive clip holds; `poses` are its own, its base's, those below and those wanted."""
    own, base, below, wanted = poses
    column = gain[..., None]
    reached = column > 0.0
    kept = below.scale != 0.0
    ratio = np.where(kept, wanted.scale / np.where(kept, below.scale, 1.0) - 1.0, 0.0)
    if deltas.space is AdditiveSpace.MODEL:
        under, goal, root = (to_model(skeleton, t).rotation for t in (below, wanted, base))
        turn = power(quat.multiply(goal, quat.conjugate(under)), gain)
        turn = np.where(reached, turn, deltas.local.rotation)
        rotation = to_local_rotations(skeleton, quat.multiply(turn, root))
    else:
        turn = power(quat.multiply(wanted.rotation, quat.conjugate(below.rotation)), gain)
        rotation = np.where(reached, quat.normalise(quat.multiply(turn, base.rotation)), own.rotation)
    return Transform(
        np.where(
            reached, base.translation + column * (wanted.translation - below.translation), own.translation
        ),
        rotation,
        np.where(reached, base.scale * (1.0 + column * ratio), own.scale),
    )


def power(turn: FloatArray, factor: FloatArray) -> FloatArray:
    """Turns ``(..., 4)`` about their own axes, `factor` ``(...)`` times as far, half a turn at most."""
    vector = quat.to_rotation_vector(turn)
    angle = np.linalg.norm(vector, axis=-1)
    most = HALF_TURN / np.maximum(angle, 1e-12)
    return quat.from_rotation_vector(vector * np.minimum(factor, most)[..., None])


def reach(samples: Sequence[LayerSamples], place: int) -> FloatArray:
    """How much of each bone one layer decides, ``(T, B)``: its own share where the layers above leave something."""
    left = 1.0 - _covered(samples[place + 1 :], samples[place].share.shape)
    return np.where(left > 1.0 - FULL, samples[place].share, 0.0)


def _covered(samples: Sequence[LayerSamples], shape: tuple[int, ...] = ()) -> FloatArray:
    """How much of each bone's rotation override layers cover, ``(T, B)``."""
    left = np.ones(shape or samples[0].share.shape)
    for played in samples:
        if played.batch is not None:
            left = left * (1.0 - np.clip(_channel_shares(played.share, played.channels).rotation, 0.0, 1.0))
    covered: FloatArray = 1.0 - left
    return covered


def _step_by_step(
    fold: Callable[[Transform], Transform], covered: FloatArray, wanted: Transform, own: Transform
) -> Transform:
    """The pose that `fold` turns into a wanted one; bones covered in full stay as they are in `own`."""
    free = (covered < FULL)[..., None]
    gain = np.minimum(1.0 / np.maximum(1.0 - covered, 1e-3), 4.0)[..., None]
    pose = own
    for _ in range(ROUNDS):
        shown = fold(pose)
        turn = quat.to_rotation_vector(quat.multiply(quat.conjugate(shown.rotation), wanted.rotation))
        move, grow = wanted.translation - shown.translation, wanted.scale - shown.scale
        stepped = quat.normalise(quat.multiply(pose.rotation, quat.from_rotation_vector(turn * gain)))
        pose = Transform(
            np.where(free, pose.translation + move * gain, pose.translation),
            np.where(free, stepped, pose.rotation),
            np.where(free, pose.scale + grow * gain, pose.scale),
        )
        if max(float(np.abs(part * free).max()) for part in (turn, move, grow)) < 1e-13:
            break
    return pose
