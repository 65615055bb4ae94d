"""Rows of a dope sheet and their keys."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import constant
from core.clips.clip import WHOLE, Channel, Property
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from editor.model.tangent_modes import MIXED
from editor.tools.rows import Level, keys_of, rows_for

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
