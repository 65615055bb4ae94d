"""Which tests are asked about a file: its mirror first, then its folder's and those that name the module."""

from functools import cache
from pathlib import Path


@cache
def _test_texts(root: Path) -> dict[str, str]:
    tests = sorted((root / "tests").rglob("test_*.py"))
    return {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in tests}


def module_name(path: str) -> str:
    """The module of a file: ``core.ik.ccd`` for ``core/ik/ccd.py``."""
    return path.removesuffix(".py").replace("/", ".")


def package(path: str) -> str:
    """The package a file is counted under: two names, ``core/ik``; single modules under their folder."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def stages(root: Path, path: str) -> list[list[str]]:
    """Lists of test files for a source file, the nearest first; each test file is in one list only.

    1. the mirror: ``tests/core/ik/test_ccd.py`` for ``core/ik/ccd.py``;
    2. the tests of the mirrored folder, and those that import the module by name;
    3. the tests of the folder above, where there is one below ``tests/core`` or ``tests/editor``.
    """
    texts = _test_texts(root)
    source = Path(path)
    folder = f"tests/{source.parent.as_posix()}/"
    above = f"tests/{source.parent.parent.as_posix()}/"
    mirror = f"{folder}test_{source.stem}.py"
    module = module_name(path)
    parent, _, stem = module.rpartition(".")
    named = {n for n, text in texts.items() if module in text or f"from {parent} import {stem}" in text}
    if above.count("/") < 3:
        above = folder
    chosen: list[list[str]] = []
    seen: set[str] = set()
    for group in (
        {mirror} & set(texts),
        {name for name in texts if name.startswith(folder)} | named,
        {name for name in texts if name.startswith(above) and Path(name).parent.as_posix() + "/" == above},
    ):
        fresh = sorted(group - seen)
        seen |= group
        if fresh:
            chosen.append(fresh)
    return chosen
