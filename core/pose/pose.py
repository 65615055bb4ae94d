"""A pose: local transforms for every bone of one rig, plus curve values and morph weights."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy.typing as npt

from core.arrays import FloatArray, frozen, frozen_mapping
from core.errors import ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.rig.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Local transforms of every bone of the rig `rig`; read-only, never aliased with a writable array.

    Parameters
    ----------
    rig : id of the rig it belongs to; mixing poses of different rigs is an error
    translations, rotations, scales : ``(B, 3)`` metres, ``(B, 4)`` unit quaternions, ``(B, 3)``
    curves : named float curve values
    morphs : morph channel (``mesh/target``) → weight
    """

    rig: AssetId
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    curves: Mapping[str, float] = field(default_factory=dict)
    morphs: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put = object.__setattr__
        count = len(self.translations)
        put(self, "translations", frozen(self.translations, (count, 3), "pose translations"))
        put(self, "rotations", frozen(self.rotations, (count, 4), "pose rotations"))
        put(self, "scales", frozen(self.scales, (count, 3), "pose scales"))
        put(self, "curves", frozen_mapping(self.curves))
        put(self, "morphs", frozen_mapping(self.morphs))

    def __len__(self) -> int:
        return len(self.translations)

    @property
    def local(self) -> Transform:
        """The three arrays as one `Transform` ``(B, k)``."""
        return Transform(self.translations, self.rotations, self.scales)

    def bone(self, index: int) -> Transform:
        """One bone's local transform (copies)."""
        return Transform(
            self.translations[index].copy(), self.rotations[index].copy(), self.scales[index].copy()
        )

    def with_local(self, local: Transform) -> "Pose":
        """The same pose with other local transforms."""
        return replace(self, translations=local.translation, rotations=local.rotation, scales=local.scale)

    def with_bone(
        self,
        index: int,
        translation: npt.ArrayLike | None = None,
        rotation: npt.ArrayLike | None = None,
        scale: npt.ArrayLike | None = None,
    ) -> "Pose":
        """The same pose with one bone changed; parts left out stay."""
        parts = [self.translations, self.rotations, self.scales]
        for number, value in enumerate((translation, rotation, scale)):
            if value is not None:
                parts[number] = parts[number].copy()
                parts[number][index] = value
        return self.with_local(Transform(*parts))


def pose_of(rig: AssetId, row: FloatArray, curves: Mapping[str, float], morphs: Mapping[str, float]) -> Pose:
    """The pose in one row ``(10B,)`` of translations, rotations, scales, which becomes read-only: nothing is copied."""
    count = len(row) // 10
    row.flags.writeable = False
    return Pose(
        rig,
        row[: 3 * count].reshape(count, 3),
        row[3 * count : 7 * count].reshape(count, 4),
        row[7 * count :].reshape(count, 3),
        curves,
        morphs,
    )


def rest_pose(rig: Rig) -> Pose:
    """The pose a rig takes when nothing animates it."""
    return Pose(rig.id, *rig.skeleton.rest)


def require_same_rig(*poses: Pose) -> None:
    """Raise `ValidationError` naming both rigs where poses of different rigs would mix."""
    for pose in poses[1:]:
        if pose.rig != poses[0].rig or len(pose) != len(poses[0]):
            raise ValidationError(
                f"poses of different rigs do not mix: {poses[0].rig} ({len(poses[0])} bones) "
                f"and {pose.rig} ({len(pose)} bones)"
            )
