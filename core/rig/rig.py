"""The rig: a skeleton and what posing needs to know of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray, frozen, frozen_mapping
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.math.transform import Transform
from core.rig import body_plan as body_plans
from core.rig.body_plan import BodyPlan
from core.rig.ik_setup import IkSetup
from core.rig.set_color import SetColor
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class MirrorSetup:
    """What stands on the mirror plane and what mirrors to what (spec: editing, Mirroring).

    Parameters
    ----------
    axis : model axis the plane is perpendicular to: 0 x, 1 y, 2 z
    axis_bones : names of the bones on the plane
    pairs : names of symmetric bones, left first
    """

    axis: int = 0
    axis_bones: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


class LimitKind(StrEnum):
    """How a joint limit is meant."""

    HINGE = "hinge"
    CONE_TWIST = "cone_twist"


@dataclass(frozen=True, slots=True)
class JointLimit:
    """How far a bone may turn from its rest pose, in degrees about the bone's own axes.

    Parameters
    ----------
    kind : a hinge turns about `axis` from `minimum` to `maximum`; a cone lets `axis` lean up to
        `cone` and turns about it from `minimum` to `maximum`
    axis : unit vector in the bone's rest frame
    """

    kind: LimitKind
    axis: tuple[float, float, float]
    minimum: float
    maximum: float
    cone: float = 0.0

    def __post_init__(self) -> None:
        if not self.minimum <= self.maximum:
            raise ValidationError(f"joint limit: minimum {self.minimum}° is above maximum {self.maximum}°")
        if not 0.0 <= self.cone <= 180.0:
            raise ValidationError(f"joint limit: expected a cone of 0 to 180°, got {self.cone}")
        if abs(float(np.linalg.norm(self.axis)) - 1.0) > 1e-6:
            raise ValidationError(f"joint limit: expected a unit axis, got {self.axis}")


class RetargetMode(StrEnum):
    """What a bone takes from a clip made for other proportions (spec: retargeting)."""

    ANIMATION = "animation"
    SKELETON = "skeleton"
    ANIMATION_SCALED = "animation_scaled"
    ANIMATION_RELATIVE = "animation_relative"
    ORIENT_AND_SCALE = "orient_and_scale"


@dataclass(frozen=True, slots=True)
class VirtualBone:
    """A derived bone: child of `source`, at `target`'s place plus `offset` (metres, in the target's frame).

    See `core.rig.virtual_bones`. Source and target are bones, or virtual bones listed before it.
    """

    name: str
    source: str
    target: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class SourceFrame:
    """How a file's own numbers relate to metres and +Y up.

    ``metres = metres_per_unit * (to_y_up rotates native)``.

    Parameters
    ----------
    metres_per_unit : length of the file's unit
    to_y_up : unit quaternion ``(4,)`` from the file's axes to ours
    """

    metres_per_unit: float = 1.0
    to_y_up: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))

    def __post_init__(self) -> None:
        if not (np.isfinite(self.metres_per_unit) and self.metres_per_unit > 0.0):
            raise ValidationError(f"unit: expected a positive length, got {self.metres_per_unit}")
        object.__setattr__(self, "to_y_up", frozen(self.to_y_up, (4,), "axis rotation"))


class Animation:
    """What a character can play: a clip, a blend space, a montage or an animation graph."""

    __slots__ = ()


class PoseGraph(Animation):
    """What a rig can have run after every pose: an animation graph (`core.graph.graph.Graph`)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """A skeleton with mirror lists, limits, masks and retarget settings. An asset of the project.

    Parameters
    ----------
    masks : mask name → bone name → weight 0..1 (bones left out weigh 0)
    limits : bone name → limit
    retarget_modes : bone name → mode
    retarget_sources : name → rest local transforms of another character with this skeleton
    virtual_bones : derived bones that goals can use as their space; parents first
    bone_sets : name → bone names, for selection
    ik_setups : chains that can follow a goal, in the order they are solved; their names are unique
    post_graph : id of the graph that is run after any other, or after a clip; its pose input is that pose
    animation : id of what the character plays, its animation mode: a graph, or an asset (a clip, a blend space, a
        montage); None leaves it to whoever runs it
    roles : part of the body (``hips``, ``thigh_l`` …, see `core.rig.roles.part_of`) → bone that plays it, where a
        person chose it; the others are told by names (`core.rig.roles.rig_roles`)
    body_plan : the bodies of its ragdoll; None where there are none yet
    set_colors : name of a bone set → its colour; sets left out are gray

    Raises
    ------
    MissingReferenceError
        When a list names a bone that the skeleton lacks.
    ValidationError
        A body plan whose bodies do not hang together on this skeleton.
    """

    id: AssetId
    name: str
    skeleton: Skeleton
    mirror: MirrorSetup = MirrorSetup()
    limits: Mapping[str, JointLimit] = field(default_factory=dict)
    masks: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    retarget_modes: Mapping[str, RetargetMode] = field(default_factory=dict)
    retarget_sources: Mapping[str, Transform] = field(default_factory=dict)
    virtual_bones: tuple[VirtualBone, ...] = ()
    bone_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: SourceFrame = field(default_factory=SourceFrame)
    ik_setups: tuple[IkSetup, ...] = ()
    post_graph: AssetId | None = None
    animation: AssetId | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    body_plan: BodyPlan | None = None
    set_colors: Mapping[str, SetColor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "ik_setups", tuple(self.ik_setups))
        put(self, "virtual_bones", tuple(self.virtual_bones))
        self._check_sources()
        for name in ("limits", "retarget_modes", "retarget_sources", "bone_sets", "roles"):
            put(self, name, frozen_mapping(getattr(self, name)))
        put(
            self,
            "set_colors",
            frozen_mapping({k: c for k, c in self.set_colors.items() if k in self.bone_sets}),
        )
        put(self, "masks", frozen_mapping({k: frozen_mapping(v) for k, v in self.masks.items()}))
        self._check_names()

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its post-process graph, and what it plays."""
        found = []
        if self.post_graph is not None:
            found.append(Reference(self.post_graph, PoseGraph, "post-process graph"))
        if self.animation is not None:
            found.append(Reference(self.animation, Animation, "animation"))
        return tuple(found)

    def with_targets(self, targets: Targets) -> "Rig":
        """The same with its post-process graph and animation redirected (see `Asset.with_targets`)."""
        if self.post_graph not in targets and self.animation not in targets:
            return self
        return replace(
            self,
            post_graph=None if self.post_graph is None else redirected(self.post_graph, targets),
            animation=None if self.animation is None else redirected(self.animation, targets),
        )

    def _check_sources(self) -> None:
        count = len(self.skeleton)
        for name, rest in self.retarget_sources.items():
            if tuple(np.shape(part) for part in rest) != ((count, 3), (count, 4), (count, 3)):
                raise ValidationError(
                    f"rig {self.name!r}: the retarget source {name!r} must hold {count} bones, got "
                    f"{np.shape(rest.translation)}"
                )

    def _check_names(self) -> None:
        named: dict[str, list[str]] = {
            "the mirror's axis bones": list(self.mirror.axis_bones),
            "the mirror pairs": [bone for pair in self.mirror.pairs for bone in pair],
            "the joint limits": list(self.limits),
            "the retarget modes": list(self.retarget_modes),
            "the parts of the body": list(self.roles.values()),
            "the body plan": [] if self.body_plan is None else list(self.body_plan.bones),
        }
        named |= {f"the IK set-up {setup.name!r}": list(setup.bones()) for setup in self.ik_setups}
        named |= {f"the mask {mask!r}": list(weights) for mask, weights in self.masks.items()}
        named |= {f"the bone set {name!r}": list(bones) for name, bones in self.bone_sets.items()}
        for place, bones in named.items():
            for bone in bones:
                if self.skeleton.find(bone) is None:
                    raise MissingReferenceError(f"rig {self.name!r}: {place} name {bone!r}, which is no bone")
        if self.body_plan is not None:
            body_plans.check(self.body_plan, self.skeleton)
        self._check_virtual()
        self._check_ik()

    def _check_virtual(self) -> None:
        known = set(self.skeleton.names)
        for bone in self.virtual_bones:
            where = f"rig {self.name!r}: the virtual bone {bone.name!r}"
            if not bone.name or bone.name in known:
                raise ValidationError(f"{where}: expected a name that no other bone has")
            lost = next((name for name in (bone.source, bone.target) if name not in known), None)
            if lost is not None:
                raise MissingReferenceError(f"{where} names {lost!r}, which is no bone")
            if not np.isfinite(bone.offset).all():
                raise ValidationError(f"{where}: expected a finite offset, got {bone.offset}")
            known.add(bone.name)
        for setup in self.ik_setups:
            lost = next((name for name in setup.targets() if name not in known), None)
            if lost is not None:
                raise MissingReferenceError(
                    f"rig {self.name!r}: the IK set-up {setup.name!r} names {lost!r}, which is no bone"
                )

    def _check_ik(self) -> None:
        names = [setup.name for setup in self.ik_setups]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValidationError(f"rig {self.name!r}: two IK set-ups are called {twice!r}; rename one")
        for setup in self.ik_setups:
            self.skeleton.chain(self.skeleton.index(setup.tip), self.skeleton.index(setup.root))

    def ik_setup(self, name: str) -> IkSetup:
        """The IK set-up of that name; raises `MissingReferenceError`."""
        for setup in self.ik_setups:
            if setup.name == name:
                return setup
        known = ", ".join(repr(s.name) for s in self.ik_setups) or "none"
        raise MissingReferenceError(f"rig {self.name!r}: no IK set-up is called {name!r}; there are {known}")
