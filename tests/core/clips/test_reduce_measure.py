"""Key reduction measures only the bones that were fitted again, and finds what measuring all of them does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.reduce import _Measure, shell_points
from core.progress import nothing
from core.tracks.keys import QuaternionTrack, taken
from tests.core.clips import making

RIG = making.rig(6, even=False)


def thinned(clip, bones):
    """The clip with every other key of some bones' tracks."""
    names = {RIG.skeleton.names[bone] for bone in bones}
    changed = {
        channel: taken(track, np.arange(0, len(track), 2))
        for channel, track in clip.tracks.items()
        if channel.bone in names
    }
    return clip.with_tracks(changed)


@settings(max_examples=15)
@given(
    st.integers(0, 1000),
    st.booleans(),
    st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=1, max_size=3),
)
def test_errors_of_some_bones_are_those_of_all(seed, looping, steps):
    clip = making.clip(6, looping=looping, seed=seed)
    times, shell, tell = np.linspace(0.0, 2.0, 23), shell_points(RIG.skeleton), nothing()
    measure, whole = _Measure(RIG, clip, times, shell, tell), _Measure(RIG, clip, times, shell, tell)
    assert measure.errors(clip, tell).max() < 1e-12
    assert any(isinstance(track, QuaternionTrack) for track in clip.tracks.values())
    for bones in steps:
        clip = thinned(clip, bones)
        assert measure.errors(clip, tell, bones) == pytest.approx(whole.errors(clip, tell), abs=1e-12)
