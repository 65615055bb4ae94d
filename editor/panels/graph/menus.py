"""The menus of the canvas."""

from PySide6.QtWidgets import QMenu, QWidget

from editor.model.graph.editor import GraphEditor
from editor.qt.panel import PanelContext

EDIT = ("graph.cut", "graph.copy", "graph.paste", "graph.duplicate", "graph.delete", "graph.delete_heal")
PLACES = (
    "graph.straighten",
    "graph.tidy",
    "graph.align_left",
    "graph.align_top",
    "graph.distribute_level",
    "graph.distribute_upright",
)


def item_menu(editor: GraphEditor, context: PanelContext, parent: QWidget) -> QMenu:
    """What can be done with the selection."""
    canvas = editor.canvas
    scene, chosen = canvas.committed, canvas.state.selection
    nodes = [scene.nodes[id] for id in canvas.selected_nodes] if scene is not None else []
    ids: list[str | None] = []
    if len(chosen) == 1:
        ids += ["graph.open"]
    if len(nodes) == 1:
        ids += ["graph.rename", "graph.swap", "graph.find_uses"]
    if any(n.inputs for n in nodes):
        ids += ["graph.fold_pins"]
    if any(n.kind == "linked_graph" for n in nodes):
        ids += ["graph.unfold"]
    if nodes and not canvas.is_machine:
        ids += ["graph.fold"]
    if scene is not None and any(str(t.id) in chosen for t in scene.sheet.transitions):
        ids += ["graph.earlier", "graph.later"]
    if nodes or any(str(t.id) in chosen for t in (scene.sheet.transitions if scene is not None else ())):
        ids += [None, "graph.break", "graph.watch"]
    if scene is not None and any(str(t.id) in chosen for t in scene.sheet.transitions):
        ids += ["graph.why"]
    if any(c.id in chosen for c in canvas.layout.comments):
        ids += ["graph.comment_color"]
    if ids:
        ids.append(None)
    ids += list(EDIT)
    if nodes:
        ids += [None, "graph.comment", *PLACES]
    return context.window.menu_of(ids, parent)
