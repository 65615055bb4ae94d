"""Named sets of a rig's bones, for selection: each function gives the rig with its sets changed.

Sets have an order, which numbers them, and a colour each. A rig that a function would not change is returned as it is.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from core.errors import MissingReferenceError, ValidationError
from core.rig.rig import Rig
from core.rig.set_color import ORDER, SetColor

Sets = Mapping[str, tuple[str, ...]]


def bones_of(rig: Rig, name: str) -> tuple[str, ...]:
    """The bones of a set; raises `MissingReferenceError` listing what there is."""
    found = rig.bone_sets.get(name)
    if found is None:
        have = ", ".join(repr(n) for n in rig.bone_sets) or "none"
        raise MissingReferenceError(f"rig {rig.name!r}: no bone set is called {name!r}; there are: {have}")
    return found


def color_of(rig: Rig, name: str) -> SetColor:
    """The colour of a set; gray where it has none."""
    return rig.set_colors.get(name, SetColor.GRAY)


def free_color(rig: Rig) -> SetColor:
    """The first colour that the fewest sets have."""
    taken = [color_of(rig, name) for name in rig.bone_sets]
    return min(ORDER, key=taken.count)


def free_name(rig: Rig, wanted: str) -> str:
    """A name that no set has, made by a number after the one wanted."""
    name, number = wanted, 2
    while name in rig.bone_sets:
        name, number = f"{wanted} {number}", number + 1
    return name


def with_set(rig: Rig, name: str, bones: Iterable[str], color: SetColor | None = None) -> Rig:
    """The rig with a set of bones; one of that name gets these bones and keeps its place.

    Parameters
    ----------
    bones : names; listed in the order of the skeleton, once each
    color : None keeps the colour, or gives a new set one that is free

    Raises
    ------
    ValidationError
        No name, or no bones.
    MissingReferenceError
        A name that is no bone of the rig.
    """
    name, chosen = _checked(name), _in_order(rig, bones)
    if not chosen:
        raise ValidationError(f"bone set {name!r}: expected one bone or more")
    if color is None:
        color = color_of(rig, name) if name in rig.bone_sets else free_color(rig)
    if rig.bone_sets.get(name) == chosen and color_of(rig, name) is color:
        return rig
    return replace(rig, bone_sets={**rig.bone_sets, name: chosen}, set_colors={**rig.set_colors, name: color})


def with_bones(rig: Rig, name: str, bones: Iterable[str]) -> Rig:
    """The rig with bones added to a set; raises as `bones_of` and `with_set`."""
    return with_set(rig, name, (*bones_of(rig, name), *bones))


def without_bones(rig: Rig, name: str, bones: Collection[str]) -> Rig:
    """The rig with bones removed from a set.

    Raises
    ------
    ValidationError
        No bone would be left.
    MissingReferenceError
        There is no such set.
    """
    left = tuple(bone for bone in bones_of(rig, name) if bone not in bones)
    if not left:
        raise ValidationError(f"bone set {name!r}: no bone would be left; delete the set")
    return with_set(rig, name, left)


def without_set(rig: Rig, name: str) -> Rig:
    """The rig without a set; its bones stay. Raises `MissingReferenceError` where there is none."""
    bones_of(rig, name)
    return replace(rig, bone_sets={key: bones for key, bones in rig.bone_sets.items() if key != name})


def renamed(rig: Rig, name: str, new: str) -> Rig:
    """The rig with a set called otherwise, at its place.

    Raises
    ------
    ValidationError
        No name, or that of another set.
    MissingReferenceError
        There is no such set.
    """
    bones_of(rig, name)
    new = _checked(new)
    if new == name:
        return rig
    if new in rig.bone_sets:
        raise ValidationError(f"there is a bone set called {new!r} already: choose another name")
    colors = {new if key == name else key: color for key, color in rig.set_colors.items()}
    sets = {new if key == name else key: bones for key, bones in rig.bone_sets.items()}
    return replace(rig, bone_sets=sets, set_colors=colors)


def recolored(rig: Rig, name: str, color: SetColor) -> Rig:
    """The rig with another colour of a set; raises `MissingReferenceError` where there is none."""
    return with_set(rig, name, bones_of(rig, name), color)


def bones_of_colors(rig: Rig, colors: Collection[SetColor]) -> tuple[str, ...]:
    """Bones of all sets that have one of these colours, in the order of the skeleton."""
    found = {bone for name, bones in rig.bone_sets.items() if color_of(rig, name) in colors for bone in bones}
    return tuple(bone for bone in rig.skeleton.names if bone in found)


def carried(rig: Rig, source: Rig) -> Rig:
    """The rig with the sets of another, where names match: bones that it lacks are left out of them.

    Sets of a name that the rig has already stay as they are; those of which no bone is there are left out.
    """
    for name, bones in source.bone_sets.items():
        there = [bone for bone in bones if rig.skeleton.find(bone) is not None]
        if there and name not in rig.bone_sets:
            rig = with_set(rig, name, there, color_of(source, name))
    return rig


def _checked(name: str) -> str:
    name = name.strip()
    if not name:
        raise ValidationError("bone set: expected a name")
    return name


def _in_order(rig: Rig, bones: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of the skeleton, once each; raises `MissingReferenceError` for one that is no bone."""
    return tuple(sorted(dict.fromkeys(bones), key=rig.skeleton.index))
