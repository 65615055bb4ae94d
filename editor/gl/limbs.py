"""Which bone a person means by a limb, where twist bones lie within it. Free of Qt and OpenGL."""

import re
from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray, IntArray
from core.rig.skeleton import Skeleton

_TWIST = re.compile(r"twist|(^|[^a-z])roll", re.IGNORECASE)
INSIDE = (0.04, 0.96)
"""Part of a limb's length within which a bone without children starts that only helps it deform."""
BESIDE = 0.08
"""How far from the limb's middle line, as a part of its length."""


def limbs(skeleton: Skeleton, tips: FloatArray) -> IntArray:
    """For each bone the one whose limb it is part of ``(B,)``: itself, but for twist bones and their like.

    A bone is part of its parent's limb when its name says so, or when it has no children and starts on the
    way from its parent's start to where a bone that carries more goes on.

    Parameters
    ----------
    tips : ``(B, 3)`` where each bone ends in its own space
    """
    count = len(skeleton)
    parents = np.asarray(skeleton.parents)
    places = np.asarray(skeleton.rest.translation)
    has_children = np.zeros(count, dtype=bool)
    has_children[parents[parents >= 0]] = True
    found = np.arange(count)
    for bone in range(count):
        parent = int(parents[bone])
        if parent < 0:
            continue
        named = _TWIST.search(skeleton.names[bone]) is not None
        goes_on = [
            b for b in np.flatnonzero(parents == parent) if b != bone and _ends_at(places[b], tips[parent])
        ]
        within = not has_children[bone] and bool(goes_on) and _within(places[bone], tips[parent])
        if within or (named and bool(goes_on)) or (named and not has_children[bone]):
            found[bone] = found[parent]
    return found.astype(np.int32)


def _ends_at(place: FloatArray, tip: FloatArray) -> bool:
    return bool(np.linalg.norm(place - tip) <= 0.02 * max(float(np.linalg.norm(tip)), 1e-9))


def _within(place: FloatArray, tip: FloatArray) -> bool:
    length = float(np.linalg.norm(tip))
    if length < 1e-9:
        return False
    along = float(place @ tip) / length**2
    aside = float(np.linalg.norm(place - along * tip)) / length
    return INSIDE[0] < along < INSIDE[1] and aside < BESIDE


def by_limb(bones: Sequence[int], limb_of: IntArray) -> list[int]:
    """Bones in the order to take them: before each twist bone the bone of its limb, if that is among them."""
    there = set(bones)
    order: list[int] = []
    for bone in bones:
        limb = int(limb_of[bone])
        for one in (limb, bone):
            if one in there and one not in order:
                order.append(one)
    return order
