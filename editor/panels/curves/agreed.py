"""Whether many numbers are one: what a field shows of several keys. Free of Qt."""

from typing import Any

import numpy as np
import numpy.typing as npt

from editor.tools.key_edits import Numbers

Column = npt.NDArray[Any]


class Agreed:
    """Whether many numbers are one.

    Attributes
    ----------
    differ : they are not; there is no need to look further
    """

    def __init__(self) -> None:
        self._low, self._high = np.inf, -np.inf
        self._last: tuple[Column, Numbers, float] | None = None
        self.differ = False

    @property
    def value(self) -> float | None:
        """The number; None where there are several, or none."""
        return None if self.differ or self._low > self._high else self._low

    def take(self, column: Column, keys: Numbers, unit: float = 1.0) -> None:
        """Look at a column's values at keys, times a unit."""
        last = self._last
        if last is not None and column is last[0] and keys is last[1] and unit == last[2]:
            return
        self._last = column, keys, unit
        if not any(column.strides):
            low = high = float(column[0]) * unit
        else:
            chosen = column[keys]
            low, high = float(chosen.min()) * unit, float(chosen.max()) * unit
        self._low, self._high = min(self._low, low), max(self._high, high)
        self.differ = self._high - self._low > 1e-9 * max(1.0, abs(self._low))
