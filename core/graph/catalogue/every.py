"""What every kind of node has: its pins with their types, and its parameters with what they may be.

The compiler reads pins and parameters where it makes the ops; this is the same told beforehand, for editors. A test
holds both together.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.graph.catalogue.pins import (
    POSE_OUT,
    Build,
    Form,
    Parameter,
    Shape,
    Surroundings,
    choice,
    plain,
    pose,
    truth,
    value,
)
from core.graph.catalogue.poses import POSES
from core.graph.catalogue.values import UPDATE, VALUES
from core.graph.graph import Node, SheetKind
from core.graph.language.values import BOOL


@dataclass(frozen=True, slots=True)
class NodeType:
    """A kind of node.

    Parameters
    ----------
    sheet : kinds of sheets that it stands on
    shape : its pins and parameters, by the node
    """

    kind: str
    sheets: tuple[SheetKind, ...]
    shape: Build


POSE_SHEET, UPDATE_SHEET, MACHINE_SHEET = (SheetKind.POSE,), (SheetKind.UPDATE,), (SheetKind.MACHINE,)

MACHINE: dict[str, Build] = {
    "state": plain(
        (), (),
        (Parameter("sheet", Form.SHEET), choice("reset", ("when_irrelevant", "always", "never"), "when_irrelevant")),
    ),
    "conduit": plain((value("rule", BOOL, "true"),), ()),
    "any": plain((), (), (Parameter("states", Form.STATES), truth("to_self"))),
    "entry": plain((), ()),
    "exit": plain((), ()),
}  # fmt: skip

NODE_TYPES: Mapping[str, NodeType] = {
    **{kind: NodeType(kind, POSE_SHEET, build) for kind, build in POSES.items()},
    **{kind: NodeType(kind, POSE_SHEET + UPDATE_SHEET, build) for kind, build in VALUES.items()},
    **{kind: NodeType(kind, UPDATE_SHEET, build) for kind, build in UPDATE.items()},
    **{kind: NodeType(kind, MACHINE_SHEET, build) for kind, build in MACHINE.items()},
}
"""Every kind of node that a graph holds."""


def shape_of(node: Node, around: Surroundings) -> Shape:
    """Pins and parameters of a node; a kind that is not known has the pins that are wired."""
    found = NODE_TYPES.get(node.kind)
    if found is None:
        return Shape(tuple(pose(name) for name in around.wired), POSE_OUT)
    shape = found.shape(node, around)
    stray = [name for name in around.wired if shape.input(name) is None]
    if stray:  # a wire to a pin that is gone must be seen to be cut
        shape = Shape((*shape.inputs, *(pose(name) for name in stray)), shape.outputs, shape.parameters)
    return shape
