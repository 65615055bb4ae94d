"""Where a planted foot is put: within reach of its leg, its sole not under the ground, its ankle within its limit.

The twin of what `core.math.kernel_graph_plant` does of this.
"""

import math

from core.graph.nodes.planting import SINKS, SMALL, World
from core.ik.leg import (
    Leg,
    Quat,
    Vec,
    add,
    cross,
    dot,
    multiply,
    of_rotation_vector,
    rotate,
    scaled,
    size,
    sub,
)


def rolled(leg: Leg, hip: Vec, most: float, to: Vec, turn: Quat, held: float) -> tuple[Vec, Quat]:
    """A held foot that its leg does not reach, rolled over the point of its sole that is under its toe.

    Parameters
    ----------
    hip, most : where the leg begins, and how far it reaches
    to, turn : place and rotation of the foot in the character's space
    held : how far it is held

    Returns
    -------
    Both, as far as `held` goes; the same where the leg reaches, or would not however the foot rolls.
    """
    lever = rotate(turn, leg.toe)
    toe = add(to, lever)
    way, out = sub(toe, hip), sub(to, hip)
    near_, far, short = size(lever), size(way), size(out)
    if held <= 0.0 or short <= most or far >= most + near_ or far <= abs(most - near_) + SMALL:
        return to, turn
    ahead = scaled(way, 1.0 / far)
    along = dot(out, ahead)
    side = sub(out, scaled(ahead, along))
    wide = size(side)
    if wide < SMALL:
        return to, turn
    x = (most * most - near_ * near_ + far * far) / (2.0 * far)
    y = math.sqrt(max(most * most - x * x, 0.0))
    ankle = add(hip, add(scaled(ahead, x), scaled(side, y / wide)))
    before, after = scaled(lever, -1.0), sub(ankle, toe)
    axis = cross(before, after)
    wide = size(axis)
    if wide < SMALL:
        return to, turn
    angle = math.atan2(wide, dot(before, after)) * held
    roll = of_rotation_vector(scaled(axis, angle / wide))
    return add(toe, rotate(roll, before)), multiply(roll, turn)


def lifted(leg: Leg, hip: Vec, most: float, to: Vec, turn: Quat, world: World) -> Vec:
    """A place of the ankle in the character's space, high enough that the sole does not go under the ground.

    Parameters
    ----------
    hip, most : where the leg begins, and how far it reaches: the sole is looked at where the foot comes to
    """
    way = sub(to, hip)
    far = size(way)
    if far > most:
        to = add(hip, scaled(way, most / far))
    soles = [add(to, rotate(turn, p)) for p in (leg.heel, leg.toe)]
    heights, _ = world.ground(soles)
    deep = max(y - p[1] for y, p in zip(heights, soles, strict=True)) - SINKS
    return (to[0], to[1] + deep, to[2]) if deep > 0.0 else to


def beside(leg: Leg, to: Vec, turn: Quat, within: Quat) -> tuple[Vec, Quat]:
    """Place and rotation of a foot that turns no farther: its toe stays where its heel rises by that, else its heel."""
    before, after = (rotate(q, sub(leg.toe, leg.heel)) for q in (turn, within))
    point = leg.toe if after[1] < before[1] else leg.heel
    return add(to, sub(rotate(turn, point), rotate(within, point))), within
