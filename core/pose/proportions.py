"""Poses made for one rest pose, on a character of another: the five modes (spec: retargeting, 1)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.errors import MissingReferenceError, ValidationError
from core.math import kernels, quat
from core.math.transform import Transform
from core.rig.rig import RetargetMode, Rig
from core.rig.skeleton import Skeleton

NEAR = 1e-6
"""Metres below which a length counts as none."""

NEAR_SHARE = 1e-5
"""Fraction of the bone's length within which orient-and-scale takes a translation as the source's rest."""

CODES = {
    RetargetMode.ANIMATION: 0,
    RetargetMode.SKELETON: 1,
    RetargetMode.ANIMATION_SCALED: 2,
    RetargetMode.ANIMATION_RELATIVE: 3,
    RetargetMode.ORIENT_AND_SCALE: 4,
}
"""The modes' numbers in `core.math.kernel_modes`."""


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
    change : ``(B, 4)`` ``qA⁻¹·qP``, for *animation relative*
    growth : ``(B, 3)`` ``sP/sA``, 0 where the source's scale is
    """

    source: Transform
    target: Transform
    modes: tuple[RetargetMode, ...]
    scale: FloatArray
    turn: FloatArray
    alike: BoolArray
    change: FloatArray
    growth: FloatArray

    def of(self, mode: RetargetMode) -> BoolArray:
        """Mask ``(B,)`` of the bones in a mode."""
        return np.array([m is mode for m in self.modes], dtype=bool)

    def packed(self) -> tuple[npt.NDArray[np.int64], FloatArray]:
        """Numbers of the modes ``(B,)`` and the table ``(B, 18)`` of `core.math.kernel_modes`."""
        codes = np.array([CODES[mode] for mode in self.modes], dtype=np.int64)
        codes[self.of(RetargetMode.ORIENT_AND_SCALE) & self.alike] = CODES[RetargetMode.ANIMATION]
        columns = (self.target.translation, self.source.translation, self.scale[:, None])
        return codes, np.concatenate((*columns, self.turn, self.change, self.growth), axis=1)


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
        quat.multiply(quat.conjugate(source.rotation), target.rotation),
        target.scale * _reciprocal(source.scale),
    )


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


def pair_for(rig: Rig | Skeleton, source: str | None) -> RestPair | None:
    """How clips of a retarget source play on a rig; None where they play as they are.

    That is so for clips made on the rig's own rest pose, whatever the modes: there is nothing to
    bring across. A bare skeleton knows no sources.

    Raises
    ------
    MissingReferenceError
        Listing the sources that the rig has.
    """
    if source is None or isinstance(rig, Skeleton):
        return None
    rest = retarget_source(rig, source)
    return rest_pair(rig.skeleton, rest, rig.skeleton.rest, rig.retarget_modes)


def retargeted(pair: RestPair, local: Transform, additive: bool = False) -> Transform:
    """Local transforms ``(..., B, k)`` of a clip as the character takes them.

    Only *animation relative* touches rotation and scale. Additive clips: *skeleton* gives no
    translation, *animation relative* and *orient and scale* leave them alone.
    """
    parts = Transform(*(np.array(part, dtype=np.float64) for part in local))
    if not additive:
        Proportions(pair).put(parts)
        return parts
    parts.translation[..., pair.of(RetargetMode.SKELETON), :] = 0.0
    scaled = pair.of(RetargetMode.ANIMATION_SCALED)
    parts.translation[..., scaled, :] *= pair.scale[scaled][:, None]
    return parts


def authored(pair: RestPair, local: Transform, before: Transform) -> Transform:
    """What a clip has to hold ``(..., B, k)`` for the character to take a pose: `retargeted` undone.

    Parameters
    ----------
    local : the pose wanted
    before : the clip's own values, kept where the mode takes none (translations of *skeleton*, and
        of lengths and scales that are nought)
    """
    kept = pair.of(RetargetMode.SKELETON)
    translation = np.where(kept[:, None], before.translation, local.translation)
    scaled = pair.of(RetargetMode.ANIMATION_SCALED)
    oriented = pair.of(RetargetMode.ORIENT_AND_SCALE) & ~pair.alike
    shrink = _reciprocal(pair.scale)[:, None]
    translation = np.where(scaled[:, None], translation * shrink, translation)
    turned = quat.rotate(quat.conjugate(pair.turn), local.translation) * shrink
    translation = np.where(oriented[:, None], turned, translation)
    relative = pair.of(RetargetMode.ANIMATION_RELATIVE)[:, None]
    translation = np.where(
        relative, translation - (pair.target.translation - pair.source.translation), translation
    )
    translation = np.where((scaled & (pair.scale == 0.0))[:, None], before.translation, translation)
    back = quat.multiply(local.rotation, quat.conjugate(pair.change))
    shrunk = np.where(pair.growth == 0.0, before.scale, local.scale * _reciprocal(pair.growth))
    return Transform(
        translation, np.where(relative, back, local.rotation), np.where(relative, shrunk, local.scale)
    )


class Proportions:
    """Applies a pair to poses in place, many at once: compiled where that is loaded, else its twin."""

    def __init__(self, pair: RestPair) -> None:
        self.pair = pair
        self._codes, self._table = pair.packed()
        masks = [self._codes == number for number in range(len(CODES))]
        self._rows = [np.flatnonzero(mask) for mask in masks]

    def put(self, local: Transform) -> None:
        """Change local transforms ``(..., B, k)`` in place; the arrays must be contiguous."""
        compiled = kernels.compiled()
        flat = [part.reshape(-1, *part.shape[-2:]) for part in local]
        if compiled is not None and all(part.flags.c_contiguous for part in flat):
            compiled.modes.put(self._codes, self._table, NEAR_SHARE, *flat)
            return
        with kernels.twin():
            self.put_by_numpy(local)

    def put_by_numpy(self, local: Transform) -> None:
        """The numpy twin of the kernel."""
        pair, (_, skeleton, scaled, relative, oriented) = self.pair, self._rows
        translation = local.translation
        if len(skeleton):
            translation[..., skeleton, :] = pair.target.translation[skeleton]
        if len(scaled):
            translation[..., scaled, :] *= pair.scale[scaled][:, None]
        if len(oriented):
            translation[..., oriented, :] = _oriented(pair, translation, oriented)
        if len(relative):
            translation[..., relative, :] += (pair.target.translation - pair.source.translation)[relative]
            turned = quat.multiply(local.rotation[..., relative, :], pair.change[relative])
            local.rotation[..., relative, :] = turned
            local.scale[..., relative, :] *= pair.growth[relative]


def _oriented(pair: RestPair, translation: FloatArray, bones: npt.NDArray[np.intp]) -> FloatArray:
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
