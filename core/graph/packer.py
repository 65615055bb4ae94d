"""Collects the tables of a plan for the compiled kernel: whole numbers, floats, clips (see `kernel_graph_layout`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.blending.easing import EaseShape, EaseWay, Easing
from core.clips.binding import bind
from core.clips.evaluator import ClipEvaluator
from core.clips.packed import Packed as PackedClip
from core.clips.packed import can_pack, pack
from core.clips.root_motion import frame_of
from core.math import kernel_graph_layout as at
from core.math import kernel_layout
from core.math.transform import Transform
from core.pose.proportions import RestPair
from core.rig.skeleton import Skeleton

WholeArray = npt.NDArray[np.int64]
SPACES = 1 << 40
"""Number from which on groups are of blend spaces, not of clips."""


@dataclass(frozen=True, slots=True)
class Packed:
    """An op's own numbers: whole ones (`O_DATA`) and floats (`O_NUMBERS`).

    Parameters
    ----------
    group : the same number for ops that read the same tracks, where nothing but the state says what its pose is
    """

    whole: Sequence[int] = ()
    numbers: Sequence[float] = ()
    group: int = -1


class Buffers(Protocol):
    """What stands in wi and wf from the beginning."""

    @property
    def integers(self) -> WholeArray:
        """In wi."""
        ...

    @property
    def floats(self) -> FloatArray:
        """In wf."""
        ...


class Kept(NamedTuple):
    """Numbers that stay as they are."""

    integers: WholeArray
    floats: FloatArray


NO_INTS: WholeArray = np.zeros(0, dtype=np.int64)


def samples(evaluator: ClipEvaluator) -> bool:
    """Whether the kernel knows all that a clip's tracks use."""
    return can_pack(evaluator.binding.tracks, evaluator.loop)


@dataclass(slots=True)
class Packer:
    """The tables so far; one use.

    Parameters
    ----------
    float_place, int_place : an op's number → where its floats and ints lie in the state
    names : number of the op of each name
    curves, morphs : number of each
    work, room : where the next free place of wi and wf is
    """

    float_place: Callable[[int], int]
    int_place: Callable[[int], int]
    names: dict[str, int]
    curves: dict[str, int]
    morphs: dict[str, int]
    work: int = at.D_HEADER
    room: int = at.Y_HEADER
    whole: list[int] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    clips: list[list[int]] = field(default_factory=list)
    begins: list[tuple[int, int, Buffers]] = field(default_factory=list)
    _known: dict[int, int] = field(default_factory=dict)
    _markers: dict[str, int] = field(default_factory=dict)
    _spaces: dict[int, int] = field(default_factory=dict)

    # ---------------------------------------------------------------- tables
    def ints(self, values: Sequence[int]) -> int:
        """Place in p of some whole numbers."""
        self.whole.extend(int(value) for value in values)
        return at.HEADER + len(self.whole) - len(values)

    def floats(self, values: Sequence[float] | FloatArray) -> int:
        """Place in q of some floats."""
        self.numbers.extend(float(value) for value in values)
        return len(self.numbers) - len(values)

    def take(self, whole: int = 0, numbers: int = 0) -> tuple[int, int]:
        """Room in wi and wf."""
        self.work, self.room = self.work + whole, self.room + numbers
        return self.work - whole, self.room - numbers

    def constants(self, values: FloatArray) -> int:
        """Place in wf of some floats that stay there: results that are made once."""
        room = self.take(0, len(values))[1]
        self.begins.append((0, room, Kept(NO_INTS, values)))
        return room

    def named(self, name: str) -> int:
        """Number of the op of a name; −1 of none."""
        return self.names.get(name, -1) if name else -1

    def easing(self, easing: Easing) -> int:
        """Place in p of an easing, laid out as that of a transition."""
        row = [0] * at.TRANSITION_WIDTH
        row[at.TR_SHAPE], row[at.TR_WAY] = (
            list(EaseShape).index(easing.shape),
            list(EaseWay).index(easing.way),
        )
        row[at.TR_POWER] = easing.power
        return self.ints(row)

    def space(self, player: object) -> int:
        """Number of the group of ops that play a space; those of clips are lower."""
        return SPACES + self._spaces.setdefault(id(player), len(self._spaces))

    def marker(self, name: str) -> int:
        """Number of a sync marker's name."""
        return self._markers.setdefault(name, len(self._markers))

    # ---------------------------------------------------------------- clips
    def clip(self, evaluator: ClipEvaluator) -> int:
        """Number of a clip."""
        if id(evaluator) not in self._known:
            self._known[id(evaluator)] = len(self.clips)
            self.clips.append(self._row(evaluator))
        return self._known[id(evaluator)]

    def _row(self, evaluator: ClipEvaluator) -> list[int]:
        packed = pack(evaluator.binding, evaluator.loop)
        lanes = packed.extra_lanes()
        pairs: list[int] = []
        for extra, lane in zip(evaluator.binding.extras, lanes, strict=True):
            pairs += [(self.morphs if extra.is_morph else self.curves)[extra.name], int(lane)]
        codes, table = self._modes(evaluator)
        return [
            *self.buffers(packed),
            int(evaluator.loop is not None),
            self.ints(pairs),
            len(lanes),
            self._root(evaluator),
            codes,
            table,
            self.floats([evaluator.clip.length]),
        ]

    def buffers(self, packed: PackedClip) -> tuple[int, int, int, int]:
        """Room for a clip's buffers: place and size in wi and in wf."""
        sizes = len(packed.integers), len(packed.floats)
        work, room = self.take(*sizes)
        self.begins.append((work, room, packed))
        return work, sizes[0], room, sizes[1]

    def _modes(self, evaluator: ClipEvaluator, bones: Sequence[int] | None = None) -> tuple[int, int]:
        """Tables of the bones' retargeting modes; −1 where the clip plays as it is."""
        if evaluator.proportions is None:
            return -1, -1
        pair: RestPair = evaluator.proportions.pair
        codes, table = pair.packed()
        if bones is not None:
            codes, table = codes[list(bones)], table[list(bones)]
        return self.ints([int(c) for c in codes]), self.floats(table.ravel())

    def _root(self, evaluator: ClipEvaluator) -> int:
        """Row of a clip's root motion; −1 where it has none."""
        frame = frame_of(evaluator)
        if frame is None:
            return -1
        chain, settings = frame.chain, evaluator.clip.root_motion
        packed = _chain_clip(evaluator, chain)
        kept = [settings.ground, settings.height, settings.ground]
        numbers = self.floats(
            [*map(float, kept), *frame.rest.rotation]
            + [x for part in (frame.first_inverse, frame.turn, frame.anchor) for x in _rigid(part)]
        )
        buffers = self.buffers(packed)
        codes, table = self._modes(evaluator, chain)
        bones = self.ints(chain)
        return self.ints([bones, len(chain), *buffers, int(settings.yaw), numbers, codes, table])


def _rigid(part: Transform) -> list[float]:
    return [*map(float, part.translation), *map(float, part.rotation)]


def _chain_clip(evaluator: ClipEvaluator, chain: Sequence[int]) -> PackedClip:
    """The tracks of the bones from the root down to the root bone, laid out by themselves."""
    whole = evaluator.binding.skeleton
    rows = list(chain)
    rest = Transform(*(part[rows] for part in whole.rest))
    names = tuple(whole.names[bone] for bone in chain)
    parents = np.arange(-1, len(chain) - 1, dtype=np.int32)
    skeleton = Skeleton(names, parents, rest, whole.euler_orders[rows])
    clip = replace(evaluator.clip, curves={}, morphs={})
    degrees = evaluator.binding.rest_degrees[rows]
    return pack(bind(skeleton, clip, {}, degrees), evaluator.loop)


def lanes_of_extras(packed: PackedClip) -> list[tuple[int, int]]:
    """Row of each extra's track and the place of its value, for what is asked one track at a time."""
    values = packed.extra_lanes()
    return [
        (int(packed.rows[k]), int(values[k]))
        for k in range(int(packed.integers[kernel_layout.I_EXTRA_COUNT]))
    ]
