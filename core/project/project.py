"""The frozen project: assets by id, and the references between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from core.arrays import frozen_mapping
from core.clips.clip import Clip
from core.errors import MissingReferenceError
from core.ids import AssetId, Reference, Targets
from core.rig.mesh import Mesh
from core.rig.rig import Rig


@runtime_checkable
class Asset(Protocol):
    """Anything a project holds: frozen, with an id and a name."""

    @property
    def id(self) -> AssetId: ...
    @property
    def name(self) -> str: ...

    def references(self) -> tuple[Reference, ...]:
        """Every other asset that this one names."""
        ...

    def with_targets(self, targets: Targets) -> "Asset | None":
        """The same with references redirected: to another id, or to nothing where an id is mapped to None.

        References that `targets` does not name stay. None where the asset cannot be without one that is gone.
        """
        ...


A = TypeVar("A")


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """Everything a document holds, as frozen values.

    Parameters
    ----------
    assets : id → rig, mesh, clip …, in the order they are shown
    settings : plain values that belong to the file (JSON types only)
    """

    assets: Mapping[AssetId, Asset] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "assets", frozen_mapping(self.assets))
        object.__setattr__(self, "settings", frozen_mapping(self.settings))

    def get(self, kind: type[A], asset: AssetId) -> A:
        """The asset with this id; raises `MissingReferenceError` where it is absent or of another kind."""
        found = self.assets.get(asset)
        if not isinstance(found, kind):
            raise MissingReferenceError(f"no {kind.__name__.lower()} has the id {asset!r}")
        return found

    def all(self, kind: type[A]) -> tuple[A, ...]:
        """All assets of a kind, in order."""
        return tuple(asset for asset in self.assets.values() if isinstance(asset, kind))

    @property
    def rigs(self) -> tuple[Rig, ...]:
        """All rigs, in order."""
        return self.all(Rig)

    @property
    def clips(self) -> tuple[Clip, ...]:
        """All clips, in order."""
        return self.all(Clip)

    def meshes_of(self, rig: AssetId) -> tuple[Mesh, ...]:
        """Meshes that a rig deforms."""
        return tuple(mesh for mesh in self.all(Mesh) if mesh.rig == rig)

    def clips_of(self, rig: AssetId) -> tuple[Clip, ...]:
        """Clips made for a rig."""
        return tuple(clip for clip in self.clips if clip.rig == rig)

    def clip_named(self, name: str) -> Clip:
        """The first clip of that name; raises `MissingReferenceError` listing what there is."""
        for clip in self.clips:
            if clip.name == name:
                return clip
        have = ", ".join(clip.name for clip in self.clips) or "none"
        raise MissingReferenceError(f"no clip is named {name!r}; there are: {have}")

    def with_assets(self, *assets: Asset) -> "Project":
        """The project with assets added, or replaced where the id exists (keeping its place)."""
        return replace(self, assets={**self.assets, **{asset.id: asset for asset in assets}})

    def without(self, *ids: AssetId) -> "Project":
        """The project without some assets."""
        return replace(self, assets={key: asset for key, asset in self.assets.items() if key not in ids})

    def references(self, asset: AssetId) -> tuple[Asset, ...]:
        """Assets that refer to this one and would be left dangling without it."""
        return tuple(o for o in self.assets.values() if any(r.target == asset for r in o.references()))
