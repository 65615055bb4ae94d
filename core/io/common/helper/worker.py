"""What every helper process that reads a format does: ``python -m core.io.<format>.worker IN OUT.npz``.

OUT is a path, or ``fd:N`` for a descriptor that is open already: then the process fences itself in before it reads,
so that it can write nothing else (`fence`). It writes one ``.npz``: arrays, and among them ``json``, the bytes of a
JSON text that refers to the arrays by name (see `packet`). A file that cannot be read gives ``{"error": …}`` and exit
status 3. A crash, too much memory or too much time hurt this process only, which is the point of it.
"""

import gc
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

gc.disable()

import numpy as np  # noqa: E402 - the collector must be off before anything of the format's library is made

from core.io.common.helper import fence  # noqa: E402
from core.io.common.helper.packet import (  # noqa: E402
    MEGABYTES_VARIABLE,
    PARENT_VARIABLE,
    PROCESSOR_VARIABLE,
    REFUSED,
)

Collect = Callable[[str], tuple[dict[str, Any], dict[str, Any]]]


def _limit() -> None:
    """Hold this process within the memory and processor time it was given, as far as the system can.

    macOS takes the limit of memory and does not hold it: there the parent looks on (`packet`).
    """
    megabytes = int(os.environ.get(MEGABYTES_VARIABLE, "1536"))
    seconds = int(float(os.environ.get(PROCESSOR_VARIABLE, "30"))) + 1
    fence.limit_files(megabytes)
    try:
        import resource
    except ImportError:  # Windows
        from core.io.common.helper import job

        with suppress(OSError):
            job.hold(megabytes, seconds)
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main(words: list[str], collect: Collect) -> int:
    """Read one file, write one packet; the exit status."""
    source, target = words
    parent = os.environ.get(PARENT_VARIABLE, "")
    if parent.isdigit():
        fence.end_with(int(parent))
    _limit()
    out: Any = target
    if target.startswith("fd:"):
        out = os.fdopen(int(target[3:]), "wb", closefd=False)
        fence.close()
    arrays: dict[str, Any]
    try:
        told, arrays = collect(source)
        status = 0
    except MemoryError:
        told, arrays, status = {"error": "it needs more memory than a file is allowed"}, {}, REFUSED
    except Exception as error:
        words_of_error = str(error) or type(error).__name__
        told, arrays, status = {"error": words_of_error[:500]}, {}, REFUSED
    text = json.dumps(told).encode("utf-8")
    np.savez(out, json=np.frombuffer(text, np.uint8), **arrays)
    if out is not target:
        out.flush()
    return status


def leave(collect: Collect) -> None:
    """Do what the command line says, and leave without tidying up."""
    code = 1
    try:
        code = main(sys.argv[1:], collect)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
