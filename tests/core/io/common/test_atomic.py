"""Files that are written whole or not at all."""

import os
import time
from pathlib import Path

import pytest

from core.io.common.atomic import LEFT_BEHIND, atomic_file, write_atomic


def test_error_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    write_atomic(path, b"old")
    with pytest.raises(RuntimeError, match="stop"), atomic_file(path) as file:
        file.write(b"new")
        raise RuntimeError("stop")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_leftovers_of_an_ended_process_are_swept_when_they_are_old(tmp_path: Path) -> None:
    path = tmp_path / "a[1].bin"
    old, young = tmp_path / ".a[1].bin.abc.part", tmp_path / ".a[1].bin.def.part"
    other = tmp_path / ".a1.bin.abc.part"
    for left in (old, young, other):
        left.write_bytes(b"half")
    then = time.time() - 2 * LEFT_BEHIND
    for left in (old, other):
        os.utime(left, (then, then))
    write_atomic(path, b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([path, young, other])
