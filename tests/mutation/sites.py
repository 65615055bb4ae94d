"""Where a file can be changed, and how: never in annotations, decorators, messages of errors or logging."""

import ast
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator

from tests.mutation.operators import operators

QUIET_CALLS = {"log", "tr", "Field"}
"""Names whose calls are words for people, not behaviour that a number or an operator in them changes."""
NOT_MUTATED = ("__init__.py", "__main__.py")


LEAVES = ("name", "keyword", "string", "number", "operator")
"""Types of nodes without parts."""
LEAVES_OF = {
    "keyword": "ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd ReplaceBreakWithContinue "
    "ReplaceContinueWithBreak".split(),
    "name": "SwapSide IgnoreModifier IgnoreQtModifier".split(),
    "string": "SwapSideText WrongUndoLabel".split(),
    "number": "NumberReplacer DropFactor OtherAxis".split(),
}
"""The changes that are made at leaves: it takes long to show each change each node of a package."""


def kind(operator: Operator) -> str:
    """The nodes at which a change can be made: a type of `LEAVES`, or ``inner``."""
    name = type(operator).__name__
    if name.startswith("ReplaceBinaryOperator"):
        return "operator"
    return next((leaf for leaf, names in LEAVES_OF.items() if name in names), "inner")


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    Attributes
    ----------
    path : of the file, relative to the checkout, with slashes
    operator : the change's class; what a user notices, where the change was thought of by hand
    occurrence : which of the places of this operator in this file, from 0
    line, column : where, from 1 and from 0
    old, new : the text that stands there and the one that takes its place, where the change was thought of by hand
    """

    path: str
    operator: str
    occurrence: int
    line: int
    column: int = 0
    old: str = ""
    new: str = ""

    @property
    def key(self) -> str:
        texts = f":{self.old!r}→{self.new!r}" if self.old else ""
        return f"{self.path}:{self.line}:{self.operator}:{self.occurrence}{texts}"


def files(root: Path, paths: Iterable[str]) -> list[Path]:
    """The Python files below paths that can be changed; compiled kernels cannot, their twins can.

    Raises
    ------
    FileNotFoundError
        A path that is not there, by name.
    """
    found = _below(root, paths, "*.py", "a folder or file such as core/tracks")
    return [f for f in found if f.name not in NOT_MUTATED and not f.name.startswith("kernel_")]


def tests(root: Path, paths: Iterable[str]) -> list[str]:
    """The names of the test files below paths.

    Raises
    ------
    FileNotFoundError
        A path that is not there, by name.
    """
    found = _below(root, paths, "test_*.py", "test files or folders such as tests/core")
    return sorted(p.relative_to(root).as_posix() for p in found)


def _below(root: Path, paths: Iterable[str], pattern: str, wanted: str) -> list[Path]:
    """The files below paths, in order; ``wanted`` says in the error what to name."""
    found: list[Path] = []
    for name in paths:
        path = root / name
        if not path.exists():
            raise FileNotFoundError(f"{name} is not in the checkout; name {wanted}")
        found += sorted(path.rglob(pattern)) if path.is_dir() else [path]
    return found


def places(source: str) -> dict[tuple[int, int], list[tuple[Operator, int]]]:
    """Every place of a file, as (line from 1, column), with the changes that can be made there."""
    barred = _barred(source)
    tree = get_ast(source)
    nodes: dict[str, list] = defaultdict(list)
    for node in ast_nodes(tree):
        nodes[node.type if node.type in LEAVES else "inner"].append(node)
    made: dict[tuple[int, int], list[tuple[Operator, int]]] = defaultdict(list)
    for operator in operators():
        occurrence = 0
        for node in nodes[kind(operator)]:
            for start, _ in operator.mutation_positions(node):
                if not any(first <= start < last for first, last in barred):
                    made[start].append((operator, occurrence))
                occurrence += 1
    return dict(made)


def sample(root: Path, found: list[Path], count: int | None, seed: int) -> list[Mutant]:
    """Changes at ``count`` places of the files, each place as likely as any other and at each one change.

    Parameters
    ----------
    count : None takes every change of every place
    """
    everywhere = []
    for path in found:
        name = path.relative_to(root).as_posix()
        for (line, column), ways in places(path.read_text(encoding="utf-8")).items():
            everywhere.append([Mutant(name, type(op).__name__, n, line, column) for op, n in ways])
    if count is None:
        return [mutant for ways in everywhere for mutant in ways]
    dice = random.Random(seed)
    chosen = dice.sample(everywhere, min(count, len(everywhere)))
    return [dice.choice(ways) for ways in chosen]


def changed(source: str, mutant: Mutant) -> str | None:
    """The file's text with the change made; None where it makes no other program."""
    text = _by_hand(source, mutant) if mutant.old else _by_operator(source, mutant)
    if text is None:
        return None
    try:
        same = ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
        compile(text, mutant.path, "exec", dont_inherit=True)
    except SyntaxError:  # such as two arguments of one name
        return None
    return None if same else text


def _by_operator(source: str, mutant: Mutant) -> str | None:
    operator = next(op for op in operators() if type(op).__name__ == mutant.operator)
    return mutate_code(source, operator, mutant.occurrence)


def _by_hand(source: str, mutant: Mutant) -> str | None:
    start = sum(map(len, source.splitlines(keepends=True)[: mutant.line - 1])) + mutant.column
    if not source.startswith(mutant.old, start):
        return None
    return source[:start] + mutant.new + source[start + len(mutant.old) :]


def _barred(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Stretches, as (line, column) from and to, that are not changed."""
    barred = []

    def bar(node: ast.AST | None) -> None:
        if node is not None:
            barred.append(((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)))

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg):
            bar(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            bar(node.returns)
        elif isinstance(node, ast.AnnAssign):
            bar(node.annotation)
        elif isinstance(node, ast.Raise):
            bar(node.exc)
        elif isinstance(node, ast.Assert | ast.Import | ast.ImportFrom) or _quiet(node):
            bar(node)
        for decorator in getattr(node, "decorator_list", ()):
            bar(decorator)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module) and ast.get_docstring(node):
            bar(node.body[0])
    return barred


def _quiet(node: ast.AST) -> bool:
    """Whether a node is for type checkers alone, or words for people."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[0] in QUIET_CALLS
