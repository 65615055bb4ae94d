"""IK set-ups inside a rig's document."""

from core.io.native.schema import Document
from core.json_values import Value
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkSpace, IkTarget

_SPACES = {str(space): space for space in IkSpace}
_SOLVERS = {str(solver): solver for solver in IkSolver}
_ENDS = {str(end): end for end in EndRotation}


def ik_document(setup: IkSetup) -> Document:
    """The set-up as JSON values."""
    return {
        "name": setup.name,
        "root": setup.root,
        "tip": setup.tip,
        "solver": str(setup.solver),
        "goal": _target_document(setup.goal),
        "pole": None if setup.pole is None else _target_document(setup.pole),
        "enabled": setup.enabled,
        "weight": setup.weight,
        "end_rotation": str(setup.end_rotation),
        "soft": setup.soft,
        "stretch": [setup.stretch_start, setup.stretch_limit],
        "stiffness": dict(setup.stiffness),
        "step": setup.step,
        "use_limits": setup.use_limits,
        "tolerance": setup.tolerance,
        "iterations": setup.iterations,
        "aim_axis": list(setup.aim_axis),
        "up_axis": list(setup.up_axis),
        "aim_limit": setup.aim_limit,
    }


def ik_setup(value: Value) -> IkSetup:
    """The set-up of a document."""
    stretch = value.floats("stretch", 2)
    return IkSetup(
        value.text("name"),
        value.text("root"),
        value.text("tip"),
        value.choice("solver", _SOLVERS),
        _target(value.object("goal")),
        _target(value.object("pole")) if value.required("pole") is not None else None,
        value.flag("enabled"),
        value.number("weight", 1.0),
        value.choice("end_rotation", _ENDS),
        value.number("soft", 0.0),
        float(stretch[0]),
        float(stretch[1]),
        value.numbers("stiffness"),
        value.number("step", 180.0),
        value.flag("use_limits"),
        value.number("tolerance", 1e-3),
        value.integer("iterations", 50),
        _three(value, "aim_axis"),
        _three(value, "up_axis"),
        value.number("aim_limit", 180.0),
    )


def _target_document(target: IkTarget) -> Document:
    return {
        "space": str(target.space),
        "bone": target.bone,
        "position": list(target.position),
        "rotation": list(target.rotation),
    }


def _target(value: Value) -> IkTarget:
    x, y, z, w = value.floats("rotation", 4).tolist()
    bone = value.text("bone") if value.required("bone") is not None else None
    return IkTarget(value.choice("space", _SPACES), bone, _three(value, "position"), (x, y, z, w))


def _three(value: Value, key: str) -> tuple[float, float, float]:
    x, y, z = value.floats(key, 3).tolist()
    return (x, y, z)
