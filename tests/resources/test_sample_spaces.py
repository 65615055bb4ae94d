"""The blend spaces of the sample document: they play, and planted feet stand while clips blend."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace
from core.blending.foot_slip import slip_field
from core.blending.measure import measure_for, measured, travel
from core.blending.space_player import SpacePlayer
from tests.resources.conftest import Character

NAMES = ("locomotion", "forward", "backward", "crouch", "aim", "lean")


def _space(character: Character, name: str) -> BlendSpace:
    return next(a for a in character.project.assets.values() if isinstance(a, BlendSpace) and a.name == name)


def _player(character: Character, space: BlendSpace) -> SpacePlayer:
    return SpacePlayer(character.rig, space, {clip.id: clip for clip in character.project.clips})


@pytest.mark.parametrize("name", NAMES)
def test_space_plays_each_sample_where_it_stands(character: Character, name: str) -> None:
    space = _space(character, name)
    player = _player(character, space)
    for number, sample in enumerate(space.samples):
        weights = player.start(sample.place).weights
        assert weights is not None
        named = [w for w, s in zip(weights, space.samples, strict=True) if s.clip == sample.clip]
        assert sum(named) == pytest.approx(1.0), (name, number)


@pytest.mark.parametrize("name", ["locomotion", "forward", "backward", "crouch"])
def test_samples_stand_at_their_measured_speed_and_direction(character: Character, name: str) -> None:
    space = _space(character, name)
    clips = {clip.id: clip for clip in character.project.clips}
    for sample in space.samples:
        found = travel(character.rig, clips[sample.clip], sample.rate)
        for axis, place in zip(space.axes, sample.place, strict=True):
            if axis.name == "gait":
                assert clips[sample.clip].curves["gait"].values[0] == place
                continue
            measure = measure_for(axis)
            assert measure is not None
            if measure == "direction" and found.speed < 0.01:
                continue
            apart = measured(found, measure) - place
            if axis.name == "direction":
                apart = (apart + 180.0) % 360.0 - 180.0
            assert apart == pytest.approx(0.0, abs=1e-6), (name, sample)


def test_planted_feet_slip_less_than_2_cm_a_second_between_walk_and_run(character: Character) -> None:
    space = _space(character, "locomotion")
    aligned = slip_field(_player(character, space), steps=240)
    loose = slip_field(_player(character, replace(space, sync=False)), steps=240)
    speeds = np.linspace(1.4, 3.6, 12)
    slip = np.array([aligned.at([speed]) for speed in speeds])
    without = np.array([loose.at([speed]) for speed in speeds])
    assert slip.max() < 0.02
    assert without.max() > 1.5 * slip.max(), "the markers keep the legs together"


def test_blended_motion_has_the_speed_of_the_point(character: Character) -> None:
    """Over a whole cycle; the clips' own lengths weigh in, so that it is not exactly the point's speed."""
    player = _player(character, _space(character, "locomotion"))
    for speed in (0.7, 2.0, 3.0):
        state = player.start([speed])
        clocks = np.linspace(0.0, player.group.intervals, 41)
        weights = np.tile(state.weights, (41, 1))
        way = player.motion_many(clocks, weights).translation.sum(axis=0)
        went = way[2] / float(player.group.duration(state.weights))
        assert 0.3 * speed < went < 1.3 * speed
        assert abs(way[0]) < 1e-9


def test_aim_at_the_centre_raises_both_hands_of_the_idle_body(character: Character) -> None:
    player = _player(character, _space(character, "aim"))
    pose = player.sample(player.start([0.0, 0.0])).pose
    idle, aimed = (
        character.play("idle").matrices[0],
        character.matrices(np.asarray(pose.local.rotation), np.asarray(pose.local.translation)),
    )
    for side in "lr":
        hand = character.rig.skeleton.index(f"hand_{side}")
        assert aimed[hand, 1, 3] > idle[hand, 1, 3] + 0.4
    centre = character.play("aim centre").matrices[0]
    np.testing.assert_allclose(aimed[..., :3, 3], centre[..., :3, 3], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "on", "beside"),
    [
        ("forward", (-90.0, -45.0, 0.0, 45.0, 90.0), (-67.5, -22.5, 22.5, 67.5)),
        ("backward", (90.0, 135.0, 180.0, 225.0, 270.0), (112.5, 157.5, 202.5, 247.5)),
    ],
)
def test_feet_slip_little_on_the_ways_and_between_them(
    character: Character, name: str, on: tuple[float, ...], beside: tuple[float, ...]
) -> None:
    """The clip of a way stands; half-way to the next it slips a little, at 112.5° no more than elsewhere."""
    field = slip_field(_player(character, _space(character, name)), steps=96)
    for gait, most in ((1.0, 0.10), (2.0, 0.25)):
        assert np.max([field.at([angle, gait]) for angle in on]) < 0.02
        assert np.max([field.at([angle, gait]) for angle in beside]) < most
