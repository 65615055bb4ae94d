"""Settings that alter the skeleton that is written, not the motion: folded scale, one root, keys alike."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Clip, Property, RootMotion
from core.clips.sample import sample_many
from core.ids import AssetId
from core.io.prepare.one_root import with_one_root
from core.io.prepare.prepare import prepared
from core.io.prepare.rest_scale import folded_scale
from core.io.prepare.settings import Keys, Prepare, RestScale
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.skeleton import Skeleton
from tests.core.io import making

PARENTS = np.array([-1, 0, 1, 1, 3])


def scaled(rng, factors):
    """A chain with a branch, whose bones rest with these factors, a skinned and a rigid mesh, a clip."""
    project = making.small()
    rig = project.rigs[0]
    old = rig.skeleton
    scale = np.broadcast_to(np.asarray(factors, dtype=float).reshape(len(old), -1), (len(old), 3))
    rest = Transform(old.rest.translation, old.rest.rotation, scale)
    rig = replace(rig, skeleton=Skeleton(old.names, PARENTS, rest, old.euler_orders))
    hung = making.mesh(rng, rig.id, ["b4"], "hung", influences=1)
    hung = replace(hung, inverse_bind=np.eye(4)[None])
    tracks = {Channel("b0", Property.ROTATE, WHOLE): making.turning(rng)}
    for bone in ("b1", "b3", "b4"):
        for prop in (Property.TRANSLATE, Property.SCALE):
            tracks |= {Channel(bone, prop, axis): making.scalar(rng) for axis in range(3)}
    tracks |= {Channel("b2", Property.ROTATE, WHOLE): making.turning(rng)}
    tracks |= {Channel("b3", Property.ROTATE, axis): making.scalar(rng, weighted=True) for axis in range(3)}
    return making.with_clip(project.with_assets(rig, hung), tracks, 0.8)


def seen(project, times):
    """Model positions of bones ``(T, B, 3)``, and of vertices of each mesh at the last time."""
    rig, clip = project.rigs[0], project.clips[0]
    model = kinematics.model_matrices(rig.skeleton, sample_many(rig, clip, times, wrap=False).local)
    meshes = project.meshes_of(rig.id)
    points = [
        kinematics.skin(m, kinematics.skin_matrices(m, rig.skeleton, model[-1]), {"smile": 0.5})[0]
        for m in meshes
    ]
    return model[..., :3, 3], points


@pytest.mark.parametrize(
    "factors",
    [
        [100.0, 1.0, 0.25, 2.0, 1.0],
        [1.0, -1.0, 3.0, 0.5, -2.0],
        [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [-3.0, 3.0, 3.0], [-1.0, 2.0, 4.0]],
        [[-0.01, 0.01, 0.01], [1.0, 1.0, 1.0], [-1.0, -1.0, -1.0], [-1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
    ],
    ids=["even", "inverted", "mirrored", "mirrored root"],
)
def test_folded_scale_moves_bones_and_vertices_the_same(factors):
    project = scaled(np.random.default_rng(8), factors)
    folded = prepared(project, Prepare(scale=RestScale.FOLDED))
    assert (folded.rigs[0].skeleton.rest.scale == 1.0).all()
    times = np.linspace(0.0, 0.8, 13)
    before, after = seen(project, times), seen(folded, times)
    size = float(np.ptp(before[0]))
    assert np.abs(before[0] - after[0]).max() <= 1e-9 * size
    for one, two in zip(before[1], after[1], strict=True):
        assert np.abs(one - two).max() <= 1e-4 * max(size, float(np.ptp(one)))


def test_folded_scale_keeps_every_key():
    project = scaled(np.random.default_rng(8), [100.0, 1.0, 0.25, 2.0, 1.0])
    clip, folded = project.clips[0], prepared(project, Prepare(scale=RestScale.FOLDED)).clips[0]
    assert {c: t.times.tolist() for c, t in clip.tracks.items()} == {
        c: t.times.tolist() for c, t in folded.tracks.items()
    }


def test_folded_scale_uneven_above_others_stays_and_is_folded_at_the_end_of_a_chain():
    uneven = np.ones((5, 3))
    uneven[1], uneven[2] = (1.0, 2.0, 3.0), (0.5, 2.0, 4.0)
    project = scaled(np.random.default_rng(8), uneven)
    project = project.without(project.clips[0].id).with_assets(
        Clip(AssetId("c"), "still", project.rigs[0].id, 0.5)
    )
    folded = prepared(project, Prepare(scale=RestScale.FOLDED))
    assert folded.rigs[0].skeleton.rest.scale.tolist()[1:3] == [[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]
    before, after = seen(project, np.zeros(1)), seen(folded, np.zeros(1))
    assert np.abs(before[0] - after[0]).max() <= 1e-12
    assert all(np.abs(a - b).max() <= 1e-5 for a, b in zip(before[1], after[1], strict=True))


def test_folded_scale_without_any_is_the_same_values():
    project = making.small()
    rig, meshes = project.rigs[0], project.meshes_of(project.rigs[0].id)
    found = folded_scale(rig, (), meshes)
    assert found[0] is rig
    assert all(a is b for a, b in zip(found[2], meshes, strict=True))


def test_one_root_stands_above_all_and_root_motion_stays_with_its_bone():
    rig = making.small().rigs[0]
    old = rig.skeleton
    parents = np.array([-1, 0, -1, 2, 2])
    rig = replace(rig, skeleton=Skeleton(old.names, parents, old.rest, old.euler_orders))
    clip = Clip(AssetId("c"), "walk", rig.id, 1.0, root_motion=RootMotion(True))
    found, (walk,) = with_one_root(rig, (clip,), "b1")
    names = found.skeleton.names
    assert [names[p] if p >= 0 else None for p in found.skeleton.parents] == [
        None, names[0], "b0", names[0], "b2", "b2",
    ]  # fmt: skip
    assert names[0] not in old.names
    assert walk.root_motion.bone == "b0"
    assert with_one_root(found, (walk,))[0] is found


def test_keys_on_every_frame_say_of_each_clip_what_another_moves():
    rng = np.random.default_rng(3)
    project = making.with_clip(
        making.small(), {Channel("b1", Property.ROTATE, WHOLE): making.turning(rng)}, 0.5
    )
    other = Clip(AssetId("clip-2"), "other", project.rigs[0].id, 0.5, tracks={
        Channel("b2", Property.TRANSLATE, 1): making.scalar(rng),
    })  # fmt: skip
    ready = prepared(project.with_assets(other), Prepare(keys=Keys.FRAMES))
    said = [{(c.bone, c.property) for c in clip.tracks} for clip in ready.clips]
    assert said[0] == said[1] >= {("b1", Property.ROTATE), ("b2", Property.TRANSLATE)}
    rest = project.rigs[0].skeleton.rest.rotation[1]
    kept = next(c for c in ready.clips if c.name == "other").rotation("b1")
    assert np.abs(quat.aligned(kept.values, rest) - rest).max() <= 1e-12
