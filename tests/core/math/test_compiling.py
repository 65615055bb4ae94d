"""Compiling the kernels by several processes: the order, what they share, and what happens when one fails."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import compiling, kernels, warm

HELPER = """
from numba import njit

@njit(cache=True)
def twice(value):
    return value + value
"""
CALLER = """
from numba import njit
from shared_kernels.kernel_helper import twice

@njit("{kind}({kind})", cache=True)
def four(value):
    return twice(twice(value))
"""
CHECK = """
import sys
import numba
numba.config.CACHE_DIR = sys.argv[1]
from shared_kernels import kernel_helper, kernel_long, kernel_real
assert kernel_long.four(3) == 12 and kernel_real.four(0.75) == 3.0
assert kernel_helper.twice(3) == 6 and kernel_helper.twice(0.75) == 1.5
for function in (kernel_long.four, kernel_real.four, kernel_helper.twice):
    assert function.stats.cache_hits and not function.stats.cache_misses, function
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two kernels that call one helper with other kinds of numbers; processes find it."""
    folder = tmp_path / "shared_kernels"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "kernel_helper.py").write_text(HELPER)
    (folder / "kernel_long.py").write_text(CALLER.format(kind="int64"))
    (folder / "kernel_real.py").write_text(CALLER.format(kind="float64"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return folder


def test_needs_finds_imports_of_modules_and_from_the_package():
    found = compiling.needs()
    assert found["core.math.kernel_graph"] >= {
        "core.math.kernel_graph_plant",  # from core.math import kernel_graph_plant as plant
        "core.math.kernel_graph_call",  # from core.math.kernel_graph_call import address
    }
    assert found["core.math.kernel_layout"] == frozenset()
    fields = {f"core.math.{kernels.MODULES.get(name, f'kernel_{name}')}" for name in kernels.Compiled._fields}
    assert fields <= found.keys()


@st.composite
def rows_of_needs(draw):
    """Modules of which each needs some of those before it."""
    count = draw(st.integers(1, 12))
    return {
        str(n): frozenset(map(str, draw(st.sets(st.integers(0, n - 1), max_size=3)) if n else ()))
        for n in range(count)
    }


@given(rows_of_needs(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_plan_gives_each_module_once_and_after_all_that_it_needs(needs, processes, random):
    plan, busy, taken = compiling.Plan(needs), [], []
    while len(taken) < len(needs) or busy:
        free = [name for name in needs if name not in taken and needs[name] <= plan.done]
        if free and len(busy) < processes and (not busy or random.random() < 0.5):
            name = plan.take()
            assert name in free
            taken.append(name)
            busy.append(name)
        else:
            plan.finish(busy.pop(random.randrange(len(busy))), True)
    assert sorted(taken) == sorted(needs) and plan.take() is None


def test_plan_takes_first_what_most_others_wait_for():
    plan = compiling.Plan(
        {
            "z": frozenset(),
            "a": frozenset(),
            "b": frozenset({"a"}),
            "c": frozenset({"b"}),
        }
    )
    assert plan.take() == "a"


def test_plan_gives_nothing_more_after_a_failure():
    plan = compiling.Plan({"a": frozenset(), "b": frozenset()})
    plan.finish(plan.take(), False)
    assert plan.take() is None and plan.failed


def test_two_processes_compile_everything_and_nothing_is_compiled_again(package, tmp_path):
    cache = tmp_path / "cache"
    needs = compiling.needs(package, "shared_kernels")
    assert compiling.compile_all(needs, cache, 2)
    check = [sys.executable, "-c", CHECK, str(cache)]
    told = subprocess.run(
        check, env=compiling.environment(), capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert told.returncode == 0, told.stderr


def test_a_module_that_cannot_be_compiled_ends_the_work_and_is_told(package, tmp_path):
    (package / "kernel_helper.py").write_text("raise OSError('no compiler here')")
    assert not compiling.compile_all(compiling.needs(package, "shared_kernels"), tmp_path / "cache", 2)


@pytest.mark.skipif(os.name == "nt", reason="asks for the lock in the way of POSIX")
def test_the_disk_cache_is_read_and_written_by_one_process_at_a_time(monkeypatch, tmp_path):
    import fcntl

    from numba.core.caching import IndexDataCacheFile

    lock, told = tmp_path / "lock", []

    def free() -> bool:
        with lock.open("wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    monkeypatch.setattr(IndexDataCacheFile, "load", lambda self, key: told.append(("load", key, free())))
    monkeypatch.setattr(
        IndexDataCacheFile, "save", lambda self, key, data: told.append(("save", key, free()))
    )
    compiling.one_writer(lock)
    file = IndexDataCacheFile(str(tmp_path), "some", 0)
    file.load("k")
    file.save("k", "data")
    assert told == [("load", "k", False), ("save", "k", False)] and free()


def test_warm_leaves_its_stamp_only_when_everything_can_be_loaded(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    asked = []
    monkeypatch.setattr(compiling, "compile_all", lambda *given: asked.append(given) or False)
    monkeypatch.setattr(kernels, "load", lambda: None)
    assert warm.warm(3) is None and not kernels.stamp().exists()
    assert asked == [(compiling.needs(), kernels.cache_directory(), 3)]
    monkeypatch.setattr(kernels, "load", lambda: "loaded")
    assert warm.warm(3) == kernels.stamp() and kernels.stamp().exists()
    asked.clear()
    warm.warm(3)
    assert not asked, "compiled already"
