"""Paths of inputs: what is due between two moments, over the seams of its turns, and files that hold it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError
from editor.model.graph_run.inputs import BEFORE, InputPath, path_of, read_path, write_path

STEP = 1.0 / 64.0
"""Seconds: what is computed with its multiples is exact."""
times = st.lists(st.integers(0, 40), min_size=1, max_size=6, unique=True).map(sorted)


@given(times, st.integers(0, 24), st.integers(0, 300), st.integers(0, 200))
def test_what_is_due_is_what_was_written_last_in_between(entries, more, start, length):
    path = InputPath(tuple((t * STEP, {"a": t}) for t in entries), (entries[-1] + more) * STEP)
    turn = entries[-1] + more
    end = start + length
    written = [
        (base + t, t) for base in range(0, end + 1, turn) for t in entries if start < base + t <= end
    ] if turn else [(t, t) for t in entries if start < t <= end]  # fmt: skip
    found = path.due(start * STEP, end * STEP)
    # where an end and a beginning fall together, the beginning comes after
    latest = max((time for time, _ in written), default=None)
    wanted = {t for time, t in written if time == latest}
    assert (found.get("a") in wanted) if written else found == {}


def test_at_the_start_what_is_there_at_once_is_due():
    path = InputPath(((0.0, {"a": 1}), (0.5, {"b": 2})), 1.0)
    assert path.due(BEFORE, 0.0) == {"a": 1} and path.due(BEFORE, 0.5) == {"a": 1, "b": 2}
    assert path.due(0.0, 0.0) == {} and path.names == ("a", "b")
    assert InputPath((), 1.0).due(BEFORE, 5.0) == {}


@pytest.mark.parametrize("ending", ["csv", "json"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_path_that_was_written_is_read_again(tmp_path, ending, count):
    entries = tuple(
        (0.25 * k, {"speed": 1.5 * k, "crouch": k % 2 == 0, "place": (1.0, 2.0, float(k))})
        for k in range(count)
    )
    file = tmp_path / f"in.{ending}"
    write_path(InputPath(entries, 3.0), file)
    again = read_path(file)
    assert [t for t, _ in again.entries] == [t for t, _ in entries]
    for (_, was), (_, now) in zip(entries, again.entries, strict=True):
        assert now["speed"] == was["speed"] and bool(now["crouch"]) is was["crouch"]
        assert tuple(now["place"]) == was["place"]
    assert again.length == (3.0 if ending == "json" else entries[-1][0])


def test_a_file_without_inputs_says_so(tmp_path):
    file = tmp_path / "in.csv"
    file.write_text("time,speed\n")
    with pytest.raises(FormatError):
        read_path(file)


def test_steps_give_their_inputs_at_their_ends():
    from types import SimpleNamespace

    steps = [SimpleNamespace(dt=dt, inputs=inputs) for dt, inputs in (
        (0.5, {"a": 1}), (0.25, {}), (0.25, {"a": 2}), (0.0, {"a": 3}), (0.5, {"b": 4}),
    )]  # fmt: skip
    path = path_of(steps, 0, 5)
    assert [(round(t, 5), dict(v)) for t, v in path.entries] == [
        (0.0, {"a": 1}), (0.5, {"a": 2}), (0.5, {"a": 3}), (1.0, {"b": 4})
    ]  # fmt: skip
    assert path.length == 1.0 and path.due(0.4, 0.5) == {"a": 2}  # set while paused: due with the next step
    assert path.due(0.5, 0.6) == {"a": 3}
    assert path_of(steps, 1, 3).entries == ((0.25, {"a": 2}),)
