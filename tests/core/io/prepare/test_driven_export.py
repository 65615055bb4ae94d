"""Clips that keyed goals drive look the same in formats that know no goals."""

import numpy as np
import pytest

from core.ik.rigged import sample_many
from core.io import load, save
from core.math.transform import down_chain
from core.project.project import Project
from tests.core.ik.test_keyed_goals import RIG, TIMES, places, reach_clip


@pytest.mark.parametrize("suffix", [".glb", ".bvh"])
def test_export_writes_what_is_seen_not_the_tracks_alone(tmp_path, suffix):
    clip = reach_clip()
    path = tmp_path / f"reach{suffix}"
    save(Project({RIG.id: RIG, clip.id: clip}), path)
    read = load(path).project
    rig, found = read.rigs[0], read.clips[0]
    local = sample_many(rig, found, TIMES, wrap=False).local
    again = down_chain(rig.skeleton.parents, local).translation
    for bone in ("hand_l", "lower_arm_l", "foot_r"):
        ours, theirs = places(RIG, clip)[:, RIG.skeleton.index(bone)], again[:, rig.skeleton.index(bone)]
        assert np.linalg.norm(ours - theirs, axis=-1).max() < 2e-3


def test_native_file_keeps_the_goals(tmp_path):
    clip = reach_clip()
    save(Project({RIG.id: RIG, clip.id: clip}), tmp_path / "reach.posewright")
    assert load(tmp_path / "reach.posewright").project.clips[0].curves.keys() == clip.curves.keys()
