"""Compiling the sheets of custom blends: a copy of the sheet's ops for each way of a machine."""

from copy import copy

from core.graph.compiler import MOST_NODES, Compiler
from core.graph.graph import Node, Sheet, SheetKind
from core.graph.language.values import FLOAT
from core.graph.machine_custom import SOURCE, TARGET, VALUES, TransitionInputOp
from core.graph.machine_parts import CustomBlend, MachineTransition
from core.graph.wires import Wires


def compile_custom(c: Compiler, sheet: Sheet, transition: MachineTransition) -> CustomBlend | None:
    """The ops of a custom blend's sheet, for one way of a machine; None, with a fault, where it cannot be.

    Parameters
    ----------
    sheet : the machine's
    """
    found = _sheet(c, sheet, transition)
    if found is None:
        return None
    child, first, row = copy(c), len(c.ops), len(c.builder.rows)
    child.known, child.prefix = {}, f"{c.prefix}{transition.name}/"
    child.under_way = [*c.under_way, ("custom", found.id)]
    child.scope = copy(c.scope)
    places = [c.builder.place(FLOAT) for _ in VALUES]
    child.scope.places = {**c.scope.places, **dict(zip(VALUES, places, strict=True))}
    child.wires = Wires(child)
    pins: dict[str, list[int]] = {SOURCE: [], TARGET: []}

    def given(where: Sheet, node: Node) -> int:
        which = str(node.parameters.get("input") or "")
        if which not in pins:
            c.fault(
                f"expected the input {SOURCE} or {TARGET}, got {which[:40]!r}", where.id, node.id, "input"
            )
            return c.rest(node.id)
        number = c.add(lambda at: TransitionInputOp(at, which), node.id)
        pins[which].append(number)
        return number

    child.given = given
    root = child.sheet_root(found)
    child.wires.finish()
    w, t, whole = (place.register for place in places)
    rows, ops = (row, len(c.builder.rows)), tuple(range(first, len(c.ops)))
    return CustomBlend(root, tuple(pins[SOURCE]), tuple(pins[TARGET]), (w, t, whole), rows, ops)


def _sheet(c: Compiler, sheet: Sheet, transition: MachineTransition) -> Sheet | None:
    """The sheet of a custom blend, where it can be compiled once more."""
    found = next((one for one in c.graph.sheets if one.id == transition.sheet), None)
    if found is None or found.kind is not SheetKind.POSE:
        c.fault("choose the pose sheet of its custom blend", sheet.id, transition.node, "sheet")
        return None
    if ("custom", found.id) in c.under_way:
        c.fault("the sheet of a custom blend holds its own machine", sheet.id, transition.node, "sheet")
        return None
    c.inlined[0] += len(found.nodes)
    if c.inlined[0] > MOST_NODES:
        c.fault(f"with its custom blends it has more than {MOST_NODES} nodes", sheet.id, transition.node)
        return None
    return found
