"""Settings of the FBX writer."""

from dataclasses import dataclass

from core.io.common.options import Curves, SceneWriteOptions


@dataclass(frozen=True, slots=True)
class FbxWriteOptions(SceneWriteOptions):
    """How to write.

    Parameters
    ----------
    metres_per_unit : 0.01 is what most programs expect
    curves : a key on every frame (and at every key), or the clip's own keys where FBX has them
    tolerance : largest deviation of curves that FBX cannot express (degrees, or metres)
    fold_scale : whether rest scale is baked into offsets, keys and meshes (`core.io.prepare.rest_scale`): bones of
        Blender and Unreal have none at rest, and children of a scaled bone are misplaced there
    """

    metres_per_unit: float = 0.01
    curves: Curves = Curves.FRAMES
    tolerance: float = 3e-6
    fold_scale: bool = True
