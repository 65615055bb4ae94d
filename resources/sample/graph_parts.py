"""What goes over the sample's graphs: the head's aim, and the rig's post-process graph that places its feet."""

from dataclasses import replace

from core.graph.graph import Graph, Link, Node, NodeId, Sheet, Variable
from core.graph.language.values import Kind
from resources.sample.rig import POST_ID, RIG_ID

FIRST = 0x5B000001
AHEAD = (0.0, 1.6, 3.0)
"""Metres from the character's own place: what it looks at to begin with."""


def with_head_aim(graph: Graph) -> Graph:
    """A graph whose head looks at the place ``look_place`` while ``look`` holds, over all else."""
    root = graph.root
    assert root is not None
    output = root.of_kind("output")[0]
    last = root.link_to(output.id, "pose")
    assert last is not None
    # Half of the turn is the neck's; the head goes the rest of the way.
    parts = (
        ("neck_01", 25.0, 0.5, (0.0, 0.262, 0.965), (0.0, 0.965, -0.262)),
        ("head", 60.0, 1.0, (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    )
    nodes, links, before = [], [link for link in root.links if link is not last], last.source
    for k, (bone, limit, scale, axis, up) in enumerate(parts):
        node = Node(
            NodeId(f"n-{FIRST + k:08x}"),
            "look_at",
            {
                "bone": bone, "limit": limit, "axis": axis, "up_axis": up, "alpha_by": "bool",
                "alpha_scale": scale, "fade_in": 0.25, "fade_out": 0.35,
            },
            {"goal": "look_place", "alpha": "look"},
            f"look {bone}",
        )  # fmt: skip
        nodes.append(node)
        links.append(Link(before, node.id, "pose"))
        before = node.id
    links.append(Link(before, output.id, "pose"))
    sheet = replace(root, nodes=(*root.nodes, *nodes), links=tuple(links))
    look = Variable("look", Kind.BOOL, maximum=1.0, minimum=0.0)
    place = Variable("look_place", Kind.VECTOR, AHEAD, -100.0, 100.0, "m")
    return replace(graph, variables=(*graph.variables, look, place)).with_sheet(sheet)


def feet() -> Graph:
    """The graph ``feet``: run after every pose of the rig, it puts the feet on the ground that the host tells of."""
    given = Node(NodeId("n-5c000001"), "pose_input", name="pose")
    place = Node(NodeId("n-5c000002"), "foot_placement", {}, {"alpha": "feet_on_ground"}, "feet")
    output = Node(NodeId("n-5c000003"), "output", name="Output")
    links = (Link(given.id, place.id, "pose"), Link(place.id, output.id, "pose"))
    sheet = Sheet(NodeId("n-5c000004"), "pose", nodes=(given, place, output), links=links)
    variables = (Variable("feet_on_ground", default=(1.0,), minimum=0.0, maximum=1.0),)
    return Graph(POST_ID, "feet", RIG_ID, variables, sheets=(sheet,))
