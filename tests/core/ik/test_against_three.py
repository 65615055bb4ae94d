"""CCD against three.js's CCDIKSolver on equal chains.

Runs where ``POSEWRIGHT_CHECK`` names a folder whose ``node_modules`` hold three, and node is there.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from core.ik import ccd
from core.ik.chain import Chain, take_chain
from tests.core.ik.chains import bent, chain_rig

FOLDER = os.environ.get("POSEWRIGHT_CHECK", "")
SCRIPT = Path(__file__).parents[2] / "clients" / "ccdik.mjs"
SOLVER = Path(FOLDER) / "node_modules/three/examples/jsm/animation/CCDIKSolver.js"
pytestmark = pytest.mark.skipif(
    not FOLDER or not SOLVER.is_file() or shutil.which("node") is None,
    reason="POSEWRIGHT_CHECK names no folder with three in its node_modules, or there is no node",
)


def chains(bones: int, count: int) -> tuple[Chain, np.ndarray]:
    rig = chain_rig(bones)
    goals = take_chain(rig.skeleton, bent(rig, 1, count), "b0", f"b{bones}").joints[:, -1]
    return take_chain(rig.skeleton, bent(rig, 2, count, 0.3), "b0", f"b{bones}"), goals


def three(chain: Chain, goals: np.ndarray, iterations: int) -> np.ndarray:
    cases = [{"rotations": r.tolist(), "goal": g.tolist()} for r, g in zip(chain.local, goals, strict=True)]
    asked = json.dumps({"length": 0.1, "iterations": iterations, "cases": cases})
    done = subprocess.run(
        ["node", str(SCRIPT), FOLDER], input=asked, capture_output=True, text=True, check=True, timeout=120
    )
    return np.array(json.loads(done.stdout))


@pytest.mark.parametrize("bones", [3, 6, 10])
def test_plain_steps_are_those_of_three(bones: int) -> None:
    chain, goals = chains(bones, 40)
    theirs = three(chain, goals, 2)
    every = np.arange(len(goals))
    for _ in range(2):
        for bone in range(bones - 1, -1, -1):
            ccd._turn(chain, bone, goals, every, 1.0, np.pi)
    assert np.abs(chain.joints - theirs).max() < 1e-6


@pytest.mark.parametrize("bones", [2, 3, 5, 10])
def test_we_reach_at_least_as_often_and_as_near(bones: int) -> None:
    chain, goals = chains(bones, 300)
    theirs = np.linalg.norm(three(chain, goals, 20)[:, -1] - goals, axis=-1)
    ours = ccd.solve(chain, goals, iterations=20).distance
    print(f"{bones} bones, 20 steps: ours {(ours < 1e-3).mean():.1%}, three {(theirs < 1e-3).mean():.1%}")
    assert (ours < 1e-3).mean() >= (theirs < 1e-3).mean()
    assert (ours < 1e-3).mean() >= 0.99
