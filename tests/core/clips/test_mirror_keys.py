"""Mirroring many keys at once, held against keying the mirrored pose at one time after another."""

import numpy as np
import pytest

from core.clips import keying
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.clips.mirror_keys import mirrored_keys
from core.clips.sample import sample_many
from core.errors import Cancelled
from core.math import quat
from core.math.transform import Transform
from core.pose.mirror import MirrorWay, mirror_map, mirrored
from core.progress import Progress, running
from core.tracks.keys import columns, scalar_track
from core.tracks.tangents import with_tangents
from tests.core.clips.test_mirror import LENGTH, NAMES, PLAIN, RIGS, clip_of


def one_after_another(rig, clip, keys, way=MirrorWay.SWAP) -> Clip:
    """The second route: the pose is keyed at each time into what the time before has left."""
    twins = {a: b for left, right in rig.mirror.pairs for a, b in ((left, right), (right, left))}
    twins |= {bone: bone for bone in rig.mirror.axis_bones}
    wanted: dict[float, dict[str, set[Property]]] = {}
    for channel, times in keys.items():
        if channel.bone in twins:
            for time in times:
                parts = wanted.setdefault(round(float(time), 9), {})
                parts.setdefault(twins[channel.bone], set()).add(channel.property)
    mapping = mirror_map(rig, way)
    result, evaluator = clip, ClipEvaluator(rig, clip)
    for time, bones in sorted(wanted.items()):
        local = evaluator.sample_many(np.array([time]), wrap=False).local
        posed = mirrored(rig, Transform(*(part[0] for part in local)), mapping)
        values = {}
        for bone, parts in bones.items():
            index = rig.skeleton.index(bone)
            if mapping.source[index] < 0:
                continue
            goal = Transform(*(part[index] for part in posed))
            found = keying.changed_channels(result, rig.skeleton, bone, time, goal, which=keying.KeyWhich.ALL)
            values |= {channel: value for channel, value in found.items() if channel.property in parts}
        result = keying.with_keys(result, time, values)
    return result


def same_tracks(made: Clip, expected: Clip, before: Clip) -> None:
    assert made.tracks.keys() == expected.tracks.keys()
    for channel, track in expected.tracks.items():
        own = made.tracks[channel]
        if before.tracks.get(channel) is track:
            assert own is track, f"{channel} did not change"
        assert (own.before, own.after) == (track.before, track.after)
        for name in columns(track):
            assert getattr(own, name) == pytest.approx(getattr(track, name), abs=1e-7, rel=1e-7), (
                f"{channel} {name}"
            )


def calm(clip: Clip) -> Clip:
    """The clip with smaller angles: which of two equal triples is nearer is no matter of a curve's overshoot."""
    angles = [c for c in clip.tracks if c.property is Property.ROTATE and c.axis != WHOLE]
    loop = keying.loop_length(clip)
    smaller = {
        c: with_tangents(scalar_track(clip.tracks[c].times, 0.2 * clip.tracks[c].values), loop)
        for c in angles
    }
    return clip.with_tracks(smaller)


def some_keys(clip: Clip, seed: int, share: float) -> dict[Channel, np.ndarray]:
    random = np.random.default_rng(seed)
    return {c: track.times[random.uniform(size=len(track)) < share] for c, track in clip.tracks.items()}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("way", list(MirrorWay))
@pytest.mark.parametrize(("whole", "looping"), [(False, False), (False, True), (True, False), (True, True)])
def test_keys_mirrored_at_once_are_those_mirrored_one_after_another(seed, way, whole, looping) -> None:
    clip = calm(clip_of(seed, whole, looping))
    without = ("", "arm_r", "hand_l", "")[seed]
    clip = clip.with_tracks({c: None for c in clip.tracks if c.bone == without})
    keys = some_keys(clip, seed, (1.0, 0.5, 0.8, 0.2)[seed])
    same_tracks(mirrored_keys(PLAIN, clip, keys, way), one_after_another(PLAIN, clip, keys, way), clip)


@RIGS
@pytest.mark.parametrize("seed", range(3))
def test_wild_angles_make_the_same_turns_and_the_same_keys(rig, seed) -> None:
    clip = clip_of(seed, whole=False, looping=bool(seed % 2))
    keys = some_keys(clip, seed, 0.7)
    made, expected = mirrored_keys(rig, clip, keys), one_after_another(rig, clip, keys)
    assert made.tracks.keys() == expected.tracks.keys()
    for channel, track in expected.tracks.items():
        for name in ("times", "modes", "interpolations"):
            assert np.array_equal(getattr(made.tracks[channel], name), getattr(track, name)), channel
    for bone in ("arm_l", "arm_r"):
        twin = "arm_r" if bone == "arm_l" else "arm_l"
        at = np.unique(
            np.concatenate([t for c, t in keys.items() if c.bone == twin and c.property is Property.ROTATE])
        )
        index = NAMES.index(bone)
        a = sample_many(rig, made, at, wrap=False).rotations[:, index]
        b = sample_many(rig, expected, at, wrap=False).rotations[:, index]
        assert quat.angle_between(a, b).max() < 1e-6


def winding(bone: str = "arm_l", turns: float = 3.0) -> Clip:
    """One bone that winds round by several turns; the other side has no keys."""
    clip = clip_of(1, whole=False, looping=False)
    times = np.linspace(0.0, LENGTH, 41)
    track = with_tangents(scalar_track(times, 360.0 * turns * times))
    still = {c: None for c in clip.tracks if c.bone in ("arm_l", "arm_r")}
    return clip.with_tracks(still).with_tracks({Channel(bone, Property.ROTATE, 2): track})


def test_angles_of_a_bone_without_keys_count_turns() -> None:
    clip = winding()
    channel = Channel("arm_l", Property.ROTATE, 2)
    keys = {channel: clip.tracks[channel].times}
    made = mirrored_keys(PLAIN, clip, keys)
    same_tracks(made, one_after_another(PLAIN, clip, keys), clip)
    assert np.ptp(made.tracks[Channel("arm_r", Property.ROTATE, 2)].values) == pytest.approx(1080.0)


def test_times_that_make_one_key_set_the_value_of_the_last() -> None:
    clip = clip_of(3, whole=False, looping=False)
    keys = {Channel("arm_l", Property.ROTATE, axis): np.array([0.31 + axis * 4e-6, 0.5]) for axis in range(3)}
    same_tracks(mirrored_keys(PLAIN, clip, keys), one_after_another(PLAIN, clip, keys), clip)


def test_bones_on_no_list_leave_the_clip_as_it_is() -> None:
    clip = clip_of(3, whole=True)
    assert mirrored_keys(PLAIN, clip, {Channel("prop", Property.ROTATE, WHOLE): np.array([0.5])}) is clip
    assert NAMES[-1] == "prop"


def test_cancel_stops_between_pieces() -> None:
    progress = Progress()
    clip = winding()
    channel = Channel("arm_l", Property.ROTATE, 2)
    progress.cancel()
    with pytest.raises(Cancelled), running(progress):
        mirrored_keys(PLAIN, clip, {channel: clip.tracks[channel].times})
