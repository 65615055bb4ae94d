"""The model of a ragdoll as MJCF text: bodies of a plan on a terrain, in metres, +Y up."""

import math

from core.physics.ground import Ground
from core.physics.text import attributes, numbers
from core.rig.body_plan import Body, BodyPlan

STEP = 1.0 / 240.0
"""Seconds of a step of the engine, 4 to a picture step."""
GRAVITY = 9.81
ARMATURE = 0.005
"""Inertia (kg·m²) added to each axis of a person, in proportion to the damping."""
SLIDING, TURNING, ROLLING = 0.9, 0.005, 0.02
"""Friction of what touches: along the ground, and in metres of a person about the normal and against rolling. Flesh
gives way where it lies: without that round bodies roll down slopes and stairs without end."""
IGNORED = 400
"""Pairs that may ignore each other at most."""

_HEAD = f"""<option timestep="{STEP!r}" gravity="0 {-GRAVITY!r} 0" integrator="implicitfast" solver="Newton"
 cone="elliptic" impratio="10" iterations="50"><flag energy="disable" autoreset="disable"/></option>
<compiler angle="radian" autolimits="false" inertiafromgeom="true" boundmass="1e-9" boundinertia="1e-12"/>
<size memory="8M"/>
<default><geom condim="6" friction="%s" solref="0.01 1" solimp="0.95 0.99 0.002"/>
<joint solreflimit="0.01 1" solimplimit="0.95 0.99 0.01"/></default>"""


def model_text(plan: BodyPlan, parents: tuple[int, ...], ground: Ground) -> str:
    """The model of a plan.

    Bodies are in their bones' frames, all at the origin: each fall sets where they are on each other.

    Parameters
    ----------
    parents : number of the body above each body, −1 for the root body
    """
    below: list[list[int]] = [[] for _ in plan.bodies]
    for number, above in enumerate(parents):
        if above >= 0:
            below[above].append(number)
    size = (plan.mass / 75.0) ** (1.0 / 3.0)
    head = _HEAD % numbers((SLIDING, TURNING * size, ROLLING * size))
    count = len(plan.bodies)
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count) if parents[b] != a][:IGNORED]
    excluded = "".join(f'<exclude body1="b{a}" body2="b{b}"/>' for a, b in pairs)
    bodies = _nested(plan, below)
    return (
        f"<mujoco>{head}<asset>{ground.assets}</asset><worldbody>{ground.shapes}\n{bodies}</worldbody>"
        f"<contact>{excluded}</contact></mujoco>"
    )


def order_of(parents: tuple[int, ...]) -> list[int]:
    """Numbers of a plan's bodies in the order of the model: each with all below it before its next sibling."""
    below: list[list[int]] = [[] for _ in parents]
    for number, above in enumerate(parents):
        if above >= 0:
            below[above].append(number)
    order, stack = [], [0]
    while stack:
        number = stack.pop()
        order.append(number)
        stack.extend(reversed(below[number]))
    return order


def _nested(plan: BodyPlan, below: list[list[int]]) -> str:
    """Bodies inside each other, without recursion: a plan may be a chain of hundreds."""
    parts: list[str] = []
    stack: list[tuple[int, bool]] = [(0, False)]
    while stack:
        number, closing = stack.pop()
        if closing:
            parts.append("</body>")
            continue
        parts.append(_opening(plan.bodies[number], number))
        stack.append((number, True))
        stack.extend((child, False) for child in reversed(below[number]))
    return "\n".join(parts)


def _opening(body: Body, number: int) -> str:
    capsule = body.capsule
    joints = ["<freejoint/>"] if number == 0 else []
    for axis in body.axes if number else ():
        low, high = math.radians(axis.minimum), math.radians(axis.maximum)
        told = attributes(axis=axis.axis, range=(low, high))
        damped = f'damping="{body.damping!r}" armature="{ARMATURE * body.damping!r}"'
        joints.append(f'<joint type="hinge" limited="true" {told} {damped}/>')
    if capsule.length > 1e-6:
        ends = numbers((*capsule.start, *capsule.end))
        shape = f'type="capsule" fromto="{ends}" size="{capsule.radius!r}"'
    else:
        shape = f'type="sphere" {attributes(pos=capsule.start)} size="{capsule.radius!r}"'
    return f'<body name="b{number}">{"".join(joints)}<geom {shape} mass="{body.mass!r}"/>'
