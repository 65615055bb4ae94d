"""Which bone plays which part of a body: from names of the usual vocabularies, hierarchy, and rest pose.

Names say what a bone may be; the hierarchy decides: a calf is what hangs between thigh and foot,
whatever it is called (``LeftLeg``, ``shin.L``, ``LeftKnee``). Where names tell nothing, limbs are
the mirrored branches: those that end lowest are legs.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray, frozen_mapping
from core.errors import ValidationError
from core.math.transform import down_chain
from core.rig import mirror
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


class Role(StrEnum):
    """Parts of a body."""

    HIPS = "hips"
    SPINE = "spine"
    NECK = "neck"
    HEAD = "head"
    CLAVICLE = "clavicle"
    UPPER_ARM = "upper_arm"
    LOWER_ARM = "lower_arm"
    HAND = "hand"
    THUMB = "thumb"
    INDEX = "index"
    MIDDLE = "middle"
    RING = "ring"
    PINKY = "pinky"
    THIGH = "thigh"
    CALF = "calf"
    FOOT = "foot"
    TOE = "toe"


FINGERS = (Role.THUMB, Role.INDEX, Role.MIDDLE, Role.RING, Role.PINKY)
LEFT, MIDDLE, RIGHT = 1, 0, -1

_NOT_BODY = re.compile(
    r"twist|roll|ctrl|control|target|pole|helper|slot|socket|nub|corrective|end$|(^|[^a-z])ik($|[^a-z])"
    r"|hipjoint|prop|attach|weapon|effector"
)
_FINGER_WORDS = {
    Role.THUMB: ("thumb",),
    Role.INDEX: ("index", "pointer", "fore"),
    Role.MIDDLE: ("middle", "mid"),
    Role.RING: ("ring",),
    Role.PINKY: ("pinky", "little", "pinkie", "small"),
}


@dataclass(frozen=True, slots=True)
class Limb:
    """An arm or a leg: names from the body outward; None where the rig lacks the bone."""

    side: int
    upper: str
    lower: str
    end: str | None
    base: str | None = None
    toe: str | None = None


@dataclass(frozen=True, slots=True)
class Roles:
    """The parts that were found.

    Parameters
    ----------
    found : (role, side) → names, from the body outward; sides are +1 left, 0 middle, −1 right
    """

    found: Mapping[tuple[Role, int], tuple[str, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "found", frozen_mapping(self.found))

    def bones(self, role: Role, side: int = MIDDLE) -> tuple[str, ...]:
        """Names of a part, from the body outward."""
        return self.found.get((role, side), ())

    def one(self, role: Role, side: int = MIDDLE) -> str | None:
        """The first bone of a part, or None."""
        return next(iter(self.bones(role, side)), None)

    def of(self, bone: str) -> tuple[Role, int] | None:
        """Part and side of a bone, or None."""
        return next((key for key, names in self.found.items() if bone in names), None)

    def arms(self) -> tuple[Limb, ...]:
        """The arms that have two bones at least, left first."""
        return self._limbs(Role.UPPER_ARM, Role.LOWER_ARM, Role.HAND, Role.CLAVICLE, None)

    def legs(self) -> tuple[Limb, ...]:
        """The legs that have two bones at least, left first."""
        return self._limbs(Role.THIGH, Role.CALF, Role.FOOT, None, Role.TOE)

    def _limbs(
        self, upper: Role, lower: Role, end: Role, base: Role | None, toe: Role | None
    ) -> tuple[Limb, ...]:
        limbs = []
        for side in (LEFT, MIDDLE, RIGHT):
            first, second = self.one(upper, side), self.one(lower, side)
            if first is not None and second is not None:
                limbs.append(
                    Limb(
                        side,
                        first,
                        second,
                        self.one(end, side),
                        self.one(base, side) if base else None,
                        self.one(toe, side) if toe else None,
                    )
                )
        return tuple(limbs)


def find_roles(skeleton: Skeleton) -> Roles:
    """Roles of a skeleton's bones; parts that cannot be told are left out, never guessed."""
    body = _Body(skeleton)
    for side in (LEFT, RIGHT):
        body.leg(side)
        body.arm(side)
    if not any(role in (Role.THIGH, Role.UPPER_ARM) for role, _ in body.found):
        body.by_shape()
    body.middle()
    for side in (LEFT, RIGHT):
        body.fingers(side)
    names = skeleton.names
    return Roles({key: tuple(names[b] for b in bones) for key, bones in body.found.items() if bones})


def part_of(role: Role, side: int = MIDDLE) -> str:
    """The word of a part of the body, as `Rig.roles` has it: ``hips``, ``thigh_l``."""
    return f"{role}{_SIDES[side]}"


def part_named(part: str) -> tuple[Role, int]:
    """Role and side of such a word; raises `ValidationError`."""
    if part not in _PARTS:
        raise ValidationError(f"expected a part of the body such as hips or thigh_l, got {part[:40]!r}")
    return _PARTS[part]


def rig_roles(rig: Rig) -> Roles:
    """Roles of a rig's bones: those that a person chose (`Rig.roles`), the others by `find_roles`."""
    found = find_roles(rig.skeleton)
    if not rig.roles:
        return found
    chosen = {part_named(part): bone for part, bone in rig.roles.items()}
    taken = set(chosen.values())
    kept = {key: tuple(bone for bone in bones if bone not in taken) for key, bones in found.found.items()}
    merged = {key: bones for key, bones in kept.items() if bones and key not in chosen}
    return Roles({**merged, **{key: (bone,) for key, bone in chosen.items()}})


_SIDES = {LEFT: "_l", MIDDLE: "", RIGHT: "_r"}
_PARTS = {part_of(role, side): (role, side) for role in Role for side in (LEFT, MIDDLE, RIGHT)}


class _Body:
    """Collects roles; bones by number."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.found: dict[tuple[Role, int], list[int]] = {}
        self.places: FloatArray = down_chain(skeleton.parents, skeleton.rest).translation
        self.sides = _sides(skeleton)
        self.words = [_word(name) for name in skeleton.names]
        # controls of file formats stand beside the body's bones; what moves with nothing is none of it
        self.body = [not _NOT_BODY.search(name.lower()) for name in skeleton.names]

    # ------------------------------------------------------------ walking
    def says(self, bone: int, *words: str) -> bool:
        return self.body[bone] and any(word in self.words[bone] for word in words)

    def above(self, bone: int) -> list[int]:
        return list(self.skeleton.above(bone))

    def below(self, bone: int) -> list[int]:
        """Bones under one, nearest first."""
        chain, level = [], [bone]
        while level:
            level = [c for b in level for c in self.skeleton.children(b)]
            chain += level
        return chain

    def first(self, bones: list[int], wanted: Callable[[int], bool]) -> int | None:
        return next((b for b in bones if wanted(b)), None)

    def sided(self, side: int) -> list[int]:
        depths = self.skeleton.depths()
        return sorted(
            (b for b in range(len(self.skeleton)) if self.sides[b] == side), key=lambda b: (depths[b], b)
        )

    def put(self, role: Role, side: int, bone: int | None) -> None:
        if bone is not None:
            self.found.setdefault((role, side), []).append(bone)

    def place_limb(self, side: int, parts: Mapping[Role, int | None]) -> None:
        for role, bone in parts.items():
            self.put(role, side, bone)

    # ------------------------------------------------------------ by names
    def leg(self, side: int) -> None:
        bones = self.sided(side)
        thighs = ("thigh", "upleg", "upperleg", "femur")
        upper = self.first(bones, lambda b: self.says(b, *thighs))
        if upper is None:
            upper = self.first(bones, lambda b: self.says(b, "hip") and bool(self.skeleton.children(b)))
        calves = ("calf", "shin", "knee", "lowerleg", "lowleg", "tibia")
        if upper is None:
            legs = [b for b in bones if self.says(b, "leg", "shin", "knee", "calf")]
            upper = self.first(legs, lambda b: any(c in self.below(b) for c in legs))
        if upper is None:
            return
        under = self.below(upper)
        lower = self.first(under, lambda b: self.says(b, *calves) and not self.says(b, *thighs))
        if lower is None:
            lower = self.first(under, lambda b: self.says(b, "leg") and not self.says(b, *thighs))
        if lower is None:
            return
        foot = self.first(self.below(lower), lambda b: self.says(b, "foot", "ankle"))
        toe = None
        if foot is not None:
            toe = self.first(self.below(foot), lambda b: self.says(b, "ball", "toebase"))
            toe = toe or self.first(self.below(foot), lambda b: self.says(b, "toe", "foot"))
        self.place_limb(side, {Role.THIGH: upper, Role.CALF: lower, Role.FOOT: foot, Role.TOE: toe})

    def arm(self, side: int) -> None:
        bones = self.sided(side)
        lower = self.first(bones, lambda b: self.says(b, "forearm", "lowerarm", "elbow", "lowarm"))
        if lower is None:
            arms = [b for b in bones if self.says(b, "arm")]
            lower = self.first(arms, lambda b: any(a in arms for a in self.above(b)))
        if lower is None:
            return
        above = [b for b in self.above(lower) if self.sides[b] == side]
        upper = self.first(above, lambda b: self.says(b, "arm", "shoulder", "shldr", "humerus"))
        if upper is None:
            return
        base = self.first(
            [b for b in self.above(upper) if self.sides[b] == side],
            lambda b: self.says(b, "clavicle", "collar", "shoulder", "shldr"),
        )
        hand = self.first(self.below(lower), lambda b: self.says(b, "hand", "wrist"))
        if hand is None:
            hand = self.first(self.below(lower), lambda b: self.says(b, "palm"))
        parts = {Role.CLAVICLE: base, Role.UPPER_ARM: upper, Role.LOWER_ARM: lower, Role.HAND: hand}
        self.place_limb(side, parts)

    def fingers(self, side: int) -> None:
        hand = self.found.get((Role.HAND, side))
        if not hand:
            return
        # a rig may hang the fingers beside the hand, below the forearm
        lower = self.found.get((Role.LOWER_ARM, side), hand)
        for bone in sorted(self.below(lower[0])):
            if not self.body[bone] or self.says(bone, "metacarpal", "inhand"):
                continue
            # the outermost first: some name it after its neighbour (LeftHandRingPinky1)
            for role, words in reversed(_FINGER_WORDS.items()):
                if self.says(bone, *words) and not self.says(bone, "toe", "forearm"):
                    self.put(role, side, bone)
                    break

    # ------------------------------------------------------------ by shape
    def by_shape(self) -> None:
        """Limbs are mirrored branches of two bones and more; those that end lowest are legs."""
        proposal = mirror.propose(self.skeleton)
        twin = {p.left: p.right for p in proposal.pairs}
        floor, size = float(self.places[:, 1].min()), float(np.ptp(self.places[:, 1])) or 1.0
        for left, right in twin.items():
            first, second = self.skeleton.index(left), self.skeleton.index(right)
            if any(self.sides[b] for b in (self.skeleton.parent(first),) if b >= 0):
                continue  # not where a limb begins
            for side, bone in ((LEFT, first), (RIGHT, second)):
                chain = self._longest(bone)
                low = (float(self.places[chain[-1], 1]) - floor) / size < 0.15
                down = self.places[chain[0], 1] - self.places[chain[-1], 1] > 0.3 * size
                if low and down and len(chain) >= 3:
                    self.place_limb(
                        side, dict(zip((Role.THIGH, Role.CALF, Role.FOOT, Role.TOE), chain, strict=False))
                    )
                elif len(chain) >= 4:
                    arm = (Role.CLAVICLE, Role.UPPER_ARM, Role.LOWER_ARM, Role.HAND)
                    self.place_limb(side, dict(zip(arm, chain, strict=False)))
                elif len(chain) == 3:
                    self.place_limb(
                        side, dict(zip((Role.UPPER_ARM, Role.LOWER_ARM, Role.HAND), chain, strict=True))
                    )

    def _longest(self, bone: int) -> list[int]:
        """The path down from a bone that reaches farthest."""
        paths = [self._longest(child) for child in self.skeleton.children(bone)]
        return [bone, *max(paths, key=len, default=[])]

    # ------------------------------------------------------------ the middle
    def middle(self) -> None:
        thighs = [b for (role, _), bones in self.found.items() if role is Role.THIGH for b in bones]
        arms = [
            self.found.get((Role.CLAVICLE, side), self.found.get((Role.UPPER_ARM, side), []))[:1]
            for side in (LEFT, RIGHT)
        ]
        roots = [b for arm in arms for b in arm]
        head = self._head()
        hips = self._hips(thighs, roots, head)
        chest = self._common(roots) if roots else None
        self.put(Role.HIPS, MIDDLE, hips)
        if chest is not None and hips is not None and chest != hips and hips in self.above(chest):
            self.trunk([b for b in reversed([chest, *self.above(chest)]) if hips in self.above(b)])
        elif chest is None and hips is not None:
            for bone in sorted(self.below(hips)):
                if not self.sides[bone] and self.says(bone, "spine", "chest", "torso", "abdomen", "back"):
                    self.put(Role.SPINE, MIDDLE, bone)
        spine = self.found.get((Role.SPINE, MIDDLE), [])
        top = spine[-1] if spine else hips
        if head is None and top is not None:
            head = self._head_by_shape(top)
        if head is None:
            return
        necks = self.found.get((Role.NECK, MIDDLE), [])
        for bone in reversed(self.above(head)):
            if top is not None and top in self.above(bone) and bone != top and bone not in necks:
                self.put(Role.NECK, MIDDLE, bone)
        self.put(Role.HEAD, MIDDLE, head)

    def trunk(self, bones: list[int]) -> None:
        """The spine, from hips to chest: a second pelvis below the hips is part of these, a neck that
        carries the arms is a neck all the same.
        """
        first, last = 0, len(bones)
        while first < last - 1 and self.says(bones[first], "pelvis", "hips"):
            self.put(Role.HIPS, MIDDLE, bones[first])
            first += 1
        while last > first + 1 and self.says(bones[last - 1], "neck"):
            last -= 1
        for bone in bones[first:last]:
            self.put(Role.SPINE, MIDDLE, bone)
        for bone in bones[last:]:
            self.put(Role.NECK, MIDDLE, bone)

    def _head(self) -> int | None:
        return self.first(range_of(self.skeleton), lambda b: self.says(b, "head") and not self.sides[b])

    def _head_by_shape(self, top: int) -> int | None:
        """The end of the path on the mirror plane that goes up from the chest."""
        bone, chain = top, list[int]()
        while True:
            ahead = [c for c in self.skeleton.children(bone) if not self.sides[c]]
            ahead = [c for c in ahead if self.places[c, 1] > self.places[bone, 1]]
            if len(ahead) != 1:
                return chain[-1] if chain else None
            bone = ahead[0]
            chain.append(bone)

    def _hips(self, thighs: list[int], arms: list[int], head: int | None) -> int | None:
        ends = [*thighs, *arms, *([head] if head is not None else [])]
        shared = self._common(thighs) if len(thighs) > 1 else None
        over = [b for b in range_of(self.skeleton) if not ends or any(b in self.above(e) for e in ends)]
        named = self.first(over, lambda b: self.says(b, "hips", "pelvis", "hip") and not self.sides[b])
        if named is not None:
            return named
        return shared if shared is not None else None

    def _common(self, bones: list[int]) -> int | None:
        """The nearest bone above all of these."""
        lines = [self.above(b) for b in bones]
        return next((b for b in lines[0] if all(b in line for line in lines[1:])), None) if lines else None


def range_of(skeleton: Skeleton) -> list[int]:
    """Numbers of all bones, parents first."""
    return list(range(len(skeleton)))


def _word(name: str) -> str:
    """A name's letters in lower case, without its side."""
    found = mirror.side_of(name)
    return re.sub(r"[^a-z]", "", (found[1] if found else name).lower())


def _sides(skeleton: Skeleton) -> list[int]:
    """Side of each bone: by its name, by its mirror twin, else its parent's."""
    sides = [0] * len(skeleton)
    for pair in mirror.propose(skeleton).pairs:
        sides[skeleton.index(pair.left)], sides[skeleton.index(pair.right)] = LEFT, RIGHT
    for bone, name in enumerate(skeleton.names):
        found = mirror.side_of(name)
        parent = skeleton.parent(bone)
        if found is not None:
            sides[bone] = found[0]
        elif not sides[bone] and parent >= 0:
            sides[bone] = sides[parent]
    return sides
