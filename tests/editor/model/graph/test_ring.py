"""Machines whose states are joined by many arrows are arranged on a ring."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.graph.graph import Node, NodeId, Sheet, SheetKind, Transition
from editor.model.graph import ring
from editor.model.graph.arrange import arranged
from editor.model.graph.ring import on_ring

SIZE = (144.0, 48.0)


def machine(count: int, pairs) -> Sheet:
    states = tuple(Node(NodeId(f"n-{k:08x}"), "state", name=f"state {k}") for k in range(count))
    ways = tuple(
        Transition(NodeId(f"n-{100 + k:08x}"), states[a].id, states[b].id) for k, (a, b) in enumerate(pairs)
    )
    return Sheet(NodeId("n-ffffffff"), "moves", SheetKind.MACHINE, states, (), ways)


def every(count: int):
    return list(itertools.permutations(range(count), 2))


def length(places, pairs) -> float:
    return sum(abs(complex(*places[a]) - complex(*places[b])) for a, b in pairs)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 60), st.randoms(use_true_random=False))
def test_no_two_states_overlap_and_all_stand_on_the_edge(count, random):
    pairs = tuple((random.randrange(count), random.randrange(count)) for _ in range(3 * count))
    places = on_ring(count, pairs, *SIZE)
    assert len(set(places)) == count
    for (ax, ay), (bx, by) in itertools.combinations(places, 2):
        assert abs(ax - bx) >= SIZE[0] or abs(ay - by) >= SIZE[1]
    columns, rows = ({p[axis] for p in places} for axis in (0, 1))
    for x, y in places:
        assert x in (min(columns), max(columns)) or y in (min(rows), max(rows))


def test_states_that_lead_to_each_other_stand_together():
    # two halves, joined by nothing: exchanging them must not leave one spread over the ring
    half = [(a, b) for a, b in every(12) if a % 2 == b % 2]
    places = on_ring(12, tuple(half), *SIZE)
    naive = [ring._corner(slot, *SIZE) for slot in ring._slots(12)]
    assert length(places, half) < 0.8 * length(naive, half)
    assert places[0] == naive[0]


def test_the_same_machine_is_arranged_alike_every_time():
    pairs = tuple(every(10))
    first = on_ring(10, pairs, *SIZE)
    on_ring.cache_clear()
    assert on_ring(10, pairs, *SIZE) == first


@pytest.mark.parametrize(("count", "pairs", "dense"), [(5, every(5), False), (12, every(12), True)])
def test_only_machines_with_many_arrows_stand_on_a_ring(count, pairs, dense):
    sheet = machine(count, pairs)
    places = arranged(sheet, {node.id: SIZE for node in sheet.nodes})
    columns = {x for x, _ in places.values()}
    assert len(places) == count
    # in columns all that one state leads to stand below each other, beside it
    assert (len(columns) == 2 and len({y for _, y in places.values()}) == 6) is dense
