"""A graph to begin from: a clip plays, a hit lets the character fall as a ragdoll, at rest it gets up and plays on."""

from core.clips.clip import Clip
from core.graph.graph import (
    Blend,
    BlendKind,
    Graph,
    Link,
    Node,
    Sheet,
    SheetKind,
    Transition,
    Variable,
    new_node_id,
)
from core.graph.language.values import Kind
from core.graph.nodes.get_up import PREFIX
from core.ids import AssetId
from core.rig.rig import Rig

HIT = "hit"
"""The input by which the character falls."""
RAGDOLL, GET_UP = "Ragdoll", "Get up"
"""Names of the nodes that rules read."""
MOVES, FALLS, RISES = "moves", "falls", "gets up"
"""Names of the states."""
AT_ONCE = Blend("0")


def falling_graph(rig: Rig, clip: Clip, clips: tuple[Clip, ...], id: AssetId, name: str) -> Graph:
    """The graph: *moves* → *falls* → *gets up* → *moves*; without clips to get up by it blends back as it lies.

    Parameters
    ----------
    clip : what plays before and after
    clips : of the project; those whose names begin with ``get up`` are got up by
    """
    rises = any(c.rig == rig.id and c.name.casefold().startswith(PREFIX) for c in clips)
    nodes = {
        MOVES: Node(new_node_id(), "clip", {"clip": clip.id}, name=clip.name),
        FALLS: Node(new_node_id(), "ragdoll", name=RAGDOLL),
    }
    if rises:
        nodes[RISES] = Node(new_node_id(), "get_up", name=GET_UP)
    inner = {state: _pose_sheet(state, node) for state, node in nodes.items()}
    states = {state: Node(new_node_id(), "state", {"sheet": s.id}, name=state) for state, s in inner.items()}
    at_rest = f"ragdoll_at_rest('{RAGDOLL}')"
    ways = [(MOVES, FALLS, HIT, AT_ONCE)]
    if rises:
        ways.append((FALLS, RISES, at_rest, AT_ONCE))
        ways.append((RISES, MOVES, f"got_up('{GET_UP}')", Blend("0.3", kind=BlendKind.INERTIALISE)))
    else:
        ways.append((FALLS, MOVES, at_rest, Blend("0.8", kind=BlendKind.INERTIALISE)))
    transitions = tuple(
        Transition(new_node_id(), states[source].id, states[target].id, rule, blend=blend)
        for source, target, rule, blend in ways
    )
    machine = Sheet(
        new_node_id(), "machine", SheetKind.MACHINE, tuple(states.values()), transitions=transitions
    )
    whole = _pose_sheet("pose", Node(new_node_id(), "machine", {"sheet": machine.id}, name="machine"))
    hit = Variable(HIT, Kind.BOOL, (0.0,), 0.0, 1.0)
    return Graph(id, name, rig.id, (hit,), sheets=(whole, machine, *inner.values()))


def _pose_sheet(name: str, node: Node) -> Sheet:
    output = Node(new_node_id(), "output")
    return Sheet(new_node_id(), name, nodes=(node, output), links=(Link(node.id, output.id, "pose"),))
