"""Which chain of one skeleton answers to which of another (spec: retargeting, 2, Map)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.errors import MissingReferenceError, ValidationError
from core.math.transform import Transform, down_chain
from core.rig import mirror
from core.rig.roles import FINGERS, LEFT, MIDDLE, RIGHT, Role, Roles, find_roles
from core.rig.skeleton import Skeleton

SCHEMA = "posewright-chain-map/1"
_ROOT = re.compile(r"root|reference|trajectory|motion|master|global|armature|^bip\d*$")
SIDES = {LEFT: "left ", MIDDLE: "", RIGHT: "right "}


class Part(StrEnum):
    """What a chain is of a body; it decides how the chain's rest is aligned and whether it moves."""

    ROOT = "root"
    HIPS = "hips"
    SPINE = "spine"
    NECK = "neck"
    HEAD = "head"
    CLAVICLE = "clavicle"
    ARM = "arm"
    HAND = "hand"
    FINGER = "finger"
    LEG = "leg"
    FOOT = "foot"
    TOE = "toe"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChainPair:
    """Bones of the source, from the body outward, and those of the target that follow them.

    Parameters
    ----------
    name : such as ``left arm``; unique in a map
    source, target : bone names
    confidence : how sure the proposal is, 0..1; 1 where a person chose it
    moves : whether the first bone's translation is carried over too (root, hips, props)
    """

    name: str
    part: Part
    source: tuple[str, ...]
    target: tuple[str, ...]
    confidence: float = 1.0
    moves: bool = False


@dataclass(frozen=True, slots=True)
class ChainMap:
    """A map between two skeletons; edited by making another one.

    Parameters
    ----------
    chains : pairs, each bone in one of them at most
    source_left, target_left : bones that no chain holds
    refused : why the two skeletons do not answer to each other, or ""
    notes : what a person should know
    """

    chains: tuple[ChainPair, ...]
    source_left: tuple[str, ...] = ()
    target_left: tuple[str, ...] = ()
    refused: str = ""
    notes: tuple[str, ...] = ()

    def chain(self, name: str) -> ChainPair | None:
        """The pair of that name, or None."""
        return next((pair for pair in self.chains if pair.name == name), None)

    def part(self, part: Part) -> tuple[ChainPair, ...]:
        """All pairs of a part."""
        return tuple(pair for pair in self.chains if pair.part is part)

    def with_chain(self, chain: ChainPair, source: Skeleton, target: Skeleton) -> "ChainMap":
        """The map with a pair put in place of the one of its name, or added; one without bones goes."""
        kept = [chain if pair.name == chain.name else pair for pair in self.chains]
        if self.chain(chain.name) is None:
            kept.append(chain)
        return with_leftovers(
            replace(self, chains=tuple(p for p in kept if p.source and p.target)), source, target
        )


def with_leftovers(chains: ChainMap, source: Skeleton, target: Skeleton) -> ChainMap:
    """The map with its lists of bones left out brought up to date."""
    used = [{bone for pair in chains.chains for bone in side(pair)} for side in (_source, _target)]
    return replace(
        chains,
        source_left=tuple(name for name in source.names if name not in used[0]),
        target_left=tuple(name for name in target.names if name not in used[1]),
    )


def _source(pair: ChainPair) -> tuple[str, ...]:
    return pair.source


def _target(pair: ChainPair) -> tuple[str, ...]:
    return pair.target


# ---------------------------------------------------------------- proposing


def propose_map(source: Skeleton, target: Skeleton) -> ChainMap:
    """Chains found by the roles of both skeletons, then bones of one name.

    A four-legged skeleton against a two-legged one is mapped along its trunk only, and `refused`
    says so.
    """
    roles = find_roles(source), find_roles(target)
    four = [is_quadruped(s, r) for s, r in zip((source, target), roles, strict=True)]
    trunk_only = four[0] != four[1]
    pairs = list(_root_pair(source, target, roles))
    for name, part, sought, side in _parts():
        if trunk_only and part not in (Part.HIPS, Part.SPINE, Part.NECK, Part.HEAD):
            continue
        ends = [tuple(bone for role in sought for bone in r.bones(role, side)) for r in roles]
        if ends[0] and ends[1]:
            sure = _confidence(part, ends[0], ends[1], source, target)
            pairs.append(ChainPair(name, part, ends[0], ends[1], sure, part is Part.HIPS))
    pairs += _same_names(source, target, pairs, trunk_only)
    found = with_leftovers(ChainMap(tuple(pairs)), source, target)
    return replace(found, refused=_refusal(found, four), notes=tuple(_notes(found, roles)))


def _parts() -> Iterator[tuple[str, Part, tuple[Role, ...], int]]:
    for role, part in ((Role.HIPS, Part.HIPS), (Role.SPINE, Part.SPINE)):
        yield part.value, part, (role,), MIDDLE
    yield "neck", Part.NECK, (Role.NECK,), MIDDLE
    yield "head", Part.HEAD, (Role.HEAD,), MIDDLE
    for side in (LEFT, RIGHT):
        word = SIDES[side]
        yield word + "clavicle", Part.CLAVICLE, (Role.CLAVICLE,), side
        yield word + "arm", Part.ARM, (Role.UPPER_ARM, Role.LOWER_ARM), side
        yield word + "hand", Part.HAND, (Role.HAND,), side
        for role in FINGERS:
            yield f"{word}{role.value}", Part.FINGER, (role,), side
        yield word + "leg", Part.LEG, (Role.THIGH, Role.CALF), side
        yield word + "foot", Part.FOOT, (Role.FOOT,), side
        yield word + "toe", Part.TOE, (Role.TOE,), side


def _root_pair(source: Skeleton, target: Skeleton, roles: tuple[Roles, Roles]) -> Iterator[ChainPair]:
    """The bones above the hips that carry the character over the ground, where both have one."""
    above = []
    for skeleton, found in zip((source, target), roles, strict=True):
        hips = found.one(Role.HIPS)
        line = [] if hips is None else list(skeleton.above(skeleton.index(hips)))
        thighs = [skeleton.index(b) for side in (LEFT, RIGHT) if (b := found.one(Role.THIGH, side))]
        # what carries one leg alone, or stands beside the other, is part of the body
        over = [set(skeleton.above(thigh)) for thigh in thighs]
        names = [skeleton.names[b] for b in line if all(b in each for each in over)]
        above.append([name for name in names if _ROOT.search(name.lower())])
    if not above[0] or not above[1]:
        return
    shared = [name for name in above[0] if name in above[1]]
    first, second = (shared[0], shared[0]) if shared else (above[0][0], above[1][0])
    yield ChainPair("root", Part.ROOT, (first,), (second,), 1.0 if shared else 0.8, True)


def _same_names(
    source: Skeleton, target: Skeleton, pairs: list[ChainPair], trunk_only: bool
) -> Iterator[ChainPair]:
    """Bones of one name in both that no chain holds: twists, props, tails of the same vocabulary."""
    if trunk_only:
        return
    used = {bone for pair in pairs for bone in (*pair.source, *pair.target)}
    hips = next((pair for pair in pairs if pair.part is Part.HIPS), None)
    body = source.descendants([source.index(hips.source[0])]) if hips else np.zeros(len(source), bool)
    for bone, name in enumerate(source.names):
        if name not in used and target.find(name) is not None:
            yield ChainPair(f"bone {name}", Part.OTHER, (name,), (name,), 0.9, not bool(body[bone]))


def _confidence(
    part: Part, source: tuple[str, ...], target: tuple[str, ...], first: Skeleton, second: Skeleton
) -> float:
    """Names that say the part in both are sure; unequal counts and nameless bones less so."""
    sure = 1.0 if len(source) == len(target) else 0.85
    if len(source) != len(target) and part in (Part.ARM, Part.LEG):
        sure = 0.6
    for skeleton, bones in ((first, source), (second, target)):
        depths = skeleton.depths()
        order = [int(depths[skeleton.index(bone)]) for bone in bones]
        if order != sorted(set(order)):
            sure = min(sure, 0.5)
        if any(sum(c.isalpha() for c in name) < 3 or name.lower().startswith("node") for name in bones):
            sure = min(sure, 0.6)
    return sure


def is_quadruped(skeleton: Skeleton, roles: Roles, rest: Transform | None = None) -> bool:
    """Whether arms and legs both stand on the ground in the rest pose, below a trunk that lies."""
    places = down_chain(skeleton.parents, skeleton.rest if rest is None else rest).translation

    def limb(upper: Role, end: tuple[Role, ...]) -> FloatArray | None:
        spans = []
        for side in (LEFT, RIGHT):
            first = roles.one(upper, side)
            last = next((b for role in end if (b := roles.one(role, side)) is not None), None)
            if first is not None and last is not None:
                spans.append(places[skeleton.index(last)] - places[skeleton.index(first)])
        return np.asarray(np.mean(spans, axis=0)) if spans else None

    arm = limb(Role.UPPER_ARM, (Role.HAND, Role.LOWER_ARM))
    leg = limb(Role.THIGH, (Role.FOOT, Role.CALF))
    spine, hips = roles.bones(Role.SPINE), roles.one(Role.HIPS)
    if arm is None or leg is None or not spine or hips is None:
        return False
    trunk = places[skeleton.index(spine[-1])] - places[skeleton.index(hips)]
    down = [-float(v[1]) / max(float(np.linalg.norm(v)), 1e-9) for v in (arm, leg)]
    lies = abs(float(trunk[1])) < 0.7 * max(float(np.linalg.norm(trunk)), 1e-9)
    return down[0] > 0.5 and down[1] > 0.5 and lies


def _refusal(found: ChainMap, four: list[bool]) -> str:
    if four[0] != four[1]:
        which = "source" if four[0] else "target"
        return (
            f"the {which} goes on four legs and the other does not: only {len(found.chains)} chains of the "
            "trunk answer to each other; give a map of your own to retarget all the same"
        )
    if not any(pair.part in (Part.HIPS, Part.SPINE, Part.LEG) for pair in found.chains):
        return "no body was found in both skeletons; give a map of your own"
    return ""


def _notes(found: ChainMap, roles: tuple[Roles, Roles]) -> Iterator[str]:
    for part in (Part.HIPS, Part.SPINE, Part.HEAD):
        if not found.part(part):
            yield f"no {part.value} in both skeletons"
    for part in (Part.ARM, Part.LEG):
        if len(found.part(part)) < 2:
            yield f"{len(found.part(part))} of two {part.value}s in both skeletons"
    for word, each in zip(("source", "target"), roles, strict=True):
        missing = [limb for limb in each.legs() if limb.end is None]
        if missing:
            yield f"the {word}'s legs end without a foot: no contacts are held"


# ---------------------------------------------------------------- checking


def check_map(chains: ChainMap, source: Skeleton, target: Skeleton) -> None:
    """Raise where a map cannot be used.

    Raises
    ------
    ValidationError
        No chain at all; a bone in two chains; left mapped to right; a chain out of order.
    MissingReferenceError
        A bone that a skeleton lacks.
    """
    if not chains.chains:
        raise ValidationError("chain map: it holds no chain, so there is nothing to retarget")
    names = [pair.name for pair in chains.chains]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValidationError(f"chain map: two chains are called {twice!r}; rename one")
    for word, skeleton, side in (("source", source, _source), ("target", target, _target)):
        seen: dict[str, str] = {}
        for pair in chains.chains:
            if not side(pair):
                raise ValidationError(f"chain map: {pair.name!r} has no bone in the {word}")
            numbers = [_number(skeleton, bone, f"{pair.name!r} in the {word}") for bone in side(pair)]
            if numbers != sorted(set(numbers)):
                raise ValidationError(f"chain map: {pair.name!r} must list the {word}'s bones parents first")
            for bone in side(pair):
                if bone in seen:
                    raise ValidationError(f"chain map: {bone!r} is in {seen[bone]!r} and in {pair.name!r}")
                seen[bone] = pair.name
    _check_sides(chains, source, target)


def _number(skeleton: Skeleton, bone: str, where: str) -> int:
    try:
        return skeleton.index(bone)
    except MissingReferenceError as error:
        raise MissingReferenceError(f"chain map: {where}: {error}") from None


def _check_sides(chains: ChainMap, source: Skeleton, target: Skeleton) -> None:
    roles = find_roles(source), find_roles(target)
    for pair in chains.chains:
        sides = [_side(bones[0], r) for bones, r in zip((pair.source, pair.target), roles, strict=True)]
        if sides[0] * sides[1] < 0:
            words = [SIDES[side].strip() for side in sides]
            raise ValidationError(
                f"chain map: {pair.name!r} is mirrored: {pair.source[0]!r} is on the {words[0]} of the source, "
                f"{pair.target[0]!r} on the {words[1]} of the target. Rotations of one side do not fit the "
                "other; map left to left, and mirror the clip afterwards"
            )


def _side(bone: str, roles: Roles) -> int:
    role = roles.of(bone)
    if role is not None:
        return role[1]
    named = mirror.side_of(bone)
    return named[0] if named else 0


# ---------------------------------------------------------------- JSON


def map_to_json(chains: ChainMap) -> str:
    """A map as JSON text."""
    rows = [
        {
            "name": pair.name,
            "part": pair.part.value,
            "source": list(pair.source),
            "target": list(pair.target),
            "confidence": pair.confidence,
            "moves": pair.moves,
        }
        for pair in chains.chains
    ]
    return json.dumps({"schema": SCHEMA, "chains": rows}, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes one chain's fields and says what is wrong with them."""

    row: Mapping[str, Any]
    place: str = field(default="")

    def names(self, key: str) -> tuple[str, ...]:
        value = self.row.get(key)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise ValidationError(f"chain map: {self.place}: expected a list of names under {key!r}")
        return tuple(value)

    def pair(self) -> ChainPair:
        name, part = self.row.get("name"), self.row.get("part", "other")
        sure, moves = self.row.get("confidence", 1.0), self.row.get("moves", False)
        if not isinstance(name, str) or not isinstance(part, str) or part not in set(Part):
            raise ValidationError(
                f"chain map: {self.place}: expected a name and a part, got {str(name)[:40]!r}, {str(part)[:40]!r}"
            )
        if not isinstance(sure, int | float) or not 0.0 <= sure <= 1.0 or not isinstance(moves, bool):
            raise ValidationError(f"chain map: {self.place}: confidence is 0 to 1, moves true or false")
        return ChainPair(name, Part(part), self.names("source"), self.names("target"), float(sure), moves)


def map_from_json(text: str, source: Skeleton, target: Skeleton) -> ChainMap:
    """A map read from JSON and checked against both skeletons.

    Raises
    ------
    ValidationError
        What `parsed_map` and `check_map` raise.
    MissingReferenceError
        A bone that a skeleton lacks.
    """
    chains = parsed_map(text)
    check_map(chains, source, target)
    return with_leftovers(chains, source, target)


def parsed_map(text: str) -> ChainMap:
    """A map read from JSON, for whatever skeletons.

    Raises
    ------
    ValidationError
        No JSON, another schema, a field of the wrong kind.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValidationError(f"chain map: no JSON: {error}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("chains"), list):
        raise ValidationError(f"chain map: expected an object of schema {SCHEMA!r} with a list 'chains'")
    rows = data["chains"]
    if not all(isinstance(row, dict) for row in rows):
        raise ValidationError("chain map: every chain must be an object")
    return ChainMap(tuple(_Reader(row, f"chain {number}").pair() for number, row in enumerate(rows)))
