"""Materials: base colour, its texture, metal and roughness."""

from collections.abc import Callable

from core.errors import FormatError
from core.io.gltf.accessors import Accessors
from core.io.gltf.container import Container
from core.io.report import ImportReport
from core.io.values import Value
from core.rig.mesh import Material, Texture

LARGEST_IMAGE = 256 << 20
MEDIA = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


def read_materials(
    root: Value, container: Container, accessors: Accessors, report: ImportReport
) -> list[Material]:
    """The file's materials; images that are missing are told about and left out."""
    images = root.objects("images")
    textures = root.objects("textures")
    loaded: dict[int, Texture | None] = {}

    def texture(value: Value) -> Texture | None:
        number = value.integer("index", below=len(textures))
        source = textures[number].reference("source", len(images))
        if source is None:
            report.leave_out("textures in a format that only an extension describes")
            return None
        if source not in loaded:
            loaded[source] = _image(images[source], container, accessors, report)
        if value.integer("texCoord", 0):
            report.leave_out("textures that use a second set of UVs")
            return None
        return loaded[source]

    return [
        _material(value, number, texture, report) for number, value in enumerate(root.objects("materials"))
    ]


def _material(
    value: Value, number: int, texture: Callable[[Value], Texture | None], report: ImportReport
) -> Material:
    look = value.object("pbrMetallicRoughness")
    color = look.floats("baseColorFactor", 4, [1.0, 1.0, 1.0, 1.0])
    for key in ("normalTexture", "occlusionTexture", "emissiveTexture"):
        if value.has(key):
            report.leave_out(f"{key.removesuffix('Texture')} textures")
    if look.has("metallicRoughnessTexture"):
        report.leave_out("metal and roughness textures")
    if value.has("extensions"):
        report.leave_out(
            "material extensions: " + ", ".join(sorted(value.object("extensions").names()))[:200]
        )
    return Material(
        value.text("name", "") or f"material_{number}",
        (float(color[0]), float(color[1]), float(color[2]), float(color[3])),
        value_in_range(look.number("metallicFactor", 1.0)),
        value_in_range(look.number("roughnessFactor", 1.0)),
        value.data.get("doubleSided") is True,
        texture(look.object("baseColorTexture")) if look.has("baseColorTexture") else None,
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
    media = next((m for magic, m in MEDIA.items() if data.startswith(magic)), "")
    if not media:
        report.warn(f"image left out: {value.place} is neither PNG nor JPEG nor WebP")
        return None
    return Texture(media, data)
