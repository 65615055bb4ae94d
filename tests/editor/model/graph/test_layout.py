"""The canvas's part of a graph's document: read, written alike, edited; what makes no sense is passed over."""

from dataclasses import replace

import pytest

from editor.model.graph.geometry import Rect
from editor.model.graph.layout import COLORS, Comment, Layout, read_layout, with_layout, written
from tests.editor.panels.graph.graphs import small_graph

NOTE = Comment("c-1", "s-1", "note", Rect(1.0, 2.0, 3.0, 4.0), 5)
FRAME = Comment("c-2", "s-2", "frame", Rect(-1.0, -2.0, 30.0, 40.0))
FULL = Layout(
    {"b": (1.0, 2.0), "a": (3.0, 4.0)},
    (FRAME, NOTE),
    {("b", "in.x"): ((5.0, 6.0),), ("a", "y"): ((7.0, 8.0), (9.0, 10.0))},
    frozenset({"b", "a"}),
    {"other": {"kept": True}},
)


def read(**data: object) -> Layout:
    return read_layout(replace(small_graph(), layout=data))


def test_what_is_written_is_read_again():
    assert read_layout(with_layout(small_graph(), FULL)) == FULL


def test_it_is_written_in_one_order_and_with_three_places():
    assert written(FULL) == {
        "other": {"kept": True},
        "places": {"a": [3.0, 4.0], "b": [1.0, 2.0]},
        "comments": [
            {"id": "c-2", "sheet": "s-2", "text": "frame", "color": 0, "rect": [-1.0, -2.0, 30.0, 40.0]},
            {"id": "c-1", "sheet": "s-1", "text": "note", "color": 5, "rect": [1.0, 2.0, 3.0, 4.0]},
        ],
        "knots": {"a.y": [[7.0, 8.0], [9.0, 10.0]], "b.in.x": [[5.0, 6.0]]},
        "folded": ["a", "b"],
    }
    assert list(written(FULL)["places"]) == list("ab") and list(written(FULL)["knots"]) == ["a.y", "b.in.x"]
    assert written(Layout({"a": (1.00049, -2.0006)})) == {"places": {"a": [1.0, -2.001]}}
    assert written(Layout()) == {}


@pytest.mark.parametrize("places", [
    3, None, [1.0, 2.0], {"a": 3}, {"a": [1.0]}, {"a": [1.0, 2.0, 3.0]}, {"a": ["1", 2.0]}, {"a": {"x": 1.0}},
    {"a": [float("nan"), 0.0]}, {"a": [0.0, float("inf")]}, {"a": None},
])  # fmt: skip
def test_a_place_that_makes_no_sense_is_passed_over(places):
    assert read(places=places) == Layout()


def test_places_are_kept_within_the_world():
    assert read(places={"a": [1e9, -1e9], "b": (1, 2)}).places == {"a": (1e6, -1e6), "b": (1.0, 2.0)}


@pytest.mark.parametrize("data, comment", [
    ({"rect": [1, 2, 3, 4]}, Comment("", "", "", Rect(1.0, 2.0, 3.0, 4.0))),
    ({"rect": [1, 2, -3, -4], "id": "c", "sheet": "s", "text": 7, "color": 3},
     Comment("c", "s", "7", Rect(1.0, 2.0, 0.0, 0.0), 3)),
    ({"rect": [1, 2, 3, 4], "color": COLORS}, Comment("", "", "", Rect(1.0, 2.0, 3.0, 4.0))),
    ({"rect": [1, 2, 3, 4], "color": -1}, Comment("", "", "", Rect(1.0, 2.0, 3.0, 4.0), COLORS - 1)),
    ({"rect": [1, 2, 3, 4], "color": "red"}, Comment("", "", "", Rect(1.0, 2.0, 3.0, 4.0))),
    ({"rect": [1, 2, 3]}, None), ({"rect": [1, 2, 3, 4, 5]}, None), ({"text": "words"}, None), ("words", None),
    (3, None),
])  # fmt: skip
def test_a_comment_is_read_with_what_makes_sense(data, comment):
    assert read(comments=[data]).comments == (() if comment is None else (comment,))
    assert read(comments={"a": data}).comments == ()


def test_knots_and_folded_nodes_are_read_with_what_makes_sense():
    knots = {"a.in.x": [[1, 2], [3], [4, 5]], "b.y": [], "c.z": [[1]], "d": [[1, 2]]}
    found = read(knots=knots, folded=["a", 3])
    assert found.knots == {("a", "in.x"): ((1.0, 2.0), (4.0, 5.0)), ("d", ""): ((1.0, 2.0),)}
    assert found.folded == {"a", "3"} and found.rest == {}
    assert read(knots=[1], folded="abc") == Layout()


def test_entries_of_others_are_kept():
    found = read(places={"a": [1, 2]}, zoom=3, comments=[], knots={}, folded=[])
    assert found == Layout({"a": (1.0, 2.0)}, rest={"zoom": 3}) and written(found)["zoom"] == 3


# ---------------------------------------------------------------- edited
def test_a_comment_is_added_behind_or_changed_in_its_place():
    third = Comment("c-3", "s-1", "third", Rect(0.0, 0.0, 1.0, 1.0))
    assert FULL.with_comment(third).comments == (FRAME, NOTE, third)
    changed = replace(FRAME, text="changed")
    assert FULL.with_comment(changed).comments == (changed, NOTE)
    assert FULL.of_sheet("s-1") == (NOTE,) and FULL.of_sheet("s-3") == ()


def test_nodes_are_moved_and_added():
    found = FULL.moved({"a": (0.0, 0.0), "c": (9.0, 9.0)})
    assert found.places == {"b": (1.0, 2.0), "a": (0.0, 0.0), "c": (9.0, 9.0)} and found.knots == FULL.knots


@pytest.mark.parametrize("gone, places, comments, knots, folded", [
    (["a"], {"b"}, ["c-2", "c-1"], {("b", "in.x")}, {"b"}), (["c-2"], {"a", "b"}, ["c-1"], set(FULL.knots), {"a", "b"}),
    (["s-1"], {"a", "b"}, ["c-2"], set(FULL.knots), {"a", "b"}), (["a", "b", "c-1", "s-2"], set(), [], set(), set()),
    ([], {"a", "b"}, ["c-2", "c-1"], set(FULL.knots), {"a", "b"}),
])  # fmt: skip
def test_what_goes_takes_its_entries_along(gone, places, comments, knots, folded):
    found = FULL.without(iter(gone))
    assert set(found.places) == places and [c.id for c in found.comments] == comments
    assert set(found.knots) == knots and found.folded == folded and found.rest == FULL.rest


def test_knots_of_a_wire_are_set_and_taken_away():
    found = FULL.with_knots("a", "y", iter([(1.0, 1.0)]))
    assert found.knots == {("b", "in.x"): ((5.0, 6.0),), ("a", "y"): ((1.0, 1.0),)}
    assert FULL.with_knots("a", "y", ()).knots == {("b", "in.x"): ((5.0, 6.0),)}
    assert FULL.with_knots("a", "in.x", ()).knots == FULL.knots
    assert FULL.with_knots("b", "y", [(0.0, 0.0)]).knots == {**FULL.knots, ("b", "y"): ((0.0, 0.0),)}
