"""Compiled clips: the bound holds, files come back whole, and bad bytes are refused with their offset."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.bake import bake
from core.clips.clip import Channel, Clip, Notify, Property
from core.clips.compiled import ranges
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.compiled.fit import line_keys_numpy
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.tracks import completed, without
from core.clips.compiled.unpack import from_bytes
from core.clips.edits import trimmed
from core.clips.sample import sample_many
from core.errors import FormatError, ValidationError
from core.io import load
from core.io.compiled import read as reading
from core.math import kernels, quat
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track
from tests.core.clips import making
from tests.shared import shared_files

ROOT = Path(__file__).resolve().parents[3]
LONGEST = 3.0
"""Seconds taken of a recorded clip: what more of the same motion costs is a second of processor for every three."""


def arm(bones: int = 4) -> Rig:
    """A chain of bones 25 cm long."""
    rest = Transform(
        np.array([[0.0, 0.25 * (n > 0), 0.0] for n in range(bones)]),
        np.tile(quat.IDENTITY, (bones, 1)),
        np.ones((bones, 3)),
    )
    names = tuple(f"b{n}" for n in range(bones))
    return Rig("rig-1", "arm", Skeleton(names, np.arange(bones) - 1, rest))


def waving(seed: int = 0, keys: int = 7, kind: int = Interpolation.CUBIC, bones: int = 4) -> Clip:
    """Keys at odd times, a curve, a jump."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.choice(60, keys, replace=False)) / 30.0
    tracks = {
        Channel(f"b{bone}", Property.ROTATE, axis): scalar_track(
            times, rng.uniform(-60, 60, keys), interpolations=kind
        )
        for bone in range(bones)
        for axis in range(3)
    }
    tracks[Channel("b0", Property.TRANSLATE, 1)] = scalar_track(times, rng.uniform(0, 2, keys))
    curves = {"smile": scalar_track(times, rng.uniform(0, 1, keys))}
    return Clip(
        "clip-1", "wave", "rig-1", 2.0, FrameRate.of(30), True, tracks, curves, notifies=(Notify("hit", 0.5),)
    )


def furthest(rig: Rig, clip: Clip, compiled, shell: float = 0.03) -> float:
    """Metres, by matrices at frames and half-frames: a second route to the report's."""
    count = round(clip.length * clip.rate.fps * 2)
    times = np.arange(count + 1) * clip.rate.frame / 2
    wanted = kinematics.model_matrices(rig.skeleton, sample_many(rig, clip, times, wrap=False).local)
    local = transform(compiled.poses_numpy(times)[0])
    got = kinematics.model_matrices(rig.skeleton, local)
    points = np.concatenate((np.zeros((1, 3)), shell * np.eye(3)))
    points = np.concatenate((points, np.ones((4, 1))), axis=1)
    off = np.einsum("tbij,pj->tbpi", got - wanted, points)[..., :3]
    return float(np.linalg.norm(off, axis=-1).max())


def transform(poses: np.ndarray) -> Transform:
    return Transform(poses[..., :3], poses[..., 3:7], poses[..., 7:])


@pytest.fixture(scope="module")
def wave() -> bytes:
    return to_bytes(compile_clip(arm(), waving())[0])


# ---------------------------------------------------------------- the bound


@settings(max_examples=9)
@given(st.integers(0, 10**6), st.sampled_from([1e-5, 1e-4, 1e-2]), st.sampled_from([0, 1, 2]))
def test_compile_any_keys_holds_the_bound(seed, metres, kind) -> None:
    assert kernels.load() is not None  # what is compiled and what it is held against come by one route
    rig, clip = arm(), waving(seed, kind=kind)
    compiled, report = compile_clip(rig, clip, CompileOptions(metres))
    assert furthest(rig, clip, compiled) <= metres * (1.0 + 1e-6)
    assert report.largest <= metres


@pytest.mark.parametrize("path", shared_files("data/bvh/*.bvh"))
def test_compile_motion_capture_holds_the_bound_and_the_kernel_agrees(path) -> None:
    assert kernels.load() is not None
    project = load(path).project
    for clip in project.clips:
        rig = project.get(Rig, clip.rig)
        if clip.length > 2.0 + LONGEST:
            clip = trimmed(clip, 2.0, 2.0 + LONGEST)
        compiled, report = compile_clip(rig, clip)
        assert report.largest <= 1e-4
        again = from_bytes(to_bytes(compiled))
        assert np.isfinite(CompiledPlayer(compiled).pose(0.01).rotation).all()
        times = np.random.default_rng(1).uniform(-0.1, clip.length + 0.1, 40)
        twin, _ = again.poses_numpy(times)
        player = CompiledPlayer(again)
        for row, time in enumerate(times):
            ours = np.concatenate(player.pose(float(time)), axis=1)
            assert np.abs(ours - twin[row]).max() < 1e-12
        assert np.abs(np.concatenate(player.poses(times)[0], axis=2) - twin).max() < 1e-12


@pytest.mark.parametrize(
    "path", shared_files("data/gltf/*.gl*[bf]", "data/gltf/*.vrma", "data/fbx/*.fbx", "data/usd/*.usd[ac]")
)
def test_compile_other_clips_holds_the_bound(path) -> None:
    if path.suffix.startswith(".usd"):
        pytest.importorskip("pxr", reason="USD is read by the extra 'usd', which is not installed")
    project = load(path).project
    for clip in project.clips[:1]:
        if clip.length > LONGEST:
            clip = trimmed(clip, 0.0, LONGEST)
        _, report = compile_clip(project.get(Rig, clip.rig), clip, meshes=project.meshes_of(clip.rig))
        assert report.largest <= 1e-4


def test_compile_jump_stays_a_jump() -> None:
    rig = arm(2)
    times = np.array([0.0, 0.51, 1.0])
    turn = scalar_track(times, [0.0, 90.0, 0.0], interpolations=Interpolation.CONSTANT)
    clip = Clip("clip-1", "step", "rig-1", 1.0, tracks={Channel("b0", Property.ROTATE, 2): turn})
    compiled, _ = compile_clip(rig, clip)
    found, _ = compiled.poses_numpy(np.array([0.505, 0.5101]))
    assert quat.angle_between(found[0, 0, 3:7], quat.IDENTITY) < 1e-3
    assert quat.angle_between(found[1, 0, 3:7], quat.IDENTITY) == pytest.approx(np.pi / 2, abs=1e-3)


def test_compile_still_clip_and_lone_frame_give_small_files() -> None:
    rig = arm()
    for clip in (Clip("clip-1", "nothing", "rig-1", 2.0), Clip("clip-1", "one", "rig-1", 0.0)):
        compiled, report = compile_clip(rig, clip)
        assert compiled.tracks == ()
        assert report.largest < 1e-7
        assert np.allclose(CompiledPlayer(compiled).pose(0.0).translation, rig.skeleton.rest.translation)


@pytest.mark.parametrize(
    "options",
    [
        CompileOptions(drop_still=False),
        CompileOptions(reduce_keys=False),
        CompileOptions(cubic=False),
        CompileOptions(quantise=False),
        CompileOptions(shell=1.0),
    ],
)
def test_compile_without_a_step_still_holds_the_bound(options) -> None:
    rig, clip = arm(), waving(3)
    compiled, report = compile_clip(rig, clip, options)
    assert furthest(rig, clip, compiled, options.shell) <= 1e-4 * (1.0 + 1e-6)
    assert [step.size for step in report.steps][-1] == report.motion


def test_compile_fast_angles_that_run_straight_from_frame_to_frame_holds_the_bound() -> None:
    rig, times = arm(), np.arange(41) / 20.0
    rng = np.random.default_rng(0)
    tracks = {
        Channel(bone, Property.ROTATE, axis): scalar_track(
            times, np.cumsum(rng.normal(0, 25, 41)), interpolations=Interpolation.LINEAR
        )
        for bone in rig.skeleton.names
        for axis in range(3)
    }
    clip = Clip("clip-1", "spin", "rig-1", 2.0, FrameRate.of(20), tracks=tracks)
    compiled, report = compile_clip(rig, clip, CompileOptions(1e-3))
    assert furthest(rig, clip, compiled) <= 1e-3 * (1.0 + 1e-6)
    assert report.largest <= 1e-3


def test_report_says_at_how_many_times_it_was_checked_and_what_random_ones_gave() -> None:
    _, report = compile_clip(making.rig(3), making.clip(3))
    assert report.checked > 1000 and 0.0 < report.random <= report.largest <= 1e-4
    text = report.to_text()
    assert f"checked at {report.checked:,} times" in text and "1,000 random times" in text
    assert "→" not in text and "key reduction" not in text  # sizes, not steps that could grow


def test_compile_resampled_keeps_the_asked_frames_and_holds_what_runs_straight_between_them() -> None:
    rig, clip, options = arm(), replace(waving(2), curves={}), CompileOptions(rate=10.0)
    compiled, report = compile_clip(rig, clip, options)
    asked = np.arange(21) / 10.0
    assert np.abs(compiled.axis[:, None] - asked).min(axis=0).max() < 1e-9
    frames = sample_many(rig, clip, asked, wrap=False).local
    spun = bake(rig.skeleton, asked, frames)
    straight = replace(clip, tracks=spun, rate=FrameRate.of(60))
    assert furthest(rig, straight, compiled) <= 1e-4 * (1.0 + 1e-6)  # 5 times between any two asked frames
    assert report.raw == 40 * len(rig.skeleton) * 21


def test_compile_scaled_bones_holds_the_bound() -> None:
    rig, clip = arm(), waving(5)
    grown = scalar_track([0.0, 2.0], [0.5, 2.0])
    clip = clip.with_tracks({Channel("b1", Property.SCALE, axis): grown for axis in (0, 2)})
    compiled, _ = compile_clip(rig, clip)
    assert furthest(rig, clip, compiled) <= 1e-4 * (1.0 + 1e-6)


@pytest.mark.parametrize("metres", [0.0, -1.0, float("nan")])
def test_options_without_an_error_are_refused(metres) -> None:
    with pytest.raises(ValidationError, match="expected an error"):
        CompileOptions(metres)


# ---------------------------------------------------------------- the file


def test_compile_twice_gives_the_same_bytes(wave) -> None:
    assert to_bytes(compile_clip(arm(), waving())[0]) == wave


def test_file_comes_back_as_it_was(wave) -> None:
    compiled = compile_clip(arm(), waving())[0]
    again = from_bytes(wave)
    assert to_bytes(again) == wave
    times = np.linspace(-1.0, 3.0, 97)
    for ours, theirs in zip(compiled.poses_numpy(times), again.poses_numpy(times), strict=True):
        assert np.abs(ours - theirs).max() < 1e-6  # the rest pose goes to float32
    assert again.about == compiled.about


@settings(max_examples=200)
@given(st.data())
def test_file_changed_anywhere_is_refused_with_its_offset(wave, data) -> None:
    place = data.draw(st.integers(0, len(wave) - 1))
    flip = data.draw(st.integers(1, 255))
    broken = bytearray(wave)
    broken[place] ^= flip
    with pytest.raises(FormatError) as found:
        from_bytes(bytes(broken), "a.pwclip")
    assert re.search(r"byte \d+", str(found.value))


@given(st.data())
def test_file_cut_or_grown_is_refused_with_its_offset(wave, data) -> None:
    size = data.draw(st.integers(0, len(wave) - 1))
    for broken in (wave[:size], wave + wave[:size] + b"x"):
        with pytest.raises(FormatError, match=r"byte \d+"):
            from_bytes(broken, "a.pwclip")


@settings(max_examples=300)
@given(st.data())
def test_file_changed_with_right_checksums_never_crashes(wave, data) -> None:
    import struct
    import zlib

    broken = bytearray(wave)
    for _ in range(data.draw(st.integers(1, 3))):
        broken[data.draw(st.integers(20, len(wave) - 1))] = data.draw(st.integers(0, 255))
    for number in range(5):
        at = 80 + 16 * number
        offset, length = struct.unpack_from("<II", wave, at)
        broken[at : at + 8] = wave[at : at + 8]
        broken[at + 12 : at + 16] = bytes(4)
        struct.pack_into("<I", broken, at + 8, zlib.crc32(bytes(broken[offset : offset + length])))
    struct.pack_into("<I", broken, 16, zlib.crc32(bytes(broken[20:160])))
    try:
        clip = from_bytes(bytes(broken), "a.pwclip")
    except FormatError as error:
        assert re.search(r"byte \d+", str(error))
        return
    poses, _ = clip.poses_numpy(np.array([0.0, 0.77, 2.0]))
    assert np.isfinite(poses).all()
    if kernels.load() is not None:
        assert np.isfinite(CompiledPlayer(clip).pose(0.77).rotation).all()


def test_file_of_another_version_says_so(wave) -> None:
    with pytest.raises(FormatError, match="byte 8: expected version 2 with 5 sections, got 1"):
        from_bytes(wave[:8] + b"\1" + wave[9:], "a.pwclip")


def test_file_opens_as_a_project(tmp_path, wave) -> None:
    path = tmp_path / "wave.pwclip"
    path.write_bytes(wave)
    project = load(path).project
    (clip,) = project.clips
    rig, original = project.get(Rig, clip.rig), waving()
    assert (clip.name, clip.looping, clip.rate, clip.notifies) == (
        "wave",
        True,
        original.rate,
        original.notifies,
    )
    at = np.arange(60) / 60.0
    ours, theirs = sample_many(rig, clip, at), sample_many(arm(), original, at)
    assert np.abs(ours.translations - theirs.translations).max() < 2e-4
    assert quat.angle_between(ours.rotations, theirs.rotations).max() < 5e-3
    assert np.abs(ours.curves["smile"] - theirs.curves["smile"]).max() < 1e-3


@pytest.mark.parametrize(
    "about",
    [
        {"rate": [30]},
        {"rate": 30},
        {"rate": [30, 0]},
        {"rate": [1e400, 1]},
        {"notifies": [["a"]]},
        {"curves": 3},
    ],
)
def test_file_that_tells_nonsense_of_its_clip_is_refused_in_words(tmp_path, wave, about, monkeypatch) -> None:
    whole = reading.read_compiled

    def told(path: Path) -> CompiledClip:
        compiled = whole(path)
        return replace(compiled, about={**compiled.about, **about})

    monkeypatch.setattr(reading, "read_compiled", told)
    path = tmp_path / "wave.pwclip"
    path.write_bytes(wave)
    with pytest.raises(FormatError) as caught:
        load(path)
    assert "section ABOUT" in str(caught.value) and "report" not in str(caught.value)


# ---------------------------------------------------------------- parts


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4), st.integers(0, 3))
def test_completed_gives_back_what_without_left_out(numbers, _) -> None:
    q = quat.normalise(np.array([numbers]))
    dropped = int(np.argmax(np.abs(q)))
    assert quat.angle_between(completed(without(q, dropped), dropped), q)[0] < 1e-6


@given(st.lists(st.floats(0.0, 2e9), min_size=3, max_size=3))
def test_short_floats_are_never_below_and_seven_per_cent_above_at_most(values) -> None:
    wanted = np.array(values)
    codes = ranges.small_codes(wanted)
    found = ranges.small_values(codes)
    assert (found >= wanted).all()
    assert (found <= np.maximum(wanted * 1.07, 2.0**-31)).all()
    assert np.array_equal(ranges.parted(ranges.joined(codes, ranges.SMALL_BITS), ranges.SMALL_BITS), codes)
    assert np.array_equal(ranges.small_codes(found.astype(np.float64)), codes)


@given(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3))
def test_least_values_stand_just_below(values) -> None:
    low = ranges.low_values(ranges.low_codes(np.array(values)))
    assert (low <= np.array(values) + 1e-15).all()
    assert (np.array(values) - low <= 2 * ranges.LOW_STEP).all()


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([1, 2]), st.booleans())
def test_line_keys_kernel_chooses_as_its_twin(seed, stride, unit) -> None:
    loaded = kernels.load()
    assert loaded is not None
    rng = np.random.default_rng(seed)
    values = np.cumsum(rng.normal(0, 0.02, (81, 4)), axis=0) + np.array([0, 0, 0, 3.0])
    if unit:
        values = quat.normalise(values)
    times, bound = np.linspace(0, 1, 81), np.full(81, 0.03)
    rough = np.ascontiguousarray(values[::stride])
    keys = np.empty(len(rough), np.int32)
    count = loaded.compiled.line_keys(values, rough, times, stride, bound, unit, keys)
    twin = line_keys_numpy(values, rough, times, stride, bound, unit)
    assert np.array_equal(keys[:count], twin)
    assert twin[0] == 0
    assert twin[-1] == len(rough) - 1
