"""Blows on a driven character: the upper body gives way and comes back, feet stay, hard ones fell; equal bytes."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import core.io
from core.errors import FormatError, ValidationError
from core.locomotion.driven import Driven
from core.locomotion.fall import Phase
from core.locomotion.input import Blow, Input
from core.locomotion.recording_file import RecordedInputs, read_recording, write_recording
from core.locomotion.setup import PRESETS
from core.pose import kinematics
from core.terrain.terrain import flat_terrain
from resources.sample.locomotion import FILE


@cache
def driven() -> Driven:
    project = core.io.load(FILE).project
    return Driven.of(project, project.rigs[0], PRESETS["normal"], flat_terrain())


def places(state):
    doll = driven()
    return kinematics.model_matrices(doll.rig.skeleton, doll.pose(state).local)[:, :3, 3]


def runs(given: Input, blow: Blow, count: int, before: int = 40):
    """States without and with a blow in the first of `count` steps."""
    doll = driven()
    state = doll.start()
    for _ in range(before):
        state = doll.step(state, given)
    plain, hit = [state], [state]
    for step in range(count):
        plain.append(doll.step(plain[-1], given))
        hit.append(doll.step(hit[-1], replace(given, blow=blow) if step == 0 else given))
    return plain, hit


@pytest.mark.parametrize(("move", "impulse"), [((0.0, 0.0), (0, 0, -60)), ((0.0, 1.0), (50, 0, 0))])
def test_blow_moves_the_upper_body_which_comes_back_and_feet_stay(move, impulse):
    index = driven().rig.skeleton.index
    plain, hit = runs(Input.of(move), Blow.of("spine_05", impulse), 115)
    apart = np.array(
        [np.linalg.norm(places(a) - places(b), axis=-1) for a, b in zip(plain, hit, strict=True)]
    )
    assert apart[1].max() < 1e-9  # begins from the pose shown
    assert 0.02 < apart[:, index("head")].max() < 0.3
    assert apart[:, [index("foot_l"), index("foot_r")]].max() < 0.002
    assert apart[60:, index("head")].max() < 0.02
    assert apart[-1].max() < 1e-9 and hit[-1].fall.hit is None
    assert hit[-1].body == plain[-1].body


def test_blow_on_a_foot_is_felt_above():
    plain, hit = runs(Input(), Blow.of("foot_l", (0, 0, -60)), 12)
    assert np.abs(places(plain[-1]) - places(hit[-1])).max() > 0.005


def test_hard_blow_fells_in_its_direction():
    _, hit = runs(Input(), Blow.of("spine_05", (0, 0, -300)), 40)
    assert hit[2].fall.phase is Phase.FALLING and not hit[-1].fall.ragdoll.ended
    assert hit[-1].body.position[2] < hit[0].body.position[2] - 0.2


def test_blow_while_it_lies_moves_it():
    doll = driven()
    state = doll.step(doll.start(), Input(ragdoll=True))
    for _ in range(50):
        state = doll.step(state, Input())
    assert state.fall.phase is Phase.FALLING
    plain, hit = state, doll.step(state, Input(blow=Blow.of("head", (0, 0, 80))))
    plain = doll.step(plain, Input())
    assert np.abs(places(plain) - places(hit)).max() > 1e-3


def test_same_blows_give_the_same_bytes_from_any_kept_state():
    _, first = runs(Input.of((0.0, 1.0)), Blow.of("hand_l", (30, 10, 0)), 40)
    _, second = runs(Input.of((0.0, 1.0)), Blow.of("hand_l", (30, 10, 0)), 40)
    assert [s.to_bytes() for s in first[::8]] == [s.to_bytes() for s in second[::8]]
    state = first[10]
    for _ in range(10):
        state = driven().step(state, Input.of((0.0, 1.0)))
    assert state.to_bytes() == first[20].to_bytes()


def test_blow_on_nothing_changes_nothing():
    plain, hit = runs(Input(), Blow.of("no such bone", (0, 0, -60)), 20)
    assert np.abs(places(plain[-1]) - places(hit[-1])).max() < 0.01


def test_recordings_keep_blows_and_refuse_broken_ones(tmp_path):
    inputs = (
        Input(),
        Input(blow=Blow("head", 1, -2, 300)),
        Input(blow=Blow("head", 1, -2, 300)),
        Input(jump=True),
    )
    path = tmp_path / "hits.json"
    write_recording(RecordedInputs(PRESETS["normal"], flat_terrain(), (0.0, 0.0, 0.0), 0.0, inputs), path)
    assert read_recording(path).inputs == inputs
    path.write_text(path.read_text().replace('["head", 1, -2, 300]', '["head", 1, 2.5, 300]'))
    with pytest.raises(FormatError, match="expected a blow"):
        read_recording(path)


def test_blow_tells_what_is_wrong():
    with pytest.raises(ValidationError, match="name of a bone"):
        Blow("", 0, 0, 0)
    with pytest.raises(ValidationError, match="tenths of N"):
        Blow("head", 10**6, 0, 0)
    assert Blow.of("head", (float("nan"), 1e9, -0.04)) == Blow("head", 0, 20_000, 0)
