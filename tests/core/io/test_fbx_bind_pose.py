"""What FBX files say of the bind pose, so that Blender frees moving bones and finds lone roots."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.io import load, save
from core.io.fbx.options import FbxWriteOptions
from core.io.fbx.write import APART, Frame, bind_matrices
from core.math.transform import Transform
from core.rig.skeleton import Skeleton
from tests.core.io import making


def chain(moved=()):
    """Five bones in a row along +Y, some of which a clip moves."""
    rng = np.random.default_rng(1)
    project = making.small()
    old = project.rigs[0].skeleton
    offsets = np.tile([0.0, 0.3, 0.0], (5, 1))
    rest = Transform(offsets, np.tile([0.0, 0.0, 0.0, 1.0], (5, 1)), np.ones((5, 3)))
    rig = replace(project.rigs[0], skeleton=Skeleton(old.names, np.arange(5) - 1, rest))
    tracks = {Channel(bone, Property.TRANSLATE, 1): making.scalar(rng) for bone in moved}
    return making.with_clip(project.with_assets(rig), tracks, 0.8)


def bound(project):
    rig = project.rigs[0]
    frame = Frame(rig, FbxWriteOptions())
    return bind_matrices(rig, frame, project.clips), frame.model


def test_bind_matrices_without_moving_bones_are_the_rest_pose():
    found, model = bound(chain())
    assert np.array_equal(found, model)


def test_bind_matrices_of_moving_bones_stand_apart_from_their_parents_and_each_other():
    """Also in a row, where each of them moves: none may stand beside the parent that went aside with it."""
    found, model = bound(chain(["b1", "b2", "b3"]))
    gone = (found - model)[:, :3, 3]
    assert np.array_equal(np.abs(gone).max(axis=1) > 0.0, [False, True, True, True, False])
    between = np.linalg.norm(np.diff(gone, axis=0), axis=1)
    assert between.min() > APART
    assert np.abs(gone).max() <= 2.0 * APART * 1.001
    assert np.array_equal(found[:, :3, :3], model[:, :3, :3])


def test_bind_matrices_of_a_bone_beside_the_axis_stay():
    project = chain(["b2"])
    rig = project.rigs[0]
    old = rig.skeleton
    offsets = np.array(old.rest.translation)
    offsets[2, 0] = 0.1
    rest = Transform(offsets, old.rest.rotation, old.rest.scale)
    found, model = bound(project.with_assets(replace(rig, skeleton=Skeleton(old.names, old.parents, rest))))
    assert np.array_equal(found, model)


def test_save_fbx_bones_that_stand_apart_come_back_in_their_place(tmp_path):
    pytest.importorskip("ufbx")
    first = chain(["b1", "b2"])
    save(first, tmp_path / "a.fbx")
    last = load(tmp_path / "a.fbx").project
    assert np.allclose(
        last.rigs[0].skeleton.rest.translation, first.rigs[0].skeleton.rest.translation, atol=1e-9
    )
    a, b = (p.meshes_of(p.rigs[0].id)[0] for p in (first, last))
    order = [b.bones.index(name) for name in a.bones]
    places = [np.linalg.inv(m.inverse_bind) for m in (a, b)]
    assert np.abs(places[0] - places[1][order]).max() <= 1e-6


def test_save_fbx_without_meshes_has_a_bind_pose(tmp_path):
    save(chain(), tmp_path / "a.fbx", FbxWriteOptions(meshes=False))
    assert b"BindPose" in (tmp_path / "a.fbx").read_bytes()
