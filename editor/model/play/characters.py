"""The characters that Play drives: made of the document, in the background."""

from typing import Any

from core.errors import ValidationError
from core.ids import AssetId
from core.locomotion.driven import Driven
from core.locomotion.plain import PlainCharacter
from core.locomotion.setup import Setup
from core.project.project import Project
from core.rig.rig import Rig
from core.terrain.terrain import Terrain
from editor.model.i18n import tr


def make_character(project: Project, rig: Rig, setup: Setup, terrain: Terrain) -> Driven[Any]:
    """What drives a rig of a project.

    Raises
    ------
    ValidationError
        The rig has no clip that could be driven.
    """
    made = PlainCharacter(project, rig, setup, terrain)
    if not made.cycles and made.idle is None:
        raise ValidationError(
            tr("{rig} has no walk or idle: import or make a looping clip first", rig=rig.name)
        )
    return made


def missing(driven: Driven[Any]) -> tuple[str, ...]:
    """What a character has no clip for."""
    found = getattr(driven, "missing", ())
    return tuple(str(name) for name in found)


def used(driven: Driven[Any]) -> frozenset[AssetId]:
    """Ids of the clips that it plays: it is made anew when one of them changes."""
    found: frozenset[AssetId] = getattr(driven, "used", frozenset())
    return frozenset(found)
