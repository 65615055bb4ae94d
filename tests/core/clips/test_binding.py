"""The binding of an edited clip, made from the one before, against one made anew."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.binding import Binding, bind, rebound
from core.clips.clip import Channel, Clip, Property
from core.tracks.keys import Track, scalar_track
from tests.core.clips import making

SKELETON = making.rig(6).skeleton
ELSEWHERE = Channel("not in the rig", Property.SCALE, 0)
BEFORE = making.clip(6, seed=3, wild=True).with_tracks({ELSEWHERE: scalar_track([0.0], [1.0])})
SOME = st.sets(st.sampled_from(sorted(BEFORE.tracks, key=str)))
KNOWN = bind(SKELETON, BEFORE, {"m/smile": 0.25}, None)


def other(track: Track) -> Track:
    """Another track of the same kind."""
    return replace(track, before=track.before)


def same(a: Binding, b: Binding) -> None:
    """Both hold the very same tracks in the same places."""
    assert a.places == b.places and a.skeleton is b.skeleton
    assert [entry.bone for entry in a.bones] == [entry.bone for entry in b.bones]
    assert len(a.tracks) == len(b.tracks) and all(x is y for x, y in zip(a.tracks, b.tracks, strict=True))
    for one, two in zip(a.bones, b.bones, strict=True):
        assert one.whole is two.whole
        for parts, others in zip(one[1:4], two[1:4], strict=True):
            assert [axis for axis, _ in parts] == [axis for axis, _ in others]
            assert all(x is y for (_, x), (_, y) in zip(parts, others, strict=True))
    assert [(e.name, e.is_morph, e.default) for e in a.extras] == [
        (e.name, e.is_morph, e.default) for e in b.extras
    ]
    assert all(x.track is y.track for x, y in zip(a.extras, b.extras, strict=True))
    assert np.array_equal(a.rest_degrees, b.rest_degrees)


def edited(clip: Clip, channels: set[Channel]) -> Clip:
    """The clip with other tracks at some channels."""
    return replace(clip, tracks={c: other(t) if c in channels else t for c, t in clip.tracks.items()})


@given(SOME, SOME)
@settings(deadline=None, max_examples=40)
def test_binding_of_an_edit_is_that_made_anew(first: set[Channel], second: set[Channel]) -> None:
    clip, binding = BEFORE, KNOWN
    for channels in (first, second):
        after = edited(clip, channels)
        found = rebound(binding, clip, after)
        assert found is not None
        same(found, bind(SKELETON, after, {"m/smile": 0.25}, None))
        clip, binding = after, found


def test_other_channels_kinds_or_curves_are_bound_anew() -> None:
    some = next(channel for channel in BEFORE.tracks if channel.property is Property.TRANSLATE)
    fewer = replace(BEFORE, tracks={c: t for c, t in BEFORE.tracks.items() if c != some})
    moved = replace(BEFORE, tracks={**fewer.tracks, some: BEFORE.tracks[some]})
    curves = replace(BEFORE, curves={**BEFORE.curves, "effort": other(BEFORE.curves["effort"])})
    morphs = replace(BEFORE, morphs={"m/smile": scalar_track([0.0], [1.0])})
    for after in (fewer, moved, curves, morphs):
        assert rebound(KNOWN, BEFORE, after) is None
