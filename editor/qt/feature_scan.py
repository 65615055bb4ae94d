"""Spares a start what PySide6 does for a feature that this program does not use.

From the first import of PySide6 on, it reads the source file of every module that is imported, of any package, to see
whether that module could use ``from __feature__ import snake_case``: a thousand files, an eighth of all imports' time,
and 24 MB that Python's `linecache` then keeps. Nothing here imports ``__feature__``.
"""

import sys
from types import ModuleType

SCANNER, FUNCTION = "shibokensupport.feature", "_mod_uses_pyside"


def skip_feature_scan() -> bool:
    """Have modules that are imported from now on not read again as text; whether this PySide6 could be told so.

    Where a later PySide6 has no such function any more, everything works as before, only slower.
    """
    import PySide6.QtCore  # noqa: F401 - it brings the scanner

    scanner = sys.modules.get(SCANNER)
    if scanner is None or not callable(getattr(scanner, FUNCTION, None)):
        return False
    setattr(scanner, FUNCTION, _uses_no_feature)
    return True


def _uses_no_feature(module: ModuleType) -> bool:
    return False
