"""The ragdoll node: what of it is compiled to `core.graph.nodes.ragdoll_op`."""

import numpy as np

from core.errors import AnimError
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import BOOL, FLOAT
from core.graph.nodes import reading
from core.graph.nodes.bodies import MOVES, bodies_of, unavailable
from core.graph.nodes.ragdoll_op import Pull, RagdollOp, RagdollPins


def _ragdoll(c: Compiler, sheet: Sheet, node: Node) -> int:
    wired = c.link(sheet, node.id, "pose") is not None
    base = c.pose(sheet, node, "pose") if wired else c.rest(node.id)
    count = int(reading.number(c, sheet, node, "count", 0, 0, reading.MOST_PINS))
    active = c.value(sheet, node, "active", BOOL, "true")
    pulls = [_pull(c, sheet, node, "")]
    pulls += [_pull(c, sheet, node, f"_{k + 1}") for k in range(count)]
    frequency = c.value(sheet, node, "frequency", FLOAT, "6")
    root, gravity = (
        c.value(sheet, node, "root_strength", FLOAT, "0"),
        c.value(sheet, node, "gravity", FLOAT, "1"),
    )
    moves = reading.choice(c, sheet, node, "character", MOVES, MOVES[0])
    try:
        bodies = bodies_of(c)
        powered = count > 0 or any(
            pin in node.literals or c.link(sheet, node.id, pin) is not None
            for pin in ("strength", "root_strength")
        )
        pins = RagdollPins(active, frequency, root, gravity, tuple(pulls), powered, moves)
        number = c.add(lambda at: RagdollOp(at, (base,), bodies, pins), node.id, node.name)
    except AnimError as error:
        c.fault(f"its rig has no bodies: {error}", sheet.id, node.id)
        return base
    missing = unavailable()
    if missing:
        c.warn(missing, sheet.id, node.id)
    return number


def _pull(c: Compiler, sheet: Sheet, node: Node, ending: str) -> Pull:
    strength = c.value(sheet, node, f"strength{ending}", FLOAT, "0" if not ending else "1")
    blend = c.value(sheet, node, f"blend{ending}", FLOAT, "1")
    bones = reading.bone_weights(c, sheet, node, ending) if ending else np.ones(len(c.rig.skeleton))
    return Pull(strength, blend, bones)


KINDS: dict[str, Kind] = {"ragdoll": _ragdoll}
