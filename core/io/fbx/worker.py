"""The helper process that reads FBX: ``python -m core.io.fbx.worker IN.fbx OUT.npz``."""

from typing import Any

from core.io.common.helper.worker import leave


def load() -> None:
    """The library, what goes through its objects, and what numpy brings in late."""
    import zipfile  # noqa: F401

    import numpy.ma  # noqa: F401

    from core.io.fbx import collect_cameras, collect_clips, collect_meshes, collect_nodes  # noqa: F401


def collect(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Everything of a file that this program wants: plain values, and arrays by name."""
    import ufbx

    from core.io.fbx.collect_cameras import cameras
    from core.io.fbx.collect_clips import clips
    from core.io.fbx.collect_meshes import meshes
    from core.io.fbx.collect_nodes import further, head, nodes
    from core.io.fbx.ufbx_lifetime import keep

    arrays: dict[str, Any] = {}
    scene = keep(ufbx.load_file(path, ignore_missing_external_files=True, generate_missing_normals=True))
    told = head(scene)
    told["nodes"] = nodes(scene, arrays)
    told["meshes"] = meshes(scene, arrays)
    told["further"] = further(scene)
    told["clips"] = clips(scene, arrays)
    told["cameras"] = cameras(scene, arrays)
    return told, arrays


if __name__ == "__main__":
    leave(collect, load)
