"""Notifies: each one once, however playback is cut, over seams and backwards."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import Notify
from core.clips.notifies import active, crossings, fired, fired_moments
from core.errors import ValidationError
from tests.core.clips import making

MARKS = (
    Notify("left", 0.5),
    Notify("right", 1.5),
    Notify("start", 0.0),
    Notify("end", 2.0),
    Notify("late", 3.0),
)
LOOP, ONCE = (making.clip(looping=looping, notifies=MARKS) for looping in (True, False))
times = st.floats(-7.0, 7.0) | st.integers(-14, 14).map(lambda n: n / 2)


def names(found) -> list[str]:
    return [notify.name for notify in found]


def test_fired_between_two_times_counts_the_end_but_not_the_start():
    assert names(fired(ONCE, 0.5, 1.5)) == ["right"]
    assert names(fired(ONCE, 0.5, 1.5, include_start=True)) == ["left", "right"]


def test_fired_over_a_seam_goes_round():
    assert names(fired(LOOP, 1.0, 2.7)) == ["right", "start", "end", "left"]
    assert names(fired(LOOP, 0.0, 4.0)).count("left") == 2


def test_fired_backwards_comes_in_reverse():
    assert names(fired(ONCE, 1.9, 0.2)) == ["right", "left"]
    assert names(fired(LOOP, 0.7, -0.6)) == ["left", "end", "start", "right"]


def test_fired_outside_the_clip_never():
    assert names(fired(ONCE, 2.5, 9.0)) == []
    assert "late" not in names(fired(LOOP, 0.0, 20.0))


def test_fired_looping_can_be_told_apart_from_the_clip():
    assert names(fired(ONCE, 1.9, 2.6, looping=True)) == ["start", "end", "left"]


@given(times, times, st.lists(times, max_size=4), st.booleans())
def test_fired_any_monotone_cut_fires_each_notify_once(a, b, cuts, loops):
    clip = LOOP if loops else ONCE
    inner = sorted(t for t in cuts if min(a, b) <= t <= max(a, b))
    steps = [a, *(inner if a <= b else inner[::-1]), b]
    pieces = [n for x, y in pairwise(steps) for n in names(fired(clip, x, y))]
    assert sorted(pieces) == sorted(names(fired(clip, a, b)))


def test_fired_clip_without_length_fires_its_moment_once():
    clip = making.clip(1, notifies=(Notify("now", 0.0),))
    still = replace(clip, length=0.0, looping=True)
    assert names(fired(still, 0.0, 5.0, include_start=True)) == ["now"]
    assert names(fired(still, 0.0, 5.0)) == []


def test_fired_absurd_span_is_refused():
    with pytest.raises(ValidationError, match="turns"):
        fired(LOOP, 0.0, 1e9)


def test_active_includes_the_start_but_not_the_end():
    clip = making.clip(1, notifies=(Notify("trail", 0.5, 1.0),))
    assert [names(active(clip, t)) for t in (0.4, 0.5, 1.4, 1.5)] == [[], ["trail"], ["trail"], []]


@given(times, times, st.sampled_from([0.0, 0.5, 2.0]), st.booleans())
def test_crossings_of_a_place_are_the_times_at_which_a_notify_there_fires(start, end, place, include):
    clip = making.clip(looping=True, notifies=(Notify("one", place),))
    found = crossings(place, clip.length, start, end, include)
    assert found == [moment for moment, _ in fired_moments(clip, start, end, include_start=include)]
    once = crossings(place, 0.0, start, end, include)
    assert once == [m for m, _ in fired_moments(clip, start, end, looping=False, include_start=include)]
