"""The skeleton: bones, parents, rest pose."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.arrays import ByteArray, IntArray, frozen
from core.errors import MissingReferenceError, ValidationError
from core.math import euler, quat
from core.math.transform import Transform


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """Bones in parent-before-child order with their rest local transforms.

    Parameters
    ----------
    names : one unique, non-empty name a bone
    parents : ``(B,)`` parent index of each bone, −1 for roots, always below the bone's own
    rest : local transforms: metres ``(B, 3)``, unit quaternions ``(B, 4)``, factors ``(B, 3)``
    euler_orders : ``(B,)`` index into `core.math.euler.ORDERS` in which a bone's Euler channels
        are read; all XYZ by default
    sources : ``(B,)`` each bone's number in the file it came from (glTF: node), else its index

    Raises
    ------
    ValidationError
        Naming the bone: duplicate or empty name, parent missing, cyclic or after its child,
        zero-length or non-finite quaternion, non-finite number.
    """

    names: tuple[str, ...]
    parents: IntArray
    rest: Transform
    euler_orders: ByteArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))
    sources: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        count = len(self.names)
        put = object.__setattr__
        put(self, "names", tuple(self.names))
        put(self, "_index", _index_names(self.names))
        put(self, "parents", frozen(self.parents, (count,), "skeleton parents", np.int32))
        orders = self.euler_orders if len(self.euler_orders) else np.zeros(count, dtype=np.uint8)
        sources = self.sources if len(self.sources) else np.arange(count, dtype=np.int32)
        put(self, "euler_orders", frozen(orders, (count,), "skeleton Euler orders", np.uint8))
        put(self, "sources", frozen(sources, (count,), "skeleton sources", np.int32))
        put(self, "rest", _checked_rest(self.rest, self.names))
        _check_parents(self.parents, self.names)
        if count and int(self.euler_orders.max()) >= len(euler.ORDERS):
            raise ValidationError(f"skeleton: Euler orders must be below {len(euler.ORDERS)}")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Number of a bone; raises `MissingReferenceError` naming near misses."""
        try:
            return self._index[name]
        except KeyError:
            lowered = name.lower()
            close = [n for n in self.names if lowered in n.lower() or n.lower() in lowered][:3]
            hint = f"; did you mean {', '.join(close)}?" if close else ""
            raise MissingReferenceError(f"no bone is named {name!r}{hint}") from None

    def find(self, name: str) -> int | None:
        """Number of a bone, or None."""
        return self._index.get(name)

    def parent(self, bone: int) -> int:
        """Parent's number, −1 for a root."""
        return int(self.parents[bone])

    def children(self, bone: int) -> tuple[int, ...]:
        """Numbers of the direct children, in order."""
        return tuple(int(i) for i in np.flatnonzero(self.parents == bone))

    def above(self, bone: int) -> Iterator[int]:
        """The bones above one, its parent first."""
        while (bone := self.parent(bone)) >= 0:
            yield bone

    def roots(self) -> tuple[int, ...]:
        """Numbers of the bones without a parent."""
        return self.children(-1)

    def descendants(self, bones: Iterable[int]) -> npt.NDArray[np.bool_]:
        """Mask ``(B,)`` of the bones given and everything below them."""
        mask = np.zeros(len(self), dtype=bool)
        mask[list(bones)] = True
        for bone, parent in enumerate(self.parents):
            if parent >= 0 and mask[parent]:
                mask[bone] = True
        return mask

    def chain(self, tip: int, root: int) -> tuple[int, ...]:
        """Bones from `root` down to `tip`, both included; raises `ValidationError` if not related."""
        bones = [tip]
        while bones[-1] != root:
            above = self.parent(bones[-1])
            if above < 0:
                raise ValidationError(f"bone {self.names[tip]!r} is not below {self.names[root]!r}")
            bones.append(above)
        return tuple(reversed(bones))

    def depths(self) -> IntArray:
        """Number of bones above each bone, ``(B,)``."""
        depth = np.zeros(len(self), dtype=np.int32)
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                depth[bone] = depth[parent] + 1
        return depth


def main_bones(skeleton: Skeleton) -> npt.NDArray[np.bool_]:
    """Mask ``(B,)`` of the trees that make up the character.

    Left out are trees of less than a tenth of the largest one's bones, which scenes have for cameras, lights and
    their targets.
    """
    trees = [skeleton.descendants([root]) for root in skeleton.roots()]
    largest = max((int(tree.sum()) for tree in trees), default=0)
    mask = np.zeros(len(skeleton), dtype=bool)
    for tree in trees:
        if 10 * int(tree.sum()) >= largest:
            mask |= tree
    return mask


def _index_names(names: Sequence[str]) -> dict[str, int]:
    index: dict[str, int] = {}
    for number, name in enumerate(names):
        if not name:
            raise ValidationError(f"bone {number}: expected a name, got an empty one")
        if name in index:
            raise ValidationError(f"bone {number}: the name {name!r} is already bone {index[name]}'s")
        index[name] = number
    return index


def _checked_rest(rest: Transform, names: Sequence[str]) -> Transform:
    count = len(names)
    translation = frozen(rest.translation, (count, 3), "rest translations")
    rotation = frozen(rest.rotation, (count, 4), "rest rotations")
    scale = frozen(rest.scale, (count, 3), "rest scales")
    for what, array in (("translation", translation), ("rotation", rotation), ("scale", scale)):
        bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
        if len(bad):
            raise ValidationError(f"bone {names[bad[0]]!r}: its rest {what} is not finite: {array[bad[0]]}")
    length = np.linalg.norm(rotation, axis=1)
    bad = np.flatnonzero(length < 1e-6)
    if len(bad):
        raise ValidationError(f"bone {names[bad[0]]!r}: its rest rotation is a quaternion of zero length")
    if np.abs(length - 1.0).max(initial=0.0) > 1e-12:
        rotation = frozen(quat.normalise(rotation), (count, 4), "rest rotations")
    return Transform(translation, rotation, scale)


def _check_parents(parents: IntArray, names: Sequence[str]) -> None:
    for bone, parent in enumerate(parents):
        if parent == bone:
            raise ValidationError(f"bone {names[bone]!r} is its own parent")
        if not -1 <= parent < bone:
            raise ValidationError(
                f"bone {names[bone]!r} (number {bone}): its parent {int(parent)} must come before it"
            )


def skeleton_from_unordered(
    names: Sequence[str],
    parents: Sequence[int],
    rest: Transform,
    euler_orders: npt.ArrayLike | None = None,
    sources: npt.ArrayLike | None = None,
) -> tuple[Skeleton, IntArray]:
    """Build a skeleton from bones in any order.

    Returns
    -------
    skeleton, order
        ``order[new] = old``; siblings keep their order, each bone comes right before its subtree.

    Raises
    ------
    ValidationError
        Naming the bones of a cycle, or a bone whose parent does not exist.
    """
    count = len(names)
    children: list[list[int]] = [[] for _ in range(count)]
    roots: list[int] = []
    for bone, parent in enumerate(parents):
        if parent < -1 or parent >= count:
            raise ValidationError(f"bone {names[bone]!r}: its parent {parent} is not among {count} bones")
        (roots if parent < 0 else children[parent]).append(bone)
    order: list[int] = []
    stack = roots[::-1]
    while stack:
        bone = stack.pop()
        order.append(bone)
        stack.extend(reversed(children[bone]))
    if len(order) < count:
        lost = next(b for b in range(count) if b not in set(order))
        raise ValidationError(f"bone {names[lost]!r} stands in a cycle of parents")
    place = {old: new for new, old in enumerate(order)}
    old = np.array(order, dtype=np.int32)
    skeleton = Skeleton(
        tuple(names[b] for b in order),
        np.array([place[parents[b]] if parents[b] >= 0 else -1 for b in order], dtype=np.int32),
        Transform(*(np.asarray(part, dtype=np.float64)[old] for part in rest)),
        np.zeros(count, np.uint8) if euler_orders is None else np.asarray(euler_orders, np.uint8)[old],
        old if sources is None else np.asarray(sources, np.int32)[old],
    )
    return skeleton, old
