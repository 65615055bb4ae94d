"""What the image files beside a USD stage are called."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from core.io.common.contents import digest, holds
from core.io.usd.names import identifiers
from core.rig.mesh import Material, Mesh

LONGEST = 120
SUFFIXES = {"image/png": "png", "image/jpeg": "jpg"}


def texture_files(meshes: Iterable[Mesh]) -> dict[bytes, str]:
    """The file of each image (its bytes) that the meshes' materials have.

    The name depends on the content, so that neither another file's image is replaced nor the stage depends on
    its own name. Images of a type that USD does not read have none.
    """
    materials: dict[Material, None] = {}
    for mesh in meshes:
        materials |= {mesh.materials[part.material]: None for part in mesh.parts}
    found: dict[bytes, str] = {}
    for material, name in zip(materials, identifiers([m.name for m in materials]), strict=True):
        texture = material.texture
        if texture is not None and texture.media_type in SUFFIXES and texture.data not in found:
            found[texture.data] = f"{name[:LONGEST]}_{digest(texture.data)}.{SUFFIXES[texture.media_type]}"
    return found


def free_files(folder: Path, files: Mapping[bytes, str]) -> dict[bytes, str]:
    """The same with another name where a folder has a file of that name with another content."""
    found = {}
    for data, name in files.items():
        stem, _, suffix = name.rpartition(".")
        number = 1
        while (folder / name).exists() and not holds(folder / name, data):
            number += 1
            name = f"{stem}_{number}.{suffix}"
        found[data] = name
    return found
