"""Random inputs on random terrain with poses, and the same bytes of states and poses in two processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
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


def test_another_process_gives_equal_bytes_of_states_and_poses(monkeypatch, capsys):
    """By the command, over some of the course (the whole by hand); here, and in a process with another hash seed."""
    words = ["locomotion", COURSE, "--character", CHARACTER, "--digest"]
    for section in SECTIONS:
        words += ["--section", section]
    environment = {
        **os.environ,
        "POSEWRIGHT_KERNELS": "on",
        "PYTHONHASHSEED": "1",
        "NUMBA_NUM_THREADS": "2",
        "OMP_NUM_THREADS": "2",
        "OPENBLAS_NUM_THREADS": "2",
    }
    program = "import sys; from core.cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=600,
    )  # fmt: skip
    monkeypatch.chdir(ROOT)
    assert main(words) == 0
    made = [done.stdout, capsys.readouterr().out]
    assert made[0] == made[1]
    lines = [line.split("\t") for line in made[0].splitlines()]
    assert lines[-1][1] == "all"
    assert len({line[2] for line in lines}) == len(SECTIONS) + 1  # every section is of its own
