"""What is dragged from other panels onto the canvas becomes a node."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from core.blending.blend_space import BlendSpace
from core.graph.graph import Graph, SheetKind
from core.graph.montage import Montage
from core.io import load
from editor.model.graph.editor import GraphEditor
from editor.model.opening import sample_path
from editor.qt.drags import DragSource
from tests.editor.stage import stage
from tests.editor.user import ALT, NONE

PANELS = ("clips", "graph", "graph_run", "variables", "blend_space", "montage")


@pytest.fixture(scope="module")
def sample():
    return load(sample_path()).project


@pytest.fixture
def here(qapp, sample):
    with stage(qapp, *PANELS, project=lambda: sample) as made:
        made.window.use_workspace("graph")
        made.window.show_panel("graph")
        made.canvas = made.session.feature(GraphEditor).canvas
        made.canvas.open(next(g for g in sample.all(Graph) if g.name == "moves").id)
        made.user.settle()
        yield made


def drag_of(here, handle: str) -> QMimeData:
    """Drag by a handle; Qt's own loop of a drag cannot be fed by a test, so its data is caught where it begins."""
    widget = here.user.find(handle)
    (source,) = widget.findChildren(DragSource)
    caught, made = [], source.data
    source.data = lambda: caught.append(made())
    middle = widget.rect().center()
    here.user.drag(widget, middle, (middle.x() + 30, middle.y() + 4))
    source.data = made
    assert len(caught) == 1
    return caught[0]


def drop(here, data: QMimeData, at, held=NONE) -> None:
    view = here.user.find("graphCanvas")
    spot = QPointF(view.pixel(at))
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    for event in (
        QDragEnterEvent(spot.toPoint(), copy, data, left, held),
        QDragMoveEvent(spot.toPoint(), copy, data, left, held),
        QDropEvent(spot, copy, data, left, held),
    ):
        QApplication.sendEvent(view, event)
        assert event.isAccepted()
    here.user.settle()


def free(here):
    """A place of the sheet where nothing is."""
    scene = here.canvas.committed
    boxes = [scene.rect(id) for id in scene.nodes]
    return max(box.right for box in boxes) + 120.0, max(box.bottom for box in boxes) + 80.0


def added(here, before):
    return [n for n in here.canvas.sheet.nodes if n.id not in {o.id for o in before}]


def test_variable_becomes_a_node_that_gets_it_and_with_alt_one_that_sets_it(here):
    here.window.show_panel("variables")
    here.user.settle()
    before = here.canvas.sheet.nodes
    drop(here, drag_of(here, "name.speed"), free(here))
    (node,) = added(here, before)
    assert (node.kind, node.parameters) == ("get", {"variable": "speed"})
    sheet = next((s for s in here.canvas.graph.sheets if s.kind is SheetKind.UPDATE), None)
    assert sheet is not None
    here.canvas.enter(sheet.id)
    here.user.settle()
    before = here.canvas.sheet.nodes
    drop(here, drag_of(here, "name.speed"), free(here), ALT)
    (node,) = added(here, before)
    assert (node.kind, node.parameters) == ("set", {"variable": "speed"})


def test_click_on_a_variable_opens_its_settings_and_drags_nothing(here):
    here.window.show_panel("variables")
    here.user.settle()
    here.user.click("name.speed")
    assert here.user.find("variableName").text() == "speed"


def test_blend_space_becomes_a_node_and_on_a_machine_a_state(here):
    here.window.show_panel("blend_space")
    here.user.settle()
    space = here.session.document.project.all(BlendSpace)[0]
    before = here.canvas.sheet.nodes
    drop(here, drag_of(here, "blendGrip"), free(here))
    (node,) = added(here, before)
    assert node.kind in ("blend_space", "aim_offset") and node.parameters["space"] == space.id
    machine = next(s for s in here.canvas.graph.sheets if s.kind is SheetKind.MACHINE)
    here.canvas.enter(machine.id)
    before = here.canvas.sheet.nodes
    drop(here, drag_of(here, "blendGrip"), free(here))
    (state,) = added(here, before)
    assert (state.kind, state.name) == ("state", space.name)


def test_montage_becomes_its_slot_and_on_an_update_sheet_a_node_that_plays_it(here):
    here.window.show_panel("montage")
    here.user.settle()
    montage = here.session.document.project.all(Montage)[0]
    before = here.canvas.sheet.nodes
    drop(here, drag_of(here, "montageGrip"), free(here))
    (node,) = added(here, before)
    assert (node.kind, node.parameters["slot"]) == ("slot", montage.tracks[0].slot)
    sheet = next(s for s in here.canvas.graph.sheets if s.kind is SheetKind.UPDATE)
    here.canvas.enter(sheet.id)
    before = here.canvas.sheet.nodes
    drop(here, drag_of(here, "montageGrip"), free(here))
    (node,) = added(here, before)
    assert (node.kind, node.parameters["montage"]) == ("play_montage", montage.name)


def test_clip_from_the_list_becomes_a_state_of_a_machine(here):
    view = here.user.find("clips")
    data = view.model().mimeData([here.user.row(view, "wave")])
    machine = next(s for s in here.canvas.graph.sheets if s.kind is SheetKind.MACHINE)
    here.canvas.enter(machine.id)
    before = here.canvas.sheet.nodes
    drop(here, data, free(here))
    (state,) = added(here, before)
    assert (state.kind, state.name) == ("state", "wave")
