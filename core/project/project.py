"""The frozen project: assets by id, and the references between them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from core.arrays import frozen_mapping
from core.blending.blend_space import BlendSpace
from core.blending.layer_stack import LayerStack
from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.pose.library import LibraryPose, PoseAsset
from core.rig.mesh import Mesh
from core.rig.rig import Rig


@runtime_checkable
class Asset(Protocol):
    """Anything a project holds: frozen, with an id and a name."""

    @property
    def id(self) -> AssetId: ...
    @property
    def name(self) -> str: ...


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
        return tuple(other for other in self.assets.values() if asset in _refers_to(other))


def _refers_to(asset: Asset) -> Iterable[AssetId]:
    if isinstance(asset, Mesh | Clip | LibraryPose | PoseAsset | BlendSpace | LayerStack):
        yield asset.rig
    if isinstance(asset, Clip) and asset.additive and asset.additive.base_clip:
        yield asset.additive.base_clip
    if isinstance(asset, BlendSpace):
        yield from (sample.clip for sample in asset.samples)
        if asset.base_clip is not None:
            yield asset.base_clip
    if isinstance(asset, LayerStack):
        yield asset.clip
        yield from (layer.clip for layer in asset.layers)


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
        if key != asset.id:
            raise ValidationError(f"asset {asset.name!r} has the id {asset.id!r} but is filed under {key!r}")
        for target in _refers_to(asset):
            if target not in project.assets:
                raise MissingReferenceError(
                    f"{asset.name!r} refers to {target!r}, which is not in the project"
                )
        if isinstance(asset, Clip) and asset.retarget_source is not None:
            sources = project.get(Rig, asset.rig).retarget_sources
            if asset.retarget_source not in sources:
                have = ", ".join(sources) or "none"
                raise MissingReferenceError(
                    f"clip {asset.name!r} was made on the rest pose {asset.retarget_source!r}, which its rig "
                    f"does not have among its retarget sources; there are: {have}"
                )
        if isinstance(asset, Mesh):
            skeleton = project.get(Rig, asset.rig).skeleton
            for joint in asset.joints:
                if skeleton.find(joint) is None:
                    raise ValidationError(
                        f"mesh {asset.name!r} follows {joint!r}, which is no bone of its rig"
                    )
