"""Keys at the ends of a loop and steps turned round in time change nothing that is seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.edits import reversed_clip
from core.clips.loop_tools import cycled_track
from core.ids import AssetId
from core.math import quat
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.seam import with_end_keys
from core.tracks.tangents import with_tangents

LENGTH = 2.0
DENSE = np.linspace(0.01, 1.99, 331) + 1e-4


def mixed(seed: int, quaternions: bool, ends: bool = False):
    """Keys whose segments are stepped, straight and curved by turns, on times of their own."""
    rng = np.random.default_rng(seed)
    times = np.array([0.3, 0.7, 0.9, 1.4, 1.7])
    if ends:
        times = np.array([0.0, *times, LENGTH])
    kinds = rng.integers(0, 3, len(times)).astype(np.uint8)
    if quaternions:
        values = quat.continuous(quat.normalise(rng.normal(size=(len(times), 4)) + [0.0, 0.0, 0.0, 3.0]))
        tangents = rng.normal(size=(len(times), 4))
        return quaternion_track(times, values, tangents, tangents, kinds)
    slopes, values = rng.normal(size=len(times)), rng.normal(size=len(times))
    return scalar_track(times, values, slopes, slopes, kinds, int(TangentMode.FREE))


def far(track, a, b, loop) -> float:
    """How far two tracks are apart at times of each."""
    if track[0].values.ndim == 1:
        return float(np.abs(evaluate_scalar(track[0], a, loop) - evaluate_scalar(track[1], b, loop)).max())
    turns = evaluate_quaternion(track[0], a, loop), evaluate_quaternion(track[1], b, loop)
    return float(quat.angle_between(*turns).max())


@given(st.integers(0, 10_000), st.booleans())
def test_keys_at_both_ends_change_no_loop(seed, quaternions):
    track = mixed(seed, quaternions)
    whole = with_end_keys(track, LENGTH)
    assert (whole.times[0], whole.times[-1]) == (0.0, LENGTH)
    assert far((track, whole), DENSE, DENSE, LENGTH) < (1e-2 if quaternions else 1e-9)


@given(st.integers(0, 10_000), st.sampled_from([0.25, 0.7, 1.9]))
def test_cyclic_shift_of_a_curve_that_runs_across_the_seam_keeps_its_shape(seed, shift):
    times = np.array([0.3, 0.9, 1.6])
    track = with_tangents(scalar_track(times, np.random.default_rng(seed).normal(size=3)), LENGTH)
    done = cycled_track(track, shift, LENGTH)
    assert far((track, done), (DENSE - shift) % LENGTH, DENSE, LENGTH) < 1e-6


def test_cyclic_shift_leaves_a_stepped_curve_stepped():
    track = scalar_track(
        [0.0, 0.5, 1.0], [0.0, 1.0, 0.0], interpolations=Interpolation.CONSTANT, modes=TangentMode.STEPPED
    )
    done = cycled_track(track, 0.3, LENGTH)
    assert set(done.interpolations.tolist()) == {int(Interpolation.CONSTANT)}
    assert set(done.modes.tolist()) == {int(TangentMode.STEPPED)}
    assert far((track, done), (DENSE - 0.3) % LENGTH, DENSE, LENGTH) == 0.0


@pytest.mark.parametrize("looping", [False, True])
@given(seed=st.integers(0, 10_000), quaternions=st.booleans(), ends=st.booleans())
def test_reversed_clip_holds_what_stepped_segments_held(looping, seed, quaternions, ends):
    track = mixed(seed, quaternions, ends)
    channel = Channel("a", Property.ROTATE, WHOLE if quaternions else 0)
    clip = Clip(AssetId("c"), "c", AssetId("r"), LENGTH, looping=looping, tracks={channel: track})
    loop = LENGTH if looping else None
    back = reversed_clip(clip).tracks[channel]
    jumps = np.concatenate((track.times, [0.0, LENGTH]))
    sure = np.abs(DENSE[:, None] - jumps).min(axis=1) > 1e-4
    tolerance = 1e-2 if quaternions and looping and not ends else 1e-6
    assert far((track, back), DENSE[sure], LENGTH - DENSE[sure], loop) < tolerance
    twice = reversed_clip(reversed_clip(clip)).tracks[channel]
    assert far((track, twice), DENSE[sure], DENSE[sure], loop) < tolerance
