"""Runs instances of a plan by the compiled kernel, and does for it what only Python knows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from core.arrays import FloatArray
from core.graph.asking import montages_of
from core.graph.events import Event
from core.graph.language.interpreter import Ground
from core.graph.language.program import Op
from core.graph.montage_state import PlayingMontage
from core.graph.op import PoseOp, Run, TellingOp, posing
from core.graph.output import Output, packed, unpacked
from core.graph.packer import WholeArray
from core.graph.packing import EVENTS, PackedPlan, pack
from core.graph.plan import Plan
from core.graph.result import StepResult, playing
from core.graph.scope import Read
from core.graph.state import State
from core.math import kernel_graph_layout as at
from core.math import kernels
from core.math.transform import IDENTITY, Transform

FLAT = (0.0, np.array([0.0, 1.0, 0.0]))


class MeshArrays(Protocol):
    """Triangles with a grid, as of `core.terrain.mesh.TriangleMesh`."""

    @property
    def table(self) -> FloatArray: ...
    @property
    def grid(self) -> FloatArray: ...
    @property
    def starts(self) -> WholeArray: ...
    @property
    def items(self) -> WholeArray: ...
    @property
    def large(self) -> WholeArray: ...


class MeshGround(Protocol):
    """A ground of triangles, which the kernel reads where they are."""

    def for_kernels(self) -> tuple[MeshArrays, Sequence[float]]:
        """The triangles, and what stands at `kernel_graph_layout.Y_LEAST`."""
        ...


Work = Callable[[Run], None]


class StepArrays(NamedTuple):
    """What a step works out of every op ``(N,)``; see `Run`."""

    weights: FloatArray
    spans: FloatArray
    stops: FloatArray
    relevant: WholeArray
    leaving: WholeArray

    @classmethod
    def fresh(cls, count: int) -> "StepArrays":
        """For a step of the twin."""
        relevant, leaving = np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
        return cls(np.zeros(count), np.zeros(count), np.zeros(count), relevant, leaving)


@dataclass(slots=True)
class Asking:
    """What Python does in one call of `Runner.step`.

    Parameters
    ----------
    begin : gives an inner step as Python sees it, told whether it is the first
    incoming : the pose that it gives
    character : where the character stands in the world
    commanded : whether it gives commands
    run : that, where Python had to do something in inner step number `inner`
    events : of steps that Python had a part in, with the number of the inner step
    """

    state: State
    dt: float
    seed: int
    begin: Callable[[bool], Run]
    ground: Ground | None
    incoming: Output | None = None
    character: Transform = IDENTITY
    commanded: bool = False
    run: Run | None = None
    inner: int = -1
    events: list[tuple[int, Event]] = field(default_factory=list)

    def running(self, inner: int) -> Run:
        """An inner step as Python sees it."""
        if self.run is None or self.inner != inner:
            self.gather()
            self.run, self.inner = self.begin(inner == 0), inner
        return self.run

    def gather(self) -> None:
        """Keep the events of the inner step that Python saw last."""
        if self.run is not None:
            self.events.extend((self.inner, event) for event in self.run.events)


class _Outputs(dict[int, Output]):
    """Results as Python sees them: those that the kernel made are read when they are asked for."""

    def __init__(self, runner: "Runner") -> None:
        super().__init__()
        self._runner = runner

    def get(self, op: int, default: Output | None = None) -> Output | None:  # type: ignore[override]
        """The result of an op; None where it is not made yet."""
        if op not in self:
            found = self._runner.output(op)
            if found is None:
                return default
            self[op] = found
        return self[op]


@cache
def _addresses(kernel: Any) -> Any:
    """Where the kernel's code is, which stays there: asked for anew it would cost as much as packing a small plan."""
    return kernel.addresses()


class Runner:
    """What all instances of a plan share: its arrays, and room to work in.

    Parameters
    ----------
    kernel : the module `core.math.kernel_graph`
    """

    def __init__(self, plan: Plan, packed: PackedPlan, kernel: Any) -> None:
        self.plan, self.kernel = plan, kernel
        self.p, self.q = packed.p.copy(), packed.q
        logic, poses, self.p[at.H_MAP_VALUE] = _addresses(kernel)
        for number, (one, other) in enumerate(zip(packed.logic, packed.poses, strict=True)):
            row = self.p[at.H_OPS] + number * at.OP_WIDTH
            if one is not None:
                self.p[row + at.O_WEIGH : row + at.O_POSE] = logic[one]
            if other is not None:
                self.p[row + at.O_POSE : row + at.O_WHERE + 1] = poses[other]
        self._mesh: MeshArrays | None = None
        self._packed = packed  # keeps the tracks, whose keys are read where they are
        self.wi: WholeArray = np.zeros(packed.work + EVENTS * at.EVENT_INTS, dtype=np.int64)
        self.wf: FloatArray = np.empty(packed.room + EVENTS * at.EVENT_FLOATS)
        for work, room, clip in packed.begins:
            self.wi[work : work + len(clip.integers)] = clip.integers
            self.wf[room : room + len(clip.floats)] = clip.floats
        self.wi[at.D_ROOM] = EVENTS
        self._whole(at.W_READY)[:] = -1
        of_montages = [read for read in packed.asked if _of_montage(plan, read)]
        self.asks = at.ANSWERS if packed.stops or len(of_montages) < len(packed.asked) else 0
        """Whether Python has a part in the values: the ground, what only it reads."""
        self.montage_reads = np.array([read.register for read in of_montages], dtype=np.int64)
        """Registers of what is read of montages: 0 while none plays."""
        place = int(self.p[at.H_MONTAGES])
        self._montages = self.p[place + 1 : place + 1 + int(self.p[place])]
        rows = [self._row(k) for k in range(len(plan.ops))]
        self.machines = int(sum(self.p[row + at.O_MACHINE] for row in rows))
        self.leaves = int(sum(self.p[row + at.O_GROUP] >= 0 for row in rows))
        """Ops whose poses can be made ahead of their step's others."""

    def _row(self, op: int) -> int:
        return int(self.p[at.H_OPS]) + op * at.OP_WIDTH

    def make_room(self, count: int) -> None:
        """Make room for results that are made ahead of their steps' others."""
        size, most = self.plan.layout.pose + at.MOTION, max(op.BUFFERS for op in self.plan.ops)
        needed = int(self.p[at.X_BUFFERS]) + (int(self.p[at.H_AHEAD]) + count + most) * size
        if len(self.wf) < needed:
            larger = np.empty(needed)
            larger[: len(self.wf)] = self.wf
            self.wf = larger

    # ---------------------------------------------------------------- what Python sees
    def _whole(self, place: int) -> WholeArray:
        """What wi holds of every op."""
        start = int(self.p[place])
        return self.wi[start : start + len(self.plan.ops)]

    def _numbers(self, place: int) -> FloatArray:
        """What wf holds of every op."""
        start = int(self.p[place])
        return self.wf[start : start + len(self.plan.ops)]

    @property
    def arrays(self) -> StepArrays:
        """The kernel's own, which Python writes to where it does the logic of a step."""
        weights, spans, stops = (self._numbers(k) for k in (at.X_WEIGHTS, at.X_SPANS, at.X_STOPS))
        return StepArrays(weights, spans, stops, self._whole(at.W_RELEVANT), self._whole(at.W_LEAVING))

    # ---------------------------------------------------------------- stepping
    def step(self, asking: Asking, inners: int, act: Work, logic: Work, end: Work) -> StepResult:
        """Move a state on by some inner steps.

        Parameters
        ----------
        act : what Python does after the values: the update sheet's actions, montages
        logic, end : what it does for a step that is not quiet: weights and times, and what is gone at its end
        """
        word = seed_word(asking.seed)
        arrays = self.kernel_arrays(asking.state)
        asks = self._asks(asking.state) | (at.COMMANDED if asking.commanded else 0)
        self.take_in(asking.ground, asking.incoming, asking.character)
        status = self.kernel.step(*arrays, asking.dt, inners, word, asks, False)
        return self.finished(asking, status, inners, act, logic, end)

    def _asks(self, state: State) -> int:
        """Whether Python has a part in the values of this step; without it, what is read of montages is 0."""
        if len(self.montage_reads) == 0 or self.asks:
            return self.asks
        if state.whole[self._montages].any():
            return at.ANSWERS
        state.registers[self.montage_reads] = 0.0
        return 0

    def take_in(
        self, ground: Ground | None, incoming: Output | None, character: Transform = IDENTITY
    ) -> None:
        """Write what the host gives beside its inputs."""
        self.wi[at.D_GROUND] = at.GROUND_NONE if ground is None else at.GROUND_ASKED
        self.wi[at.D_GIVEN] = incoming is not None
        self.wf[at.Y_PLACE : at.Y_TURN] = character.translation
        self.wf[at.Y_TURN : at.Y_LEAST] = character.rotation
        for_kernels: Callable[[], tuple[MeshArrays, Sequence[float]]] | None
        for_kernels = getattr(ground, "for_kernels", None)
        if for_kernels is not None:
            mesh, reach = for_kernels()
            self.wi[at.D_GROUND] = at.GROUND_MESH
            self.wf[at.Y_LEAST : at.Y_LEAST + len(reach)] = reach
            if mesh is not self._mesh:
                self._use_mesh(mesh)
        if incoming is not None:
            place = int(self.p[at.X_GIVEN])
            given = np.concatenate((packed(incoming), *incoming.motion))
            self.wf[place : place + len(given)] = given

    def _use_mesh(self, mesh: MeshArrays) -> None:
        """Write the addresses of a ground's triangles, and keep these."""
        addresses = [mesh.table.ctypes.data, len(mesh.table), mesh.grid.ctypes.data]
        for array in (mesh.starts, mesh.items, mesh.large):
            addresses += [array.ctypes.data, len(array)]
        self.wi[at.D_TERRAIN : at.D_TERRAIN + len(addresses)] = addresses
        self._mesh = mesh

    def kernel_arrays(self, state: State) -> tuple[Any, ...]:
        """p, q, si, sf, wi, wf."""
        return self.p, self.q, state.whole, state.numbers, self.wi, self.wf

    def finished(
        self, asking: Asking, status: int, inners: int, act: Work, logic: Work, end: Work
    ) -> StepResult:
        """Do what the kernel asks, which gave a status, until a step is done."""
        arrays, word = self.kernel_arrays(asking.state), seed_word(asking.seed)
        asks = (
            at.ANSWERS if len(self.montage_reads) else self.asks
        )  # inner steps after one in which a montage began
        while status:
            inner = int(self.wi[at.D_INNER])
            if status in (at.ASK_VALUES, at.ASK_ACT):
                if status == at.ASK_VALUES:
                    self._values(asking, arrays, word)
                run = asking.running(inner)
                act(run)
                self.wi[at.D_ACTED] = bool(run.playing or run.requests)
            elif status == at.ASK_LOGIC:
                run = asking.running(inner)
                logic(run)
                run.relevant[list(run.passing | run.asked)] = at.PASSING
            elif status == at.ASK_POSE:
                self._pose(asking.running(inner), int(self.wi[at.D_OP]))
            else:
                self._end(asking.running(inner), end)
            status = self.kernel.step(*arrays, asking.dt, inners, word, asks, True)
        asking.gather()
        return self._result(asking)

    def _values(self, asking: Asking, arrays: Sequence[Any], word: int) -> None:
        """The values of an inner step, some of which Python answers."""
        registers = asking.state.registers
        self.kernel.fill(*arrays, asking.dt)
        for read in self._packed.asked:
            registers[read.register] = read.value(asking.running(int(self.wi[at.D_INNER])))
        rows, begin = self.plan.program.rows, 0
        for stop in (*self._packed.stops, len(rows)):
            self.kernel.rows(*arrays, begin, stop, word)
            if stop < len(rows):
                self._answer(rows[stop].tolist(), registers, asking.ground)
            begin = stop + 1

    def _answer(self, row: Sequence[int], registers: FloatArray, ground: Ground | None) -> None:
        """Write what the host says of the ground."""
        op, out, a, node = row[0], row[1], row[2], row[-1]
        height, normal = FLAT if ground is None else ground(registers[a : a + 3])
        values = np.array([height] if op == Op.GROUND_HEIGHT else normal, dtype=np.float64)
        known = np.isfinite(values)
        registers[out : out + len(values)] = np.where(known, values, 0.0)
        if not known.all() and 0 <= node < len(self.plan.ops):
            self._whole(at.W_FLAGS)[node] = 1

    def _pose(self, run: Run, op: int) -> None:
        """Let Python make the pose of one op."""
        if not isinstance(run.outputs, _Outputs):
            run.outputs = _Outputs(self)
        output = posing(run.ops[op]).pose(run)
        size, number = self.plan.layout.pose + at.MOTION, int(self.wi[at.D_BUFFERS])
        place = int(self.p[at.X_BUFFERS]) + number * size
        self.wi[at.D_BUFFERS] = number + 1
        self.wf[place : place + size] = np.concatenate((packed(output), *output.motion))
        self._whole(at.W_SLOT)[op] = place
        run.outputs[op] = output

    def output(self, op: int) -> Output | None:
        """The result of an op that is there."""
        place, pose = int(self._whole(at.W_SLOT)[op]), self.plan.layout.pose
        if place < 0:
            return None
        found = unpacked(self.wf[place : place + pose], len(self.plan.rig.skeleton))
        moved = self.wf[place + pose : place + pose + at.MOTION].copy()
        return replace(found, motion=Transform(moved[:3], moved[3:7], moved[7:]))

    def _end(self, run: Run, end: Work) -> None:
        """What Python's logic leaves behind: what is gone, triggers that were taken."""
        end(run)
        counted = list(run.asked - run.passing)
        run.relevant[counted] = run.relevant[counted] != 0
        taken = int(self.p[at.W_TAKEN])
        for number in run.taken:
            self.wi[taken + number] = 1

    # ---------------------------------------------------------------- what it gives
    def _result(self, asking: Asking) -> StepResult:
        p, wi, layout = self.p, self.wi, self.plan.layout
        out, active, visits = int(p[at.X_OUT]), int(p[at.W_ACTIVE]), int(p[at.W_VISITS])
        made, count = int(wi[at.D_VISITS]), int(wi[at.D_EVENTS])
        flags = self._whole(at.W_FLAGS).copy()
        asked: tuple[int, ...] = ()
        montages: tuple[PlayingMontage, ...] = ()
        if asking.run is not None and asking.inner == int(wi[at.D_INNER]) - 1:
            asked, montages = tuple(asking.run.visits), playing(asking.run)
            if asking.run.flagged:
                flags |= np.array([op.node in asking.run.flagged for op in self.plan.ops])
        return StepResult(
            self.plan,
            self.wf[out : out + layout.pose + at.MOTION + layout.ops].copy(),
            wi[active : active + self.machines].copy(),
            (*wi[visits : visits + made].tolist(), *asked),
            flags,
            montages,
            self._events(asking, count) if count or asking.events else (),
        )

    def _events(self, asking: Asking, count: int) -> Callable[[], tuple[Event, ...]]:
        e, g = int(self.p[at.W_EVENTS]), int(self.p[at.X_EVENTS])
        whole = self.wi[e : e + count * at.EVENT_INTS].reshape(-1, at.EVENT_INTS).tolist()
        numbers = self.wf[g : g + count * at.EVENT_FLOATS].reshape(-1, at.EVENT_FLOATS).tolist()
        plan, dt, others = self.plan, asking.dt, asking.events

        def read() -> tuple[Event, ...]:
            own = [_event(plan, row, values) for row, values in zip(whole, numbers, strict=True)]
            ordered = sorted([*own, *others], key=lambda found: (found[0], found[1].moment))
            return tuple(replace(event, moment=event.moment + inner * dt) for inner, event in ordered)

        return read


def _of_montage(plan: Plan, read: Read) -> bool:
    """Whether a read is of a montage, and so 0 while none plays."""
    if read.function in ("playing", "montage_time"):
        return True
    montages = montages_of(plan.ops)
    named = montages is not None and read.name in montages.by_name
    return read.function == "raw_curve" and (named or all(op.name != read.name for op in plan.ops))


def seed_word(seed: int) -> int:
    """A seed as the kernel takes it: 64 bits."""
    return ((seed + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def _event(plan: Plan, row: Sequence[int], values: Sequence[float]) -> tuple[int, Event]:
    """An event that the kernel noted, with the number of its inner step."""
    op, item, leaving, inner = row
    teller = plan.ops[op]
    assert isinstance(teller, TellingOp)
    told: Any = dict(teller.told(item))
    return inner, Event(
        **told, moment=values[at.EVENT_MOMENT], weight=values[at.EVENT_WEIGHT], leaving=bool(leaving)
    )


def runner_of(plan: Plan) -> Runner | None:
    """The runner of a plan; None where the compiled kernels are not there."""
    loaded = kernels.wanted()
    if loaded is None:
        return None
    found = plan.kept.get("runner")
    if found is None:
        found = plan.kept["runner"] = Runner(plan, pack(plan), loaded.graph)
    assert isinstance(found, Runner)
    return found


def not_compiled(plan: Plan) -> tuple[str, ...]:
    """Names of the ops whose logic or pose Python does in every step; empty where one call does it all."""
    return tuple(
        op.name or op.node
        for op in plan.ops
        if op.logic is None or (isinstance(op, PoseOp) and op.POSE in (None, "modifier"))
    )
