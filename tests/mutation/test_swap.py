"""Functions of a loaded module are exchanged for those of a changed text; what ran at import is not."""

import gc
import importlib.util
from pathlib import Path

import pytest

from tests.mutation import swap

TEXT = """
from functools import cache

LIMIT = 3

def double(x, factor=2):
    return x * factor

def counter(step):
    total = 0
    def count():
        nonlocal total
        total += step
        return total
    return count

class Box:
    size = 4
    def area(self):
        return self.size * self.size
    @property
    def half(self):
        return self.size / 2
    def parts(self):
        return [n + 1 for n in range(self.size)]

@cache
def kept(x):
    return x + LIMIT
"""


EXCHANGED = [
    ("x * factor", "x + factor", lambda m: m.double(5), 10, 7),
    ("self.size * self.size", "self.size * 0", lambda m: m.Box().area(), 16, 0),
    ("self.size / 2", "self.size / 4", lambda m: m.Box().half, 2.0, 1.0),
    ("n + 1", "n + 2", lambda m: m.Box().parts(), [1, 2, 3, 4], [2, 3, 4, 5]),
    ("x + LIMIT", "x - LIMIT", lambda m: m.kept.__wrapped__(5), 8, 2),
    ("total += step", "total -= step", lambda m: m.counter(2)(), 2, -2),
    ("x * factor", "\n\n    x * factor + 1", lambda m: m.double(5), 10, None),
]
NOT_EXCHANGED = [
    ("LIMIT = 3", "LIMIT = 4"), ("factor=2", "factor=3"), ("size = 4", "size = 5"), ("@cache", ""),
    ("def double", "# no other program\ndef double"),
]  # fmt: skip
CASES = len(EXCHANGED) + len(NOT_EXCHANGED)


def loaded(path: Path):
    path.write_text(TEXT, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("turn", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def module(tmp_path: Path):
    return loaded(tmp_path / "turn.py")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Modules and their functions, listed once for all: with the whole suite loaded, listing takes most of a second."""
    folder = tmp_path_factory.mktemp("turn")
    modules = [loaded(folder / f"turn_{number}.py") for number in range(CASES)]
    functions = swap.functions()
    gc.freeze()  # what listing thawed; the collector would look through it in all tests that follow
    return iter([(module, functions[module.__file__]) for module in modules])


def changed(module, old: str, new: str, functions: swap.Functions | None = None) -> bool:
    assert TEXT.count(old) == 1
    before, after = (compile(t, module.__file__, "exec") for t in (TEXT, TEXT.replace(old, new)))
    if functions is None:
        functions = swap.functions()[module.__file__]
        gc.freeze()
    return swap.exchange(functions, before, after)


@pytest.mark.parametrize(("old", "new", "told", "was", "becomes"), EXCHANGED)
def test_a_changed_function_is_exchanged_wherever_it_is(found, old, new, told, was, becomes):
    module, functions = next(found)
    assert told(module) == was
    assert changed(module, old, new, functions)
    assert told(module) == becomes


def test_a_function_made_before_is_exchanged_too(module):
    count = module.counter(2)
    assert changed(module, "total += step", "total += 2 * step")
    assert count() == 4


@pytest.mark.parametrize(("old", "new"), NOT_EXCHANGED)
def test_what_runs_at_import_cannot_be_exchanged(found, old, new):
    module, functions = next(found)
    assert not changed(module, old, new, functions)
    assert module.double(1) == 2 and module.Box().area() == 16


def test_functions_that_were_set_aside_are_exchanged_too(module):
    gc.collect()
    gc.freeze()  # as conftest does once all tests are collected
    try:
        assert changed(module, "x * factor", "x + factor")
    finally:
        gc.unfreeze()
    assert module.double(5) == 7
