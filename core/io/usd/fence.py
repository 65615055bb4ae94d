"""In the helper: a stage reads nothing but files in its own folder, or in folders the user has allowed.

Layers are opened one at a time, and every asset path that leads elsewhere is taken out of them before the
stage is put together, so that nothing there is ever opened.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pxr import Sdf, UsdUtils

LAYERS = (".usd", ".usda", ".usdc", ".usdz")
MOST_LAYERS = 2000
MOST_TOLD = 20


class Fence:
    """Opens a stage's layers and takes out what leads outside.

    Parameters
    ----------
    folders : where files may lie

    Attributes
    ----------
    refused : what was removed, in words
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [folder.resolve() for folder in folders]
        self.refused: dict[str, None] = {}
        self._layers: dict[str, Any] = {}  # held: the stage takes these, not what is on the disk

    def open(self, identifier: str) -> None:
        """Open a layer and all that it names, and clean them."""
        waiting = [identifier]
        while waiting:
            name = waiting.pop()
            if name in self._layers:
                continue
            if len(self._layers) >= MOST_LAYERS:
                raise ValueError(f"it is made of more than {MOST_LAYERS} files")
            layer = Sdf.Layer.FindOrOpen(name)
            self._layers[name] = layer
            if layer is None:
                continue
            found: list[str] = []
            UsdUtils.ModifyAssetPaths(layer, lambda path, at=layer, to=found: self._kept(path, at, to))
            waiting += found

    def _kept(self, path: str, layer: Any, found: list[str]) -> str:
        """The asset path where it may be read, else ""; layers are added to what was found."""
        if not path:
            return path
        why = self._why_not(path, layer)
        if why:
            self.refused[f"{path[:120]} in {Path(layer.realPath).name}: {why}; it was not opened"] = None
            return ""
        if path.split("[")[0].lower().endswith(LAYERS):
            found.append(layer.ComputeAbsolutePath(path))
        return path

    def _why_not(self, path: str, layer: Any) -> str:
        """Why an asset path is not followed, or ""."""
        plain = path.replace("\\", "/")
        if "`" in path or "\0" in path or len(path) > 1000:
            return "a path that is worked out or makes no sense"
        if plain.startswith("//") or "://" in plain or ":SDF_FORMAT_ARGS:" in plain:
            return "an address on a network"
        package = layer.realPath.split("[")[0]
        outer = plain.split("[")[0]
        inside = Path(layer.realPath).suffix.lower() == ".usdz" or "[" in layer.identifier
        if inside and not outer.startswith("/") and ".." not in outer.split("/"):
            return ""  # within the package, which is one file
        file = Path(os.path.realpath(Path(package).parent / outer.replace("<UDIM>", "1001")))
        if not any(file.is_relative_to(folder) for folder in self._folders):
            return "outside of the file's folder"
        if file.exists() and not file.is_file():
            return "no regular file"
        return ""

    def told(self) -> list[str]:
        """What was refused, in words."""
        lines = list(self.refused)
        more = len(lines) - MOST_TOLD
        return lines[:MOST_TOLD] + ([f"{more} further files outside of its folder"] if more > 0 else [])


def allowed_folders(path: Path) -> list[Path]:
    """The stage's own folder, and those that the user has allowed."""
    given = os.environ.get("POSEWRIGHT_USD_FOLDERS", "")
    return [path.parent, *(Path(folder) for folder in given.split(os.pathsep) if folder)]
