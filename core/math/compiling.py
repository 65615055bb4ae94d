"""Compiling the kernels by several processes at once; `core.math.warm` asks for it.

A module of kernels is compiled by importing it, and its functions go to numba's disk cache. A module is given to a
process when all that it imports have been compiled, so that little is compiled twice.
"""

import ast
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGE = "core.math"
ROOT = Path(__file__).resolve().parents[2]


def needs(folder: Path = Path(__file__).parent, package: str = PACKAGE) -> dict[str, frozenset[str]]:
    """Each module of kernels in a folder, with those that it imports."""
    names = {f"{package}.{path.stem}": path for path in sorted(folder.glob("kernel_*.py"))}
    found = {}
    for name, path in names.items():
        imported: set[str] = set()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                imported.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
                imported.update(f"{node.module}.{alias.name}" for alias in node.names)
        found[name] = frozenset(imported & names.keys() - {name})
    return found


class Plan:
    """Which module is compiled next: of those whose imports are compiled, the one that most others wait for.

    Parameters
    ----------
    needs : modules with those that they import
    """

    def __init__(self, needs: Mapping[str, frozenset[str]]) -> None:
        self.needs = dict(needs)
        self.done: set[str] = set()
        self.failed = False
        self._waiting = set(needs)
        self._depth: dict[str, int] = {}
        self._turn = threading.Condition()

    def take(self) -> str | None:
        """A module to compile now, waiting until there is one; None when none is left or one failed."""
        with self._turn:
            while self._waiting and not self.failed:
                ready = [name for name in self._waiting if self.needs[name] <= self.done]
                if ready:
                    name = max(ready, key=lambda name: (self._behind(name), name))
                    self._waiting.remove(name)
                    return name
                self._turn.wait()
            return None

    def finish(self, name: str, well: bool) -> None:
        """A module that was taken is compiled; or it could not be, and nothing more is taken."""
        with self._turn:
            self.failed = self.failed or not well
            self.done.add(name)
            self._turn.notify_all()

    def _behind(self, name: str) -> int:
        """Length of the longest row of modules of which each waits for the one before, from this one on."""
        if name not in self._depth:
            later = [other for other, needed in self.needs.items() if name in needed]
            self._depth[name] = 1 + max((self._behind(other) for other in later), default=0)
        return self._depth[name]


def environment() -> dict[str, str]:
    """Environment of a process that compiles: it finds this checkout from any folder."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "POSEWRIGHT_KERNELS": "auto"}


def compile_all(modules: Mapping[str, frozenset[str]], cache: Path, count: int) -> bool:
    """Compile modules into a folder by `count` processes; False where one could not be compiled.

    What is left then is for the caller, who meets the failure with its words.
    """
    cache.mkdir(parents=True, exist_ok=True)
    plan = Plan(modules)
    threads = [threading.Thread(target=_drive, args=(plan, cache), daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return not plan.failed


def _drive(plan: Plan, cache: Path) -> None:
    """Give the modules of a plan to one process, one after the other."""
    command = [sys.executable, "-m", f"{PACKAGE}.compiling", str(cache)]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command, env=environment(), stdin=pipe, stdout=pipe, stderr=nothing, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        while (name := plan.take()) is not None:
            try:
                process.stdin.write(f"{name}\n")
                process.stdin.flush()
                well = process.stdout.readline() == f"{name}\n"
            except OSError:  # the process has ended
                well = False
            plan.finish(name, well)
        process.stdin.close()  # its loop ends


def work(cache: Path) -> None:
    """Compile the modules whose names come in by lines, and say each name when it is done."""
    import numba

    numba.config.CACHE_DIR = str(cache)
    one_writer(cache / "lock")
    for line in sys.stdin:
        importlib.import_module(line.strip())
        sys.stdout.write(line)
        sys.stdout.flush()


def one_writer(lock: Path) -> None:
    """Let only one process at a time look into numba's disk cache or write to it.

    A function's code for each signature is numbered in the function's index. Two processes that add a signature each
    would give both the same number, and one would later be called with the code of the other.
    """
    from numba.core.caching import IndexDataCacheFile

    load, save = IndexDataCacheFile.load, IndexDataCacheFile.save

    def load_alone(self: Any, key: Any) -> Any:
        with held(lock):
            return load(self, key)

    def save_alone(self: Any, key: Any, data: Any) -> None:
        with held(lock):
            save(self, key, data)

    IndexDataCacheFile.load, IndexDataCacheFile.save = load_alone, save_alone


@contextmanager
def held(lock: Path) -> Iterator[None]:
    """Hold a file's lock, waiting for it; it is given back also when this process is killed."""
    with lock.open("wb") as file:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # gives up after ten seconds
                    break
                except OSError:
                    continue
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    work(Path(sys.argv[1]))
