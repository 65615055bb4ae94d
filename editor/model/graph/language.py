"""Help with expressions while they are typed: completion, errors with their place, the value now."""

from dataclasses import dataclass

from core.errors import ValidationError
from core.graph.catalogue.pins import Form, PinKind
from core.graph.graph import Graph, Role, SheetKind
from core.graph.language.compiler import compile_expression
from core.graph.language.completion import Completion
from core.graph.language.functions import FUNCTIONS
from core.graph.language.program import ProgramBuilder
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL, ValueType
from core.graph.machine_assign import (
    MOST_STATEMENTS,
    TOO_MANY,
    Setting,
    emissions,
    read_statement,
    statements,
)
from core.graph.montage import Montage
from core.graph.scope import READS, GraphScope
from editor.model.graph.canvas import Canvas
from editor.model.graph.choices import Choices
from editor.model.graph.state import PinPlace

MOST = 12


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a text, and where."""

    message: str
    column: int
    length: int = 1


class Language:
    """Answers for the open graph."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def fault(self, text: str, type_: ValueType | None) -> Fault | None:
        """The first thing that is wrong with an expression; None where it is right, or empty."""
        graph = self._canvas.graph
        return None if graph is None or not text.strip() else self._wrong(graph, text, type_)

    def _wrong(self, graph: Graph, text: str, type_: ValueType | None) -> Fault | None:
        builder = ProgramBuilder()
        rig = next((r for r in self._canvas.project.rigs if r.id == graph.rig), None)
        bones = () if rig is None else tuple(rig.skeleton.names)
        scope = GraphScope(graph, builder, [], {}, bones=bones)
        try:
            compile_expression(text, scope, builder, type_)
        except ExpressionError as error:
            return Fault(error.reason, error.column, error.length)
        except ValidationError as error:
            return Fault(str(error), 0, len(text))
        return None

    def statement_fault(self, text: str) -> Fault | None:
        """The first thing that is wrong with what a state does at a moment; None where it is right, or empty."""
        graph = self._canvas.graph
        if graph is None:
            return None
        parts = statements(text)
        if len(parts) > MOST_STATEMENTS:
            return Fault(TOO_MANY, parts[MOST_STATEMENTS].column, len(text))
        for part in parts:
            try:
                read = read_statement(graph, part)
            except ExpressionError as error:
                return Fault(error.reason, error.column, error.length)
            if isinstance(read, Setting):
                fault = self._wrong(graph, read.value, read.type)
                if fault is not None:
                    return Fault(fault.message, read.column + fault.column, fault.length)
        return None

    def type_of(self, place: PinPlace) -> ValueType | None:
        """What must be typed into a pin."""
        scene = self._canvas.committed
        view = None if scene is None else scene.nodes.get(place.node)
        pin = None if view is None else view.pin(place.pin)
        return None if pin is None or pin.pin.kind is not PinKind.VALUE else pin.pin.type

    def value(self, text: str) -> str:
        """What an expression is now, where the graph runs."""
        graph, sheet = self._canvas.graph, self._canvas.sheet
        if graph is None or not text.strip():
            return ""
        machine = str(sheet.id) if sheet is not None and sheet.kind is SheetKind.MACHINE else ""
        return self._canvas.live.value(graph.id, text, machine)

    # ------------------------------------------------------------ completion
    def completions(self, text: str, cursor: int, type_: ValueType | None = None) -> list[Completion]:
        """What could stand at the cursor, what begins with what is typed first; nothing where a name is complete."""
        graph = self._canvas.graph
        if graph is None:
            return []
        quoted = _open_quote(text[:cursor])
        if quoted is not None:
            return self._quoted(graph, text, cursor, quoted)
        begin = cursor
        while begin > 0 and (text[begin - 1].isalnum() or text[begin - 1] == "_"):
            begin -= 1
        typed = text[begin:cursor].casefold()
        if typed[:1].isdigit() or (not typed and text.strip()):
            return []
        known = self._names(graph, type_)
        if any(name.casefold() == typed for name, _ in known):
            return []
        fits = [(name, help) for name, help in known if typed in name.casefold()]
        fits.sort(key=lambda row: not row[0].casefold().startswith(typed))
        return [Completion(n, begin, cursor, h) for n, h in fits][:MOST]

    def statement_completions(self, text: str, cursor: int) -> list[Completion]:
        """What could stand at the cursor of what a state does: the begin of a statement, or words of its value."""
        graph, before = self._canvas.graph, text[:cursor]
        if graph is None:
            return []
        quoted = _open_quote(before)
        if quoted is not None and quoted[0] == "emit":
            return self._quoted(graph, text, cursor, quoted)
        parts = statements(before)
        typed = parts[-1].text if parts and before.rstrip().endswith(parts[-1].text) else ""
        if quoted is not None or ":=" in typed:
            return self.completions(text, cursor)
        begin = parts[-1].column if typed else cursor
        own = [(f"{v.name} := ", str(v.kind)) for v in graph.variables if v.role is Role.OWN]
        known = [*own, ("emit('", "event")]
        fits = [Completion(n, begin, cursor, h) for n, h in known if typed.casefold() in n.casefold()]
        return sorted(fits, key=lambda c: not c.text.casefold().startswith(typed.casefold()))[:MOST]

    def _names(self, graph: Graph, type_: ValueType | None) -> list[tuple[str, str]]:
        found = [(v.name, str(v.kind)) for v in graph.variables]
        if type_ is not None and type_.enum:
            found = [(f"'{m}'", type_.enum) for m in graph.enums.get(type_.enum, ())] + found
        if type_ == BOOL:
            found += [("true", ""), ("false", "")]
        found += [(f"{name}(", f.help) for name, f in FUNCTIONS.items()]
        found += [(f"{name}('" if names else name, ", ".join(names)) for name, names in READS.items()]
        return [*found, ("and", ""), ("or", ""), ("not", ""), ("dt", "seconds of the step")]

    def _quoted(self, graph: Graph, text: str, cursor: int, quoted: tuple[str, int]) -> list[Completion]:
        function, begin = quoted
        typed = text[begin:cursor].casefold()
        names = [n for n in self._arguments(graph, function) if typed in n.casefold()]
        close = "" if text[cursor : cursor + 1] in ("'", '"') else text[begin - 1] + ")"
        return [Completion(n + close, begin, cursor) for n in sorted(names)][:MOST]

    def _arguments(self, graph: Graph, function: str) -> list[str]:
        """Names that a function takes."""
        wanted = READS.get(function, ("",))[:1]
        project = self._canvas.project
        nodes = [n for s in graph.sheets for n in s.nodes if n.name]
        by_kind = {
            "trigger": [v.name for v in graph.variables if v.role == "trigger"],
            "machine": [n.name for n in nodes if n.kind == "machine"],
            "montage": [m.name for m in project.all(Montage) if m.rig == graph.rig],
            "player": [n.name for n in nodes if n.kind in ("clip", "blend_space")],
            "node": [n.name for n in nodes],
            **{kind: [n.name for n in nodes if n.kind == kind] for kind in ("ragdoll", "get_up")},
            "bone": [b for r in project.rigs if r.id == graph.rig for b in r.skeleton.names],
            "name": self.curves(graph) if function == "curve" else self.events(graph),
        }
        if function == "map":
            return list(graph.maps)
        if function == "emit":
            return self.events(graph)
        return by_kind.get(
            wanted[0] if wanted else "", [s for n in nodes for s in [n.name] if n.kind == "state"]
        )

    def curves(self, graph: Graph) -> list[str]:
        """Names of the curves of the character's clips."""
        return [o.value for o in Choices(graph, self._canvas.project).of(Form.CURVE)]

    def events(self, graph: Graph) -> list[str]:
        """Names of notifies, and of events that the graph emits."""
        clips = [c for c in self._canvas.project.clips if c.rig == graph.rig]
        own = {str(n.parameters.get("event") or "") for s in graph.sheets for n in s.of_kind("emit_event")}
        nodes = (n for s in graph.sheets if s.kind is SheetKind.MACHINE for n in s.nodes)
        emitted = {name for n in nodes for text in n.literals.values() for name in emissions(text)}
        return sorted({n.name for c in clips for n in c.notifies} | emitted | own - {""})


def _open_quote(before: str) -> tuple[str, int] | None:
    """The function whose quoted argument is being typed, and where that begins."""
    quote = ""
    at = 0
    for k, letter in enumerate(before):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote, at = letter, k
    if not quote:
        return None
    head = before[:at].rstrip()
    if not head.endswith("("):
        return "", at + 1
    word = ""
    for letter in reversed(head[:-1].rstrip()):
        if not (letter.isalnum() or letter == "_"):
            break
        word = letter + word
    return word, at + 1
