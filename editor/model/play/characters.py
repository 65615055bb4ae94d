"""The characters that Play drives: made of the document, in the background."""

from core.errors import ValidationError
from core.graph.graph import Graph
from core.ids import AssetId
from core.locomotion.driven import Driven
from core.locomotion.play_setup import PlaySetup, setups_of
from core.locomotion.setup import Setup
from core.project.project import Project
from core.rig.rig import Rig
from core.terrain.terrain import Terrain
from editor.model.i18n import tr


def make_character(
    project: Project, rig: Rig, setup: Setup, terrain: Terrain, chosen: PlaySetup | None = None
) -> Driven:
    """What drives a rig of a project.

    Raises
    ------
    AnimError
        The rig has no clip that could be driven, or a graph of it is wrong.
    """
    made = Driven.of(project, rig, setup, terrain, chosen)
    if not made.setup.moves.clips:
        raise ValidationError(
            tr(
                "{rig} has no clip that stands or walks by its name: import one, or choose clips in Play set-up",
                rig=rig.name,
            )
        )
    return made


def used(project: Project, rig: AssetId) -> frozenset[AssetId]:
    """What a character is made of: it is made again when one of these changes."""
    graphs = (graph.id for graph in project.all(Graph) if graph.rig == rig)
    setups = (setup.id for setup in setups_of(project, rig))
    return frozenset((rig, *(clip.id for clip in project.clips_of(rig)), *graphs, *setups))
