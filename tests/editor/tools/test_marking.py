"""The marking menu without a window: directions, menus that others lead to, and the way back."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.tools.marking import DEAD, REACH, STEPS, Entry, Marking, MarkingInput, direction, sets_menu

INNER = tuple(Entry(f"in {k}", f"inner.{k}") for k in range(8))
ROOT = (Entry("on", menu=INNER), *(Entry(f"out {k}", f"outer.{k}") for k in range(1, 7)), None)


@given(st.floats(0.0, 2.0 * math.pi), st.floats(DEAD + 1.0, 4000.0))
def test_direction_is_the_nearest_of_eight(angle, far):
    dx, dy = far * math.sin(angle), -far * math.cos(angle)
    found = direction(dx, dy)
    x, y = STEPS[found]
    cosine = (dx * x + dy * y) / (far * math.hypot(x, y))
    assert cosine >= math.cos(math.pi / 8.0) - 1e-9


def test_middle_marks_nothing_and_a_gap_neither():
    menu = Marking(ROOT, (100.0, 100.0))
    menu.move((100.0 + DEAD - 1.0, 100.0))
    assert menu.marked is None
    menu.move((40.0, 40.0))
    assert menu.marked is None, "there is no entry"
    menu.move((140.0, 100.0))
    assert menu.entry.action == "outer.2"


def test_way_out_leads_on_and_back():
    menu = Marking(ROOT, (0.0, 0.0))
    menu.move((0.0, -REACH - 1.0))
    assert menu.entries is INNER and menu.marked is None
    menu.move((60.0, -REACH))
    assert menu.entry.action == "inner.2"
    menu.move((0.0, 0.0))
    assert menu.entries is ROOT
    menu.move((0.0, -500.0))
    assert menu.entry.action == "inner.0", "one long flick goes straight on"


@pytest.mark.parametrize(
    "keys, expected", [("u", 0), ("ur", 1), ("ru", 1), ("r", 2), ("rd", 3), ("ud", 4), ("dl", 5)]
)
def test_arrows_mark_directions_and_those_between(keys, expected):
    ways = {"u": (0, -1), "r": (1, 0), "d": (0, 1), "l": (-1, 0)}
    menu = Marking(ROOT, (0.0, 0.0))
    for key in keys:
        menu.turn(*ways[key])
    assert menu.marked == expected


def test_arrow_past_a_gap_marks_the_straight_direction():
    menu = Marking(ROOT, (0.0, 0.0))
    menu.turn(-1, 0)
    menu.turn(0, -1)
    assert menu.marked == 0


def test_release_chooses_goes_on_or_closes():
    done = []
    made = MarkingInput(lambda: ROOT, done.append, lambda: None)
    made.open((0.0, 0.0), held=True)
    made.release()
    assert not made.on and not done, "in the middle"
    made.open((0.0, 0.0), held=True)
    made.move((0.0, -40.0))
    made.release()
    assert made.on and not done, "the menu it leads to stays open"
    made.number(3)
    assert done == ["inner.2"] and not made.on


@pytest.mark.parametrize("number", [0, 1, 2, 5])
def test_a_menu_that_is_entered_opens_around_the_place_its_direction_leads_to(number):
    root = tuple(Entry(f"on {k}", menu=INNER) for k in range(8))
    menu = Marking(root, (300.0, 200.0))
    menu.mark(number)
    assert menu.enter() and menu.entries is INNER and menu.marked is None
    x, y = menu.place[0] - 300.0, menu.place[1] - 200.0
    assert math.hypot(x, y) == pytest.approx(REACH) and direction(x, y) == number


@pytest.mark.parametrize("count", [0, 3, 8, 11])
def test_bone_sets_have_their_own_numbers_and_a_new_one_has_the_last_place(count):
    sets = SimpleNamespace(names=[f"set {k}" for k in range(count)], color=lambda name: f"color of {name}")
    found = sets_menu(SimpleNamespace(feature=lambda kind: sets))
    assert len(found) == 8
    for k, entry in enumerate(found[: min(count, 8)]):
        assert (entry.title, entry.action, entry.color) == (
            f"set {k}",
            f"set.select_{k + 1}",
            f"color of set {k}",
        )
    assert found[count:7] == (None,) * max(7 - count, 0)
    assert (found[7].action == "set.new") == (count < 8)


def test_everything_that_looks_different_is_told():
    told = []
    made = MarkingInput(lambda: ROOT, lambda action: None, lambda: told.append(made.on))
    for change, on in (
        (lambda: made.open((0.0, 0.0), held=False), True), (lambda: made.move((0.0, -30.0)), True),
        (lambda: made.turn(0, -1), True), (lambda: made.choose(), True), (lambda: made.close(), False),
    ):  # fmt: skip
        told.clear()
        change()
        assert told == [on]
    told.clear()
    made.close()
    made.move((5.0, 5.0))
    made.turn(1, 0)
    made.number(1)
    made.release()
    assert told == []  # it is not open
