"""Compiled clips: exact tracks and reports, and the parts that make them, case by case."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.clips.bake import bake
from core.clips.clip import Channel, Property
from core.clips.compiled import ranges, sampling
from core.clips.compiled.axes import with_least_axis
from core.clips.compiled.check import Check, distances
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import about_clip, stored_size, to_bytes
from core.clips.compiled.fit import Wanted, bits_for, cubics, fitted, lines, still
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.source import Sampler, jumps_of, resampled
from core.clips.compiled.tracks import Kind, Mode, completed, tick_bits, ticks_bits, value_range, without
from core.clips.compiled.unpack import from_bytes
from core.clips.evaluator import ClipEvaluator
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Extrapolation, Interpolation, scalar_track
from tests.core.clips.busy import busy, figure
from tests.core.clips.test_compiled import arm, waving
from tests.core.clips.test_compiled_player import anything
from tests.pins import Pins

PINS = Pins(__file__)
TIMES = np.linspace(-0.1, 2.1, 45)


def told(compiled: CompiledClip, report) -> list:
    """What a pin holds of a compiled clip: every track but its numbers' last bits, and the report."""
    rows = [
        (str(t.kind), t.index, str(t.mode), t.dropped, t.bits, t.slope_bits, t.ticks, len(t.codes))
        for t in compiled.tracks
    ]
    sizes = report.raw, report.motion, report.file, report.rounds, report.checked, report.bone
    return [rows, sizes, [(s.step, s.size) for s in report.steps], compiled.axis, report.time]


def still_and_steps():
    """A bone that stays off its rest, one that steps, one that holds half way; the others turn."""
    at = [0.0, 0.5, 1.0, 1.5]
    return waving(3, keys=5).with_tracks({
        Channel("b3", Property.TRANSLATE, 0): scalar_track([0.0, 1.0], [0.1, 0.1]),
        Channel("b2", Property.TRANSLATE, 1): scalar_track(at, [0.2, 0.3, 0.25, 0.4], interpolations=0),
        Channel("b1", Property.SCALE, 0): scalar_track(at, [1.0, 1.3, 1.3, 0.9], interpolations=[2, 1, 2, 2]),
    })  # fmt: skip


def sampled():
    times = np.arange(31) / 15.0
    local = ClipEvaluator(arm().skeleton, waving(4)).sample_many(times).local
    return replace(waving(4), tracks=bake(arm().skeleton, times, local))


CLIPS = {
    "waves": lambda: waving(1),
    "steps": still_and_steps,
    "sampled": sampled,
    "lines": lambda: waving(2, kind=1),
}
OPTIONS = {
    "usual": CompileOptions(1e-3), "fine": CompileOptions(1e-5), "rate": CompileOptions(1e-3, rate=12.0),
    "no cubics": CompileOptions(1e-3, cubic=False), "all": CompileOptions(1e-2, drop_still=False),
    "dense": CompileOptions(1e-3, reduce_keys=False), "whole": CompileOptions(1e-3, 0.5, quantise=False),
}  # fmt: skip


SLOW = {
    ("lines", "fine"),
    ("steps", "fine"),
    ("steps", "rate"),
    ("sampled", "fine"),
    ("sampled", "rate"),
    ("lines", "rate"),
    ("lines", "no cubics"),
}


@pytest.mark.parametrize(("clip", "options"), sorted(set(product(CLIPS, OPTIONS)) - SLOW))
def test_clips_compiled(clip, options):
    compiled, report = compile_clip(arm(), CLIPS[clip](), OPTIONS[options])
    PINS.hold(f"{clip}, {options}", told(compiled, report))
    PINS.hold(f"{clip}, {options}, errors", 1e6 * np.array([report.largest, report.mean, report.random]))
    assert report.largest <= OPTIONS[options].metres
    again = from_bytes(to_bytes(compiled))
    assert np.abs(again.poses_numpy(TIMES)[0] - compiled.poses_numpy(TIMES)[0]).max() < 1e-6
    assert stored_size(compiled) == report.motion and len(to_bytes(compiled)) == report.file


def test_figures_compiled():
    for seed, kind, looping in ((1, None, False), (5, 2, True)):
        compiled, report = compile_clip(figure(), busy(seed, looping, kind), CompileOptions(0.01))
        PINS.hold(f"figure {seed}, {kind}", told(compiled, report), compiled.about)


def test_curves_of_a_figure_without_bones():
    none = Transform(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)))
    rig = Rig("rig-1", "nobody", Skeleton((), np.zeros(0, np.int64), none))
    for options in (CompileOptions(), CompileOptions(reduce_keys=False, drop_still=False)):
        compiled, report = compile_clip(rig, waving(1), options)
        assert report.raw == 0 == report.largest == report.mean and report.bone == ""
        times = np.linspace(0.0, 2.0, 31)
        wanted = evaluate_scalar(waving(1).curves["smile"], times, 2.0)
        np.testing.assert_allclose(compiled.poses_numpy(times)[1][:, 0], wanted, atol=2e-4)


def test_what_is_not_motion():
    clip = busy(1, True)
    PINS.hold("about", str(about_clip(figure(), clip)))
    assert about_clip(arm(), replace(waving(1), looping=False, curves={}, notifies=())) == {
        "name": "wave", "rig": "arm", "length": 2.0, "rate": [30, 1], "looping": False,
        "bones": ["b0", "b1", "b2", "b3"],
    }  # fmt: skip


# ---------------------------------------------------------------- parts


def test_ticks_and_ranges():
    assert [tick_bits(n) for n in (2, 3, 4, 5, 256, 257)] == [1, 2, 2, 3, 8, 9]
    assert [ticks_bits(k, n) for k, n in ((9, 9), (2, 9), (3, 9), (8, 9), (2, 100))] == [0, 8, 9, 9, 14]
    values = np.array([0.0, 1e-12, 2.0**-32, 0.3, 1.0, 1.0000001, 31.9, 2.0**31, 1e12, -1.0])
    PINS.hold("short floats", ranges.small_codes(values), ranges.at_least(values))
    PINS.hold("lows", ranges.low_codes(np.array([-2.0, -1.0, -0.3, 0.0, 0.99999999, 1.0, 3.0])))
    assert ranges.joined(np.array([1, 2, 3], np.uint32), 10) == 1 + (2 << 10) + (3 << 20)
    r = np.random.default_rng(1)
    for kind in Kind:
        PINS.hold(f"range {kind.name}", value_range(kind, r.uniform(-0.7, 0.7, (6, 3))))
    steps = [0.0, 1e-7, 1e-5, 1.6e-5, 0.001, 0.2, 3.0]
    extents = np.array([0.0, 1e-5, 0.001, 0.2, 1.0, 40.0], np.float32)
    PINS.hold("bits", [bits_for(extents, step) for step in steps])
    turns = quat.normalise(r.normal(size=(9, 4)))
    for dropped in (0, 1, 2, 3, np.arange(9) % 4):
        PINS.hold(f"left out {dropped}", without(turns, dropped), completed(without(turns, dropped), dropped))


def test_gaps_cut():
    excess = np.array([0.0, 0.99, 1.0, 1.0001, 1.5, 4.0, 4.1, 15.9, 16.1, 64.0, 1e9])
    PINS.hold("parts", sampling.parts_for(excess))
    axis = np.array([0.0, 1e-5, 5e-5, 9.1e-5, 3e-4, 0.5, 0.6, 2.0])
    for parts in (1, 2, 8):
        PINS.hold(f"cut in {parts}", sampling.cut(axis, np.full(7, parts)))
    some = sampling.sampling_of(np.array([0.0, 0.5, 0.500015, 0.50003, 1.0, 1.000014, 2.0]))
    values = np.stack((some.times**2, np.where(some.times < 0.50001, 0.0, 1.0), some.times), axis=1)
    left = sampling.without_jumps(some, values)
    PINS.hold("samples", some.times, some.axis, left.counted, left.stride)


@pytest.mark.parametrize("kind", Kind)
def test_tracks_fitted(kind):
    some = sampling.sampling_of(np.cumsum([0.0, *([0.1] * 11), 0.05, 1e-5, *([0.02] * 4)]))
    t = some.times
    width = {Kind.ROTATION: 4, Kind.EXTRA: 1}.get(kind, 3)
    for name, curve in {
        "smooth": np.stack([np.sin(t * (1.0 + n)) * 0.5 ** n for n in range(width)], axis=1),
        "wide": np.stack([np.cos(t * 5.0 + n) for n in range(width)], axis=1),
        "small": np.stack([1e-4 * np.sin(t + n) + n for n in range(width)], axis=1),
    }.items():  # fmt: skip
        if kind is Kind.ROTATION:
            curve = quat.continuous(quat.normalise(curve + (0.0 if name == "wide" else [0, 0, 0, 2.0])))
        for usual, finer, cubic, seeds in product((1e-4, 0.02), (1.0, 0.5), (False, True), ([], [4, 9])):
            bound = usual * np.where(t > 0.8, 0.5, 1.0)
            wanted = Wanted(kind, 2, curve, bound, usual, np.array(seeds, np.int32), finer, True, cubic)
            case = f"{kind.name}, {name}, {usual}, {finer}, {cubic}, {seeds}"
            found = fitted(wanted, some)
            PINS.hold(f"fitted {case}", found.track, found.values.shape, found.excess)
            if not cubic and not seeds:
                PINS.hold(f"whole {case}", fitted(replace(wanted, quantise=False, reduce=False), some).track)
                PINS.hold(f"lines {case}", lines(wanted, some, usual), cubics(wanted, some))
        PINS.hold(f"still {kind.name}, {name}", still(kind, 1, -curve[3]))


def test_costs_axes_and_poses_of_any_tracks():
    for seed in range(12):
        clip = anything(seed)
        names = {"bones": list(clip.skeleton.names), "length": 1.0}
        clip = replace(clip, about={**clip.about, **names})
        least = with_least_axis(clip)
        costs = [track.cost(len(clip.axis)) for track in clip.tracks]
        case = f"anything {seed}"
        PINS.hold(case, costs, least.axis, [track.ticks for track in least.tracks], stored_size(clip))
        PINS.hold(f"{case}, poses", clip.poses_numpy(clip.axis[0] + TIMES))
        PINS.hold(f"{case}, file", to_bytes(clip))
        assert [t.key_bits for t in from_bytes(to_bytes(clip)).tracks] == [t.key_bits for t in clip.tracks]
    even = replace(anything(3), axis=np.arange(len(anything(3).axis)) * 0.1)
    PINS.hold("even", with_least_axis(even).axis, stored_size(even))


def test_where_a_clip_is_sampled_and_checked():
    for name, (rig, clip) in {
        "figure": (figure(), busy(1)), "loop": (figure(), busy(2, True)), "steps": (arm(), still_and_steps()),
        "sampled": (arm(), sampled()), "short": (arm(), replace(waving(1), length=0.0)),
    }.items():  # fmt: skip
        sampler = Sampler(rig, clip, CompileOptions(1e-3), ())
        source = sampler.source(sampler.axis)
        keys = {f"{bone} {kind.name}": ticks for (bone, kind), ticks in source.keys.items()}
        PINS.hold(
            f"axis {name}", sampler.axis, sampler.straight, source.frames, keys, source.sampling.counted
        )
        PINS.hold(f"samples {name}", source.local, source.extras)
        check = Check(rig, clip, CompileOptions(1e-3), sampler.straight)
        PINS.hold(f"checked {name}", check.times(sampler.axis))
    for rate in (10.0, 7.0, 29.97):
        PINS.hold(f"resampled {rate}", resampled(arm(), waving(1), rate).tracks)
    for code, ends, first in product(Interpolation, Extrapolation, (0.0, 0.3)):
        track = scalar_track(
            [first, 0.5, 1.0], [1.0, 2.0, 3.0], interpolations=int(code), beyond=(ends, Extrapolation.HOLD)
        )
        PINS.hold(f"jumps {code.name}, {ends.name}, {first}", jumps_of(track))
    r = np.random.default_rng(3)
    PINS.hold("distances", distances(r.normal(size=(3, 2, 4, 4)), 0.3))


def test_report_in_words():
    report = replace(compile_clip(arm(), waving(1), CompileOptions(1e-2))[1], seconds=1.234, largest=0.004, mean=0.001,
                     random=0.003, rounds=1)  # fmt: skip
    PINS.hold("words", report.to_text(), replace(report, rounds=2).to_text(), report.ratio, report.file_ratio)
    assert replace(report, motion=0).ratio == report.raw and Mode.CONSTANT == 0
