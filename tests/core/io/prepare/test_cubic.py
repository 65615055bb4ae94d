"""Cubic keys: exact for what is a polynomial, within an angle for what is not."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Property
from core.clips.evaluator import ClipEvaluator
from core.errors import ValidationError
from core.io.prepare.cubic import cubic_clip
from core.io.prepare.prepare import prepared
from core.io.prepare.settings import Keys, Prepare
from core.io.presets import export
from core.math import quat
from core.tracks.keys import Extrapolation, Interpolation, scalar_track
from tests.core.io import making

AT = np.array([0.0, 0.2, 0.5, 0.7, 1.0])


def moving(tracks, looping=False):
    project = making.with_clip(making.small(), tracks, 1.0, looping=looping)
    return project.rigs[0], project.clips[0]


def apart(rig, clip, other, times):
    """Largest difference of local translations, and of rotations in degrees."""
    a, b = (ClipEvaluator(rig, c).sample_many(times, wrap=False).local for c in (clip, other))
    turned = float(np.degrees(quat.angle_between(a.rotation, b.rotation)).max())
    return float(np.abs(a.translation - b.translation).max()), turned


@given(st.integers(0, 10_000), st.booleans())
def test_straight_and_cubic_segments_become_cubic_without_any_loss(seed, looping):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(1, 3, len(AT))
    tracks = {
        Channel("b1", Property.TRANSLATE, axis): making.scalar(rng, at=AT[axis:], interpolations=kinds[axis:])
        for axis in range(3)
    }
    rig, clip = moving(tracks, looping)
    made = cubic_clip(rig, clip)
    assert made.fitted == 0
    for channel, track in made.clip.tracks.items():
        assert (track.interpolations == Interpolation.CUBIC).all()
        assert (track.times == clip.tracks[channel].times).all()
    assert apart(rig, clip, made.clip, np.linspace(0.0, 1.0, 400))[0] < 1e-12


def test_steps_stay_steps():
    rng = np.random.default_rng(2)
    track = making.scalar(rng, at=AT, interpolations=Interpolation.CONSTANT)
    rig, clip = moving({Channel("b1", Property.TRANSLATE, 0): track})
    assert (cubic_clip(rig, clip).clip.tracks[Channel("b1", Property.TRANSLATE, 0)].interpolations == 0).all()


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0.001, 0.01, 1.0]), st.booleans(), st.booleans())
def test_rotations_are_fitted_within_the_angle(seed, degrees, euler, looping):
    rng = np.random.default_rng(seed)
    if euler:
        tracks = {Channel("b2", Property.ROTATE, axis): _wide(rng) for axis in range(3)}
    else:
        track = making.turning(rng, at=AT, interpolations=Interpolation.LINEAR)
        tracks = {Channel("b2", Property.ROTATE, WHOLE): track}
    rig, clip = moving(tracks, looping)
    made = cubic_clip(rig, clip, degrees)
    assert made.fitted == 1
    track = made.clip.tracks[Channel("b2", Property.ROTATE, WHOLE)]
    assert (track.interpolations == Interpolation.CUBIC).all()
    _, off = apart(rig, clip, made.clip, np.linspace(0.0, 1.0, 997))
    assert off <= 3.0 * degrees  # each component keeps to its part; the four of them together may be more


def _wide(rng):
    return scalar_track(AT, rng.uniform(-150, 150, len(AT)), rng.normal(size=5) * 90, rng.normal(size=5) * 90)


def test_a_wider_angle_takes_fewer_keys():
    rng = np.random.default_rng(5)
    rig, clip = moving({Channel("b2", Property.ROTATE, axis): _wide(rng) for axis in range(3)})
    counts = [sum(len(t) for t in cubic_clip(rig, clip, d).clip.tracks.values()) for d in (0.0001, 0.01, 1.0)]
    assert counts[0] > counts[1] > counts[2]


def test_weighted_tangents_and_cycles_are_fitted_and_the_error_told():
    rng = np.random.default_rng(6)
    tracks = {
        Channel("b1", Property.TRANSLATE, 0): making.scalar(rng, at=AT, weighted=True, interpolations=2),
        Channel("b1", Property.TRANSLATE, 1): making.scalar(
            rng, at=AT[1:3], after=Extrapolation.MIRROR, interpolations=2
        ),
    }
    rig, clip = moving(tracks)
    made = cubic_clip(rig, clip)
    assert made.fitted == 2
    assert made.check.millimetres < 0.1


def test_prepared_with_cubic_keys_notes_what_it_cost():
    rng = np.random.default_rng(7)
    project = making.with_clip(
        making.small(), {Channel("b2", Property.ROTATE, axis): _wide(rng) for axis in range(3)}, 1.0
    )
    notes = []
    prepared(project, Prepare(keys=Keys.CUBIC, degrees=0.1), notes=notes)
    assert len(notes) == 1
    assert "1 channels fitted with cubic keys; move:" in notes[0]


def test_written_samplers_are_cubic_with_the_tangents_of_the_tracks(tmp_path):
    rng = np.random.default_rng(8)
    slopes = making.scalar(rng, at=AT, interpolations=Interpolation.CUBIC)
    project = making.with_clip(making.small(), {Channel("b1", Property.TRANSLATE, 0): slopes}, 1.0)
    done = export(project, tmp_path / "a.glb", Prepare(keys=Keys.CUBIC))
    assert done.check is not None
    assert done.check.good, done.check.to_text()
    data = (tmp_path / "a.glb").read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + length])
    (sampler,) = document["animations"][0]["samplers"]
    assert sampler["interpolation"] == "CUBICSPLINE"
    accessor = document["accessors"][sampler["output"]]
    view = document["bufferViews"][accessor["bufferView"]]
    values = np.frombuffer(data, "<f4", 3 * accessor["count"], 28 + length + view["byteOffset"]).reshape(
        -1, 3, 3
    )
    assert values[:, 0, 0] == pytest.approx(slopes.in_slopes[: len(values)] * [0, 1, 1, 1, 1], abs=1e-6)
    assert values[:, 1, 0] == pytest.approx(slopes.values, abs=1e-6)
    assert values[:, 2, 0] == pytest.approx(slopes.out_slopes * [1, 1, 1, 1, 0], abs=1e-6)


@pytest.mark.parametrize("degrees", [0.0, -1.0, 100.0, float("nan")])
def test_angle_that_cannot_be_is_refused(degrees):
    with pytest.raises(ValidationError, match="cubic keys"):
        Prepare(degrees=degrees)


def test_cubic_keys_survive_fbx(tmp_path):
    pytest.importorskip("ufbx")
    rng = np.random.default_rng(9)
    tracks = {Channel("b2", Property.ROTATE, axis): _wide(rng) for axis in range(3)}
    done = export(making.with_clip(making.small(), tracks, 1.0), tmp_path / "a.fbx", Prepare(keys=Keys.CUBIC))
    assert done.check is not None
    assert done.check.good, done.check.to_text()
    assert done.report.sampled == []  # FBX has Euler angles: nothing is fitted
