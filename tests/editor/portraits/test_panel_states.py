"""Panels in what a person brings them to one thing after the other: what is shown and painted then, as approved."""

import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

from core.blending.easing import EaseShape, EaseWay, Easing
from core.graph.graph import BlendKind, Graph, TargetStart
from core.ids import AssetId
from core.project.project import Project
from editor.actions.every import registry
from editor.model.blending.state import Blending
from editor.model.graph.editor import GraphEditor
from editor.model.play.state import Play
from editor.model.session import Session
from editor.model.shot.state import Shot
from tests.editor import verb_stages
from tests.editor.panels.graph import graphs
from tests.editor.portraits import approved, deeds, pointer, sitter, words
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.told_states import Deed, states_of
from tests.editor.turning import in_front, turn_until_shown


# ------------------------------------------------------------ nodes and transitions of a graph
def _transition(**changes: object) -> Deed:
    return lambda session, panel: session.feature(GraphEditor).machines.change([graphs.GO], **changes)


def _blend(**changes: object) -> Deed:
    return lambda session, panel: session.feature(GraphEditor).machines.set_blend([graphs.GO], **changes)


def _chosen(*ids: str, sheet: str = graphs.STATES) -> Deed:
    def choose(session: Session, panel: QWidget) -> None:
        canvas = session.feature(GraphEditor).canvas
        canvas.open(graphs.GRAPH, sheet)
        canvas.select(ids)

    return choose


NODES: dict[str, Deed] = {
    "a transition": _chosen(graphs.GO),
    "automatic": _transition(automatic=-1.0),
    "no more": _transition(automatic=None),
    "starts at": _transition(start=TargetStart.AT, start_at=0.2),
    "by a power": _blend(easing=Easing(EaseShape.POWER, EaseWay.OUT, 3)),
    "exponential": _blend(easing=Easing(EaseShape.EXPONENTIAL)),
    "linear": _blend(easing=Easing(EaseShape.LINEAR)),
    "by its own sheet": lambda session, panel: session.feature(GraphEditor).machines.custom_blend(
        [graphs.GO]
    ),
    "as a pose that stands": _blend(kind=list(BlendKind)[1]),
    "two transitions": _chosen(graphs.GO, graphs.BACK),
    "a state": _chosen(graphs.IDLE),
    "two states": _chosen(graphs.IDLE, graphs.WALKING),
    "nothing": _chosen(),
    "a clip": _chosen(graphs.CLIP_A, sheet=graphs.POSES),
    "two clips": _chosen(graphs.CLIP_A, graphs.CLIP_B, sheet=graphs.POSES),
    "a machine": _chosen(graphs.MACHINE, sheet=graphs.POSES),
    "the output": _chosen(graphs.OUTPUT, sheet=graphs.POSES),
    "nodes of two kinds": _chosen(graphs.CLIP_A, graphs.BLEND, sheet=graphs.POSES),
    "undone": lambda session, panel: session.undo(),
}


# ------------------------------------------------------------ a run
def _bone(session: Session, panel: QWidget) -> None:
    session.selection.select(["hand_l"])


def _edited(session: Session, panel: QWidget) -> None:
    """The graph is changed: the recording runs again with it."""
    graph = session.document.project.get(Graph, session.document.project.all(Graph)[0].id)
    sheet = graph.sheets[0]
    nodes = tuple(
        replace(n, literals={**n.literals, "alpha": "1"}) if n.kind == "blend" else n for n in sheet.nodes
    )
    session.edits.put("graph", replace(graph, sheets=(replace(sheet, nodes=nodes), *graph.sheets[1:])))


def _broken(session: Session, panel: QWidget) -> None:
    graph = session.document.project.all(Graph)[0]
    sheet = graph.sheets[0]
    nodes = tuple(
        replace(n, literals={**n.literals, "alpha": "nobody"}) if n.kind == "blend" else n
        for n in sheet.nodes
    )
    session.edits.put("graph", replace(graph, sheets=(replace(sheet, nodes=nodes), *graph.sheets[1:])))


RUN: dict[str, Deed] = {
    "why": lambda session, panel: panel.head.why.click(),
    "a bone": _bone,
    "back": lambda session, panel: panel.run.goto(4),
    "a span": lambda session, panel: panel.run.replay.set_span((0.1, 0.3)),
    "a mark": lambda session, panel: panel.run.replay.mark(0.2),
    "zoomed": lambda session, panel: panel.model.wheel(400.0, 3.0),
    "all": lambda session, panel: panel.model.fit(),
    "the graph is another": _edited,
    "swapped": lambda session, panel: panel.run.deck.compare(),
    "alone": lambda session, panel: panel.run.deck.drop_comparison(),
    "the graph is broken": _broken,
    "and mended": lambda session, panel: session.undo(),
    "its inputs": lambda session, panel: panel.commands.replay_inputs(),
    "paused": lambda session, panel: panel.run.pause(),
    "own inputs": lambda session, panel: panel.run.play_inputs(None),
    "a bone that is gone": lambda session, panel: session.selection.select([]),
    "stopped": lambda session, panel: panel.run.stop(),
}


# ------------------------------------------------------------ a blend space
def _spaces(session: Session) -> object:
    return session.feature(Blending).spaces


BLEND: dict[str, Deed] = {
    "a sample": lambda session, panel: panel.model.select(1) if hasattr(panel.model, "select") else None,
    "plays": lambda session, panel: session.feature(Blending).live.toggle(),
    "stands": lambda session, panel: session.feature(Blending).live.toggle(),
    "ends": lambda session, panel: session.feature(Blending).live.stop(),
    "without a sample": lambda session, panel: _spaces(session).remove(0),
    "undone": lambda session, panel: session.undo(),
    "narrow": lambda session, panel: panel.window().resize(300, 700),
}

# ------------------------------------------------------------ play
PLAY: dict[str, Deed] = {
    "runs": lambda session, panel: session.feature(Play).toggle(),
    "stands": lambda session, panel: session.feature(Play).pause(),
    "no span": lambda session, panel: session.feature(Play).set_span(None),
    "at the beginning": lambda session, panel: session.feature(Play).goto(0),
    "at the end": lambda session, panel: session.feature(Play).goto(140),
    "overlays": lambda session, panel: session.feature(Play).overlays.set("wish", True),
    "stairs": lambda session, panel: session.feature(Play).choices.choose_terrain("stairs"),
    "left": lambda session, panel: session.feature(Play).leave(),
}


# ------------------------------------------------------------ the set-up of play
def _scrolled(session: Session, panel: QWidget) -> None:
    bar = panel.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)


def _part_chosen(session: Session, panel: QWidget) -> None:
    """Another choice for the first part that has one."""
    parts = [row.part for group in panel.rows.groups() for row in group.rows if row.part is not None]
    for part in parts:
        choices = [choice for choice, *_ in panel.rows.choices(part)]
        if len(choices) > 1:
            panel._choose(part, choices[1])
            return


SETUP: dict[str, Deed] = {
    "the parts": lambda session, panel: panel.show_page(0),
    "small": lambda session, panel: panel.window().resize(420, 300),
    "scrolled": _scrolled,
    "a part is chosen": _part_chosen,
    "clips that are searched": lambda session, panel: panel.show_clips_searched(),
    "only what is missing": lambda session, panel: panel._only_missing(True),
    "all": lambda session, panel: panel._only_missing(False),
    "by words": lambda session, panel: panel._filter("walk"),
}


# ------------------------------------------------------------ the view
def _corner(session: Session, panel: QWidget) -> None:
    panel.overlay.show_chip(("−12.5°", (panel.view.width() - 5.0, panel.view.height() - 5.0)))


def _pointed(x: int, y: int) -> Deed:
    """The pointer beside the middle of the view."""
    return lambda session, panel: pointer.hover(panel.view, panel.view.rect().center() + QPoint(x, y))


def _camera(session: Session, panel: QWidget) -> None:
    verb_stages._camera(session, registry(session))
    session.feature(Shot).look_through(True)


VIEW: dict[str, Deed] = {
    "a number at the pointer": lambda session, panel: panel.overlay.show_chip(("12.5°", (100.0, 80.0))),
    "in the corner": _corner,
    "no number": lambda session, panel: panel.overlay.show_chip(None),
    "a box": lambda session, panel: panel.model.show_box(((20.0, 30.0), (80.0, 90.0))),
    "no box": lambda session, panel: panel.model.show_box(None),
    "names": lambda session, panel: session.switches.set("names", True),
    "a bone": lambda session, panel: session.selection.select(["head"]),
    "no names": lambda session, panel: session.switches.set("names", False),
    "auto key off": lambda session, panel: setattr(session.keying, "auto", False),
    "files over it": lambda session, panel: panel.show_drop(True),
    "files away": lambda session, panel: panel.show_drop(False),
    "the first card": lambda session, panel: panel.first_card.greet(),
    "a step": lambda session, panel: session.clips.set_length(session.clip.id, 3.0),
    "the marking menu": lambda session, panel: panel.marking.open(),
    "to the right": _pointed(80, 0),
    "up": _pointed(0, -80),
    "to the left": _pointed(-80, 10),
    "nowhere": _pointed(0, 0),
    "closed": lambda session, panel: pointer.key(panel.view, Qt.Key.Key_Escape),
    "a camera": _camera,
    "locked": lambda session, panel: session.feature(Shot).lock(True),
    "no camera": lambda session, panel: session.feature(Shot).look_through(False),
    "small": lambda session, panel: panel.window().resize(300, 280),
    "nothing open": lambda session, panel: session.document.replace(Project({}), None),
}

PANELS: dict[str, tuple[str, str, dict[str, Deed]]] = {
    "graph_node": ("graph_node", "after", NODES),
    "graph_canvas": ("graph", "after", NODES),
    "graph_run": ("graph_run", "after", RUN),
    "blend_space": ("blend_space", "full", BLEND),
    "play_setup": ("play_setup", "full", SETUP),
    "viewport": ("viewport", "plain", VIEW),
    "play": ("play", "full", PLAY),
    "play_run": ("play_run", "full", PLAY),
}
"""Panel, the stage at which it begins, and what happens to it then."""


@pytest.mark.parametrize("name", list(PANELS))
def test_states_are_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"states-{name}", lambda: states_of(qapp, *PANELS[name]))
    assert not problem, problem


# ------------------------------------------------------------ fields of transitions
def transition_deeds(qapp: QApplication) -> list[str]:
    """What each field of a transition does, where it has most of them."""
    stage, widget = sitter.seated(qapp, "graph_node", "after")
    session = stage.session
    try:
        _chosen(graphs.GO)(session, widget)
        _transition(automatic=0.1, start=TargetStart.AT)(session, widget)
        _blend(easing=Easing(EaseShape.POWER, EaseWay.OUT, 3))(session, widget)
        session.feature(GraphEditor).machines.custom_blend([graphs.GO])
        turn_until_shown()
        return deeds.everything(Hands(qapp, stage, widget, still=True))
    finally:
        sitter.away(qapp, stage, widget)


def test_fields_of_a_transition_do_what_was_approved(qapp) -> None:
    problem = approved.problem_of("deeds-transition", lambda: transition_deeds(qapp))
    assert not problem, problem


# ------------------------------------------------------------ menus of a run's lanes
def lane_menus(qapp: QApplication) -> list[str]:
    """The menu of each lane, of its name and of what lies in it, and what its entries do."""
    stage, widget = sitter.seated(qapp, "graph_run", "full")
    hands = Hands(qapp, stage, widget, still=True)
    run, model = widget.run, widget.model
    try:
        run.pause()
        for row in model.rows():
            y, seen = model.y(row) + 3.0, set()
            for time in (-1.0, *(run.take.length * k / 12 for k in range(13))):
                found = model.at(4.0 if time < 0.0 else model.x(time), y)
                kind = (found.part, found.node, found.item.text if found.item is not None else "")
                if kind in seen:
                    continue
                seen.add(kind)
                name = f"{row.lane.title} {found.part.name} {kind[2]}"
                hands.lines.append(f"=== {name}: {model.hint(found)!r}")
                menu = widget.commands.lane_menu(found)
                hands.lines += words.menu_lines(menu)
                menu.deleteLater()
                deeds.use_entries(hands, name, lambda found=found: widget.commands.lane_menu(found))
        return hands.lines
    finally:
        sitter.away(qapp, stage, widget)


def test_menus_of_lanes_are_as_approved(qapp) -> None:
    problem = approved.problem_of("menus-of-lanes", lambda: lane_menus(qapp))
    assert not problem, problem


# ------------------------------------------------------------ laws
def test_round_and_slanted_shapes_are_painted_smooth(qapp, monkeypatch) -> None:
    """No panel paints edges in steps."""
    rough: set[str] = set()
    for name in ("drawEllipse", "drawPath", "drawPolygon", "drawPolyline", "drawRoundedRect"):
        original = getattr(QPainter, name)

        def painted(painter: QPainter, *args, name=name, made=original) -> object:
            code = sys._getframe(1).f_code
            if (
                "/editor/" in code.co_filename
                and not painter.renderHints() & QPainter.RenderHint.Antialiasing
            ):
                rough.add(f"{code.co_filename.rpartition('/editor/')[2]} {code.co_name} {name}")
            return made(painter, *args)

        monkeypatch.setattr(QPainter, name, painted)
    for panel, begin in SMOOTH.items():
        stage, widget = sitter.seated(qapp, panel, begin)
        widget.grab()
        sitter.away(qapp, stage, widget)
    assert not rough


SMOOTH = {
    "graph_run": "after", "graph": "after", "variables": "after", "montage": "full", "blend_space": "full",
    "play_run": "plain", "additive": "full", "weights": "plain", "viewport": "plain",
}  # fmt: skip


def test_another_graph_is_chosen_over_the_canvas(qapp) -> None:
    stage, widget = sitter.seated(qapp, "graph", "after")
    session = stage.session
    try:
        other = replace(session.document.project.all(Graph)[0], id=AssetId("graph-other"), name="other")
        session.edits.put("another", other)
        turn_until_shown()
        box = widget.findChild(QComboBox, "canvasGraph")
        assert [box.itemText(k) for k in range(box.count())] == ["test", "other"]
        box.setCurrentIndex(1)
        box.activated.emit(1)
        turn_until_shown()
        assert session.feature(GraphEditor).canvas.graph.id == other.id and box.currentText() == "other"
    finally:
        sitter.away(qapp, stage, widget)


def test_what_is_typed_for_a_variable_stays_while_the_document_changes(qapp) -> None:
    stage, widget = sitter.seated(qapp, "variables", "after")
    try:
        in_front(stage.window)
        widget.choose(*next((g.id, v.name) for g, v in widget.run.played.variables))
        turn_until_shown()
        field = widget.findChild(QLineEdit, "variableName")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "half a na")
        stage.session.clips.set_length(stage.session.clip.id, 4.0)
        turn_until_shown()
        assert field.text() == "half a na"
    finally:
        sitter.away(qapp, stage, widget)
