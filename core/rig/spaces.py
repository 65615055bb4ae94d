"""Spaces of bones: a hand on the hips, a prop in the world. Each is an IK set-up whose weight a clip keys.

A set-up of this kind is called ``<bone> in <space>`` and is made by `core.evaluation.spaces`. Where its
weight curve is above 0, the bone follows the space; the goal's curves say where it is in that space.
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from core.errors import MissingReferenceError, ValidationError
from core.rig.ik_setup import IkSetup, IkSpace, IkTarget
from core.rig.rig import Rig
from core.rig.virtual_bones import find

WORLD = "world"
ROOT = "root"


class Follow(StrEnum):
    """What of the body follows: the bone's LIMB bends, the BONE alone is placed, or it takes the ROTATION alone."""

    LIMB = "limb"
    BONE = "bone"
    ROTATION = "rotation"


def space_name(bone: str, target: IkTarget) -> str:
    """What the set-up of a bone in a space is called."""
    return f"{bone} in {label(target)}".replace("/", " ")


def label(target: IkTarget) -> str:
    """The space in a word: ``world``, or the name of its bone."""
    return target.bone if target.bone is not None else WORLD


def is_space(setup: IkSetup) -> bool:
    """Whether a set-up is there for the space of a bone; it keeps its name's beginning then."""
    return setup.name.startswith(f"{setup.tip} in ".replace("/", " "))


def target_named(rig: Rig, word: str) -> IkTarget:
    """The space of a word: ``world``, ``root``, or the name of a bone or virtual bone.

    A bone that is itself called ``world`` or ``root`` is meant by its name.

    Raises
    ------
    MissingReferenceError
        Nothing has that name.
    """
    if rig.skeleton.find(word) is not None or find(rig, word) is not None:
        return IkTarget(IkSpace.BONE, word)
    if word.lower() == WORLD:
        return IkTarget(IkSpace.WORLD)
    if word.lower() == ROOT:
        return IkTarget(IkSpace.BONE, root_bone(rig))
    raise MissingReferenceError(
        f"rig {rig.name!r} has no bone {word!r} to follow; name a bone, a virtual bone, world or root"
    )


def root_bone(rig: Rig) -> str:
    """The root that carries the character: of several (cameras, lights) the one with the most bones below it."""
    skeleton = rig.skeleton
    roots = [bone for bone in range(len(skeleton)) if skeleton.parent(bone) < 0]
    return skeleton.names[max(roots, key=lambda bone: int(skeleton.descendants([bone]).sum()))]


def sources(rig: Rig, target: IkTarget) -> tuple[int, ...]:
    """Numbers of the bones that say where a space is: of a virtual bone its source and its target."""
    if target.bone is None:
        return ()
    number = rig.skeleton.find(target.bone)
    if number is not None:
        return (number,)
    virtual = find(rig, target.bone)
    if virtual is None:
        return ()
    found: list[int] = []
    for name in (virtual.source, virtual.target):
        found += sources(rig, IkTarget(IkSpace.BONE, name))
    return tuple(found)


def require_apart(rig: Rig, first: int, bone: str, target: IkTarget) -> None:
    """Refuse a space that the bone would carry along.

    Parameters
    ----------
    first : number of the uppermost bone that moves for the bone to follow

    Raises
    ------
    ValidationError
        The space is the bone itself, its chain, or below it.
    """
    below = rig.skeleton.descendants([first])
    if any(below[number] for number in sources(rig, target)):
        raise ValidationError(
            f"{bone!r} cannot follow {label(target)!r}, which moves with it: choose a space outside of "
            f"{rig.skeleton.names[first]!r} and what is below it"
        )


def with_space(rig: Rig, setup: IkSetup, moved: Iterable[int]) -> Rig:
    """The rig with a set-up where it is solved after what moves its space, and before what follows its bones.

    Parameters
    ----------
    moved : numbers of the bones that it turns or moves
    """
    own = rig.skeleton.descendants(list(moved))
    above: set[int] = set()
    for bone in (*sources(rig, setup.goal), min(moved)):
        while bone >= 0:
            above.add(bone)
            bone = rig.skeleton.parent(bone)
    place = 0
    for number, other in enumerate(rig.ik_setups):
        root = other.tip if other.solver.single else other.root
        tip = rig.skeleton.index(other.tip)
        chain = {tip, rig.skeleton.index(root)}
        bone = tip
        while bone >= 0 and bone != rig.skeleton.index(root):
            chain.add(bone)
            bone = rig.skeleton.parent(bone)
        follows = any(own[source] for source in sources(rig, other.goal))
        if chain & above and not follows:
            place = number + 1
    setups = (*rig.ik_setups[:place], setup, *rig.ik_setups[place:])
    return replace(rig, ik_setups=setups)
