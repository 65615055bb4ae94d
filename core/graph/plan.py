"""A compiled graph: pose ops in order, the program of its values, and the layout of an instance's state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.arrays import FloatArray
from core.graph.actions import Action
from core.graph.curve_table import CurveTable
from core.graph.graph import Graph, Variable
from core.graph.language.program import Program
from core.graph.language.values import Value
from core.graph.machine import MachineOp
from core.graph.op import GraphOp
from core.graph.problems import Problem
from core.graph.scope import Read
from core.graph.state import StateLayout
from core.graph.sync import GroupPlan
from core.graph.watch import Rule
from core.rig.rig import Rig
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What a graph becomes; frozen, shared by all its instances.

    Parameters
    ----------
    ops : inputs before readers; the last is the Output
    program : the expressions of pins, rules and durations
    variables : with the place of each
    fills : registers that are filled from the state when a step begins
    layout : of an instance's state
    warnings : what is odd, but can be run
    groups : sync groups, which let their members play
    actions : what the update sheet does beside setting variables, in its order
    maps : of the graph and of those it links, as ``map`` numbers them
    rules : register → the rule of a transition that it holds, for explanations
    event_reads : names of events that expressions ask for, with the register that says whether one happened
    sheet_events : as `event_reads`, for the update sheet: without the events that it has acted on at their moment
    branches : name of an event → what the update sheet does at the moment of a branching notify of that name
    filled : name of an open slot → id of the graph that the host put in it
    pins : (node, pin) → the value of a value pin; ``out`` is a value node's own
    kept : what is worked out of it once, at first use (`core.graph.runner`)
    sources : what it is made of beside its graph and rig: linked graphs, clips, blend spaces, montages, by id
    """

    graph: Graph
    rig: Rig
    ops: tuple[GraphOp, ...]
    program: Program
    variables: tuple[tuple[Variable, Value], ...]
    fills: tuple[Read, ...]
    names: tuple[str, ...]
    table: CurveTable
    layout: StateLayout
    warnings: tuple[Problem, ...] = ()
    groups: tuple[GroupPlan, ...] = ()
    actions: tuple[Action, ...] = ()
    event_reads: tuple[tuple[str, int], ...] = ()
    maps: tuple[ScalarTrack, ...] = ()
    rules: Mapping[int, Rule] = field(default_factory=dict)
    sheet_events: tuple[tuple[str, int], ...] = ()
    branches: Mapping[str, tuple[Action, ...]] = field(default_factory=dict)
    filled: Mapping[str, str] = field(default_factory=dict)
    pins: Mapping[tuple[str, str], Value] = field(default_factory=dict)
    kept: dict[str, object] = field(default_factory=dict)
    sources: tuple[object, ...] = ()

    @property
    def notes_events(self) -> bool:
        """Whether expressions or the update sheet ask which events happened in the last step."""
        return bool(self.event_reads or self.sheet_events)

    @property
    def has_customs(self) -> bool:
        """Whether a machine has a blend of its own sheet."""
        if "customs" not in self.kept:
            machines = (op for op in self.ops if isinstance(op, MachineOp))
            self.kept["customs"] = any(t.custom is not None for op in machines for t in op.transitions)
        return bool(self.kept["customs"])

    @property
    def simulates(self) -> bool:
        """Whether a node moves bodies, and so wants the whole ground."""
        if "simulates" not in self.kept:
            self.kept["simulates"] = any(op.simulates for op in self.ops)
        return bool(self.kept["simulates"])

    def simulating(self, weights: FloatArray) -> bool:
        """Whether bodies make most of the pose in a step, by the weights of its ops ``(N,)``: they know the ground."""
        return self.simulates and any(op.simulates and weights[op.number] > 0.5 for op in self.ops)

    def op_named(self, name: str) -> GraphOp | None:
        """The op of a node, by the node's name."""
        return next((op for op in self.ops if op.name == name), None)

    def tracks(self) -> tuple[Callable[[float], float], ...]:
        """The maps as functions, in their order."""
        return tuple(_function(track) for track in self.maps)


def _function(track: ScalarTrack) -> Callable[[float], float]:
    def value(x: float) -> float:
        return float(evaluate_scalar(track, np.array([x]))[0])

    return value


def lay_out(ops: tuple[GraphOp, ...]) -> tuple[int, int, int]:
    """Give every op its place in the state; return how many floats, ints and poses there are."""
    floats = ints = poses = 0
    for op in ops:
        op.place.floats, op.place.ints, op.place.poses = floats, ints, poses
        floats, ints, poses = floats + op.FLOATS, ints + op.INTS, poses + op.POSES
    return floats, ints, poses


def readers(ops: tuple[GraphOp, ...]) -> tuple[tuple[int, ...], ...]:
    """For every op the numbers of those that read it."""
    found: list[list[int]] = [[] for _ in ops]
    for op in ops:
        for number in dict.fromkeys(op.inputs):
            found[number].append(op.number)
    return tuple(tuple(numbers) for numbers in found)
