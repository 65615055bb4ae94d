"""The decoded images of the textures in use. Free of Qt and OpenGL."""

from collections.abc import Iterable

from core.progress import Progress
from core.rig.mesh import Mesh, Texture
from editor.gl.image_decoder import ImageDecoder, ImageError
from editor.gl.texture_values import TextureImage


class TextureLibrary:
    """Keeps what was decoded, by the bytes of the image file; shared images are decoded once.

    Attributes
    ----------
    problems : why an image is not shown
    """

    def __init__(self) -> None:
        self._images: dict[bytes, TextureImage] = {}
        self.problems: dict[bytes, str] = {}

    def image(self, texture: Texture | None) -> TextureImage | None:
        """The decoded image of a texture, as far as there is one yet."""
        return None if texture is None else self._images.get(texture.data)

    def unknown(self, meshes: Iterable[Mesh]) -> tuple[bytes, ...]:
        """Image files of meshes that nobody has tried to decode yet."""
        found = (m.texture.data for mesh in meshes for m in mesh.materials if m.texture is not None)
        return tuple(
            data for data in dict.fromkeys(found) if data not in self._images and data not in self.problems
        )

    def decode(self, files: Iterable[bytes], progress: Progress | None = None) -> dict[bytes, str]:
        """Decode image files (some 0.3 s the first, by a helper process); returns what is wrong with which.

        On any thread, but on one at a time.
        """
        tell, wrong = progress or Progress(), {}
        wanted = tuple(files)
        with ImageDecoder() as decoder:
            for number, data in enumerate(wanted):
                tell.report(number / len(wanted), f"image {number + 1} of {len(wanted)}")
                try:
                    self._images[data] = decoder.decode(data)
                except ImageError as error:
                    wrong[data] = str(error)
        self.problems |= wrong
        return wrong

    def give_up(self, files: Iterable[bytes], why: str) -> None:
        """Remember image files as not to be shown, unless they are decoded."""
        self.problems |= {data: why for data in files if data not in self._images}

    def forget(self, meshes: Iterable[Mesh]) -> None:
        """Drop what none of these meshes uses."""
        used = {m.texture.data for mesh in meshes for m in mesh.materials if m.texture is not None}
        self._images = {data: image for data, image in self._images.items() if data in used}
        self.problems = {data: why for data, why in self.problems.items() if data in used}
