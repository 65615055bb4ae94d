"""Commands are values: set asset X from before to after, with a label and the view they belong to."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from core.arrays import same_value
from core.ids import AssetId
from core.project.project import Asset, Project

ARRAY_OBJECT = sys.getsizeof(np.empty(0))
"""Bytes of an array without its numbers."""


PIECE = 300
"""Values of which the sizes are told at a time: half a millisecond."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """Where the user was: what an undo brings back before their eyes.

    Parameters
    ----------
    below : the clip that `clip` was in hand as a layer of, or None
    """

    rig: AssetId | None = None
    clip: AssetId | None = None
    time: float = 0.0
    bones: tuple[str, ...] = ()
    below: AssetId | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AssetChange:
    """One asset from `before` to `after`; None where it was not there yet, or is no longer.

    `place` is its position among the assets of the project that has it.
    """

    id: AssetId
    before: Asset | None
    after: Asset | None
    place: int


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """One undoable step between two versions of the project.

    Parameters
    ----------
    label : what the user did, for the menus and the history panel
    changes : the assets that differ
    settings : the project's settings before and after, or None where they stay
    order : ids in order before and after, or None where adding and removing explains the order
    view_before, view_after : what undo and redo show
    """

    label: str
    changes: tuple[AssetChange, ...] = ()
    settings: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
    order: tuple[tuple[AssetId, ...], tuple[AssetId, ...]] | None = None
    view_before: ViewState = ViewState()
    view_after: ViewState = ViewState()

    @property
    def ids(self) -> frozenset[AssetId]:
        """Ids of the assets that differ."""
        return frozenset(change.id for change in self.changes)

    @property
    def empty(self) -> bool:
        """Whether it changes nothing."""
        return not self.changes and self.settings is None and self.order is None

    def applied(self, project: Project) -> Project:
        """The project after this step."""
        pairs = [(change.id, change.after, change.place) for change in self.changes]
        return _changed(project, pairs, self.settings and self.settings[1], self.order and self.order[1])

    def reverted(self, project: Project) -> Project:
        """The project before this step."""
        pairs = [(change.id, change.before, change.place) for change in self.changes]
        return _changed(project, pairs, self.settings and self.settings[0], self.order and self.order[0])

    def sizes(self) -> Iterator[dict[int, int]]:
        """Bytes of each value that differs between before and after, by the value's `id`, in pieces of some thousand.

        Not only of the arrays' numbers: a track of two keys is mostly the objects around them. What several pieces
        share comes with each of them; asked again, the pieces are the same.
        """
        yield {id(self): sys.getsizeof(self) + sum(map(sys.getsizeof, (self.changes, self.label)))}
        for change in self.changes:
            yield {id(change): sys.getsizeof(change)}
            yield from _pieces(change.before, change.after)


def command_for(
    label: str,
    before: Project,
    after: Project,
    view_before: ViewState | None = None,
    view_after: ViewState | None = None,
) -> Command:
    """The step between two projects.

    Assets that both versions share cost nothing; the others are compared by value, so that writing what is there
    already is no step: the command may come out `empty`.
    """
    view = view_before or ViewState()
    changes = [
        AssetChange(key, asset, after.assets.get(key), place)
        for place, (key, asset) in enumerate(before.assets.items())
        if not same_value(after.assets.get(key), asset)
    ]
    changes += [
        AssetChange(key, None, asset, place)
        for place, (key, asset) in enumerate(after.assets.items())
        if key not in before.assets
    ]
    settings = None
    if before.settings is not after.settings and not same_value(before.settings, after.settings):
        settings = (before.settings, after.settings)
    draft = Command(label, tuple(changes), settings, None, view, view_after or view)
    old, new = tuple(before.assets), tuple(after.assets)
    if tuple(draft.applied(before).assets) == new and tuple(draft.reverted(after).assets) == old:
        return draft
    return Command(label, draft.changes, settings, (old, new), view, draft.view_after)


def _changed(
    project: Project,
    pairs: list[tuple[AssetId, Asset | None, int]],
    settings: Mapping[str, Any] | None,
    order: tuple[AssetId, ...] | None,
) -> Project:
    assets = dict(project.assets)
    added: list[tuple[int, AssetId, Asset]] = []
    for key, asset, place in pairs:
        if asset is None:
            assets.pop(key, None)
        elif key in assets:
            assets[key] = asset
        else:
            added.append((place, key, asset))
    if added:
        items = list(assets.items())
        for place, key, asset in sorted(added, key=lambda entry: entry[0]):
            items.insert(place, (key, asset))
        assets = dict(items)
    if order is not None:
        assets = {key: assets[key] for key in order}
    return Project(assets, project.settings if settings is None else settings)


def _pieces(before: Any, after: Any) -> Iterator[dict[int, int]]:
    """What `_collect` finds of an asset, in pieces: a clip alone may have ten thousand values."""
    kind = type(after if before is None else before)
    same = before is None or after is None or type(after) is kind
    names = _compared(kind) if same else ()
    found: dict[int, int] = {}
    if not names:
        _collect(before, after, found)
    else:
        found |= {id(value): sys.getsizeof(value) for value in (before, after) if value is not None}
    for name in names:
        old, new = getattr(before, name, None), getattr(after, name, None)
        if old is new:
            continue
        if not all(side is None or isinstance(side, Mapping) for side in (old, new)):
            _collect(old, new, found)
            continue
        first, second = old or {}, new or {}
        found |= {id(side): sys.getsizeof(dict(side)) for side in (old, new) if side}
        for key in {**first, **second}:
            _collect(first.get(key), second.get(key), found)
            if len(found) >= PIECE:
                yield found
                found = {}
    yield found


def _collect(before: Any, after: Any, found: dict[int, int]) -> None:
    """Gather what lies on either side and is not shared by the other, walking both at once."""
    if before is after:
        return
    if isinstance(before, np.ndarray) or isinstance(after, np.ndarray):
        for array in (before, after):
            if isinstance(array, np.ndarray):
                repeated = 0 in array.strides
                found[id(array)] = ARRAY_OBJECT + (array.itemsize if repeated else array.nbytes)
            else:
                _collect(array, None, found)
        return
    kind = type(after if before is None else before)
    if (before is None or after is None or type(after) is kind) and (names := _compared(kind)):
        # Almost all of them: an edit of a big clip makes thousands of new tracks, and shares most of their columns.
        for value in (before, after):
            if value is not None:
                found[id(value)] = sys.getsizeof(value)
        for name in names:
            old, new = getattr(before, name, None), getattr(after, name, None)
            if old is not new:
                _collect(old, new, found)
        return
    first, second = _parts(before), _parts(after)
    for value, parts in ((before, first), (after, second)):
        if parts:
            # A read-only view of a mapping is small; what it shows is not.
            found[id(value)] = sys.getsizeof(dict(value) if isinstance(value, Mapping) else value)
    for key in {**first, **second}:
        _collect(first.get(key), second.get(key), found)


_known: dict[type, tuple[str, ...]] = {}


def _compared(kind: type) -> tuple[str, ...]:
    """Names of a data class's fields that its value is made of; none for other types."""
    names = _known.get(kind)
    if names is None:
        names = tuple(f.name for f in fields(kind) if f.compare) if is_dataclass(kind) else ()
        _known[kind] = names
    return names


def _parts(value: Any) -> Mapping[Any, Any]:
    if names := _compared(type(value)):
        return {name: getattr(value, name) for name in names}
    if isinstance(value, Mapping):
        return value
    if isinstance(value, tuple | list):
        return dict(enumerate(value))
    return {}
