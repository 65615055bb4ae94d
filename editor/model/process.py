"""Which process is this, so that a number used again is not mistaken for it."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path


def start_time(pid: int) -> str:
    """When a process started, in whatever unit the system tells it, or "" if it does not run."""
    if pid <= 0:
        return ""
    if sys.platform.startswith("linux"):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        after_name = stat.rpartition(")")[2].split()  # the name itself may hold blanks and brackets
        return "" if len(after_name) < 20 or after_name[0] in "ZX" else after_name[19]
    if sys.platform == "win32":
        return _start_time_windows(pid)
    try:
        told = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout.strip()


def own() -> dict[str, object]:
    """Number and start of the process we are."""
    pid = os.getpid()
    return {"pid": pid, "start": start_time(pid)}


def runs(owner: object) -> bool:
    """Whether the process that `own` described (there) still runs."""
    if not isinstance(owner, dict):
        return False
    pid, start = owner.get("pid"), owner.get("start")
    return isinstance(pid, int) and bool(start) and start_time(pid) == start


def _start_time_windows(pid: int) -> str:
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - absent elsewhere, and the type checker knows
    handle = kernel.OpenProcess(0x1000, False, pid)
    if not handle:
        return ""
    try:
        times = [ctypes.c_uint64() for _ in range(4)]
        if not kernel.GetProcessTimes(handle, *(ctypes.byref(t) for t in times)):
            return ""
        return "" if times[1].value else str(times[0].value)
    finally:
        kernel.CloseHandle(handle)
