"""The pictures that are drawn once for all tests are what drawing them gives."""

import numpy as np

import core.io
from core.pose import kinematics
from editor.gl.clip_sketch import ClipSketcher
from editor.model.opening import sample_path
from tests.kept_pictures import KeptPictures


def test_a_pose_is_drawn_once_and_another_pose_or_rig_is_drawn_for_itself(monkeypatch):
    project = core.io.load(sample_path()).project
    rig, drawn = project.rigs[0], []
    meshes = project.meshes_of(rig.id)
    kept, sketcher = KeptPictures(), ClipSketcher()
    monkeypatch.setattr(kept, "draw", lambda *asked: drawn.append(asked) or np.zeros((4, 4, 4), np.uint8))
    place = kinematics.model_matrices(rig.skeleton, rig.skeleton.rest)
    first = kept(sketcher, rig, meshes, place)
    first[:] = 1  # whoever changes a picture changes their own
    assert not kept(sketcher, rig, meshes, place.copy()).any() and len(drawn) == 1
    kept(sketcher, rig, meshes, place + 0.5)
    kept(sketcher, rig, meshes[:0], place)
    assert len(drawn) == 3


def test_what_is_kept_is_what_the_sketcher_draws(kept_pictures):
    project = core.io.load(sample_path()).project
    rig, rest = project.rigs[0], project.rigs[0].skeleton.rest
    meshes = project.meshes_of(rig.id)
    for pose in (rest, rest._replace(scale=rest.scale * 0.5), rest):
        place = kinematics.model_matrices(rig.skeleton, pose)
        plain = kept_pictures(ClipSketcher(), rig, meshes, place)
        assert plain.any() and np.array_equal(ClipSketcher().draw_pose(rig, meshes, place), plain)
