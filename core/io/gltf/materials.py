"""Materials: base colour, its texture and how it is sampled, opacity, metal and roughness."""

from dataclasses import replace

from core.errors import FormatError
from core.io.common.images import media_type, why_not_drawn
from core.io.gltf.accessors import Accessors
from core.io.gltf.container import Container
from core.io.report import ImportReport
from core.json_values import Value
from core.rig.mesh import AlphaMode, Material, Texture, Wrap

TRANSFORM, WEBP = "KHR_texture_transform", "EXT_texture_webp"
SPECULAR = "KHR_materials_pbrSpecularGlossiness"
WRAPS = {10497: Wrap.REPEAT, 33648: Wrap.MIRROR, 33071: Wrap.CLAMP}
NEAREST = 9728
LARGEST_IMAGE = 256 << 20


def read_materials(
    root: Value, container: Container, accessors: Accessors, report: ImportReport
) -> list[Material]:
    """The file's materials; missing images are reported and left out."""
    textures = _Textures(root, container, accessors, report)
    return [
        _material(value, number, textures, report) for number, value in enumerate(root.objects("materials"))
    ]


class _Textures:
    """Finds images and how they are sampled; each image is read once."""

    def __init__(self, root: Value, container: Container, accessors: Accessors, report: ImportReport) -> None:
        self._container, self._accessors, self._report = container, accessors, report
        self._images, self._samplers = root.objects("images"), root.objects("samplers")
        self._textures = root.objects("textures")
        self._loaded: dict[int, Texture | None] = {}

    def of(self, value: Value) -> Texture | None:
        """The texture that a reference names."""
        texture = self._textures[value.integer("index", below=len(self._textures))]
        source = texture.reference("source", len(self._images))
        webp = texture.object("extensions").object(WEBP).reference("source", len(self._images))
        source = webp if source is None else source
        if source is None:
            self._report.leave_out("textures in a format that only an extension describes")
            return None
        if source not in self._loaded:
            self._loaded[source] = _image(
                self._images[source], self._container, self._accessors, self._report
            )
        image, placed = self._loaded[source], value.object("extensions").object(TRANSFORM)
        if image is None:
            return None
        if placed.integer("texCoord", value.integer("texCoord", 0)):
            self._report.leave_out("textures that use a second set of UVs")
            return None
        number = texture.reference("sampler", len(self._samplers))
        sampler = self._samplers[number] if number is not None else value.object("")
        (x, y), (wide, high) = placed.floats("offset", 2, [0.0, 0.0]), placed.floats("scale", 2, [1.0, 1.0])
        wraps = [WRAPS.get(sampler.integer(f"wrap{axis}", 10497), Wrap.REPEAT) for axis in "ST"]
        return replace(
            image, wrap=(wraps[0], wraps[1]), smooth=sampler.integer("magFilter", 9729) != NEAREST,
            offset=(float(x), float(y)), rotation=placed.number("rotation", 0.0),
            scale=(float(wide), float(high)),
        )  # fmt: skip


def _material(value: Value, number: int, textures: _Textures, report: ImportReport) -> Material:
    look = value.object("pbrMetallicRoughness")
    names = {"color": "baseColorFactor", "texture": "baseColorTexture"}
    extensions = value.object("extensions")
    older = extensions.object(SPECULAR)
    if extensions.has(SPECULAR) and not (look.has("baseColorTexture") or look.has("baseColorFactor")):
        look, names = older, {"color": "diffuseFactor", "texture": "diffuseTexture"}
    color = look.floats(names["color"], 4, [1.0, 1.0, 1.0, 1.0])
    for key in ("normalTexture", "occlusionTexture", "emissiveTexture"):
        if value.has(key):
            report.leave_out(f"{key.removesuffix('Texture')} textures")
    if look.has("metallicRoughnessTexture"):
        report.leave_out("metal and roughness textures")
    if value.has("extensions"):
        others = sorted(set(extensions.names()) - ({SPECULAR} if look is older else set()))
        if others:
            report.leave_out("material extensions: " + ", ".join(others)[:200])
    mode = value.text("alphaMode", "OPAQUE").lower()
    gloss = older.number("glossinessFactor", 1.0)
    return Material(
        value.text("name", "") or f"material_{number}",
        (float(color[0]), float(color[1]), float(color[2]), float(color[3])),
        0.0 if look is older else value_in_range(look.number("metallicFactor", 1.0)),
        value_in_range(1.0 - gloss if look is older else look.number("roughnessFactor", 1.0)),
        value.data.get("doubleSided") is True,
        textures.of(look.object(names["texture"])) if look.has(names["texture"]) else None,
        AlphaMode(mode) if mode in set(AlphaMode) else AlphaMode.OPAQUE,
        value.number("alphaCutoff", 0.5),
    )


def value_in_range(number: float) -> float:
    """A factor held within 0..1."""
    return min(1.0, max(0.0, number))


def _image(value: Value, container: Container, accessors: Accessors, report: ImportReport) -> Texture | None:
    try:
        if value.has("bufferView"):
            data = bytes(accessors.view(value.integer("bufferView", below=accessors.view_count)))
        elif value.has("uri"):
            data = container.resource(value.text("uri"), value)
        else:
            raise value.error("it has neither a uri nor a buffer view")
    except FormatError as error:
        report.warn(f"image left out: {error.where}: {error.reason}")
        return None
    if len(data) > LARGEST_IMAGE:
        report.warn(f"image left out: {value.place} has {len(data)} bytes")
        return None
    media = media_type(data)
    if not media:
        report.warn(f"image left out: {value.place} is neither PNG nor JPEG nor WebP")
        return None
    told = why_not_drawn(data)
    if told:
        report.warn(f"image not drawn: {value.place}{_called(value)}: {told}")
    return Texture(media, data)


def _called(value: Value) -> str:
    name = value.text("name", "")
    return f" ({name[:60]})" if name else ""
