"""Which bodies a simulation of some bones moves, what carries them, and what stands in the way."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ValidationError
from core.rig.body_plan import Body, BodyPlan
from core.rig.mesh import Mesh
from core.rig.propose_bodies import propose_chain, propose_person
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Part:
    """One simulated body.

    Parameters
    ----------
    bone : number of its bone
    above : number of the bone that carries it, −1 where it moves freely
    carrier : number of the simulated part that this bone belongs to, −1 where the clip moves it
    """

    body: Body
    bone: int
    above: int
    carrier: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Simulated parts, parents first, and bodies that only stand in the way.

    Parameters
    ----------
    obstacle_bones : numbers of the obstacles' bones
    ignored : pairs of bones whose bodies pass through each other
    neighbours : pairs of a part's bone and of the obstacle it hangs on, which never collide
    proposed : bones whose bodies are no part of the plan but proposed
    """

    parts: tuple[Part, ...]
    obstacles: tuple[Body, ...] = ()
    obstacle_bones: tuple[int, ...] = ()
    ignored: tuple[tuple[str, str], ...] = ()
    neighbours: tuple[tuple[str, str], ...] = ()
    proposed: tuple[str, ...] = ()


def plan_of(rig: Rig, meshes: Sequence[Mesh] = ()) -> BodyPlan | None:
    """The body plan that a simulation of some bones goes by: the rig's own, else one proposed for a person.

    With it a hand is one body and twist bones ride along; None for what is no person and has no plan.
    """
    return rig.body_plan if rig.body_plan is not None else propose_person(rig, meshes)


def scene_of(
    rig: Rig,
    plan: BodyPlan | None,
    bones: Collection[str],
    meshes: Sequence[Mesh] = (),
    below: bool = True,
) -> Scene:
    """The simulation of some bones.

    Bodies of the plan among the bones move. Bones without a body ride on the body above where that moves too
    (fingers on a hand); else they get proposed bodies (hair on a head that does not move). The plan's root body
    moves freely, and so does a root bone without a plan; every other chain hangs on the bone above it.

    Parameters
    ----------
    below : whether all bones below those count as well

    Raises
    ------
    ValidationError
        No bone is given.
    MissingReferenceError
        A bone is not in the rig.
    """
    if not bones:
        raise ValidationError("simulation: choose the bones to simulate first")
    skeleton = rig.skeleton
    numbers = [skeleton.index(name) for name in bones]
    chosen = skeleton.descendants(numbers) if below else np.isin(np.arange(len(skeleton)), numbers)
    known = {} if plan is None else {skeleton.index(body.bone): body for body in plan.bodies}
    moving: list[int] = []
    fresh: list[int] = []
    rides = np.full(len(skeleton), -1)
    for bone in range(len(skeleton)):
        parent = skeleton.parent(bone)
        carried = int(rides[parent]) if parent >= 0 else -1
        if bone in known:
            carried = bone if chosen[bone] else -1
        elif chosen[bone] and (carried < 0 or carried in fresh):
            fresh.append(bone)
            carried = bone
        elif not chosen[bone] and carried in fresh:
            carried = carried  # a bone left out rides along
        rides[bone] = carried
        if carried == bone:
            moving.append(bone)
    made = propose_chain(rig, [skeleton.names[bone] for bone in fresh], meshes) if fresh else ()
    bodies = known | dict(zip(fresh, made, strict=True))
    root = None if plan is None else skeleton.index(plan.bodies[0].bone)
    parts: list[Part] = []
    place: dict[int, int] = {}
    for bone in moving:
        parent = skeleton.parent(bone)
        free = bone == root or parent < 0
        carrier = -1 if free else place.get(int(rides[parent]), -1)
        above = -1 if free else parts[carrier].bone if carrier >= 0 else parent
        place[bone] = len(parts)
        parts.append(Part(bodies[bone], bone, above, carrier))
    obstacles = {bone: body for bone, body in known.items() if bone not in place}
    return Scene(
        tuple(parts),
        tuple(obstacles.values()),
        tuple(obstacles),
        () if plan is None else plan.ignored,
        tuple(_neighbours(skeleton, parts, obstacles)),
        tuple(body.bone for body in made),
    )


def _neighbours(
    skeleton: Skeleton, parts: Sequence[Part], obstacles: Collection[int]
) -> list[tuple[str, str]]:
    """Parts with the obstacles next to them: the one above, and those below."""
    pairs: list[tuple[int, int]] = []
    moving = {part.bone for part in parts}
    for bone in (*moving, *obstacles):
        above = next((b for b in skeleton.above(bone) if b in moving or b in obstacles), None)
        if above is not None and (above in moving) != (bone in moving):
            pairs.append((above, bone))
    return [(skeleton.names[first], skeleton.names[second]) for first, second in pairs]
