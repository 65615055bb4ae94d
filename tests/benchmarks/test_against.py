"""The comparison of two checkouts reads tables right and says what it cannot do."""

import pytest

from tests.benchmarks import against, machine

TEXT = """kernels loaded in 0.30 s

one pose, µs                        kernel      numpy
82 bones                              4.20     250.00
82 bones                              1,004.5   1

| what | ms |
| --- | --- |
| a step | 0.66 ms |
"""


def test_rows_are_named_by_heading_and_told_apart():
    assert against.rows(TEXT) == {
        "one pose, µs / 82 bones": 4.2,
        "one pose, µs / 82 bones (2)": 1004.5,
        "what / a step": 0.66,
    }


def test_the_least_of_all_rounds_stands_beside_the_others():
    before = against.least([{"a / x": 2.0, "a / old": 1.0}, {"a / x": 4.0}])
    after = against.least([{"a / x": 1.5}, {"a / x": 1.0, "a / new": 3.0}])
    lines = against.table(before, after).splitlines()
    assert lines[1].split()[-3:] == ["2.000", "1.000", "0.50"]
    assert any(line.startswith("a / new") and line.endswith("new") for line in lines)
    assert any(line.startswith("a / old") and line.endswith("gone") for line in lines)


def test_an_unknown_commit_is_said():
    wanted = pytest.raises(against.BenchError, match="no-such-commit cannot be checked out")
    with wanted, against.checkout("no-such-commit"):
        pass


def test_the_factor_is_a_positive_number(qapp):
    words = machine.factor_line()
    assert float(words.split("numpy ")[1].split(",")[0]) > 0.0
    assert float(words.split("window ")[1].split(" ")[0]) > 0.0
