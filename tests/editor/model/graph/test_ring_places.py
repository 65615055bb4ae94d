"""Where on the ring states stand, to the number; from how many states on, and how long an arrow counts."""

import numpy as np
import pytest

from editor.model.graph import ring
from editor.model.graph.ring import is_dense, on_ring


@pytest.mark.parametrize("states, pairs, dense", [
    (8, 20, True), (8, 19, False), (7, 42, False), (9, 22, False), (9, 23, True), (10, 25, True), (10, 24, False),
])  # fmt: skip
def test_a_ring_is_for_eight_states_with_two_and_a_half_arrows_each(states, pairs, dense):
    assert is_dense(states, pairs) is dense


SLOTS = {
    2: [(0, 0), (1, 0)],
    3: [(0, 0), (1, 0), (1, 1)],
    4: [(0, 0), (1, 0), (1, 1), (0, 1)],
    6: [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2), (0, 1)],
    9: [(0, 0), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (0, 4), (0, 3), (0, 2)],
    36: [(0, 0), (1, 0), (2, 0), *((2, row) for row in range(1, 17)), (1, 16), (0, 16),
         *((0, row) for row in range(15, 0, -1))],
}  # fmt: skip


@pytest.mark.parametrize("count", list(SLOTS))
def test_slots_go_round_clockwise_from_the_upper_left(count):
    assert ring._slots(count) == SLOTS[count]


@pytest.mark.parametrize("count, columns", [(24, 2), (25, 2), (26, 3), (48, 3), (49, 4), (60, 4)])
def test_the_ring_gets_wider_with_the_root_of_the_count(count, columns):
    slots = ring._slots(count)
    assert len(slots) == len(set(slots)) == count
    assert max(column for column, _ in slots) == columns - 1
    rows = max(row for _, row in slots) + 1
    assert rows == -(-(count - 2 * (columns - 2)) // 2)


def test_columns_are_176_apart_and_rows_32_on_the_grid():
    assert ring._corner((0, 0), 160.0, 48.0) == (0.0, 0.0)
    assert ring._corner((1, 1), 160.0, 48.0) == (336.0, 80.0)
    assert ring._corner((2, 3), 160.0, 48.0) == (672.0, 240.0)
    assert ring._corner((1, 1), 150.0, 41.0) == (320.0, 80.0)  # 326 and 73 on the grid
    # 343.9 and 87.9, 328.1 and 72.1: a unit more or less would be on the next line of the grid
    assert ring._corner((1, 1), 167.9, 55.9) == ring._corner((1, 1), 152.1, 40.1) == (336.0, 80.0)


def test_an_arrow_past_a_state_of_its_row_or_column_counts_half_more():
    slots = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 1)]
    lengths = ring._lengths(slots, 144.0, 48.0)  # 320 and 80 from slot to slot
    assert lengths[0].tolist() == pytest.approx(
        [0.0, 320.0, 960.0, np.hypot(640, 80), np.hypot(640, 160), 80.0]
    )
    assert lengths[2].tolist() == pytest.approx([960.0, 320.0, 0.0, 80.0, 240.0, np.hypot(640, 80)])
    assert lengths == pytest.approx(lengths.T)


def stretched(count: int, pairs, order) -> float:
    lengths = ring._lengths(ring._slots(count), 144.0, 48.0)
    slot = {state: k for k, state in enumerate(order)}
    return sum(lengths[slot[a], slot[b]] for a, b in pairs)


def test_states_are_exchanged_until_no_exchange_makes_the_arrows_shorter():
    pairs = [(k, (5 * k) % 12) for k in range(1, 12)] + [(0, 6), (6, 0), (3, 3), (1, 11)]
    order = ring._exchanged(12, pairs, ring._lengths(ring._slots(12), 144.0, 48.0))
    assert sorted(order) == list(range(12)) and order[0] == 0
    best = stretched(12, pairs, order)
    assert best < stretched(12, pairs, range(12))
    for a in range(1, 12):
        for b in range(a + 1, 12):
            other = list(order)
            other[a], other[b] = other[b], other[a]
            assert stretched(12, pairs, other) >= best - 1e-6


def test_a_small_gain_is_one_too_and_the_first_state_stays():
    lengths = np.array([[0.0, 0.1, 0.5], [0.1, 0.0, 0.3], [0.5, 0.3, 0.0]])
    assert ring._exchanged(3, [(0, 2)], lengths) == [0, 2, 1]
    assert ring._exchanged(3, [(2, 0), (0, 1), (0, 1)], lengths) == [0, 1, 2]
    assert ring._exchanged(3, [(1, 2)], lengths) == [0, 1, 2]  # 0 and 1 are nearer, but 0 keeps its slot


def test_an_arrow_from_a_state_to_itself_counts_nothing():
    pairs = [(k, k + 1) for k in range(7)]
    alone = ring._exchanged(8, pairs, ring._lengths(ring._slots(8), 144.0, 48.0))
    loops = [*pairs, *((k, k) for k in range(8))]
    assert ring._exchanged(8, loops, ring._lengths(ring._slots(8), 144.0, 48.0)) == alone


@pytest.mark.parametrize("count, exchanged", [(48, True), (49, False)])
def test_very_many_states_stand_in_their_order(count, exchanged):
    pairs = tuple((k, count - k) for k in range(1, count))
    places = on_ring(count, pairs, 144.0, 48.0)
    inorder = tuple(ring._corner(slot, 144.0, 48.0) for slot in ring._slots(count))
    assert sorted(places) == sorted(inorder) and places[0] == (0.0, 0.0)
    assert (places != inorder) is exchanged


def test_each_state_is_put_into_the_slot_that_it_was_given(monkeypatch):
    on_ring.cache_clear()
    monkeypatch.setattr(ring, "_exchanged", lambda count, pairs, lengths: [0, 2, 3, 1])
    places = on_ring(4, (), 144.0, 48.0)
    on_ring.cache_clear()
    assert places == ((0.0, 0.0), (0.0, 80.0), (320.0, 0.0), (320.0, 80.0))
