"""What states do when they are entered, full, left and gone: own variables set, events emitted.

Written as texts of the state's node, a statement each line or divided by semicolons: ``foot := curve('Foot')`` sets a
variable, ``emit('landed')`` emits an event. Values are those of the step's beginning, as of every expression; what is
set is read from the next step on.
"""

import re
from dataclasses import dataclass

import numpy as np

from core.graph.compiling import Compiling
from core.graph.events import EventKind
from core.graph.graph import Graph, Node, Role, Sheet, Variable
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import Kind, ValueType
from core.graph.machine_parts import Doing
from core.graph.names import near
from core.graph.op import Run

MOMENTS = (EventKind.ENTER, EventKind.FULL, EventKind.LEAVE, EventKind.GONE)
"""When a state does something; its literals have these names."""
MOST_STATEMENTS = 100
TOO_MANY = f"more than {MOST_STATEMENTS} statements"
_EMIT = re.compile(r"emit\(\s*(?:'([^']+)'|\"([^\"]+)\")\s*\)")
_PART = re.compile(r"'[^']*'|\"[^\"]*\"|[;\n]|[^'\";\n]+|['\"]")


def compile_doings(c: Compiling, sheet: Sheet, state: Node) -> dict[EventKind, tuple[Doing, ...]]:
    """What a state does at each moment; faults name the state and the text."""
    found = {}
    for moment in MOMENTS:
        text = state.literals.get(str(moment), "")
        if not text.strip():
            continue
        parts = statements(text)
        if len(parts) > MOST_STATEMENTS:
            c.fault(TOO_MANY, sheet.id, state.id, str(moment))
            continue
        made = [_doing(c, sheet, state, str(moment), part) for part in parts]
        found[moment] = tuple(do for do in made if do is not None)
    return found


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a text, and the 0-based column where it begins."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Emission:
    """``emit('event')``."""

    event: str


@dataclass(frozen=True, slots=True)
class Setting:
    """``variable := value``; the value is still text, which begins at a column of the whole text."""

    variable: Variable
    value: str
    column: int

    @property
    def type(self) -> ValueType:
        """What the value must be."""
        return ValueType(self.variable.kind, self.variable.enum if self.variable.kind is Kind.ENUM else "")


def statements(text: str) -> list[Statement]:
    """The statements of a text: divided by semicolons and line ends outside of quotes."""
    parts, begin = [], 0
    for piece in (*_PART.finditer(text), None):
        if piece is None or piece[0] in (";", "\n"):
            end = len(text) if piece is None else piece.start()
            part = text[begin:end]
            if part.strip():
                parts.append(Statement(part.strip(), begin + len(part) - len(part.lstrip())))
            begin = end + 1
    return parts


def emissions(text: str) -> list[str]:
    """The events that the statements of a text emit, in their order."""
    found = (_EMIT.fullmatch(statement.text) for statement in statements(text))
    return [emitted[1] or emitted[2] for emitted in found if emitted is not None]


def read_statement(graph: Graph, statement: Statement) -> Emission | Setting:
    """What a statement says, its value not looked at.

    Raises
    ------
    ExpressionError
        At its place in the whole text: it is neither of the two, or sets what is not there or not the graph's own.
    """
    text = statement.text
    emitted = _EMIT.fullmatch(text)
    if emitted is not None:
        return Emission(emitted[1] or emitted[2])
    name, sign, value = text.partition(":=")
    if not sign:
        reason = f"expected variable := value, or emit('event'), got {text[:60]!r}"
        raise ExpressionError(reason, text, statement.column, len(text))
    name = name.strip()
    variable = next((v for v in graph.variables if v.name == name), None)
    reason = ""
    if variable is None:
        known = [v.name for v in graph.variables if v.role is Role.OWN]
        reason = f"there is no variable {name[:60]!r}{near(name[:60], known)}"
    elif variable.role is not Role.OWN:
        reason = f"variable {name!r} is {variable.role}: only own variables are set here; change its role"
    if variable is None or reason:
        raise ExpressionError(reason, text, statement.column, len(name))
    return Setting(variable, value.strip(), statement.column + len(text) - len(value.lstrip()))


def _doing(c: Compiling, sheet: Sheet, state: Node, pin: str, statement: Statement) -> Doing | None:
    try:
        read = read_statement(c.graph, statement)
    except ExpressionError as error:
        c.fault(error.reason, sheet.id, state.id, pin, error.column)
        return None
    if isinstance(read, Setting):
        source = c.expression(read.value, read.type, sheet.id, state.id, pin, read.column).register
        return assignment(read.variable, c.scope.places[read.variable.name].register, source, read.type.width)
    event = read.event

    def emit(run: Run, moment: float) -> None:
        run.emit(EventKind.CUSTOM, event, moment, 1.0, state.id)

    return emit


def assignment(variable: Variable, target: int, source: int, width: int) -> Doing:
    """Sets a variable from a register, within its bounds."""

    def assign(run: Run, moment: float) -> None:
        values = run.registers[source : source + width]
        run.registers[target : target + width] = np.clip(values, variable.minimum, variable.maximum)

    return assign
