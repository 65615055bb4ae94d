"""Spares a start what PySide6 does for a feature that this program does not use, and what it compiles each time.

From the first import of PySide6 on, it stands between every import statement and Python, and reads the source file of
every module that is imported, of any package, to see whether that module could use
``from __feature__ import snake_case``: a thousand files, an eighth of all imports' time, and 24 MB that Python's
`linecache` then keeps; its own import in place of Python's costs another sixteenth. Nothing here imports
``__feature__``. Its support modules are source texts inside its library, which it compiles at each start.
"""

import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, ModuleType
from typing import Any

SCANNER, FUNCTION = "shibokensupport.feature", "_mod_uses_pyside"
Compiler = Callable[[str | bytes, str], CodeType]


def skip_feature_scan(compiler: Compiler | None = None) -> bool:
    """Have modules that are imported from now on not read again as text; whether this PySide6 could be told so.

    Where a later PySide6 has no such function any more, everything works as before, only slower.

    Parameters
    ----------
    compiler : compiles a module's text under a name, as `ClassCode.compiled` does; None leaves it to Python
    """
    with _compiling(compiler):
        import PySide6.QtCore  # noqa: F401 - it brings the scanner

    scanner = sys.modules.get(SCANNER)
    if scanner is None or not callable(getattr(scanner, FUNCTION, None)):
        return False
    setattr(scanner, FUNCTION, _uses_no_feature)
    own, before = vars(builtins).get("__feature_import__"), vars(builtins).get("__orig_import__")
    if before is not None and builtins.__import__ is own:
        builtins.__import__ = before
    return True


@contextmanager
def _compiling(compiler: Compiler | None) -> Iterator[None]:
    """Texts of whole modules are compiled by `compiler` meanwhile."""
    if compiler is None:
        yield
        return
    plain: Any = builtins.compile

    def compiled(source: Any, filename: Any, mode: str, *flags: Any, **named: Any) -> Any:
        if mode == "exec" and not flags and not named and isinstance(source, str | bytes):
            return compiler(source, filename)
        return plain(source, filename, mode, *flags, **named)

    builtins.compile = compiled
    try:
        yield
    finally:
        builtins.compile = plain


def _uses_no_feature(module: ModuleType) -> bool:
    return False
