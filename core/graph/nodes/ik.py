"""IK nodes: two-bone, chain (CCD, FABRIK, or a set-up of the rig) and look-at. `core.ik.solve` does the work."""

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import QUATERNION, VECTOR
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.ik.solve import IkGoal, solve, target_in_model
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.virtual_bones import Derived, derived_from, find


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a goal or pole stands: a target of the rig's, or values of the step in its space.

    Parameters
    ----------
    place, turn : registers of the position and rotation that stand in for the target's; −1 for none
    """

    target: IkTarget
    place: int = -1
    turn: int = -1

    def now(self, run: Run) -> IkTarget:
        """The target of this step."""
        target = self.target
        if self.place >= 0:
            x, y, z = (float(v) for v in reading.vector(run, self.place))
            target = replace(target, position=(x, y, z))
        if self.turn >= 0:
            i, j, k, w = (float(v) for v in reading.quaternion(run, self.turn))
            target = replace(target, rotation=(i, j, k, w))
        return target


class IkOp(ModifierOp):
    """Solves one chain.

    Parameters
    ----------
    goal : where it reaches; pole : where the bend points, None keeps the present bend
    """

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        setup: IkSetup,
        goal: Aim,
        pole: Aim | None,
    ) -> None:
        super().__init__(where, inputs, alpha)
        self.setup, self.goal, self.pole = setup, goal, pole

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with the chain on its goal, or as near as it comes."""
        on_bones = any(aim is not None and aim.target.bone for aim in (self.goal, self.pole))
        # Only goals that hang on a bone need to know where bones are.
        model = down_chain(run.rig.skeleton.parents, base.local) if on_bones else base.local
        derived = self._derived(run)
        position, rotation = self._place(run, self.goal, model, derived)
        pole = None if self.pole is None else self._place(run, self.pole, model, derived)[0]
        result = solve(run.rig, base.local, self.setup, IkGoal(position, rotation, pole))
        return Output(result.local, base.curves, base.present, base.motion)

    def _derived(self, run: Run) -> Derived | None:
        """Virtual bones as the pose had them before any node changed it; None where none is a goal."""
        named = [aim.target.bone for aim in (self.goal, self.pole) if aim is not None and aim.target.bone]
        if all(find(run.rig, bone or "") is None for bone in named):
            return None
        return derived_from(run.rig, down_chain(run.rig.skeleton.parents, self.origin(run).local))

    def _place(
        self, run: Run, aim: Aim, model: Transform, derived: Derived | None
    ) -> tuple[FloatArray, FloatArray]:
        return target_in_model(aim.now(run), run.rig, model, run.character, derived)


def _aim(c: Compiler, sheet: Sheet, node: Node, pin: str, given: IkTarget | None = None) -> Aim:
    """Goal or pole by the pins ``pin`` and ``pin_rotation`` and the parameters ``pin_space`` and ``pin_bone``."""
    known = given or IkTarget()
    space = IkSpace(
        reading.choice(c, sheet, node, f"{pin}_space", [str(s) for s in IkSpace], str(known.space))
    )
    bone: str | None = None
    if space is IkSpace.BONE:
        if known.bone and not reading.text(node, f"{pin}_bone"):
            bone = known.bone
        else:
            bone = reading.bone(c, sheet, node, f"{pin}_bone", virtual=True)
        if bone is None:
            space = IkSpace.MODEL
    target = replace(known, space=space, bone=bone)
    wired = has_value(c, sheet, node, pin)
    place = c.value(sheet, node, pin, VECTOR, "vec(0, 0, 0)") if wired or given is None else -1
    turn = -1
    if has_value(c, sheet, node, f"{pin}_rotation"):
        turn = c.value(sheet, node, f"{pin}_rotation", QUATERNION, "axis_angle(vec(0, 1, 0), 0)")
    return Aim(target, place, turn)


def has_value(c: Compiler, sheet: Sheet, node: Node, pin: str) -> bool:
    """Whether a pin is wired or typed."""
    return pin in node.literals or c.link(sheet, node.id, pin) is not None


def _pole(c: Compiler, sheet: Sheet, node: Node, given: IkTarget | None = None) -> Aim | None:
    if given is None and not has_value(c, sheet, node, "pole"):
        return None
    return _aim(c, sheet, node, "pole", given)


def _added(
    c: Compiler, node: Node, base: int, alpha: Alpha, setup: IkSetup, goal: Aim, pole: Aim | None
) -> int:
    return c.add(lambda at: IkOp(at, (base,), alpha, setup, goal, pole), node.id, node.name)


def _two_bone(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    tip, skeleton = reading.bone(c, sheet, node, "bone"), c.rig.skeleton
    goal, pole = _aim(c, sheet, node, "goal"), _pole(c, sheet, node)
    end = reading.choice(
        c, sheet, node, "end_rotation", [str(e) for e in EndRotation], str(EndRotation.MODEL)
    )
    soft = reading.number(c, sheet, node, "soft", 0.0, 0.0, 0.99)
    start = reading.number(c, sheet, node, "stretch_start", 1.0, 0.01, 10.0)
    limit = reading.number(c, sheet, node, "stretch_limit", 1.0, 1.0, 10.0)
    if tip is None:
        return base
    lower = skeleton.parent(skeleton.index(tip))
    upper = skeleton.parent(lower) if lower >= 0 else -1
    if upper < 0:
        c.fault(f"{tip!r} has no two bones above it; choose the end of a limb", sheet.id, node.id, "bone")
        return base
    setup = IkSetup(
        node.name.replace("/", " ") or tip.replace("/", " "), skeleton.names[upper], tip, IkSolver.TWO_BONE,
        end_rotation=EndRotation(end), soft=soft, stretch_start=start, stretch_limit=limit,
    )  # fmt: skip
    return _added(c, node, base, alpha, setup, goal, pole)


def _chain(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    wanted = reading.text(node, "setup")
    if wanted:
        try:
            setup = c.rig.ik_setup(wanted)
        except AnimError as error:
            c.fault(f"{error}; choose one, or root and tip", sheet.id, node.id, "setup")
            return base
        if setup.solver is IkSolver.TWO_BONE and _bones_of(c, setup.root, setup.tip) != 2:
            c.fault(
                f"IK set-up {wanted!r}: a two-bone chain needs two bones above its tip; choose CCD or FABRIK",
                sheet.id, node.id, "setup",
            )  # fmt: skip
            return base
        goal = _aim(c, sheet, node, "goal", setup.goal)
        pole = None if setup.pole is None else _pole(c, sheet, node, setup.pole)
        return _added(c, node, base, alpha, setup, goal, pole)
    root, tip = (reading.bone(c, sheet, node, name) for name in ("root", "tip"))
    solver = reading.choice(c, sheet, node, "solver", ("ccd", "fabrik"), "ccd")
    goal = _aim(c, sheet, node, "goal")
    steps = int(reading.number(c, sheet, node, "iterations", 20, 1, 200))
    tolerance = reading.number(c, sheet, node, "tolerance", 1e-3, 1e-9, 1.0)
    if root is None or tip is None:
        return base
    if _bones_of(c, root, tip) < 1:
        c.fault(f"bone {tip!r} is not below {root!r}; choose a tip further out", sheet.id, node.id, "tip")
        return base
    setup = IkSetup(
        node.name.replace("/", " ") or "chain", root, tip, IkSolver(solver), tolerance=tolerance,
        iterations=steps, use_limits=reading.truth(node, "use_limits", True),
    )  # fmt: skip
    return _added(c, node, base, alpha, setup, goal, None)


def _bones_of(c: Compiler, root: str, tip: str) -> int:
    """Bones of a chain above its tip; 0 where the tip is not below the root."""
    skeleton, count = c.rig.skeleton, 0
    bone, top = skeleton.index(tip), skeleton.index(root)
    while bone >= 0 and bone != top:
        bone, count = skeleton.parent(bone), count + 1
    return count if bone == top else 0


def _look(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    bone, goal = reading.bone(c, sheet, node, "bone"), _aim(c, sheet, node, "goal")
    axes = [reading.numbers(c, sheet, node, name, axis) for name, axis in (
        ("axis", (0.0, 0.0, 1.0)), ("up_axis", (0.0, 1.0, 0.0)),
    )]  # fmt: skip
    limit = reading.number(c, sheet, node, "limit", 180.0, 0.0, 180.0)
    lengths = [float(np.linalg.norm(axis)) for axis in axes]
    if min(lengths) < 1e-9:
        c.fault("expected an axis of some length", sheet.id, node.id, "axis")
        return base
    if bone is None:
        return base
    forward, up = (tuple(x / size for x in axis) for axis, size in zip(axes, lengths, strict=True))
    setup = IkSetup(
        node.name.replace("/", " ") or bone.replace("/", " "), bone, bone, IkSolver.AIM,
        aim_axis=forward, up_axis=up, aim_limit=limit,  # type: ignore[arg-type]
    )  # fmt: skip
    return _added(c, node, base, alpha, setup, goal, None)


KINDS: dict[str, Kind] = {"two_bone_ik": _two_bone, "chain_ik": _chain, "look_at": _look}
