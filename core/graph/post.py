"""The post-process graph of a rig: run after any graph or clip, on its pose (spec: graph, Documents and Step)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.errors import MissingReferenceError, ValidationError
from core.graph.asking import require_fit
from core.graph.commands import Command
from core.graph.compile import compile_graph
from core.graph.compiler import Assets
from core.graph.graph import Graph
from core.graph.grounds import CharacterGround
from core.graph.instance import LONGEST_STEP, InputValue, Instance
from core.graph.language.interpreter import Ground
from core.graph.names import near
from core.graph.output import Output
from core.graph.plan import Plan
from core.graph.result import StepResult
from core.graph.state import State
from core.graph.state_hash import together
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.terrain.query import GroundQuery


def compile_post(rig: Rig, project: Assets) -> Plan | None:
    """The plan of a rig's post-process graph; None where it has none.

    Raises
    ------
    GraphError
        What is wrong with that graph.
    MissingReferenceError
        The graph is not in the project.
    """
    if rig.post_graph is None:
        return None
    found = next((graph for graph in project.all(Graph) if graph.id == rig.post_graph), None)
    if found is None:
        raise MissingReferenceError(
            f"rig {rig.name!r}: its post-process graph {rig.post_graph!r} is not in the project; choose another"
        )
    return compile_graph(found, project)


def given_pose(plan: Plan, pose: Pose, motion: Transform = transform.IDENTITY) -> Output:
    """A pose as a post-process plan takes it; curves that its rig's clips and graphs do not know are left out."""
    table = plan.table
    curves = {name: np.array([value]) for name, value in pose.curves.items() if name in table.index}
    morphs = {name: np.array([value]) for name, value in pose.morphs.items() if name in table.morph_index}
    return Output(pose.local, *table.filled(curves, morphs), motion)


def shown(given: Pose, made: StepResult) -> Pose:
    """The pose that a post-process step gives, with the curves of the pose it was given that it does not know."""
    pose = made.pose
    return replace(pose, curves={**given.curves, **pose.curves}, morphs={**given.morphs, **pose.morphs})


class PostProcess:
    """A rig's post-process graph at work on poses from anywhere: a clip, a blend space, another graph."""

    def __init__(self, plan: Plan, seed: int = 0) -> None:
        self.instance = Instance(plan, seed)

    def step(
        self,
        dt: float,
        pose: Pose,
        motion: Transform = transform.IDENTITY,
        ground: Ground | None = None,
        character: Transform = transform.IDENTITY,
    ) -> StepResult:
        """The pose after the graph, `dt` seconds after the last; see `Instance.step`.

        Raises
        ------
        ValidationError
            A pose of another rig.
        """
        plan = self.instance.plan
        if pose.rig != plan.rig.id:
            raise ValidationError(f"expected a pose of rig {plan.rig.name!r}, got one of {pose.rig!r}")
        incoming = given_pose(plan, pose, motion)
        made = self.instance.step(dt, None, ground, character, incoming)
        return made.but(pose=shown(pose, made))


@dataclass(frozen=True, slots=True, eq=False)
class CharacterState:
    """A snapshot of a character: of its graph, and of its rig's post-process graph."""

    graph: State
    post: State | None

    def same_bits(self, other: "CharacterState") -> bool:
        """Whether two snapshots are equal to the last bit."""
        if self.post is None or other.post is None:
            return self.post is other.post and self.graph.same_bits(other.graph)
        return self.graph.same_bits(other.graph) and self.post.same_bits(other.post)


@dataclass(slots=True)
class Character:
    """An instance of a graph with its rig's post-process graph after it; it steps as an `Instance` does.

    Parameters
    ----------
    post_plan : of the rig's post-process graph; None where it has none
    """

    plan: Plan
    post_plan: Plan | None = None
    seed: int = 0
    instance: Instance = field(init=False)
    post: PostProcess | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.instance = Instance(self.plan, self.seed)
        if self.post_plan is not None and self.post_plan.graph.id != self.plan.graph.id:
            self.post = PostProcess(self.post_plan, self.seed)

    def restart(self) -> None:
        """Go back to the beginning."""
        self.instance.restart()
        if self.post is not None:
            self.post.instance.restart()

    def snapshot(self) -> CharacterState:
        """The state now; give it to `restore` later."""
        post = None if self.post is None else self.post.instance.snapshot()
        return CharacterState(self.instance.snapshot(), post)

    def restore(self, state: CharacterState) -> None:
        """Go on from a snapshot of the same plans."""
        if (state.post is None) != (self.post is None):
            raise ValidationError("the snapshot is of another plan")
        self.instance.restore(state.graph)
        if self.post is not None and state.post is not None:
            self.post.instance.restore(state.post)

    def state_hash(self) -> int:
        """A hash of the state now; see `Instance.state_hash`."""
        own = self.instance.state_hash()
        return own if self.post is None else together(own, self.post.instance.state_hash())

    def set(self, name: str, value: InputValue) -> None:
        """Write a variable of the graph, else of the post-process graph; see `Instance.set`."""
        self._holder(name).set(name, value)

    def value(self, name: str) -> float | tuple[float, ...]:
        """What a variable holds."""
        return self._holder(name).value(name)

    def _holder(self, name: str) -> Instance:
        own = [variable.name for variable, _ in self.plan.variables]
        if name in own or self.post is None:
            return self.instance
        later = self.post.instance
        others = [variable.name for variable, _ in later.plan.variables]
        if name in others:
            return later
        known = [*own, *others]
        raise MissingReferenceError(f"the graph has no variable {name!r}{near(name, known)}")

    def step(
        self,
        dt: float,
        inputs: Mapping[str, InputValue] | None = None,
        ground: Ground | None = None,
        character: Transform = transform.IDENTITY,
        *,
        commands: Sequence[Command] = (),
    ) -> StepResult:
        """Move on by some seconds; see `Instance.step`."""
        if self.post is None:
            return self.instance.step(dt, inputs, ground, character, commands=commands)
        require_fit(self.instance.plan.ops, commands)
        own = [variable.name for variable, _ in self.plan.variables]
        mine = {name: value for name, value in (inputs or {}).items() if name in own}
        for name, value in (inputs or {}).items():
            if name not in own:
                self.set(name, value)
        count = max(1, math.ceil(dt / LONGEST_STEP - 1e-9)) if 0.0 <= dt < math.inf else 1
        result, motion, events = None, transform.IDENTITY, []
        for number in range(count):
            first = number == 0
            result = self._inner(
                dt / count, mine if first else None, ground, character, commands if first else ()
            )
            events += [replace(event, moment=event.moment + number * dt / count) for event in result.events]
            motion = transform.compose(motion, result.root_motion)
        assert result is not None
        motion = Transform(motion.translation, quat.normalise(motion.rotation), motion.scale)
        return result.but(root_motion=motion, events=tuple(events))

    def _inner(
        self,
        dt: float,
        inputs: Mapping[str, InputValue] | None,
        ground: Ground | None,
        character: Transform,
        commands: Sequence[Command],
    ) -> StepResult:
        assert self.post is not None
        made = self.instance.step(dt, inputs, ground, character, commands=commands)
        below = None if self.instance.plan.simulating(made.weights) else ground
        after = self.post.step(dt, made.pose, made.root_motion, below, character)
        events = tuple(sorted((*made.events, *after.events), key=lambda event: event.moment))
        return made.but(
            pose=after.pose,
            root_motion=after.root_motion,
            events=events,
            states={**after.states, **made.states},
            flagged=made.flagged | after.flagged,
        )


def character_of(graph: Graph, project: Assets, seed: int = 0) -> Character:
    """A character that a graph of a project moves, with its rig's post-process graph.

    Raises
    ------
    GraphError
        What is wrong with either graph.
    """
    plan = compile_graph(graph, project)
    post = compile_post(plan.rig, project) if plan.rig.post_graph != graph.id else None
    return Character(plan, post, seed)


def under(ground: GroundQuery, character: Transform) -> CharacterGround:
    """A ground of the world as a character that stands somewhere on it asks."""
    return CharacterGround(ground, character)
