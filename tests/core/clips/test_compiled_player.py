"""The kernel that plays compiled clips against its twin: tracks of every form, times in any order."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.tracks import ANY, Kind, Mode, PackedTrack
from core.math import kernels
from core.rig.skeleton import Skeleton
from tests.core.clips.test_compiled import arm, waving

NEAR = 1e-12


def track(rng: np.random.Generator, kind: Kind, index: int, mode: Mode, ticks: int) -> PackedTrack:
    """Random codes of random widths, some of no bits; rotations stay inside the unit ball."""
    width = 1 if kind is Kind.EXTRA else 3
    bits = tuple(int(b) for b in rng.choice([0, 1, 7, 16, 24], width))
    slopes = tuple(int(b) for b in rng.choice([0, 3, 12], width)) if mode is Mode.CUBIC else (0,) * width
    inside = 0 if rng.random() < 0.3 else int(rng.integers(0, ticks - 1))
    places = np.sort(rng.choice(np.arange(1, ticks - 1), min(inside, ticks - 2), replace=False))
    keys = np.concatenate(([0], places, [ticks - 1])).astype(np.int32)
    codes = np.stack([rng.integers(0, 2**b, len(keys)) for b in (*bits, *slopes)], axis=1).astype(np.uint32)
    dropped, drops = 0, np.zeros(0, np.uint8)
    if kind is Kind.ROTATION:
        dropped = int(rng.integers(0, ANY if mode is Mode.CUBIC else ANY + 1))
        if dropped == ANY:
            drops = rng.integers(0, 4, len(keys)).astype(np.uint8)
    low = rng.uniform(-0.5, 0.0, width).astype(np.float32)
    extent = rng.uniform(0.0, 0.9, width).astype(np.float32)
    steep = rng.uniform(0.0, 2.0, width).astype(np.float32)
    return PackedTrack(
        kind, index, mode, low, dropped, bits, slopes, keys, codes if mode is Mode.CUBIC else codes[:, :width],
        drops, extent, steep if mode is Mode.CUBIC else np.zeros(width, np.float32),
    )  # fmt: skip


def anything(seed: int) -> CompiledClip:
    """Bones with tracks of every kind and mode, or none, on uneven ticks."""
    rng = np.random.default_rng(seed)
    bones, ticks = int(rng.integers(1, 20)), int(rng.integers(2, 40))
    rig = arm(bones)
    tracks = []
    for kind in Kind:
        for index in range(3 if kind is Kind.EXTRA else bones):
            if rng.random() < 0.7:
                mode = Mode.CUBIC if rng.random() < 0.5 else Mode.LINEAR
                tracks.append(track(rng, kind, index, mode, ticks))
    axis = 0.3 + np.cumsum(rng.uniform(0.002, 0.1, ticks))
    skeleton: Skeleton = rig.skeleton
    return CompiledClip(skeleton, axis, tuple(tracks), {"curves": ["a", "b", "c"]})


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_play_any_tracks_at_any_times_is_what_the_twin_says(seed) -> None:
    assert kernels.load() is not None
    clip, rng = anything(seed), np.random.default_rng(seed)
    first, last = clip.axis[0], clip.axis[-1]
    times = np.concatenate(
        (
            np.arange(first - 0.05, last + 0.05, 1 / 60),
            rng.uniform(first - 0.1, last + 0.1, 30),
            clip.axis,
            clip.axis[::-1],
            [last, last + 9.0, first, -1e9],
        )
    )
    poses, extras = clip.poses_numpy(times)
    player = CompiledPlayer(clip)
    for row, time in enumerate(times):
        ours = np.concatenate(player.pose(float(time)), axis=1)
        assert np.abs(ours - poses[row]).max() < NEAR * max(1.0, np.abs(poses[row]).max())
        assert np.abs(player.extras - extras[row]).max() < NEAR * max(1.0, np.abs(extras[row]).max())
    many, more = player.poses(times)
    assert np.abs(np.concatenate(many, axis=2) - poses).max() < NEAR * max(1.0, np.abs(poses).max())
    assert np.abs(more - extras).max() < NEAR * max(1.0, np.abs(extras).max())


def test_play_many_then_one_then_many_keeps_them_apart() -> None:
    assert kernels.load() is not None
    clip = compile_clip(arm(), waving())[0]
    player, times = CompiledPlayer(clip), np.array([0.1, 1.9, 0.6])
    times.flags.writeable = False
    first, extras = player.poses(times)
    kept = [part.copy() for part in first]
    one = [part.copy() for part in player.pose(0.6)]
    assert extras.shape == (3, 1) and player.extras[0] == extras[2, 0]
    again, _ = player.poses(times[::-1])
    assert all(np.array_equal(part, then) for part, then in zip(first, kept, strict=True))
    assert all(np.array_equal(part[2], single) for part, single in zip(first, one, strict=True))
    assert all(np.array_equal(part, then[::-1]) for part, then in zip(first, again, strict=True))
    none, no_extras = player.poses(np.zeros(0))
    assert none.translation.shape == (0, 4, 3) and no_extras.shape == (0, 1)
