"""Playing clips on characters of other proportions: the five translation modes (spec: retargeting, 1)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.errors import MissingReferenceError, ValidationError
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import RetargetMode, Rig
from core.rig.skeleton import Skeleton

NEAR = 1e-6
"""Metres below which a length counts as none."""

NEAR_SHARE = 1e-3
"""Fraction of the bone's length within which orient-and-scale takes a translation as the source's rest."""


@dataclass(frozen=True, slots=True, eq=False)
class RestPair:
    """What depends on two rest poses alone: a clip's source and the character that plays it.

    Parameters
    ----------
    source, target : rest local transforms ``(B, k)``
    modes : mode of each bone
    scale : ``(B,)`` ratio of rest lengths, 1 where the source's is none
    turn : ``(B, 4)`` shortest rotation from the source's rest direction to the target's
    alike : ``(B,)`` bones that orient-and-scale leaves alone
    """

    source: Transform
    target: Transform
    modes: tuple[RetargetMode, ...]
    scale: FloatArray
    turn: FloatArray
    alike: BoolArray

    def of(self, mode: RetargetMode) -> BoolArray:
        """Mask ``(B,)`` of the bones in a mode."""
        return np.array([m is mode for m in self.modes], dtype=bool)


def proposed_modes(skeleton: Skeleton) -> Mapping[str, RetargetMode]:
    """Sensible modes: root *animation*, the first bone below it *animation scaled*, IK and prop bones
    *animation*, all others *skeleton*.
    """
    modes: dict[str, RetargetMode] = {}
    for bone, name in enumerate(skeleton.names):
        lowered = name.lower()
        parent = skeleton.parent(bone)
        loose = lowered.startswith(("ik_", "prop", "weapon")) or "_ik" in lowered or "handslot" in lowered
        if parent < 0 or loose:
            modes[name] = RetargetMode.ANIMATION
        elif "pelvis" in lowered or lowered.endswith("hips") or lowered == "hip":
            modes[name] = RetargetMode.ANIMATION_SCALED
        else:
            modes[name] = RetargetMode.SKELETON
    return modes


def rest_pair(
    skeleton: Skeleton,
    source: Transform,
    target: Transform,
    modes: Mapping[str, RetargetMode] | None = None,
) -> RestPair:
    """Work out what two rest poses of one skeleton mean for each bone.

    Parameters
    ----------
    source, target : rest local transforms ``(B, k)``: of the clip and of the character
    modes : bone name → mode; a bone without one is *skeleton*
    """
    count = len(skeleton)
    if len(source.translation) != count or len(target.translation) != count:
        raise ValidationError(
            f"retarget: expected rest poses of {count} bones, got {len(source.translation)} and "
            f"{len(target.translation)}"
        )
    from_length = np.linalg.norm(source.translation, axis=1)
    to_length = np.linalg.norm(target.translation, axis=1)
    known = from_length > NEAR
    apart = np.linalg.norm(source.translation - target.translation, axis=1)
    chosen = modes or {}
    return RestPair(
        source,
        target,
        tuple(chosen.get(name, RetargetMode.SKELETON) for name in skeleton.names),
        np.where(known, to_length / np.where(known, from_length, 1.0), 1.0),
        quat.shortest_arc(source.translation, target.translation),
        (apart <= NEAR) | ~known | (to_length <= NEAR),
    )


def retargeted(pair: RestPair, local: Transform, additive: bool = False) -> Transform:
    """Local transforms ``(..., B, k)`` of a clip as the character takes them.

    Only *animation relative* touches rotation and scale. Additive clips: *skeleton* gives no
    translation, *animation relative* and *orient and scale* leave them alone.
    """
    translation = np.array(local.translation, dtype=np.float64)
    skeleton, scaled = pair.of(RetargetMode.SKELETON), pair.of(RetargetMode.ANIMATION_SCALED)
    translation[..., skeleton, :] = 0.0 if additive else pair.target.translation[skeleton]
    translation[..., scaled, :] *= pair.scale[scaled][:, None]
    if additive:
        return local._replace(translation=translation)
    oriented = pair.of(RetargetMode.ORIENT_AND_SCALE) & ~pair.alike
    translation[..., oriented, :] = _oriented(pair, local.translation, oriented)
    relative = pair.of(RetargetMode.ANIMATION_RELATIVE)
    if not relative.any():
        return local._replace(translation=translation)
    rotation, scale = np.array(local.rotation), np.array(local.scale)
    translation[..., relative, :] += (pair.target.translation - pair.source.translation)[relative]
    change = quat.multiply(quat.conjugate(pair.source.rotation[relative]), pair.target.rotation[relative])
    rotation[..., relative, :] = quat.multiply(rotation[..., relative, :], change)
    scale[..., relative, :] *= pair.target.scale[relative] * _reciprocal(pair.source.scale[relative])
    return Transform(translation, rotation, scale)


def retarget_source(rig: Rig, name: str | None) -> Transform:
    """Rest pose on which a clip was made: the rig's own where None.

    Raises
    ------
    MissingReferenceError
        Listing the sources that the rig has.
    """
    if name is None:
        return rig.skeleton.rest
    if name not in rig.retarget_sources:
        have = ", ".join(rig.retarget_sources) or "none"
        raise MissingReferenceError(f"rig {rig.name!r} has no retarget source {name!r}; there are: {have}")
    return rig.retarget_sources[name]


def _oriented(pair: RestPair, translation: FloatArray, bones: BoolArray) -> FloatArray:
    """The target's rest where the clip stays at the source's, else turned and scaled."""
    moved = translation[..., bones, :]
    rest = pair.source.translation[bones]
    still = np.linalg.norm(moved - rest, axis=-1) <= NEAR_SHARE * np.linalg.norm(rest, axis=-1)
    turned = pair.scale[bones][:, None] * quat.rotate(pair.turn[bones], moved)
    return np.where(still[..., None], pair.target.translation[bones], turned)


def _reciprocal(scale: FloatArray) -> FloatArray:
    zero = np.abs(scale) < 1e-8
    safe: FloatArray = np.where(zero, 0.0, 1.0 / np.where(zero, 1.0, scale))
    return safe
