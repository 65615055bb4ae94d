"""Settings of the glTF writer."""

from dataclasses import dataclass

from core.io.common.options import SceneWriteOptions


@dataclass(frozen=True, slots=True)
class GltfWriteOptions(SceneWriteOptions):
    """How to write.

    glTF is in metres and +Y up by its own law. Another `metres_per_unit` or `up_axis` is for programs that
    read the bare numbers; others show such a file at the wrong size, or lying down. The report says so, and
    the file's ``asset.extras`` state it for our own reader.

    Parameters
    ----------
    embed : for ``.gltf``: buffers as base64 in the file instead of a ``.bin`` beside it
    tolerance : largest deviation of a sampled channel (parts of a quaternion; metres, factors
        or weights otherwise), for curves that glTF cannot express
    """

    embed: bool = False
    tolerance: float = 1e-6
