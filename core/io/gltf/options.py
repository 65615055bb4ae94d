"""Settings of the glTF writer."""

from dataclasses import dataclass

from core.ids import AssetId


@dataclass(frozen=True, slots=True)
class GltfWriteOptions:
    """How to write.

    Parameters
    ----------
    rig : which rig; None is the project's first
    clips : which clips; None is all of the rig's
    meshes : whether to write the rig's meshes
    embed : for ``.gltf``: buffers as base64 in the file instead of a ``.bin`` beside it
    tolerance : largest deviation of a sampled channel (degrees for rotations; metres, factors
        or weights otherwise), for curves that glTF cannot express
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    meshes: bool = True
    embed: bool = False
    tolerance: float = 1e-6
