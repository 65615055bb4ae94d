"""What a part of a mesh looks like to the viewport: its decoded image, opacity, sides. Free of Qt and OpenGL."""

from dataclasses import dataclass

import numpy as np

from core.arrays import ByteArray, Float32Array
from core.rig.mesh import AlphaMode, Material, Wrap


@dataclass(frozen=True, slots=True, eq=False)
class TextureImage:
    """A decoded image, one and the same where it is the same object.

    Parameters
    ----------
    levels : ``(H, W, 4)`` uint8 RGBA, opacity not multiplied in; each half as large as the one before,
        down to one pixel
    """

    levels: tuple[ByteArray, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.levels[0].shape[1], self.levels[0].shape[0]


@dataclass(frozen=True, slots=True)
class Surface:
    """One material as it is drawn; its colour is among `MeshInstance.part_colors`.

    Parameters
    ----------
    image : multiplied with the colour, or None
    place : rows ``(a, b, c)`` of the matrix that takes UVs to the image, as six numbers
    wrap, smooth : how the image goes on outside 0..1, and between its pixels
    alpha, cutoff : what opacity means, see `core.rig.mesh.Material`
    double_sided : draw the inside too
    """

    image: TextureImage | None = None
    place: tuple[float, float, float, float, float, float] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    wrap: tuple[Wrap, Wrap] = (Wrap.REPEAT, Wrap.REPEAT)
    smooth: bool = True
    alpha: AlphaMode = AlphaMode.OPAQUE
    cutoff: float = 0.5
    double_sided: bool = False


PLAIN = Surface()
PLAIN_BOTH = Surface(double_sided=True)


def surface_of(material: Material, image: TextureImage | None) -> Surface:
    """How a material is drawn with its image, or without one that is not decoded."""
    texture = material.texture
    if texture is None or image is None:
        return Surface(alpha=material.alpha, cutoff=material.cutoff, double_sided=material.double_sided)
    c, s = float(np.cos(texture.rotation)), float(np.sin(texture.rotation))
    (x, y), (wide, high) = texture.offset, texture.scale
    # Three's and glTF's: with V down, counter-clockwise to the eye.
    place = (c * wide, s * high, x, -s * wide, c * high, y)
    return Surface(
        image, place, texture.wrap, texture.smooth, material.alpha, material.cutoff, material.double_sided
    )


def half(level: ByteArray) -> ByteArray:
    """The next smaller level: means of two by two pixels, colours weighted by their opacity."""
    high, wide = level.shape[:2]
    rows, columns = max(1, high // 2), max(1, wide // 2)
    whole: Float32Array = level[: max(1, rows * 2), : max(1, columns * 2)].astype(np.float32)
    if high > 1:
        whole = whole.reshape(rows, 2, *whole.shape[1:])
    else:
        whole = whole[:, None]
    if wide > 1:
        whole = whole.reshape(rows, whole.shape[1], columns, 2, 4)
    else:
        whole = whole[:, :, :, None]
    weight = whole[..., 3:] + 1e-3  # colours of clear pixels count only where all are clear
    mixed = np.concatenate(
        [
            (whole[..., :3] * weight).sum(axis=(1, 3)) / weight.sum(axis=(1, 3)),
            whole[..., 3:].mean(axis=(1, 3)),
        ],
        axis=-1,
    )
    smaller: ByteArray = np.rint(mixed).astype(np.uint8)
    return smaller


def levels_of(image: ByteArray) -> tuple[ByteArray, ...]:
    """An image ``(H, W, 4)`` and all smaller levels."""
    found = [image]
    while max(found[-1].shape[:2]) > 1:
        found.append(half(found[-1]))
    return tuple(found)
