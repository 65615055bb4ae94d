"""What is wrong with the open graph: found by compiling it after edits, with quick fixes."""

from core.errors import AnimError
from core.graph import edits
from core.graph.compile import compile_graph
from core.graph.graph import Graph
from core.graph.problems import GraphError, Problem
from core.project.project import Project
from editor.model.events import Event
from editor.model.graph.canvas import Canvas
from editor.model.graph.fixes import Fix, fixes_of
from editor.model.graph.naming import named, spelled


class Problems:
    """Compiles when asked (the panel asks a moment after an edit) and keeps what it found.

    Attributes
    ----------
    changed : other problems
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.found: tuple[Problem, ...] = ()
        self.changed: Event[None] = Event()
        self._of: tuple[Graph | None, Project | None] = (None, None)

    @property
    def due(self) -> bool:
        """Whether the document has changed since it was last looked at."""
        return self._of[0] is not self._canvas.graph or self._of[1] is not self._canvas.project

    def check(self) -> None:
        """Compile the open graph and note what is wrong."""
        graph, project = self._canvas.graph, self._canvas.project
        if not self.due:
            return
        if self._of[0] is not None and graph is not None and _alike(self._of[0], graph):
            others = self._of[1]
            if others is not None and _others_alike(others, project, graph):
                self._of = (graph, project)  # only the layout differs, which the plan never sees
                return
        self._of = (graph, project)
        found: tuple[Problem, ...] = ()
        if graph is not None:
            try:
                found = compile_graph(graph, project).warnings
            except GraphError as error:
                found = error.problems
            except AnimError as error:
                found = (Problem(str(error)),)
        if found != self.found:
            self.found = found
            self.changed.emit(None)

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Those that keep the graph from running."""
        return tuple(p for p in self.found if not p.warning)

    def of(self, item: str) -> tuple[Problem, ...]:
        """Problems of one node or transition."""
        return tuple(p for p in self.found if p.node == item)

    def place(self, problem: Problem) -> str:
        """Where it is, in words with a colon behind; empty where no node or transition is to blame."""
        graph = self._canvas.graph
        if graph is None or not problem.node:
            return ""
        try:
            node = edits.node_in(graph, problem.node)
            name = node.name or named(node.kind).title
        except AnimError:
            try:
                transition = edits.transition_in(graph, problem.node)
                ends = [edits.node_in(graph, id).name for id in (transition.source, transition.target)]
                name = " → ".join(ends)
            except AnimError:
                return ""
        pin = f" › {spelled(problem.pin)}" if problem.pin else ""
        return f"{name}{pin}: "

    def badges(self) -> dict[str, bool]:
        """Node, transition, and node that opens a sheet with a problem → whether it is only a warning."""
        graph = self._canvas.graph
        marks: dict[str, bool] = {}
        if graph is None:
            return marks
        for problem in self.found:
            if problem.node:
                marks[problem.node] = marks.get(problem.node, True) and problem.warning
            sheet = problem.sheet
            seen: set[str] = set()
            while sheet and sheet not in seen and (holder := edits.holder_of(graph, sheet)) is not None:
                seen.add(sheet)
                marks[holder[1].id] = marks.get(holder[1].id, True) and problem.warning
                sheet = holder[0].id
        return marks

    def go(self, problem: Problem) -> None:
        """Open the sheet of a problem, select its node and bring it into view."""
        graph = self._canvas.graph
        if graph is None:
            return
        known = {
            str(x)
            for s in graph.sheets
            for x in (s.id, *(n.id for n in s.nodes), *(t.id for t in s.transitions))
        }
        item = next((i for i in (problem.node, problem.sheet) if i in known), "")
        if item:
            self._canvas.show(item)

    def fixes(self, problem: Problem) -> tuple[Fix, ...]:
        """What can be done about a problem by a click."""
        return fixes_of(problem)

    def fix(self, fix: Fix) -> bool:
        """Do a quick fix in one step."""
        graph, _ = self._canvas.require()
        made, layout = fix.make(graph, self._canvas.layout)
        return self._canvas.commit(fix.title, made, layout)


def _alike(a: Graph, b: Graph) -> bool:
    """Whether two versions differ in their layout alone."""
    names = ("sheets", "variables", "slots", "enums", "maps", "sync_groups")
    return (a.name, a.rig) == (b.name, b.rig) and all(getattr(a, n) is getattr(b, n) for n in names)


def _others_alike(a: Project, b: Project, graph: Graph) -> bool:
    """Whether nothing but one graph differs."""
    rest = [{k: id(v) for k, v in p.assets.items() if k != graph.id} for p in (a, b)]
    return rest[0] == rest[1]
