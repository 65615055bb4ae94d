"""Plans for the compiled kernel: all that `core.math.kernel_graph` reads, in flat arrays.

See `core.math.kernel_graph_layout`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from core.arrays import FloatArray
from core.clips.binding import bind
from core.clips.clip import Clip
from core.clips.packed import pack as pack_clip
from core.graph.asking import montages_of
from core.graph.clip_player import ClipOp
from core.graph.graph import Role, SyncRole, Tempo
from core.graph.language.program import FIRST_HOST_OP, Program
from core.graph.machine import MachineOp
from core.graph.montage_state import MONTAGE, MOST_PLAYING
from core.graph.op import GraphOp
from core.graph.packer import Buffers, Packed, Packer, WholeArray, lanes_of_extras
from core.graph.plan import Plan
from core.graph.scope import Read
from core.graph.sync_member import SyncMember
from core.ids import AssetId
from core.math import kernel_graph_layout as at
from core.math.transform import Transform, down_chain
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import ScalarTrack

EVENTS = 256
"""Events of the kernel that there is room for in a step; with more, Python does the logic."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedPlan:
    """A plan as its kernel reads it.

    Parameters
    ----------
    p, q : whole numbers and floats of the plan; addresses are still missing
    work, room : sizes of wi and wf without events
    begins : clips' buffers, with their places in wi and wf
    logic, poses : entry of each op in `LOGIC` and `POSES` of `core.math.kernel_graph`, or None
    stops : rows of the program that Python answers
    asked : reads that Python answers
    """

    p: WholeArray
    q: FloatArray
    work: int
    room: int
    begins: Sequence[tuple[int, int, Buffers]]
    logic: tuple[str | None, ...]
    poses: tuple[str | None, ...]
    stops: tuple[int, ...]
    asked: tuple[Read, ...]


def pack(plan: Plan) -> PackedPlan:
    """Lay a plan out for the kernel."""
    starts, layout = plan.layout.starts, plan.layout
    packer = Packer(
        lambda op: starts[1] + plan.ops[op].place.floats,
        lambda op: 1 + layout.ops + plan.ops[op].place.ints,
        {op.name: op.number for op in reversed(plan.ops) if op.name},
        plan.table.index,
        plan.table.morph_index,
    )
    header = _header(plan, packer)
    rows: list[list[int]] = []
    carried = header[at.X_WEIGHTS] + layout.ops
    for op in plan.ops:
        known = op.logic is not None or op.POSE is not None
        own = op.packed(packer) if known else Packed()
        rows.append([*_op_row(plan, packer, op, rows, own), carried, _member(op)])
        carried += op.CARRIED
    _asked_of_python(plan, packer, header)
    fills = [(read, _fill(plan, packer, read)) for read in plan.fills]
    known_fills = [row for _, row in fills if row is not None]
    header[at.H_FILLS] = packer.ints([number for row in known_fills for number in row])
    header[at.H_FILL_COUNT] = len(known_fills)
    header[at.H_CLIPS] = packer.ints([number for row in packer.clips for number in row])
    header[at.H_OPS] = packer.ints([number for row in rows for number in row])
    header[at.H_PLAIN_LOGIC] = int(any(op.logic is None for op in plan.ops))
    header[at.X_BUFFERS] = packer.take(0, _buffers(plan) * (layout.pose + at.MOTION))[1]
    header[at.W_EVENTS], header[at.X_EVENTS] = packer.work, packer.room
    events = EVENTS * at.EVENT_FLOATS
    header[at.H_AHEAD] = -(-(packer.room + events - header[at.X_BUFFERS]) // (layout.pose + at.MOTION))
    return PackedPlan(
        np.array([*header, *packer.whole], dtype=np.int64),
        np.array([*packer.numbers, 0.0]),
        packer.work,
        packer.room,
        tuple(packer.begins),
        tuple(op.logic for op in plan.ops),
        tuple(op.POSE for op in plan.ops),
        tuple(int(k) for k in np.flatnonzero(plan.program.rows[:, 0] >= FIRST_HOST_OP)),
        tuple(read for read, row in fills if row is None),
    )


def _member(op: GraphOp) -> int:
    """Which kind of member of sync groups an op is."""
    if not (isinstance(op, SyncMember) and op.group):
        return 0
    return at.CLIP_MEMBER if isinstance(op, ClipOp) else at.SPACE_MEMBER


def _asked_of_python(plan: Plan, packer: Packer, header: list[int]) -> None:
    """Sync groups, and what says that Python has something to do between values and logic."""
    ints, roles = 1 + plan.layout.ops, list(SyncRole)
    groups = []
    for group in plan.groups:
        members = [
            x
            for k in group.members
            if isinstance(op := plan.ops[k], SyncMember)
            for x in (k, roles.index(op.role))
        ]
        mean = int(group.tempo is Tempo.MEAN)
        groups += [mean, ints + group.place, len(members) // 2, packer.ints(members)]
    header[at.H_GROUPS], header[at.H_GROUP_COUNT] = packer.ints(groups), len(plan.groups)
    header[at.H_ACTS] = packer.ints([action.when for action in plan.actions])
    header[at.H_ACT_COUNT] = len(plan.actions)
    montages = montages_of(plan.ops)
    blocks = [] if montages is None else [ints + montages.ints_of(k) + MONTAGE for k in range(MOST_PLAYING)]
    header[at.H_MONTAGES] = packer.ints([len(blocks), *blocks])


def _buffers(plan: Plan) -> int:
    """Results that there is room for."""
    return 1 + sum(max(op.BUFFERS, int(op.POSE != "output")) for op in plan.ops)


def _header(plan: Plan, packer: Packer) -> list[int]:
    layout, starts, program = plan.layout, plan.layout.starts, plan.program
    skeleton = plan.rig.skeleton
    header = [0] * at.HEADER
    header[at.H_OP_COUNT], header[at.H_BONES], header[at.H_CURVES] = layout.ops, layout.bones, layout.curves
    header[at.H_PARENTS] = packer.ints([int(parent) for parent in skeleton.parents])
    header[at.H_REST] = packer.floats(np.concatenate([part.ravel() for part in skeleton.rest]))
    model = down_chain(skeleton.parents, skeleton.rest).rotation
    header[at.H_REST_MODEL] = packer.floats(model.ravel())
    header[at.H_ROWS], header[at.H_ROW_COUNT] = _rows(packer, program), len(program.rows)
    variables = [(place.register, int(v.role is Role.TRIGGER)) for v, place in plan.variables]
    header[at.H_VARIABLES] = packer.ints([number for pair in variables for number in pair])
    header[at.H_VARIABLE_COUNT] = len(variables)
    header[at.S_MEMORY], header[at.S_FLOATS], header[at.S_PENDING] = starts[0], starts[1], starts[2]
    header[at.S_LAST_CURVES], header[at.S_WEIGHTS] = starts[3], starts[4]
    header[at.S_RELEVANT], header[at.S_INTS] = 1, 1 + layout.ops
    header[at.S_FLOAT_COUNT], header[at.S_INT_COUNT] = layout.floats, layout.ints
    _rooms(plan, packer, header)
    header[at.H_MAPS] = _maps(packer, plan.rig.skeleton, plan.maps)
    return header


def _rows(packer: Packer, program: Program) -> int:
    return packer.ints([int(number) for number in program.rows.ravel()])


def _rooms(plan: Plan, packer: Packer, header: list[int]) -> None:
    """Room in wi and wf for what a step works with."""
    ops, most = plan.layout.ops, max(max(len(op.inputs), op.PARTS) for op in plan.ops) + 1
    for name in (at.W_RELEVANT, at.W_LEAVING, at.W_FLAGS, at.W_SLOT, at.W_VISITS, at.W_ACTIVE, at.W_READY):
        header[name] = packer.take(ops)[0]
    header[at.W_TAKEN] = packer.take(plan.layout.variables)[0]
    header[at.W_LIST], header[at.W_BACKUP] = packer.take(most)[0], packer.take(plan.layout.ints)[0]
    header[at.H_CARRIED] = sum(op.CARRIED for op in plan.ops)
    header[at.X_WEIGHTS] = packer.take(0, ops + header[at.H_CARRIED])[1]
    for name in (at.X_SPANS, at.X_STOPS):
        header[name] = packer.take(0, ops)[1]
    header[at.X_SHARES], header[at.X_PARTS] = packer.take(0, ops + most)[1], packer.take(0, most)[1]
    header[at.X_SCRATCH] = packer.take(0, 16 * plan.layout.bones)[1]
    header[at.X_GIVEN] = packer.take(0, plan.layout.pose + at.MOTION)[1]
    header[at.X_OUT] = packer.take(0, plan.layout.pose + at.MOTION + ops)[1]
    header[at.X_BACKUP] = packer.take(0, plan.layout.floats)[1]


def _maps(packer: Packer, skeleton: Skeleton, maps: Sequence[ScalarTrack]) -> int:
    """Place of the row of a clip without bones whose curves are the graph's maps."""
    if not maps:
        return packer.ints([0] * at.CLIP_WIDTH)
    named = {str(number): track for number, track in enumerate(maps)}
    one = Transform(*(part[:1] for part in skeleton.rest))
    alone = Skeleton(skeleton.names[:1], np.array([-1], dtype=np.int32), one)
    clip = Clip(
        AssetId("maps"), "maps", AssetId(""), 0.0, FrameRate(Fraction(1)), looping=False, curves=named
    )
    packed = pack_clip(bind(alone, clip, {}, None), None)
    pairs = [number for pair in lanes_of_extras(packed) for number in pair]
    return packer.ints([*packer.buffers(packed), 0, packer.ints(pairs), len(maps), -1, -1, -1, 0])


def _op_row(
    plan: Plan, packer: Packer, op: GraphOp, below: Sequence[Sequence[int]], own: Packed
) -> list[int]:
    first = min([op.number, *(below[number][at.O_FIRST] for number in op.inputs)])
    poses = plan.layout.starts[5] + op.place.poses * plan.layout.pose
    return [
        packer.float_place(op.number), packer.int_place(op.number), poses, packer.ints(op.inputs), len(op.inputs),
        first, packer.ints(own.whole), packer.floats(own.numbers), int(isinstance(op, MachineOp)), *(0,) * 7,
        own.group if op.POSE is not None else -1,
    ]  # fmt: skip


def _fill(plan: Plan, packer: Packer, read: Read) -> tuple[int, int, int, int] | None:
    """The row of a read; None where Python answers it."""
    if read.function == "curve":
        index = plan.table.index.get(read.name, -1)
        return (read.register, at.READ_CURVE if index >= 0 else at.READ_NONE, index, 0)
    if read.function == "time_in_state":
        assert read.machine is not None
        return (read.register, at.READ_FLOAT, plan.layout.starts[1] + read.machine().time_place(), 0)
    op = next((op for op in plan.ops if op.name == read.name), None)
    if op is None:
        return None
    place = packer.int_place(op.number)
    if read.function == "state" and isinstance(op, MachineOp):
        names = [plan.names.index(name) for name in ("", *(state.name for state in op.states))]
        return (read.register, at.READ_STATE, place, packer.ints(names))
    if read.function == "exited" and isinstance(op, MachineOp):
        return (read.register, at.READ_INT, 1 + plan.layout.ops + op.exit_place(), 0)
    if read.function == "weight":
        return (read.register, at.READ_WEIGHT, op.number, 0)
    if read.function == "remaining" and op.logic is not None:
        return (read.register, at.READ_REMAINING, op.number, 0)
    if read.function == "time":
        return (read.register, at.READ_FLOAT, packer.float_place(op.number), 0)
    return None
