"""Materials to USD: UsdPreviewSurface with a colour or a texture."""

from collections.abc import Mapping
from typing import Any

from pxr import Gf, Sdf, UsdGeom, UsdShade

from core.io.report import ExportReport
from core.io.usd.names import identifiers
from core.rig.mesh import AlphaMode, Material, Texture

SCOPE = "/Root/Materials"


class MaterialWriter:
    """Writes each material once.

    Parameters
    ----------
    files : image (its bytes) → name of its file beside the stage (see `core.io.usd.textures`)
    """

    def __init__(self, stage: Any, report: ExportReport, files: Mapping[bytes, str]) -> None:
        self.stage, self.report, self.files = stage, report, files
        self._made: dict[Material, Any] = {}
        self._names: list[str] = []

    def of(self, material: Material) -> Any:
        """The USD material of ours."""
        if material not in self._made:
            self._made[material] = self._write(material)
        return self._made[material]

    def _write(self, material: Material) -> Any:
        UsdGeom.Scope.Define(self.stage, SCOPE)
        name = identifiers([*self._names, material.name])[-1]
        self._names.append(name)
        made = UsdShade.Material.Define(self.stage, f"{SCOPE}/{name}")
        shader = self._shader(f"{SCOPE}/{name}/Surface", "UsdPreviewSurface")
        colour = shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
        image = self._image(material.texture)
        if image is None:
            colour.Set(Gf.Vec3f(*map(float, material.color[:3])))
        else:
            lookup = self._texture(f"{SCOPE}/{name}", image, material)
            colour.ConnectToSource(lookup, "rgb")
        sheer = material.alpha is not AlphaMode.OPAQUE
        opacity = material.color[3] if sheer else 1.0
        for title, value in (
            ("metallic", material.metallic), ("roughness", material.roughness), ("opacity", opacity),
            *([("opacityThreshold", material.cutoff)] if material.alpha is AlphaMode.MASK else []),
        ):  # fmt: skip
            shader.CreateInput(title, Sdf.ValueTypeNames.Float).Set(float(value))
        if sheer and image is not None:
            shader.GetInput("opacity").ConnectToSource(lookup, "a")
        made.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        return made

    def _shader(self, path: str, kind: str) -> Any:
        shader = UsdShade.Shader.Define(self.stage, path)
        shader.CreateIdAttr(kind)
        return shader

    def _texture(self, path: str, image: str, material: Material) -> Any:
        """A texture looked up by ``st``, times the material's own colour."""
        reader = self._shader(f"{path}/UVs", "UsdPrimvarReader_float2")
        reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
        reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
        lookup = self._shader(f"{path}/Texture", "UsdUVTexture")
        lookup.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(f"./{image}")
        lookup.CreateInput("sourceColorSpace", Sdf.ValueTypeNames.Token).Set("sRGB")
        texture = material.texture
        for axis, wrap in zip("ST", texture.wrap if texture is not None else (), strict=False):
            lookup.CreateInput(f"wrap{axis}", Sdf.ValueTypeNames.Token).Set(str(wrap))
        if texture is not None and texture.moved:
            self.report.leave_out("how textures are moved, turned and scaled")
        scale = Gf.Vec4f(*map(float, material.color))
        lookup.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(scale)
        lookup.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
        lookup.CreateOutput("rgb", Sdf.ValueTypeNames.Float3)
        lookup.CreateOutput("a", Sdf.ValueTypeNames.Float)
        return lookup.ConnectableAPI()

    def _image(self, texture: Texture | None) -> str | None:
        """Name of the file that holds an image; None without one."""
        if texture is not None and texture.data not in self.files:
            self.report.leave_out(f"textures of type {texture.media_type}")
        return None if texture is None else self.files.get(texture.data)
