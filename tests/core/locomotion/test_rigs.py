"""A character's set-up on other rigs: clips and bones are told by name, what is missing is listed, the rest runs."""

from pathlib import Path

import numpy as np
import pytest

import core.io
from core.locomotion.animation.propose import plain
from core.locomotion.character import begin, character_setup, placement, pose, step
from core.locomotion.input import Input
from core.terrain.terrain import flat_terrain

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Armature|Walking_A", "walking a"),
        ("mixamo.com|Left Turn", "left turn"),
        ("RunForward", "run forward"),
    ],
)
def test_names_of_clips_become_plain_words(name, words):
    assert plain(name) == words


@pytest.mark.parametrize(
    "pattern", ["RobotExpressive.*", "KayKit_Med_MovementBasic.*", "manny_med_mod.gltf", "pab_jog.*"]
)
def test_a_rig_from_elsewhere_runs_with_what_it_has(pattern):
    files = (
        sorted(p for p in DATA.rglob(pattern) if p.suffix in (".glb", ".gltf", ".fbx"))
        if DATA.is_dir()
        else []
    )
    if not files:
        pytest.skip("the shared rigs are not here")
    project = core.io.load(files[0]).project
    setup = character_setup(project, project.rigs[0])
    assert setup.missing
    terrain = flat_terrain()
    state = begin(setup, terrain)
    for given in [Input()] * 5 + [Input.of((0.0, 1.0))] * 40 + [Input.of(jump=True)] * 30:
        state = step(setup, terrain, state, given)
        assert np.isfinite(state.numbers).all()
    assert placement(state).translation[2] > 1.0
    assert np.linalg.norm(pose(setup, state).local.rotation, axis=-1) == pytest.approx(1.0)
