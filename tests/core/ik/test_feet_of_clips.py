"""Whole clips on a ground they were not made on."""

import numpy as np

from core.clips.clip import Channel, Property
from core.ik.feet import placed_clip
from core.ik.ground import Ground, clearances, find_feet
from core.ik.rigged import sample_many
from core.rig.roles import find_roles
from core.tracks.keys import scalar_track
from tests.editor.rigs import small_clip, small_rig

RIG = small_rig()
ROLES = find_roles(RIG.skeleton)
TIMES = np.linspace(0.0, 2.0, 61)


def stepping():
    """Knees bend and the left foot lifts for a while."""
    times = [0.0, 0.5, 1.0, 1.5, 2.0]
    tracks = {Channel("pelvis", Property.TRANSLATE, 1): scalar_track([0.0, 2.0], [0.91, 0.91])}
    for side, lift in (("l", 60.0), ("r", 0.0)):
        for bone, share in (("thigh", -1.0), ("calf", 2.0), ("foot", -1.0)):
            values = [
                18.0 * share,
                (18.0 + lift / 2) * share,
                (18.0 + lift / 2) * share,
                18.0 * share,
                18.0 * share,
            ]
            tracks[Channel(f"{bone}_{side}", Property.ROTATE, 0)] = scalar_track(times, values)
    return small_clip(RIG).with_tracks(tracks)


def test_clip_keeps_each_foot_s_height_above_the_slope():
    clip, ground, feet = stepping(), Ground(0.2, 6.0, 8.0), find_feet(RIG, ROLES)
    flat = clearances(RIG, sample_many(RIG, clip, TIMES, wrap=False).local, Ground(), feet).min(axis=2)
    placed, residual = placed_clip(RIG, ROLES, clip, ground)
    assert residual < 1e-4
    slope = clearances(RIG, sample_many(RIG, placed, TIMES, wrap=False).local, ground, feet).min(axis=2)
    assert np.abs(slope - np.maximum(flat, 0.0)).max() < 2e-3
    assert flat[:, 0].max() > 0.1  # the left foot did lift
    changed = {c.bone for c, t in placed.tracks.items() if clip.tracks.get(c) is not t}
    assert changed <= {"pelvis", *(f"{b}_{s}" for b in ("thigh", "calf", "foot") for s in "lr")}


def test_range_of_a_clip_leaves_the_rest_alone():
    clip = stepping()
    placed, _ = placed_clip(RIG, ROLES, clip, Ground(0.1), 0.5, 1.0)
    before, after = (sample_many(RIG, c, TIMES, wrap=False).local for c in (clip, placed))
    outside = (TIMES < 0.4) | (TIMES > 1.1)
    assert np.abs(before.translation[outside] - after.translation[outside]).max() < 1e-6
    assert after.translation[20, 0, 1] > before.translation[20, 0, 1] + 0.05
