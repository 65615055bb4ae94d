"""Random inputs on random terrain with poses, and the same bytes of states and poses in two processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.math import kernels
from tests.core.locomotion.long_poses import run

ROOT = Path(__file__).resolve().parents[3]
COURSE, CHARACTER = "resources/sample/course/course.json", "resources/sample/locomotion.posewright"
SECTIONS = ("pivots", "turn 90°", "crouch", "jump running", "drop 12 m", "stairs up", "bumps", "ragdoll")


@pytest.fixture(autouse=True)
def loaded():
    if kernels.load() is None:
        pytest.skip("the compiled kernels are off")


def test_random_inputs_on_random_terrain_give_sound_poses():
    """The short version of ``python -m tests.core.locomotion.long_poses``."""
    found, _, _ = run(600, 50, 10)
    assert found == []


def test_two_processes_give_equal_bytes_of_states_and_poses():
    """By the command, over some of the course (the whole by hand); hash seeds and threads differ."""
    program = "import sys; from core.cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "locomotion", COURSE, "--character", CHARACTER, "--digest"]
    for section in SECTIONS:
        command += ["--section", section]
    made = []
    for number in (1, 2):
        environment = {
            **os.environ,
            "POSEWRIGHT_KERNELS": "on",
            "PYTHONHASHSEED": str(number),
            "NUMBA_NUM_THREADS": str(1 + number % 2),
            "OMP_NUM_THREADS": str(1 + number),
            "OPENBLAS_NUM_THREADS": str(1 + number),
        }
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=600
        )
        made.append(done.stdout)
    assert len(set(made)) == 1
    lines = [line.split("\t") for line in made[0].splitlines()]
    assert lines[-1][1] == "all"
    assert len({line[2] for line in lines}) == len(SECTIONS) + 1  # every section is of its own
