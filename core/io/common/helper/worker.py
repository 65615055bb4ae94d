"""What every helper process that reads a format does: ``python -m core.io.<format>.worker IN OUT.npz``.

OUT is a path, or ``fd:N`` for a descriptor that is open already: then the process fences itself in before it reads,
so that it can write nothing else (`fence`). With ``--wait`` for IN it loads its library and takes the file's name and
limits from its standard input, as one line of JSON (`spare`).

It writes one ``.npz``: arrays, and among them ``json``, the bytes of a JSON text that refers to the arrays by name
(see `packet`). A file that cannot be read gives ``{"error": …}`` and exit status 3. A crash, too much memory or too
much time hurt this process only, which is the point of it.
"""

import gc
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

gc.disable()

import numpy as np  # noqa: E402 - the collector must be off before anything of the format's library is made

from core.io.common.helper import fence  # noqa: E402
from core.io.common.helper.packet import (  # noqa: E402
    BEGINS,
    MEGABYTES_VARIABLE,
    PARENT_VARIABLE,
    PROCESSOR_VARIABLE,
    REFUSED,
)
from core.io.common.helper.spare import WAIT  # noqa: E402

Collect = Callable[[str], tuple[dict[str, Any], dict[str, Any]]]
Load = Callable[[], object]


def _nothing() -> None:
    """The library is there already, or comes with the first file."""


def _limit(megabytes: int, seconds: int) -> None:
    """Hold this process within a memory and a processor time from now on, as far as the system can.

    macOS takes the limit of memory and does not hold it: there the parent looks on (`packet`).
    """
    seconds += 1 + int(time.process_time())  # what loading took counts as well
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


def _waited(load: Load) -> tuple[str, int, int] | None:
    """Load the library and wait for the request: file, megabytes, seconds; None where nobody asks any more."""
    load()
    line = sys.stdin.buffer.readline()
    if not line:
        return None
    # From now on the end of the input means that whoever asked has gone. (The system's own word for that, on Linux,
    # is for the thread that started this process, which may long have ended.)
    threading.Thread(target=fence.watch_input, daemon=True).start()
    request = json.loads(line)
    sys.stderr.write(BEGINS + "\n")
    sys.stderr.flush()
    return str(request["source"]), int(request["megabytes"]), int(float(request["processor"]))


def main(words: list[str], collect: Collect, load: Load = _nothing) -> int:
    """Read one file, write one packet; the exit status.

    Parameters
    ----------
    load : imports what `collect` needs, for a helper that waits
    """
    source, target = words
    if source == WAIT:
        asked = _waited(load)
        if asked is None:
            return 0
        source, megabytes, seconds = asked
    else:
        parent = os.environ.get(PARENT_VARIABLE, "")
        if parent.isdigit():
            fence.end_with(int(parent))
        megabytes = int(os.environ.get(MEGABYTES_VARIABLE, "1536"))
        seconds = int(float(os.environ.get(PROCESSOR_VARIABLE, "30")))
    _limit(megabytes, seconds)
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


def leave(collect: Collect, load: Load = _nothing) -> None:
    """Do what the command line says, and leave without tidying up."""
    code = 1
    try:
        code = main(sys.argv[1:], collect, load)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
