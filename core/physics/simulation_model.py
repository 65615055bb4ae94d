"""The physics model of a simulation: carriers, simulated parts, obstacles and ground, as MJCF text."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.physics.parts import Scene
from core.rig.body_plan import Body

SIMULATED, STANDING, GROUND = 1, 2, 4
"""Bits of what collides: simulated bodies with all, the others with simulated ones alone."""


class Layout:
    """Where parts and carriers lie in the model's arrays.

    Attributes
    ----------
    carriers : bones that carry parts, as the model orders them
    """

    def __init__(self, scene: Scene) -> None:
        carried = [part.above for part in scene.parts if part.carrier < 0 and part.above >= 0]
        self.carriers: tuple[int, ...] = tuple(dict.fromkeys(carried))


@dataclass(frozen=True, slots=True)
class World:
    """What a model is made with besides its bodies.

    Parameters
    ----------
    step : seconds
    armature : inertia of a carrier, kg and kg·m²
    gravity : m/s² downwards
    ground : height of the ground in metres, or None
    collide : whether the other bodies of the plan stand in the way
    passive : whether joints have the damping of their bodies
    """

    step: float
    armature: float
    gravity: float
    ground: float | None
    collide: bool
    passive: bool


def model_text(scene: Scene, layout: Layout, world: World, apart: Collection[tuple[str, str]]) -> str:
    """The model as MJCF text.

    Parameters
    ----------
    apart : pairs of names of the model's bodies that do not collide
    """
    lines = [
        "<mujoco>",
        '<compiler angle="radian" autolimits="false" boundmass="1e-7" boundinertia="1e-12"/>',
        f'<option timestep="{world.step!r}" gravity="0 {-world.gravity!r} 0" integrator="implicitfast" solver="Newton" '
        'cone="elliptic" impratio="10"><flag autoreset="disable"/></option>',
        '<default><geom friction="0.9 0.005 0.0001" solref="0.01 1"/><joint solreflimit="0.01 1"/></default>',
        "<worldbody>",
    ]
    if world.ground is not None:
        lines.append(
            f'<geom name="ground" type="plane" size="0 0 1" pos="0 {world.ground!r} 0" '
            f'quat="0.7071067811865476 -0.7071067811865476 0 0" contype="{GROUND}" conaffinity="{SIMULATED}"/>'
        )
    if world.collide:
        for number, body in enumerate(scene.obstacles):
            lines.append(f'<body name="o{number}" mocap="true">{_geom(body, STANDING, SIMULATED)}</body>')
    children: dict[int, list[int]] = {}
    for number, part in enumerate(scene.parts):
        if part.carrier >= 0:
            children.setdefault(part.carrier, []).append(number)
    for number, bone in enumerate(layout.carriers):
        lines.append(
            f'<body name="c{number}"><joint type="free" armature="{world.armature!r}"/>'
            '<inertial pos="0 0 0" mass="0.001" diaginertia="1e-6 1e-6 1e-6"/>'
        )
        for index, part in enumerate(scene.parts):
            if part.carrier < 0 and part.above == bone:
                lines += _part(scene, children, index, world.passive)
        lines.append("</body>")
    for index, part in enumerate(scene.parts):
        if part.above < 0:
            lines += _part(scene, children, index, world.passive)
    lines.append("</worldbody>")
    if apart:
        lines.append("<contact>")
        lines += [f'<exclude body1="{first}" body2="{second}"/>' for first, second in sorted(apart)]
        lines.append("</contact>")
    lines.append("</mujoco>")
    return "\n".join(lines)


def _part(scene: Scene, children: dict[int, list[int]], number: int, passive: bool) -> list[str]:
    part = scene.parts[number]
    lines = [f'<body name="p{number}">']
    if part.above < 0:
        lines.append('<joint type="free"/>')
    else:
        damping = part.body.damping if passive else 0.0
        for axis in part.body.axes:
            x, y, z = axis.axis
            low, high = np.radians((axis.minimum, max(axis.maximum, axis.minimum + 1e-4))).tolist()
            lines.append(
                f'<joint type="hinge" axis="{x!r} {y!r} {z!r}" limited="true" range="{low!r} {high!r}" '
                f'damping="{damping!r}"/>'
            )
    lines.append(_geom(part.body, SIMULATED, SIMULATED | STANDING | GROUND))
    for child in children.get(number, ()):
        lines += _part(scene, children, child, passive)
    lines.append("</body>")
    return lines


def _geom(body: Body, kind: int, meets: int) -> str:
    capsule = body.capsule
    bits = f'mass="{body.mass!r}" contype="{kind}" conaffinity="{meets}"'
    if capsule.length < 1e-5:
        middle = " ".join(repr(0.5 * (a + b)) for a, b in zip(capsule.start, capsule.end, strict=True))
        return f'<geom type="sphere" size="{capsule.radius!r}" pos="{middle}" {bits}/>'
    ends = " ".join(repr(value) for value in (*capsule.start, *capsule.end))
    return f'<geom type="capsule" size="{capsule.radius!r}" fromto="{ends}" {bits}/>'


def wxyz(rotation: FloatArray) -> FloatArray:
    """Quaternions ``[x, y, z, w]`` in the order of the physics library."""
    return np.asarray(rotation)[..., [3, 0, 1, 2]]


def xyzw(rotation: FloatArray) -> FloatArray:
    """Quaternions of the physics library in ours."""
    return np.asarray(rotation)[..., [1, 2, 3, 0]]
