"""The body plan inside a rig's document."""

from core.io.native.schema import Document
from core.json_values import Value
from core.rig.body_edits import fitting
from core.rig.body_plan import AxisRange, Body, BodyPlan, Capsule
from core.rig.skeleton import Skeleton


def body_plan_document(plan: BodyPlan) -> Document:
    """The plan as JSON values."""
    return {
        "bodies": [
            {
                "bone": body.bone,
                "start": list(body.capsule.start),
                "end": list(body.capsule.end),
                "radius": body.capsule.radius,
                "mass": body.mass,
                "axes": [
                    {"axis": list(axis.axis), "minimum": axis.minimum, "maximum": axis.maximum}
                    for axis in body.axes
                ],
                "damping": body.damping,
            }
            for body in plan.bodies
        ],
        "ignored": [list(pair) for pair in plan.ignored],
    }


def body_plan(value: Value, skeleton: Skeleton) -> BodyPlan | None:
    """The plan of a document, without bodies of bones that the skeleton lacks; None where none is left."""
    return fitting(tuple(_body(body) for body in value.objects("bodies")), _pairs(value), skeleton)


def _body(value: Value) -> Body:
    capsule = Capsule(_three(value, "start"), _three(value, "end"), value.number("radius", 0.0))
    axes = tuple(
        AxisRange(_three(axis, "axis"), axis.number("minimum", 0.0), axis.number("maximum", 0.0))
        for axis in value.objects("axes")
    )
    return Body(value.text("bone"), capsule, value.number("mass", 0.0), axes, value.number("damping", 1.0))


def _pairs(value: Value) -> tuple[tuple[str, str], ...]:
    pairs = []
    for number, pair in enumerate(value.items("ignored")):
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)):
            raise value.error(f"expected two names, got {str(pair)[:60]}", f"ignored[{number}]")
        pairs.append((pair[0], pair[1]))
    return tuple(pairs)


def _three(value: Value, key: str) -> tuple[float, float, float]:
    x, y, z = value.floats(key, 3).tolist()
    return (x, y, z)
