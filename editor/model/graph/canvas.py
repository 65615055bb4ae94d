"""The canvas without Qt: which graph and sheet is open, what is seen and selected, and the scene that follows."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from core.errors import ValidationError
from core.graph.edits import holder_of, sheet_of
from core.graph.graph import Graph, Sheet, SheetKind
from core.ids import AssetId
from core.project.project import Asset, Project
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.graph.builder import SceneBuilder
from editor.model.graph.geometry import Point, Rect, View, around
from editor.model.graph.in_hand import differing, in_hand
from editor.model.graph.layout import Layout, read_layout, with_layout
from editor.model.graph.live import LiveFrame, LiveGraph, NothingRuns
from editor.model.graph.scene import Scene
from editor.model.graph.state import CanvasState, Moving, Preview
from editor.model.history import History, Step, StepKind
from editor.model.i18n import tr
from editor.model.messages import Messages

REASON_NONE = tr("There is no graph yet: make one first")


class CanvasNotice(NamedTuple):
    """A line above the canvas, with a button that runs an action."""

    text: str
    button: str
    action: str


class Canvas:
    """State of the graph canvas.

    Attributes
    ----------
    changed : another scene: the document, the sheet
    moved : view, selection, what is under the pointer, or the gesture differ
    live_changed : another picture of the running graph
    notice, notice_changed : what is said above the canvas, None for nothing; it differs
    size : pixels of the widget that shows it
    """

    def __init__(
        self, document: Document, history: History, edits: Edits, evaluator: Evaluator, messages: Messages
    ) -> None:
        self._document, self._edits, self._evaluator = document, edits, evaluator
        self.messages = messages
        self.state = CanvasState()
        self.size: Point = (800.0, 600.0)
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self.live_changed: Event[None] = Event()
        self.notice: CanvasNotice | None = None
        self.notice_changed: Event[None] = Event()
        self.live: LiveGraph = NothingRuns()
        self._stop_live: Callable[[], None] = lambda: None
        self._views: dict[str, View] = {}
        self._builder = SceneBuilder()
        self._scene: tuple[object, object, Scene] | None = None
        self._shown: tuple[Scene, object, Scene] | None = None
        self._layout: tuple[Graph, Layout] | None = None
        document.changed.connect(lambda _: self._on_document())
        document.replaced.connect(lambda _: self._forget())
        history.stepped.connect(self._on_step)

    # ------------------------------------------------------------ what is open
    @property
    def project(self) -> Project:
        return self._document.project

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Graphs of the character."""
        rig = self._evaluator.rig
        return tuple(g for g in self.project.all(Graph) if rig is not None and g.rig == rig.id)

    @property
    def graph(self) -> Graph | None:
        """The open graph."""
        found = self.project.assets.get(self.state.graph) if self.state.graph is not None else None
        if isinstance(found, Graph) and (self._evaluator.rig is None or found.rig == self._evaluator.rig.id):
            return found
        return next(iter(self.graphs), None)

    @property
    def path(self) -> tuple[Sheet, ...]:
        """The open sheet after those that it lies in."""
        graph = self.graph
        if graph is None:
            return ()
        known: dict[str, Sheet] = {sheet.id: sheet for sheet in graph.sheets}
        found = [known[id] for id in self.state.path if id in known]
        if found:
            return tuple(found)
        return (graph.root,) if graph.root is not None else graph.sheets[:1]

    @property
    def sheet(self) -> Sheet | None:
        """The open sheet."""
        path = self.path
        return path[-1] if path else None

    @property
    def layout(self) -> Layout:
        """The layout of the open graph."""
        graph = self.graph
        if graph is None:
            return Layout()
        if self._layout is None or self._layout[0] is not graph:
            self._layout = (graph, read_layout(graph))
        return self._layout[1]

    def set_state(self, **changes: object) -> None:
        """Change parts of the state; equal ones tell nobody."""
        before = self.state
        if "pin" in changes:
            changes.setdefault("choice", None)
        after = replace(before, **changes)  # type: ignore[arg-type]
        if after == before:
            return
        self.state = after
        if (before.graph, before.path) != (after.graph, after.path):
            self.changed.emit(None)
        self.moved.emit(None)

    def open(self, graph: AssetId, sheet: str = "") -> None:
        """Open a graph, at its own sheet or another."""
        if graph != self.state.graph:
            self.set_state(graph=graph, path=(), selection=frozenset(), active="", pin=None)
        if sheet:
            self.enter(sheet)

    def enter(self, sheet: str) -> None:
        """Open a sheet of the graph; the path follows from where it lies."""
        graph = self.graph
        if graph is None or all(s.id != sheet for s in graph.sheets):
            return
        path = [sheet]
        while (holder := holder_of(graph, path[0])) is not None and holder[0].id not in path:
            path.insert(0, holder[0].id)
        self.set_state(graph=graph.id, path=tuple(path), selection=frozenset(), active="", pin=None)

    def go_out(self) -> bool:
        """Open the sheet around this one, with the node that opens it selected; False where there is none."""
        path = self.path
        graph = self.graph
        if graph is None or len(path) < 2:
            return False
        holder = holder_of(graph, path[-1].id)
        self.set_state(path=tuple(s.id for s in path[:-1]), selection=frozenset(), active="", pin=None)
        if holder is not None:
            self.select([holder[1].id])
        return True

    def show(self, item: str) -> None:
        """Open the sheet that an item is on, select it and bring it into view."""
        graph = self.graph
        if graph is None:
            return
        sheet = next((c.sheet for c in self.layout.comments if c.id == item), "")
        if any(s.id == item for s in graph.sheets):
            self.enter(item)
            return
        self.enter(sheet or sheet_of(graph, item).id)
        self.select([item])
        self.bring_into_view([item])

    def tree(self) -> list[tuple[Sheet, int]]:
        """Every sheet with its depth, in the order of the tree at the side."""
        graph = self.graph
        if graph is None:
            return []
        within: dict[str, list[Sheet]] = {}
        held: set[str] = set()
        for sheet in graph.sheets:
            for node in sheet.nodes:
                inner = next((s for s in graph.sheets if s.id == node.parameters.get("sheet")), None)
                if inner is not None and inner.id not in held:
                    held.add(inner.id)
                    within.setdefault(sheet.id, []).append(inner)
        found: list[tuple[Sheet, int]] = []
        waiting = [(s, 0) for s in reversed(graph.sheets) if s.id not in held]
        while waiting:
            sheet, depth = waiting.pop()
            found.append((sheet, depth))
            waiting += [(s, depth + 1) for s in reversed(within.get(sheet.id, []))]
        return found

    # ------------------------------------------------------------ the scene
    @property
    def committed(self) -> Scene | None:
        """The scene of the document, without the gesture in hand."""
        graph, sheet = self.graph, self.sheet
        if graph is None or sheet is None:
            return None
        project = self.project
        known = self._scene
        if known is None or known[0] is not sheet or known[1] is not project:
            scene = self._builder.scene(graph, project, sheet, self.layout)
            self._scene = (sheet, project, scene)
            return scene
        return known[2]

    @property
    def scene(self) -> Scene | None:
        """The scene as it is shown: with nodes where the gesture has them."""
        scene, state = self.committed, self.state
        if scene is None:
            return None
        gesture = (
            state.preview if isinstance(state.preview, Moving) else None,
            state.knot,
            state.sizing,
            state.scrubbed,
        )
        if gesture == (None, None, None, None):
            return scene
        if self._shown is None or self._shown[0] is not scene or self._shown[1] != gesture:
            self._shown = (scene, gesture, in_hand(scene, *gesture))
        return self._shown[2]

    @property
    def frame(self) -> LiveFrame | None:
        """What the open graph does now, where it runs."""
        graph = self.graph
        return None if graph is None else self.live.frame(graph.id)

    def show_live(self, live: LiveGraph) -> None:
        """Take what runs from somewhere."""
        self._stop_live()
        self.live = live
        self._stop_live = live.changed.connect(lambda _: self.live_changed.emit(None))
        self.live_changed.emit(None)

    def say(self, notice: CanvasNotice | None) -> None:
        """Say something above the canvas, or nothing more."""
        if notice != self.notice:
            self.notice = notice
            self.notice_changed.emit(None)

    # ------------------------------------------------------------ the view
    @property
    def view(self) -> View:
        """What is seen of the open sheet; all of it where it was never looked at."""
        sheet = self.sheet
        if sheet is None:
            return View()
        found = self._views.get(sheet.id)
        if found is None:
            scene = self.committed
            box = None if scene is None else scene.bounds()
            found = View() if box is None else View().fitted(box, self.size)
        return found

    @view.setter
    def view(self, view: View) -> None:
        sheet = self.sheet
        if sheet is not None and self._views.get(sheet.id) != view:
            self._views[sheet.id] = view
            self.moved.emit(None)

    def resize(self, size: Point) -> None:
        """The widget has another size; a sheet that was never moved stays fitted."""
        if size != self.size:
            self.size = size
            self.moved.emit(None)

    def settle_view(self) -> None:
        """Keep the view as it is from now on."""
        self.view = self.view

    def fit(self, items: Iterable[str] | None = None) -> None:
        """Show items, or everything, as large as they fit."""
        scene = self.scene
        if scene is None:
            return
        box = scene.bounds() if items is None else self._box(items)
        if box is not None:
            self.view = self.view.fitted(box, self.size)

    def fit_selection(self) -> None:
        """Show the selection, or everything where nothing is selected."""
        self.fit(self.state.selection or None)

    def bring_into_view(self, items: Iterable[str]) -> bool:
        """Go to items that are out of sight; False where they are seen already."""
        box = self._box(items)
        if box is None or self.view.seen(self.size).covers(box):
            return False
        fits = box.w * self.view.zoom <= self.size[0] and box.h * self.view.zoom <= self.size[1]
        if fits:
            self.view = self.view.centred(box.centre, self.size)
        else:
            self.view = self.view.fitted(box, self.size)
        return True

    def _box(self, items: Iterable[str]) -> Rect | None:
        scene = self.scene
        if scene is None:
            return None
        return around([rect for item in items if (rect := scene.item_rect(item)) is not None])

    # ------------------------------------------------------------ selection
    def select(self, items: Iterable[str], *, add: bool = False, remove: bool = False) -> None:
        """Select items: these alone, or these too, or no longer these."""
        items = list(items)
        chosen = set(items)
        if add:
            chosen |= self.state.selection
        elif remove:
            chosen = set(self.state.selection) - chosen
        active = items[-1] if items and not remove else self.state.active
        self.set_state(selection=frozenset(chosen), active=active if active in chosen else "", pin=None)

    def select_all(self) -> None:
        """Everything on the sheet."""
        scene = self.committed
        if scene is not None:
            items = [*scene.nodes, *(c.id for c in scene.comments), *(t.id for t in scene.sheet.transitions)]
            self.select(items)

    @property
    def selected_nodes(self) -> tuple[str, ...]:
        """Selected nodes of the open sheet, in its order."""
        sheet = self.sheet
        if sheet is None:
            return ()
        return tuple(str(n.id) for n in sheet.nodes if n.id in self.state.selection)

    def preview(self, preview: Preview | None) -> None:
        """Show a gesture, or none."""
        self.set_state(preview=preview)

    # ------------------------------------------------------------ edits
    def commit(self, label: str, graph: Graph, layout: Layout | None = None, *others: Asset) -> bool:
        """Make a graph (and others that change with it) the document's in one step."""
        if layout is not None:
            graph = with_layout(graph, layout)
        return self._edits.put(label, graph, *others)

    def require(self) -> tuple[Graph, Sheet]:
        """The open graph and sheet.

        Raises
        ------
        ValidationError
            There is none.
        """
        graph, sheet = self.graph, self.sheet
        if graph is None or sheet is None:
            raise ValidationError(REASON_NONE)
        return graph, sheet

    @property
    def is_machine(self) -> bool:
        """Whether a machine is open."""
        sheet = self.sheet
        return sheet is not None and sheet.kind is SheetKind.MACHINE

    # ------------------------------------------------------------ upkeep
    def _forget(self) -> None:
        self.state, self._views, self._scene, self._layout = CanvasState(), {}, None, None

    def _on_document(self) -> None:
        sheet = self.sheet
        if sheet is not None:
            known = {str(n.id) for n in sheet.nodes} | {str(t.id) for t in sheet.transitions}
            known |= {c.id for c in self.layout.comments}
            chosen = frozenset(i for i in self.state.selection if i in known or i[:2] in ("w:", "k:"))
            self.state = replace(
                self.state,
                selection=chosen,
                active=self.state.active if self.state.active in known else "",
                hovered="",
                hovered_pin=None,
                pin=self.state.pin if self.state.pin is not None and self.state.pin.node in known else None,
            )
        self.changed.emit(None)
        self.moved.emit(None)

    def _on_step(self, step: Step) -> None:
        """After undo and redo: go to what changed where it is out of sight."""
        graph = self.graph
        if step.kind is StepKind.DO or graph is None:
            return
        change = next((c for c in step.command.changes if c.id == graph.id), None)
        if change is None or not isinstance(change.before, Graph) or not isinstance(change.after, Graph):
            return
        sheet, items = differing(change.before, change.after)
        if sheet is None or all(s.id != sheet for s in graph.sheets):
            return
        if self.sheet is not None and sheet != self.sheet.id:
            self.enter(sheet)
        self.bring_into_view(items)
