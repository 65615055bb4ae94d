"""Proposing which bones mirror to which (spec: editing, Mirroring).

Names are asked first and rest positions confirm them; then rest positions speak alone. What
contradicts itself is reported as a conflict, never guessed.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math.transform import down_chain
from core.rig.rig import MirrorSetup
from core.rig.skeleton import Skeleton

PLANE_TOLERANCE = 0.015
"""Fraction of the character's size within which a bone counts as standing on the plane."""

MATCH_TOLERANCE = 0.02
"""Fraction of the size within which two rest positions count as each other's reflection."""

_SIDE = re.compile(
    r"(?P<word>left|right)"  # anywhere, any case: LeftArm, arm_left, b_RightHand_08
    r"|(?<![A-Za-z])(?P<letter>[LlRr])(?![A-Za-z])"  # alone between separators: hand.L, L_arm, arm_l_01
    r"|(?:(?<=^)|(?<=[0-9_.:| -]))(?P<prefix>[LRlr])(?=[A-Z][a-z])"  # LThumb, lShldr, Bip01LToe0
    r"|(?P<han>[左右])",
    re.IGNORECASE,
)
_CASED = re.compile(r"(?:^|(?<=[0-9_.:| -]))([LRlr])(?=[A-Z][a-z])")
_LOWER_SIDE = re.compile(r"^([lr])(?=[a-z]{4,}$)")  # lhand, rhand: only where the twin exists
_SERIAL = re.compile(r"[._-]\d+(?=$|[._-])")


class Evidence(StrEnum):
    """What a proposed pair rests on."""

    NAMES_AND_PLACES = "names and rest positions"
    NAMES = "names"
    PLACES = "rest positions"
    HIERARCHY = "hierarchy"


@dataclass(frozen=True, slots=True)
class ProposedPair:
    """A left and a right bone, how sure the proposal is (0..1) and why."""

    left: str
    right: str
    confidence: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class MirrorProposal:
    """What `propose` found: pairs, bones on the plane, bones on neither list, contradictions in words."""

    axis: int
    pairs: tuple[ProposedPair, ...]
    axis_bones: tuple[str, ...]
    leftovers: tuple[str, ...]
    conflicts: tuple[str, ...]

    def setup(self) -> MirrorSetup:
        """The lists as the rig stores them."""
        return MirrorSetup(self.axis, self.axis_bones, tuple((p.left, p.right) for p in self.pairs))


def side_of(name: str) -> tuple[int, str] | None:
    """Side that a name tells (+1 left, −1 right) and the name with the side replaced by ``*``.

    The last side word in the name counts (``b_LeftUpperArm`` has one; ``Left_hand_l`` is left by
    its suffix). None where the name tells no side.
    """
    found: tuple[int, str] | None = None
    for match in _sides(name):
        token = match.group(match.lastgroup or 0)
        left = token.lower() in ("left", "l", "左")
        found = (1 if left else -1, f"{name[: match.start()]}*{name[match.end() :]}".lower())
    return found


def _sides(name: str) -> Iterator[re.Match[str]]:
    for match in _SIDE.finditer(name):
        # A prefix letter is told from the first letter of a word by its case only.
        if match.lastgroup == "prefix" and not _CASED.match(name, match.start()):
            continue
        yield match


def propose(skeleton: Skeleton, axis: int | None = None) -> MirrorProposal:
    """Propose axis bones and symmetric pairs for a skeleton.

    Parameters
    ----------
    axis : model axis the plane is perpendicular to (0 x, 1 y, 2 z); None takes the one about which
        the pairs found by names are most symmetric, x without any
    """
    places = down_chain(skeleton.parents, skeleton.rest).translation
    named, conflicts = _pairs_by_name(skeleton)
    if axis is None:
        axis = _best_axis(skeleton, places, named)
    plane = _Plane(axis, _centre(places, named, axis), places)
    pairs = [_confirmed(skeleton, plane, left, right, conflicts) for left, right in named]
    taken = {bone for pair in named for bone in pair}
    pairs += _pairs_by_hierarchy(skeleton, named, taken)
    for left, right in _pairs_by_place(skeleton, plane, taken):
        pairs.append(ProposedPair(skeleton.names[left], skeleton.names[right], 0.6, Evidence.PLACES))
        taken |= {left, right}
    pairs.sort(key=lambda pair: skeleton.index(pair.left))
    middle = [b for b in range(len(skeleton)) if plane.holds(b) and b not in taken and not _side(skeleton, b)]
    middle = [b for b in middle if not any(a in taken for a in skeleton.above(b))]
    listed = taken | set(middle)
    return MirrorProposal(
        axis,
        tuple(pairs),
        tuple(skeleton.names[b] for b in middle),
        tuple(name for b, name in enumerate(skeleton.names) if b not in listed),
        tuple(conflicts),
    )


class _Plane:
    """The mirror plane and where the bones rest (model space, metres) beside it."""

    def __init__(self, axis: int, centre: float, places: FloatArray) -> None:
        self.axis, self.centre, self.places = axis, centre, places
        self.size = float(np.ptp(places, axis=0).max(initial=0.0)) or 1.0

    def flipped(self, bones: int | npt.NDArray[np.int_]) -> FloatArray:
        """Reflected rest positions of some bones."""
        points = np.array(self.places[bones])
        points[..., self.axis] = 2 * self.centre - points[..., self.axis]
        return points

    def aside(self, bone: int) -> float:
        """Signed distance from the plane, as a fraction of the size."""
        return float(self.places[bone, self.axis] - self.centre) / self.size

    def holds(self, bone: int) -> bool:
        """Whether a bone rests on the plane."""
        return abs(self.aside(bone)) <= PLANE_TOLERANCE


def _side(skeleton: Skeleton, bone: int) -> int:
    """Side that a bone's name tells: +1 left, −1 right, 0 none."""
    found = side_of(skeleton.names[bone])
    return found[0] if found else 0


def _pairs_by_name(skeleton: Skeleton) -> tuple[list[tuple[int, int]], list[str]]:
    """Left and right bones whose names agree but for the side; ambiguous ones become conflicts."""
    pairs: list[tuple[int, int]] = []
    conflicts: list[str] = []
    left_over = _match(skeleton, range(len(skeleton)), lambda key: key, pairs, conflicts)
    # Exporters number bones one by one (b_LeftHand_011, b_RightHand_08): drop such a serial.
    left_over = _match(skeleton, left_over, lambda key: _SERIAL.sub("", key), pairs, conflicts)
    by_name = {name.lower(): bone for bone, name in enumerate(skeleton.names)}
    paired = {bone for pair in pairs for bone in pair}
    for name, bone in by_name.items():
        if name.startswith("l") and _LOWER_SIDE.match(name) and bone not in paired:
            twin = by_name.get("r" + name[1:])
            if twin is not None and twin not in paired:
                pairs.append((bone, twin))
    return sorted(pairs), conflicts


def _match(
    skeleton: Skeleton,
    bones: "range | list[int]",
    simplify: Callable[[str], str],
    pairs: list[tuple[int, int]],
    conflicts: list[str],
) -> list[int]:
    """Pair the bones whose simplified keys meet once on each side; return those left over."""
    groups: dict[str, dict[int, list[int]]] = defaultdict(lambda: {1: [], -1: []})
    for bone in bones:
        side = side_of(skeleton.names[bone])
        if side is not None:
            groups[simplify(side[1])][side[0]].append(bone)
    left_over: list[int] = []
    for sides in groups.values():
        if len(sides[1]) == 1 and len(sides[-1]) == 1:
            pairs.append((sides[1][0], sides[-1][0]))
        elif sides[1] and sides[-1]:
            names = ", ".join(skeleton.names[b] for b in sides[1] + sides[-1])
            conflicts.append(f"more than one bone answers to one name: {names}")
        else:
            left_over += sides[1] + sides[-1]
    return left_over


def _best_axis(skeleton: Skeleton, places: FloatArray, pairs: list[tuple[int, int]]) -> int:
    """Axis along which named pairs part, always the same way round; without names, most bones by place; else x."""
    if pairs:
        left, right = (places[[p[side] for p in pairs]] for side in (0, 1))
        # Signed, for in a rest pose that strides, legs and arms part the other way round along the walk.
        return int(np.argmax(np.abs((left - right).sum(axis=0))))
    counts = [
        len(_pairs_by_place(skeleton, _Plane(a, _centre(places, [], a), places), set())) for a in range(3)
    ]
    return int(np.argmax(counts))


def _centre(places: FloatArray, pairs: list[tuple[int, int]], axis: int) -> float:
    """Where the plane cuts its axis: midway between named pairs, else through the first root."""
    if pairs:
        return float(np.median([(places[left, axis] + places[right, axis]) / 2 for left, right in pairs]))
    return float(places[0, axis]) if len(places) else 0.0


def _confirmed(
    skeleton: Skeleton, plane: _Plane, left: int, right: int, conflicts: list[str]
) -> ProposedPair:
    """A pair found by names, with what the rest positions say of it."""
    names = skeleton.names[left], skeleton.names[right]
    distance = float(np.linalg.norm(plane.flipped(left) - plane.places[right])) / plane.size
    if distance <= MATCH_TOLERANCE:
        return ProposedPair(*names, 1.0, Evidence.NAMES_AND_PLACES)
    if not plane.holds(left) and plane.aside(left) * plane.aside(right) > 0 and not plane.holds(right):
        conflicts.append(f"{names[0]} and {names[1]} pair by name but rest on the same side")
        return ProposedPair(*names, 0.4, Evidence.NAMES)
    return ProposedPair(*names, max(0.5, 0.9 - distance), Evidence.NAMES)


def _pairs_by_hierarchy(
    skeleton: Skeleton, named: list[tuple[int, int]], taken: set[int]
) -> list[ProposedPair]:
    """Where a pair has one unpaired child on each side by name, these are a pair too, and so down."""
    found: list[ProposedPair] = []
    ahead = list(named)
    while ahead:
        parents = ahead.pop()
        left, right = (
            [b for b in skeleton.children(p) if b not in taken and _side(skeleton, b) == side]
            for p, side in zip(parents, (1, -1), strict=True)
        )
        if len(left) == len(right) == 1:
            found.append(
                ProposedPair(skeleton.names[left[0]], skeleton.names[right[0]], 0.5, Evidence.HIERARCHY)
            )
            taken |= {left[0], right[0]}
            ahead.append((left[0], right[0]))
    return found


def _pairs_by_place(skeleton: Skeleton, plane: _Plane, taken: set[int]) -> list[tuple[int, int]]:
    """Bones that are each other's only reflection within the tolerance, equally deep, not roots."""
    depths = skeleton.depths()
    bones = np.array(
        [b for b in range(len(skeleton)) if b not in taken and depths[b] and not plane.holds(b)], dtype=int
    )
    if len(bones) < 2:
        return []
    apart = np.linalg.norm(plane.flipped(bones)[:, None] - plane.places[bones][None], axis=-1)
    close = apart <= MATCH_TOLERANCE * plane.size
    close &= depths[bones][:, None] == depths[bones][None]
    sides = np.array([_side(skeleton, b) for b in bones])
    close &= sides[:, None] == -sides[None]
    pairs = []
    for row in np.flatnonzero(close.sum(axis=1) == 1):
        partner = int(np.flatnonzero(close[row])[0])
        # A character that faces +Z has its left on +X; other axes keep the positive side as left.
        if close[partner].sum() == 1 and plane.aside(int(bones[row])) > 0:
            pairs.append((int(bones[row]), int(bones[partner])))
    return pairs
