"""Chains as the compiled kernels take them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.ik.chain import Chain
from core.math import kernels
from core.rig.rig import LimitKind

KINDS = {LimitKind.HINGE: 1, LimitKind.CONE_TWIST: 2}


def kernel() -> Any | None:
    """The module of the compiled solvers, or None while the numpy twins have to do."""
    found = kernels.compiled()
    return None if found is None else found.ik


def ready(array: npt.ArrayLike) -> FloatArray:
    """Contiguous float64, writeable; copied only where it is not that already."""
    return np.require(array, dtype=np.float64, requirements=("C", "A", "W"))


def packed_limits(chain: Chain) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Kinds ``(n,)`` and numbers ``(n, 6)`` of a chain's limits: axis, least, largest turn, cone (radians)."""
    kinds = np.zeros(len(chain.bones), dtype=np.int64)
    numbers = np.zeros((len(chain.bones), 6))
    for bone, limit in enumerate(chain.limits):
        if limit is not None:
            kinds[bone] = KINDS[limit.kind]
            numbers[bone, :3] = limit.axis
            numbers[bone, 3:] = np.radians((limit.minimum, limit.maximum, limit.cone))
    return kinds, numbers


class InPlace:
    """A chain's arrays as the kernels want them, written back where they had to be copied."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self.base = ready(chain.base_rotation)
        self.local, self.joints = ready(chain.local), ready(chain.joints)
        self.offsets, self.rest = ready(chain.offsets), ready(chain.rest)

    def put(self) -> None:
        """Let the chain have what was solved."""
        if self.local is not self._chain.local:
            self._chain.local[...] = self.local
        if self.joints is not self._chain.joints:
            self._chain.joints[...] = self.joints
