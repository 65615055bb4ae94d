"""A transport over a small document, and what it tells."""

from dataclasses import replace

from core.ids import AssetId
from core.project.project import Project
from editor.model.commands import command_for
from editor.model.document import Document
from editor.model.playback import Playback
from tests.editor.rigs import small_clip, small_project, small_rig

RIG, CLIP, OTHER, LAYER = (AssetId(name) for name in ("rig-small", "clip-small", "clip-other", "clip-layer"))


class Told:
    """What a transport tells, in order."""

    def __init__(self, playback: Playback) -> None:
        self.names: list[str] = []
        for name in ("time", "state", "clip", "range"):
            getattr(playback, f"{name}_changed").connect(lambda _, name=name: self.names.append(name))

    def take(self) -> list[str]:
        found, self.names = self.names, []
        return found


def project() -> Project:
    """A character with a clip of 2 s, one of 0.5 s, and one to be a layer, of 1 s."""
    clip = small_clip(small_rig())
    other = replace(clip, id=OTHER, name="other", length=0.5)
    layer = replace(clip, id=LAYER, name="layer", length=1.0)
    return small_project(mesh=False).with_assets(other, layer)


def put(document: Document, after: Project) -> None:
    document.apply(command_for("put", document.project, after))
