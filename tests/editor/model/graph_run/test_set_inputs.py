"""Values set by hand and paths of inputs: what is kept, what is due, how cells and numbers are written."""

import json
from types import SimpleNamespace

import pytest

from core.errors import FormatError
from core.graph.graph import Variable
from core.graph.language.values import Kind
from editor.model.graph_run.inputs import (
    BEFORE,
    NEAR,
    InputPath,
    Inputs,
    fits,
    path_of,
    read_path,
    write_path,
)

SPEED, AIM = Variable("speed", default=(0.5,)), Variable("aim", Kind.VECTOR, (0.0, 0.0, 1.0), -1.0, 1.0)
GRAPH = SimpleNamespace(id="graph-1", variables=(SPEED, AIM))
POST = SimpleNamespace(id="graph-2", variables=(SPEED, Variable("look")))


@pytest.mark.parametrize(
    ("variable", "value", "fit"),
    [
        (SPEED, 1.0, True), (SPEED, True, True), (SPEED, (1.0, 2.0, 3.0), False), (AIM, 1.0, False),
        (AIM, (1.0, 2.0, 3.0), True),
    ],
)  # fmt: skip
def test_a_number_fits_a_number_and_a_vector_a_vector(variable, value, fit) -> None:
    assert fits(variable, value) is fit


def test_what_was_set_is_remembered_by_graph() -> None:
    made = Inputs()
    assert made.value(GRAPH, SPEED) == 0.5 and made.value(GRAPH, AIM) == (0.0, 0.0, 1.0)
    made.set(GRAPH, "speed", 2.0)
    made.set(GRAPH, "aim", 3.0)
    assert made.value(GRAPH, SPEED) == 2.0 and made.value(POST, SPEED) == 0.5
    assert made.value(GRAPH, AIM) == (0.0, 0.0, 1.0), "it does not fit"
    assert made.all_set([GRAPH, POST]) == {"speed": 2.0}


def test_what_is_not_kept_is_due_once() -> None:
    made = Inputs()
    made.set(GRAPH, "jump", True, keep=False)
    made.set(GRAPH, "speed", 2.0)
    assert made.due(0.0, 1.0) == {"jump": True, "speed": 2.0} and made.due(1.0, 2.0) == {}
    assert made.all_set([GRAPH]) == {"speed": 2.0}


def test_of_two_graphs_the_first_ones_value_counts() -> None:
    made = Inputs()
    made.set(POST, "speed", 3.0)
    made.set(POST, "look", 1.0)
    assert made.all_set([GRAPH, POST]) == {"speed": 3.0, "look": 1.0}
    made.set(GRAPH, "speed", 2.0)
    assert made.all_set([GRAPH, POST]) == {"speed": 2.0, "look": 1.0}
    assert made.all_set([POST]) == {"speed": 3.0, "look": 1.0}


def test_a_new_run_forgets_what_was_due() -> None:
    made = Inputs()
    made.set(GRAPH, "speed", 2.0)
    made.all_set([])
    assert made.due(0.0, 1.0) == {}


def test_what_is_set_by_hand_comes_over_the_path() -> None:
    made = Inputs()
    made.path = InputPath(((0.5, {"speed": 1.0, "look": 1.0}),), 1.0)
    made.set(GRAPH, "speed", 2.0)
    assert made.due(0.0, 0.5) == {"speed": 2.0, "look": 1.0} and made.due(0.0, 0.5) == {
        "speed": 1.0,
        "look": 1.0,
    }


def test_a_renamed_variable_keeps_what_was_set_and_what_is_due() -> None:
    made = Inputs()
    made.set(GRAPH, "speed", 2.0)
    made.rename(GRAPH.id, "speed", "pace")
    pace = Variable("pace")
    assert made.value(GRAPH, pace) == 2.0 and made.value(GRAPH, SPEED) == 0.5
    assert made.due(0.0, 1.0) == {"pace": 2.0}
    made.rename(GRAPH.id, "none", "some")
    made.rename("another", "pace", "speed")
    assert made.value(GRAPH, pace) == 2.0 and made.value(GRAPH, Variable("some")) == 0.0
    assert made.due(0.0, 1.0) == {}


# ---------------------------------------------------------------- paths
def test_times_that_are_as_good_as_one_are_one() -> None:
    path = InputPath(((0.5, {"a": 1}),), 2.0)
    near, far = 0.5 * NEAR, 2.0 * NEAR
    assert path.due(0.4, 0.5 - near) == {"a": 1} and path.due(0.4, 0.5 - far) == {}
    assert path.due(0.5 - near, 0.6) == {} and path.due(0.5 - far, 0.6) == {"a": 1}


def test_a_path_without_length_does_not_begin_again() -> None:
    path = InputPath(((0.0, {"a": 1}),), 0.0)
    assert path.due(BEFORE, 0.0) == {"a": 1} and path.due(0.0, 9.0) == {} and path.due(3.0, 9.0) == {}


def test_the_seam_belongs_to_the_next_turn() -> None:
    path = InputPath(((0.0, {"a": 1}), (1.0, {"b": 2})), 1.0)
    assert path.due(0.5, 1.0) == {"b": 2, "a": 1} and path.due(1.0, 1.5) == {}
    assert path.due(0.5, 1.0 - 2.0 * NEAR) == {}
    assert path.due(2.5, 3.5) == {"b": 2, "a": 1} and path.due(BEFORE, 5.0) == {"a": 1, "b": 2}


def test_what_was_set_while_it_was_paused_is_of_the_next_step() -> None:
    steps = [SimpleNamespace(dt=dt, inputs=inputs) for dt, inputs in (
        (0.0, {"a": 0}), (0.5, {}), (0.0, {"a": 1}), (0.5, {"a": 2}),
    )]  # fmt: skip
    path = path_of(steps, 0, 4)
    assert path.entries[0] == (0.0, {"a": 0}) and path.length == 1.0 and len(path.entries) == 3
    assert path.due(0.0, 0.5) == {} and path.due(0.5, 0.6) == {"a": 1} and path.due(0.6, 1.0)["a"] == 0
    assert path_of(steps, 2, 4).entries == ((0.0, {"a": 1}), (0.5, {"a": 2}))


# ---------------------------------------------------------------- files
ENTRIES = (
    (0.0, {"on": True, "kind": "walk"}), (1.0 / 3.0, {"on": False, "count": 2, "place": (1.0, 0.5, 1.0 / 3.0)}),
)  # fmt: skip


def test_a_table_has_a_column_for_each_variable(tmp_path) -> None:
    file = tmp_path / "in.csv"
    write_path(InputPath(ENTRIES, 2.0), file)
    assert file.read_text() == (
        "time,on,kind,count,place\n0,true,walk,,\n0.333333333,false,,2,1 0.5 0.333333333\n"
    )


@pytest.mark.parametrize("name", ["in.json", "in.JSON"])
def test_a_file_of_values_has_the_length_and_each_entry(tmp_path, name) -> None:
    file = tmp_path / name
    write_path(InputPath(ENTRIES, 2.0), file)
    assert json.loads(file.read_text()) == {
        "seconds": 2.0,
        "inputs": [
            {"time": 0.0, "on": True, "kind": "walk"},
            {"time": 1.0 / 3.0, "on": False, "count": 2, "place": [1.0, 0.5, 1.0 / 3.0]},
        ],
    }
    assert file.read_text().startswith('{\n "seconds": 2.0')


def test_entries_of_a_file_are_put_in_order(tmp_path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"seconds": 1.0, "inputs": [{"time": 2.0, "a": 1}, {"time": 0.5, "a": 2}]}))
    path = read_path(file)
    assert [time for time, _ in path.entries] == [0.5, 2.0] and path.length == 2.0
    file.write_text(json.dumps({"seconds": 3.0, "inputs": [{"time": 2.0, "a": 1}]}))
    assert read_path(file).length == 3.0
    file.write_text(json.dumps({"seconds": 3.0, "inputs": []}))
    with pytest.raises(FormatError, match="it has no inputs"):
        read_path(file)
