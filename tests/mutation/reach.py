"""Which tests come to which statement: found once by running them, kept in a file, asked for each change."""

import ast
import hashlib
import json
import marshal
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Set
from pathlib import Path

from tests.mutation.choice import module_name
from tests.mutation.reached import FOLDER
from tests.mutation.sites import Mutant, files

Span = tuple[int, int, int, int]
"""Of a statement: line from 1 and column, and those of its end."""


def digest(path: Path) -> str:
    """A short name of a file's text."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


class _Marks(ast.NodeTransformer):
    """Put ``__reached__[n] = 1`` before each statement; tell which run at import, outside of functions."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.spans: list[Span] = []
        self.imported: list[bool] = []
        self._functions = 0

    def marked(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for place, statement in enumerate(body):
            words = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if not (place == 0 and words) and not future:
                mark = ast.parse(f"__reached__[{self.first + len(self.spans)}] = 1").body[0]
                for node in ast.walk(mark):
                    if hasattr(node, "lineno"):
                        ast.copy_location(node, statement)
                end = statement.end_lineno or statement.lineno, statement.end_col_offset or 0
                self.spans.append((statement.lineno, statement.col_offset, *end))
                self.imported.append(not self._functions)
                out.append(mark)
            out.append(self.visit(statement))
        return out

    def generic_visit(self, node: ast.AST) -> ast.AST:
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        self._functions += function
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                setattr(node, name, self.marked(body))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            self.visit(part)
        self._functions -= function
        return node


class Reach:
    """What the tests of a checkout reach.

    Parameters
    ----------
    path : the file where it is kept
    spans : by source file, its statements with their numbers
    digests : of the source files
    seconds : by test, its seconds of processor; those that passed only
    tests : by number, the tests that reach it
    asked : by test file that was run, its digest and the source files that it was asked about
    imported : numbers of statements that run at import, before any test: constants and defaults
    marked : the source files that tests are asked about now, see `prepare`
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.spans: dict[str, list[tuple[Span, int]]] = {}
        self.digests: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        self.tests: dict[int, set[str]] = defaultdict(set)
        self.asked: dict[str, tuple[str, set[str]]] = {}
        self.imported: set[int] = set()
        self.count = 0
        self.marked: list[str] = []
        self._lock = threading.Lock()
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._take(json.loads(line))

    def _take(self, words: dict) -> None:
        if "source" in words:
            self._take_source(words["source"], words["digest"], words["spans"])
        elif "asked" in words:
            self._take_tests(words["asked"], words["digest"], words["sources"], words["tests"])

    def _take_source(self, name: str, mark: str, spans: list[list[int]]) -> None:
        """A source file that is new or was changed: test files that came to the older text are asked again."""
        reached: set[str] = set().union(*(self.tests.pop(n, set()) for _, n in self.spans.get(name, ())))
        for file in {test.split("::", 1)[0] for test in reached}:
            self.asked[file][1].discard(name)
        self.digests[name] = mark
        self.spans[name] = [(tuple(span), n) for *span, n in spans]
        self.count = max([self.count, *(n + 1 for _, n in self.spans[name])])

    def _take_tests(self, file: str, mark: str, sources: list[str], tests: list[dict]) -> None:
        """What the tests of a file reach of these source files; what is known of other sources stays."""
        before, known = self.asked.get(file, ("", set()))
        self.asked[file] = (mark, {*sources, *(known if before == mark else ())})
        passed = {test["test"]: test for test in tests if test["passed"]}
        self.forget(file, keep=set(passed))
        numbers = {n for name in sources for _, n in self.spans[name]}
        for number in numbers if before else ():
            self.tests[number] -= passed.keys()
        for name, test in passed.items():
            self.seconds[name] = test["seconds"]
            for number in numbers.intersection(test["reached"]):
                self.tests[number].add(name)

    def _keep(self, words: dict) -> None:
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            self._take(words)
            file.write(json.dumps(words) + "\n")

    def forget(self, file: str, keep: Set[str] = frozenset()) -> None:
        """Leave out what the tests of a file reached, but for those to keep."""
        gone = {test for test in self.seconds if test.split("::", 1)[0] == file} - keep
        for test in gone:
            del self.seconds[test]
        for tests in self.tests.values() if gone else ():
            tests -= gone

    def unknown(self, root: Path, paths: Iterable[str], tests: Iterable[str]) -> list[str]:
        """Those of the test files that were not yet asked, as they are now, about all of the source files."""
        sources = {path.relative_to(root).as_posix() for path in files(root, paths)}
        fresh = []
        for name in tests:
            mark, known = self.asked.get(name, ("", set()))
            if mark != digest(root / name) or not sources <= known:
                fresh.append(name)
        return fresh

    def leave_out_changed(self, root: Path) -> None:
        """Forget what the tests of changed files reached: one that is gone would count as one that failed."""
        for name, (mark, _) in self.asked.items():
            if not (root / name).exists() or digest(root / name) != mark:
                self.forget(name)

    def prepare(self, root: Path, paths: Iterable[str], folder: Path) -> None:
        """Write the modules that mark what they reach into a folder; number those that are new or changed."""
        self.marked = []
        for path in files(root, paths):
            name = path.relative_to(root).as_posix()
            known = self.spans.get(name) if self.digests.get(name) == digest(path) else None
            marks = _Marks(known[0][1] if known else self.count)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            marks.visit(tree)
            self.imported |= {marks.first + n for n, outer in enumerate(marks.imported) if outer}
            code = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
            (folder / f"{module_name(name)}.code").write_bytes(marshal.dumps(code))
            if known is None:
                spans = [(*span, marks.first + n) for n, span in enumerate(marks.spans)]
                self._keep({"source": name, "digest": digest(path), "spans": spans})
            self.marked.append(name)
        (folder / "count").write_text(f"{self.count}\n{root}", encoding="utf-8")

    def learn(
        self,
        root: Path,
        tests: list[str],
        folder: Path,
        run: Callable[[list[str], dict[str, str]], object],
    ) -> None:
        """Run test files in one go and keep what they reach; nothing where that is broken off.

        Parameters
        ----------
        folder : see `prepare`
        run : runs the files with variables of the environment and the plugin `tests.mutation.reached`
        """
        answers = folder / "answers"
        answers.mkdir()
        run(tests, {"POSEWRIGHT_REACH": str(folder), FOLDER: str(answers)})
        found: dict[str, dict[str, dict]] = defaultdict(dict)
        for file in sorted(answers.glob("*.jsonl")):
            for line in file.read_text(encoding="utf-8").splitlines():
                words = json.loads(line)
                found[words["test"].split("::", 1)[0]][words["test"]] = words
        for left in folder.glob("child-*"):
            test, _, numbers = left.read_text(encoding="utf-8").partition("\n")
            test = test.rpartition(" (")[0]
            words = found[test.split("::", 1)[0]].get(test)
            if words is not None:
                words["reached"] = sorted({*words["reached"], *map(int, numbers.split())})
        for name in tests:
            self._keep({"asked": name, "digest": digest(root / name), "sources": self.marked,
                        "tests": list(found[name].values())})  # fmt: skip

    def statement(self, mutant: Mutant) -> int | None:
        """The number of the smallest statement that a change is in."""
        place = (mutant.line, mutant.column)
        inside = [(span, n) for span, n in self.spans.get(mutant.path, ()) if span[:2] <= place < span[2:]]
        return max(inside)[1] if inside else None

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that come to a change.

        What runs at import runs before any test: to a default of a function come those that come to its body, to a
        constant those that come to the file.
        """
        number = self.statement(mutant)
        if number is None:
            return []
        if number not in self.imported:
            return sorted(self.tests.get(number, ()))
        spans = self.spans[mutant.path]
        whole = next(span for span, n in spans if n == number)
        parts = [n for span, n in spans if n != number and whole[:2] <= span[:2] and span[2:] <= whole[2:]]
        tests = {test for n in parts or [n for _, n in spans] for test in self.tests.get(n, ())}
        return sorted(tests | self.tests.get(number, set()))
