"""Whole clips on a ground they were not made on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import Channel, Property
from core.ik.feet import placed_clip, placed_pose
from core.ik.feet_smoothing import Offsets, over_time, step
from core.ik.ground import Ground, clearances, find_feet
from core.ik.rigged import sample_many
from core.math.transform import Transform, down_chain
from core.rig.roles import find_roles
from core.tracks.keys import scalar_track
from tests.core.retarget.figures import sample
from tests.editor.rigs import small_clip, small_rig

RIG = small_rig()
ROLES = find_roles(RIG.skeleton)
TIMES = np.linspace(0.0, 2.0, 61)


def stepping():
    """Knees bend and the left foot lifts for a while."""
    times = [0.0, 0.5, 1.0, 1.5, 2.0]
    tracks = {Channel("pelvis", Property.TRANSLATE, 1): scalar_track([0.0, 2.0], [0.91, 0.91])}
    for side, lift in (("l", 60.0), ("r", 0.0)):
        for bone, share in (("thigh", -1.0), ("calf", 2.0), ("foot", -1.0)):
            values = [
                18.0 * share,
                (18.0 + lift / 2) * share,
                (18.0 + lift / 2) * share,
                18.0 * share,
                18.0 * share,
            ]
            tracks[Channel(f"{bone}_{side}", Property.ROTATE, 0)] = scalar_track(times, values)
    return small_clip(RIG).with_tracks(tracks)


def test_clip_keeps_each_foot_s_height_above_the_slope():
    clip, ground, feet = stepping(), Ground(0.2, 6.0, 8.0), find_feet(RIG, ROLES)
    flat = clearances(RIG, sample_many(RIG, clip, TIMES, wrap=False).local, Ground(), feet).min(axis=2)
    placed, residual = placed_clip(RIG, ROLES, clip, ground)
    assert residual < 1e-4
    slope = clearances(RIG, sample_many(RIG, placed, TIMES, wrap=False).local, ground, feet).min(axis=2)
    # as over the level plane, below it too: what is added is the difference between the grounds
    assert np.abs(slope - flat)[:, 1].max() < 2e-3
    # the foot that swings over the slope comes to its new heights over time, a thirtieth of a second late
    assert np.abs(slope - flat)[:, 0].max() < 0.015 and np.abs(slope - flat)[-8:].max() < 2e-3
    assert flat[:, 0].max() > 0.1  # the left foot did lift
    changed = {c.bone for c, t in placed.tracks.items() if clip.tracks.get(c) is not t}
    assert changed <= {"pelvis", *(f"{b}_{s}" for b in ("thigh", "calf", "foot") for s in "lr")}


def test_range_of_a_clip_leaves_the_rest_alone():
    clip = stepping()
    placed, _ = placed_clip(RIG, ROLES, clip, Ground(0.1), 0.5, 1.0)
    before, after = (sample_many(RIG, c, TIMES, wrap=False).local for c in (clip, placed))
    outside = (TIMES < 0.4) | (TIMES > 1.1)
    assert np.abs(before.translation[outside] - after.translation[outside]).max() < 1e-6
    assert after.translation[20, 0, 1] > before.translation[20, 0, 1] + 0.05


def places(rig, clip, times):
    return down_chain(rig.skeleton.parents, sample_many(rig, clip, times, wrap=False).local).translation


@pytest.mark.parametrize("name", ["walk", "run", "crouch walk", "jump land"])
def test_level_ground_changes_nothing_under_a_good_clip(name):
    rig, clip = sample().rigs[0], sample().clip_named(name)
    placed, residual = placed_clip(rig, find_roles(rig.skeleton), clip, Ground())
    times = np.linspace(0.0, clip.length, 41)
    assert residual == 0.0
    assert np.abs(places(rig, placed, times) - places(rig, clip, times)).max() <= 1e-3
    # nor does a ground that is level but for what nobody sees, on the frames that are keyed
    times = np.arange(0.0, clip.length, 1.0 / float(clip.rate.fps))
    nearly, _ = placed_clip(rig, find_roles(rig.skeleton), clip, Ground(tilt_x=0.001, tilt_z=0.001))
    assert np.abs(places(rig, nearly, times) - places(rig, clip, times)).max() <= 1e-3


@pytest.mark.parametrize("ground", [Ground(tilt_z=15.0), Ground(0.0, -12.0, 6.0), Ground(count=20)])
def test_hips_of_a_walk_do_not_jump_on_slopes_and_stairs(ground):
    rig, clip = sample().rigs[0], sample().clip_named("walk")
    roles, fps = find_roles(rig.skeleton), 60.0
    times = np.arange(0.0, clip.length, 1.0 / fps)
    placed, _ = placed_clip(rig, roles, clip, ground)
    hips = rig.skeleton.index("pelvis")
    change = places(rig, placed, times)[:, hips, 1] - places(rig, clip, times)[:, hips, 1]
    assert np.ptp(change) > 0.01
    # at most 15 a second of what is left to go down, 10 up
    assert np.abs(np.diff(change)).max() <= 15.0 / fps * np.ptp(change) + 1e-4


def test_pose_placed_at_the_playhead_is_the_frame_that_the_bake_has():
    clip, ground = stepping(), Ground(0.0, 6.0, 8.0, count=3, start=-0.4)
    placed, _ = placed_clip(RIG, ROLES, clip, ground)
    for frame in (0, 7, 31, 60):
        time = np.array([frame / 30.0])
        shown, baked = (sample_many(RIG, c, time, wrap=False).local for c in (clip, placed))
        pose = placed_pose(RIG, ROLES, clip, ground, Transform(*(p[0] for p in shown)), float(time[0]))
        ends = [
            down_chain(RIG.skeleton.parents, p).translation for p in (pose, Transform(*(p[0] for p in baked)))
        ]
        assert np.abs(ends[0] - ends[1]).max() < 1e-4


@given(st.lists(st.floats(-0.4, 0.4), min_size=2, max_size=20), st.integers(1, 6))
def test_offsets_do_not_depend_on_how_long_a_step_is(heights, parts):
    def held(row):
        return Offsets(np.array(row), np.array([row, -row]), np.full((2, 3), row))

    whole = split = held(heights[0])
    for row in heights[1:]:
        whole = step(whole, held(row), 0.05)
        for _ in range(parts):
            split = step(split, held(row), 0.05 / parts)
        for one, other in zip(whole, split, strict=True):
            assert np.allclose(one, other, atol=1e-9)
    rows = [held(row) for row in heights]
    wanted = Offsets(*(np.stack(part) for part in zip(*rows, strict=True)))
    times = 0.05 * np.arange(len(heights))
    for one, other in zip(over_time(wanted, times), whole, strict=True):
        assert np.allclose(one[-1], other, atol=1e-9)


def test_a_foot_goes_down_faster_than_up_and_the_pelvis_slower():
    rest = Offsets(np.zeros(()), np.zeros(2), np.zeros((2, 3)))
    up, down = (step(rest, Offsets(np.array(v), np.full(2, v), np.zeros((2, 3))), 0.05) for v in (0.1, -0.1))
    assert abs(down.feet[0]) > up.feet[0] and abs(down.pelvis) > up.pelvis and up.feet[0] > up.pelvis


@pytest.mark.parametrize(
    ("part", "way", "rate"),
    [("pelvis", -1, 15.0), ("pelvis", 1, 10.0), ("feet", -1, 30.0), ("feet", 1, 15.0)],
)
def test_offsets_come_at_the_paces_of_the_specification(part: str, way: int, rate: float) -> None:
    """``x' = -k (x - goal)`` with each part's own k, down and up; a tilt halves in a tenth of a second."""
    still = Offsets(np.zeros(1), np.zeros((1, 2)), np.zeros((1, 2, 3)))
    wanted = Offsets(np.full(1, 0.1 * way), np.full((1, 2), 0.1 * way), np.full((1, 2, 3), 0.2))
    after = step(still, wanted, 0.1)
    assert getattr(after, part) == pytest.approx(0.1 * way * (1.0 - np.exp(-0.1 * rate)))
    assert after.tilts == pytest.approx(0.1)
