"""Names that are not Unicode text: halves of surrogate pairs, which file names that are not UTF-8 contain."""

from collections.abc import Iterator

from core.clips.clip import Clip
from core.io.common.naming import printable
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig


def said(project: Project) -> list[str]:
    """What a report says of names that a text file cannot hold; empty where there are none."""
    odd = list(dict.fromkeys(name for name in names(project) if printable(name) != name))
    if not odd:
        return []
    shown = ", ".join(f"“{printable(name)}”" for name in odd[:3]) + (" …" if len(odd) > 3 else "")
    return [f"{len(odd)} names hold characters that are no text, written as “?”: {shown}"]


def names(project: Project) -> Iterator[str]:
    """Every name of a project that a file may come to hold."""
    for asset in project.assets.values():
        yield asset.name
        if isinstance(asset, Rig):
            yield from asset.skeleton.names
        elif isinstance(asset, Clip):
            yield from (*asset.curves, *asset.morphs)
            for events in (asset.notifies, asset.sync_markers, asset.markers):
                yield from (event.name for event in events)
        elif isinstance(asset, Mesh):
            for parts in (asset.morphs, asset.materials):
                yield from (part.name for part in parts)
