"""States with many transitions between them on a ring: no arrow has to cross the box of a third state.

Which state stands where is settled by exchanging two of them as long as the arrows get shorter together.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from editor.model.graph.geometry import Point, snapped

GAP, ROW_GAP = 176.0, 32.0
"""Scene units between columns and between the states of a column."""
LEAST, MOST = 8, 48
"""States from which on a ring is worth it, and up to which places are exchanged."""
DENSE = 2.5
"""Transitions a state from which on columns would be a tangle."""
SIDE = 1.5
"""How much longer an arrow counts that bows round a state between its ends."""
ROUNDS = 12
Numbers = npt.NDArray[np.float64]


def is_dense(states: int, pairs: int) -> bool:
    """Whether a machine of so many states and arrows is one for a ring."""
    return states >= LEAST and pairs >= DENSE * states


@lru_cache(maxsize=8)
def on_ring(count: int, pairs: tuple[tuple[int, int], ...], width: float, height: float) -> tuple[Point, ...]:
    """Corners of states on a ring, the first one at its upper left.

    Parameters
    ----------
    count : of states
    pairs : numbers of the states that an arrow joins
    width, height : of a state
    """
    slots = _slots(count)
    order = _exchanged(count, pairs, _lengths(slots, width, height))
    places: list[Point] = [(0.0, 0.0)] * count
    for slot, state in zip(slots, order, strict=True):
        places[state] = _corner(slot, width, height)
    return tuple(places)


def _slots(count: int) -> list[tuple[int, int]]:
    """Column and row of the places round the ring, clockwise from the upper left corner."""
    columns = max(2, round(math.sqrt(count) * 0.5))
    rows = max(math.ceil((count - 2 * (columns - 2)) / 2), 2)
    top = [(column, 0) for column in range(columns)]
    right = [(columns - 1, row) for row in range(1, rows)]
    bottom = [(column, rows - 1) for column in range(columns - 2, -1, -1)]
    left = [(0, row) for row in range(rows - 2, 0, -1)]
    return [*top, *right, *bottom, *left][:count]


def _corner(slot: tuple[int, int], width: float, height: float) -> Point:
    column, row = slot
    return snapped(column * (width + GAP)), snapped(row * (height + ROW_GAP))


def _lengths(slots: Sequence[tuple[int, int]], width: float, height: float) -> Numbers:
    """How long an arrow from one slot to another counts ``(N, N)``."""
    at = np.array([_corner(slot, width, height) for slot in slots])
    apart = np.linalg.norm(at[:, None] - at[None], axis=-1)
    cells = np.array(slots)
    steps = np.abs(cells[:, None] - cells[None])
    between = ((steps[..., 0] == 0) & (steps[..., 1] > 1)) | ((steps[..., 1] == 0) & (steps[..., 0] > 1))
    return np.asarray(np.where(between, SIDE * apart, apart))


def _exchanged(count: int, pairs: Sequence[tuple[int, int]], lengths: Numbers) -> list[int]:
    """State by slot; the first state keeps the first slot."""
    order = np.arange(count)
    if count > MOST:
        return [int(state) for state in order]
    joined = np.zeros((count, count))
    for a, b in pairs:
        joined[a, b] += 1.0
        joined[b, a] += 1.0
    np.fill_diagonal(joined, 0.0)

    def cost() -> float:
        return float((joined[np.ix_(order, order)] * lengths).sum())

    best = cost()
    for _ in range(ROUNDS):
        before = best
        for a in range(1, count):
            for b in range(a + 1, count):
                order[[a, b]] = order[[b, a]]
                found = cost()
                if found < best - 1e-9:
                    best = found
                else:
                    order[[a, b]] = order[[b, a]]
        if best == before:
            break
    return [int(state) for state in order]
