"""A run of a small machine without a window: it goes by speed or by a trigger, and comes back after a while."""

from dataclasses import replace
from pathlib import Path

from core.clips.clip import Notify
from core.graph.graph import Blend, Graph, Link, Role, Transition, Variable
from core.graph.language.values import Kind
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.state import GraphRun
from editor.model.session import Session
from tests.editor.panels.graph.graphs import (
    BACK,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    small_graph,
)
from tests.editor.stage import TURN, WALK, small_project

DT = 1.0 / 32.0


def machine_graph() -> Graph:
    """The machine drives the Output: it goes by speed or by a trigger, and comes back after a while."""
    graph = small_graph()
    poses, states = graph.sheet(POSES), graph.sheet(STATES)
    links = tuple(link for link in poses.links if link.target != OUTPUT)
    poses = replace(poses, links=(*links, Link(MACHINE, OUTPUT, "pose")))
    arrows = (
        Transition(
            GO,
            IDLE,
            WALKING,
            "speed > 1.0 and not crouch or take('jump')",
            blend=Blend("0.25"),
            min_time=0.125,
        ),
        Transition(BACK, WALKING, IDLE, "speed < 0.5 and time_in_state() > 0.2", blend=Blend("0.125")),
    )
    sheets = {sheet.id: sheet for sheet in graph.sheets}
    sheets |= {POSES: poses, STATES: replace(states, transitions=arrows)}
    variables = (
        *graph.variables,
        Variable("jump", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER, buffer=0.1),
        Variable("aim", Kind.VECTOR, (0.0, 0.0, 1.0), -1.0, 1.0),
        Variable("gait", Kind.ENUM, (1.0,), 0.0, 2.0, enum="gaits"), Variable("count", Kind.INT, (2.0,), 0.0, 5.0),
        Variable("free", Kind.FLOAT, (0.5,)),
    )  # fmt: skip
    return replace(
        graph, sheets=tuple(sheets.values()), variables=variables, enums={"gaits": ("a", "b", "c")}
    )


def machine_session(folder: Path) -> Session:
    """A session whose run was begun, paused at its first step; whoever asks for it closes it."""
    made = Session.create(folder / "config", folder / "data")
    project, graph = small_project(), machine_graph()
    clips = {clip.id: clip for clip in project.clips}
    walk = replace(clips[WALK], looping=True, notifies=(Notify("step", 0.25), Notify("swing", 0.5, 0.25)))
    turn = replace(clips[TURN], looping=True, notifies=(Notify("breath", 0.125),))
    made.document.replace(project.with_assets(walk, turn, graph), None)
    made.playback.set_clip(WALK)
    made.feature(GraphEditor).canvas.open(GRAPH)
    assert made.feature(GraphRun).start(running=False)
    return made


def go(run: GraphRun, steps: int) -> None:
    """So many steps of the clock."""
    run.start()
    for _ in range(steps):
        run.advance(DT)
    run.start(running=False)
