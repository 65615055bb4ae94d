"""Rows of a dope sheet and their keys."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import constant
from core.clips.clip import WHOLE, Channel, Property
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from editor.model.tangent_modes import MIXED
from editor.tools.curves.lanes import curve_channel, morph_channel
from editor.tools.rows import Level, keys_of, rows_for, top_of

T, R = Property.TRANSLATE, Property.ROTATE
ALL = frozenset({(), ("a",), ("a", "ROTATE"), ("a", "TRANSLATE")})


def tracks():
    return {
        Channel("a", R, 0): scalar_track([0.0, 1.0, 2.0], [0, 1, 2]),
        Channel("a", R, 1): scalar_track([0.0, 2.0], [0, 1], modes=TangentMode.LINEAR),
        Channel("a", R, 2): scalar_track([0.0, 2.0], [0, 1]),
        Channel("b", R, WHOLE): quaternion_track([0.0, 3.0], np.tile([0, 0, 0, 1.0], (2, 1))),
    }


def row(key, bones=None, opened=ALL):
    return next(r for r in rows_for(tracks(), bones, opened, "clip") if r.key == key)


def test_rows_of_everything_go_from_summary_to_axis():
    rows = rows_for(tracks(), None, ALL, "clip")
    assert [r.key for r in rows] == [
        (), ("a",), ("a", "ROTATE"), ("a", "ROTATE", "X"), ("a", "ROTATE", "Y"), ("a", "ROTATE", "Z"), ("b",),
    ]  # fmt: skip
    assert [r.level for r in rows[:4]] == list(Level)


def test_bone_without_a_track_gets_a_row_that_does_not_open():
    rows = rows_for(tracks(), ("c",), ALL, "1 bone")
    assert [r.key for r in rows] == [(), ("c",)] and not rows[1].opens and rows[1].channels == ()


def test_quaternion_row_has_no_axes_below():
    rows = rows_for(tracks(), ("b",), frozenset({(), ("b",), ("b", "ROTATE")}), "1 bone")
    assert [r.key for r in rows] == [(), ("b",), ("b", "ROTATE")] and not rows[2].opens


def test_keys_at_one_time_are_one_and_full_only_where_every_channel_has_one():
    keys = keys_of(tracks(), row(("a", "ROTATE")), -1.0, 10.0, {Channel("a", R, 1): np.array([1])})
    assert keys.times.tolist() == [0.0, 1.0, 2.0]
    assert keys.full.tolist() == [True, False, True]
    assert keys.selected.tolist() == [False, False, True]
    assert keys.modes.tolist() == [MIXED, TangentMode.AUTO, MIXED]


frames = st.lists(st.integers(0, 30), min_size=1, max_size=8, unique=True).map(sorted)


@given(
    st.lists(frames, min_size=1, max_size=3),
    st.integers(0, 20),
    st.integers(0, 20),
    st.randoms(use_true_random=False),
)
def test_a_rows_keys_are_those_of_its_channels_and_selected_where_any_is(times, start, length, random):
    lone = {Channel("a", R, axis): scalar_track(np.array(t, float), t) for axis, t in enumerate(times)}
    chosen = {c: np.array([n for n in range(len(t)) if random.random() < 0.4], int) for c, t in lone.items()}
    found = next(r for r in rows_for(lone, None, ALL, "clip") if r.key == ("a", "ROTATE"))
    end = start + length
    keys = keys_of(lone, found, float(start), float(end), chosen)
    inside = sorted({t for own in times for t in own if start <= t <= end})
    assert keys.times.tolist() == inside
    picked = {times[c.axis][n] for c, numbers in chosen.items() for n in numbers}
    assert keys.selected.tolist() == [t in picked for t in inside]
    assert keys.full.tolist() == [len(times) == 3 and all(t in own for own in times) for t in inside]


def test_move_row_with_one_axis_keyed_is_hollow():
    lone = {Channel("a", T, 1): scalar_track([0.0, 1.0], [0, 1])}
    found = next(r for r in rows_for(lone, None, ALL, "clip") if r.key == ("a", "TRANSLATE"))
    assert not keys_of(lone, found, 0.0, 1.0, {}).full.any()


def test_keys_outside_the_stretch_are_left_out_and_its_ends_are_in():
    keys = keys_of(tracks(), row(("a", "ROTATE", "X")), 1.0, 2.0, {})
    assert keys.times.tolist() == [1.0, 2.0]
    assert not len(keys_of(tracks(), row(("a",)), 5.0, 9.0, {}).times)


def test_times_keep_every_digit_that_the_track_has():
    exact = np.array([0.1, 1 / 3, 2 / 3 + 1e-9])
    lone = {Channel("a", R, 0): scalar_track(exact, [0, 1, 2])}
    for found in rows_for(lone, None, ALL, "clip"):
        assert keys_of(lone, found, 0.0, 1.0, {}).times.tolist() == exact.tolist()


def test_many_channels_on_one_array_of_times_cost_one_merge():
    times = np.arange(4000) / 60.0
    times.flags.writeable = False
    value = constant(0.0, 4000)
    dense = {
        Channel(f"bone{b}", R, a): scalar_track(times, value, modes=TangentMode.LINEAR)
        for b in range(65)
        for a in range(3)
    }
    assert len({id(t.times) for t in dense.values()}) == 1
    summary = rows_for(dense, None, frozenset(), "clip")[0]
    keys = keys_of(dense, summary, 0.0, 100.0, {})
    assert len(keys.times) == 4000 and keys.full.all() and set(keys.modes.tolist()) == {TangentMode.LINEAR}


@pytest.mark.parametrize("code", list(Interpolation))
def test_quaternion_keys_show_how_they_run(code):
    lone = {Channel("b", R, WHOLE): quaternion_track([0.0], [[0, 0, 0, 1.0]], interpolations=code)}
    found = rows_for(lone, None, frozenset(), "clip")[0]
    mode = {0: TangentMode.STEPPED, 1: TangentMode.LINEAR, 2: TangentMode.AUTO}[int(code)]
    assert keys_of(lone, found, 0.0, 1.0, {}).modes.tolist() == [mode]


# ---------------------------------------------------------------- groups, hidden rows, types
def mixed():
    wave = scalar_track([0.0, 1.0], [0, 1])
    return {
        **tracks(),
        curve_channel("speed"): wave,
        morph_channel("smile"): wave,
        curve_channel("aim"): scalar_track([2.0], [0]),
    }


def test_curves_and_morphs_have_groups_of_their_own_that_open():
    opened = frozenset({(), ("", "curves")})
    rows = rows_for(mixed(), None, opened, "clip")
    assert [(r.key, r.level, r.label) for r in rows] == [
        ((), Level.SUMMARY, "clip"), (("a",), Level.BONE, "a"), (("b",), Level.BONE, "b"),
        (("", "curves"), Level.BONE, "Curves"), (("", "curves", "speed"), Level.PROPERTY, "speed"),
        (("", "curves", "aim"), Level.PROPERTY, "aim"), (("", "morphs"), Level.BONE, "Morphs"),
    ]  # fmt: skip
    by_key = {r.key: r for r in rows}
    assert by_key["", "curves"].channels == (curve_channel("speed"), curve_channel("aim"))
    assert [(r.wanted, r.opens, r.is_open) for r in rows] == [
        (7, True, True), (3, True, False), (1, True, False), (2, True, True), (1, False, False), (1, False, False),
        (1, True, False),
    ]  # fmt: skip
    assert by_key["", "curves", "aim"].channels == (curve_channel("aim"),)
    assert [top_of(k) for k in ((), ("a",), ("a", "ROTATE", "X"), ("", "curves"), ("", "curves", "aim"))] == [
        (), ("a",), ("a",), ("", "curves"), ("", "curves"),
    ]  # fmt: skip


def test_with_bones_only_the_selected_curves_are_listed():
    rows = rows_for(mixed(), ("b",), frozenset({()}), "1 bone", weights=frozenset({curve_channel("aim")}))
    assert [r.key for r in rows] == [(), ("b",), ("", "curves")] and rows[2].channels == (
        curve_channel("aim"),
    )
    assert rows[0].wanted == 2
    assert [r.key for r in rows_for(mixed(), ("b",), frozenset({()}), "1 bone")] == [(), ("b",)]


@pytest.mark.parametrize("hidden, solo, left", [
    ({("a",)}, (), [("b",), ("", "curves"), ("", "morphs")]), ((), {("a",)}, [("a",)]),
    ({("a",)}, {("a",), ("b",)}, [("b",)]), ((), {("gone",)}, [("a",), ("b",), ("", "curves"), ("", "morphs")]),
    ({("", "curves")}, (), [("a",), ("b",), ("", "morphs")]),
])  # fmt: skip
def test_rows_are_left_out_or_alone(hidden, solo, left):
    rows = rows_for(mixed(), None, frozenset({()}), "clip", frozenset(hidden), frozenset(solo))
    assert [r.key for r in rows[1:]] == left
    assert set(rows[0].channels) == {c for r in rows[1:] for c in r.channels}


def test_a_folded_or_empty_summary_shows_nothing_below_it():
    rows = rows_for(mixed(), None, frozenset(), "clip")
    assert [r.key for r in rows] == [()] and rows[0].opens and not rows[0].is_open
    (none,) = rows_for({}, None, ALL, "clip")
    assert not none.opens and none.wanted == 0 and none.is_open


def test_axes_of_a_property_have_their_numbers():
    rows = rows_for(tracks(), ("a",), ALL, "1 bone")
    assert [(r.label, r.axis, r.wanted) for r in rows if r.level is Level.AXIS] == [
        ("X", 0, 1),
        ("Y", 1, 1),
        ("Z", 2, 1),
    ]
    prop = next(r for r in rows if r.level is Level.PROPERTY)
    assert (prop.label, prop.wanted, prop.opens, prop.is_open) == ("Rotate", 3, True, True)
    folded = rows_for(tracks(), ("a",), frozenset({(), ("a",)}), "1 bone")
    assert [r.key for r in folded] == [(), ("a",), ("a", "ROTATE")] and not folded[2].is_open


ORDER = (KeyType.KEY, KeyType.INBETWEEN, KeyType.BREAKDOWN, KeyType.HOLD, KeyType.EXTREME)
"""The weakest first."""


@pytest.mark.parametrize("one", list(KeyType))
@pytest.mark.parametrize("other", list(KeyType))
def test_a_rows_key_is_of_the_strongest_type_of_its_channels(one, other):
    def typed(kind, times):
        track = scalar_track(times, np.zeros(len(times)))
        return replace(track, types=np.full(len(times), kind, np.uint8))

    made = {Channel("a", R, 0): typed(one, [0.0, 1.0]), Channel("a", R, 1): typed(other, [0.0, 2.0])}
    keys = keys_of(made, rows_for(made, None, ALL, "clip")[0], -1.0, 9.0, {})
    strongest = max(one, other, key=ORDER.index)
    assert keys.types.tolist() == [strongest, one, other]
    late = keys_of(made, rows_for(made, None, ALL, "clip")[0], 0.5, 9.0, {})
    assert late.types.tolist() == [one, other]
    shown = np.array([kind is not other for kind in KeyType])
    left = keys.of_types(shown)
    assert left.times.tolist() == [t for t, k in zip([0.0, 1.0, 2.0], keys.types, strict=True) if k != other]
    assert keys.of_types(np.ones(len(KeyType), bool)) is keys and len(left.full) == len(left.modes) == len(
        left.times
    )


def test_channels_that_share_times_are_counted_each_and_their_modes_compared():
    times = np.array([0.0, 1.0, 2.0, 3.0])
    times.flags.writeable = False
    value = np.zeros(4)
    modes = (TangentMode.LINEAR, TangentMode.LINEAR, TangentMode.STEPPED)
    made = {Channel("a", R, k): scalar_track(times, value, modes=m) for k, m in enumerate(modes)}
    made[Channel("a", T, 0)] = scalar_track([1.0], [0.0], modes=TangentMode.LINEAR)
    rows = rows_for(made, None, ALL, "clip")
    turn = next(r for r in rows if r.key == ("a", "ROTATE"))
    keys = keys_of(made, turn, 1.0, 2.0, {})
    assert keys.times.tolist() == [1.0, 2.0] and keys.full.all() and keys.modes.tolist() == [MIXED, MIXED]
    whole = keys_of(made, rows[0], 0.5, 3.0, {Channel("a", R, 2): np.array([0, 3, 9])})
    assert whole.times.tolist() == [1.0, 2.0, 3.0] and whole.full.tolist() == [True, False, False]
    assert whole.selected.tolist() == [False, False, True]
    two = {c: made[c] for c in (Channel("a", R, 0), Channel("a", R, 1), Channel("a", T, 0))}
    found = keys_of(two, rows_for(two, None, ALL, "clip")[0], 0.0, 9.0, {})
    assert found.modes.tolist() == [TangentMode.LINEAR] * 4 and found.full.tolist() == [
        False,
        True,
        False,
        False,
    ]
