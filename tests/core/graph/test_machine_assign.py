"""Texts of what states do: their statements, and at which column of the whole text something is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graph.graph import Graph, Role, Variable
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL, FLOAT, Kind
from core.graph.machine_assign import Emission, Setting, Statement, emissions, read_statement, statements
from core.graph.problems import GraphError
from tests.core.graph.test_machine_blends import OWN, SPEED, two

PARTS = st.sampled_from(
    ["kept := 1", "emit('a;b')", 'emit("x\ny")', "'", " ", "", "x := 'a;'", "\t y", ";", "\n"]
)


@given(st.lists(PARTS, max_size=8).map("".join))
def test_each_statement_stands_in_the_text_at_its_column(text: str) -> None:
    found = statements(text)
    for before, part in zip([Statement("", 0), *found], found, strict=False):
        assert part.text and part.text == part.text.strip()
        assert text[part.column :].startswith(part.text)
        between = text[before.column + len(before.text) : part.column]
        assert not between.strip("; \t\n"), "nothing but dividers lies between two statements"


def test_a_text_is_divided_outside_of_quotes() -> None:
    assert statements(" a := 1;;\n b := ';' ; emit(\"x\n\") ") == [
        Statement("a := 1", 1),
        Statement("b := ';'", 11),
        Statement('emit("x\n")', 22),
    ]
    assert statements(" ; \n") == []


def graph() -> Graph:
    flag = Variable("on", Kind.BOOL, maximum=1.0, role=Role.OWN)
    return Graph("g", "g", "r", (SPEED, OWN, flag))


def test_what_a_statement_says() -> None:
    read = read_statement(graph(), Statement("kept :=  1 + speed", 10))
    assert isinstance(read, Setting) and read.variable == OWN and read.type == FLOAT
    assert (read.value, read.column) == ("1 + speed", 19)
    flag = read_statement(graph(), Statement("on := true", 0))
    assert isinstance(flag, Setting) and flag.type == BOOL
    assert read_statement(graph(), Statement('emit( "landed" )', 3)) == Emission("landed")


@pytest.mark.parametrize(
    ("text", "length"),
    [("kep := 1", 3), ("speed := 1", 5), ("kept = 1", 8), ("emit(landed)", 12), (":= 1", 1)],
)
def test_what_is_wrong_with_one_is_told_at_its_place(text: str, length: int) -> None:
    with pytest.raises(ExpressionError) as told:
        read_statement(graph(), Statement(text, 7))
    assert (told.value.column, told.value.length) == (7, length)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("kept := 1; kep := 2", 11),
        ("kept := 1; kept := 1 + sped", 23),
        ("emit('a;b')\n  kept :=", 21),
        ("kept := 1;  kept = 2", 12),
    ],
)
def test_a_graphs_problem_has_the_column_of_the_whole_text(text: str, column: int) -> None:
    with pytest.raises(GraphError) as told:
        two(("a", "b", "speed > 1"), literals={"a": {"enter": text}}, variables=(SPEED, OWN))
    (problem,) = told.value.problems
    assert (problem.pin, problem.column) == ("enter", column)


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("", []), ("emit('a')", ["a"]), ('own := 1; emit("b")\n emit( \'a\' )', ["b", "a"]),
        ("emit(a)", []), ("own := emit('a')", []), ("emit('a;b')", ["a;b"]),
    ],
)  # fmt: skip
def test_events_that_a_text_emits_are_found_in_their_order(text, events):
    assert emissions(text) == events
