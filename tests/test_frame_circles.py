"""No module imports itself by way of others: not at run time, not for types, not inside functions."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "editor", "resources")
IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t][^\n(]*(?:\([^)]*\)[^\n]*)?", re.MULTILINE)


def modules(root: Path, packages: Iterable[str]) -> dict[str, Path]:
    """Every module below a folder's packages; a package stands for its ``__init__``."""
    found = {}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def statements(text: str) -> list[ast.stmt]:
    """The imports of a text, wherever they stand in it; parsed by themselves, as most of a text is something else."""
    try:
        return [node for found in IMPORT.finditer(text) for node in ast.parse(found[0].strip(" \t")).body]
    except SyntaxError:  # a sentence that begins like an import, or one that is put over lines in another way
        return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(text: str, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules that a text names in imports, wherever they stand in it."""
    for node in statements(text):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module


def circle(root: Path, packages: Iterable[str]) -> list[str]:
    """The modules of a circle in the order in which they import each other, or none."""
    known = modules(root, packages)
    graph = {
        name: {other for other in imported(path.read_text(encoding="utf-8"), known) if other in known}
        - {name}
        for name, path in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circle(ROOT, PACKAGES) == []


@pytest.mark.parametrize(
    "text",
    [
        "from made.b import x",
        "import made.b",
        "from made import b",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from made.b import x",
        "def f():\n    from made.b import x",
    ],
)
def test_circle_is_found_wherever_the_import_stands(tmp_path: Path, text: str) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "__init__.py").write_text("")
    (tmp_path / "made" / "a.py").write_text(text)
    (tmp_path / "made" / "b.py").write_text("import made.c")
    (tmp_path / "made" / "c.py").write_text("from made.a import y")
    found = circle(tmp_path, ["made"])
    assert found[0] == found[-1] and set(found) == {"made.a", "made.b", "made.c"}
