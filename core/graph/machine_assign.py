"""What states do when they are entered, full, left and gone: own variables set, events emitted.

Written as texts of the state's node, a statement each line or divided by semicolons: ``foot := curve('Foot')`` sets a
variable, ``emit('landed')`` emits an event. Values are those of the step's beginning, as of every expression; what is
set is read from the next step on.
"""

import re

import numpy as np

from core.graph.compiling import Compiling
from core.graph.events import EventKind
from core.graph.graph import Node, Role, Sheet, Variable
from core.graph.language.values import Kind, ValueType
from core.graph.machine_parts import Doing
from core.graph.names import near
from core.graph.op import Run

MOMENTS = (EventKind.ENTER, EventKind.FULL, EventKind.LEAVE, EventKind.GONE)
"""When a state does something; its literals have these names."""
MOST_STATEMENTS = 100
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
            c.fault(f"more than {MOST_STATEMENTS} statements", sheet.id, state.id, str(moment))
            continue
        made = [_statement(c, sheet, state, str(moment), part) for part in parts]
        found[moment] = tuple(do for do in made if do is not None)
    return found


def statements(text: str) -> list[str]:
    """The statements of a text: divided by semicolons and line ends outside of quotes."""
    parts = [""]
    for piece in _PART.findall(text):
        if piece in (";", "\n"):
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


def _statement(c: Compiling, sheet: Sheet, state: Node, pin: str, text: str) -> Doing | None:
    emitted = _EMIT.fullmatch(text)
    if emitted is not None:
        name = emitted[1] or emitted[2]

        def emit(run: Run, moment: float) -> None:
            run.emit(EventKind.CUSTOM, name, moment, 1.0, state.id)

        return emit
    name, sign, value = text.partition(":=")
    if not sign:
        c.fault(f"expected variable := value, or emit('event'), got {text[:60]!r}", sheet.id, state.id, pin)
        return None
    name = name.strip()
    variable = next((v for v in c.graph.variables if v.name == name), None)
    if variable is None:
        known = [v.name for v in c.graph.variables if v.role is Role.OWN]
        c.fault(f"there is no variable {name[:60]!r}{near(name[:60], known)}", sheet.id, state.id, pin)
        return None
    if variable.role is not Role.OWN:
        c.fault(
            f"variable {name!r} is {variable.role}: only own variables are set here; change its role",
            sheet.id, state.id, pin,
        )  # fmt: skip
        return None
    type_ = ValueType(variable.kind, variable.enum if variable.kind is Kind.ENUM else "")
    source = c.expression(value.strip(), type_, sheet.id, state.id, pin).register
    return assignment(variable, c.scope.places[name].register, source, type_.width)


def assignment(variable: Variable, target: int, source: int, width: int) -> Doing:
    """Sets a variable from a register, within its bounds."""

    def assign(run: Run, moment: float) -> None:
        values = run.registers[source : source + width]
        run.registers[target : target + width] = np.clip(values, variable.minimum, variable.maximum)

    return assign
