"""Splits, moves, scalings, reductions and angles of many tracks: exact results, case by case."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.errors import ValidationError
from core.math import quat
from core.timing import FrameRate
from core.tracks import edits, moving, splits
from core.tracks.components import Reading, from_angles, set_angles, to_angles, with_rotations
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Extrapolation, Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import between, corners, fit_rotation, is_sampled, reduced, reduced_rotation
from tests.pins import Pins

PINS = Pins(__file__)
TIMES = np.array([-0.4, 0.1, 0.5, 1.3, 1.9, 2.2])
RATE = FrameRate.of(10)


def scalar(kind, seed=1, ends=(Extrapolation.HOLD, Extrapolation.HOLD)):
    """Six keys; `kind` is an interpolation, or None for all of them in turn."""
    r = np.random.default_rng(seed)
    codes = np.array([2, 1, 0, 2, 1, 2]) if kind is None else np.full(6, int(kind))
    weights = r.uniform(0.0, 1.0, (2, 6)) if seed % 2 else np.full((2, 6), 1.0 / 3.0)
    modes = np.array([3, 2, 0, 6, 1, 3]) if kind is None else np.full(6, 3)
    track = scalar_track(
        TIMES, r.normal(size=6), r.normal(size=6), r.normal(size=6) * 2.0, codes, modes,
        (weights[0], weights[1]), ends,
    )  # fmt: skip
    return replace(track, types=np.array([0, 1, 0, 2, 1, 4], dtype=np.uint8))


def rotations(kind, seed=1, ends=(Extrapolation.HOLD, Extrapolation.HOLD)):
    r = np.random.default_rng(seed)
    codes = np.array([2, 1, 0, 2, 2, 1]) if kind is None else np.full(6, int(kind))
    turns = quat.continuous(quat.normalise(r.normal(size=(6, 4))))
    track = quaternion_track(TIMES, turns, r.normal(size=(6, 4)), r.normal(size=(6, 4)), codes, *ends)
    return replace(track, types=np.array([0, 1, 0, 2, 1, 4], dtype=np.uint8))


MADE = {"scalar": scalar, "quaternion": rotations}
KINDS = [None, *Interpolation]


@pytest.mark.parametrize(("made", "kind", "loop"), list(product(MADE, KINDS, [None, 3.0, 2.6])))
def test_keys_put_in_anywhere(made, kind, loop):
    for seed in (1, 2):
        track = MADE[made](kind, seed)
        with PINS.together(f"{made}, {kind}, loop {loop}, {seed}, keys put in") as note:
            for time in (-1.0, -0.41, -0.1, 0.3, 0.9, 1.31, 2.0, 2.19, 2.21, 2.4, 2.55, 5.0):
                done = edits.insert_key(track, time, loop)
                note(done)
                assert len(done) == 7 and time in done.times


@pytest.mark.parametrize(
    ("made", "how", "kind"), list(product(MADE, Extrapolation, [Interpolation.CUBIC, None, 1]))
)
def test_keys_put_in_beyond_the_ends(made, how, kind):
    for ends in ((how, Extrapolation.HOLD), (Extrapolation.HOLD, how)):
        track = MADE[made](kind, 4, ends)
        stepped = replace(track, modes=np.full(6, 6, dtype=np.uint8)) if made == "scalar" else track
        with PINS.together(f"beyond: {made}, {kind}, {ends[0].name} {ends[1].name}") as note:
            for time in (-2.7, -0.9, 2.9, 6.1):
                note(edits.insert_key(track, time), edits.insert_key(stepped, time))


def test_segments_at_times_and_the_gap_of_a_loop():
    for loop in (None, 0.0, 2.6, 2.60002, 3.0, 3.4):
        with PINS.together(f"segments, loop {loop}") as note:
            for time in (-0.9, -0.4, 0.0, 0.1, 0.2, 2.2, 2.3, 2.6, 2.8, 3.0):
                note(splits.segment_at(TIMES, time, loop))


def test_seam_of_opposite_signs_is_split_the_short_way():
    turns = quat.from_axis_angle([0.0, 0.6, 0.8], np.array([0.2, 1.9, 3.4]))
    turns[2] *= np.sign(-turns[2] @ turns[0])
    r = np.random.default_rng(8)
    for code in Interpolation:
        track = quaternion_track(
            [0.5, 1.0, 2.0], turns, r.normal(size=(3, 4)), r.normal(size=(3, 4)), int(code)
        )
        with PINS.together(f"seam, {code.name}") as note:
            for time in (0.1, 0.49, 2.1, 2.9):
                done = edits.insert_key(track, time, 3.0)
                note(done, evaluate_quaternion(done, np.arange(7) * 0.45, 3.0))


def test_segments_that_become_cubic_get_tangents_of_their_neighbours():
    for kind, keys in product(KINDS, ([0], [5], [2, 3], [1, 4, 5], [0, 1, 2, 3, 4, 5], [])):
        done = edits.set_interpolation(rotations(kind, 3), keys, Interpolation.CUBIC)
        PINS.hold(f"to cubic, {kind}, {keys}", done)
    one = quaternion_track([1.0], [[0.0, 0.0, 0.0, 1.0]])
    PINS.hold("to cubic, one key", edits.set_interpolation(one, [0], Interpolation.CUBIC))


SNAPS = {"no snap": None, "snap": moving.Arranger(RATE.snap, RATE.snap)}


@pytest.mark.parametrize(("made", "kind", "loop"), list(product(MADE, [None, 2], [None, 2.6])))
def test_keys_moved(made, kind, loop):
    track = MADE[made](kind, 3)
    for (name, arranger), keys in product(SNAPS.items(), ([2], [0, 1], [3, 4], [5], [0, 2, 5], [1, 2, 3, 4])):
        with PINS.together(f"move {made}, {kind}, {loop}, {keys}, {name}") as note:
            for seconds, value in product((-0.8, -0.4, 0.0, 0.03, 0.6, 9.0), (0.0, 1.5)):
                note(moving.move_keys(track, keys, seconds, value, loop, arranger))


@pytest.mark.parametrize(("made", "kind", "loop"), list(product(MADE, [None, 2, 1], [None, 2.6])))
def test_keys_scaled(made, kind, loop):
    track = MADE[made](kind, 3)
    for (name, arranger), keys in product(
        SNAPS.items(), ([2], [1, 2, 3], [0, 2, 3, 5], [0, 1, 2, 3, 4, 5], [])
    ):
        with PINS.together(f"scale {made}, {kind}, {loop}, {keys}, {name}") as note:
            for time, value in product((-1.0, -0.5, 0.0, 1.0, 2.0), (1.0, -0.5)):
                note(moving.scale_keys(track, keys, time, value, 0.7, 0.3, loop, arranger))


@pytest.mark.parametrize("made", MADE)
def test_time_put_in_and_taken_away(made):
    track = MADE[made](None, 2)
    for time, loop in product((-0.4, 0.0, 0.5, 1.4, 2.2, 2.3), (None, 2.6)):
        with PINS.together(f"ripple {made}, {time}, {loop}") as note:
            for seconds in (-1.0, -0.4, 0.0, 0.7):
                note(moving.ripple(track, time, seconds, loop))
    assert moving.shift(track, 0.0) is track
    PINS.hold(f"shift {made}", moving.shift(track, 1.25))


def test_keys_placed_over_each_other():
    track = scalar(2, 2)
    for goal in ([1.3, 1.3, 1.3], [0.5, 0.500005, 0.50001], [2.2, -0.4, 0.1], [1.9, 1.899995, 1.90002]):
        for keys in ([0, 1, 2], [1, 3, 5], [3, 4, 5]):
            PINS.hold(f"place {keys} at {goal}", moving.place_keys(track, keys, goal, [7.0, 8.0, 9.0]))
            PINS.hold(f"place alone {keys} at {goal}", moving.place_keys(track, keys, goal, carry=False))
    assert moving.place_keys(track, [1, 2], TIMES[1:3], track.values[1:3]).track is track
    with pytest.raises(ValidationError, match=r"^key times: expected finite seconds$"):
        moving.place_keys(track, [1], [np.nan])


@pytest.mark.parametrize(
    ("reading", "axis"), [(Reading.VECTOR, 0), *((Reading.SWING_TWIST, n) for n in range(3))]
)
def test_angles_there_and_back(reading, axis):
    r = np.random.default_rng(5)
    rest = quat.normalise(r.normal(size=4))
    turn = np.linspace(-9.0, 9.0, 25)
    own = quat.from_axis_angle([0.36, 0.48, 0.8], turn)
    bent = quat.multiply(quat.from_axis_angle([0.0, 1.0, 0.0], np.sin(turn)), own)
    for name, rows in {
        "turns": own,
        "bent": bent,
        "other sign": -bent,
        "still": own[:1].repeat(3, 0),
    }.items():
        whole = quat.multiply(rest, rows)
        angles = to_angles(whole, rest, reading, axis)
        PINS.hold(f"angles {reading}, {axis}, {name}", angles)
        back = from_angles(angles, rest, reading, axis)
        np.testing.assert_allclose(np.abs(np.sum(back * whole, axis=1)), 1.0, atol=1e-12)
    assert to_angles(np.zeros((0, 4)), rest, reading, axis).shape == (0, 3)
    track = rotations(2, 3)
    for part, degrees in product(range(3), (0.0, 30.0, [10.0, -20.0])):
        PINS.hold(
            f"set {reading}, {axis}, {part}, {degrees}",
            set_angles(track, [4, 1], part, degrees, rest, reading, axis),
        )
    own = to_angles(track.values, rest, reading, axis)[:, 1]
    assert set_angles(track, np.arange(6), 1, own, rest, reading, axis) is track
    PINS.hold(
        f"one differs {reading}, {axis}", set_angles(track, [1, 4], 1, [own[1], 5.0], rest, reading, axis)
    )


def test_rotations_given_to_keys_turn_their_tangents():
    goal = quat.from_axis_angle([1.0, 0.0, 0.0], np.array([0.3, 4.0]))
    PINS.hold("with rotations", with_rotations(rotations(2, 3), [0, 5], -goal))


def motion(kind):
    t = np.arange(0.0, 3.0, 0.1)
    if kind == "still":
        return scalar_track(t, np.full(len(t), 2.0), interpolations=2)
    if kind == "sampled":
        return scalar_track(t, np.sin(t * 2.0) + 0.3 * np.sin(t * 5.0), interpolations=1)
    if kind == "mixed":
        codes = np.full(len(t), 2)
        codes[4:9], codes[15:18] = 1, 0
        slopes = 2.0 * np.cos(2.0 * t)
        out = np.where(np.arange(len(t)) == 22, 3.0, slopes)
        ends = (Extrapolation.CYCLE, Extrapolation.LINEAR)
        return scalar_track(t, np.sin(2.0 * t), slopes, out, codes, 2, beyond=ends)
    uneven = np.cumsum(0.05 + 0.2 * (np.arange(20) % 3 == 0))
    return scalar_track(uneven, np.abs(uneven - 1.03) ** 1.5, interpolations=1)


@pytest.mark.parametrize("kind", ["still", "sampled", "mixed", "uneven"])
def test_tracks_reduced(kind):
    track = motion(kind)
    typed = replace(track, types=(np.arange(len(track)) % 5).astype(np.uint8))
    for places, tolerance in product(KeyPlaces, (1e-3, 0.05, 3.0)):
        where = Places(places, RATE)
        with PINS.together(f"reduced {kind}, {places}, {tolerance}") as note:
            for share in (None, lambda t: np.where(t < 1.0, 0.2, 1.0)):
                note(reduced(typed, tolerance, share=share, places=where))
            note(reduced(track, tolerance, seeds=track.times[[0, 6, 11]], places=where))
        with PINS.together(f"between {kind}, {places}, {tolerance}") as note:
            for keys in ([], [3], [2, 4], [5, 14], [0, 18], [3, len(track) - 1], [0, len(track) - 1]):
                note(reduced(track, tolerance, keys, places=where))
    assert is_sampled(track) == (kind == "sampled")
    PINS.hold(f"corners {kind}", corners(track), between(track.times), between(track.times[:1]))


def test_rotations_reduced():
    t = np.arange(0.0, 3.0, 0.1)
    turns = quat.multiply(
        quat.from_axis_angle([0.0, 0.0, 1.0], np.sin(t * 2.0)),
        quat.from_axis_angle([1.0, 0.0, 0.0], t * t / 3.0),
    )
    ends = (Extrapolation.MIRROR, Extrapolation.CYCLE)
    for code, degrees, places in product((1, 2), (0.1, 2.0, 400.0), KeyPlaces):
        track = quaternion_track(t, turns, interpolations=code, before=ends[0], after=ends[1])
        track = replace(track, types=(np.arange(len(t)) % 4).astype(np.uint8))
        where = Places(places, RATE)
        for name, share in {"all": None, "part": lambda x: np.where(x > 2.0, 0.25, 1.0)}.items():
            PINS.hold(
                f"turn {code}, {degrees}, {places}, {name}",
                reduced_rotation(track, degrees, share, None, where),
            )
        PINS.hold(
            f"turn seeds {code}, {degrees}, {places}",
            reduced_rotation(track, degrees, None, t[[4, 9]], where),
        )
    for degrees, share in product((0.5, 30.0, 720.0), (None, np.linspace(0.1, 1.0, len(t)))):
        PINS.hold(f"fit {degrees}, {share is None}", fit_rotation(t, turns, degrees, share, [3]))
    stepped = quaternion_track(t, turns, interpolations=np.where(np.arange(len(t)) == 7, 0, 1))
    assert reduced_rotation(stepped, 5.0) is stepped
    short = quaternion_track(t[:2], turns[:2])
    assert reduced_rotation(short, 500.0) is short


def test_split_keeps_the_curve():
    at = np.linspace(-0.4, 2.2, 301)
    for kind, seed, time in product(KINDS, (1, 2, 3), (-0.2, 0.3, 1.0, 2.1)):
        track = scalar(kind, seed)
        done = edits.insert_key(track, time)
        np.testing.assert_allclose(evaluate_scalar(done, at), evaluate_scalar(track, at), atol=1e-9)
    assert int(TangentMode.STEPPED) == int(edits.insert_key(scalar(0), 0.3).modes[2])
