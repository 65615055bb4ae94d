"""In the helper: the materials of a mesh and what their surfaces look like."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Ar, UsdGeom, UsdShade

from core.io.common.opening import read_regular

MOST_TEXTURE_BYTES = 64 << 20
WRAPS = {"mirror": "mirror", "clamp": "clamp", "black": "clamp"}
UNTOLD_ROUGHNESS = 0.9
"""Of faces without a material."""


class Materials:
    """Collects materials; images are added to `arrays`, each once.

    Parameters
    ----------
    folders : only images below them are read
    """

    def __init__(self, folders: Sequence[Path], arrays: dict[str, Any]) -> None:
        self.folders, self.arrays = [folder.resolve() for folder in folders], arrays
        self._images: dict[str, str | None] = {}

    def of(self, prim: Any, faces: int) -> tuple[list[dict[str, Any]], Any]:
        """What materials a mesh has, and the number of each face's one ``(F,)``."""
        told = [self._told(prim)]
        number = np.zeros(faces, np.int64)
        subsets = UsdGeom.Subset.GetGeomSubsets(
            UsdGeom.Imageable(prim), UsdGeom.Tokens.face, UsdShade.Tokens.materialBind
        )
        for subset in subsets:
            rows = np.array(subset.GetIndicesAttr().Get() or [], np.int64)
            number[rows[(rows >= 0) & (rows < faces)]] = len(told)
            told.append(self._told(subset.GetPrim()))
        return told, number

    def _told(self, prim: Any) -> dict[str, Any]:
        look: dict[str, Any] = {}
        told: dict[str, Any] = {"name": "default", "color": [0.8, 0.8, 0.8], "texture": None, "file": ""}
        told["look"] = look
        sided = UsdGeom.Gprim(prim if prim.IsA(UsdGeom.Gprim) else prim.GetParent()).GetDoubleSidedAttr()
        look["double_sided"] = bool(sided.Get())
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        if not material:
            return {**told, "look": {**look, "roughness": UNTOLD_ROUGHNESS}}
        told["name"] = material.GetPrim().GetName()
        surface = material.ComputeSurfaceSource()[0]
        if not surface:
            return told
        for name, key in (
            ("metallic", "metallic"), ("roughness", "roughness"), ("opacity", "opacity"),
            ("opacityThreshold", "threshold"),
        ):  # fmt: skip
            value = _value(surface, name)
            if value is not None:
                look[key] = float(value)
        sheer = surface.GetInput("opacity")
        look["cut_out"] = bool(sheer and sheer.HasConnectedSource())
        self._colour(surface, told)
        return told

    def _colour(self, surface: Any, told: dict[str, Any]) -> None:
        colour = surface.GetInput("diffuseColor")
        source = colour.GetConnectedSource() if colour else None
        if not source:
            value = colour.Get() if colour else None
            if value is not None:
                told["color"] = [float(part) for part in value][:3]
            return
        lookup = UsdShade.Shader(source[0].GetPrim())
        if lookup.GetIdAttr().Get() != "UsdUVTexture":
            told["file"] = str(source[0].GetPath())  # a network of other nodes: reported as left out
            return
        asset = _value(lookup, "file")
        if asset is None:
            return
        scale = _value(lookup, "scale")
        told["file"], told["texture"] = asset.path, self._image(asset)
        told["wrap"] = [WRAPS.get(str(_value(lookup, f"wrap{axis}")), "repeat") for axis in "ST"]
        place = lookup.GetInput("st")
        reader = place.GetConnectedSource() if place else None
        told["moved"] = bool(
            reader and UsdShade.Shader(reader[0].GetPrim()).GetIdAttr().Get() == "UsdTransform2d"
        )
        if told["texture"] is not None:
            told["color"] = [1.0, 1.0, 1.0] if scale is None else [float(part) for part in scale][:3]

    def _image(self, asset: Any) -> str | None:
        """Key of the array with the bytes of an image."""
        where = asset.resolvedPath
        if where not in self._images:
            data = self._bytes(where) if where else b""
            self._images[where] = f"image{len(self._images)}" if data else None
            if data:
                self.arrays[str(self._images[where])] = np.frombuffer(data, np.uint8)
        return self._images[where]

    def _bytes(self, where: str) -> bytes:
        """An image below the stage's own folder, or within a package there; b"" for any other."""
        file = Path(where.split("[")[0]).resolve()
        if not (any(map(file.is_relative_to, self.folders)) and file.is_file()):
            return b""
        if file.stat().st_size > MOST_TEXTURE_BYTES:
            return b""
        if "[" not in where:
            return read_regular(file)
        opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(where))
        return bytes(opened.GetBuffer()) if opened and opened.GetSize() <= MOST_TEXTURE_BYTES else b""


def _value(shader: Any, name: str) -> Any:
    found = shader.GetInput(name)
    return found.Get() if found else None
