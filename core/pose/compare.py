"""Comparing poses and bone names: what fits, what differs."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.math import quat
from core.pose.pose import Pose, require_same_rig
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Match:
    """How names from elsewhere fit a skeleton.

    Parameters
    ----------
    bones : name from elsewhere → bone of the skeleton
    missing : names from elsewhere without a bone
    total : how many names there were
    renamed : those of `bones` that were found only without their prefix or case
    """

    bones: dict[str, str]
    missing: tuple[str, ...]
    total: int
    renamed: tuple[str, ...] = ()


def match_names(names: Iterable[str], skeleton: Skeleton) -> Match:
    """Find bones by name: exactly, else without namespace (``mixamorig:``) and case where that is unique."""
    given = list(dict.fromkeys(names))
    found = {name: name for name in given if skeleton.find(name) is not None}
    taken = set(found.values())
    plain: dict[str, list[str]] = {}
    for name in skeleton.names:
        if name not in taken:
            plain.setdefault(_plain(name), []).append(name)
    renamed: list[str] = []
    for name in given:
        options = plain.get(_plain(name), [])
        if name not in found and len(options) == 1 and options[0] not in taken:
            found[name] = options[0]
            taken.add(options[0])
            renamed.append(name)
    missing = tuple(name for name in given if name not in found)
    return Match(found, missing, len(given), tuple(renamed))


def _plain(name: str) -> str:
    return name.rpartition(":")[2].rpartition("|")[2].lower()


def differing(
    a: Pose,
    b: Pose,
    skeleton: Skeleton,
    translate: float = 1e-4,
    rotate: float = 0.01,
    scale: float = 1e-4,
) -> tuple[str, ...]:
    """Bones whose local transforms differ by more than tolerances in metres, degrees and factors."""
    require_same_rig(a, b)
    apart = np.abs(a.translations - b.translations).max(axis=1) > translate
    apart |= np.degrees(quat.angle_between(a.rotations, b.rotations)) > rotate
    apart |= np.abs(a.scales - b.scales).max(axis=1) > scale
    return tuple(skeleton.names[i] for i in np.flatnonzero(apart))
