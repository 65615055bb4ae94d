"""JSON from untrusted files."""

import json
from pathlib import Path
from typing import Any

from core.errors import FormatError

MOST_PARTS = 3_000_000
"""More objects and lists than this are refused: they would fill the memory."""


def parse_object(raw: bytes, path: Path, where: str) -> dict[str, Any]:
    """Parse UTF-8 JSON with an object at the top.

    Raises
    ------
    FormatError
        Naming line and column.
    """
    if raw.count(b"{") + raw.count(b"[") > MOST_PARTS or raw.count(b",") > 4 * MOST_PARTS:
        raise FormatError(path, where, f"it holds more than {MOST_PARTS} parts")
    try:
        document = json.loads(raw.decode("utf-8-sig").rstrip("\0 \r\n\t"))
    except UnicodeDecodeError as error:
        raise FormatError(path, f"{where} byte {error.start}", "expected UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise FormatError(path, f"{where} line {error.lineno} column {error.colno}", error.msg) from None
    except RecursionError:
        raise FormatError(path, where, "its parts are nested too deeply") from None
    except ValueError as error:  # a number of ten thousand digits
        raise FormatError(path, where, str(error)) from None
    if not isinstance(document, dict):
        raise FormatError(path, where, "expected an object at the top")
    return document
