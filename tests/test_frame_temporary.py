"""Folders that killed test runs and benches left are removed by the next one."""

import os
import subprocess
import sys
from pathlib import Path

from tests.temporary import own_folder

ROOT = Path(__file__).resolve().parents[1]


def _age(path: Path) -> None:
    os.utime(path, (0, 0))


def test_folder_of_a_killed_process_goes_and_that_of_a_running_one_stays(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from tests.temporary import own_folder;"
        "print(own_folder('t', Path(sys.argv[1])), flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    child = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    left = Path(child.stdout.strip())
    assert left.is_dir(), child.stderr
    first = own_folder("t", tmp_path)
    assert left.is_dir(), "too young to be looked at"
    for path in (left, first):
        _age(path)
    other = tmp_path / "posewright-t-own"
    other.mkdir()
    _age(other)
    second = own_folder("t", tmp_path)
    assert not left.exists() and first.is_dir() and second.is_dir() and other.is_dir()


def test_folder_goes_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.temporary import own_folder;"
        "own_folder('t', Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True)
    assert not list(tmp_path.iterdir())
