"""Names of the curves and morphs of a plan, in one order."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.arrays import BoolArray, FloatArray


class CurveTable:
    """Names of every curve and morph that a plan's clips have, in one order."""

    def __init__(self, curves: Sequence[str], morphs: Sequence[str]) -> None:
        self.curves, self.morphs = tuple(curves), tuple(morphs)
        self.index = {name: k for k, name in enumerate(self.curves)}
        self.morph_index = {name: len(self.curves) + k for k, name in enumerate(self.morphs)}

    def __len__(self) -> int:
        return len(self.curves) + len(self.morphs)

    def filled(
        self, curves: Mapping[str, FloatArray], morphs: Mapping[str, FloatArray]
    ) -> tuple[FloatArray, BoolArray]:
        """Values ``(C,)`` and which are present, of one pose's curves and morphs."""
        values, present = np.zeros(len(self)), np.zeros(len(self), dtype=bool)
        for table, index in ((curves, self.index), (morphs, self.morph_index)):
            for name, value in table.items():
                values[index[name]] = float(np.asarray(value).reshape(-1)[0])
                present[index[name]] = True
        return values, present
