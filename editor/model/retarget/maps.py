"""Edits of a chain map: old to new, each bone in one chain at most."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.clips.edits import unique_name
from core.errors import ValidationError
from core.retarget.chain_map import ChainMap, ChainPair, Part, check_map, with_leftovers
from core.rig.skeleton import Skeleton
from editor.model.i18n import tr

Sides = Mapping[str, tuple[str, ...]]
"""Bones by side of the map: "source", "target"."""


def bones_of(text: str, skeleton: Skeleton) -> tuple[str, ...]:
    """Bones written as ``a, b, c`` or as ``a … c`` (all from the first down to the last), parents first.

    Raises
    ------
    ValidationError
        A word is no bone; or the last bone of a stretch is not a descendant of its first.
    """
    for sign in ("…", "..."):
        if sign in text:
            first, _, last = (part.strip() for part in text.partition(sign))
            return stretch(skeleton, first, last)
    words = [word.strip() for word in text.replace(";", ",").split(",")]
    return ordered(skeleton, [word for word in words if word])


def text_of(bones: Iterable[str]) -> str:
    """How bones are written in a field."""
    return ", ".join(bones)


def ordered(skeleton: Skeleton, names: Iterable[str]) -> tuple[str, ...]:
    """The bones, parents first, each once."""
    numbers = {_known(skeleton, name) for name in names}
    return tuple(skeleton.names[number] for number in sorted(numbers))


def stretch(skeleton: Skeleton, first: str, last: str) -> tuple[str, ...]:
    """All bones from one down to another below it, both included."""
    top, bone = _known(skeleton, first), _known(skeleton, last)
    found = [bone]
    while bone != top:
        bone = skeleton.parent(bone)
        if bone < 0:
            raise ValidationError(tr("{last} is not a descendant of {first}", last=last, first=first))
        found.append(bone)
    return tuple(skeleton.names[number] for number in reversed(found))


def _known(skeleton: Skeleton, name: str) -> int:
    number = skeleton.find(name)
    if number is None:
        near = [other for other in skeleton.names if name.lower() in other.lower()][:3]
        hint = tr("; did you mean {names}?", names=", ".join(near)) if name and near else ""
        raise ValidationError(tr("there is no bone {name}", name=f"“{name}”") + hint)
    return number


def with_bones(chains: ChainMap, name: str, sides: Sides, source: Skeleton, target: Skeleton) -> ChainMap:
    """The map with other bones on a side ("source", "target") of a chain, taken out of other chains.

    A chain left without bones goes. What a person chose is sure.

    Raises
    ------
    ValidationError
        The map would be mirrored or out of order; the message says how.
    """
    pair = chains.chain(name)
    if pair is None:
        raise ValidationError(tr("there is no chain “{name}”", name=name))
    changed = replace(pair, confidence=1.0, **sides)  # type: ignore[arg-type]
    kept = [changed if p is pair else _without(p, sides) for p in chains.chains]
    return _checked(replace(chains, chains=tuple(p for p in kept if p.source and p.target)), source, target)


def with_chain(
    chains: ChainMap,
    source_bones: tuple[str, ...],
    target_bones: tuple[str, ...],
    source: Skeleton,
    target: Skeleton,
) -> ChainMap:
    """The map with a chain more, of bones taken out of other chains; props and tails come in so."""
    if not source_bones or not target_bones:
        raise ValidationError(tr("select a bone in both views first, then add the chain"))
    name = unique_name(target_bones[0], [pair.name for pair in chains.chains])
    sides = {"source": source_bones, "target": target_bones}
    kept = [_without(p, sides) for p in chains.chains]
    made = ChainPair(name, Part.OTHER, source_bones, target_bones)
    found = replace(chains, chains=(*(p for p in kept if p.source and p.target), made))
    return _checked(found, source, target)


def without_chain(chains: ChainMap, name: str, source: Skeleton, target: Skeleton) -> ChainMap:
    """The map without a chain."""
    kept = tuple(pair for pair in chains.chains if pair.name != name)
    return with_leftovers(replace(chains, chains=kept), source, target)


def _without(pair: ChainPair, sides: Sides) -> ChainPair:
    """A pair without the bones that another takes."""
    cut = {
        side: tuple(b for b in getattr(pair, side) if b not in bones)
        for side, bones in sides.items()
        if set(bones) & set(getattr(pair, side))
    }
    return replace(pair, **cut) if cut else pair  # type: ignore[arg-type]


def _checked(chains: ChainMap, source: Skeleton, target: Skeleton) -> ChainMap:
    if chains.chains:
        check_map(chains, source, target)
    return with_leftovers(replace(chains, refused=""), source, target)
