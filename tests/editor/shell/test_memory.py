"""Memory that is kept for arrays of some megabytes."""

import ctypes
import resource
import sys

import numpy as np
import pytest

from editor.shell import memory


def faults() -> int:
    """Pages that the system has handed out."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library of Linux")
def test_arrays_of_some_megabytes_use_their_pages_again():
    if not memory.keep_pages():
        pytest.skip("another C library")
    for _ in range(3):  # memory grows to what is needed
        np.ones(2**20)
    before = faults()
    for _ in range(20):
        np.ones(2**20)  # 8 MB: 2,048 pages
    assert faults() - before < 2048


def test_another_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert memory.keep_pages() is False
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert memory.keep_pages() is False
