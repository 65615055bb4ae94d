"""A ragdoll's state as plain numbers of a known count, for what keeps states in arrays, such as animation graphs.

The count follows from the plan alone: the engine need not be there to make room.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.errors import UnsupportedError
from core.math.transform import Transform
from core.physics.model import order_of
from core.physics.mounts import Coast, Mounts
from core.physics.ragdoll import RagdollState, Slack
from core.physics.start import Frames, Start
from core.rig.body_plan import BodyPlan, parents_of
from core.rig.rig import Rig

WholeArray = npt.NDArray[np.int64]
BITS = 32
"""Pairs of bodies that one whole number tells of."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Sizes of a plan's states.

    Parameters
    ----------
    bodies, axes, loose, between : bodies, axes of their joints, bones that ride on no body above them, bones between
        two bodies
    size : of the character against a person's
    """

    bodies: int
    axes: int
    loose: int
    between: int
    size: float

    @classmethod
    def of(cls, rig: Rig, plan: BodyPlan) -> "Packing":
        """Of a rig's plan; raises as `core.rig.body_plan.check`."""
        order = order_of(parents_of(plan, rig.skeleton))
        ordered = BodyPlan(tuple(plan.bodies[k] for k in order), plan.ignored)
        frames = Frames.of(ordered, rig.skeleton)
        between = len(frames.links.between)
        return cls(len(plan), int(frames.count.sum()), len(frames.loose), between, frames.size)

    @property
    def engine(self) -> int:
        """Numbers of the engine's state: time, position, velocity, warm start, forces on axes and on bodies."""
        speeds = 6 + self.axes
        return 1 + (7 + self.axes) + 3 * speeds + 6 * (self.bodies + 1)

    @property
    def floats(self) -> int:
        """Floats of a state without the local transforms of its start."""
        return sum(math.prod(shape) for shape in self._shapes)

    @property
    def ints(self) -> int:
        """Whole numbers of a state."""
        return 4 + 2 * self._words

    @property
    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of all floats: the start's mounts, scales, coasting, widening, margins, loose bones, speed; the state's."""
        n, axes, loose, links = self.bodies, self.axes, self.loose, self.between
        carried = links + n - 1
        mounts = ((n, 3), (n, 4), (links, 3), (links, 4), (links, 3))
        return (
            *mounts, (carried, 3), (carried, 3), (carried, 3), (n, 3), (axes,), (axes,), (n,), (loose, 3),
            (loose, 4), (loose, 3), (1,), *mounts, (axes,), (axes,), (self.engine,), (2,),
        )  # fmt: skip

    @property
    def _words(self) -> int:
        return -(-(self.bodies * (self.bodies - 1) // 2) // BITS)

    def pack(self, state: RagdollState) -> tuple[FloatArray, WholeArray]:
        """Floats and whole numbers of a state; the local transforms of its start are kept elsewhere.

        Raises
        ------
        UnsupportedError
            The engine's state has another size than that of the versions that are known.
        """
        if len(state.numbers) != self.engine:
            raise UnsupportedError(
                f"ragdoll: expected {self.engine} numbers of the engine's state, got {len(state.numbers)}; "
                "this version of mujoco-core is not known here"
            )
        start, coast = state.start, state.start.coast
        parts = (
            *_parts(start.mounts), start.scales, coast.shift, coast.turn, coast.mount, start.low, start.high,
            start.margins, *start.loose, [start.speed], *_parts(state.mounts), state.slack.low, state.slack.high,
            state.numbers, [state.still, state.kinetic],
        )  # fmt: skip
        floats = np.concatenate([np.asarray(part).reshape(-1) for part in parts])
        words = [*self._bits(start.ignored), *self._bits(state.ignored)]
        told = [state.steps, int(state.ended), state.slack.since, int(state.coasts), *words]
        return floats, np.array(told, dtype=np.int64)

    def unpack(self, floats: FloatArray, ints: WholeArray, local: Transform) -> RagdollState:
        """The state that was packed.

        Parameters
        ----------
        local : local transforms ``(B, k)`` of the start
        """
        shapes, axes = self._shapes, self.axes
        pieces = np.split(floats.copy(), np.cumsum([math.prod(shape) for shape in shapes])[:-1])
        parts = [piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)]
        scales, shift, turn, mount, low, high, margins, *loose, speed = parts[5:16]
        wider, higher, numbers, last = parts[21:]
        words = self._words
        begun = self._pairs(ints[4 : 4 + words])
        ignored = self._pairs(ints[4 + words : 4 + 2 * words])
        start = Start(
            _mounts(parts[:5]), scales, Coast.of(shift, turn, mount, scales, self.size), low, high, local,
            Transform(*loose), begun, margins, float(speed[0]),
        )  # fmt: skip
        position = numbers[1 : 8 + axes].copy()
        velocity = numbers[8 + axes : 14 + 2 * axes].copy()
        for array in (numbers, position, velocity, ignored):
            array.setflags(write=False)
        return RagdollState(
            start, numbers, ignored, int(ints[0]), float(last[0]), float(last[1]), bool(ints[1]),
            _mounts(parts[16:21]), Slack(wider, higher, int(ints[2])), bool(ints[3]), position, velocity,
        )  # fmt: skip

    def _bits(self, pairs: IntArray) -> list[int]:
        """Pairs ``(k, 2)`` of bodies as bits of whole numbers."""
        words = [0] * self._words
        for low, high in np.sort(np.reshape(pairs, (-1, 2)), axis=1).tolist():
            bit = high * (high - 1) // 2 + low
            words[bit // BITS] |= 1 << (bit % BITS)
        return words

    def _pairs(self, words: WholeArray) -> IntArray:
        found = []
        for number, word in enumerate(words.tolist()):
            for k in range(BITS):
                if word >> k & 1:
                    bit = number * BITS + k
                    high = int((1.0 + np.sqrt(1.0 + 8.0 * bit)) / 2.0)
                    found.append((bit - high * (high - 1) // 2, high))
        return np.array(sorted(found), dtype=np.int32).reshape(-1, 2)


def _parts(mounts: Mounts) -> tuple[FloatArray, ...]:
    return (mounts.places, mounts.turns, *mounts.between)


def _mounts(parts: list[FloatArray]) -> Mounts:
    return Mounts(parts[0], parts[1], Transform(*parts[2:]))
