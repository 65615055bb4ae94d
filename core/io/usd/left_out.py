"""In the helper: what a stage holds and is not imported, above all what moves."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pxr import Usd, UsdGeom, UsdLux, UsdShade, UsdSkel

MOST_TOLD = 20
DERIVED = ("extent", "extentsHint")
"""Attributes that only sum up others."""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """Paths of prims that have been read.

    Parameters
    ----------
    animations : skeletal animations
    moving : prims whose animated transforms went into a skeleton's
    meshes : meshes of characters
    """

    animations: set[str]
    moving: set[str]
    meshes: set[str]


def left_out(stage: Any, predicate: Any, taken: TakenIn) -> list[str]:
    """What is not imported, in words: first animated things, then kinds of things."""
    moving: list[str] = []
    carriers = camera_carriers(stage, predicate)
    kinds: Counter[str] = Counter()
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), predicate):
        path = str(prim.GetPath())
        if prim.IsA(UsdSkel.Animation):
            if path not in taken.animations:
                moving.append(f"animation {path}, which no skeleton plays")
            continue
        if prim.IsA(UsdGeom.Camera):
            continue
        kind = _kind(prim, path, taken)
        if kind:
            kinds[kind] += 1
        moving += [
            f"motion of {path}.{attribute.GetName()}"
            for attribute in prim.GetAuthoredAttributes()
            if attribute.GetName() not in DERIVED
            and not (path in (taken.moving | carriers) and attribute.GetName().startswith("xformOp"))
            and attribute.ValueMightBeTimeVarying()
        ]
        if prim.HasVariantSets():
            kinds["variant sets: all but what is chosen in them"] += 1
    more = len(moving) - MOST_TOLD
    told = [*moving[:MOST_TOLD], *([f"motion of {more} further attributes"] if more > 0 else [])]
    return told + [f"{count} {kind}" if count > 1 else kind for kind, count in kinds.items()]


def camera_carriers(stage: Any, predicate: Any) -> set[str]:
    """Paths of cameras and of all above them: their motion is that of the camera."""
    found: set[str] = set()
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), predicate):
        if prim.IsA(UsdGeom.Camera):
            found.update(str(prefix) for prefix in prim.GetPath().GetPrefixes())
    return found


def _kind(prim: Any, path: str, taken: TakenIn) -> str:
    """What kind of thing is not imported; "" for what is, or what is nothing by itself."""
    if prim.HasAPI(UsdLux.LightAPI):
        return "lights"
    if prim.IsA(UsdGeom.Gprim) and path not in taken.meshes:
        return "shapes that belong to no skeleton"
    if path in taken.meshes:
        sets = [p.GetPrimvarName() for p in UsdGeom.PrimvarsAPI(prim).GetPrimvarsWithAuthoredValues()]
        known = (
            "st", "skel:jointIndices", "skel:jointWeights", "skel:geomBindTransform", "displayColor",
            "displayOpacity",
        )  # fmt: skip
        if any(name not in known for name in sets):
            return "further UV sets and primvars"
    if prim.IsA(UsdShade.Shader) and _is_texture_of_another_input(prim):
        return "textures other than of the base colour"
    return ""


def _is_texture_of_another_input(prim: Any) -> bool:
    """Whether a surface takes something but its colour from a texture."""
    surface = UsdShade.Shader(prim)
    if surface.GetIdAttr().Get() != "UsdPreviewSurface":
        return False
    return any(i.HasConnectedSource() for i in surface.GetInputs() if i.GetBaseName() != "diffuseColor")
