"""Random inputs on random terrain, and the same bytes in any process, compiled or not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.math import kernels
from tests.core.locomotion.long_run import run

ROOT = Path(__file__).resolve().parents[3]


def test_random_inputs_on_random_terrain_never_fail():
    """The short version of ``python -m tests.core.locomotion.long_run``."""
    found, _, _ = run(3000 if kernels.load() is not None else 300, 100)
    assert found == []


def test_processes_give_equal_bytes_compiled_or_not():
    if kernels.load() is None:
        pytest.skip("the compiled kernels are off")
    program = "from tests.core.locomotion.long_run import run; print(run(250, 7, 1000)[1])"
    made = [f"{run(250, 7, 1000)[1]}\n"]  # compiled, with what else this process has done
    for number, mode in enumerate(("on", "off")):
        environment = {**os.environ, "POSEWRIGHT_KERNELS": mode, "PYTHONHASHSEED": str(number)}
        command = [sys.executable, "-c", program]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=300
        )
        made.append(done.stdout)
    assert len(set(made)) == 1 and len(made[0].strip()) == 64
