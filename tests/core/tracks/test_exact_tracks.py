"""Values, slopes, filters, fits and shapes of tracks: exact results, case by case."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.errors import ValidationError
from core.math import quat
from core.timing import FrameRate
from core.tracks import edits, filters, refresh, seam, setting, together, typed
from core.tracks.evaluate import end_slope, evaluate_quaternion, evaluate_scalar, locate, wrapped
from core.tracks.fit import fit_knots, fit_track, tridiagonal
from core.tracks.key_types import KeyType
from core.tracks.keys import Extrapolation, Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.many import KeyGroup
from core.tracks.moving import Arranger, ripple
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import reduced
from core.tracks.shaping import GIVEN, Shape, pull, runs, shaped
from core.tracks.sliders import Slider, slid
from core.tracks.smoothing import smoothed_slopes
from core.tracks.tangents import Ends, chords, with_tangents
from tests.core.tracks.test_exact_edits import KINDS, MADE, RATE, TIMES, rotations, scalar
from tests.pins import Pins

PINS = Pins(__file__)
LOOPS = (None, 0.0, 1.7, 2.6, 2.60000001, 3.4)
AT = np.array(
    [-9.1, -3.01, -0.41, -0.4, -0.1, 0.0, 0.1, 0.3, 1.29, 1.3, 2.0, 2.2, 2.21, 2.6, 2.7, 3.0, 3.4, 8.3, 21.0]
)


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(("made", "kind"), list(product(MADE, KINDS)))
def test_values_at_times(made, kind):
    read = evaluate_scalar if made == "scalar" else evaluate_quaternion
    for seed in (1, 2):
        for before, after in [*zip(Extrapolation, Extrapolation, strict=True), (1, 4), (3, 2)]:
            track = MADE[made](kind, seed, (Extrapolation(before), Extrapolation(after)))
            PINS.hold(
                f"{made}, {kind}, {seed}, {int(before)} {int(after)}", read(track, AT), read(track, AT[:0])
            )
        for loop in LOOPS[1:]:
            PINS.hold(f"{made}, {kind}, {seed}, loop {loop}", read(MADE[made](kind, seed), AT, loop))
    one = MADE[made](kind, 3)
    first = refresh.put(one.interpolations, [0], 0 if kind is None else int(kind))
    lone = edits.delete_keys(replace(one, interpolations=first), [1, 2, 3, 4, 5])
    for how, loop in product(Extrapolation, (None, 3.0)):
        PINS.hold(
            f"{made}, {kind}, lone, {how.name}, {loop}", read(replace(lone, before=how, after=how), AT, loop)
        )


def test_places_of_times():
    for how, loop in [*product(Extrapolation, [None]), *product([Extrapolation.HOLD], LOOPS[1:])]:
        PINS.hold(f"places {how.name}, {loop}", locate(TIMES, AT, how, how, loop))
    for length in (0.7, 2.0):
        PINS.hold(
            f"wrapped {length}",
            wrapped(np.array([-4.0, -1e-17, 0.0, length, length + 1e-9, 2.0 * length]), length),
        )
    for kind in KINDS:
        PINS.hold(f"end slopes {kind}", [end_slope(scalar(kind), last) for last in (False, True)])


def test_keys_found_by_time():
    near = np.array([-1.0, -0.400011, -0.400005, -0.3999951, 0.1, 0.100011, 1.0, 2.2000099, 2.200011, 5.0])
    found = setting.keys_at(TIMES, near)
    track = scalar(2)
    assert [refresh.key_at(track, t) for t in near] == [None if n < 0 else n for n in found.tolist()]
    assert found.tolist() == [-1, -1, 0, 0, 1, -1, -1, 5, -1, -1]
    assert setting.keys_at(np.array([1.0, 1.000012]), np.array([1.000006, 1.0000061])).tolist() == [0, 1]
    for start, end in ((-1.0, 5.0), (0.1, 1.3), (0.10001, 1.29999), (0.100011, 1.299989), (3.0, 4.0)):
        PINS.hold(f"between {start} {end}", refresh.keys_between(track, start, end))
    for count, keys, loop, neighbours, also in product(
        (1, 2, 6), ([0], []), (None, 2.0), (False, True), ((), (0,))
    ):
        touched = refresh.touched_keys(count, keys, loop, neighbours, also)
        PINS.hold(f"touched {count}, {keys}, {loop}, {neighbours}, {also}", touched)
    for keys in ([2], [4], [5], [1, 3]):
        PINS.hold(f"touched of six, {keys}", [refresh.touched_keys(6, keys, loop) for loop in (None, 2.0)])


# ---------------------------------------------------------------- slopes


def moded(mode, seed=1):
    """Six keys of a mode, or of all of them in turn; first and last agree where the seed is even."""
    track = scalar(None, seed)
    values = np.array(track.values)
    if seed % 2 == 0:
        values[-1] = values[0]
    modes = np.array([0, 1, 2, 3, 4, 5]) if mode is None else np.full(6, int(mode))
    return replace(track, values=values, modes=modes.astype(np.uint8))


@pytest.mark.parametrize("mode", [None, *TangentMode])
def test_automatic_slopes(mode):
    for seed, loop in product((1, 2, 3), LOOPS):
        track = moded(mode, seed)
        with PINS.together(f"slopes {mode}, {seed}, {loop}") as note:
            for keys, ends in product((None, [0], [5], [4, 1, 1]), Ends):
                note(with_tangents(track, loop, keys, ends))
            note([chords(track, np.arange(6), loop, side) for side in (-1, 1)])
    for count in (1, 2):
        for loop in (None, 0.5, 2.0):
            few = edits.delete_keys(moded(mode, 1), list(range(count, 6)))
            PINS.hold(f"slopes {mode}, {count} keys, {loop}", with_tangents(few, loop))


@pytest.mark.parametrize("mode", TangentMode)
def test_modes_slopes_and_weights_set(mode):
    for kind, loop in product((None, 1, 2), (None, 2.6)):
        track = scalar(kind, 3)
        with PINS.together(f"set {mode.name}, {kind}, {loop}") as note:
            for keys in ([0], [5], [1, 3], []):
                note(edits.set_mode(track, keys, mode, loop))
                note(
                    edits.set_slopes(track, keys, 2.0, None), edits.set_slopes(track, keys, None, -1.0, mode)
                )
                note(
                    edits.set_slopes(moded(TangentMode.BROKEN), keys, 2.0),
                    edits.set_slopes(track, keys, 1.0, 2.0, mode),
                )
                note(edits.set_weights(track, keys, -0.5, 0.7), edits.set_weights(track, keys, None, 1.5))
                note(edits.delete_keys(track, keys, loop), edits.set_values(track, keys, 0.3, loop))
                for code in Interpolation:
                    note(edits.set_interpolation(edits.set_mode(track, [0, 1], mode), keys, code, loop))
    assert edits.set_weights(track, [1]) is track and edits.delete_keys(track, range(6)) is None
    PINS.hold(f"beyond {mode.name}", edits.set_extrapolation(track, None, Extrapolation.CYCLE))


def test_slopes_smoothed():
    for loop, weight, strength in product((None, 2.6, 3.4), (None, 0.0, 0.3, 1.0), (0.4, 1.0)):
        with PINS.together(f"smoothed {loop}, {weight}, {strength}") as note:
            for keys in ([0], [2, 4], [5], range(6)):
                note(smoothed_slopes(scalar(2, 3), keys, weight, strength, loop))
    track = scalar(2)
    assert smoothed_slopes(track, [1], strength=0.0) is track and smoothed_slopes(track, []) is track
    for weight, strength in ((-0.1, 1.0), (1.1, 1.0), (None, -0.1), (None, 1.1)):
        with pytest.raises(ValidationError, match=r"^smooth: expected weight and strength within 0 to 1"):
            smoothed_slopes(track, [1], weight, strength)


# ---------------------------------------------------------------- many values at once


SETS = ([0.1], [-0.4, 2.2], [0.3, 0.5, 2.1], [-1.0, -0.4, 0.1, 3.0], [2.5, 2.9], [1.3, 1.4, 1.5, 1.9])


@pytest.mark.parametrize(("made", "kind", "loop"), list(product(MADE, KINDS, [None, 2.6, 3.4])))
def test_curves_and_turns_set(made, kind, loop):
    r = np.random.default_rng(3)
    for seed in (1, 2):
        track = MADE[made](kind, seed)
        with PINS.together(f"set {made}, {kind}, {loop}, {seed}") as note:
            for times in SETS:
                if made == "scalar":
                    note(setting.set_curve(track, times, r.normal(size=len(times)), loop))
                    note(edits.set_value(track, times[0], 0.7, loop))
                    note(edits.set_value(track, times[-1], 0.7, loop, Interpolation.LINEAR))
                else:
                    note(
                        setting.set_turns(track, times, quat.normalise(r.normal(size=(len(times), 4))), loop)
                    )
                    note(edits.set_rotation(track, times[0], [0.6, 0.0, 0.0, -0.8], loop))
    if made == "scalar":
        PINS.hold(f"new {kind}, {loop}", setting.set_curve(None, [0.0, 1.0, 2.6], [1.0, 3.0, 1.0], loop))
        PINS.hold(f"new of one {kind}, {loop}", setting.set_curve(None, [1.0], [1.0], loop))
        assert setting.set_curve(track, TIMES[1:3], track.values[1:3], loop) is track
        PINS.hold(f"times two {kind}", setting.scaled_values(track, 2.0))
        assert setting.scaled_values(track, 1.0) is track


def test_times_and_values_that_do_not_fit_are_refused():
    for times, values, words in (
        ([], [], "as many values"), ([1.0, 2.0], [1.0], "as many values"), (1.0, [1.0], "as many values"),
        ([np.nan], [1.0], "finite times and values"), ([1.0], [np.inf], "finite times and values"),
        ([1.0, 1.0], [1.0, 2.0], "times that rise"), ([1.0, 1.000009], [1.0, 2.0], "times that rise"),
    ):  # fmt: skip
        with pytest.raises(ValidationError, match=rf"^keys to set: expected .*{words}"):
            setting.set_curve(scalar(2), times, values)


@pytest.mark.parametrize("loop", [None, 2.6, 3.4])
def test_tracks_set_and_moved_together(loop):
    tracks = [scalar(kind, seed) for kind, seed in product(KINDS, (1, 2, 3))] + [
        moded(m, 4) for m in TangentMode
    ]
    shared = [replace(track, times=tracks[0].times) for track in tracks]
    ended = [replace(t, before=Extrapolation.LINEAR, after=Extrapolation.CYCLE_OFFSET) for t in tracks[:3]]
    values = np.linspace(-1.0, 1.0, len(tracks))
    for time in (-1.0, -0.4, 0.3, 1.3, 2.2, 2.4, 5.0):
        PINS.hold(f"read together {loop}, {time}", together.evaluate_scalars([*tracks, *ended], time, loop))
        with PINS.together(f"set together {loop}, {time}") as note:
            made = together.set_together(tracks, time, values, loop)
            note(made)
            for track, value, alone in zip(tracks, values, made, strict=True):
                twin = edits.set_value(track, time, float(value), loop)
                for name in ("values", "in_slopes", "out_slopes", "modes", "interpolations", "types"):
                    np.testing.assert_array_equal(getattr(alone, name), getattr(twin, name))
    for keys in ([0], [1, 2], [2, 5], [0, 1, 2, 3, 4, 5]):
        given = np.outer(values, np.arange(1.0, len(keys) + 1.0))
        PINS.hold(
            f"keys together {loop}, {keys}", together.set_keys_together(tracks, np.array(keys), given, loop)
        )
        group = KeyGroup(shared, keys, loop)
        for seconds, snap in product((-0.8, 0.0, 0.03, 0.61, 9.0), (None, RATE.snap)):
            with PINS.together(f"moved together {loop}, {keys}, {seconds}, {snap is None}") as note:
                for value in (0.0, 1.5, values):
                    note(group.moved(seconds, value, Arranger(snap)))


# ---------------------------------------------------------------- shapes, sliders, filters


@pytest.mark.parametrize("shape", Shape)
def test_keys_pulled(shape):
    r = np.random.default_rng(5)
    for made, seed, loop in product(MADE, (1, 2), (None, 2.6)):
        track = MADE[made](2, seed)
        for keys in ([2], [0, 1], [1, 2, 4], [5], [0, 1, 2, 3, 4, 5]):
            goal = r.normal(size=(len(keys), *track.values.shape[1:])) if shape in GIVEN else None
            goal = quat.normalise(goal) if goal is not None and made == "quaternion" else goal
            found = pull(shape, track, keys, loop, goal=goal, seconds=0.4, size=2.0, seed=3)
            with PINS.together(f"pulled {shape}, {made}, {seed}, {loop}, {keys}") as note:
                note(found)
                for amount in (-1.3, -1.0, 0.0, 0.4, 1.0):
                    note(shaped(track, keys, found, amount, loop))
    assert [part.tolist() for part in runs(np.array([0, 1, 3, 7, 8]))] == [[0, 1], [2], [3, 4]]
    assert runs(np.zeros(0, np.intp)) == []
    for keys, goal in (([], None), ([6], None), ([-1], None)) + (
        (([0], [1.0, 2.0]),) if shape in GIVEN else ()
    ):
        with pytest.raises(ValidationError, match=rf"^{shape}: expected"):
            pull(shape, scalar(2), keys, goal=goal)


@pytest.mark.parametrize("slider", Slider)
def test_sliders(slider):
    for loop, amount in product((None, 2.6), (-0.7, 1.0)):
        with PINS.together(f"slid {slider}, {loop}, {amount}") as note:
            for keys in ([2], [0, 1], [1, 2, 4], [5]):
                note(
                    slid(slider, scalar(2, 3), keys, amount, loop, 0.3, 2),
                    slid(slider, scalar(2, 3), keys, amount),
                )
    track = scalar(2)
    assert slid(slider, track, [1], 0.0) is track and slid(slider, track, [], 1.0) is track


def test_filters_of_values():
    for seed, loop, seconds in product((1, 2), (None, 0.0, 2.6, 3.4), (0.05, 0.3, 0.64, 2.0)):
        with PINS.together(f"gaussian {seed}, {loop}, {seconds}") as note:
            for keys in ([0], [2, 3], [5], range(6)):
                note(filters.gaussian(scalar(2, seed), keys, seconds, loop))
    t = np.arange(40) / 20.0
    r = np.random.default_rng(2)
    even = scalar_track(t, np.sin(t) + 0.2 * r.normal(size=40))
    uneven = scalar_track(np.cumsum(r.uniform(0.01, 0.2, 20)), r.normal(size=20))
    for name, track in {"even": even, "uneven": uneven}.items():
        for cutoff, order, loop in product((0.5, 3.0), (2, 4, 6), (None, 5.0)):
            done = filters.butterworth(track, [0, 3, 7, len(track) - 1], cutoff, 20.0, order, loop)
            PINS.hold(f"butterworth {name}, {cutoff}, {order}, {loop}", done)
        for keys, cutoff in (([], 1.0), ([1], 10.0), ([1], 30.0)):
            assert filters.butterworth(track, keys, cutoff, 20.0) is track
    for order in (2, 4, 8):
        PINS.hold(f"sections {order}", filters.sections(2.0, 30.0, order))
        rows = filters.zero_phase(r.normal(size=(30, 3)), 2.0, 30.0, order)
        PINS.hold(f"zero phase {order}", rows, filters.zero_phase(t[:4] ** 2, 2.0, 30.0, order))
    for order, cutoff in ((1, 2.0), (3, 2.0), (0, 2.0), (2, 0.0), (2, 15.0)):
        with pytest.raises(ValidationError, match=r"^Butterworth: expected an even order"):
            filters.zero_phase(t, cutoff, 30.0, order)


def test_euler_filter():
    r = np.random.default_rng(4)
    values = np.cumsum(r.uniform(-250.0, 250.0, (8, 3)), axis=0)
    times = np.arange(8) * 0.5
    for order, keys, loop in product(range(6), (None, [2, 5, 6]), (None, 3.5)):
        tracks = tuple(with_tangents(scalar_track(times, v, 1.0, 2.0, modes=[0, 3] * 4)) for v in values.T)
        PINS.hold(f"euler {order}, {keys}, {loop}", filters.euler_filter(tracks, order, keys, loop))
    apart = (tracks[0], edits.delete_keys(tracks[1], [3]), tracks[2])
    PINS.hold("euler, other times", filters.euler_filter(apart, 2, None, 3.5))
    with pytest.raises(ValidationError, match=r"^Euler filter: selected keys need"):
        filters.euler_filter(apart, 2, [1])


# ---------------------------------------------------------------- fits, types, ends


def test_knots():
    t = np.linspace(0.0, 3.0, 61)
    values = np.stack((np.sin(2.0 * t), np.abs(t - 1.2) ** 1.3, np.tanh(5.0 * t - 8.3)), axis=1)
    every = np.arange(61)
    for tolerance, seeds, joint in product((0.01, 0.2, [0.5, 0.01, 0.3]), ((), [7, 30]), (False, True)):
        for name, share in {"all": None, "part": np.where(t < 1.0, 0.2, 1.0)}.items():
            for some, free in {"any": None, "few": every % 9 == 0, "none": np.zeros(61, bool)}.items():
                found = fit_knots(t, values, tolerance, seeds, share=share, joint=joint, free=free)
                PINS.hold(
                    f"knots {tolerance}, {seeds}, {joint}, {name}, {some}",
                    found.keys,
                    found.slopes,
                    found.error,
                )
    PINS.hold("fit", fit_track(t, values[:, 0], 0.03, [4]), fit_track(t[:1], values[:1, 0], 0.1))
    r = np.random.default_rng(1)
    PINS.hold("solved", tridiagonal(r.uniform(3.0, 4.0, 7), r.uniform(-1.0, 1.0, 6), r.normal(size=(7, 2))))
    for kind in KeyPlaces:
        places = Places(kind, FrameRate.of(10))
        times = np.array([0.03, 0.1, 0.20000001, 0.250015, 0.30001, 0.71])
        PINS.hold(
            f"places {kind}", places.samples(times), places.free(times, times), places.free(times, times[1:4])
        )


def test_types_of_keys():
    times, types = np.arange(8) * 0.25, np.array([0, 1, 1, 3, 0, 2, 1, 0], dtype=np.uint8)
    for snap, along in product((None, FrameRate.of(10).snap), ((KeyType(1),), (KeyType(1), KeyType(2)))):
        for keys, goal in (
            ([0], [-0.6]), ([0, 3], [0.1, 1.4]), ([4], [2.4]), ([3, 4], [1.6, 0.2]), ([4, 7], [1.1, 1.9]),
            ([2], [0.3]), ([0, 3, 4, 7], [0.0, 0.75, 1.0, 1.75]), ([4], [0.75]),
        ):  # fmt: skip
            found = typed.carried(times, types, np.array(keys), np.array(goal), snap, along)
            PINS.hold(f"carried {snap is None}, {len(along)}, {keys} {goal}", found)
    track = scalar_track(times, np.zeros(8))
    near = times + np.array([0.0, 9e-6, 1.1e-5, -9e-6, -1.1e-5, 0.1, 9e-5, -1.1e-4])
    PINS.hold(
        "typed",
        typed.typed_at(track, near, types + 1),
        typed.typed_at(track, near, types + 1, typed.NEAR, types),
    )
    other = replace(scalar_track(near, np.zeros(8)), types=types)
    later = replace(scalar_track(times[:3], np.zeros(3)), types=np.array([4, 4, 0], dtype=np.uint8))
    for sources in ([other], [other, later], [later, other], []):
        PINS.hold(
            f"types from {len(sources)}, {sources[:1] == [other]}", typed.types_from(track, sources).types
        )
    assert typed.types_from(track, []) is track and typed.with_type(track, [], KeyType.HOLD) is track
    for kinds in ([KeyType.KEY], [KeyType.BREAKDOWN, KeyType.EXTREME], []):
        PINS.hold(f"of types {kinds}", typed.keys_of_types(other, kinds))


def test_ends_and_steps_of_loops():
    for made, kind, length in product(MADE, KINDS, (1.5, 2.2, 2.6, 3.4)):
        track = MADE[made](kind, 3)
        PINS.hold(f"end keys {made}, {kind}, {length}", seam.with_end_keys(track, length))
        later = replace(track, times=track.times + 0.4)
        PINS.hold(f"end keys of later {made}, {kind}, {length}", seam.with_end_keys(later, length))
    for kind, how, first in product((None, 0, 2), Extrapolation, (-0.4, 0.0, 1.5e-5, 0.7)):
        for made in MADE:
            track = MADE[made](kind, 3, (how, Extrapolation.HOLD))
            back = replace(track, times=track.times - track.times[0] + first)
            close = replace(back, times=np.array([0.0, 3e-5, 0.5, 0.50005, 1.0, 2.0]) + first)
            case = f"steps held {made}, {kind}, {how.name}, {first}"
            PINS.hold(case, seam.with_steps_held(back), seam.with_steps_held(close))
    one = quaternion_track([1.0], [[0.0, 0.0, 0.0, 1.0]])
    assert seam.with_steps_held(one) is one and seam.with_steps_held(rotations(2)) is not None


def test_bounds_that_are_met_exactly():
    close = scalar_track([0.0, 2.0**-14], [0.0, 0.0])
    assert typed.typed_at(close, np.array([2.0**-15]), np.array([3], np.uint8), typed.NEAR).tolist() == [3, 0]
    assert setting.keys_at(
        np.array([0.0, 2.0**-17 + 2.0**-18]), np.array([2.0**-18 + 2.0**-19])
    ).tolist() == [0]
    moved = ripple(scalar_track([-1.0, -1e-5, 1.0], [0.0, 1.0, 2.0]), 0.0, 0.5)
    assert moved.times.tolist() == [-1.0, -1e-5 + 0.5, 1.5]
    assert ripple(close, 2.0**-14 + 1e-5 + 1e-9, 1.0) is close


def test_few_keys_are_reduced_only_where_they_are_still():
    for count in (1, 2):
        times = [0.0, 1.0][:count]
        still = scalar_track(times, [2.0] * count)
        assert len(reduced(still, 0.1)) == 1 and reduced(still, 0.1).values.tolist() == [2.0]
    for track in (scalar_track([0.0, 1.0], [1.0, 2.0]), scalar_track([0.0, 1.0], [1.0, 1.0], 3.0, 3.0)):
        assert reduced(track, 0.1) is track and len(reduced(track, 5.0)) == 1
