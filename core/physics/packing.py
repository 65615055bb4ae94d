"""A ragdoll's state as plain numbers of a known count, for what keeps states in arrays, such as animation graphs.

The count follows from the plan alone: the engine need not be there to make room.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.errors import UnsupportedError
from core.math.transform import Transform
from core.physics.model import order_of
from core.physics.ragdoll import RagdollState
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
    bodies, axes, loose : bodies, axes of their joints, bones that ride on no body above them
    """

    bodies: int
    axes: int
    loose: int

    @classmethod
    def of(cls, rig: Rig, plan: BodyPlan) -> "Packing":
        """Of a rig's plan; raises as `core.rig.body_plan.check`."""
        order = order_of(parents_of(plan, rig.skeleton))
        ordered = BodyPlan(tuple(plan.bodies[k] for k in order), plan.ignored)
        frames = Frames.of(ordered, rig.skeleton)
        return cls(len(plan), int(frames.count.sum()), len(frames.loose))

    @property
    def engine(self) -> int:
        """Numbers of the engine's state: time, position, velocity, warm start, forces on axes and on bodies."""
        speeds = 6 + self.axes
        return 1 + (7 + self.axes) + 3 * speeds + 6 * (self.bodies + 1)

    @property
    def floats(self) -> int:
        """Floats of a state without the local transforms of its start."""
        return self._start + self.engine + 2

    @property
    def ints(self) -> int:
        """Whole numbers of a state."""
        return 2 + 2 * self._words

    @property
    def _start(self) -> int:
        return 8 * self.bodies + 2 * self.axes + 10 * self.loose + 1

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
        start = state.start
        parts = (
            start.places, start.turns, start.low, start.high, start.margins, *start.loose, [start.speed],
            state.numbers, [state.still, state.kinetic],
        )  # fmt: skip
        floats = np.concatenate([np.ravel(part) for part in parts])
        words = [*self._bits(start.ignored), *self._bits(state.ignored)]
        return floats, np.array([state.steps, int(state.ended), *words], dtype=np.int64)

    def unpack(self, floats: FloatArray, ints: WholeArray, local: Transform) -> RagdollState:
        """The state that was packed.

        Parameters
        ----------
        local : local transforms ``(B, k)`` of the start
        """
        n, axes, loose = self.bodies, self.axes, self.loose
        sizes = (3 * n, 4 * n, axes, axes, n, 3 * loose, 4 * loose, 3 * loose, 1, self.engine, 2)
        parts = np.split(floats.copy(), np.cumsum(sizes)[:-1])
        places, turns, low, high, margins, *riding, speed, numbers, last = parts
        ends = Transform(*(p.reshape(loose, k) for p, k in zip(riding, (3, 4, 3), strict=True)))
        words = self._words
        begun = self._pairs(ints[2 : 2 + words])
        ignored = self._pairs(ints[2 + words : 2 + 2 * words])
        start = Start(
            places.reshape(n, 3), turns.reshape(n, 4), low, high, local, ends, begun, margins, float(speed[0])
        )
        position = numbers[1 : 8 + axes].copy()
        velocity = numbers[8 + axes : 14 + 2 * axes].copy()
        for array in (numbers, position, velocity, ignored):
            array.setflags(write=False)
        return RagdollState(
            start, numbers, ignored, int(ints[0]), float(last[0]), float(last[1]), bool(ints[1]), position,
            velocity,
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
