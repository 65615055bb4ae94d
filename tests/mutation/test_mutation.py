"""The harness finds a fault that no test sees, and knows one that a test does."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="the extra mutate is not installed")

from cosmic_ray.mutating import mutate_code

from tests.mutation import by_hand, choice, operators, report, runner, sites
from tests.mutation.reach import Reach
from tests.mutation.reached import FOLDER

MODULE = '''"""A module."""

from math import radians


def angle(degrees: float, extend: bool = False, scale=1.0) -> float:
    """An angle in radians."""
    if degrees < 0:
        return 0.0
    return radians(degrees) * 100.0 if extend else radians(degrees)


def unseen(items):
    items.append(3)
'''
TESTS = """
from math import isclose, pi
import pytest
from lot.parts.turn import angle


@pytest.mark.parametrize("extend, factor", [(False, 1.0), (True, 100.0)])
def test_angle(extend, factor):
    assert isclose(angle(180.0, extend), pi * factor)
    assert angle(-1.0) == 0.0
    assert angle(0.0) == 0.0
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout with one module and its mirrored test."""
    for folder in ("lot/parts", "tests/lot/parts"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "lot/__init__.py").touch()
    (tmp_path / "lot/parts/__init__.py").touch()
    (tmp_path / "lot/parts/turn.py").write_text(MODULE)
    (tmp_path / "tests/lot/parts/test_turn.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    return tmp_path


@pytest.mark.parametrize("operator", operators.OWN, ids=lambda o: o.__name__)
def test_own_changes_do_what_their_examples_say(operator):
    assert operator.examples()
    for example in operator.examples():
        made = mutate_code(example.pre_mutation_code, operator(), example.occurrence)
        assert made == example.post_mutation_code


def test_words_types_and_decorators_are_left_alone():
    source = 'import x\n\n@cut(1)\ndef f(a: int | None = 3) -> "left":\n    raise ValueError(1 + 2)\n'
    assert [line for line, _ in sites.places(source)] == [4]


def test_a_fault_is_told_and_one_that_no_test_sees_is_listed(checkout, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    found = sites.files(checkout, ["lot"])
    mutants = [m for m in sites.sample(checkout, found, None, 1)
               if m.operator in ("DropFactor", "DropStatement", "IgnoreModifier", "DropUnit")]  # fmt: skip
    monkeypatch.setattr(runner, "PLAIN", ())
    session = runner.Session(checkout / "session.jsonl")
    outcomes = runner.Runner(checkout, session, 1, lambda text: None).run(mutants)
    results = {(o.mutant.operator, o.mutant.line): o.result for o in outcomes}
    assert results == {
        ("DropUnit", 10): "killed",
        ("DropFactor", 10): "killed",
        ("IgnoreModifier", 10): "killed",
        ("DropStatement", 14): "survived",
    }
    listed = report.survivors(checkout, outcomes)
    assert "items.append(3)" in listed and "lot/parts/turn.py:14" in listed
    assert "| lot/parts |" in report.table(outcomes)
    again = runner.Runner(checkout, runner.Session(checkout / "session.jsonl"), 1, lambda text: None)
    monkeypatch.setattr(again, "_ask", None)  # nothing is asked twice
    assert again.run(mutants) == outcomes


FAULTS = """
[[fault]]
path = "lot/parts/turn.py"
line = 14
old = "items.append(3)"
new = "pass"
notice = "nothing is added"

[[fault]]
path = "lot/parts/turn.py"
line = 30
old = "return "
new = "return 2 * "
notice = "angles are twice as large"
"""


def test_faults_thought_of_by_hand_are_put_where_they_stand_now(checkout, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(runner, "PLAIN", ())
    (checkout / "faults.toml").write_text(FAULTS)
    mutants = by_hand.faults(checkout, checkout / "faults.toml")
    assert [(m.line, m.column) for m in mutants] == [(14, 4), (10, 4)], "the nearest of two places"
    session = runner.Session(checkout / "session.jsonl")
    outcomes = runner.Runner(checkout, session, 1, lambda text: None).run(mutants)
    assert [o.result for o in outcomes] == ["survived", "killed"]
    assert "turn.py:14 nothing is added (survived)" in report.survivors(checkout, outcomes)
    assert list(runner.Session(checkout / "session.jsonl").outcomes.values()) == outcomes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[fault]\n", "see tests/mutation/by_hand.py"),
        (FAULTS.replace("notice", "note"), "unexpected keyword argument 'note'"),
        (FAULTS.replace("(3)", "(4)"), "'items.append(4)' is nowhere in lot/parts/turn.py"),
    ],
)
def test_a_list_of_faults_that_does_not_fit_is_refused(checkout, text, words):
    (checkout / "faults.toml").write_text(text)
    with pytest.raises(ValueError, match=re.escape(words)):
        by_hand.faults(checkout, checkout / "faults.toml")


PROGRESS = "core/progress.py"
PROGRESS_TESTS = "tests/core/test_progress.py"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="warm processes are forked")
def test_only_the_tests_that_come_to_a_fault_are_asked(tmp_path):
    root = Path(__file__).resolve().parents[2]
    found = Reach(tmp_path / "reach.jsonl")
    session = runner.Session(tmp_path / "session.jsonl")
    notes: list[str] = []
    asker = runner.Runner(root, session, 1, notes.append, found)
    asker.learn([PROGRESS], [PROGRESS_TESTS])
    mutants = sites.sample(root, sites.files(root, [PROGRESS]), None, 1)
    lines = (root / PROGRESS).read_text(encoding="utf-8").splitlines()
    (told,) = [
        m for m in mutants if m.operator == "DropStatement" and lines[m.line - 1].strip().endswith(".set()")
    ]
    unseen = next(m for m in mutants if not found.of(m))
    (test,) = found.of(told)
    assert test.startswith(PROGRESS_TESTS + "::")
    results = [(o.result, o.by) for o in asker.run([told, unseen])]
    assert results == [("killed", test), ("no tests", "")]
    again = Reach(tmp_path / "reach.jsonl")  # what is known serves the next run
    assert again.of(told) == [test] and again.seconds == found.seconds
    assert again.unknown(root, [PROGRESS], [PROGRESS_TESTS]) == []


def test_a_change_of_what_runs_at_import_is_shown_to_those_who_come_to_its_function_or_file(
    checkout, tmp_path
):
    path = "lot/parts/turn.py"
    (checkout / path).write_text(
        "SIZE = 2.0\n\n\ndef grown(x, by=3.0):\n    return x * by\n\n\ndef shrunk(x):\n    return x / SIZE\n"
    )
    folder = tmp_path / "marked"
    folder.mkdir()
    found = Reach(tmp_path / "reach.jsonl")
    found.prepare(checkout, [path], folder)
    for span, number in found.spans[path]:
        if span[0] in (5, 9):
            found.tests[number] = {f"test_turn.py::line{span[0]}"}
    grown, shrunk = "test_turn.py::line5", "test_turn.py::line9"
    changes = {"SIZE": (1, 7), "by": (4, 16), "x * by": (5, 11), "x / SIZE": (9, 11)}
    asked = {
        name: found.of(sites.Mutant(path, "NumberReplacer", 0, *place)) for name, place in changes.items()
    }
    assert asked == {"SIZE": [grown, shrunk], "by": [grown], "x * by": [grown], "x / SIZE": [shrunk]}


def learned(checkout: Path, file: Path, paths: list[str]) -> Reach:
    """What is known after the test file, where it has to be, was asked about source files; it reaches all of them."""
    found = Reach(file)

    def run(names: list[str], environment: dict[str, str]) -> None:
        everything = list(range(found.count))
        lines = [
            json.dumps({"test": f"{name}::test_angle", "seconds": 0.1, "passed": True, "reached": everything})
            for name in names
        ]
        Path(environment[FOLDER], "gw0.jsonl").write_text("\n".join(lines), encoding="utf-8")

    with tempfile.TemporaryDirectory() as made:
        found.prepare(checkout, paths, Path(made))
        fresh = found.unknown(checkout, paths, [TEST])
        if fresh:
            found.learn(checkout, fresh, Path(made), run)
    return Reach(file)


TEST = "tests/lot/parts/test_turn.py"
HERE, THERE = "lot/parts/turn.py", "lot/parts/there.py"


@pytest.fixture
def two(checkout: Path) -> Path:
    """The small checkout with a second module."""
    (checkout / THERE).write_text("def f(x):\n    return x\n")
    return checkout


def there(found: Reach) -> list[str]:
    return found.of(sites.Mutant(THERE, "AddNot", 0, 2, 4))


def test_a_changed_test_that_is_asked_about_fewer_files_is_still_known_to_reach_the_others(two, tmp_path):
    kept = tmp_path / "reach.jsonl"
    assert there(learned(two, kept, [HERE, THERE])) == [f"{TEST}::test_angle"]
    (two / TEST).write_text(TESTS + "\n")
    found = learned(two, kept, [HERE])
    assert there(found) == [f"{TEST}::test_angle"]
    assert found.unknown(two, [HERE], [TEST]) == []
    assert found.unknown(two, [HERE, THERE], [TEST]) == [TEST]  # it may reach more there now


def test_a_test_is_asked_again_about_files_that_it_was_not_asked_about(two, tmp_path):
    kept = tmp_path / "reach.jsonl"
    assert there(learned(two, kept, [HERE])) == []
    found = learned(two, kept, [THERE])
    assert there(found) == [f"{TEST}::test_angle"]
    assert found.unknown(two, [HERE, THERE], [TEST]) == []


def test_those_who_come_to_a_file_are_asked_again_when_it_was_changed(two, tmp_path):
    kept = tmp_path / "reach.jsonl"
    learned(two, kept, [HERE, THERE])
    (two / THERE).write_text("def f(x):\n    x = 2\n    return x\n")
    found = Reach(kept)
    found.prepare(two, [HERE, THERE], tmp_path)
    assert there(found) == [] and found.unknown(two, [HERE], [TEST]) == []
    assert found.unknown(two, [THERE], [TEST]) == [TEST]
    found = learned(two, kept, [HERE, THERE])
    assert there(found) == [f"{TEST}::test_angle"]


def test_a_changed_test_file_that_is_not_asked_tells_nothing(two, tmp_path):
    kept = tmp_path / "reach.jsonl"
    found = learned(two, kept, [HERE, THERE])
    found.leave_out_changed(two)
    assert there(found)
    (two / TEST).write_text("")  # the test is gone: asked for, it would seem to fail
    found.leave_out_changed(two)
    assert there(found) == []


def test_quick_and_near_tests_come_first_and_long_lists_are_cut():
    seconds = {
        "near::slow": 3.0,
        "near::quick": 0.1,
        "far::quick": 0.2,
        "far::long": 50.0,
        "far::longer": 70.0,
    }
    lists = list(runner.batches([*seconds, "far::longest"], seconds | {"far::longest": 80.0}, [["near"]]))
    assert lists == [["near::quick", "near::slow", "far::quick"], ["far::long"], ["far::longer"]]
    (*_, last) = runner.batches(
        ["far::longer", "far::longest"], {"far::longer": 70.0, "far::longest": 80.0}, [], 71.0
    )
    assert last == ["far::longest"], "more where more is allowed"


def test_a_torn_last_line_is_left_out(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_text('{"mutant": {"path": "a.py", "opera')
    assert runner.Session(path).outcomes == {}


def test_the_mirror_is_asked_first():
    root = Path(__file__).resolve().parents[2]
    first, *_ = choice.stages(root, "core/ik/two_bone.py")
    assert first == ["tests/core/ik/test_two_bone.py"]


def test_a_change_that_is_no_program_is_none():
    source = "def linked(before: int, after: int):\n    return before, after\n"
    swaps = [
        sites.changed(source, sites.Mutant("a.py", type(op).__name__, n, *place))
        for place, ways in sites.places(source).items()
        for op, n in ways
    ]
    swapped = [source.replace("return before", "return after"), source.replace(", after\n", ", before\n")]
    assert sorted(filter(None, swaps)) == sorted(swapped)  # none has two arguments of one name
    assert len(swaps) > len(swapped)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["core/nowhere"], "core/nowhere is not in the checkout; name a folder"),
        (["core/ik", "--tests", "tests/nowhere"], "tests/nowhere is not in the checkout; name test files"),
    ],
)
def test_an_unknown_path_is_said(words, said):
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", *words], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 2 and said in " ".join(done.stderr.split())
