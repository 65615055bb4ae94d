"""Layered blend per bone: a base pose and layers with weights by bone (spec: blending)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.errors import MissingReferenceError, ValidationError
from core.math import quat
from core.math.transform import Transform, rotations_down_chain
from core.pose.additive import to_local_rotations
from core.pose.pose import Pose, require_same_rig
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class BranchFilter:
    """A bone and how the weight grows below it: 0 or 1 at once, N ≥ 2 over N bones, −1 not at all."""

    bone: str
    depth: int = 0


class CurveRule(StrEnum):
    """How curves of base and layers come together."""

    OVERRIDE = "override"
    DO_NOT_OVERRIDE = "do_not_override"
    BLEND = "blend"
    NORMALISE = "normalise"
    BASE_ONLY = "base_only"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"


@dataclass(frozen=True, slots=True, eq=False)
class PoseLayer:
    """One layer: a pose, its blend weight 0..1, and weights ``(B,)`` by bone."""

    pose: Pose
    weight: float
    bones: FloatArray


def branch_weights(skeleton: Skeleton, filters: Sequence[BranchFilter]) -> FloatArray:
    """Weights ``(B,)`` of branch filters, applied in order.

    Depth 0 or 1 gives the bone and all below it 1; N ≥ 2 gives the bone 1/N, its children 2/N and
    so on up to 1; −1 gives the whole branch 0. A later filter speaks for its own branch.

    Raises
    ------
    MissingReferenceError, ValidationError
        A filter names no bone, or a depth below −1.
    """
    weights = np.zeros(len(skeleton))
    depths = skeleton.depths()
    for entry in filters:
        if entry.depth < -1:
            raise ValidationError(
                f"branch filter {entry.bone!r}: expected a depth of −1 or more, got {entry.depth}"
            )
        top = skeleton.index(entry.bone)
        below = skeleton.descendants([top])
        if entry.depth == -1:
            weights[below] = 0.0
            continue
        steps = depths[below] - depths[top] + 1
        weights[below] = np.minimum(steps / max(entry.depth, 1), 1.0)
    return weights


def mask_weights(rig: Rig, mask: str) -> FloatArray:
    """Weights ``(B,)`` of one of the rig's blend masks; bones it does not name weigh 0."""
    if mask not in rig.masks:
        have = ", ".join(rig.masks) or "none"
        raise MissingReferenceError(f"rig {rig.name!r} has no blend mask {mask!r}; there are: {have}")
    weights = np.zeros(len(rig.skeleton))
    for bone, weight in rig.masks[mask].items():
        weights[rig.skeleton.index(bone)] = weight
    return weights


def layered(
    rig: Rig,
    base: Pose,
    layers: Sequence[PoseLayer],
    model_rotations: bool = False,
    curves: CurveRule = CurveRule.OVERRIDE,
) -> Pose:
    """Base pose with layers put over it in order.

    Parameters
    ----------
    model_rotations : blend rotations in model space, so that a layer keeps its direction when
        bones below its own weights lean
    curves : rule for named curves and morph weights
    """
    require_same_rig(base, *(layer.pose for layer in layers))
    local = base.local
    for layer in layers:
        share = np.clip(layer.weight, 0.0, 1.0) * np.clip(layer.bones, 0.0, 1.0)
        local = over(rig.skeleton, local, layer.pose.local, share, model_rotations)
    amounts = [float(np.clip(layer.weight, 0.0, 1.0)) for layer in layers]
    return Pose(
        base.rig,
        *local,
        merged_curves(base.curves, [layer.pose.curves for layer in layers], amounts, curves),
        merged_curves(base.morphs, [layer.pose.morphs for layer in layers], amounts, curves),
    )


def over(
    skeleton: Skeleton, base: Transform, layer: Transform, share: FloatArray, model_rotations: bool = False
) -> Transform:
    """One pose put over another by weights ``(..., B)`` a bone, over any leading axes.

    Rotations go the short way by slerp: the turn is the weight's share of the angle.
    """
    column = share[..., None]
    if model_rotations and not share.any():
        rotation = base.rotation
    elif model_rotations:
        below, above = (rotations_down_chain(skeleton.parents, t.rotation) for t in (base, layer))
        rotation = to_local_rotations(skeleton, quat.slerp(below, above, share))
    else:
        mixed = quat.slerp(base.rotation, layer.rotation, share)
        rotation = np.where(column == 0.0, base.rotation, np.where(column == 1.0, layer.rotation, mixed))
    return Transform(
        base.translation + column * (layer.translation - base.translation),
        rotation,
        base.scale + column * (layer.scale - base.scale),
    )


def merged_curves(
    base: Mapping[str, float],
    layers: Sequence[Mapping[str, float]],
    weights: Sequence[float],
    rule: CurveRule,
) -> dict[str, float]:
    """Curves of base and layers brought together by one of the seven rules; weights are kept in 0..1.

    A layer of weight 0 counts as not there for the rules that choose (override, do not override,
    maximum, minimum).
    """
    shares = [float(np.clip(w, 0.0, 1.0)) for w in weights]
    if rule is CurveRule.BASE_ONLY:
        return dict(base)
    names = dict.fromkeys((*base, *(name for layer in layers for name in layer)))
    return {name: _merged(name, base, layers, shares, rule) for name in names}


def _merged(
    name: str,
    base: Mapping[str, float],
    layers: Sequence[Mapping[str, float]],
    shares: Sequence[float],
    rule: CurveRule,
) -> float:
    if rule in (CurveRule.BLEND, CurveRule.NORMALISE):
        total = base.get(name, 0.0) + sum(w * c.get(name, 0.0) for w, c in zip(shares, layers, strict=True))
        return total / (1.0 + sum(shares)) if rule is CurveRule.NORMALISE else total
    present = [base[name]] if name in base else []
    present += [c[name] for w, c in zip(shares, layers, strict=True) if w > 0.0 and name in c]
    if not present:
        return 0.0
    if rule is CurveRule.MAXIMUM:
        return max(present)
    if rule is CurveRule.MINIMUM:
        return min(present)
    return present[-1] if rule is CurveRule.OVERRIDE else present[0]


def merged_columns(
    base: Mapping[str, FloatArray],
    layers: Sequence[tuple[Mapping[str, FloatArray], FloatArray]],
    rule: CurveRule,
) -> dict[str, FloatArray]:
    """As `merged_curves`, over many times at once: curves ``(T,)``, each layer with weights ``(T,)``."""
    if rule is CurveRule.BASE_ONLY or not layers:
        return dict(base)
    names = dict.fromkeys((*base, *(name for table, _ in layers for name in table)))
    return {name: _merged_column(name, base, layers, rule) for name in names}


def _merged_column(
    name: str,
    base: Mapping[str, FloatArray],
    layers: Sequence[tuple[Mapping[str, FloatArray], FloatArray]],
    rule: CurveRule,
) -> FloatArray:
    shares = [np.clip(weights, 0.0, 1.0) for _, weights in layers]
    below = base.get(name)
    if rule in (CurveRule.BLEND, CurveRule.NORMALISE):
        total = np.zeros_like(shares[0]) if below is None else np.array(below, dtype=np.float64)
        for (table, _), share in zip(layers, shares, strict=True):
            total = total + share * table.get(name, 0.0)
        return total / (1.0 + sum(shares)) if rule is CurveRule.NORMALISE else total
    result = np.full_like(shares[0], np.nan) if below is None else np.array(below, dtype=np.float64)
    for (table, _), share in zip(layers, shares, strict=True):
        if name not in table:
            continue
        value, here = np.broadcast_to(table[name], share.shape), share > 0.0
        if rule is CurveRule.DO_NOT_OVERRIDE:
            result = np.where(here & np.isnan(result), value, result)
        elif rule is CurveRule.OVERRIDE:
            result = np.where(here, value, result)
        else:
            pick = np.fmax if rule is CurveRule.MAXIMUM else np.fmin
            result = np.where(here, pick(result, value), result)
    merged: FloatArray = np.where(np.isnan(result), 0.0, result)
    return merged
