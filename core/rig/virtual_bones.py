"""Virtual bones: derived bones that live under a source bone and follow a target bone (spec: retargeting).

A pose says where they are: at the target bone's place, plus an offset in its frame, kept relative to
the source bone. What later moves the source takes them along, so that a goal on a virtual bone keeps the
relation that the clip had: the left hand on the right hand's sword, say. They hold no keys and are no part
of the skeleton; IK goals and poles name them as they name bones.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.errors import MissingReferenceError, ValidationError
from core.math import quat, transform
from core.math.transform import Transform
from core.rig.ik_setup import IkTarget
from core.rig.rig import Rig, VirtualBone

Derived = Mapping[str, Transform]
"""Virtual bone → transforms ``(..., k)`` relative to its source bone, as a pose had them."""


def frame_of(rig: Rig, bone: str, model: Transform, derived: Derived | None = None) -> Transform:
    """Model transforms ``(..., k)`` of a bone or virtual bone.

    Parameters
    ----------
    model : model transforms ``(..., B, k)`` of the skeleton
    derived : where virtual bones were relative to their sources, from `derived_from`; None takes the
        target's place in this very pose

    Raises
    ------
    MissingReferenceError
        Neither a bone nor a virtual bone has that name.
    """
    number = rig.skeleton.find(bone)
    if number is not None:
        return Transform(*(np.asarray(part)[..., number, :] for part in model))
    virtual = find(rig, bone)
    if virtual is None:
        have = ", ".join(b.name for b in rig.virtual_bones) or "none"
        raise MissingReferenceError(
            f"rig {rig.name!r} has no bone {bone!r}, nor a virtual bone of that name; there are: {have}"
        )
    if derived is not None and bone in derived:
        return transform.compose(frame_of(rig, virtual.source, model, derived), derived[bone])
    offset = Transform(np.asarray(virtual.offset), quat.IDENTITY, np.ones(3))
    return transform.compose(frame_of(rig, virtual.target, model, derived), offset)


def derived_from(rig: Rig, model: Transform) -> Derived:
    """Where a pose's virtual bones are, relative to their sources."""
    return {
        bone.name: transform.compose(
            transform.inverse(frame_of(rig, bone.source, model)), frame_of(rig, bone.name, model)
        )
        for bone in rig.virtual_bones
    }


def find(rig: Rig, name: str) -> VirtualBone | None:
    """The virtual bone of that name, or None."""
    return next((bone for bone in rig.virtual_bones if bone.name == name), None)


# ---------------------------------------------------------------- edits: a rig in, a rig out


def free_name(rig: Rig, source: str, target: str) -> str:
    """A name that nothing has yet, such as ``vb_hand_r_hand_l``."""
    taken = {*rig.skeleton.names, *(bone.name for bone in rig.virtual_bones)}
    wanted = free = f"vb_{source}_{target}"
    number = 2
    while free in taken:
        free, number = f"{wanted}_{number}", number + 1
    return free


def added(rig: Rig, bone: VirtualBone) -> Rig:
    """The rig with one more virtual bone.

    Raises
    ------
    ValidationError
        Its name is empty or taken.
    MissingReferenceError
        Source or target is no bone.
    """
    return replace(rig, virtual_bones=(*rig.virtual_bones, bone))


def removed(rig: Rig, name: str) -> Rig:
    """The rig without a virtual bone.

    Raises
    ------
    MissingReferenceError
        There is none of that name.
    ValidationError
        An IK set-up or another virtual bone refers to it.
    """
    _require(rig, name)
    users = [f"the IK set-up {s.name!r}" for s in rig.ik_setups if name in s.targets()]
    users += [f"the virtual bone {b.name!r}" for b in rig.virtual_bones if name in (b.source, b.target)]
    if users:
        raise ValidationError(
            f"virtual bone {name!r} is used by {', '.join(users)}; give that another goal first"
        )
    return replace(rig, virtual_bones=tuple(b for b in rig.virtual_bones if b.name != name))


def renamed(rig: Rig, before: str, after: str) -> Rig:
    """The rig with a virtual bone under another name; what refers to it follows.

    Raises
    ------
    MissingReferenceError
        There is none of that name.
    ValidationError
        The new name is empty or taken.
    """
    _require(rig, before)

    def called(name: str) -> str:
        return after if name == before else name

    def followed(target: IkTarget) -> IkTarget:
        return target if target.bone is None else replace(target, bone=called(target.bone))

    bones = tuple(
        replace(b, name=called(b.name), source=called(b.source), target=called(b.target))
        for b in rig.virtual_bones
    )
    setups = tuple(
        replace(s, goal=followed(s.goal), pole=None if s.pole is None else followed(s.pole))
        for s in rig.ik_setups
    )
    return replace(rig, virtual_bones=bones, ik_setups=setups)


def _require(rig: Rig, name: str) -> None:
    if find(rig, name) is None:
        have = ", ".join(bone.name for bone in rig.virtual_bones) or "none"
        raise MissingReferenceError(f"rig {rig.name!r} has no virtual bone {name!r}; there are: {have}")
