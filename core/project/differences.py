"""What differs between two versions of a document, asset by asset: to choose between them."""

from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from core.arrays import same_value
from core.clips.clip import Clip
from core.project.project import Asset, Project


class Change(StrEnum):
    """How an asset of the second version stands to the first."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Difference(NamedTuple):
    """One asset that differs.

    Parameters
    ----------
    kind : what it is, in lower case ("clip", "rig" …)
    name : what it is called (in the first version, where it is in both)
    change : added, removed or changed, seen from the first version
    what : for one that changed: which parts of it differ, for people
    """

    kind: str
    name: str
    change: Change
    what: str = ""


def differences(first: Project, second: Project) -> tuple[Difference, ...]:
    """The assets that differ, in the order of the first version, then those only in the second."""
    found = []
    for key, mine in first.assets.items():
        other = second.assets.get(key)
        if other is None:
            found.append(Difference(_kind(mine), mine.name, Change.REMOVED))
        elif mine is not other and not same_value(mine, other):
            found.append(Difference(_kind(mine), mine.name, Change.CHANGED, ", ".join(_parts(mine, other))))
    for key, other in second.assets.items():
        if key not in first.assets:
            found.append(Difference(_kind(other), other.name, Change.ADDED))
    if not same_value(first.settings, second.settings):
        found.append(Difference("settings", "", Change.CHANGED))
    return tuple(found)


def _kind(asset: Asset) -> str:
    letters = [f" {c.lower()}" if c.isupper() else c for c in type(asset).__name__]
    return "".join(letters).strip()


def _parts(mine: Any, other: Any) -> list[str]:
    """Names of fields that differ; of a clip's tracks, how many."""
    if type(mine) is not type(other) or not is_dataclass(mine):
        return ["another kind"]
    found = []
    for field in fields(mine):
        a, b = getattr(mine, field.name), getattr(other, field.name)
        if a is b or same_value(a, b):
            continue
        if field.name == "name":
            found.append(f"named {b!r}")
        elif isinstance(mine, Clip) and field.name == "tracks":
            changed = sum(1 for key in {**a, **b} if not same_value(a.get(key), b.get(key)))
            found.append("1 track" if changed == 1 else f"{changed} tracks")
        else:
            found.append(field.name.replace("_", " "))
    return found
