"""A character that moves over a terrain: controller, what its graphs are told, and their poses, as one pure step.

::

    setup = character_setup(project, rig)              # once: compiles the graphs, measures the clips
    state = begin(setup, terrain, (0.0, 0.0, 0.0))     # standing, posed
    state = step(setup, terrain, state, Input.of((0.0, 1.0)))
    local, curves, notifies = pose(setup, state)       # local transforms of the rig's bones
    where = placement(state)                           # the character in the world: place and yaw

States are frozen: keep any, step on from it again, and get the same bytes (`CharacterState.to_bytes`);
`core.locomotion.recording.Recording` and `core.locomotion.course.run_course` take `step` as it is. A set-up lists
what the rig has no clips for (`CharacterSetup.missing`); what is left runs. Steps are 1/60 s. `step_all` moves many.

The pose is in the character's space: the capsule's lowest point is its origin, +Z is ahead. `CharacterState.result`
is the main graph's `StepResult` (active states, weights, events), for a view of the graph beside the character.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.graph.compile import compile_graph
from core.graph.compiler import Assets
from core.graph.events import Event
from core.graph.graph import Graph, Role
from core.graph.instance import Instance
from core.graph.output import Output
from core.graph.plan import Plan
from core.graph.result import StepResult
from core.graph.state import State as GraphState
from core.ids import AssetId
from core.ik.leg import body_legs
from core.locomotion import controller
from core.locomotion.animation.graphs import drawn, feet_graph
from core.locomotion.animation.held import feet_off, held_places
from core.locomotion.animation.landing import land_alpha
from core.locomotion.animation.propose import Moves, propose
from core.locomotion.animation.told import told
from core.locomotion.animation.values import Played, Tables, played
from core.locomotion.animation.variables import TURNED, VARIABLES
from core.locomotion.character_graphs import graph_of, plants, tables_of
from core.locomotion.fall import STANDS, Fall, Falls, Phase
from core.locomotion.ground_below import GroundBelow
from core.locomotion.input import Input
from core.locomotion.matching.driver import Matched, Matcher, Moment
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import H, Setup
from core.locomotion.state import State, between
from core.math.transform import Transform
from core.physics.placing import told_from
from core.physics.start import Posture
from core.rig.rig import Rig
from core.terrain.terrain import Terrain

CURVES = ("contact_l", "contact_r", "ik_l", "ik_r", "FootPosition", "FootDirection")
"""Curves of clips that say when feet are held, how far they follow the ground, and which is ahead."""
NOTHING = Input()


@dataclass(frozen=True, slots=True, eq=False)
class CharacterSetup:
    """A rig with its graphs compiled, and what they need to know of its clips.

    Parameters
    ----------
    controller : the controller's numbers
    plan, feet : of the graph that moves, and of the one that places the feet; the latter None without legs
    tables : speeds of the clips
    moves : clips and spaces that were found
    """

    controller: Setup
    rig: Rig
    plan: Plan
    feet: Plan | None
    tables: Tables
    moves: Moves
    _instance: Instance = field(repr=False)
    _feet: Instance | None = field(repr=False)
    _known: frozenset[str] = field(repr=False)
    _places: tuple[tuple[str, int, float, float], ...] = field(repr=False)
    _turned: int = field(repr=False)
    """Register of the variable by which the graph turns the character; −1 for none."""
    _held: tuple[int, int] = field(repr=False)
    """Where the feet's graph keeps how far each foot is off its pose."""
    falls: Falls | None = field(default=None, repr=False)
    """What it falls and gets up by; None where there is no physics engine."""
    matcher: Matcher | None = None
    """What drives it by motion matching; None by the graph alone."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What the rig lacks of clips, spaces, bones and curves, and what is not installed: what they drive is off."""
        curves = tuple(f"curve {name}" for name in CURVES if name not in self.plan.table.index)
        ragdoll = () if self.falls is not None else ("ragdoll (install mujoco-core)",)
        return (*self.moves.missing, *curves, *ragdoll)

    def with_controller(self, setup: Setup) -> "CharacterSetup":
        """The same with other numbers of the controller, such as another preset; shares the graphs."""
        return replace(self, controller=setup)

    def with_matching(self, matcher: Matcher | None) -> "CharacterSetup":
        """The same driven by motion matching, or by the graph alone."""
        return replace(self, matcher=matcher)


@dataclass(frozen=True, slots=True, eq=False)
class CharacterState:
    """A character between two steps.

    Parameters
    ----------
    body : the controller's state
    played : what the graph was told that is smoothed
    graph, feet : snapshots of the graphs
    numbers : the pose: translations, rotations, scales, curves, which are present
    result : what the main graph gave last
    fall : whether it falls, gets up, or stands
    matched : what lasts of motion matching; None without
    """

    body: State
    played: Played
    graph: GraphState
    feet: GraphState | None
    numbers: FloatArray
    result: StepResult
    fall: Fall = STANDS
    matched: Matched | None = None

    def to_bytes(self) -> bytes:
        """Every number in order, to compare two runs by."""
        parts = [self.body.to_bytes(), repr(self.played).encode(), self.graph.numbers.tobytes()]
        parts += [self.graph.whole.tobytes(), self.numbers.tobytes()]
        if self.feet is not None:
            parts += [self.feet.numbers.tobytes(), self.feet.whole.tobytes()]
        if self.matched is not None:
            parts.append(self.matched.to_bytes())
        return b"".join((*parts, self.fall.to_bytes()))


class Posed(NamedTuple):
    """A pose: local transforms ``(B, k)``, curves by name, and what happened in the step."""

    local: Transform
    curves: Mapping[str, float]
    notifies: tuple[Event, ...]


# ------------------------------------------------------------------------- setting up
def character_setup(
    project: Assets, rig: Rig, setup: Setup | None = None, chosen: PlaySetup | None = None
) -> CharacterSetup:
    """A character of a rig with what a project has for it.

    The graph that was chosen is taken, or one named ``Locomotion`` where the rig has one and nothing else was chosen,
    and its post-process graph where that plants feet; else they are drawn from the clips chosen or found by name.

    Parameters
    ----------
    setup : the controller's numbers
    chosen : clips, blend spaces and graph chosen by hand

    Raises
    ------
    GraphError
        What is wrong with a graph.
    """
    moves = propose(rig, project, chosen)
    graph = graph_of(project, rig, chosen)
    plan = compile_graph(graph, project) if graph else compile_graph(*drawn(project, rig, moves))
    post = next((g for g in project.all(Graph) if g.id == rig.post_graph and plants(g)), None)
    feet = None
    if body_legs(rig) is not None:
        feet = compile_graph(post or feet_graph(rig, AssetId(f"graph-feet-{rig.id}")), project)
    known = frozenset(variable.name for variable, _ in plan.variables) & {v.name for v in VARIABLES}
    places = tuple(
        (variable.name, value.register, variable.minimum, variable.maximum)
        for variable, value in plan.variables
        if variable.name in known and variable.role is Role.INPUT
    )
    return CharacterSetup(
        setup or Setup(), rig, plan, feet, tables_of(project, rig, moves), moves, Instance(plan),
        None if feet is None else Instance(feet), known, places,
        next((value.register for variable, value in plan.variables if variable.name == TURNED), -1),
        held_places(feet),
        Falls.of(project, rig, moves),
    )  # fmt: skip


def begin(
    setup: CharacterSetup,
    terrain: Terrain,
    place: tuple[float, float, float] = (0.0, 0.0, 0.0),
    yaw: float = 0.0,
) -> CharacterState:
    """A character that stands on the terrain at a place, posed."""
    body = controller.start(setup.controller, terrain, place, yaw)
    setup._instance.restart()
    if setup._feet is not None:
        setup._feet.restart()
    if setup.matcher is not None:
        setup.matcher.restart()
    return _posed(setup, terrain, body, Played(), 0.0)


# ------------------------------------------------------------------------- stepping
def step(setup: CharacterSetup, terrain: Terrain, state: CharacterState, given: Input) -> CharacterState:
    """The state 1/60 s later; see the module."""
    if setup.falls is not None and state.fall.phase is not Phase.STANDING:
        return _down(setup, setup.falls, terrain, state, given)
    after = _stepped(setup, terrain, state, given)
    return after if setup.falls is None else _upright(setup, setup.falls, terrain, state, after, given)


def _stepped(setup: CharacterSetup, terrain: Terrain, state: CharacterState, given: Input) -> CharacterState:
    """The state a step later by the controller and the graphs."""
    by_graph = setup._turned >= 0 and (state.matched is None or not state.matched.on)
    turned = float(state.graph.registers[setup._turned]) if by_graph else 0.0
    body = controller.step(setup.controller, terrain, state.body, given, turned)
    now = played(setup.controller, setup.tables, state.played, body)
    now = replace(
        now,
        land_alpha=land_alpha(terrain, setup.controller, body),
        feet_off=feet_off(setup._held, state.feet),
    )
    setup._instance.restore(state.graph)
    if setup._feet is not None and state.feet is not None:
        setup._feet.restore(state.feet)
    return _posed(setup, terrain, body, now, H, state, given)


def _upright(
    setup: CharacterSetup,
    falls: Falls,
    terrain: Terrain,
    state: CharacterState,
    after: CharacterState,
    given: Input,
) -> CharacterState:
    """A step of a character that stands: what is left of a fall over its pose, and whether the next one begins."""
    fall = state.fall
    if fall.fade is not None:
        fall, local = falls.faded(_local(setup, after.numbers), fall)
        after = replace(after, numbers=_with_local(after.numbers, local))
    if falls.wanted(state.body, after.body, fall, given):
        before, now = (Posture(_local(setup, s.numbers), placement_of(s.body)) for s in (state, after))
        return replace(after, fall=falls.begin(terrain, before, now, given))
    if fall.hit is not None or given.blow is not None:
        before, now = (Posture(_local(setup, s.numbers), placement_of(s.body)) for s in (state, after))
        fall, local = falls.felt(terrain, before, now, fall, given)
        after = replace(after, numbers=_with_local(after.numbers, local))
    if fall.held != given.ragdoll:
        fall = replace(fall, held=given.ragdoll)
    return after if fall is after.fall else replace(after, fall=fall)


def _down(
    setup: CharacterSetup, falls: Falls, terrain: Terrain, state: CharacterState, given: Input
) -> CharacterState:
    """A step of a character that falls or gets up: its graphs wait, and begin anew when it stands."""
    body, fall, local = falls.step(setup.controller, terrain, state.body, state.fall, given)
    if fall.phase is not Phase.STANDING:
        numbers = np.array(_with_local(state.numbers, local))
        first, table = 10 * setup.plan.layout.bones, setup.plan.table
        for name, value in falls.curves(fall).items():
            if name in table.index:
                numbers[first + table.index[name]], numbers[first + len(table) + table.index[name]] = (
                    value,
                    1.0,
                )
        numbers.setflags(write=False)
        result = replace(state.result, numbers=numbers, montages=(), _events=(), _pose=None)
        return replace(state, body=body, numbers=numbers, result=result, fall=fall)
    shown = Posture(local, placement_of(body))
    setup._instance.restart()
    if setup._feet is not None:
        setup._feet.restart()
    if not body.in_air:
        fresh = controller.start(setup.controller, terrain, body.position, body.yaw)
        body = replace(
            fresh, step=body.step, safe=body.safe, returned=body.returned,
            view_yaw=body.view_yaw, view_pitch=body.view_pitch, jump_held=body.jump_held,
        )  # fmt: skip
    after = _posed(setup, terrain, body, Played(), 0.0)
    fall, local = falls.fades(shown, Posture(_local(setup, after.numbers), placement_of(body)), fall)
    return replace(after, numbers=_with_local(after.numbers, local), fall=fall)


def _with_local(numbers: FloatArray, local: Transform) -> FloatArray:
    """A pose's numbers with other local transforms."""
    bones = len(local.translation)
    made = np.concatenate((*(np.ravel(part) for part in local), numbers[10 * bones :]))
    made.setflags(write=False)
    return made


def step_all(
    setup: CharacterSetup, terrain: Terrain, states: Sequence[CharacterState], inputs: Sequence[Input]
) -> list[CharacterState]:
    """Many characters of one set-up, a step each; the same bytes as one by one."""
    return [step(setup, terrain, state, given) for state, given in zip(states, inputs, strict=True)]


def _posed(
    setup: CharacterSetup, terrain: Terrain, body: State, now: Played, dt: float,
    before: CharacterState | None = None, given: Input = NOTHING,
) -> CharacterState:  # fmt: skip
    """Run the graphs from where their instances stand, or match a pose in place of the main one."""
    values = told(setup.controller, body, now, None if before is None else before.body)
    where, layout = placement_of(body), setup.plan.layout
    matcher, matched = setup.matcher, None if before is None else before.matched
    moment = Moment(setup.controller, body, given, values, dt)
    if matcher is not None and before is not None and matched is not None and matcher.drives(body, matched):
        matched, numbers = matcher.matched(matched, moment)
        graph, made = before.graph, before.result.silent()
    else:
        jump = {"jump": True} if values["jump"] and "jump" in setup._known else None
        registers = setup._instance.state.registers
        for name, at, low, high in setup._places:
            registers[at] = min(max(float(values[name]), low), high)
        ground = GroundBelow(terrain, body, setup.controller.walkable_cos) if setup.plan.simulates else None
        made = setup._instance.step(dt, jump, ground, where)
        if before is None:  # it has stood for a step: what moves it next has a pose to go on from
            made = setup._instance.step(H, None, ground, where)
        numbers, graph = made.numbers[: layout.pose], setup._instance.snapshot()
        if matcher is not None:
            matched, numbers = matcher.by_graph(matched or Matched(), moment, numbers)
    feet = None
    if setup._feet is not None and setup.feet is not None:
        count = len(numbers) - 10 * layout.bones
        parts = np.split(
            numbers, [3 * layout.bones, 7 * layout.bones, 10 * layout.bones, len(numbers) - count // 2]
        )
        local = Transform(parts[0].reshape(-1, 3), parts[1].reshape(-1, 4), parts[2].reshape(-1, 3))
        ground = GroundBelow(terrain, body, setup.controller.walkable_cos)
        after = setup._feet.step(dt, None, ground, where, Output(local, parts[3], parts[4] != 0.0))
        numbers = after.numbers[: layout.pose]
        feet = setup._feet.snapshot()
    numbers.setflags(write=False)
    return CharacterState(body, now, graph, feet, numbers, made, matched=matched)


# ------------------------------------------------------------------------- what it gives
def placement_of(body: State) -> Transform:
    """Where the controller's character stands in the world: its place at the height of the averaged ground."""
    half = math.radians(body.yaw) / 2.0
    return Transform(np.array(body.root), np.array([0.0, math.sin(half), 0.0, math.cos(half)]), np.ones(3))


def placement(state: CharacterState) -> Transform:
    """Where the character stands in the world: parts ``(3,)``, ``(4,)``, ``(3,)``."""
    return placement_of(state.body)


def pose(setup: CharacterSetup, state: CharacterState) -> Posed:
    """The pose of a state: local transforms, curves, and the notifies of its step."""
    return Posed(_local(setup, state.numbers), _curves(setup, state), state.result.events)


def pose_between(
    setup: CharacterSetup, first: CharacterState, second: CharacterState, share: float
) -> tuple[Transform, Transform]:
    """What is displayed `share` of the way from one step to the next: placement and local transforms."""
    a, b = _local(setup, first.numbers), _local(setup, second.numbers)
    body = between(first.body, second.body, share)
    if first.fall.phase is not Phase.STANDING or second.fall.phase is not Phase.STANDING:
        # where a character that is down stands may turn at once, and its root back: both are told from one place
        a, body = (
            told_from(setup.rig.skeleton, a, placement_of(first.body), placement_of(second.body)),
            second.body,
        )
    flip = np.where((a.rotation * b.rotation).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    turned = a.rotation * (1.0 - share) + b.rotation * (flip * share)
    turned = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
    local = Transform(
        a.translation + (b.translation - a.translation) * share, turned, a.scale + (b.scale - a.scale) * share
    )
    return placement_of(body), local


def _local(setup: CharacterSetup, numbers: FloatArray) -> Transform:
    bones = setup.plan.layout.bones
    return Transform(
        numbers[: 3 * bones].reshape(bones, 3),
        numbers[3 * bones : 7 * bones].reshape(bones, 4),
        numbers[7 * bones : 10 * bones].reshape(bones, 3),
    )


def _curves(setup: CharacterSetup, state: CharacterState) -> dict[str, float]:
    table, first = setup.plan.table, 10 * setup.plan.layout.bones
    values_ = state.numbers[first : first + len(table)]
    present = state.numbers[first + len(table) : first + 2 * len(table)]
    return {name: float(values_[k]) for name, k in table.index.items() if present[k]}
