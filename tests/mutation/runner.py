"""Make the changes and ask the tests, several at a time, going on where an earlier run stopped."""

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutation.choice import module_name, stages
from tests.mutation.sites import Mutant, changed

OVERLAY = Path(__file__).parent / "overlay"
LEAST = 60.0
"""Seconds that any list of tests may take at least."""
PLAIN = ("--no-xvfb",)
"""Options of this project's tests: the harness has a screen already."""
SLACK = 4.0
"""A changed program may take this many times as long as the program as it is."""


@dataclass(frozen=True)
class Outcome:
    """What became of one change.

    Attributes
    ----------
    result : ``killed``, ``survived``, ``no change`` (the text is the same program) or ``no tests``
    by : the first test that failed, ``time`` where the tests did not end, or nothing
    digest : of the file's text, so that an outcome of an older text is not taken for this one's
    """

    mutant: Mutant
    result: str
    by: str
    digest: str
    seconds: float


class Session:
    """Outcomes in a file of JSON lines; a killed run leaves every line that was whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[tuple[str, str], Outcome] = {}
        self._lock = threading.Lock()
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    words = json.loads(line)
                    outcome = Outcome(Mutant(**words.pop("mutant")), **words)
                except (ValueError, TypeError, KeyError):
                    continue  # the last line of a run that was killed
                self.outcomes[outcome.mutant.key, outcome.digest] = outcome

    def add(self, outcome: Outcome) -> None:
        with self._lock:
            self.outcomes[outcome.mutant.key, outcome.digest] = outcome
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")


class Runner:
    """Asks the tests about changes of one checkout.

    Parameters
    ----------
    root : the checkout; nothing in it is written to
    workers : how many processes of tests at a time
    """

    def __init__(self, root: Path, session: Session, workers: int, note: Callable[[str], None]) -> None:
        self.root, self.session, self.workers, self.note = root, session, workers, note
        self._baselines: dict[tuple[str, ...], float | None] = {}
        self._locks: dict[tuple[str, ...], threading.Lock] = {}
        self._guard = threading.Lock()

    def run(self, mutants: list[Mutant]) -> list[Outcome]:
        """The outcomes, of this run and of those before, in the order of the changes."""
        done = 0
        with ThreadPoolExecutor(self.workers) as pool:
            outcomes = []
            for outcome in pool.map(self._one, mutants):
                outcomes.append(outcome)
                done += 1
                words = f"{done}/{len(mutants)} {outcome.result:9} {outcome.mutant.key} {outcome.by}"
                self.note(words)
        return outcomes

    def _one(self, mutant: Mutant) -> Outcome:
        source = (self.root / mutant.path).read_text(encoding="utf-8")
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        known = self.session.outcomes.get((mutant.key, digest))
        if known is not None:
            return known
        began = time.monotonic()
        text = changed(source, mutant)
        if text is None:
            result, by = "no change", ""
        else:
            result, by = self._ask(mutant, text)
        outcome = Outcome(mutant, result, by, digest, round(time.monotonic() - began, 1))
        self.session.add(outcome)
        return outcome

    def _ask(self, mutant: Mutant, text: str) -> tuple[str, str]:
        with tempfile.TemporaryDirectory(prefix="posewright-mutant-") as folder:
            file = Path(folder) / "changed.py"
            file.write_text(text, encoding="utf-8")
            asked = False
            for tests in stages(self.root, mutant.path):
                usual = self._baseline(tuple(tests))
                if usual is None:
                    continue  # they fail without a change, and tell nothing
                asked = True
                words = "\n".join((module_name(mutant.path), str(self.root / mutant.path), str(file)))
                code, by = self._tests(tests, max(LEAST, SLACK * usual), POSEWRIGHT_MUTANT=words)
                if code:
                    return "killed", by
        return ("survived" if asked else "no tests"), ""

    def _baseline(self, tests: tuple[str, ...]) -> float | None:
        """Seconds that tests take without a change; None where they fail."""
        with self._guard:
            lock = self._locks.setdefault(tests, threading.Lock())
        with lock:
            if tests not in self._baselines:
                began = time.monotonic()
                code, by = self._tests(list(tests), 1800.0)
                if code:
                    self.note(f"without a change {by} fails: {len(tests)} files of tests are left out")
                self._baselines[tests] = None if code else time.monotonic() - began
            return self._baselines[tests]

    def _tests(self, tests: list[str], seconds: float, **more: str) -> tuple[int, str]:
        """The status of a list of tests, and the first that failed."""
        environment = os.environ | more
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, (str(OVERLAY), os.environ.get("PYTHONPATH")))
        )
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header",
                   "--tb=no", "-rfE", *PLAIN, *tests]  # fmt: skip
        process = subprocess.Popen(
            command, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            end(process)
            process.communicate()
            return 1, "time"
        if process.returncode == 5:  # nothing was collected, or all was skipped
            return 0, ""
        failed = [
            line.split(" ", 1)[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))
        ]
        return process.returncode, (failed or ["the process ended"])[0].split(" - ")[0]


def end(process: "subprocess.Popen[str]") -> None:
    """End a process and all it started."""
    if hasattr(os, "killpg"):
        import signal

        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
