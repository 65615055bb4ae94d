"""References between the assets of a project: found, checked, and cleared where they lead nowhere.

Every asset tells its own (`Asset.references`) and can be given others (`Asset.with_targets`), so nothing here
knows the kinds of assets, but for the two things that are named by name and not by id: the rest pose that a clip
was made on, and the bones that a mesh follows.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from core.clips.clip import Clip
from core.errors import AnimError, MissingReferenceError, ValidationError
from core.ids import AssetId, Reference
from core.project.project import Asset, Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig


class Mended(NamedTuple):
    """A project without dangling references, and what was cleared or left out, for people."""

    project: Project
    notes: tuple[str, ...]


def check(project: Project) -> None:
    """Raise where assets refer to what is not there.

    Raises
    ------
    MissingReferenceError
        Naming the asset and the id it refers to.
    ValidationError
        An asset filed under another id than its own, or a mesh naming a bone its rig lacks.
    """
    for key, asset in project.assets.items():
        _check_filed(key, asset)
        _check_targets(asset, asset.references(), project.assets)
        _check_names(asset, project.assets)


def check_step(before: Project, changes: Mapping[AssetId, Asset | None]) -> None:
    """Raise where a step would leave an asset referring to what is not there; looks only at what changes.

    Parameters
    ----------
    before : the project that the step starts from
    changes : each asset that differs as it is afterwards, None where it is removed

    Raises
    ------
    MissingReferenceError, ValidationError
        As `check`.
    """
    after = _Overlaid(before.assets, changes)
    gone = {key for key, asset in changes.items() if asset is None and key in before.assets}
    rigs = set()
    for key, asset in changes.items():
        if asset is None:
            continue
        _check_filed(key, asset)
        old = before.assets.get(key)
        new = asset.references()
        if old is None or new != old.references():
            _check_targets(asset, new, after)
        _check_names(asset, after)
        if isinstance(asset, Rig) and isinstance(old, Rig) and _names_differ(old, asset):
            rigs.add(key)
    if not gone and not rigs:
        return
    touched = gone | rigs
    for key, asset in before.assets.items():
        for target, _, _ in asset.references():
            if target in touched and key not in changes:
                _check_targets(asset, asset.references(), after)
                _check_names(asset, after)


def without(project: Project, gone: Collection[AssetId]) -> Mended:
    """The project without some assets; references to them are cleared, and what cannot be without goes as well."""
    return _cleared(project, set(gone))


def part_of(project: Project, assets: Iterable[Asset]) -> Project:
    """Some assets of a project (or made from them) as one of their own; references to the others are cleared."""
    return mended(Project({asset.id: asset for asset in assets}, project.settings)).project


def mended(project: Project) -> Mended:
    """The project with dangling references cleared; assets that cannot be without one are left out.

    Raises
    ------
    ValidationError
        An asset filed under another id than its own.
    """
    gone: set[AssetId] = set()
    notes: list[str] = []
    assets = dict(project.assets)
    for key, asset in project.assets.items():
        _check_filed(key, asset)
        for reference in asset.references():
            try:
                _check_targets(asset, (reference,), project.assets)
            except MissingReferenceError:
                gone.add(reference.target)
    kept = _cleared(project, gone, drop=False)
    notes += kept.notes
    assets = dict(kept.project.assets)
    for key, asset in kept.project.assets.items():
        try:
            _check_names(asset, assets)
        except MissingReferenceError:
            assert isinstance(asset, Clip)
            assets[key] = replace(asset, retarget_source=None)
            notes.append(
                f"clip {asset.name!r} was made on the rest pose {asset.retarget_source!r}, which is not there: "
                "it plays on the character's own"
            )
        except AnimError as error:
            del assets[key]
            notes.append(f"{error}; it was left out")
    if not notes:
        return Mended(project, ())
    return Mended(Project(assets, project.settings), tuple(notes))


def _cleared(project: Project, gone: set[AssetId], drop: bool = True) -> Mended:
    """Clear references to `gone` until nothing refers to them, nor to what had to go with them.

    `drop` False keeps assets whose own id is in `gone`: something of that id is there, yet of another kind than a
    reference wants.
    """
    assets = {key: asset for key, asset in project.assets.items() if not (drop and key in gone)}
    notes: list[str] = []
    while gone:
        targets: dict[AssetId, AssetId | None] = dict.fromkeys(gone)
        lost: set[AssetId] = set()
        for key, asset in list(assets.items()):
            dangling = [r for r in asset.references() if r.target in gone and not _fits(r, assets)]
            if not dangling:
                continue
            only = {r.target: targets[r.target] for r in dangling}
            cleared = asset.with_targets(only)
            roles = ", ".join(dict.fromkeys(r.role for r in dangling))
            if cleared is None:
                del assets[key]
                lost.add(key)
                notes.append(f"{asset.name!r} was left out: its {roles} is not in the document")
            else:
                assets[key] = cleared
                notes.append(f"{asset.name!r}: its {roles} is not in the document and was cleared")
        gone = lost
    return Mended(Project(assets, project.settings), tuple(notes))


def _fits(reference: Reference, assets: Mapping[AssetId, Asset]) -> bool:
    return isinstance(assets.get(reference.target), reference.kind)


def _check_filed(key: AssetId, asset: Asset) -> None:
    if key != asset.id:
        raise ValidationError(f"asset {asset.name!r} has the id {asset.id!r} but is filed under {key!r}")


def _check_targets(
    asset: Asset, references: Iterable[Reference], assets: "Mapping[AssetId, Asset] | _Overlaid"
) -> None:
    for target, kind, role in references:
        found = assets.get(target)
        if found is None:
            raise MissingReferenceError(f"{asset.name!r} refers to {target!r}, which is not in the project")
        if not isinstance(found, kind):
            raise MissingReferenceError(
                f"{asset.name!r} refers to {target!r} as its {role}, which is no {kind.__name__.lower()}"
            )


def _check_names(asset: Asset, assets: "Mapping[AssetId, Asset] | _Overlaid") -> None:
    """What is referred to by name: a clip's rest pose, a mesh's bones."""
    if isinstance(asset, Clip) and asset.retarget_source is not None:
        sources = _rig(assets, asset.rig).retarget_sources
        if asset.retarget_source not in sources:
            have = ", ".join(sources) or "none"
            raise MissingReferenceError(
                f"clip {asset.name!r} was made on the rest pose {asset.retarget_source!r}, which its rig "
                f"does not have among its retarget sources; there are: {have}"
            )
    if isinstance(asset, Mesh):
        skeleton = _rig(assets, asset.rig).skeleton
        for bone in asset.bones:
            if skeleton.find(bone) is None:
                raise ValidationError(f"mesh {asset.name!r} follows {bone!r}, which is no bone of its rig")


def _rig(assets: "Mapping[AssetId, Asset] | _Overlaid", key: AssetId) -> Rig:
    found = assets.get(key)
    if not isinstance(found, Rig):
        raise MissingReferenceError(f"no rig has the id {key!r}")
    return found


def _names_differ(old: Rig, new: Rig) -> bool:
    """Whether a rig may have lost bones or rest poses that others name."""
    if old.skeleton is not new.skeleton and old.skeleton.names != new.skeleton.names:
        return True
    return set(old.retarget_sources) != set(new.retarget_sources)


class _Overlaid:
    """Assets with some exchanged, without copying them all."""

    def __init__(self, below: Mapping[AssetId, Asset], above: Mapping[AssetId, Asset | None]) -> None:
        self._below, self._above = below, above

    def get(self, key: AssetId) -> Asset | None:
        """The asset of that id, or None."""
        return self._above[key] if key in self._above else self._below.get(key)
