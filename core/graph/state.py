"""All that lasts from step to step of an instance, in two arrays, and where each part lies in them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.arrays import FloatArray
from core.graph.packer import WholeArray


@dataclass(frozen=True, slots=True)
class StateLayout:
    """How many of everything there is.

    Parameters
    ----------
    registers, memory : of the expressions
    floats, ints : of the ops
    variables, curves, ops, bones : of the plan
    poses : pose buffers that the ops keep
    """

    registers: int
    memory: int
    floats: int
    ints: int
    variables: int
    curves: int
    ops: int
    bones: int
    poses: int

    @property
    def pose(self) -> int:
        """Numbers of a kept pose: translations, rotations, scales, curves, which are present."""
        return 10 * self.bones + 2 * self.curves

    @property
    def starts(self) -> tuple[int, ...]:
        """Where in the floats each begins: memory, ops', pending, last curves, weights, poses; then the end."""
        return _starts(self)


@lru_cache(maxsize=256)
def _starts(layout: StateLayout) -> tuple[int, ...]:
    """`StateLayout.starts`, which are asked for many times in a step."""
    sizes = (
        layout.registers, layout.memory, layout.floats, layout.variables, layout.curves, layout.ops,
        layout.poses * layout.pose,
    )  # fmt: skip
    return tuple(int(end) for end in np.cumsum(sizes))


STEPS = 0
"""Place of the number of steps in the whole numbers; which ops were relevant comes next, then the ops' own."""


@dataclass(slots=True, eq=False)
class State:
    """Everything that lasts from step to step; `copy` is a snapshot.

    Parameters
    ----------
    numbers : float64: registers of the expressions (the variables among them) and their memory, floats of the ops,
        seconds that each trigger still lasts (negative where it is not set), curves of the last result, weights of
        the ops in the last step, kept poses
    whole : int64: number of steps, which ops were relevant in the last step, ints of the ops
    """

    layout: StateLayout
    numbers: FloatArray
    whole: WholeArray
    _addresses: tuple[int, int, int, int] | None = None

    @classmethod
    def empty(cls, layout: StateLayout) -> "State":
        """All 0."""
        whole = np.zeros(1 + layout.ops + layout.ints, dtype=np.int64)
        return cls(layout, np.zeros(layout.starts[-1]), whole)

    def copy(self) -> "State":
        """A snapshot that shares nothing."""
        return State(self.layout, self.numbers.copy(), self.whole.copy())

    def put(self, other: "State") -> None:
        """Take over the numbers of a state of the same layout."""
        self.numbers[:], self.whole[:] = other.numbers, other.whole

    def same_bits(self, other: "State") -> bool:
        """Whether two states are equal to the last bit."""
        return (
            self.numbers.tobytes() == other.numbers.tobytes()
            and self.whole.tobytes() == other.whole.tobytes()
        )

    @property
    def addresses(self) -> tuple[int, int, int, int]:
        """Address and size of the whole numbers, then of the floats."""
        if self._addresses is None:
            self._addresses = (
                self.whole.ctypes.data,
                len(self.whole),
                self.numbers.ctypes.data,
                len(self.numbers),
            )
        return self._addresses

    # ---------------------------------------------------------------- views
    def _part(self, number: int) -> FloatArray:
        starts = self.layout.starts
        return self.numbers[starts[number - 1] if number else 0 : starts[number]]

    @property
    def registers(self) -> FloatArray:
        """``(R,)`` values of the expressions."""
        return self._part(0)

    @property
    def memory(self) -> FloatArray:
        """``(S,)`` what expressions keep; the interpreter may look three numbers past the last."""
        return self.numbers[self.layout.starts[0] :]

    @property
    def floats(self) -> FloatArray:
        """``(F,)`` of the ops."""
        return self._part(2)

    @property
    def pending(self) -> FloatArray:
        """``(V,)`` seconds that each trigger still lasts."""
        return self._part(3)

    @property
    def last_curves(self) -> FloatArray:
        """``(C,)`` of the last result."""
        return self._part(4)

    @property
    def weights(self) -> FloatArray:
        """``(N,)`` of the ops in the last step."""
        return self._part(5)

    @property
    def poses(self) -> FloatArray:
        """``(P, 10B + 2C)`` poses that ops keep, with their curves."""
        return self._part(6).reshape(self.layout.poses, self.layout.pose)

    @property
    def relevant(self) -> WholeArray:
        """``(N,)`` whether an op counted in the last step."""
        return self.whole[1 : 1 + self.layout.ops]

    @property
    def ints(self) -> WholeArray:
        """``(I,)`` of the ops."""
        return self.whole[1 + self.layout.ops :]

    @property
    def steps(self) -> int:
        """How many there were."""
        return int(self.whole[STEPS])
