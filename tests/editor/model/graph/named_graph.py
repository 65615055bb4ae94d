"""A small graph in which every kind of name is spoken of: variables, nodes, states, slots, events, comments."""

from dataclasses import replace

from core.clips.clip import Notify
from core.graph.graph import Blend, Graph, Link, Node, Role, Transition, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment, read_layout, with_layout
from editor.model.session import Session
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    GO,
    GRAPH,
    IDLE,
    POSES,
    STATES,
    WALKING,
    graph_project,
    id_of,
    small_graph,
)
from tests.editor.stage import TURN, WALK

LINKING, LINKED, OTHER = AssetId("graph-linking"), id_of(200), id_of(201)
EVENT, SLOT, EASE, LEAD, ANY, GET = (id_of(k) for k in range(210, 216))


def named_graph() -> Graph:
    """The small graph with names in every place that can hold one."""
    graph = small_graph()
    moves = Transition(
        GO, IDLE, WALKING, "speed > 0.1 and take('jump') and state('moves') == 'idle'",
        blend=Blend("0.2 * speed"), player="strider",
    )  # fmt: skip
    back = Transition(
        BACK, WALKING, IDLE, "state('moves') == 'walking' and event('step') or time('strider') > 1.0"
    )
    sheets = []
    for sheet in graph.sheets:
        nodes = {node.id: node for node in sheet.nodes}
        if sheet.id == POSES:
            nodes[CLIP_A] = replace(nodes[CLIP_A], name="strider")
            nodes[BLEND] = replace(
                nodes[BLEND], name="mix", literals={"alpha": "speed * weight('mix') + remaining('strider')"}
            )
            more = (
                Node(EVENT, "emit_event", {"event": "step"}, {"when": "fired('jump')"}),
                Node(SLOT, "slot", {"slot": "DefaultGroup.Arms"}, {}, "arms"),
                Node(EASE, "inertialise", {"target": "mix"}, {"seconds": "0.3"}),
                Node(LEAD, "go", {"machine": "moves", "state": "idle"}, {"when": "active('moves')"}),
                Node(GET, "get", {"variable": "speed"}),
            )
            sheet = replace(sheet, nodes=(*nodes.values(), *more))
        elif sheet.id == STATES:
            some = Node(ANY, "any", {"states": ("idle", "walking")})
            sheet = replace(sheet, nodes=(*sheet.nodes, some), transitions=(moves, back))
        sheets.append(sheet)
    variables = (
        *graph.variables,
        Variable("jump", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER),
        Variable("gait", Kind.ENUM, maximum=2.0, minimum=0.0, enum="gaits"),
        Variable("aim", Kind.VECTOR, (0.0, 0.0, 1.0), -1.0, 1.0),
    )
    graph = replace(
        graph, sheets=tuple(sheets), variables=variables, slots=("DefaultGroup.Arms", "DefaultGroup.Head"),
        enums={"gaits": ("trot", "pace", "speed")}, maps={"ease": scalar_track([0.0, 1.0], [0.0, 1.0])},
    )  # fmt: skip
    comment = Comment(id_of(230), POSES, "speed of the strider", Rect(0.0, 0.0, 200.0, 100.0))
    return with_layout(graph, replace(read_layout(graph), comments=(comment,)))


def named_project() -> Project:
    """The graph, another that links it, and clips with notifies and curves."""
    project = graph_project()
    clips = {clip.id: clip for clip in project.clips}
    walk = replace(
        clips[WALK],
        notifies=(Notify("foot", 0.2), Notify("step", 0.6)),
        curves={"lean": scalar_track([0.0], [1.0])},
    )
    turn = replace(clips[TURN], curves={"reach": scalar_track([0.0], [0.5])})
    base = small_graph()
    linked = Node(
        LINKED, "linked_graph", {"graph": GRAPH}, {"speed": "2.0 * speed", "crouch": "true"}, "inner"
    )
    nodes = (*base.root.nodes, linked, Node(OTHER, "get", {"variable": "speed"}))
    root = replace(base.root, nodes=nodes, links=(*base.root.links, Link(OTHER, LINKED, "speed")))
    knots = {"knots": {f"{LINKED}.speed": [[10, 20]]}}
    linking = replace(base, id=LINKING, name="outer", sheets=(root, *base.sheets[1:]), layout=knots)
    return project.with_assets(walk, turn, named_graph(), linking)


def named_session() -> Session:
    """A session without a window in which the graph is open; whoever asks for it closes it."""
    session, project = Session.create(), named_project()
    session.document.replace(project, None)
    session.playback.set_clip(WALK)
    session.feature(GraphEditor).canvas.open(GRAPH)
    return session
