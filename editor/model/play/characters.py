"""The characters that Play drives: made of the document, in the background."""

from collections.abc import Iterable

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.locomotion.animation.propose import Moves, propose
from core.locomotion.character_graphs import graph_of
from core.locomotion.driven import Driven
from core.locomotion.matching.setup import Drive
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import Setup
from core.project.project import Project
from core.rig.rig import Rig
from core.terrain.terrain import Terrain
from editor.model.i18n import tr


def make_character(
    project: Project, rig: Rig, setup: Setup, terrain: Terrain, chosen: PlaySetup | None = None,
    drive: Drive = Drive.RULES,
) -> Driven:  # fmt: skip
    """What drives a rig of a project.

    Raises
    ------
    AnimError
        The rig has no clip that could be driven, or a graph of it is wrong.
    """
    made = Driven.of(project, rig, setup, terrain, chosen, drive)
    if not made.setup.moves.clips:
        raise ValidationError(
            tr(
                "{rig} has no clip that stands or walks by its name: import one, or choose clips in Play set-up",
                rig=rig.name,
            )
        )
    return made


class MadeOf:
    """What a character was made of: it is made again when that changes, and for nothing else.

    Parameters
    ----------
    chosen : the set-up it was made by
    """

    def __init__(self, project: Project, driven: Driven, chosen: PlaySetup | None) -> None:
        self._driven, self._chosen = driven, chosen
        rig, moves = driven.rig, driven.setup.moves
        graph = graph_of(project, rig, chosen)
        roots = [rig.id, *(clip.id for clip in moves.clips.values()), *(s.id for s in moves.spaces.values())]
        roots += [] if graph is None else [graph.id]
        self._ids = _all_named(project, roots)

    def differs(self, project: Project, changed: frozenset[AssetId], chosen: PlaySetup | None) -> bool:
        """Whether a change of assets, or another set-up, makes another character."""
        if changed & self._ids or chosen is not self._chosen:
            return True
        rig, setup = self._driven.rig, self._driven.setup
        if setup.matcher is not None and any(
            isinstance(project.assets.get(asset), Clip) for asset in changed
        ):
            return True  # every clip may take part
        graph = graph_of(project, rig, chosen)
        if (graph.id if graph is not None else None) not in (None, setup.plan.graph.id):
            return True
        found = propose(rig, project, chosen)  # what was added may have the name of what was missing
        return _ids_of(found) != _ids_of(setup.moves)


def _all_named(project: Project, roots: Iterable[AssetId]) -> frozenset[AssetId]:
    """Assets, and all that they name, and so on."""
    found: set[AssetId] = set()
    waiting = list(roots)
    while waiting:
        asset = waiting.pop()
        if asset not in found and asset in project.assets:
            found.add(asset)
            waiting += [reference.target for reference in project.assets[asset].references()]
    return frozenset(found)


def _ids_of(moves: Moves) -> dict[str, AssetId]:
    return {what: asset.id for known in (moves.clips, moves.spaces) for what, asset in known.items()}
