"""Compile every kernel into the disk cache: ``python -m core.math.warm``.

Set-up runs this; the editor starts it as another process where the cache is cold, because
compiling in a thread would stall the window.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from core.math import compiling, kernels

KEEP = 30 * 86400.0
"""Seconds after which compiled code of another version or checkout is removed."""
MOST = 6
"""Processes that compile at once: each takes 250 MB, and more would wait for each other."""
WITH_PROGRAM = "--with-program"
"""Argument with which this ends when the program does that started it."""


def warm(processes: int | None = None) -> Path | None:
    """Compile everything, leave the stamp that says so, and return it; None where that failed.

    Parameters
    ----------
    processes : that share the work; one for each processor where not given, up to `MOST`
    """
    stamp = kernels.stamp()
    count = min(os.cpu_count() or 1, MOST) if processes is None else processes
    if count > 1 and not stamp.exists():
        compiling.compile_all(compiling.needs(), kernels.cache_directory(), count)
    if kernels.load() is None:  # finds what the processes compiled, and compiles what they could not
        return None
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text("warm\n", encoding="utf-8")
    for old in stamp.parent.parent.iterdir():
        if old != stamp.parent and old.is_dir() and time.time() - old.stat().st_mtime > KEEP:
            shutil.rmtree(old, ignore_errors=True)
    return stamp


def end_with_program() -> None:
    """End this process when nobody holds the other end of its standard input any more.

    The system closes that end however the program ends, so that one that was killed leaves nothing that compiles on.
    The processes that compile for this one come to an end after the module that they have in hand.
    """

    def wait() -> None:
        while os.read(0, 1):  # not by sys.stdin, whose lock an interpreter that ends would wait for
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def start_in_background() -> "subprocess.Popen[bytes] | None":
    """Start compiling in another process of low priority; None where the cache is warm already, or kernels are off.

    The caller keeps the process, polls it, and ends it when the program closes. It ends by itself where the program
    is killed: the pipe to it must stay open until then.
    """
    if kernels.compiled() is not None or kernels.is_warm():
        return None
    if os.environ.get("POSEWRIGHT_KERNELS", "auto") == "off":
        return None
    environment = compiling.environment()
    command = [sys.executable, "-m", "core.math.warm", WITH_PROGRAM]
    if os.name == "nt":
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) | getattr(
            subprocess, "CREATE_NO_WINDOW", 0
        )
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, creationflags=flags)
    if shutil.which("nice"):
        command = ["nice", "-n", "10", *command]
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.PIPE,
    )


if __name__ == "__main__":
    if WITH_PROGRAM in sys.argv[1:]:
        end_with_program()
    sys.exit(0 if warm() else 1)
