"""Actions of the graph canvas; its keys are heard where it has the keyboard."""

from collections.abc import Callable
from functools import partial

from core.errors import ValidationError
from core.graph.falling_graph import falling_graph
from core.ids import new_id
from editor.actions.action import Action, Scope
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.tidying import SIDES
from editor.model.i18n import tr
from editor.model.session import Session

MENU = tr("Graph")


def _editor(session: Session) -> GraphEditor:
    return session.feature(GraphEditor)


def _open(session: Session) -> str:
    return "" if _editor(session).canvas.graph is not None else tr("there is no graph yet: make one first")


def _rig(session: Session) -> str:
    return "" if session.rig is not None else tr("open or import a character first")


def _nodes(session: Session) -> str:
    return _open(session) or ("" if _editor(session).canvas.selected_nodes else tr("select nodes first"))


def _chosen(session: Session) -> str:
    return _open(session) or ("" if _editor(session).canvas.state.selection else tr("nothing is selected"))


def _comment_chosen(session: Session) -> str:
    canvas = _editor(session).canvas
    known = {comment.id for comment in canvas.layout.comments}
    return _open(session) or ("" if known & canvas.state.selection else tr("select a comment frame first"))


def _inner(session: Session) -> str:
    return _open(session) or (
        "" if len(_editor(session).canvas.path) > 1 else tr("this is the outermost sheet")
    )


def _arrow(session: Session) -> str:
    canvas = _editor(session).canvas
    sheet = canvas.sheet
    known = set() if sheet is None else {str(t.id) for t in sheet.transitions}
    return "" if known & canvas.state.selection else tr("select a transition first")


def _clipboard(session: Session) -> str:
    return _open(session) or ("" if _editor(session).text.can_paste else tr("the clipboard holds no nodes"))


def new_graph(session: Session) -> None:
    """A graph for the character, open on the canvas."""
    editor, rig = _editor(session), session.rig
    assert rig is not None
    made = editor.nodes.new_graph(_free_name(editor, tr("graph")), rig.id)
    session.edits.put(tr("New graph"), made)
    editor.canvas.open(made.id)


def _free_name(editor: GraphEditor, wanted: str) -> str:
    names = {g.name for g in editor.canvas.graphs}
    name, number = wanted, 2
    while name in names:
        name, number = f"{wanted} {number}", number + 1
    return name


def _clip(session: Session) -> str:
    return _rig(session) or ("" if session.clip is not None else tr("open a clip first"))


def new_falling_graph(session: Session) -> None:
    """A graph that plays the clip, falls on a hit and gets up, open on the canvas."""
    editor, rig, clip = _editor(session), session.rig, session.clip
    assert rig is not None and clip is not None
    name = _free_name(editor, tr("falls and gets up"))
    made = falling_graph(rig, clip, session.document.project.clips, new_id("graph"), name)
    session.edits.put(tr("New ragdoll graph"), made)
    editor.canvas.open(made.id)


def _next_graph(session: Session) -> None:
    """Open the character's next graph on the canvas."""
    canvas = _editor(session).canvas
    graphs, now = [g.id for g in canvas.graphs], canvas.graph
    at = graphs.index(now.id) if now is not None and now.id in graphs else -1
    canvas.open(graphs[(at + 1) % len(graphs)])


def _new_sheet(session: Session) -> None:
    _editor(session).add_update_sheet()


def _open_active(session: Session) -> None:
    editor = _editor(session)
    pin, choice = editor.canvas.state.pin, editor.canvas.state.choice
    scene = editor.canvas.committed
    if choice is not None:
        editor.choice_wanted.emit(choice)
        return
    if pin is not None and not pin.output and scene is not None:
        view = scene.nodes[pin.node].pin(pin.pin)
        if view is not None and view.literal is not None:
            editor.literal_wanted.emit(pin)
            return
    items = sorted(editor.canvas.state.selection)
    item = editor.canvas.state.active or (items[0] if items else "")
    editor.open_item(item)


def _choose(session: Session) -> None:
    """Open the list of what the node plays or works on."""
    editor = _editor(session)
    node = editor.canvas.state.active or editor.canvas.selected_nodes[0]
    place = editor.choosing.first(node)
    if place is None:
        raise ValidationError(tr("Nothing is chosen from a list on this node"))
    editor.choice_wanted.emit(place)


def _rename(session: Session) -> None:
    editor = _editor(session)
    editor.text_wanted.emit(editor.canvas.state.active or editor.canvas.selected_nodes[0])


def _swap(session: Session) -> None:
    editor = _editor(session)
    node, scene = editor.canvas.selected_nodes[0], editor.canvas.committed
    assert scene is not None
    editor.search_wanted.emit(SearchWanted(scene.places[node], swap=node))


def _comment(session: Session) -> None:
    editor = _editor(session)
    canvas = editor.canvas
    middle = canvas.view.to_scene((canvas.size[0] / 2.0, canvas.size[1] / 2.0))
    made = editor.tidying.comment(middle)
    if made is not None:
        editor.text_wanted.emit(made)


def _fold_pins(session: Session) -> None:
    editor = _editor(session)
    chosen = editor.canvas.selected_nodes
    editor.nodes.fold(chosen, not set(chosen) <= editor.canvas.layout.folded)


def _copy(session: Session) -> None:
    count = _editor(session).text.copy()
    session.messages.info(tr("Copied 1 node") if count == 1 else tr("Copied {count} nodes", count=count))


def _nudge_rank(by: int, session: Session) -> None:
    canvas = _editor(session).canvas
    sheet = canvas.sheet
    assert sheet is not None
    found = next(str(t.id) for t in sheet.transitions if t.id in canvas.state.selection)
    _editor(session).machines.nudge(found, by)


def _uses(session: Session) -> None:
    editor = _editor(session)
    scene = editor.canvas.committed
    node = scene.nodes[editor.canvas.selected_nodes[0]] if scene is not None else None
    editor.find_wanted.emit("" if node is None else node.title)


def actions() -> list[Action]:
    """Declared once, for menu, palette and shortcuts."""

    def made(
        id: str,
        title: str,
        run: Callable[[Session], object] | None,
        *keys: str,
        section: str = "edit",
        enabled: Callable[[Session], str] = _open,
        icon: str = "",
        tip: str = "",
    ) -> Action:
        return Action(
            f"graph.{id}", title, run, keys, Scope.GRAPH, MENU, section, icon=icon, enabled=enabled, tip=tip
        )

    found = [
        Action("graph.new", tr("New graph"), new_graph, menu=MENU, section="graph", icon="new", enabled=_rig),
        Action("graph.new_falling", tr("New ragdoll graph"), new_falling_graph, menu=MENU, section="graph",
               enabled=_clip, tip=tr("Plays the clip, falls as a ragdoll when the variable hit is set, and gets up")),
        made("next_graph", tr("Open the next graph"), _next_graph, "Ctrl+PgDown", section="graph"),
        made("new_update", tr("New update sheet"), _new_sheet, section="graph",
             tip=tr("A sheet of actions: set variables, play montages, on events and changes")),
        made("add", tr("Add node…"), None, "Tab", "Shift+A", section="graph", icon="add",
             tip=tr("Search for a node, clip, variable or function; on a pin it comes connected")),
        made("open", tr("Open sheet or edit"), _open_active, "Return", "Enter", section="graph", enabled=_chosen),
        made("out", tr("Out of the sheet"), lambda s: _editor(s).canvas.go_out(), "Backspace", "Alt+Left",
             section="graph", enabled=_inner),
        made("cut", tr("Cut nodes"), lambda s: _editor(s).text.cut(), "Ctrl+X", enabled=_chosen,
             tip=tr("To the clipboard; the wires that they leave are joined")),
        made("copy", tr("Copy nodes"), _copy, "Ctrl+C", enabled=_chosen, icon="copy"),
        made("paste", tr("Paste nodes"), None, "Ctrl+V", enabled=_clipboard, icon="paste"),
        made("duplicate", tr("Duplicate nodes"), lambda s: _editor(s).text.duplicate(), "Ctrl+D",
             enabled=_nodes, icon="duplicate"),
        made("delete", tr("Delete nodes"), lambda s: _editor(s).nodes.delete(), "Del", enabled=_chosen,
             icon="delete"),
        made("delete_heal", tr("Delete and join wires"), lambda s: _editor(s).nodes.delete(heal=True),
             "Shift+Del", enabled=_chosen),
        made("rename", tr("Rename node"), _rename, "F2", enabled=_nodes),
        made("choose", tr("Choose on the node…"), _choose, enabled=_nodes,
             tip=tr("Clip, blend space, bone, mask, slot, curve or montage of the node, from a list with search")),
        made("swap", tr("Swap node…"), _swap, enabled=_nodes,
             tip=tr("Put another kind of node in its place; wires of equal pins stay")),
        made("fold_pins", tr("Hide or show unused pins"), _fold_pins, "H", enabled=_nodes),
        made("fold", tr("Fold to function"), lambda s: _editor(s).functions.fold(), "Ctrl+G", enabled=_nodes,
             tip=tr("The selected nodes become a linked graph, with its inputs found")),
        made("unfold", tr("Unfold function"),
             lambda s: _editor(s).functions.unfold(_editor(s).canvas.selected_nodes[0]), "Ctrl+Shift+G",
             enabled=_nodes),
        made("comment", tr("Comment frame"), _comment, "C", section="frame"),
        made("comment_color", tr("Next comment colour"),
             lambda s: _editor(s).tidying.next_color(_editor(s).canvas.state.selection), section="frame",
             enabled=_comment_chosen),
        made("select_all", tr("Select all nodes"), lambda s: _editor(s).canvas.select_all(), "Ctrl+A",
             section="select"),
        made("fit", tr("Fit selected nodes"), lambda s: _editor(s).canvas.fit_selection(), "F", section="view"),
        made("fit_all", tr("Fit all nodes"), lambda s: _editor(s).canvas.fit(), "A", "Home", section="view",
             icon="frame"),
        made("straighten", tr("Straighten wires"), lambda s: _editor(s).tidying.straighten(), "Q",
             section="places", enabled=_nodes),
        made("tidy", tr("Tidy nodes"), lambda s: _editor(s).tidying.tidy(), "L", section="places"),
        made("distribute_level", tr("Distribute nodes sideways"),
             lambda s: _editor(s).tidying.distribute(upright=False), section="places", enabled=_nodes),
        made("distribute_upright", tr("Distribute nodes up and down"),
             lambda s: _editor(s).tidying.distribute(upright=True), section="places", enabled=_nodes),
        made("earlier", tr("Look at the transition earlier"), partial(_nudge_rank, -1), "Alt+PgUp",
             section="machine", enabled=_arrow),
        made("later", tr("Look at the transition later"), partial(_nudge_rank, 1), "Alt+PgDown",
             section="machine", enabled=_arrow),
        Action(
            "graph.transition_ghosts", tr("Ghosts of the transition"),
            lambda s: s.switches.toggle("transition_ghosts"), menu=MENU, section="machine",
            checked=lambda s: s.switches["transition_ghosts"],
            tip=tr("The selected transition's source, middle and target in the viewport, without running it"),
        ),
        made("find", tr("Find and replace in the graph…"), None, "Ctrl+F", section="find", icon="search"),
        made("find_uses", tr("Find uses"), _uses, section="find", enabled=_nodes),
        made("problems", tr("Graph problems"), None, section="find"),
        made("cancel", tr("Cancel or clear the selection"), None, "Esc", section="find"),
    ]  # fmt: skip
    names = {
        "left": tr("left edges"), "right": tr("right edges"), "top": tr("top edges"), "bottom": tr("bottom edges"),
        "centre": tr("centres, upright"), "middle": tr("middles, level"),
    }  # fmt: skip
    for side in SIDES:
        title = tr("Align nodes by {side}", side=names[side])
        run = partial(_align, side)
        found.append(made(f"align_{side}", title, run, section="places", enabled=_nodes))
    for way, key in (("left", "Left"), ("right", "Right"), ("up", "Up"), ("down", "Down")):
        words = {"left": tr("left"), "right": tr("right"), "up": tr("above"), "down": tr("below")}[way]
        found += [
            made(f"walk_{way}", tr("Go to the node {way}", way=words), partial(_walk, way), key, section="walk"),
            made(f"move_{way}", tr("Move nodes one square: {way}", way=words), partial(_move, way), f"Ctrl+{key}",
                 section="walk", enabled=_nodes),
            made(f"connect_{way}", tr("Connect to the node {way}", way=words), partial(_connect, way),
                 f"Ctrl+Shift+{key}", section="walk", enabled=_nodes),
        ]  # fmt: skip
    found += [
        made("next_pin", tr("Next pin"), lambda s: _editor(s).walking.step_pin(1), "Alt+Down", section="walk"),
        made("previous_pin", tr("Previous pin"), lambda s: _editor(s).walking.step_pin(-1), "Alt+Up",
             section="walk"),
    ]  # fmt: skip
    return found


def _align(side: str, session: Session) -> None:
    _editor(session).tidying.align(side)


def _walk(way: str, session: Session) -> None:
    _editor(session).walking.walk(way)


def _move(way: str, session: Session) -> None:
    dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[way]
    _editor(session).tidying.nudge(dx, dy)


def _connect(way: str, session: Session) -> None:
    if not _editor(session).walking.connect(way):
        session.messages.info(tr("They are connected already"))
