"""A character's animation mode: a graph, or an asset that is played as if it were one (spec: graph, Documents).

An asset becomes a graph of a few nodes, so that whatever runs, records and explains graphs does so for assets, too.
"""

import re
from itertools import pairwise

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.errors import UnsupportedError, ValidationError
from core.graph.commands import Command, Do
from core.graph.compiler import Assets
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, Variable
from core.graph.montage import Montage
from core.graph.post import Character, character_of
from core.ids import AssetId
from core.rig.rig import Animation, Rig

_OUTPUT = NodeId("n-00000002")
_SHEET = NodeId("n-00000003")


def graph_of(asset: Animation) -> Graph:
    """The graph that plays an asset; a graph is its own.

    A clip plays at its own rate. The axes of a blend space become variables of their names. A montage has its slots
    over the rest pose, and is started by `opening`.

    Raises
    ------
    UnsupportedError
        An asset that nothing can play.
    """
    if isinstance(asset, Graph):
        return asset
    if isinstance(asset, Clip):
        player = Node(NodeId("n-00000001"), "clip", {"clip": asset.id}, name=asset.name)
        return _graph(asset.id, asset.name, asset.rig, (player,))
    if isinstance(asset, BlendSpace):
        variables = axis_variables(asset)
        literals = {"xy"[k]: variable.name for k, variable in enumerate(variables)}
        node = Node(NodeId("n-00000001"), "blend_space", {"space": asset.id}, literals, asset.name)
        return _graph(asset.id, asset.name, asset.rig, (node,), variables)
    if isinstance(asset, Montage):
        slots = tuple(asset.slot_name(track) for track in asset.tracks)
        nodes = tuple(
            Node(NodeId(f"n-{k + 16:08x}"), "slot", {"slot": slot}, name=slot) for k, slot in enumerate(slots)
        )
        return _graph(asset.id, asset.name, asset.rig, nodes or (_rest(),), slots=slots)
    raise UnsupportedError(
        f"expected a clip, a blend space, a montage or a graph, got {type(asset).__name__}"
    )


def _rest() -> Node:
    return Node(NodeId("n-00000001"), "rest", name="rest")


def _graph(
    asset: AssetId,
    name: str,
    rig: AssetId,
    nodes: tuple[Node, ...],
    variables: tuple[Variable, ...] = (),
    slots: tuple[str, ...] = (),
) -> Graph:
    """A graph whose pose nodes stand in a row, the last at the Output."""
    links = [Link(before.id, after.id, "source") for before, after in pairwise(nodes)]
    links.append(Link(nodes[-1].id, _OUTPUT, "pose"))
    sheet = Sheet(_SHEET, "pose", nodes=(*nodes, Node(_OUTPUT, "output")), links=tuple(links))
    return Graph(AssetId(f"graph-of-{asset}"), name, rig, variables, slots=slots, sheets=(sheet,))


def axis_variables(space: BlendSpace) -> tuple[Variable, ...]:
    """A variable for each axis of a blend space, with its range and unit; it starts in range, at 0 where it can."""
    found: list[Variable] = []
    for axis in space.axes:
        word = re.sub(r"\W+", "_", axis.name, flags=re.ASCII).strip("_") or "x"
        word = f"_{word}" if word[0].isdigit() else word
        while any(word == other.name for other in found):
            word += "_2"
        first = min(max(0.0, axis.minimum), axis.maximum)
        found.append(
            Variable(word, default=(first,), minimum=axis.minimum, maximum=axis.maximum, unit=axis.unit)
        )
    return tuple(found)


def opening(asset: Animation) -> tuple[Command, ...]:
    """What the first step of a run is told: a montage is played."""
    return (Command(Do.PLAY, asset.name),) if isinstance(asset, Montage) else ()


def chosen_animation(rig: Rig, project: Assets) -> Animation | None:
    """What a rig's animation mode names; None where it names nothing.

    Raises
    ------
    ValidationError
        It is made for another rig.
    """
    if rig.animation is None:
        return None
    found: Animation | None = next(
        (a for a in project.all(Animation) if getattr(a, "id", None) == rig.animation), None
    )
    if found is None:
        return None
    if getattr(found, "rig", None) != rig.id:
        name = getattr(found, "name", "")
        raise ValidationError(
            f"rig {rig.name!r}: its animation {name!r} is made for another rig; choose another"
        )
    return found


def character_playing(asset: Animation, project: Assets, seed: int = 0) -> Character:
    """A character that plays an asset, with its rig's post-process graph after it.

    Raises
    ------
    GraphError
        What is wrong with either graph.
    UnsupportedError
        An asset that nothing can play.
    """
    return character_of(graph_of(asset), project, seed)
