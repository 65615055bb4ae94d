"""The compiled nodes of locomotion agree with their twins: stride warping, planted feet, leans that do not move."""

from dataclasses import replace

import numpy as np
import pytest

from core.graph.instance import Instance
from core.graph.runner import not_compiled
from core.locomotion.character import CharacterSetup, CharacterState, begin, step
from core.locomotion.input import Gait, Input, RotationMode
from core.math import kernels
from core.terrain.course import BUMPS_AT, STAIRS_AT, course_terrain, drop_at, slope_at
from tests.core.locomotion.sample import sample

if kernels.load() is None:
    pytest.skip("the compiled kernels are off", allow_module_level=True)

TERRAIN = course_terrain()


def by_twin() -> CharacterSetup:
    """The sample's set-up whose graphs are run by instances of their own."""
    setup = sample()
    assert setup.feet is not None
    return replace(setup, _instance=Instance(setup.plan), _feet=Instance(setup.feet))


def run(place: tuple[float, float, float], inputs: list[Input], *, plain: bool) -> list[CharacterState]:
    """The states of a run, by the kernels or in plain Python."""
    setup = by_twin() if plain else sample()
    states = [begin(setup, TERRAIN, place)]
    if plain:
        for instance in (setup._instance, setup._feet):
            assert instance is not None
            instance.runner = None  # beginning has settled it anew
    for given in inputs:
        states.append(step(setup, TERRAIN, states[-1], given))
    return states


AHEAD, BACK = Input.of((0.0, 1.0)), Input.of((0.0, -1.0), gait=Gait.WALK)
ASIDE = Input.of((0.7, 0.7), gait=Gait.WALK, mode=RotationMode.LOOKING)
CASES = {
    "stairs": ((STAIRS_AT[0], 0.0, STAIRS_AT[1] - 1.0), [AHEAD] * 50 + [Input()] * 20),
    "bumps": ((BUMPS_AT[0], 0.0, BUMPS_AT[1] - 4.0), [ASIDE] * 40 + [BACK] * 40),
    "slope": ((slope_at(2)[0], 0.0, slope_at(2)[2] - 1.0), [AHEAD] * 45),
    "drop": (drop_at(2), [AHEAD] * 70 + [Input()] * 20),
}


@pytest.mark.parametrize("name", CASES)
def test_kernels_and_twins_give_the_same_poses(name):
    compiled, plain = run(*CASES[name], plain=False), run(*CASES[name], plain=True)
    assert compiled[-1].body.to_bytes() == plain[-1].body.to_bytes()
    apart = [np.abs(a.numbers - b.numbers).max() for a, b in zip(compiled, plain, strict=True)]
    assert max(apart) < 1e-9
    moved = np.abs(compiled[-1].numbers - compiled[0].numbers).max()
    assert moved > 0.01  # something was compared


def test_warping_leaning_and_planting_are_not_left_to_python():
    setup = sample()
    assert setup.feet is not None
    assert not_compiled(setup.feet) == ()
    assert not {"warp", "lean", "air lean", "look"} & set(not_compiled(setup.plan))
    assert any(op.name == "warp" for op in setup.plan.ops)
