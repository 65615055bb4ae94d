"""Limits of the helper processes: time, memory, and the structures that Windows is told them with."""

import ctypes
import os
import subprocess
import sys

import pytest

from core.errors import FormatError
from core.io import load, save
from core.io.common.helper import job, packet
from core.progress import Progress
from tests.core.io import making


@pytest.fixture
def file(tmp_path):
    pytest.importorskip("ufbx")
    save(making.small(), tmp_path / "a.fbx")
    return tmp_path / "a.fbx"


def test_helper_beyond_its_time_is_stopped(file, monkeypatch):
    monkeypatch.setenv(packet.SECONDS_VARIABLE, "0.01")
    with pytest.raises(FormatError, match=r"more time or memory .*when the machine is less busy"):
        load(file)


def test_busy_machine_does_not_make_a_whole_file_a_damaged_one():
    """The clock goes on while others compute: it must leave a helper far more than its processor time."""
    assert packet.SECONDS >= 20.0 * packet.PROCESSOR_SECONDS


@pytest.mark.skipif(sys.platform != "linux", reason="other systems hold memory otherwise")
def test_helper_beyond_its_memory_is_refused(file, monkeypatch):
    monkeypatch.setenv(packet.MEGABYTES_VARIABLE, "60")
    with pytest.raises(FormatError, match=r"failed|memory"):
        load(file)


def test_helper_that_is_looked_at_is_stopped_for_its_memory(file, monkeypatch):
    monkeypatch.setattr(packet, "LOOKS_ON", True)
    monkeypatch.setattr(packet, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(packet, "resident_megabytes", lambda process: 1 << 30)
    with pytest.raises(FormatError, match="more time or memory"):
        load(file)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ps")
def test_memory_of_a_process_is_found():
    assert 5 < packet.resident_megabytes(os.getpid()) < 100_000
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert packet.resident_megabytes(gone.pid) == 0


def test_memory_limit_of_the_machine_is_only_looked_at_where_needed(file):
    assert (sys.platform == "darwin") == packet.LOOKS_ON
    assert load(file, Progress()).project.rigs


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the sizes are those of 64 bits")
def test_windows_structures_have_the_sizes_that_the_system_expects():
    assert ctypes.sizeof(job.BasicLimits) == 64
    assert ctypes.sizeof(job.Limits) == 144
    assert job.Limits.process_memory.offset == 112


class Kernel:
    """What `job.hold` asks of Windows."""

    class _Function:
        def __init__(self, answer):
            self.answer, self.calls, self.restype = answer, [], None

        def __call__(self, *words):
            self.calls.append(words)
            return self.answer

    def __init__(self, assigned=1):
        self.CreateJobObjectW = self._Function(77)
        self.SetInformationJobObject = self._Function(1)
        self.GetCurrentProcess = self._Function(-1)
        self.AssignProcessToJobObject = self._Function(assigned)


def test_windows_is_told_memory_and_time():
    limits = job.limits_of(512, 3.0)
    assert limits.process_memory == 512 << 20
    assert limits.basic.process_time == 30_000_000
    kernel = Kernel()
    job.hold(512, 3.0, kernel)
    ((handle, kind, _, size),) = kernel.SetInformationJobObject.calls
    assert (handle.value, kind, size) == (77, 9, ctypes.sizeof(job.Limits))
    assert len(kernel.AssignProcessToJobObject.calls) == 1


def test_windows_that_refuses_is_told_about():
    with pytest.raises(OSError, match="refuses"):
        job.hold(512, 3.0, Kernel(assigned=0))
