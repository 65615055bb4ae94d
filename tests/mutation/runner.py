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
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from typing import TextIO

from tests.mutation.choice import module_name, package, stages
from tests.mutation.reach import Reach
from tests.mutation.sites import Mutant, changed
from tests.mutation.swap import NOT_EXCHANGED

OVERLAY = Path(__file__).parent / "overlay"
LEAST = 60.0
"""Seconds that any list of tests may take at least."""
PLAIN = ("--no-xvfb",)
"""Options of this project's tests: the harness has a screen already."""
SLACK = 4.0
"""A changed program may take this many times as long as the program as it is."""
BUSY = 20.0
"""Seconds by the clock for each of the processor, at most, where others use the machine too: what waits is no fault;
what turns for ever is ended by its seconds of processor."""
SETTLING = 20.0
"""Seconds of processor beside those of the tests: collecting and importing."""
FIRST = 4.0
"""Seconds that the first tests asked about a change take without it."""
MOST = 60.0
"""Seconds of tests after which no more lists of them are asked about one change, unless it is told otherwise."""


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
    reach : which tests come to what; None asks the tests that `stages` names
    again : survivors of earlier runs are asked anew, because there are more tests now
    most : see `batches`
    """

    def __init__(
        self,
        root: Path,
        session: Session,
        workers: int,
        note: Callable[[str], None],
        reach: Reach | None = None,
        again: bool = False,
        most: float = MOST,
    ) -> None:
        self.root, self.session, self.workers, self.note = root, session, workers, note
        self.reach, self.again, self.most = reach, again, most
        self._baselines: dict[tuple[str, ...], float | None] = {}
        self._locks: dict[tuple[str, ...], threading.Lock] = {}
        self._guard = threading.Lock()
        self._warm: Queue[Warm] = Queue()
        self._swap: Queue[Warm] = Queue()
        self._exchanging = False
        self._unfit: dict[str, bool] = {}

    def run(self, mutants: list[Mutant]) -> list[Outcome]:
        """The outcomes, of this run and of those before, in the order of the changes."""
        done = 0
        outcomes = []
        packages = {package(m.path) for m in mutants}
        near = {t.split("::", 1)[0] for m in mutants for t in self.reach.of(m)} if self.reach else set()
        with self._processes(packages, near), ThreadPoolExecutor(self.workers) as pool:
            for outcome in pool.map(self._one, mutants):
                outcomes.append(outcome)
                done += 1
                words = f"{done}/{len(mutants)} {outcome.result:9} {outcome.mutant.key} {outcome.by}"
                self.note(words)
        return outcomes

    def learn(self, paths: list[str], tests: list[str]) -> None:
        """Find what test files reach; what is known of those that have not changed is not asked again."""
        assert self.reach is not None
        reach = self.reach
        with tempfile.TemporaryDirectory(prefix="posewright-reach-") as made:
            folder = Path(made)
            reach.prepare(self.root, paths, folder)
            reach.leave_out_changed(self.root)
            fresh = reach.unknown(self.root, paths, tests)
            if fresh:
                reach.learn(self.root, fresh, folder, self._all_of)

    def _all_of(self, tests: list[str], environment: dict[str, str]) -> None:
        """Run test files in one session, each file in one process; pytest tells how far it is."""
        spread = ["-n", str(self.workers), "--dist", "loadfile"] if len(tests) > 1 else []
        words = ["-q", "-p", "no:cacheprovider", "-p", "tests.mutation.reached", "--tb=line", *spread, *tests]
        more = {"HYPOTHESIS_PROFILE": "mutants", "LIBGL_ALWAYS_SOFTWARE": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words], cwd=self.root, env=environment_of() | more | environment
        )
        if done.returncode not in (0, 1):  # a test that fails reaches something all the same
            raise RuntimeError(f"the tests were not run to their end (status {done.returncode}), see above")

    @contextlib.contextmanager
    def _processes(self, packages: set[str], tests: set[str] = frozenset()) -> Iterator[None]:  # type: ignore[assignment]
        """Warm processes as long as a run takes, each with a screen of its own; none where there is no fork.

        Parameters
        ----------
        tests : files of tests that are collected once, for changes that can be exchanged in a process
        """
        if not hasattr(os, "fork") or self.reach is None:
            yield
            return
        with contextlib.ExitStack() as stack:
            for warm in stack.enter_context(warm_processes(self.root, packages, self.workers)):
                self._warm.put(warm)
            if tests:
                swapping = warm_processes(self.root, set(tests), self.workers, "tests.mutation.swap")
                for warm in stack.enter_context(swapping):
                    self._swap.put(warm)
                self._exchanging = True
            yield
            self._exchanging = False
            self._warm, self._swap = Queue(), Queue()

    def _one(self, mutant: Mutant) -> Outcome:
        source = (self.root / mutant.path).read_text(encoding="utf-8")
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        known = self.session.outcomes.get((mutant.key, digest))
        if known is not None and not (self.again and known.result in ("survived", "no tests")):
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
            words = "\n".join((module_name(mutant.path), str(self.root / mutant.path), str(file)))
            asked = False
            exchanged = self._exchanging
            for tests, limits in self._lists(mutant):
                asked = True
                code, by = NOT_EXCHANGED, ""
                if exchanged:
                    code, by = self._exchanged(tests, limits, {"POSEWRIGHT_MUTANT": words})
                    exchanged = code != NOT_EXCHANGED
                if code == NOT_EXCHANGED:
                    code, by = self._tests(tests, limits, {"POSEWRIGHT_MUTANT": words})
                if code and by not in tests and by != "time":
                    self.note(f"? {by}")
                if code:
                    return "killed", by
        return ("survived" if asked else "no tests"), ""

    def _exchanged(
        self, tests: list[str], limits: tuple[float, float], change: dict[str, str]
    ) -> tuple[int, str]:
        """As `_tests`, in a process that exchanges the changed functions.

        A test that fails there without a change too, and so tells nothing, is left out from then on.
        """
        left = [test for test in tests if not self._unfit.get(test)]
        while left:
            code, by = self._tests(left, limits, change, server=self._swap)
            if not code or code == NOT_EXCHANGED or by not in left:
                return code, by
            if by not in self._unfit:
                self._unfit[by] = bool(self._tests([by], (LEAST, LEAST), {}, server=self._swap)[0])
                if self._unfit[by]:
                    self.note(f"{by} fails without a change too where functions are exchanged")
            if not self._unfit[by]:
                return code, by
            left.remove(by)
        return 0, ""

    def _lists(self, mutant: Mutant) -> Iterator[tuple[list[str], tuple[float, float]]]:
        """Lists of tests in the order in which they are asked, with the seconds of processor and clock for each."""
        if self.reach is not None:
            near = stages(self.root, mutant.path)
            for tests in batches(self.reach.of(mutant), self.reach.seconds, near, self.most):
                usual = SLACK * sum(map(self.reach.seconds.__getitem__, tests))
                yield tests, (usual + SETTLING, BUSY * usual + 5.0 * LEAST)
            return
        for tests in stages(self.root, mutant.path):
            usual = self._baseline(tuple(tests))
            if usual is not None:  # else they fail without a change, and tell nothing
                yield tests, (max(LEAST, SLACK * usual),) * 2

    def _baseline(self, tests: tuple[str, ...]) -> float | None:
        """Seconds that tests take without a change; None where they fail."""
        with self._guard:
            lock = self._locks.setdefault(tests, threading.Lock())
        with lock:
            if tests not in self._baselines:
                began = time.monotonic()
                code, by = self._tests(list(tests), (1800.0, 1800.0), {})
                if code:
                    self.note(f"without a change {by} fails: {len(tests)} files of tests are left out")
                self._baselines[tests] = None if code else time.monotonic() - began
            return self._baselines[tests]

    def _tests(
        self,
        tests: list[str],
        limits: tuple[float, float],
        environment: dict[str, str],
        server: "Queue[Warm] | None" = None,
    ) -> tuple[int, str]:
        """The status of a list of tests, and the first that failed."""
        options = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "-rfE", *PLAIN]
        if self._warm.empty() and not self.reach:
            code, output = cold(self.root, [*options, *tests], environment, limits[1])
        else:
            servers = server or self._warm
            warm = servers.get()
            try:
                code, output = warm.ask(tests, options, environment, limits)
            finally:
                servers.put(warm)
        if code == NOT_EXCHANGED:
            return code, ""
        if code is None:
            return 1, "time"
        if code == 5:  # nothing was collected, or all was skipped
            return 0, ""
        failed = [
            line.split(" ", 1)[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))
        ]
        return code, (failed or ["the process ended"])[0].split(" - ")[0]


def batches(
    tests: list[str], seconds: dict[str, float], near: list[list[str]], most: float = MOST
) -> Iterator[list[str]]:
    """Tests in lists: first the quick ones of the nearest files, then more.

    Parameters
    ----------
    seconds : what each takes without a change
    near : see `stages`
    most : seconds of tests after which no more lists are given
    """
    place = {name: n for n, names in enumerate(near) for name in names}
    left = sorted(tests, key=lambda t: (seconds[t] + 1.5 * place.get(t.split("::", 1)[0], 3), t))
    budget, spent = FIRST, 0.0
    while left and spent < most:
        batch: list[str] = []
        used = 0.0
        while left and (not batch or used + seconds[left[0]] <= budget):
            used += seconds[left[0]]
            batch.append(left.pop(0))
        spent += used
        budget *= 3.0
        yield batch


def cold(root: Path, words: list[str], more: dict[str, str], seconds: float) -> tuple[int | None, str]:
    """Run pytest in a new process: its status, None where it took too long, and what it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *words], cwd=root, env=environment_of() | more, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end(process)
        process.communicate()
        return None, ""
    return process.returncode, output


def environment_of() -> dict[str, str]:
    """The environment of processes that run tests."""
    path = os.pathsep.join(filter(None, (str(OVERLAY), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path}
    environment.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # the changed module's is never written, all others' help
    return environment


class Warm:
    """One of the servers of `tests.mutation.warm`, with a screen of its own.

    Parameters
    ----------
    asks, answers : pipes to and from the server
    """

    def __init__(self, asks: TextIO, answers: TextIO) -> None:
        self._asks, self._answers = asks, answers
        self._stack = contextlib.ExitStack()
        self._number = 0

    def __enter__(self) -> "Warm":
        self._screen: dict[str, str] = {}
        if sys.platform.startswith("linux"):
            from pyvirtualdisplay.display import Display

            display = Display(visible=False, size=(1920, 1080), manage_global_env=False,
                              extra_args=["-noreset", "+extension", "GLX"])  # fmt: skip
            self._stack.enter_context(display)
            self._screen = {"DISPLAY": f":{display.display}"}
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="posewright-warm-")))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ask(self, tests: list[str], options: list[str], environment: dict[str, str],
            limits: tuple[float, float]) -> tuple[int | None, str]:  # fmt: skip
        """The status of tests, None where they did not end, and what they printed."""
        self._number += 1
        out, base = self._folder / "output", self._folder / f"base{self._number}"
        more = [f"--basetemp={base}", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        request = {"tests": tests, "options": [*options, *more], "environment": environment | self._screen,
                   "output": str(out), "cpu": limits[0], "wall": limits[1], "folder": str(base)}  # fmt: skip
        out.write_bytes(b"")
        self._asks.write(json.dumps(request) + "\n")
        self._asks.flush()
        answer = self._answers.readline()
        if not answer:
            raise RuntimeError("the process that runs the tests ended, see above")
        return json.loads(answer)["code"], out.read_text(encoding="utf-8", errors="replace")


@contextlib.contextmanager
def warm_processes(
    root: Path, packages: set[str], count: int, module: str = "tests.mutation.warm"
) -> Iterator[list[Warm]]:
    """Start servers that have everything loaded but what imports the packages.

    Parameters
    ----------
    packages : or test files, for the module `tests.mutation.swap`
    """
    environment = environment_of() | {"HYPOTHESIS_PROFILE": "mutants", "LIBGL_ALWAYS_SOFTWARE": "1"}
    if sys.platform.startswith("linux"):
        environment["QT_QPA_PLATFORM"] = "xcb"
    names = sorted(packages)
    pairs = [(os.pipe(), os.pipe()) for _ in range(count)]
    theirs = [fd for asks, answers in pairs for fd in (asks[0], answers[1])]
    words = [f"{asks[0]},{answers[1]}" for asks, answers in pairs]
    process = subprocess.Popen(
        [sys.executable, "-m", module, *words, *names],
        cwd=root, env=environment, pass_fds=theirs, text=True, start_new_session=True,
    )  # fmt: skip
    for fd in theirs:
        os.close(fd)
    with contextlib.ExitStack() as stack:
        stack.callback(process.wait)
        stack.callback(end, process)
        files = [
            (stack.enter_context(os.fdopen(asks[1], "w")), stack.enter_context(os.fdopen(answers[0])))
            for asks, answers in pairs
        ]
        for _, answers in files:
            if answers.readline() != "ready\n":
                raise RuntimeError("the process that runs the tests did not start, see above")
        yield [stack.enter_context(Warm(*pair)) for pair in files]


def end(process: "subprocess.Popen[str]") -> None:
    """End a process and all it started."""
    if hasattr(os, "killpg"):
        import signal

        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
