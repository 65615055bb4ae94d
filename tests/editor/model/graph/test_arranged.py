"""Places that nodes get by their wires: exact for many sheets, and never one over another."""

import random
from itertools import combinations

import pytest

from core.graph.graph import Link, Node, Sheet, SheetKind, Transition
from editor.model.graph.arrange import arranged
from tests.editor.panels.graph.graphs import id_of
from tests.pins import Pins

PINS = Pins(__file__)


def flow(seed: int) -> tuple[Sheet, dict[str, tuple[float, float]]]:
    """A sheet of a few nodes: a tree to the Output, what hangs beside it, a circle in every third."""
    dice = random.Random(seed)
    count = dice.randint(2, 12)
    ids = [id_of(k) for k in range(1, count + 1)]
    links = [
        Link(ids[k], ids[dice.randrange(k)], f"p{dice.randrange(4)}")
        for k in range(1, count)
        if dice.random() < 0.85
    ]
    links += [Link(ids[k], ids[j], "q") for k in range(count) for j in range(k) if dice.random() < 0.08]
    if seed % 3 == 0:
        links.append(Link(ids[0], ids[-1], "back"))
    sizes = {id: (dice.choice((96.0, 128.0, 176.0)), dice.choice((48.0, 80.0, 144.0))) for id in ids}
    dice.shuffle(links)
    return Sheet(
        id_of(99), "pose", SheetKind.POSE, tuple(Node(id, "blend") for id in ids), tuple(links)
    ), sizes


def machine(seed: int) -> tuple[Sheet, dict[str, tuple[float, float]]]:
    """States with transitions; an entry in some, an any state in some, many arrows in every fourth."""
    dice = random.Random(seed)
    count = dice.randint(1, 9)
    kinds = ["state"] * count
    if seed % 2:
        kinds[-1] = "entry"
    if seed % 5 == 0:
        kinds[0] = "any"
    ids = [id_of(k) for k in range(1, count + 1)]
    share = 0.8 if seed % 4 == 0 else 0.25
    pairs = [(a, b) for a in ids for b in ids if dice.random() < share]
    arrows = tuple(Transition(id_of(200 + k), a, b) for k, (a, b) in enumerate(pairs))
    sizes = {id: (dice.choice((96.0, 160.0)), dice.choice((48.0, 64.0))) for id in ids}
    nodes = tuple(Node(id, kind) for id, kind in zip(ids, kinds, strict=True))
    return Sheet(id_of(99), "moves", SheetKind.MACHINE, nodes, (), arrows), sizes


def over(places, sizes, a: str, b: str) -> bool:
    """Whether one lies over another."""
    return all(
        places[a][k] < places[b][k] + sizes[b][k] and places[b][k] < places[a][k] + sizes[a][k]
        for k in (0, 1)
    )


@pytest.mark.parametrize("make", [flow, machine])
def test_places(make) -> None:
    for seed in range(40):
        sheet, sizes = make(seed)
        places = arranged(sheet, sizes)
        assert list(places) and set(places) == {n.id for n in sheet.nodes}
        assert not [pair for pair in combinations(places, 2) if over(places, sizes, *pair)], seed
        some = [n.id for n in sheet.nodes][::2]
        only = arranged(sheet, sizes, some)
        assert set(only) == set(some)
        PINS.hold(f"{make.__name__} {seed}", dict(places), dict(only))
    assert arranged(sheet, sizes, []) == {}


def test_inputs_stand_left_of_what_they_feed_in_the_order_of_its_pins() -> None:
    a, b, c, d, out = (id_of(k) for k in range(1, 6))
    nodes = tuple(Node(id, "blend") for id in (out, d, c, b, a))
    links = (Link(a, d, "a"), Link(b, d, "b"), Link(c, out, "b"), Link(d, out, "a"))
    places = arranged(
        Sheet(id_of(9), "pose", SheetKind.POSE, nodes, links), dict.fromkeys((a, b, c, d, out), (96.0, 64.0))
    )
    x, y = ({id: place[k] for id, place in places.items()} for k in (0, 1))
    assert x[out] > x[d] == x[c] > x[a] == x[b] and y[a] < y[b] and y[d] < y[c]
    assert y[d] == y[a] == y[out] == 0.0  # each begins beside the first of its inputs
