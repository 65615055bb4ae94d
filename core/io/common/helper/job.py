"""Limits of a process on Windows, which it lays upon itself: a job object (docs: Win32, Job Objects).

Memory beyond the limit is refused as if there were no more; time beyond it ends the process. It can start no other.
"""

import ctypes
from typing import Any

EXTENDED_LIMITS = 9
PROCESS_TIME, ACTIVE_PROCESSES, PROCESS_MEMORY = 0x2, 0x8, 0x100
HUNDRED_NANOSECONDS = 10_000_000
"""Of them in a second: the unit of times."""


class BasicLimits(ctypes.Structure):
    """``JOBOBJECT_BASIC_LIMIT_INFORMATION``."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class Limits(ctypes.Structure):
    """``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``."""

    _fields_ = (
        ("basic", BasicLimits),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def limits_of(megabytes: int, seconds: float) -> Limits:
    """The structure for a memory and a processor time."""
    found = Limits()
    found.basic.flags = PROCESS_TIME | PROCESS_MEMORY | ACTIVE_PROCESSES
    found.basic.processes = 1
    found.basic.process_time = int(seconds * HUNDRED_NANOSECONDS)
    found.process_memory = megabytes << 20
    return found


def hold(megabytes: int, seconds: float, kernel: Any = None) -> None:
    """Hold this process within limits from now on.

    Parameters
    ----------
    kernel : the system's ``kernel32``; None loads it

    Raises
    ------
    OSError
        The system refuses.
    """
    system = kernel or ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    for name in ("CreateJobObjectW", "GetCurrentProcess"):
        getattr(system, name).restype = ctypes.c_void_p
    limits = limits_of(megabytes, seconds)
    # The handle is never closed: the job lasts as long as the process.
    job = ctypes.c_void_p(system.CreateJobObjectW(None, None))
    size = ctypes.sizeof(limits)
    good = job.value and system.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(limits), size)
    if not (good and system.AssignProcessToJobObject(job, ctypes.c_void_p(system.GetCurrentProcess()))):
        raise OSError("the system refuses a job object")
