"""Settings of the USD writer."""

from dataclasses import dataclass

from core.io.common.options import ReadOptions, SceneWriteOptions


@dataclass(frozen=True, slots=True)
class UsdWriteOptions(SceneWriteOptions):
    """How to write; the first clip is the one that plays.

    Parameters
    ----------
    tolerance : largest error between two samples (metres; radians times 10)
    fold_scale : whether rest scale is baked into offsets, keys and meshes (`core.io.prepare.rest_scale`): bones of
        Blender have none at rest, and USD keeps scale with three digits only
    """

    tolerance: float = 1e-5
    fold_scale: bool = True


@dataclass(frozen=True, slots=True)
class UsdReadOptions(ReadOptions):
    """What a file does not state, or states wrongly, and where it may read from.

    Parameters
    ----------
    folders : further folders than the file's own from which its layers and images may be read
    """

    folders: tuple[str, ...] = ()
