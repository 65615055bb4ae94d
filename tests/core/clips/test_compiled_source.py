"""Which clips count as straight motion from key to key, and so keep their own ticks."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.compiled.source import _frames
from core.clips.edits import new_clip
from core.clips.evaluator import ClipEvaluator
from core.clips.root_motion import accumulate, motion_between
from core.math import transform
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from tests.core.clips import making
from tests.core.graph.builders import rig, walking

EVEN = np.arange(11) * 0.2
UNEVEN = EVEN + np.where(EVEN == 1.0, 4e-7, 0.0)


def straight(times, place=0):
    values = np.random.default_rng(place).normal(size=len(times))
    made = scalar_track(times, values, interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR)
    return Channel(f"b{place}", Property.TRANSLATE, 0), made


@pytest.mark.parametrize(("tracks", "found"), [
    ([EVEN], EVEN), ([EVEN, EVEN], EVEN), ([UNEVEN, UNEVEN], UNEVEN), ([EVEN, np.array([1.0])], EVEN),
    ([EVEN, EVEN[:-1]], None), ([EVEN, EVEN + np.where(EVEN == 1.0, 1e-5, 0.0)], None), ([EVEN[1:]], None),
    ([EVEN[:-1]], None), ([], None),
])  # fmt: skip
def test_ticks_are_those_that_all_straight_tracks_share_from_end_to_end(tracks, found):
    clip = new_clip(making.rig(), "c", 2.0).with_tracks(dict(straight(t, n) for n, t in enumerate(tracks)))
    ticks = _frames(clip)
    if found is None:
        assert ticks is None
    else:
        np.testing.assert_allclose(ticks, found, atol=1e-12)


def test_curved_motion_has_no_ticks_of_its_own():
    curved = Channel("b1", Property.TRANSLATE, 0), scalar_track(EVEN, np.sin(EVEN))
    clip = new_clip(making.rig(), "c", 2.0).with_tracks(dict([straight(EVEN), curved]))
    assert _frames(clip) is None


@pytest.mark.parametrize(("start", "end"), [(0.1, 0.4), (0.8, 1.3), (1.4, 0.3), (0.5, 0.5), (-0.7, 2.6)])
def test_motion_between_two_times_is_a_whole_transform_by_either_way(start, end):
    source = ClipEvaluator(rig(), walking("walk", 1.0, 1.5))
    found = motion_between(source, start, end)
    path = accumulate(source, np.array([start, end]))
    first, last = (transform.Transform(*(part[k] for part in path)) for k in (0, 1))
    wanted = transform.compose(transform.inverse(first), last)
    for a, b, width in zip(found, wanted, (3, 4, 3), strict=True):
        assert a.shape == (width,)
        np.testing.assert_allclose(a, b, atol=1e-9)
    assert found.translation[2] == pytest.approx(1.5 * (end - start))
