"""The inertialise node."""

import numpy as np

from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.inertial import FLOATS, INTS, POSES, Inertial
from core.graph.language.program import Op
from core.graph.language.values import BOOL, FLOAT
from core.graph.nodes import reading
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer


class InertialiseOp(PoseOp):
    """Inertialises its pose when asked: by its pin ``request``, or by the update sheet.

    Parameters
    ----------
    request, seconds : registers
    """

    INTS = INTS
    FLOATS = FLOATS
    POSES = POSES
    POSE = "inertialise"
    serves_requests = True

    def __init__(self, where: OpPlace, inputs: tuple[int], request: int, seconds: int) -> None:
        super().__init__(where, inputs)
        self.request, self.seconds = request, seconds
        self.inertial = Inertial(self)

    def packed(self, packer: Packer) -> Packed:
        """The register of the request."""
        return Packed((self.request,))

    def restart(self, run: Run) -> None:
        """Forget the outputs."""
        self.inertial.restart(run)

    def pose(self, run: Run) -> Output:
        """The pose, with what is left of the offset at the last request."""
        found = run.output(self.inputs[0])
        if run.dt > 0.0 and (run.value(self.request) != 0.0 or self.number in run.requests):
            passed = self.span(run) - run.requests.get(self.number, 0.0)
            self.inertial.begin(run, run.value(self.seconds), max(passed, 0.0))
        return self.inertial.put_on(run, found)


def _inertialise(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    asked = c.value(sheet, node, "request", BOOL, "false")
    before = c.builder.emit(Op.PREVIOUS, BOOL, asked)
    still = c.builder.emit(Op.NOT, BOOL, before.register)
    request = c.builder.emit(Op.AND, BOOL, asked, still.register).register
    seconds = c.value(sheet, node, "seconds", FLOAT, "0.2")
    factors = reading.bone_weights(c, sheet, node)
    out = node.parameters.get("bones_out") or ()
    for name in out if isinstance(out, tuple) else (out,):
        row = c.rig.skeleton.find(str(name))
        if row is None:
            c.fault(f"bones_out: there is no bone {str(name)[:60]!r}", sheet.id, node.id, "bones_out")
        else:
            factors[row] = 0.0
    curves = np.zeros(len(c.table))
    missing = node.parameters.get("curves_out") or ()
    for name in missing if isinstance(missing, tuple) else (missing,):
        if str(name) in c.table.index:
            curves[c.table.index[str(name)]] = 1.0
    number = c.add(lambda at: InertialiseOp(at, (base,), request, seconds), node.id, node.name)
    op = c.ops[number]
    assert isinstance(op, InertialiseOp)
    op.inertial.factors = None if (factors == 1.0).all() else factors
    op.inertial.curves_out = curves if curves.any() else None
    return number


KINDS: dict[str, Kind] = {"inertialise": _inertialise}
