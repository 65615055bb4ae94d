"""A process that has collected the tests, and forks a child for each change: the child exchanges the changed functions.

``python -m tests.mutation.swap ASKS,ANSWERS… TEST_FILE…`` loads the project and collects the tests of the files once.
Then it forks a server for each pair of pipes, as `tests.mutation.warm` does. Nothing is imported, collected or
compiled again for a change, so a change costs what its tests cost. What runs at import (constants, defaults, bodies
of classes) cannot be exchanged in this way: the answer is `NOT_EXCHANGED`, and the caller asks in another way.
"""

import contextlib
import gc
import json
import os
import shutil
import sys
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.mutation import warm

NOT_EXCHANGED = 77
"""Status of a child that could not make the change."""
OPTIONS = ("-q", "-s", "--no-header", "--tb=no", "--no-xvfb", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0",
           "-W", "ignore::pytest.PytestAssertRewriteWarning")  # fmt: skip

Functions = dict[tuple[str, int], list[FunctionType]]
"""The functions of a file by qualified name and first line."""


def functions() -> dict[str, Functions]:
    """The functions there are, by the file that they are written in."""
    gc.unfreeze()  # the tests' own conftest freezes what it has imported, and what is frozen is not listed
    found: dict[str, Functions] = defaultdict(lambda: defaultdict(list))
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code = thing.__code__
            found[code.co_filename][code.co_qualname, code.co_firstlineno].append(thing)
    return found


def parts(code: CodeType) -> list[CodeType]:
    """The code of the functions, classes and comprehensions that are directly in a piece of code."""
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def own(code: CodeType) -> tuple[object, ...]:
    """What makes a piece of code another one, its parts and lines left out."""
    constants = [(type(c), repr(c)) for c in code.co_consts if not isinstance(c, CodeType)]
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
            code.co_flags, code.co_exceptiontable)  # fmt: skip


def is_function(code: CodeType) -> bool:
    """Whether code is a function's: not a module's, a class's."""
    return bool(code.co_flags & 0x02)  # inspect.CO_NEWLOCALS


def pairs(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions whose code differs, outer ones first; None where what runs at import differs."""
    if is_function(old):
        inner = [(a, b) for a, b in zip(parts(old), parts(new), strict=False) if a.co_name == b.co_name]
        below = [pair for a, b in inner for pair in (pairs(a, b) or [])]
        return [(old, new), *below] if below or own(old) != own(new) else []
    if own(old) != own(new) or len(parts(old)) != len(parts(new)):
        return None
    found: list[tuple[CodeType, CodeType]] = []
    for a, b in zip(parts(old), parts(new), strict=True):
        below = pairs(a, b)
        if below is None:
            return None
        found += below
    return found


def exchange(there: Functions, old: CodeType, new: CodeType) -> bool:
    """Give the functions of a file the code of its changed text; false where that cannot be done."""
    changed = pairs(old, new)
    if not changed:
        return False
    done: list[str] = []
    for before, after in changed:
        nested = any(before.co_qualname.startswith(f"{name}.<locals>.") for name in done)
        found = there.get((before.co_qualname, before.co_firstlineno), [])
        if not found and not nested:
            return False
        for function in found:
            try:
                function.__code__ = after
            except ValueError:  # another number of variables of the outer function
                if not nested:
                    return False
        done.append(before.co_qualname)
    return True


class Server:
    """A plugin of pytest that answers requests in the place of running the tests.

    A request is that of `tests.mutation.warm.serve`; the tests that are not there are left out.
    """

    def __init__(self, numbers: list[tuple[int, int]]) -> None:
        self.numbers = numbers
        self.failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.functions = functions()
        gc.collect()
        gc.freeze()
        children = []
        for asks, answers in self.numbers:
            pid = os.fork()
            if pid == 0:
                for pair in self.numbers:
                    for fd in set(pair) - {asks, answers}:
                        os.close(fd)
                self.serve(session, asks, answers)
                os._exit(0)
            children.append(pid)
        for pair in self.numbers:
            for fd in pair:
                os.close(fd)
        for pid in children:
            os.waitpid(pid, 0)
        return True

    def serve(self, session: pytest.Session, asks: int, answers: int) -> None:
        out = os.fdopen(answers, "w")
        print("ready", file=out, flush=True)
        for line in os.fdopen(asks):
            request = json.loads(line)
            pid = os.fork()
            if pid == 0:
                code = 99
                with contextlib.suppress(BaseException):
                    code = self.child(session, request)
                os._exit(code)
            print(json.dumps({"code": warm.wait(pid, request["wall"])}), file=out, flush=True)
            shutil.rmtree(request["folder"], ignore_errors=True)

    def child(self, session: pytest.Session, request: dict[str, Any]) -> int:
        warm.settle(request)
        if not self.changed(request["environment"]):
            return NOT_EXCHANGED
        session.config.option.basetemp = request["folder"]
        session.config._tmp_path_factory._given_basetemp = Path(request["folder"])  # type: ignore[attr-defined]
        items = [self.items[name] for name in request["tests"] if name in self.items]
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                Path(request["output"]).write_text(f"FAILED {self.failed}\n", encoding="utf-8")
                return 1
        return 0

    def changed(self, environment: dict[str, str]) -> bool:
        """Make the change that the environment names, if any: see `tests/mutation/overlay`."""
        if "POSEWRIGHT_MUTANT" not in environment:
            return True
        name, path, text = environment["POSEWRIGHT_MUTANT"].split("\n")
        if name not in sys.modules:
            return True  # the finder of the overlay changes it when it is imported
        old, new = (compile(Path(p).read_text(encoding="utf-8"), path, "exec", dont_inherit=True)
                    for p in (path, text))  # fmt: skip
        return exchange(self.functions.get(path, {}), old, new)


def main() -> int:
    """Load everything, collect the tests, then serve."""
    numbers = [tuple(map(int, word.split(","))) for word in sys.argv[1:] if word[0].isdigit()]
    names = [word for word in sys.argv[1:] if not word[0].isdigit()]
    warm.preload([])
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
    return int(pytest.main([*OPTIONS, *names], plugins=[Server(numbers)]))  # type: ignore[arg-type]


if __name__ == "__main__":
    raise SystemExit(main())
