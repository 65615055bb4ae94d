"""A leg of one pose in plain numbers: where its bones are, and a two-bone solve that bends about the knee's axis.

For steps that run sixty times a second on two legs: arrays of three numbers cost more than the numbers. Bones are
posed by their rows of local translations ``(B, 3)`` and rotations ``(B, 4)``; bones' scales count as 1.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.ik.ground import Foot, find_feet
from core.math import quat
from core.math.transform import down_chain
from core.rig.rig import LimitKind, Rig
from core.rig.roles import Role, rig_roles

Vec = tuple[float, float, float]
Quat = tuple[float, float, float, float]

POLE = 0.30
"""Metres ahead of the calf, at rest, where a leg's pole is."""
STRAIGHT, BENT = 0.05, 0.35
"""Sines of a knee's bend up to which it bends about the leg's own hinge, and from which about the axis that thigh and
calf show: of a leg that is nearly straight they show none."""
LONGEST = 0.99
"""Share of its length that a leg reaches."""
LEAST = 1e-9


# ------------------------------------------------------------------------- plain numbers
def add(a: Vec, b: Vec) -> Vec:
    """A + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: Vec, b: Vec) -> Vec:
    """A − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: Vec, s: float) -> Vec:
    """a·s."""
    return a[0] * s, a[1] * s, a[2] * s


def dot(a: Vec, b: Vec) -> float:
    """Dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """Cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def size(a: Vec) -> float:
    """Length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def multiply(a: Quat, b: Quat) -> Quat:
    """A * b, b first."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def inverse(q: Quat) -> Quat:
    """Of a unit rotation."""
    return -q[0], -q[1], -q[2], q[3]


def rotate(q: Quat, v: Vec) -> Vec:
    """A vector turned."""
    x, y, z, w = q
    a, b, c = v
    tx, ty, tz = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx


def unit(q: Quat) -> Quat:
    """A rotation at length 1; the identity where it has none."""
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n) if n > LEAST else (0.0, 0.0, 0.0, 1.0)


def about(axis: Vec, degrees: float) -> Quat:
    """A turn about a unit axis."""
    half = math.radians(degrees) / 2.0
    s = math.sin(half)
    return axis[0] * s, axis[1] * s, axis[2] * s, math.cos(half)


def turned_about_up(v: Vec, degrees: float) -> Vec:
    """A vector turned about +Y, to the left positive."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]


def of_rotation_vector(v: Vec) -> Quat:
    """The rotation of a rotation vector, radians."""
    angle = size(v)
    if angle < 1e-12:
        return unit((v[0] / 2.0, v[1] / 2.0, v[2] / 2.0, 1.0))
    s = math.sin(angle / 2.0) / angle
    return v[0] * s, v[1] * s, v[2] * s, math.cos(angle / 2.0)


def up_to(normal: Vec, most: float) -> Vec:
    """Rotation vector from straight up to a unit normal, at most so many radians long."""
    flat = math.hypot(normal[0], normal[2])
    angle = min(math.atan2(flat, normal[1]), most)
    return (normal[2] * angle / flat, 0.0, -normal[0] * angle / flat) if flat > LEAST else (0.0, 0.0, 0.0)


# ------------------------------------------------------------------------- legs
class Leg(NamedTuple):
    """A leg's bones by number, and what its rest pose says of it.

    Parameters
    ----------
    chain : from the first bone of the skeleton down to the foot
    upper, lower : places of thigh and calf in it; the foot is its last
    pole : in the thigh's own frame, `POLE` ahead of the calf
    hinge : in the thigh's own frame, the axis that the knee bends about where it is straight
    heel, toe : points of the sole in the foot's own frame; where toes bend, the second is under the ball
    ankle : metres of the foot bone over its sole at rest
    rest : the foot's local rotation at rest
    axis, cone : what of the foot leans, in its rest frame, and by how many radians from there; π without a limit
    """

    chain: tuple[int, ...]
    upper: int
    lower: int
    pole: Vec
    hinge: Vec
    heel: Vec
    toe: Vec
    ankle: float
    side: int
    rest: Quat = (0.0, 0.0, 0.0, 1.0)
    axis: Vec = (0.0, 1.0, 0.0)
    cone: float = math.pi

    @property
    def foot(self) -> int:
        """The foot bone."""
        return self.chain[-1]


class Placed(NamedTuple):
    """A leg of a pose in model space: places and rotations along its chain."""

    places: list[Vec]
    turns: list[Quat]


def find_legs(rig: Rig, feet: Sequence[Foot]) -> tuple[Leg, ...]:
    """Legs of the feet that were found (`core.ik.ground.find_feet`)."""
    skeleton = rig.skeleton
    rest = down_chain(skeleton.parents, skeleton.rest)
    legs = []
    for foot in feet:
        thigh, calf = skeleton.index(foot.leg.upper), skeleton.index(foot.leg.lower)
        end = skeleton.index(foot.leg.end or "")
        chain = _path(rig, end)
        into = quat.conjugate(rest.rotation[thigh])
        down = rest.translation[calf] - rest.translation[thigh]
        pole = quat.rotate(into, down + np.array([0.0, 0.0, POLE]))
        axis = np.cross(down, np.array([0.0, 0.0, 1.0]))
        axis = axis / max(float(np.linalg.norm(axis)), LEAST)
        scale = rest.scale[end]
        sole = rest.translation[end] + quat.rotate(rest.rotation[end], scale * foot.heel)
        toe = scale * foot.toe
        if foot.leg.toe is not None:  # toes bend: the foot itself ends under the ball
            ball = rest.translation[skeleton.index(foot.leg.toe)].copy()
            ball[1] = sole[1]
            toe = quat.rotate(quat.conjugate(rest.rotation[end]), ball - rest.translation[end])
        legs.append(
            Leg(
                chain, chain.index(thigh), chain.index(calf), _vec(pole), _vec(quat.rotate(into, -axis)),
                _vec(scale * foot.heel), _vec(toe), float(rest.translation[end][1] - sole[1]),
                foot.leg.side, _quat(skeleton.rest.rotation[end]), *_cone(rig, skeleton.names[end]),
            )
        )  # fmt: skip
    return tuple(legs)


def _cone(rig: Rig, foot: str) -> tuple[Vec, float]:
    """The axis of a foot's joint limit, and how far it leans in radians."""
    limit = rig.limits.get(foot)
    if limit is None or limit.kind is not LimitKind.CONE_TWIST:
        return (0.0, 1.0, 0.0), math.pi
    return limit.axis, math.radians(limit.cone)


def body_legs(rig: Rig) -> tuple[int, tuple[Leg, ...]] | None:
    """Number of the hips and the legs that hang on them; None where they could not be told."""
    roles = rig_roles(rig)
    hips, legs = roles.one(Role.HIPS), find_legs(rig, find_feet(rig, roles))
    if hips is None or not legs:
        return None
    number = rig.skeleton.index(hips)
    return (number, legs) if all(number in leg.chain for leg in legs) else None


def _path(rig: Rig, bone: int) -> tuple[int, ...]:
    path = [bone]
    while rig.skeleton.parent(path[-1]) >= 0:
        path.append(rig.skeleton.parent(path[-1]))
    return tuple(reversed(path))


def _vec(v: FloatArray) -> Vec:
    return float(v[0]), float(v[1]), float(v[2])


def _quat(q: FloatArray) -> Quat:
    return float(q[0]), float(q[1]), float(q[2]), float(q[3])


def placed(leg: Leg, translations: Mapping[int, Vec], rotations: Mapping[int, Quat]) -> Placed:
    """Where a leg's chain is.

    Parameters
    ----------
    translations, rotations : local, by bone number
    """
    first = leg.chain[0]
    places, turns = [translations[first]], [rotations[first]]
    for bone in leg.chain[1:]:
        places.append(add(places[-1], rotate(turns[-1], translations[bone])))
        turns.append(multiply(turns[-1], rotations[bone]))
    return Placed(places, turns)


def length(leg: Leg, at: Placed) -> float:
    """Metres of thigh and calf."""
    a, b, c = at.places[leg.upper], at.places[leg.lower], at.places[-1]
    return size(sub(b, a)) + size(sub(c, b))


def reached(leg: Leg, at: Placed, goal: Vec, turn: Quat, pole: Vec) -> tuple[dict[int, Quat], float]:
    """Local rotations by bone that put the foot on a goal, and the metres that are left to it.

    The knee bends about the axis that it bends about already, turned with the thigh, so that a hinge stays one; where
    it is nearly straight, about the leg's own.

    Parameters
    ----------
    at : the leg as it is
    goal, turn : place and rotation of the foot
    pole : place that the knee points at
    """
    a, b, c = at.places[leg.upper], at.places[leg.lower], at.places[-1]
    first, second = sub(b, a), sub(c, b)
    one, two = size(first), size(second)
    way = sub(goal, a)
    far = size(way)
    reach = LONGEST * (one + two)
    near = min(max(far, abs(one - two) + 1e-4), reach)
    ahead = scaled(way, 1.0 / far) if far > LEAST else (0.0, -1.0, 0.0)
    side = sub(pole, a)
    side = sub(side, scaled(ahead, dot(side, ahead)))
    wide = size(side)
    now, own = cross(first, second), rotate(at.turns[leg.upper], leg.hinge)
    bend, back = size(now) / max(one * two, LEAST), dot(now, own) <= 0.0
    if bend < BENT or back:  # one that is bent back, as a blend may leave it, would turn the thigh about
        share = 0.0 if back else max(bend - STRAIGHT, 0.0) / (BENT - STRAIGHT)
        now = add(scaled(now, share / max(size(now), LEAST)), scaled(own, 1.0 - share))
    if wide < 1e-6:
        side = cross(ahead, now)
        wide = size(side) or 1.0
    side = scaled(side, 1.0 / wide)
    x = (one * one - two * two + near * near) / (2.0 * near)
    y = math.sqrt(max(one * one - x * x, 0.0))
    knee = add(a, add(scaled(ahead, x), scaled(side, y)))
    end = add(a, scaled(ahead, near))
    hinge = cross(side, ahead)
    thigh = _frames(first, now, sub(knee, a), hinge)
    bent = rotate(thigh, second)
    calf = _frames(bent, hinge, sub(end, knee), hinge)
    turns = list(at.turns)
    for k in range(leg.upper, len(turns)):
        turns[k] = multiply(thigh, turns[k])
    for k in range(leg.lower, len(turns)):
        turns[k] = multiply(calf, turns[k])
    turns[-1] = turn
    made = {
        leg.chain[k]: unit(multiply(inverse(turns[k - 1]), turns[k]) if k else turns[k])
        for k in (leg.upper, leg.lower, len(turns) - 1)
    }
    return made, abs(far - near)


def leaning(leg: Leg, local: Quat) -> Quat:
    """A foot's local rotation, its lean brought within the ankle's limit; the same where it is within."""
    rel = multiply(inverse(leg.rest), local)
    along = dot(leg.axis, (rel[0], rel[1], rel[2]))
    twist = unit((leg.axis[0] * along, leg.axis[1] * along, leg.axis[2] * along, rel[3]))
    x, y, z, w = multiply(rel, inverse(twist))
    far = math.sqrt(x * x + y * y + z * z)
    angle = 2.0 * math.atan2(far, abs(w))
    if angle <= leg.cone or far < LEAST:
        return local
    s = math.copysign(math.sin(0.5 * leg.cone) / far, w)
    kept = (x * s, y * s, z * s, math.cos(0.5 * leg.cone))
    return unit(multiply(leg.rest, multiply(kept, twist)))


def _frames(along: Vec, axis: Vec, to_along: Vec, to_axis: Vec) -> Quat:
    """The rotation that takes one direction with an axis across it to another."""
    return multiply(_frame(to_along, to_axis), inverse(_frame(along, axis)))


def _frame(along: Vec, axis: Vec) -> Quat:
    """The rotation of a frame with +Y along a direction and +X near an axis."""
    n = size(along) or 1.0
    y = scaled(along, 1.0 / n)
    x = sub(axis, scaled(y, dot(axis, y)))
    n = size(x)
    if n < LEAST:
        x = (1.0, 0.0, 0.0) if abs(y[0]) < 0.9 else (0.0, 0.0, 1.0)
        x = sub(x, scaled(y, dot(x, y)))
        n = size(x)
    x = scaled(x, 1.0 / n)
    z = cross(x, y)
    return _of_axes(x, y, z)


def _of_axes(x: Vec, y: Vec, z: Vec) -> Quat:
    """The rotation whose axes these are."""
    trace = x[0] + y[1] + z[2]
    if trace > 0.0:
        s = 2.0 * math.sqrt(trace + 1.0)
        return (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4.0
    if x[0] >= y[1] and x[0] >= z[2]:
        s = 2.0 * math.sqrt(max(1.0 + x[0] - y[1] - z[2], LEAST))
        return s / 4.0, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s
    if y[1] >= z[2]:
        s = 2.0 * math.sqrt(max(1.0 + y[1] - x[0] - z[2], LEAST))
        return (y[0] + x[1]) / s, s / 4.0, (z[1] + y[2]) / s, (z[0] - x[2]) / s
    s = 2.0 * math.sqrt(max(1.0 + z[2] - x[0] - y[1], LEAST))
    return (z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4.0, (x[1] - y[0]) / s
