"""In the helper: cameras of a stage, where each is and how it sees over time."""

from typing import Any

import numpy as np
from pxr import Usd, UsdGeom

from core.arrays import FloatArray

MOST_SAMPLES = 20_000
NAMES = ("focalLength", "horizontalAperture", "verticalAperture")


def cameras(stage: Any, predicate: Any, begin: float | None, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """Every camera; world matrices and fields of view at its samples and the whole time codes between.

    Parameters
    ----------
    begin : time code of the stage's clips at which our time is 0; None: each camera's own first sample
    """
    rate = stage.GetTimeCodesPerSecond() or 24.0
    found: list[dict[str, Any]] = []
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), predicate):
        if not prim.IsA(UsdGeom.Camera):
            continue
        camera, key = UsdGeom.Camera(prim), f"camera{len(found)}"
        codes = _codes(prim, camera)
        worlds, fovs = [], []
        for code in codes:
            time = Usd.TimeCode(code) if len(codes) > 1 else Usd.TimeCode.EarliestTime()
            matrix = UsdGeom.XformCache(time).GetLocalToWorldTransform(prim)
            worlds.append(np.array(matrix, dtype=np.float64).reshape(4, 4).T)
            focal, across, down = (float(camera.GetPrim().GetAttribute(name).Get(time)) for name in NAMES)
            fovs.append([np.degrees(2.0 * np.arctan(side / (2.0 * focal))) for side in (across, down)])
        start = codes[0] if begin is None else begin
        arrays[f"{key}.times"] = (np.array(codes) - start) / rate if len(codes) > 1 else np.zeros(1)
        arrays[f"{key}.world"] = np.array(worlds).reshape(-1, 4, 4)
        arrays[f"{key}.fov"] = np.array(fovs).reshape(-1, 2)
        if not (np.isfinite(arrays[f"{key}.world"]).all() and np.isfinite(arrays[f"{key}.fov"]).all()):
            raise ValueError(f"{prim.GetPath()}: its numbers are not finite")
        found.append(_told(prim, camera, key, rate))
    return found


def _told(prim: Any, camera: Any, key: str, rate: float) -> dict[str, Any]:
    first = Usd.TimeCode.EarliestTime()
    across, down = (float(prim.GetAttribute(name).Get(first)) for name in NAMES[1:])
    parallel = str(camera.GetProjectionAttr().Get(first)) == "orthographic"
    near, far = camera.GetClippingRangeAttr().Get(first)
    shifted = any(
        prim.GetAttribute(name).Get(first) for name in ("horizontalApertureOffset", "verticalApertureOffset")
    )
    return {
        "key": key,
        "name": str(prim.GetDisplayName() or prim.GetName()),
        "height": down / 10.0 if parallel else 0.0,  # apertures are in tenths of the unit
        "aspect": across / down if down else 0.0,
        "sensor": down if 1e-3 < down < 1e4 else 0.0,
        "near": float(near),
        "far": float(far),
        "rate": rate,
        "shifted": shifted,
    }


def _codes(prim: Any, camera: Any) -> list[float]:
    """Time codes of its samples and of those above it, with the whole ones between."""
    own: set[float] = set()
    for name in NAMES:
        own.update(prim.GetAttribute(name).GetTimeSamples())
    at = prim
    while at and not at.IsPseudoRoot():
        if at.IsA(UsdGeom.Xformable):
            own.update(UsdGeom.Xformable(at).GetTimeSamples())
        at = at.GetParent()
    if len(own) < 2:
        return [min(own, default=0.0)]
    first, last = min(own), max(own)
    grid: FloatArray = np.arange(np.ceil(first), min(np.floor(last), first + MOST_SAMPLES) + 1.0)
    return sorted({*own, *grid.tolist()})
