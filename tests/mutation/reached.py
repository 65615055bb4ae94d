"""A plugin of pytest: which statements each test comes to, for one session that learns it of many test files.

``-p tests.mutation.reached`` needs what `Reach.prepare` wrote, by ``POSEWRIGHT_REACH``; each worker writes a file of
JSON lines into the folder of ``POSEWRIGHT_REACHED``.
"""

import builtins
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

FOLDER = "POSEWRIGHT_REACHED"
"""The variable that names the folder of the answers."""


class Reached:
    """Which statements each test came to, and how long it took, in a file of JSON lines."""

    def __init__(self, file: Path) -> None:
        self.file = file.open("a", encoding="utf-8")
        self.seen: bytearray = builtins.__reached__  # type: ignore[attr-defined]
        self.nothing = bytes(len(self.seen))
        self.shared: set[int] = set()
        self.outcomes: set[str] = set()

    def _numbers(self) -> set[int]:
        return {n for n, hit in enumerate(self.seen) if hit} if self.seen != self.nothing else set()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        self.seen[:] = self.nothing
        self.outcomes = set()
        began = time.process_time()
        yield
        line = {"test": item.nodeid, "seconds": round(time.process_time() - began, 3),
                "passed": self.outcomes == {"passed"}, "reached": sorted(self._numbers() | self.shared)}  # fmt: skip
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.outcomes.add(report.outcome)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        """What a fixture of many tests reaches belongs to all that follow."""
        before = self._numbers() if fixturedef.scope != "function" else set()
        yield
        if fixturedef.scope != "function":
            self.shared |= self._numbers() - before

    def pytest_unconfigure(self) -> None:
        self.file.close()


def pytest_configure(config: pytest.Config) -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")  # the process that only hands out the files runs no test
    if worker or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Reached(Path(os.environ[FOLDER]) / f"{worker or 'alone'}.jsonl"))
