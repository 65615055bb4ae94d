"""The way to the compiled kernels: the numpy twins answer until these are there.

Nothing here imports numba. `compiled()` gives the kernels once they are loaded, else None, and the
caller uses its twin. They get loaded

* by `load()`, which compiles whatever the disk cache lacks (0.5 s when warm, some ten when not), or
  `load_in_background()`, which does so only when the cache is warm;
* or by themselves, when the cache is warm and the twins have used up about what loading costs: there and then, or
  beside the caller where `load_beside()` was asked for, as a window does.

Environment: ``POSEWRIGHT_KERNELS`` = ``auto`` (default), ``off`` (twins only), ``on`` (load at the
first use, warm or not).
"""

import hashlib
import importlib
import logging
import os
import platform
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

PATIENCE = 0.6
"""Seconds the twins may use before a warm cache is loaded: about what loading costs."""
RECHECK = 2.0
"""Seconds between looks at the disk for a cache that was cold."""

log = logging.getLogger(__name__)


class Compiled(NamedTuple):
    """The modules of the compiled kernels."""

    sample: ModuleType
    batch: ModuleType
    blend: ModuleType
    fit: ModuleType
    mesh: ModuleType
    columns: ModuleType
    skin: ModuleType
    ik: ModuleType
    compiled: ModuleType
    modes: ModuleType
    models: ModuleType
    graph: ModuleType
    crowd: ModuleType
    terrain: ModuleType
    matching: ModuleType
    moment: ModuleType


MODULES = {"crowd": "kernel_graph_crowd"}
"""Where a field's name does not say it."""
LATE = ("graph", "crowd")
"""Fields whose modules wait for their first use."""


class Late(ModuleType):
    """A module of kernels that is imported when something of it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, value)  # from now on it is found without this
        return value


def _module(field: str) -> ModuleType:
    """The module of a field; cold ones are all compiled now, so that a failure is met here."""
    name = f"core.math.{MODULES.get(field, f'kernel_{field}')}"
    return Late(name) if field in LATE and _state.warm else importlib.import_module(name)


class _State:
    """What this process knows about its kernels."""

    def __init__(self) -> None:
        self.compiled: Compiled | None = None
        self.spent = 0.0
        self.checked = -RECHECK
        self.warm = False
        self.failed = False
        self.beside = False
        self.thread: threading.Thread | None = None
        self.lock = threading.Lock()


_state = _State()


def compiled() -> Compiled | None:
    """The compiled kernels, or None while the twins have to do."""
    if _state.compiled is not None:
        return _state.compiled
    mode = os.environ.get("POSEWRIGHT_KERNELS", "auto")
    if _state.failed or mode == "off":
        return None
    if mode == "on":
        return load()
    if _state.spent <= PATIENCE or not is_warm():
        return None
    if _state.beside:
        load_in_background()
        return None
    return load()


def wanted() -> Compiled | None:
    """The compiled kernels, for work that is going to last: a warm cache is loaded now; None where it is cold."""
    if _state.compiled is None and is_warm() and os.environ.get("POSEWRIGHT_KERNELS", "auto") != "off":
        return load()
    return compiled()


@contextmanager
def twin() -> Iterator[None]:
    """Count the time a numpy twin takes."""
    began = time.perf_counter()
    try:
        yield
    finally:
        _state.spent += time.perf_counter() - began


def load() -> Compiled | None:
    """Load the kernels now, compiling what the disk cache lacks; None where numba cannot run here.

    Those of animation graphs, two fifths of all time and 47 MB, are loaded at their first use where the cache is warm.
    """
    with _state.lock:
        if _state.compiled is None and not _state.failed:
            try:
                with _without_scipy():
                    _use_cache()
                    _state.warm = stamp().exists()
                    _state.compiled = Compiled(**{name: _module(name) for name in Compiled._fields})
            except Exception:  # whatever numba meets on an odd machine, the twins go on working
                _state.failed = True
                log.warning("the compiled kernels cannot be used; going on without", exc_info=True)
    return _state.compiled


def load_in_background() -> threading.Thread | None:
    """Load a warm cache in a thread; None where there is nothing to load."""
    if _state.compiled is not None or _state.failed or not is_warm():
        return None
    if os.environ.get("POSEWRIGHT_KERNELS", "auto") == "off":
        return None
    if _state.thread is None:
        _state.thread = threading.Thread(target=load, name="load kernels", daemon=True)
        _state.thread.start()
    return _state.thread


def load_beside() -> None:
    """From now on who asks for kernels that are not there gets the twins, while a thread loads the kernels.

    For a program with a window: loading takes half a second and more, which no drag should wait for.
    """
    _state.beside = True


def finish_loading(seconds: float) -> None:
    """Wait for a thread that is loading, if there is one, at most so long: a program should not end amid it."""
    if _state.thread is not None:
        _state.thread.join(seconds)


class _NoScipy(MetaPathFinder):
    """Has one thread find no scipy."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname in ("scipy", "scipy.linalg") and threading.get_ident() == self._thread:
            raise ModuleNotFoundError("no kernel uses scipy", name=fullname)


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Load numba without the parts of scipy that it takes where they are there: a fifth of the time, and 13 MB.

    It needs them for linear algebra in compiled code, of which the kernels have none.
    """
    finder = _NoScipy()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


# ---------------------------------------------------------------- the disk cache


def cache_root() -> Path:
    """Where compiled code is kept: ``NUMBA_CACHE_DIR``, the user's cache, or the temporary folder."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given) / "posewright"
    from platformdirs import user_cache_path

    owner = os.getuid() if hasattr(os, "getuid") else None
    candidates = (
        user_cache_path("posewright", appauthor=False) / "kernels",
        Path(tempfile.gettempdir()) / f"posewright-kernels-{owner or 0}",
    )
    for path in candidates:
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Compiled code is loaded from here, so the folder must belong to this user.
            if os.access(path, os.W_OK) and owner in (None, path.stat().st_uid):
                return path
        except OSError:
            continue
    return candidates[-1]


def cache_directory() -> Path:
    """Folder of compiled code for exactly this state of things.

    Numba knows when a function's own file changed, but not when one did that it was compiled
    together with; so every `fingerprint` has a folder of its own.
    """
    return cache_root() / fingerprint()


def _use_cache() -> None:
    """Point numba's disk cache at `cache_directory`."""
    import numba

    numba.config.CACHE_DIR = str(cache_directory())


def fingerprint() -> str:
    """What compiled code depends on: the kernels' sources, Python, numba, the processor."""
    from importlib.metadata import version  # a start needs none of what this imports

    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("kernel_*.py")):
        status = path.stat()
        digest.update(f"{path}|{status.st_mtime_ns}|{status.st_size}|".encode())
        digest.update(path.read_bytes())
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(version(package).encode())
    digest.update(f"{sys.version}|{platform.machine()}|{_processor()}".encode())
    digest.update(os.environ.get("NUMBA_CPU_NAME", "").encode())
    return digest.hexdigest()[:24]


def _processor() -> str:
    """Name and abilities of the processor, as far as they can be had without numba."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return "|".join(sorted({ln for ln in lines if ln.startswith(("model name", "flags", "Features", "CPU"))}))


def stamp() -> Path:
    """File that exists where the cache is warm for exactly this state."""
    return cache_directory() / "warm"


def is_warm() -> bool:
    """Whether everything has been compiled to disk; looks at the disk at most every `RECHECK` seconds."""
    now = time.monotonic()
    if not _state.warm and now - _state.checked >= RECHECK:
        _state.checked = now
        try:
            _state.warm = stamp().exists()
        except (OSError, ModuleNotFoundError):  # a package without its metadata
            _state.warm = False
    return _state.warm
