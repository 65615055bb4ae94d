"""The animation graph as a document: frozen values, edited like every other asset (spec: graph, Documents).

A graph holds sheets. A *pose* sheet is a tree of pose nodes with one Output; a *machine* sheet holds states and the
transitions between them, each state being a pose or machine sheet of its own. Values (pins, rules, durations) are
expressions of `core.graph.language` over the graph's variables, or links from value nodes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType
from uuid import uuid4

from core.arrays import frozen_mapping
from core.blending.blend_space import BlendSpace
from core.blending.easing import Easing
from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.graph.language.values import Kind
from core.ids import AssetId, Reference, Targets, redirected
from core.pose.library import PoseAsset
from core.rig.rig import PoseGraph, Rig
from core.tracks.keys import ScalarTrack

NodeId = NewType("NodeId", str)
"""Identity of a node, state or transition: ``n-`` and 8 hexadecimal digits, unique in its graph, never reused."""

ParameterValue = str | float | int | bool | tuple[str | float, ...] | None

LINKED = "graph"
"""The parameter that holds the id of another graph."""

_NODE_ID = re.compile(r"n-[0-9a-f]{8}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def asset_parameters(kind: str) -> Mapping[str, type]:
    """Parameters of a kind of node that hold the id of an asset, with what that is.

    ``space`` is a blend space in nodes that play one; in others it is what bones are measured in.
    """
    found: dict[str, type] = {"clip": Clip, "asset": PoseAsset, LINKED: Graph}
    return found | {"space": BlendSpace} if kind in ("blend_space", "aim_offset") else found


def new_node_id() -> NodeId:
    """A fresh node id."""
    return NodeId(f"n-{uuid4().hex[:8]}")


class Role(StrEnum):
    """Who writes a variable."""

    INPUT = "input"
    OWN = "own"
    TRIGGER = "trigger"


@dataclass(frozen=True, slots=True)
class Variable:
    """A value with a name.

    Parameters
    ----------
    kind : any but quaternion; `enum` names the enum of kind `ENUM`
    default : ``(1,)`` or, for a vector, ``(3,)`` numbers; truth is 1 or 0, an enum's member its index
    minimum, maximum : bounds that every write is clamped to
    unit : shown beside the value, such as ``m/s``
    role : *input* is written by the host, *own* by the update sheet, *trigger* is set by the host and consumed
        by the transition that takes it
    buffer : seconds that an unused trigger lasts; 0 is one step

    Raises
    ------
    ValidationError
        A name that is no word, a default of the wrong size, not finite or outside the bounds.
    """

    name: str
    kind: Kind = Kind.FLOAT
    default: tuple[float, ...] = (0.0,)
    minimum: float = -1e12
    maximum: float = 1e12
    unit: str = ""
    role: Role = Role.INPUT
    enum: str = ""
    buffer: float = 0.0

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValidationError(
                f"variable {self.name!r}: expected a name of letters, digits and _, not starting with a digit"
            )
        width = 3 if self.kind is Kind.VECTOR else 1
        if self.kind is Kind.QUATERNION or len(self.default) != width:
            raise ValidationError(
                f"variable {self.name!r}: expected {width} number(s) for {self.kind}, got {self.default}"
            )
        if not all(self.minimum <= x <= self.maximum for x in self.default):
            raise ValidationError(
                f"variable {self.name!r}: expected a default within {self.minimum} to {self.maximum}, "
                f"got {self.default}"
            )


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a sheet: a pose node, a value node or a state.

    Parameters
    ----------
    kind : name of its entry in `core.graph.kinds`
    parameters : what is fixed when the graph is compiled (a clip, a mask …), by name
    literals : expressions of the pins without a link, by pin
    name : what people call it; of a state, unique in its machine
    """

    id: NodeId
    kind: str
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    literals: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def __post_init__(self) -> None:
        if not _NODE_ID.fullmatch(self.id):
            raise ValidationError(f"node id: expected n- and 8 hexadecimal digits, got {self.id[:40]!r}")
        for name in ("parameters", "literals"):
            object.__setattr__(self, name, frozen_mapping(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Link:
    """A wire from a node's output to another's input pin; an input has one link at most."""

    source: NodeId
    target: NodeId
    pin: str
    output: str = "out"


class Interrupt(StrEnum):
    """Which transitions may interrupt a running one."""

    NEVER = "never"
    HIGHER_PRIORITY = "higher_priority"
    ALWAYS = "always"


class InterruptBy(StrEnum):
    """Whose transitions may interrupt a running one, and which of them are looked at first."""

    TARGET = "target"
    SOURCE = "source"
    SOURCE_THEN_TARGET = "source_then_target"
    TARGET_THEN_SOURCE = "target_then_source"


class SyncRole(StrEnum):
    """Whether a player may lead its sync group."""

    CAN_LEAD = "can_lead"
    ALWAYS = "always"
    NEVER = "never"
    BLENDED_IN = "blended_in"


class Tempo(StrEnum):
    """Whose pace a sync group has: the weighted mean of its members', or its leader's."""

    MEAN = "mean"
    LEADER = "leader"


class BlendKind(StrEnum):
    """How a transition goes over."""

    CROSSFADE = "crossfade"
    FROZEN = "frozen"
    INERTIALISE = "inertialise"
    DEAD_BLEND = "dead_blend"
    CUSTOM = "custom"


class TargetStart(StrEnum):
    """Where the players of a transition's target begin.

    *state* as the state's reset says; *reset* anew; *at* a time of their clips; *kept* where they stood;
    *same_fraction* as far in their length as the source's heaviest player; *same_phase* as far between the same
    sync markers, without markers the same fraction.
    """

    STATE = "state"
    RESET = "reset"
    AT = "at"
    KEPT = "kept"
    SAME_FRACTION = "same_fraction"
    SAME_PHASE = "same_phase"


@dataclass(frozen=True, slots=True)
class Blend:
    """How one pose goes over into another.

    Parameters
    ----------
    seconds : expression of its duration, read when the transition is taken; 0 or less is at once
    kind : *crossfade* runs the source on, *frozen* holds its last pose, *custom* is what a sheet makes of both
    profile : mask of the rig whose weights are factors of the duration by bone; 0 is at once, "" is 1 everywhere
    sheet : id of the pose sheet of a *custom* blend. Its pose inputs ``source`` and ``target`` are the poses, its
        expressions know ``w`` (eased, 0..1), ``t`` and ``T`` (seconds)
    """

    seconds: str = "0.2"
    easing: Easing = field(default_factory=Easing)
    kind: BlendKind = BlendKind.CROSSFADE
    profile: str = ""
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """An arrow between states of a machine.

    Parameters
    ----------
    source, target : states; the source may be an *any*, *entry* or *conduit* node, the target a conduit or an *exit*
    rule : expression that must hold; empty always holds
    automatic : seconds that the source's heaviest player has left when this acts; −1 is the blend's duration;
        None is not automatic
    priority : lower ones are looked at first; then the order of the list
    min_time : seconds the source must have been active
    reentry_time : seconds since the target was left
    interrupt_by : whose transitions may interrupt it
    player : name of the player that an automatic rule looks at; "" is the heaviest
    start : where the target's players begin; start_at the seconds of their clips for *at*
    """

    id: NodeId
    source: NodeId
    target: NodeId
    rule: str = ""
    automatic: float | None = None
    priority: int = 0
    min_time: float = 0.0
    reentry_time: float = 0.0
    interrupt: Interrupt = Interrupt.ALWAYS
    blend: Blend = field(default_factory=Blend)
    interrupt_by: InterruptBy = InterruptBy.TARGET
    player: str = ""
    start: TargetStart = TargetStart.STATE
    start_at: float = 0.0


class SheetKind(StrEnum):
    """What a sheet holds."""

    POSE = "pose"
    MACHINE = "machine"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Nodes with the wires or transitions between them."""

    id: NodeId
    name: str
    kind: SheetKind = SheetKind.POSE
    nodes: tuple[Node, ...] = ()
    links: tuple[Link, ...] = ()
    transitions: tuple[Transition, ...] = ()

    def node(self, node: NodeId) -> Node:
        """The node with this id; raises `MissingReferenceError`."""
        for found in self.nodes:
            if found.id == node:
                return found
        raise MissingReferenceError(f"sheet {self.name!r} has no node {node!r}")

    def of_kind(self, kind: str) -> tuple[Node, ...]:
        """Its nodes of one kind, in order."""
        return tuple(node for node in self.nodes if node.kind == kind)

    def link_to(self, node: NodeId, pin: str) -> Link | None:
        """The wire that ends at a pin."""
        return next((link for link in self.links if link.target == node and link.pin == pin), None)


@dataclass(frozen=True, slots=True)
class SyncSetting:
    """How a sync group of the graph works; one that only nodes name has the defaults."""

    name: str
    tempo: Tempo = Tempo.MEAN


@dataclass(frozen=True, slots=True, eq=False)
class Graph(PoseGraph):
    """An animation graph. An asset of the project.

    Parameters
    ----------
    rig : id of the rig that it moves
    variables : in the order they are shown
    enums : name → its members
    maps : named scalar tracks for easing and the function ``map``
    slots : ``group.slot`` names where montages play
    sheets : the first pose sheet is the graph's own; machines and states name theirs
    sync_groups : how the sync groups that its nodes name work
    layout : places, comments and frames of the canvas; never looked at when the graph is compiled

    Raises
    ------
    ValidationError
        Two variables of one name, or two nodes, sheets or transitions with one id.
    """

    id: AssetId
    name: str
    rig: AssetId
    variables: tuple[Variable, ...] = ()
    enums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    maps: Mapping[str, ScalarTrack] = field(default_factory=dict)
    slots: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    sync_groups: tuple[SyncSetting, ...] = ()
    layout: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("enums", "maps", "layout"):
            object.__setattr__(self, name, frozen_mapping(getattr(self, name)))
        _require_unique([v.name for v in self.variables], f"graph {self.name!r}: two variables are named")
        _require_unique([g.name for g in self.sync_groups], f"graph {self.name!r}: two sync groups are named")
        ids: list[str] = []
        for sheet in self.sheets:
            ids.append(sheet.id)
            ids.extend(node.id for node in sheet.nodes)
            ids.extend(transition.id for transition in sheet.transitions)
        _require_unique(ids, f"graph {self.name!r}: two nodes have the id")

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig, and the clips and blend spaces of its nodes."""
        found = [Reference(self.rig, Rig, "rig")]
        for sheet in self.sheets:
            for node in sheet.nodes:
                for parameter, kind in asset_parameters(node.kind).items():
                    target = node.parameters.get(parameter)
                    if isinstance(target, str) and target:
                        found.append(Reference(AssetId(target), kind, f"node {node.name or node.kind!r}"))
        return tuple(found)

    def with_targets(self, targets: Targets) -> "Graph | None":
        """The same with references redirected (see `Asset.with_targets`).

        None where its rig is gone; a node whose clip or blend space is gone names none.
        """
        rig = redirected(self.rig, targets)
        if rig is None:
            return None
        return replace(
            self, rig=rig, sheets=tuple(_redirected_sheet(sheet, targets) for sheet in self.sheets)
        )

    def sheet(self, sheet: str) -> Sheet:
        """The sheet with this id; raises `MissingReferenceError`."""
        for found in self.sheets:
            if found.id == sheet:
                return found
        raise MissingReferenceError(f"graph {self.name!r} has no sheet {sheet!r}")

    @property
    def root(self) -> Sheet | None:
        """The pose sheet whose Output is the graph's pose: the first one."""
        return next((sheet for sheet in self.sheets if sheet.kind is SheetKind.POSE), None)

    def with_sheet(self, sheet: Sheet) -> "Graph":
        """The graph with a sheet added, or put in place of the one with its id."""
        if all(found.id != sheet.id for found in self.sheets):
            return replace(self, sheets=(*self.sheets, sheet))
        return replace(self, sheets=tuple(sheet if s.id == sheet.id else s for s in self.sheets))


def _redirected_sheet(sheet: Sheet, targets: Targets) -> Sheet:
    def node(old: Node) -> Node:
        changes = {
            parameter: redirected(AssetId(str(old.parameters[parameter])), targets)
            for parameter in asset_parameters(old.kind)
            if old.parameters.get(parameter)
        }
        return replace(old, parameters={**old.parameters, **changes}) if changes else old

    return replace(sheet, nodes=tuple(node(old) for old in sheet.nodes))


def _require_unique(names: list[str], message: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValidationError(f"{message} {name!r}")
        seen.add(name)
