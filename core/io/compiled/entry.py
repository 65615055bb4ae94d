"""Compiled clips; `core.clips.compiled` writes them."""

from pathlib import Path
from typing import Any

from core.io.format import Format
from core.io.loaded import Loaded
from core.progress import Progress


def _read(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.compiled.read import read

    return read(path, progress)


def _is_compiled(head: bytes) -> bool:
    return head[:6] == b"PWCLIP"


FORMAT = Format(
    id="compiled", title="Compiled clip", suffixes=(".pwclip",), sniff=_is_compiled, read=_read, curves=True
)
