r"""A sandbox that a process enters before it reads an untrusted file.

Code that takes over a reading library through a crafted file can do nothing with it: no network, no other
program, no file to write. What holds where:

=================  =====================================  ==========================  =========================
\                  Linux                                  macOS                       Windows
=================  =====================================  ==========================  =========================
memory             address space                          looked at from outside      job object
processor time     yes                                    yes                         job object
size of files      yes                                    yes                         –
processes          none can be started (system calls)     –                           one (job object)
no new privileges  yes                                    –                           –
network            none (system calls)                    –                           –
writing files      what was open before (system calls)    –                           –
ends with parent   at once                                when it looks at its input  when it looks at its input
=================  =====================================  ==========================  =========================

The filter of system calls is there on x86-64 and 64-bit ARM, in kernels since 3.17; elsewhere the rest holds. Reading
other files is not forbidden: libraries load parts of themselves late. The readers keep to the file's own folder.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 1, 1
KILL = 9

LOAD, EQUALS, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Codes of the filter's machine (BPF): load a word; jump where it is equal, at least, or shares a bit; return."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets in what the filter looks at (``struct seccomp_data``)."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC if sys.platform.startswith("linux") else 0
CLONE_THREAD = 0x10000


class Calls(NamedTuple):
    """Numbers of system calls on one architecture.

    Parameters
    ----------
    audit : what the kernel calls the architecture
    seccomp : sets the filter
    refused : those that are refused altogether
    opens : those that open files, with the place of their flags among the arguments
    clone : starts threads and processes; its flags are its first argument
    unknown : those that are said not to exist, so that the libraries take the older ones, which can be looked into
    signals : those that send signals; allowed only to the process itself
    """

    audit: int
    seccomp: int
    refused: tuple[int, ...]
    opens: tuple[tuple[int, int], ...]
    clone: int
    unknown: tuple[int, ...]
    signals: tuple[int, ...]


NEWER = (425, 434, 438, 452)  # io_uring_setup, pidfd_open, pidfd_getfd, fchmodat2: alike on all architectures
MACHINES = {
    "x86_64": Calls(
        0xC000003E, 317,
        (
            41, 42, 43, 44, 46, 49, 50, 53, 288, 307,  # socket … sendmmsg
            57, 58, 59, 322,  # fork, vfork, execve, execveat
            76, 82, 83, 84, 85, 86, 87, 88, 90, 92, 94, 132, 133, 235, 258, 259, 260, 261, 263, 264, 265, 266, 268,
            280, 316,  # truncate, rename, mkdir, creat, link, unlink, chmod, chown, utime, mknod and their kin
            188, 189, 197, 198,  # attributes
            101, 310, 311, 323, 298, 321,  # ptrace, memory of others, userfaultfd, perf, bpf
            155, 161, 165, 166, 272, 308, 304,  # roots, mounts, namespaces, files by handle
            248, 249, 250,  # keys
            *NEWER,
        ),
        ((2, 1), (257, 2)), 56, (435, 437), (62, 200, 234),
    ),
    "aarch64": Calls(
        0xC00000B7, 277,
        (
            198, 199, 200, 201, 202, 203, 206, 211, 242, 269,
            221, 281,
            33, 34, 35, 36, 37, 38, 45, 53, 54, 88, 276,
            5, 6, 14, 15,
            117, 270, 271, 282, 241, 280,
            39, 40, 41, 51, 97, 268, 265,
            217, 218, 219,
            *NEWER,
        ),
        ((56, 2),), 220, (435, 437), (129, 130, 131),
    ),
}  # fmt: skip


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("rows", ctypes.c_void_p))


def program(calls: Calls, process: int) -> bytes:
    """The filter for an architecture, as the kernel takes it.

    Parameters
    ----------
    process : the one that may send signals to itself
    """
    refuse = REFUSE | errno.EPERM
    rows: list[tuple[int, int, int, int]] = [
        (LOAD, 0, 0, ARCHITECTURE), (EQUALS, 1, 0, calls.audit), (RETURN, 0, 0, refuse),
        (LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, refuse),  # the x32 names of the calls
    ]  # fmt: skip
    for number in calls.refused:
        rows += [(EQUALS, 0, 1, number), (RETURN, 0, 0, refuse)]
    for number in calls.unknown:
        rows += [(EQUALS, 0, 1, number), (RETURN, 0, 0, REFUSE | errno.ENOSYS)]
    for number, place in calls.opens:  # one that writes has a bit of WRITING
        rows += [
            (EQUALS, 0, 4, number), (LOAD, 0, 0, ARGUMENTS + 8 * place),
            (ANY_BIT, 0, 1, WRITING), (RETURN, 0, 0, refuse), (RETURN, 0, 0, ALLOW),
        ]  # fmt: skip
    rows += [
        (EQUALS, 0, 4, calls.clone), (LOAD, 0, 0, ARGUMENTS),
        (ANY_BIT, 1, 0, CLONE_THREAD), (RETURN, 0, 0, refuse), (RETURN, 0, 0, ALLOW),
    ]  # fmt: skip
    for number in calls.signals:
        rows += [
            (EQUALS, 0, 4, number), (LOAD, 0, 0, ARGUMENTS),
            (EQUALS, 1, 0, process), (RETURN, 0, 0, refuse), (RETURN, 0, 0, ALLOW),
        ]  # fmt: skip
    rows.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *row) for row in rows)


def limit_files(megabytes: int) -> None:
    """Let no file grow above a size, leave no core dump, and let few files be open, where the system knows that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for which, most in (
        (resource.RLIMIT_FSIZE, megabytes << 20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 256),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(which, (most, most))


def end_with(parent: int) -> None:
    """End this process when the one that started it ends, however that happens.

    Parameters
    ----------
    parent : number of the process that started this one
    """
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, KILL, 0, 0, 0)
        if os.getppid() != parent:  # it has ended already
            os._exit(1)
        return
    threading.Thread(target=watch_input, daemon=True).start()


def watch_input() -> None:
    """The parent process holds a pipe to this one's input, which closes when the parent ends."""
    with suppress(OSError, ValueError):
        while sys.stdin.buffer.read(4096):
            pass
    os._exit(1)


def close(machine: str | None = None) -> bool:
    """Give up new privileges, the network, other processes, and writing to files that are not open yet.

    This cannot be undone. Returns whether the filter of system calls is in force.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        system = ctypes.CDLL(None, use_errno=True)
        bare = system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    except (OSError, AttributeError):
        return False
    calls = MACHINES.get(machine or platform.machine())
    if calls is None or not bare or struct.calcsize("P") != 8:
        return False
    text = program(calls, os.getpid())
    rows = ctypes.create_string_buffer(text, len(text))
    whole = _Program(len(text) // 8, ctypes.addressof(rows))
    words: Sequence[object] = (
        ctypes.c_long(calls.seccomp), ctypes.c_long(SECCOMP_SET_MODE_FILTER), ctypes.c_long(SECCOMP_FILTER_FLAG_TSYNC),
        ctypes.byref(whole),
    )  # fmt: skip
    return bool(system.syscall(*words) == 0)
