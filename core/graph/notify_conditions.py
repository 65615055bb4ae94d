"""The ``while`` expressions of notifies, checked and completed without compiling a graph."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ValidationError
from core.graph.graph import Graph
from core.graph.language import syntax
from core.graph.language.compiler import compile_expression
from core.graph.language.completion import Completion
from core.graph.language.functions import FUNCTIONS
from core.graph.language.program import ProgramBuilder
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL
from core.graph.scope import READS, GraphScope

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*$")
_WORDS = ("and", "or", "not", "true", "false", "if")


@dataclass(frozen=True, slots=True)
class ConditionError:
    """What is wrong with an expression.

    Parameters
    ----------
    column : 0-based place in the text, −1 for all of it
    """

    message: str
    column: int = -1


def condition_error(text: str, graphs: Sequence[Graph], bones: Sequence[str] = ()) -> ConditionError | None:
    """What is wrong with a condition, None where one of the graphs that can play it takes it.

    Parameters
    ----------
    graphs : those of the rig; without any only the form is checked, for then nothing is known of names
    bones : names of the rig's bones
    """
    if not text.strip():
        return None
    if not graphs:
        return _form_error(text)
    first: ConditionError | None = None
    for graph in graphs:
        scope = GraphScope(graph, ProgramBuilder(), [], {}, bones=tuple(bones))
        try:
            compile_expression(text, scope, scope.builder, BOOL)
        except ExpressionError as error:
            first = first or ConditionError(error.reason, error.column)
        except ValidationError as error:
            first = first or ConditionError(str(error))
        else:
            return None
    return first


def _form_error(text: str) -> ConditionError | None:
    try:
        syntax.parse(text)
    except ExpressionError as error:
        return ConditionError(error.reason, error.column)
    return None


def completions(text: str, cursor: int, graphs: Sequence[Graph]) -> tuple[Completion, ...]:
    """Words that go on with what stands in front of the cursor: variables, then functions; none for a whole one."""
    found = _WORD.search(text[:cursor])
    begun = found.group().lower() if found else ""
    begin = found.start() if found else cursor
    every: dict[str, str] = {}
    for graph in graphs:
        for variable in graph.variables:
            every.setdefault(variable.name, f"{variable.kind} · {graph.name}")
    for name, what in READS.items():
        every.setdefault(name, f"{name}({', '.join(what)})")
    for name, function in FUNCTIONS.items():
        every.setdefault(name, function.help)
    every |= dict.fromkeys(_WORDS, "")
    if not begun:
        names = [variable.name for graph in graphs for variable in graph.variables]
        return tuple(Completion(name, begin, cursor, every[name]) for name in dict.fromkeys(names))
    if any(name.lower() == begun for name in every):
        return ()
    fits = sorted(
        (name for name in every if begun in name.lower()),
        key=lambda name: not name.lower().startswith(begun),
    )
    return tuple(Completion(name, begin, cursor, every[name]) for name in fits)
