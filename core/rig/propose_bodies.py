"""A body plan for a rig: from the parts its bones play, the skin around them, and their lengths.

The mannequin gets 19 bodies. A rig that lacks parts gets fewer, and the part above weighs more. A rig without
a mesh gets radii from the lengths of its bones. A rig that is no person gets a body for every bone of some size.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import quat, transform
from core.math.vectors import unit
from core.rig.body_axes import Figure, axes_of, free_axes
from core.rig.body_place import UP, Place, rest_model
from core.rig.body_plan import Body, BodyPlan, parents_of, segment_distances
from core.rig.body_shape import Shape
from core.rig.body_shares import HEIRS, PERSON_HEIGHT, PERSON_MASS, ROLES, SHARES, Part
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.roles import LEFT, MIDDLE, RIGHT, Role, Roles, find_roles, rig_roles
from core.rig.skeleton import Skeleton, main_bones

CHEST_AT = 0.45
"""Part of the way from the first spine bone to the neck where the chest begins."""

SMALLEST = 0.05
"""Length of the bones that get a body where parts are unknown, as a part of the whole."""


def propose_bodies(rig: Rig, meshes: Sequence[Mesh] = (), roles: Roles | None = None) -> BodyPlan:
    """A body plan for a rig, which people then edit.

    Parameters
    ----------
    meshes : the meshes of the rig; capsules are fitted to the vertices that follow their bones most

    Raises
    ------
    ValidationError
        The rig has no bone that could have a body.
    """
    person = propose_person(rig, meshes, roles)
    return person if person is not None else _by_size(rig, meshes)


def propose_person(rig: Rig, meshes: Sequence[Mesh] = (), roles: Roles | None = None) -> BodyPlan | None:
    """A body plan for a rig whose parts are known, as `propose_bodies`; None for what is no person."""
    found = roles if roles is not None else rig_roles(rig)
    places = _places(rig.skeleton, found)
    if len(places) < 3:
        return None
    shape = Shape(rig.skeleton, [place.bone for place in places], meshes)
    figure = _figure(places, shape, found)
    masses = _masses([place.part for place in places], shape.height)
    damping = _damping(shape.height)
    bodies = []
    for place, mass in zip(figure.places, masses, strict=True):
        capsule, along = shape.capsule(place, figure.places, figure.left)
        axes = () if place.part is Part.PELVIS else axes_of(figure, place, along)
        bodies.append(Body(place.bone, capsule, mass, axes, damping))
    return with_overlaps_ignored(BodyPlan(tuple(bodies)), rig.skeleton)


def propose_chain(
    rig: Rig, bones: Sequence[str], meshes: Sequence[Mesh] = (), swing: float = 40.0, twist: float = 15.0
) -> tuple[Body, ...]:
    """Bodies for bones that hang on a body, such as hair, a tail or an ear; `inserted` adds them to a plan.

    Parameters
    ----------
    bones : names, each after the ones above it
    swing, twist : how far each bends and turns about itself, degrees

    Raises
    ------
    MissingReferenceError
        A bone is not in the rig.
    """
    shape = Shape(rig.skeleton, list(bones), meshes)
    result = []
    for bone in bones:
        number = rig.skeleton.index(bone)
        capsule = shape.span(bone, _longest_child(rig.skeleton, number, shape.model.translation))
        axes = free_axes(capsule, swing, twist)
        # a kilogram a litre, as bodies have; hair is lighter, and nobody minds
        mass = max(1000.0 * capsule.volume, 1e-3)
        reach = max(capsule.length, capsule.radius)
        result.append(Body(bone, capsule, mass, axes, 1.0 * mass * reach * reach))
    return tuple(result)


def ahead_of(skeleton: Skeleton, roles: Roles | None = None) -> FloatArray:
    """The horizontal model direction ``(3,)`` that a character faces at rest; +Z where its parts are unknown."""
    found = roles if roles is not None else find_roles(skeleton)
    places = _places(skeleton, found)
    return _figure(places, Shape(skeleton, [place.bone for place in places], ()), found).ahead


def with_overlaps_ignored(plan: BodyPlan, skeleton: Skeleton) -> BodyPlan:
    """The plan with those pairs ignored besides whose capsules overlap in the rest pose."""
    parents = parents_of(plan, skeleton)
    starts, ends = capsule_ends(plan, skeleton, rest_model(skeleton))
    radii = np.array([body.capsule.radius for body in plan.bodies])
    apart = segment_distances(starts, ends) - radii[:, None] - radii[None]
    pairs = [
        (plan.bodies[i].bone, plan.bodies[j].bone)
        for i, j in zip(*np.nonzero(np.triu(apart < 0.0, 1)), strict=True)
        if parents[j] != i
    ]
    return BodyPlan(plan.bodies, (*plan.ignored, *pairs))


def capsule_ends(
    plan: BodyPlan, skeleton: Skeleton, model: transform.Transform
) -> tuple[FloatArray, FloatArray]:
    """Model positions ``(bodies, 3)`` of both ends of all capsules, metres.

    Parameters
    ----------
    model : model transforms ``(B, k)``
    """
    bones = [skeleton.index(body.bone) for body in plan.bodies]
    places, turns = model.translation[bones], model.rotation[bones]
    starts = np.array([body.capsule.start for body in plan.bodies])
    ends = np.array([body.capsule.end for body in plan.bodies])
    return places + quat.rotate(turns, starts), places + quat.rotate(turns, ends)


# ---------------------------------------------------------------- which bones
def _places(skeleton: Skeleton, roles: Roles) -> list[Place]:
    """Bones that get a body, parents first; what is not below the hips is left out."""
    hips = _hips(skeleton, roles)
    if hips is None:
        return []
    belly, chest = _trunk(skeleton, roles)
    neck, head = roles.one(Role.NECK), roles.one(Role.HEAD)
    top = neck or head
    found = [
        Place(Part.PELVIS, MIDDLE, hips, belly or chest),
        Place(Part.BELLY, MIDDLE, belly or "", chest or top),
        Place(Part.CHEST, MIDDLE, chest or "", top),
        Place(Part.NECK, MIDDLE, neck or "", head),
        Place(Part.HEAD, MIDDLE, head or ""),
    ]
    for side in (LEFT, RIGHT):
        for limb in (
            (Part.UPPER_ARM, Part.LOWER_ARM, Part.HAND),
            (Part.THIGH, Part.CALF, Part.FOOT, Part.BALL),
        ):
            names = [roles.one(ROLES[part], side) for part in limb]
            for part, name, following in zip(limb, names, [*names[1:], None], strict=True):
                found.append(Place(part, side, name or "", following))
    below = skeleton.descendants([skeleton.index(hips)])
    kept = [place for place in found if place.bone and below[skeleton.index(place.bone)]]
    distinct = {place.bone: place for place in reversed(kept)}
    return sorted(distinct.values(), key=lambda place: skeleton.index(place.bone))


def _hips(skeleton: Skeleton, roles: Roles) -> str | None:
    """The hips, or the bone above them that carries the legs where those do not hang on the hips."""
    hips = roles.one(Role.HIPS)
    if hips is None:
        return None
    thighs = [name for side in (LEFT, RIGHT) if (name := roles.one(Role.THIGH, side)) is not None]
    number = skeleton.index(hips)
    above = [number, *skeleton.above(number)]
    for bone in above:
        if all(bone in list(skeleton.above(skeleton.index(thigh))) for thigh in thighs):
            return skeleton.names[bone]
    return hips


def _trunk(skeleton: Skeleton, roles: Roles) -> tuple[str | None, str | None]:
    """The bones that belly and chest begin at; one bone is the chest."""
    spine = roles.bones(Role.SPINE)
    if len(spine) < 2:
        return None, spine[0] if spine else None
    places = rest_model(skeleton).translation[[skeleton.index(bone) for bone in spine]]
    top = roles.one(Role.NECK) or roles.one(Role.HEAD)
    end = rest_model(skeleton).translation[skeleton.index(top)] if top else places[-1]
    way = np.linalg.norm(end - places[0]) or 1.0
    passed = np.linalg.norm(places - places[0], axis=1) / way
    chest = 1 + int(np.argmin(np.abs(passed[1:] - CHEST_AT)))
    return spine[0], spine[chest]


def _figure(places: list[Place], shape: Shape, roles: Roles) -> Figure:
    """The parts with their sides as the feet tell them: toes are ahead of heels."""
    left = _left(shape, roles)
    toes = [
        shape.at(ball.bone) - shape.at(foot.bone)
        for foot in places
        for ball in places
        if foot.part is Part.FOOT and foot.following == ball.bone
    ]
    if toes and float(np.sum(toes, axis=0) @ np.cross(left, UP)) < 0.0:
        left = -left  # what is called left is the right side
        places = [replace(place, side=-place.side) for place in places]
    return Figure(tuple(places), shape, left)


def _left(shape: Shape, roles: Roles) -> FloatArray:
    """The direction from right to left in model space, horizontal."""
    for role in (Role.THIGH, Role.UPPER_ARM, Role.CLAVICLE):
        left, right = roles.one(role, LEFT), roles.one(role, RIGHT)
        if left is not None and right is not None:
            across = (shape.at(left) - shape.at(right)) * np.array([1.0, 0.0, 1.0])
            if np.linalg.norm(across) > 1e-9:
                return unit(across, np.array([1.0, 0.0, 0.0]))
    return np.array([1.0, 0.0, 0.0])


def _by_size(rig: Rig, meshes: Sequence[Mesh]) -> BodyPlan:
    """A body for every bone that is longer than a part of the whole, where parts are unknown."""
    skeleton = rig.skeleton
    places = rest_model(skeleton).translation
    bones = np.flatnonzero(main_bones(skeleton))
    if not len(bones):
        raise ValidationError(f"rig {rig.name!r} has no bones, so no bodies either")
    size = float(np.ptp(places[bones], axis=0).max()) or 1.0
    chosen: list[int] = []
    for bone in bones.tolist():
        child = _longest_child(skeleton, bone, places)
        long = (
            child is not None
            and np.linalg.norm(places[skeleton.index(child)] - places[bone]) > SMALLEST * size
        )
        below = bool(chosen) and skeleton.descendants([chosen[0]])[bone]
        if long and (below or not chosen):
            chosen.append(bone)
    names = [skeleton.names[bone] for bone in chosen or bones[:1].tolist()]
    bodies = propose_chain(rig, names, meshes, 45.0, 30.0)
    return with_overlaps_ignored(BodyPlan(bodies), skeleton)


def _longest_child(skeleton: Skeleton, bone: int, places: FloatArray) -> str | None:
    children = skeleton.children(bone)
    if not children:
        return None
    lengths = [float(np.linalg.norm(places[child] - places[bone])) for child in children]
    return skeleton.names[children[int(np.argmax(lengths))]]


# ---------------------------------------------------------------- what they weigh
def _masses(parts: Sequence[Part], height: float) -> list[float]:
    shares = dict(SHARES)
    for part in reversed(list(Part)):  # outermost first, so that a missing chain is handed inward
        heir = HEIRS.get(part)
        if part not in parts and heir is not None:
            shares[heir] += shares[part]
    total = sum(shares[part] for part in parts)
    whole = PERSON_MASS * (height / PERSON_HEIGHT) ** 3
    return [whole * shares[part] / total for part in parts]


def _damping(height: float) -> float:
    """1 N·m·s for a person; for others so that they move alike: as mass × length² / time."""
    size = height / PERSON_HEIGHT
    return float(size**4.5)
