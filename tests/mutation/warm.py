"""A process that has the libraries loaded, and forks a child for each list of tests that it is asked to run.

``python -m tests.mutation.warm ASKS,ANSWERS… PACKAGE…`` also loads the compiled kernels, and those modules of this
project that import nothing of the packages. Then it forks a server for each pair of pipes, given by their numbers; a
server reads a request a line, see `serve`, and answers it with a line.
"""

import contextlib
import importlib
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

LIBRARIES = (
    "numpy numpy.testing scipy.spatial.transform scipy.interpolate pytest _pytest.assertion.rewrite hypothesis "
    "hypothesis.strategies hypothesis.extra.numpy PySide6.QtCore PySide6.QtGui PySide6.QtWidgets PySide6.QtTest "
    "PySide6.QtOpenGL PySide6.QtOpenGLWidgets PySide6.QtSvg pyqtgraph OpenGL.GL qtawesome PIL.Image platformdirs "
    "xml.etree.ElementTree unittest.mock asyncio multiprocessing.connection http.client email.message"
).split()


def preload(packages: list[str]) -> None:
    """Load libraries, kernels, and the project's modules that import nothing of the packages."""
    for name in LIBRARIES:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    import grimp

    graph = grimp.build_graph("core", "editor", cache_dir=None)
    apart = set()
    for package in packages:
        apart |= {package, *graph.find_descendants(package)}
        apart |= graph.find_downstream_modules(package, as_package=True)
    for name in sorted(graph.modules - apart):
        last = name.rpartition(".")[2]
        if last != "__main__" and not last.startswith("kernel_"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    kernels = importlib.import_module("core.math.kernels")
    if kernels.is_warm():  # loaded but not in use: twins and kernels take turns as in a process of its own
        kernels._use_cache()
        for path in sorted((Path(kernels.__file__).parent).glob("kernel_*.py")):
            importlib.import_module(f"core.math.{path.stem}")


def settle(request: dict[str, Any]) -> None:
    """Make this process a group of its own, with the output, environment and limits that a request names."""
    os.setsid()
    with open(request["output"], "wb") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.environ.update(request["environment"])
    import resource

    cpu = int(request["cpu"]) + 1
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + cpu, used + cpu + 2))
    import sitecustomize

    sitecustomize.install()


def child(request: dict[str, Any]) -> int:
    """Run the tests of a request in this process and return pytest's status."""
    settle(request)
    return int(pytest.main([*request["options"], *request["tests"]]))


def main() -> None:
    """Load everything once, then fork a server for each pair of pipes."""
    pairs = [tuple(map(int, word.split(","))) for word in sys.argv[1:] if word[0].isdigit()]
    names = [word for word in sys.argv[1:] if not word[0].isdigit()]
    preload([name.replace("/", ".").removesuffix(".py") for name in names])
    children = []
    for asks, answers in pairs:
        pid = os.fork()
        if pid == 0:
            for pair in pairs:
                for fd in set(pair) - {asks, answers}:
                    os.close(fd)
            serve(asks, answers)
            os._exit(0)
        children.append(pid)
    for pair in pairs:
        for fd in pair:
            os.close(fd)
    for pid in children:
        os.waitpid(pid, 0)


def serve(asks: int, answers: int) -> None:
    """Answer requests until the pipe is closed.

    A request has ``tests`` and ``options`` of pytest, ``environment``, the file ``output``, the limits ``cpu`` and
    ``wall`` in seconds, and may have ``folder``, removed afterwards. The answer has ``code``, None where a limit
    ended the child.
    """
    out = os.fdopen(answers, "w")
    print("ready", file=out, flush=True)
    for line in os.fdopen(asks):
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                code = child(request)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                with contextlib.suppress(Exception):
                    sys.stdout.flush()
                    sys.stderr.flush()
                os._exit(code)
        print(json.dumps({"code": wait(pid, request["wall"])}), file=out, flush=True)
        if request.get("folder"):
            shutil.rmtree(request["folder"], ignore_errors=True)


def wait(pid: int, seconds: float) -> int | None:
    """The status of a child; None where it was ended by a limit or took longer than the seconds."""
    until = time.monotonic() + seconds
    pause = 0.005
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)  # what a test left running
            code = os.waitstatus_to_exitcode(status)
            return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
        if time.monotonic() > until:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return None
        time.sleep(pause)
        pause = min(0.05, pause * 1.2)


if __name__ == "__main__":
    main()
