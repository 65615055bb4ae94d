"""A character driven by motion matching: which frame plays, where its root is, and what is left of the last switch.

A pure step of a frozen value, `Matched`. What the database has no frames for (turning in place, jumping, falling,
landing) is left to the graph *Locomotion*; both ways go over into each other inertialised.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.graph.compile import compile_graph
from core.graph.compiler import Assets
from core.graph.graph import Graph, Role
from core.graph.instance import Instance
from core.graph.output import Output
from core.graph.plan import Plan
from core.graph.state import State as GraphState
from core.locomotion.animation.propose import Moves
from core.locomotion.animation.values import stride_at
from core.locomotion.animation.variables import VARIABLES
from core.locomotion.dampers import clamp, damp, damp_angle, wrap
from core.locomotion.input import Input, RotationMode
from core.locomotion.matching.database import Database, Stretch, build
from core.locomotion.matching.graph import GRAPH, matching_graph
from core.locomotion.matching.poses import between, decayed, offset_by, offsets_to
from core.locomotion.matching.query import Root, path_features, pose_features, query
from core.locomotion.matching.search import Spans, cost_of, nearest, without
from core.locomotion.matching.setup import Matching, Tag
from core.locomotion.predict import stopping
from core.locomotion.setup import H, Setup
from core.locomotion.state import State
from core.math import transform
from core.math.transform import Transform
from core.rig.rig import Rig

LANDED = 0.6
"""Seconds after a landing that the graph plays on, unless the character moves."""
STANDS = 0.3
"""m/s under which a character without a wish is taken to stand."""
SLOWEST, FASTEST, FASTEST_ONCE = 0.5, 2.0, 1.6
"""Times its own speed that a range is played; the last where it is no loop."""
LEAST_STRIDE, MOST_STRIDE, LONGEST_LAST = 0.3, 1.6, 1.25
"""Share of a range's steps that is taken; the last in a stop, which would be a lunge beyond."""
MOST_TURN, TURN_HALF, FIT_HALF = 30.0, 0.05, 0.05
"""Degrees that legs are turned beside the range's direction, and the half-lives of that, and of rate and stride."""
WARPED = 0.3
"""m/s of the range and of the character from which steps are fitted."""
QUICKER, UNSUITED, LEVEL = 1.5, 2.0, 0.25
"""Times the speed in 0.33 s that a candidate is faster or slower; from which a range is left; m/s of its grid."""
WISHED = (Tag.MOVE, Tag.START, Tag.PIVOT)
"""What may go on while the character moves by a wish."""
PIVOTS, STARTS = 0.5, 1.15
"""Cosine of velocities now and in 0.33 s under which a pivot is a candidate; times the speed from which a start."""
PIVOT_RATE = 1.3
"""Times its own speed that a pivot is played: a controller turns back sooner than a body."""
NEARLY = 0.02
"""Metres that a stop still goes from which on it is played as it is."""
TELEPORT = 1.0
"""Metres in a step beyond which the root begins anew."""
ORIGIN = Root(0.0, 0.0, 0.0)
KNOWN = frozenset(variable.name for variable in VARIABLES)


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """What lasts of motion matching from step to step.

    Parameters
    ----------
    on : whether a matched pose is shown; else the graph's
    frame : of the index, with a fraction
    root : where the pose's root is in the world
    rate, stride, turn : how fast the range plays, share of its steps, degrees that legs are turned to the right
    waited : steps since the last search
    wish, view : x and z of the wish, and the view's yaw, at the last search
    cost : squared distance of the frame that was found last, from its query
    switches : how often another frame was gone to
    offsets : of what is left of the last switch, ``(4, B, 3)``
    shown, before : rows of the last two poses in the root's frame, before the feet are placed
    graph : snapshot of the graph over the pose
    """

    on: bool = False
    frame: float = 0.0
    root: Root = ORIGIN
    rate: float = 1.0
    stride: float = 1.0
    turn: float = 0.0
    waited: int = 0
    wish: tuple[float, float] = (0.0, 0.0)
    view: float = 0.0
    cost: float = 0.0
    switches: int = 0
    offsets: FloatArray | None = None
    shown: FloatArray | None = None
    before: FloatArray | None = None
    graph: GraphState | None = None

    def to_bytes(self) -> bytes:
        """Every number in order, to compare two runs by."""
        plain = (
            self.on, self.frame, tuple(self.root), self.rate, self.stride, self.turn, self.waited, self.wish, self.view,
            self.cost, self.switches,
        )  # fmt: skip
        arrays = [part.tobytes() for part in (self.offsets, self.shown, self.before) if part is not None]
        graph = [] if self.graph is None else [self.graph.numbers.tobytes(), self.graph.whole.tobytes()]
        return b"".join([repr(plain).encode(), *arrays, *graph])


@dataclass(frozen=True, slots=True)
class Moment:
    """What a step is told: the controller's state and set-up, the input, values of the graphs' variables, seconds."""

    setup: Setup
    body: State
    given: Input
    told: Mapping[str, float]
    dt: float


@dataclass(frozen=True, slots=True, eq=False)
class Matcher:
    """A database with the graph that goes over its poses.

    Parameters
    ----------
    plan : of that graph
    """

    rig: Rig
    database: Database
    plan: Plan
    _instance: Instance
    _fresh: GraphState
    _places: tuple[tuple[str, int, float, float], ...]
    _columns: tuple[tuple[int, int], ...]

    @property
    def setup(self) -> Matching:
        """The numbers it was made with."""
        return self.database.setup

    def fork(self) -> "Matcher":
        """The same with a graph of its own, for another thread."""
        return replace(self, _instance=Instance(self.plan))

    def restart(self) -> None:
        """Settle by what the graph is run, as its own restart does."""
        self._instance.restart()

    # ------------------------------------------------------------------ whether
    def drives(self, body: State, before: Matched) -> bool:
        """Whether there are frames for what the character does; else the graph plays.

        A character that stands and looks where its view goes is turned in place by the graph, after its stop.
        """
        if body.in_air:
            return False
        if body.mode is not RotationMode.VELOCITY and not body.moving:
            return before.on and self._stretch(before.frame).tag is Tag.STOP and not self._ended(before.frame)
        if not body.moving and body.ground_for * H < LANDED:
            return False
        if body.crouching:
            return self.database.has(Tag.CROUCH_MOVE if body.moving else Tag.CROUCH_STAND)
        return self.database.has(Tag.MOVE if body.moving else Tag.STAND)

    def _tags(self, body: State) -> tuple[Tag, ...]:
        if body.crouching:
            return (Tag.CROUCH_MOVE,) if body.moving else (Tag.CROUCH_STAND,)
        if body.moving and (body.wish[0] or body.wish[1]):
            return WISHED
        if body.speed > STANDS and not self.database.has(Tag.STOP):
            return (Tag.MOVE,)
        return Tag.STAND, Tag.STOP

    def _spans(self, moment: Moment, tags: tuple[Tag, ...], soon: tuple[float, float]) -> Spans:
        """Candidates about as fast as the character is soon, and no faster than it is allowed or still is.

        A start is one only for a character that gets faster, a pivot for one that turns back.
        """
        setup, body = moment.setup, moment.body
        speed = math.hypot(*soon)
        if tags == WISHED:
            v = body.velocity
            back = v[0] * soon[0] + v[2] * soon[1] < PIVOTS * body.speed * speed
            faster = speed > STARTS * body.speed + LEVEL
            more = (Tag.PIVOT,) if back and body.speed > LEVEL else (Tag.START,) if faster else ()
            tags = (Tag.MOVE, *more)
        top = (setup.walk, setup.run, setup.sprint)[body.allowed - 1]
        level = round(speed / LEVEL) * LEVEL
        still = Tag.STOP in tags or body.speed > 1.01 * top
        fastest = max(level, math.ceil(body.speed / LEVEL) * LEVEL if still else 0.0)
        return self.database.spans(tags, level / QUICKER, max(fastest, LEVEL), QUICKER)

    # ------------------------------------------------------------------ steps
    def matched(self, before: Matched, moment: Moment) -> tuple[Matched, FloatArray]:
        """A step by matching; the row of its pose is in the character's space."""
        body, setup = moment.body, self.setup
        if before.on:
            state, ended = self._moved(before, moment)
            state = self._searched(state, moment, ended)
        else:
            state = self._begun(before, moment)
        switched = state.switches != before.switches
        state = self._fitted(state, moment, jump=switched)
        row, graph = self._posed(state, moment)
        if before.shown is not None:
            if switched:
                earlier = self._plain(max(state.frame - state.rate, self._stretch(state.frame).first))
                ahead = self._plain(state.frame)
                step = row.copy()
                count = 7 * len(self.rig.skeleton)
                step[:count] = row[:count] - (ahead[:count] - earlier[:count])
                offsets = offsets_to(
                    before.shown, before.shown if before.before is None else before.before, row,
                    _normalised(step, len(self.rig.skeleton)), len(self.rig.skeleton),
                )  # fmt: skip
                state = replace(state, offsets=offsets)
            elif before.offsets is not None:
                state = replace(state, offsets=decayed(before.offsets, setup.blend_half, moment.dt))
        if state.offsets is not None:
            offset_by(state.offsets, row)
        row.setflags(write=False)
        state = replace(state, shown=row, before=before.shown, graph=graph)
        return state, self._placed(row, state.root, body)

    def by_graph(self, before: Matched, moment: Moment, numbers: FloatArray) -> tuple[Matched, FloatArray]:
        """A step whose pose the graph *Locomotion* gave: only what is left of the last switch is put on it."""
        body, bones = moment.body, len(self.rig.skeleton)
        row, offsets = numbers, None
        if before.on and before.shown is not None:
            last = self._placed(before.shown, before.root, body)
            earlier = last if before.before is None else self._placed(before.before, before.root, body)
            offsets = offsets_to(last, earlier, numbers, None, bones)
        elif before.offsets is not None:
            offsets = decayed(before.offsets, self.setup.blend_half, moment.dt)
        if offsets is not None:
            row = numbers.copy()
            offset_by(offsets, row)
            row.setflags(write=False)
        place = Root(body.position[0], body.position[2], body.yaw)
        state = replace(
            before,
            on=False,
            root=place,
            offsets=offsets,
            shown=row,
            before=None if before.on else before.shown,
        )
        return state, row

    # ------------------------------------------------------------------ parts of a step
    def _stretch(self, frame: float) -> Stretch:
        return self.database.stretches[int(self.database.stretch_of[int(frame)])]

    def _ended(self, frame: float) -> bool:
        stretch = self._stretch(frame)
        return not stretch.looping and frame >= stretch.end - 2

    def _begun(self, before: Matched, moment: Moment) -> Matched:
        """The nearest frame to what the graph showed; the root is where the controller is."""
        body, database = moment.body, self.database
        root = Root(body.position[0], body.position[2], body.yaw)
        state = replace(
            before, on=True, root=root, waited=0, offsets=None, wish=body.wish, view=body.view_yaw,
            switches=before.switches + 1,
        )  # fmt: skip
        path, soon = path_features(moment.setup, body, moment.given, root)
        spans = self._spans(moment, self._tags(body), soon)
        if before.shown is None:
            return replace(state, frame=float(spans[0, 0]))
        vx, vz = body.local_velocity
        velocity = (vx, vz, math.radians(body.yaw_speed))
        pose = pose_features(database, self.rig, before.shown, before.before, velocity)
        asked = query(database, pose, path)
        found = nearest(database.index, asked, spans)
        return replace(state, frame=float(max(found.frame, spans[0, 0])), cost=found.cost)

    def _moved(self, before: Matched, moment: Moment) -> tuple[Matched, bool]:
        """The clock and the root a step on; whether the range is at its end."""
        stretch, body, setup = self._stretch(before.frame), moment.body, self.setup
        share = before.rate * moment.dt / stretch.seconds
        x, z, turned = (float(v) * share for v in self.database.steps[int(before.frame)])
        frame, ended = before.frame + share, False
        if frame >= stretch.end - (0 if stretch.looping else 1):
            ended = not stretch.looping
            frame = frame - stretch.count if stretch.looping else float(stretch.end - 1)
        root = before.root
        yaw = math.radians(root.yaw - before.turn)
        s, c = math.sin(yaw), math.cos(yaw)
        x, z = x * before.stride, z * before.stride
        moved = (root.x + c * x + s * z, root.z + c * z - s * x)
        goal = (body.position[0], body.position[2])
        away = (goal[0] - moved[0], goal[1] - moved[1])
        far = math.hypot(*away)
        if far > TELEPORT:
            return replace(
                before, frame=frame, root=Root(goal[0], goal[1], body.yaw), waited=before.waited + 1
            ), ended
        pull = far - damp(far, 0.0, moment.dt, setup.pull_half)
        if not (body.speed < STANDS and (body.wish[0] or body.wish[1])):  # else it is held up by a wall
            pull = max(min(pull, setup.pull_most * math.hypot(x, z)), far - setup.farthest)
        share = pull / far if far > 1e-9 else 0.0
        facing = damp_angle(root.yaw + math.degrees(turned), body.yaw, moment.dt, setup.pull_turn_half)
        off = clamp(wrap(facing - body.yaw), -setup.farthest_turn, setup.farthest_turn)
        made = Root(moved[0] + away[0] * share, moved[1] + away[1] * share, wrap(body.yaw + off))
        return replace(before, frame=frame, root=made, waited=before.waited + 1), ended

    def _searched(self, state: Matched, moment: Moment, ended: bool) -> Matched:
        """The frame to play: another where one is nearer by the cost of a transition, or this one must not go on."""
        body, setup, database = moment.body, self.setup, self.database
        frame, tags = int(state.frame), self._tags(body)
        barred = ended or self._stretch(frame).tag not in tags
        change = math.hypot(body.wish[0] - state.wish[0], body.wish[1] - state.wish[1])
        changed = change > setup.wish_change or abs(wrap(body.view_yaw - state.view)) > setup.view_change
        if not (barred or changed or state.waited * H >= setup.search_every - 1e-9):
            return state
        path, soon = path_features(moment.setup, body, moment.given, state.root)
        asked = query(database, database.index.row(frame), path)
        state = replace(state, waited=0, wish=body.wish, view=body.view_yaw)
        spans = self._spans(moment, tags, soon)
        if barred or not _suited(self._stretch(frame), math.hypot(*soon)):
            found = nearest(database.index, asked, spans)
        else:
            now = cost_of(database.index, asked, frame)
            state = replace(state, cost=now)
            spans = without(spans, frame - setup.near, frame + setup.near + 1)
            found = nearest(database.index, asked, spans, max(now - setup.transition, 0.0))
        if found.frame < 0:
            return state
        return replace(state, frame=float(found.frame), cost=found.cost, switches=state.switches + 1)

    def _fitted(self, state: Matched, moment: Moment, jump: bool) -> Matched:
        """Rate, stride and turn that bring the range's own velocity to the controller's; the rate changes smoothly."""
        own, direction = (float(v) for v in self.database.speeds[int(state.frame)])
        body, speed = moment.body, moment.body.speed
        stretch, turn = self._stretch(state.frame), 0.0
        if not self.setup.warp:
            return replace(state, rate=1.0, stride=1.0, turn=0.0)
        beside = wrap(-wrap(body.travel_yaw - state.root.yaw) - direction) if speed > WARPED else 0.0
        rate, stride = 1.0, 1.0
        if stretch.tag is Tag.STOP:
            rate, stride = self._stopped(state, moment)
        elif stretch.tag is Tag.PIVOT:
            rate = PIVOT_RATE
        elif own > WARPED:
            along = speed * max(math.cos(math.radians(max(abs(beside) - MOST_TURN, 0.0))), 0.0)
            wanted = 1.0
            if stretch.looping and not body.crouching:
                wanted = clamp(stride_at(speed, moment.setup.gait_amount(own)), LEAST_STRIDE, 1.0)
            rate = clamp(speed / own / wanted, SLOWEST, FASTEST if stretch.looping else FASTEST_ONCE)
            rate = rate if jump else damp(state.rate, rate, H, FIT_HALF)
            stride = clamp(along / own / rate, 0.0, MOST_STRIDE)
        if own > WARPED and stretch.tag is not Tag.PIVOT and abs(beside) < 90.0:
            turn = clamp(beside, -MOST_TURN, MOST_TURN)
        turn = turn if jump else damp(state.turn, turn, H, TURN_HALF)
        return replace(state, rate=rate, stride=stride, turn=turn)

    def _stopped(self, state: Matched, moment: Moment) -> tuple[float, float]:
        """Rate and stride of a stop that bring the root to where the controller comes to stand."""
        body, own = moment.body, float(self.database.speeds[int(state.frame), 0])
        left = float(self.database.left[int(state.frame)])
        if left < NEARLY:
            return 1.0, 1.0
        way = stopping(moment.setup, body)[0]
        yaw = math.radians(body.way_yaw)
        x, z = body.position[0] - state.root.x, body.position[2] - state.root.z
        stride = clamp((x * math.sin(yaw) + z * math.cos(yaw) + way) / left, LEAST_STRIDE, LONGEST_LAST)
        rate = clamp(body.speed / max(own * stride, WARPED), 1.0, FASTEST_ONCE)
        return rate, stride

    def _plain(self, frame: float) -> FloatArray:
        """The row of a frame as its clip has it, with its curves."""
        database, layout = self.database, self.plan.layout
        first, second, share = database.row(frame)
        row = np.zeros(layout.pose)
        bones = layout.bones
        between(database.poses[first], database.poses[second], share, row)
        row[7 * bones : 10 * bones] = database.scales[int(database.stretch_of[int(frame)])].ravel()
        curves = database.curves[first] + (database.curves[second] - database.curves[first]) * np.float32(
            share
        )
        for place, column in self._columns:
            row[10 * bones + place] = curves[column]
            row[10 * bones + layout.curves + place] = 1.0
        return row

    def _posed(self, state: Matched, moment: Moment) -> tuple[FloatArray, GraphState]:
        """The row with what the graph puts on it, and the graph's state."""
        row = self._plain(state.frame)
        told = dict(moment.told)
        direction = float(self.database.speeds[int(state.frame), 1])
        told |= {"stride": state.stride, "direction": direction, "turn": state.turn}
        told["head_yaw"] = wrap(told["head_yaw"] + wrap(state.root.yaw - moment.body.yaw))
        instance, bones = self._instance, self.plan.layout.bones
        instance.restore(self._fresh if state.graph is None else state.graph)
        registers = instance.state.registers
        for name, at, low, high in self._places:
            registers[at] = min(max(float(told[name]), low), high)
        local = Transform(
            row[: 3 * bones].reshape(-1, 3), row[3 * bones : 7 * bones].reshape(-1, 4),
            row[7 * bones : 10 * bones].reshape(-1, 3),
        )  # fmt: skip
        first, count = 10 * bones, self.plan.layout.curves
        curves, present = row[first : first + count], row[first + count :] != 0.0
        made = instance.step(moment.dt, None, None, transform.IDENTITY, Output(local, curves, present))
        return np.array(made.numbers[: self.plan.layout.pose]), instance.snapshot()

    def _placed(self, row: FloatArray, root: Root, body: State) -> FloatArray:
        """A row of the root's frame in the character's space."""
        yaw = math.radians(body.yaw)
        s, c = math.sin(yaw), math.cos(yaw)
        dx, dz = root.x - body.position[0], root.z - body.position[2]
        x, z, turned = c * dx - s * dz, s * dx + c * dz, math.radians(wrap(root.yaw - body.yaw))
        if not (x or z or turned):
            return row
        out, bones = row.copy(), len(self.rig.skeleton)
        s, c = math.sin(turned), math.cos(turned)
        sh, ch = math.sin(0.5 * turned), math.cos(0.5 * turned)
        for bone in self.rig.skeleton.roots():
            a, b, d = row[3 * bone : 3 * bone + 3].tolist()
            out[3 * bone : 3 * bone + 3] = x + c * a + s * d, b, z + c * d - s * a
            at = 3 * bones + 4 * bone
            qx, qy, qz, qw = row[at : at + 4].tolist()
            out[at : at + 4] = ch * qx + sh * qz, ch * qy + sh * qw, ch * qz - sh * qx, ch * qw - sh * qy
        out.setflags(write=False)
        return out


def _suited(stretch: Stretch, soon: float) -> bool:
    """Whether a range may go on for a character that is so fast soon."""
    if not stretch.looping or stretch.tag in (Tag.STAND, Tag.CROUCH_STAND):
        return True
    return stretch.fastest <= UNSUITED * soon + LEVEL and stretch.fastest >= soon / UNSUITED


def _normalised(row: FloatArray, bones: int) -> FloatArray:
    """A row with rotations of length 1, in place."""
    turns = row[3 * bones : 7 * bones].reshape(-1, 4)
    turns /= np.sqrt((turns * turns).sum(axis=1, keepdims=True))
    return row


def make_matcher(project: Assets, rig: Rig, moves: Moves, setup: Matching | None = None) -> Matcher:
    """The database of a project's clips for a rig, and the graph over its poses.

    A graph named ``Matching`` is taken where the rig has one; else one is drawn.

    Raises
    ------
    ValidationError
        The rig has no hips or feet that could be told, or no clips to match.
    GraphError
        What is wrong with the graph.
    """
    own = next((graph for graph in project.all(Graph) if graph.rig == rig.id and graph.name == GRAPH), None)
    plan = compile_graph(own or matching_graph(rig, moves), project)
    database, instance = build(rig, list(project.all(Clip)), setup), Instance(plan)
    places = tuple(
        (variable.name, value.register, variable.minimum, variable.maximum)
        for variable, value in plan.variables
        if variable.role is Role.INPUT and variable.name in KNOWN
    )
    columns = tuple(
        (plan.table.index[name], column)
        for column, name in enumerate(database.names)
        if name in plan.table.index
    )
    return Matcher(rig, database, plan, instance, instance.snapshot(), places, columns)
