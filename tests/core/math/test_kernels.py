"""The kernels' loader: what a cold machine gets, and what a warm one."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import bezier, euler, kernels, warm


@pytest.fixture
def state(monkeypatch, tmp_path):
    """A loader that knows nothing yet, with an empty cache."""
    fresh = kernels._State()
    monkeypatch.setattr(kernels, "_state", fresh)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("POSEWRIGHT_KERNELS", raising=False)
    return fresh


def test_compiled_cold_cache_leaves_the_work_to_the_twins(state):
    state.spent = 100.0
    assert kernels.compiled() is None
    assert kernels.load_in_background() is None


def test_compiled_warm_cache_waits_until_the_twins_have_cost_enough(state, monkeypatch):
    kernels.stamp().parent.mkdir(parents=True)
    kernels.stamp().write_text("warm")
    monkeypatch.setattr(kernels, "load", lambda: "loaded")
    assert kernels.compiled() is None
    state.spent = kernels.PATIENCE + 0.1
    assert kernels.compiled() == "loaded"


def test_wanted_loads_a_warm_cache_at_once_and_leaves_a_cold_one(state, monkeypatch):
    monkeypatch.setattr(kernels, "load", lambda: "loaded")
    assert kernels.wanted() is None
    state.checked = -kernels.RECHECK
    kernels.stamp().parent.mkdir(parents=True)
    kernels.stamp().write_text("warm")
    assert kernels.wanted() == "loaded"
    monkeypatch.setenv("POSEWRIGHT_KERNELS", "off")
    assert kernels.wanted() is None


def test_compiled_beside_a_window_is_loaded_by_a_thread_and_the_twins_go_on(state, monkeypatch):
    kernels.stamp().parent.mkdir(parents=True)
    kernels.stamp().write_text("warm")
    begun, go_on = threading.Event(), threading.Event()
    loaders = []

    def load():
        loaders.append(threading.current_thread())
        begun.set()
        go_on.wait(400.0)

    monkeypatch.setattr(kernels, "load", load)
    kernels.load_beside()
    state.spent = kernels.PATIENCE + 0.1
    assert kernels.compiled() is None
    assert begun.wait(400.0)
    assert kernels.compiled() is None, "it does not wait for the thread, nor begins another"
    go_on.set()
    kernels.finish_loading(60.0)
    assert [thread is threading.current_thread() for thread in loaders] == [False]
    assert not loaders[0].is_alive()


def test_load_takes_no_part_of_scipy_along():
    code = (
        "import sys; from core.math import kernels; assert kernels.load() is not None; "
        "assert not [n for n in sys.modules if n.startswith('scipy')]; import scipy.linalg"
    )
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_compiled_switched_off_stays_off(state, monkeypatch):
    monkeypatch.setenv("POSEWRIGHT_KERNELS", "off")
    state.spent, state.warm = 100.0, True
    assert kernels.compiled() is None


@pytest.mark.parametrize("warm_cache", [True, False])
def test_kernels_of_graphs_wait_for_their_use_where_they_are_compiled(state, monkeypatch, warm_cache):
    """On a cold cache all are met at once: one that cannot be compiled must leave everything to the twins."""
    asked = []

    def note(name, package=None):
        asked.append(name)
        return original(name, package) if name == "numba" else SimpleNamespace(hashed="the kernel")

    original = kernels.importlib.import_module
    monkeypatch.setattr(kernels, "_use_cache", lambda: None)
    monkeypatch.setattr(kernels.importlib, "import_module", note)
    if warm_cache:
        kernels.stamp().parent.mkdir(parents=True)
        kernels.stamp().write_text("warm")
    loaded = kernels.load()
    assert "core.math.kernel_sample" in asked
    assert ("core.math.kernel_graph" in asked) is not warm_cache
    assert loaded.graph.hashed == "the kernel"
    asked.clear()
    assert loaded.graph.hashed == "the kernel"
    assert not asked, "found at once from then on"
    with pytest.raises(AttributeError):
        loaded.graph.nothing_of_that_name  # noqa: B018


def test_load_where_numba_fails_goes_on_with_the_twins(state, monkeypatch, caplog):
    original = kernels.importlib.import_module

    def fail(name, package=None):
        if name.startswith("core.math.kernel_"):
            raise OSError("no compiler here")
        return original(name, package)  # numba loads its own parts this way

    monkeypatch.setattr(kernels.importlib, "import_module", fail)
    assert kernels.load() is None
    assert kernels.compiled() is None
    assert "going on without" in caplog.text


def test_cache_root_unwritable_user_folder_falls_back(monkeypatch, tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: blocker / "below")
    monkeypatch.setattr(kernels.tempfile, "gettempdir", lambda: str(tmp_path))
    assert kernels.cache_root().parent == tmp_path
    assert kernels.cache_root().is_dir()


def test_fingerprint_changes_with_what_code_is_compiled_for(monkeypatch):
    before = kernels.fingerprint()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert kernels.fingerprint() != before


def test_start_in_background_warm_cache_starts_nothing(state):
    kernels.stamp().parent.mkdir(parents=True)
    kernels.stamp().write_text("warm")
    assert warm.start_in_background() is None


def test_start_in_background_switched_off_starts_nothing(state, monkeypatch):
    monkeypatch.setenv("POSEWRIGHT_KERNELS", "off")
    assert warm.start_in_background() is None


def test_what_compiles_is_asked_to_end_with_the_program_and_given_a_pipe_from_it(state, monkeypatch):
    asked = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **how: asked.append((command, how)))
    warm.start_in_background()
    ((command, how),) = asked
    assert command[-3:] == ["-m", "core.math.warm", warm.WITH_PROGRAM] and how["stdin"] is subprocess.PIPE


def test_what_compiles_ends_with_the_program_however_that_ends():
    code = "import time; from core.math import warm; warm.end_with_program(); print('on', flush=True); time.sleep(800)"
    root = Path(__file__).parents[3]
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdin=pipe, stdout=pipe) as process:
        assert process.stdout.readline() == b"on\n"
        assert process.poll() is None
        process.stdin.close()  # as the system does for a program that was killed
        assert process.wait(400.0) == 1


def test_import_of_core_does_not_wait_for_numba():
    code = "import sys, core.clips.sample, core.pose.kinematics, core.clips.bake; sys.exit('numba' in sys.modules)"
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_euler_kernel_agrees_with_its_twin():
    degrees = np.random.default_rng(0).uniform(-2000, 2000, (500, 3))
    degrees[:9] = np.array([0, 90, -90, 180, -180, 360, 720, 45, 1e9])[:, None]
    loaded = kernels.load()
    assert loaded is not None
    for order in range(6):
        out = np.empty((500, 4))
        middle, parity = euler.SEQUENCE[order][1], float(euler.PARITY[order])
        loaded.mesh.euler_to_quaternion(degrees, middle, parity, out)
        exact = np.abs(degrees).max(axis=1) < 1e8  # numpy's radians lose digits of a thousand million degrees
        assert np.abs(out - euler.to_quaternion_numpy(degrees, order))[exact].max() < 1e-12


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_bezier_kernel_agrees_with_its_twin(x, w0, w1):
    loaded = kernels.load()
    assert loaded is not None

    def time(b: float) -> float:
        return 3 * (1 - b) ** 2 * b * w0 + 3 * (1 - b) * b * b * (1 - w1) + b**3

    found, twin = loaded.sample.solve(x, w0, w1), float(bezier.solve(x, w0, w1))
    assert time(found) == pytest.approx(x, abs=1e-12)
    assert time(twin) == pytest.approx(x, abs=1e-12)


PATIENCE = 400.0
"""Seconds in which another thread gets its turn, however busy the machine."""


def _long_fit(loaded):
    samples = 6000
    times = np.arange(samples) / 30.0
    values = np.random.default_rng(1).normal(size=(samples, 3))
    keys, slopes = np.zeros(samples, np.int64), np.empty(values.shape)
    keys[1] = samples - 1
    free = np.ones(samples, dtype=np.bool_)
    bound, scale = np.full(3, 20.0), np.ones(samples)
    return lambda: loaded.fit.knots(times, values, bound, scale, False, free, keys, 2, slopes)


def _long_distances(loaded):
    matrices = np.random.default_rng(1).normal(size=(2, 400, 60, 4, 4))
    points = np.random.default_rng(2).normal(size=(60, 400, 3))
    before, after, out = matrices[0], matrices[1], np.empty((400, 60))
    return lambda: loaded.mesh.furthest(before, after, points, out)


@pytest.mark.parametrize("prepared", [_long_fit, _long_distances])
def test_long_kernel_of_a_job_lets_other_threads_run(prepared):
    """With the switch interval above the test's length no thread gets a turn but by what lets the lock go."""
    loaded = kernels.load()
    if loaded is None:
        pytest.skip("the kernels cannot be compiled here")
    work = prepared(loaded)
    count, stop, made = 0, threading.Event(), []

    def window() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(1e-4)

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=window)
    thread.start()
    sys.setswitchinterval(10 * PATIENCE)
    try:
        until = time.monotonic() + PATIENCE  # a busy machine may give the other thread no processor meanwhile
        while time.monotonic() < until:
            before = count
            work()
            made.append(count - before)
            if made[-1]:
                break
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert made[-1] > 0
