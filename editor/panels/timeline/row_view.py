"""One row as it is drawn: its keys in pixels. Free of Qt."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from editor.panels.timeline.layout import DENSE
from editor.tools.rows import Row, RowKeys


@dataclass(frozen=True, slots=True)
class RowView:
    """One row as it is drawn: its keys in pixels.

    Parameters
    ----------
    top : upper edge, logical pixels
    keys : the keys within the visible stretch
    xs : ``(N,)`` pixels of the keys, from the left edge of the view
    dense : ``(N,)`` whether a key is drawn as part of a bar
    """

    row: Row
    top: float
    keys: RowKeys
    xs: FloatArray
    dense: npt.NDArray[np.bool_]


def dense(xs: FloatArray) -> npt.NDArray[np.bool_]:
    """Which of rising pixels stand so near to a neighbour that they are drawn as a bar."""
    if len(xs) < 2:
        return np.zeros(len(xs), dtype=bool)
    near = np.diff(xs) < DENSE
    found = np.zeros(len(xs), dtype=bool)
    found[:-1] |= near
    found[1:] |= near
    return found
