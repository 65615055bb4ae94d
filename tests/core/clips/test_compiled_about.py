"""What a compiled clip keeps beside bones: each setting of the root motion, uneven key times, curves and morphs."""

from dataclasses import fields, replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.clips.bake import bake
from core.clips.clip import (
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Clip,
    Marker,
    RootMotion,
    RootPose,
    SyncMarker,
)
from core.clips.compiled import fitting
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.sample import sample_many
from core.io import load
from core.math import quat
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, scalar_track
from tests.core.clips.test_compiled import arm, waving


def through_file(clip: Clip, folder: Path) -> Clip:
    path = folder / "a.pwclip"
    path.write_bytes(to_bytes(compile_clip(arm(), clip)[0]))
    return load(path).project.clips[0]


@pytest.mark.parametrize(("ground", "height", "yaw"), list(product([False, True], repeat=3)))
def test_every_part_of_root_motion_comes_back(tmp_path, ground: bool, height: bool, yaw: bool) -> None:
    motion = RootMotion(True, "b0", ground, height, yaw, RootPose.ZERO)
    assert through_file(replace(waving(), root_motion=motion), tmp_path).root_motion == motion


@pytest.mark.parametrize("pose", list(RootPose))
def test_the_pose_of_the_root_comes_back_and_motion_that_is_off_stays_off(tmp_path, pose: RootPose) -> None:
    motion = RootMotion(True, "b0", True, False, True, pose)
    assert through_file(replace(waving(), root_motion=motion), tmp_path).root_motion.pose is pose
    off = replace(motion, enabled=False)
    assert not through_file(replace(waving(), root_motion=off), tmp_path).root_motion.enabled


@pytest.mark.parametrize("space", list(AdditiveSpace))
def test_an_additive_clip_stays_one(tmp_path, space: AdditiveSpace) -> None:
    declared = Additive(space, AdditiveBase.FRAME, None, 0.75)
    found = through_file(replace(waving(), additive=declared), tmp_path).additive
    assert found is not None
    same = [f.name for f in fields(found) if getattr(found, f.name) == getattr(declared, f.name)]
    assert {"space", "base", "base_time"} <= set(same)


def test_marks_and_curves_of_several_names_come_back(tmp_path) -> None:
    clip = waving(3)
    times = np.array([0.0, 0.31, 0.77, 1.6, 2.0])
    curves = {
        name: scalar_track(times, np.random.default_rng(n).uniform(0.0, 1.0, 5))
        for n, name in enumerate(("zeal", "air", "Mouth open"))
    }
    clip = replace(
        clip, curves=curves, sync_markers=(SyncMarker("left", 0.4), SyncMarker("right", 1.4)),
        markers=(Marker("note", 0.9),), notifies=(replace(clip.notifies[0], duration=0.2),),
    )  # fmt: skip
    found = through_file(clip, tmp_path)
    assert found.sync_markers == clip.sync_markers and found.markers == clip.markers
    assert found.notifies == clip.notifies
    assert tuple(found.curves) == tuple(curves)
    dense = np.linspace(0.0, 1.99, 150)
    for name, track in curves.items():
        ours = evaluate_scalar(found.curves[name], dense, 2.0)
        assert np.abs(ours - evaluate_scalar(track, dense, 2.0)).max() < 5e-3, name


def test_a_curve_s_own_key_times_are_ticks() -> None:
    """A peak of a curve between two half-frames, where no bone has a key."""
    peak = 0.5 + 1.0 / 240.0
    times, values = [0.0, peak - 0.004, peak, peak + 0.004, 2.0], [0.0, 0.0, 1.0, 0.0, 0.0]
    clip = replace(waving(), curves={"hit": scalar_track(times, values, interpolations=Interpolation.LINEAR)})
    compiled = compile_clip(arm(), clip)[0]
    found = compiled.poses_numpy(np.array([peak]))[1][0, list(compiled.extras).index("hit")]
    assert found == pytest.approx(1.0, abs=1e-3)


def test_uneven_times_of_straight_keys_stay_where_they_are(tmp_path) -> None:
    rig, rng = arm(), np.random.default_rng(1)
    gaps = rng.uniform(0.9, 1.1, 12)  # nearly even, as a capture with a lost frame here and there
    times = np.concatenate(([0.0], np.cumsum(gaps) * (2.0 / gaps.sum())))
    rest = sample_many(rig, waving(), times, wrap=False).local
    local = rest._replace(rotation=quat.continuous(quat.normalise(rng.normal(size=rest.rotation.shape))))
    clip = replace(waving(), looping=False, curves={}, tracks=bake(rig.skeleton, times, local))
    found = through_file(clip, tmp_path)
    axis = np.unique(np.concatenate([track.times for track in found.every_track()]))
    assert np.abs(axis[:, None] - times).min(axis=0).max() < 1e-9
    dense = np.linspace(0.0, 2.0, 201)
    turned = [sample_many(rig, c, dense, wrap=False).rotations for c in (clip, found)]
    assert np.degrees(quat.angle_between(*turned)).max() < 0.2


def test_a_clip_fitted_some_samples_at_a_time_has_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    times = np.arange(40) / 30.0
    local = sample_many(arm(), waving(), times).local
    straight = replace(waving(), length=float(times[-1]), tracks=bake(arm().skeleton, times, local))
    whole = to_bytes(compile_clip(arm(), straight)[0])
    monkeypatch.setattr(fitting, "ROWS_AT_ONCE", 7)
    assert to_bytes(compile_clip(arm(), straight)[0]) == whole
