"""Scripts of inputs read from tables, and variables that take the place of one of their name."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import FormatError
from core.graph.graph import Graph, Variable
from core.graph.script import read_script
from core.graph.variables import variable_named, with_variable, without_variable
from core.ids import AssetId


def test_blank_rows_of_a_table_part_its_rows_and_do_not_end_it(tmp_path: Path) -> None:
    path = tmp_path / "inputs.csv"
    path.write_text("time, speed, way\n0, 1.5, left\n\n , ,\n0.5, , right\n1, 3\n", encoding="utf-8")
    found = read_script(path).inputs
    assert [time for time, _ in found] == [0.0, 0.5, 1.0]
    assert [sorted(values) for _, values in found] == [["speed", "way"], ["way"], ["speed"]]


def test_a_row_with_more_columns_than_the_header_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "inputs.csv"
    path.write_text("time,speed\n0,1\n\n1,2,3\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 4"):
        read_script(path)


def test_a_variable_takes_the_place_of_one_of_its_name_and_leaves_the_others() -> None:
    variables = tuple(Variable(name) for name in ("speed", "turn", "height"))
    graph = replace(Graph(AssetId("graph-1"), "g", AssetId("rig-1")), variables=variables)
    changed = with_variable(graph, Variable("turn", maximum=9.0))
    assert [v.name for v in changed.variables] == ["speed", "turn", "height"]
    assert changed.variables[0] is variables[0] and changed.variables[2] is variables[2]
    assert variable_named(changed, "turn").maximum == 9.0
    more = with_variable(graph, Variable("lean"))
    assert [v.name for v in more.variables] == ["speed", "turn", "height", "lean"]
    assert [v.name for v in without_variable(more, "speed").variables] == ["turn", "height", "lean"]
