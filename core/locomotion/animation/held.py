"""How far feet are held from where their pose has them: what the node ``plant_feet`` keeps of them."""

import math

from core.graph.nodes.plant import PlantOp
from core.graph.nodes.planting import FOOT, HEAD
from core.graph.plan import Plan
from core.graph.state import State


def held_places(plan: Plan | None) -> tuple[int, int]:
    """Places of what is kept of the left foot and of the right one; −1 where nothing plants it."""
    found = [-1, -1]
    for op in () if plan is None else plan.ops:
        if isinstance(op, PlantOp):
            for number, leg in enumerate(op.legs):
                found[0 if leg.side > 0 else 1] = op.place.floats + HEAD + FOOT * number
    return found[0], found[1]


def feet_off(places: tuple[int, int], feet: State | None) -> tuple[float, float]:
    """Metres over the ground that the left foot and the right one were off their pose in the last step."""
    if feet is None:
        return 0.0, 0.0
    left, right = (
        0.0 if at < 0 else math.hypot(float(feet.floats[at]), float(feet.floats[at + 1])) for at in places
    )
    return left, right
