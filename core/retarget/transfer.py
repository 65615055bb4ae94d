"""Carrying poses from one skeleton to another, many frames at once (spec: retargeting, 2, Transfer).

Rotations by the model-space difference from the aligned rest, ``R_t = (R_s · B_s⁻¹) · B_t``; the
hips so that the middle between the leg's roots stands as high over the ground, in leg heights.
"""

import itertools
import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.math.vectors import within_half_turn
from core.pose import kinematics
from core.retarget.align import Alignment, tip_bones, tip_of
from core.retarget.chain_map import ChainMap, ChainPair, Part
from core.rig.skeleton import Skeleton

_TWIST = re.compile(r"twist|roll", re.IGNORECASE)


class Stride(StrEnum):
    """By what the way of root and hips is scaled."""

    HIP_HEIGHT = "hip_height"
    LEG_LENGTH = "leg_length"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TransferOptions:
    """What a person may choose.

    Parameters
    ----------
    stride : by what translations are scaled
    stride_factor : on top of that, over the ground only (height keeps to the legs)
    floor_offset : metres that the whole figure is lifted, and the floor that feet are held on with it
    arm_reach : 0..1, how far hands go to where the source's are, scaled, as seen from the hips; 0
        leaves them where the rotations put them
    """

    stride: Stride = Stride.HIP_HEIGHT
    stride_factor: float = 1.0
    floor_offset: float = 0.0
    arm_reach: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.arm_reach <= 1.0:
            raise ValidationError(f"retarget: expected an arm reach of 0 to 1, got {self.arm_reach}")
        if not (np.isfinite(self.stride_factor) and np.isfinite(self.floor_offset)):
            raise ValidationError("retarget: expected a finite stride and floor offset")


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """What depends on two skeletons, their map and alignment alone.

    Parameters
    ----------
    weights : a mapped target bone each: (source bone or −1 for no difference, the next one, share of it)
    scale : metres of the target to one of the source
    anchors : source and target bones between which the hips are placed (thighs, else hips)
    """

    source: Skeleton
    target: Skeleton
    chains: ChainMap
    alignment: Alignment
    weights: dict[int, tuple[int, int, float]]
    scale: float
    anchors: tuple[tuple[int, ...], tuple[int, ...]]
    twists: tuple["TwistShare", ...]

    def mapped(self) -> tuple[int, ...]:
        """Target bones that get rotations, in order."""
        return tuple(sorted({*self.weights, *(twist.bone for twist in self.twists)}))

    def moved(self) -> tuple[int, ...]:
        """Target bones that get translations, in order."""
        return tuple(sorted(self.target.index(p.target[0]) for p in self.chains.chains if p.moves))


@dataclass(frozen=True, slots=True)
class TwistShare:
    """A helper that takes part of a twist.

    Parameters
    ----------
    bone : the helper
    driver : bone whose turn about the axis is shared: the limb bone itself (taken back) or the hand
    axis : unit vector along the limb bone, in its frame
    share : part of the driver's twist; negative takes back
    """

    bone: int
    driver: int
    axis: tuple[float, float, float]
    share: float


def bind(
    source: Skeleton,
    target: Skeleton,
    chains: ChainMap,
    alignment: Alignment,
    options: TransferOptions | None = None,
) -> Binding:
    """Prepare a transfer."""
    weights: dict[int, tuple[int, int, float]] = {}
    for pair in chains.chains:
        weights |= _weights(source, target, chains, pair)
    legs = chains.part(Part.LEG)
    hips = chains.part(Part.HIPS)
    if legs and hips:
        anchors = (
            tuple(source.index(p.source[0]) for p in legs),
            tuple(target.index(p.target[0]) for p in legs),
        )
    else:
        anchors = (
            tuple(source.index(p.source[0]) for p in hips),
            tuple(target.index(p.target[0]) for p in hips),
        )
    chosen = options or TransferOptions()
    scale = _scale(source, target, chains, alignment, chosen.stride)
    twists = tuple(_twists(target, chains, set(weights)))
    return Binding(source, target, chains, alignment, weights, scale, anchors, twists)


def _weights(
    source: Skeleton, target: Skeleton, chains: ChainMap, pair: ChainPair
) -> dict[int, tuple[int, int, float]]:
    """Between which source bones each target bone of a pair takes its difference."""
    first = [source.index(name) for name in pair.source]
    second = [target.index(name) for name in pair.target]
    if len(first) == len(second):
        return {b: (a, a, 0.0) for a, b in zip(first, second, strict=True)}
    knots = np.concatenate(([0.0], _fractions(source, chains, first, True)))
    found = {}
    bones = [source.parent(first[0]), *first]
    for bone, at in zip(second, _fractions(target, chains, second, False), strict=True):
        row = int(np.clip(np.searchsorted(knots, at - 1e-9) - 1, 0, len(first) - 1))
        width = knots[row + 1] - knots[row]
        share = (at - knots[row]) / width if width > 1e-9 else 1.0
        found[bone] = (bones[row], bones[row + 1], float(np.clip(share, 0.0, 1.0)))
    return found


def _fractions(skeleton: Skeleton, chains: ChainMap, bones: list[int], source: bool) -> FloatArray:
    """Where along the chain each bone ends, 0..1 by arc length."""
    places = down_chain(skeleton.parents, skeleton.rest).translation
    heads = [places[b] for b in bones]
    tip = tip_of(skeleton, chains, bones[-1], source, places)
    lengths = [float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(heads)]
    mean = float(np.mean(lengths)) if lengths else 1.0
    lengths.append(mean if tip is None else float(np.linalg.norm(tip - heads[-1])))
    total = np.cumsum(lengths)
    if total[-1] < 1e-9:
        return np.arange(1, len(bones) + 1) / len(bones)
    return np.asarray(total / total[-1])


def _scale(
    source: Skeleton, target: Skeleton, chains: ChainMap, alignment: Alignment, stride: Stride
) -> float:
    if stride is Stride.NONE:
        return 1.0
    own = leg_sizes(source, chains, alignment.local, True)
    other = leg_sizes(target, chains, target.rest, False)
    row = 0 if stride is Stride.HIP_HEIGHT else 1
    if own[row] > 1e-9 and other[row] > 1e-9:
        return other[row] / own[row]
    sizes = [
        float(np.ptp(down_chain(s.parents, pose).translation[:, 1]))
        for s, pose in ((source, alignment.local), (target, target.rest))
    ]
    return sizes[1] / sizes[0] if min(sizes) > 1e-9 else 1.0


def leg_sizes(skeleton: Skeleton, chains: ChainMap, pose: Transform, source: bool) -> tuple[float, float]:
    """Height of the legs' roots over the lowest of the feet, and length of thigh and calf; 0 without legs."""
    places = down_chain(skeleton.parents, pose).translation
    heights, lengths = [], []
    for pair in chains.part(Part.LEG):
        bones = [skeleton.index(b) for b in (pair.source if source else pair.target)]
        foot = tip_bones(skeleton, chains, bones[-1], source)
        points = [places[b] for b in bones] + ([places[foot[0]]] if len(foot) else [])
        lengths.append(sum(float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(points)))
        low = points[-1][1]
        if len(foot):
            toes = tip_bones(skeleton, chains, int(foot[0]), source)
            low = min([low, *(float(places[t][1]) for t in toes)])
        # a character that stands on model zero may have soles or no feet; legs bent at rest reach below it
        if -0.05 * points[0][1] <= low <= 0.45 * points[0][1]:
            low = 0.0
        heights.append(float(points[0][1] - low))
    return (float(np.mean(heights)), float(np.mean(lengths))) if heights else (0.0, 0.0)


# ---------------------------------------------------------------- carrying over


def transfer(binding: Binding, local: Transform, options: TransferOptions | None = None) -> Transform:
    """Poses of the target ``(T, Bt, k)`` for poses of the source ``(T, Bs, k)``.

    Bones that no chain holds keep their rest; only root, hips and what is marked as moving
    translate, so the target's bones keep their lengths.
    """
    chosen = options or TransferOptions()
    source, target = binding.source, binding.target
    model = kinematics.to_model(source, Transform(*(np.asarray(p, np.float64) for p in local)))
    rotations = _rotations(binding, _differences(binding, model.rotation))
    frames = len(rotations)
    result = Transform(
        np.tile(target.rest.translation, (frames, 1, 1)),
        rotations,
        np.tile(target.rest.scale, (frames, 1, 1)),
    )
    rest = down_chain(source.parents, source.rest).translation
    for pair in binding.chains.chains:
        if pair.moves and pair.part is not Part.HIPS:
            _move(binding, pair, model.translation, rest, result, chosen)
    _place_hips(binding, model.translation, result, chosen)
    return result


def _differences(binding: Binding, rotation: FloatArray) -> FloatArray:
    """``C (R_s B_s⁻¹) C⁻¹`` ``(T, Bs, 4)``: what each source bone has turned, in the target's model space."""
    turned = quat.multiply(rotation, quat.conjugate(binding.alignment.rotation))
    heading = binding.alignment.heading
    if abs(float(heading[3])) < 1.0:
        turned = quat.multiply(quat.multiply(heading, turned), quat.conjugate(heading))
    return turned


def _rotations(binding: Binding, turned: FloatArray) -> FloatArray:
    """Local rotations ``(T, Bt, 4)`` of the target."""
    target = binding.target
    rest = down_chain(target.parents, target.rest).rotation
    local = np.tile(target.rest.rotation, (len(turned), 1, 1))
    model = np.empty_like(local)
    for bone in range(len(target)):
        parent = target.parent(bone)
        above = model[:, parent] if parent >= 0 else quat.IDENTITY
        found = binding.weights.get(bone)
        if found is None:
            model[:, bone] = quat.multiply(above, local[:, bone])
            continue
        model[:, bone] = quat.multiply(_mixed(turned, found), rest[bone])
        local[:, bone] = quat.multiply(quat.conjugate(above), model[:, bone])
    for twist in binding.twists:
        local[:, twist.bone] = _twisted(target, local, twist)
    return quat.normalise(local)


def _mixed(turned: FloatArray, found: tuple[int, int, float]) -> FloatArray:
    low, high, share = found
    if low == high or share >= 1.0:
        return np.asarray(turned[:, high])
    before = turned[:, low] if low >= 0 else np.broadcast_to(quat.IDENTITY, turned[:, high].shape)
    return quat.slerp(before, turned[:, high], np.full(len(turned), share))


def _move(
    binding: Binding,
    pair: ChainPair,
    places: FloatArray,
    rest: FloatArray,
    result: Transform,
    options: TransferOptions,
) -> None:
    """Carry over how far a bone has gone from its rest place."""
    target = binding.target
    first, second = binding.source.index(pair.source[0]), target.index(pair.target[0])
    way = quat.rotate(binding.alignment.heading, (places[:, first] - rest[first]) * binding.scale)
    way[:, [0, 2]] *= options.stride_factor
    home = down_chain(target.parents, target.rest).translation[second]
    _put(target, second, home + way, result)


def _place_hips(binding: Binding, places: FloatArray, result: Transform, options: TransferOptions) -> None:
    """Move the hips so that the middle of the anchors stands where the source's does, scaled."""
    hips = next((p for p in binding.chains.part(Part.HIPS) if p.moves), None)
    if hips is None or not binding.anchors[0]:
        return
    target = binding.target
    middle = places[:, list(binding.anchors[0])].mean(axis=1)
    wanted = quat.rotate(binding.alignment.heading, middle * binding.scale)
    wanted[:, [0, 2]] *= options.stride_factor
    wanted[:, 1] += options.floor_offset
    bone = target.index(hips.target[0])
    here = np.mean([place_of(target, result, b) for b in binding.anchors[1]], axis=0)
    _put(target, bone, place_of(target, result, bone) + wanted - here, result)


def place_of(skeleton: Skeleton, local: Transform, bone: int) -> FloatArray:
    """Model places ``(T, 3)`` of one bone."""
    chain = list(kinematics.ancestors(skeleton, bone))
    return kinematics.chain_end(Transform(*(part[:, chain] for part in local))).translation


def _put(skeleton: Skeleton, bone: int, place: FloatArray, local: Transform) -> None:
    """Set a bone's local translation from model places ``(T, 3)``."""
    parent = skeleton.parent(bone)
    if parent >= 0:
        chain = list(kinematics.ancestors(skeleton, parent))
        above = kinematics.chain_end(Transform(*(part[:, chain] for part in local)))
        place = transform.apply(transform.inverse(above), place)
    local.translation[:, bone] = place


# ---------------------------------------------------------------- twist helpers


def _twists(target: Skeleton, chains: ChainMap, used: set[int]) -> list[TwistShare]:
    """Helpers below arms and legs that the map leaves out."""
    found = []
    places = down_chain(target.parents, target.rest)
    for pair in chains.chains:
        if pair.part not in (Part.ARM, Part.LEG) or len(pair.target) != 2:
            continue
        for row, name in enumerate(pair.target):
            bone = target.index(name)
            ends = tip_bones(target, chains, bone, False)
            if not len(ends):
                continue
            span = places.translation[ends[0]] - places.translation[bone]
            length = float(np.linalg.norm(span))
            axis = quat.rotate(quat.conjugate(places.rotation[bone]), span / max(length, 1e-9))
            for child in target.children(bone):
                if child in used or not _TWIST.search(target.names[child]):
                    continue
                along = float(np.dot(places.translation[child] - places.translation[bone], span))
                part = float(np.clip(along / max(length**2, 1e-9), 0.0, 1.0))
                driver, share = (bone, part - 1.0) if row == 0 else (int(ends[0]), part)
                x, y, z = (float(v) for v in axis)
                found.append(TwistShare(child, driver, (x, y, z), share))
    return found


def _twisted(target: Skeleton, local: FloatArray, twist: TwistShare) -> FloatArray:
    """The helper's rest with its part of the driver's twist on top."""
    rest = target.rest.rotation[twist.driver]
    axis = np.array(twist.axis)
    if target.parent(twist.bone) == twist.driver:
        change = quat.multiply(quat.conjugate(rest), local[:, twist.driver])
    else:
        change = quat.multiply(local[:, twist.driver], quat.conjugate(rest))
    _, about = quat.swing_twist(change, axis)
    angle = 2.0 * np.arctan2((about[:, :3] * axis).sum(axis=-1), about[:, 3])
    angle = np.unwrap(within_half_turn(angle))
    part = quat.from_axis_angle(axis, angle * twist.share)
    return quat.multiply(part, target.rest.rotation[twist.bone])
