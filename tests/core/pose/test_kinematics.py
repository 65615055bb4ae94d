"""Kinematics against matrices and skinning against plain loops."""

import numpy as np
import pytest

from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import kernels, quat, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.mesh import Mesh, MorphTarget, normalised_weights
from core.rig.skeleton import Skeleton


def skeleton(bones=6, seed=0) -> Skeleton:
    rng = np.random.default_rng(seed)
    parents = [-1, 0, 1, 0, 3, -1][:bones]
    rest = Transform(
        rng.normal(size=(bones, 3)), quat.normalise(rng.normal(size=(bones, 4))), np.ones((bones, 3))
    )
    return Skeleton(tuple(f"b{n}" for n in range(bones)), np.array(parents), rest)


def local(bones=6, lead=(), even=True, seed=1) -> Transform:
    rng = np.random.default_rng(seed)
    scale = np.repeat(rng.uniform(0.5, 2, (*lead, bones, 1)), 3, axis=-1)
    scale = scale if even else rng.uniform(0.5, 2, (*lead, bones, 3))
    q = quat.normalise(rng.normal(size=(*lead, bones, 4)))
    return Transform(rng.normal(size=(*lead, bones, 3)), q, scale)


def chained(parents, matrices) -> list[np.ndarray]:
    """Each bone by walking up to the root, not by order of the bones."""
    whole = []
    for bone in range(len(parents)):
        product, above = matrices[bone], parents[bone]
        while above >= 0:
            product, above = matrices[above] @ product, parents[above]
        whole.append(product)
    return whole


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("lead", [(), (3,), (2, 2)])
def test_model_matrices_uneven_scale_is_the_product_up_the_chain(lead, compiled, monkeypatch):
    monkeypatch.setattr(kernels, "compiled", kernels.load if compiled else lambda: None)
    bones, pose = skeleton(), local(lead=lead, even=False)
    found = kinematics.model_matrices(bones, pose)
    assert found.shape == (*lead, 6, 4, 4)
    matrices = transform.to_matrix(pose)
    for index in np.ndindex(lead):
        assert np.allclose(found[index], chained(bones.parents, matrices[index]), atol=1e-9)


@pytest.mark.parametrize("lead", [(), (4,)])
def test_to_model_even_scale_agrees_with_matrices_and_to_local_undoes_it(lead):
    bones, pose = skeleton(), local(lead=lead)
    model = kinematics.to_model(bones, pose)
    assert np.allclose(transform.to_matrix(model), kinematics.model_matrices(bones, pose), atol=1e-9)
    back = kinematics.to_local(bones, model)
    assert all(np.allclose(a, b, atol=1e-9) for a, b in zip(back, pose, strict=True))


def test_model_rotations_are_those_of_to_model():
    bones, pose = skeleton(), local(lead=(2,))
    assert np.allclose(
        kinematics.model_rotations(bones, pose.rotation), kinematics.to_model(bones, pose).rotation
    )


def test_one_bone_is_its_own_model():
    bones, pose = skeleton(1), local(1)
    assert np.allclose(kinematics.model_matrices(bones, pose)[0], transform.to_matrix(pose)[0])


def test_wrong_number_of_bones_is_refused():
    with pytest.raises(ValidationError, match="6 bones"):
        kinematics.model_matrices(skeleton(6), local(5))


# ---------------------------------------------------------------- skinning


def mesh(vertices=50, influences=4, joints=6, seed=2, **more) -> Mesh:
    rng = np.random.default_rng(seed)
    inverse = np.linalg.inv(transform.to_matrix(local(joints, seed=seed)))
    normals = rng.normal(size=(vertices, 3))
    return Mesh(
        AssetId("m"),
        "body",
        AssetId("r"),
        rng.normal(size=(vertices, 3)),
        normals / np.linalg.norm(normals, axis=1, keepdims=True),
        [[0, 1, 2]],
        tuple(f"b{n}" for n in range(joints))[::-1],
        inverse,
        rng.integers(0, joints, (vertices, influences)),
        normalised_weights(rng.random((vertices, influences))),
        **more,
    )


def naive(body: Mesh, matrices, positions, normals):
    """Vertex by vertex, influence by influence, in doubles."""
    placed, turned = [], []
    for v in range(len(positions)):
        blended = np.zeros((4, 4))
        for joint, weight in zip(body.influences[v], body.weights[v], strict=True):
            blended += float(weight) * matrices[joint]
        placed.append((blended @ [*positions[v].astype(float), 1.0])[:3])
        normal = (
            np.linalg.inv(blended[:3, :3]).T
            @ normals[v].astype(float)
            * np.sign(np.linalg.det(blended[:3, :3]))
        )
        turned.append(normal / np.linalg.norm(normal))
    return np.array(placed), np.array(turned)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("influences", [1, 4, 8])
def test_skin_any_weights_is_the_sum_over_influences(influences, compiled, monkeypatch):
    monkeypatch.setattr(kernels, "compiled", kernels.load if compiled else lambda: None)
    bones, body = skeleton(), mesh(influences=influences)
    matrices = kinematics.skin_matrices(body, bones, kinematics.model_matrices(bones, local(even=False)))
    placed, turned = kinematics.skin(body, matrices)
    positions, normals = naive(body, matrices, body.positions, body.normals)
    size = np.abs(matrices).max()
    assert np.allclose(placed, positions, atol=1e-5 * size)
    blended = np.einsum("vk,vkij->vij", body.weights, matrices[body.influences])[:, :3, :3]
    sound = np.linalg.cond(blended) < 50  # a flattened vertex has no sure normal in single precision
    assert sound.sum() > 25
    # A mirrored blend turns the normal with the surface, as the cofactors say.
    assert np.allclose(turned[sound], (normals * np.sign(1.0))[sound], atol=2e-3)


def test_skin_in_the_bind_pose_leaves_vertices_where_they_are():
    bones = skeleton()
    model = kinematics.model_matrices(bones, bones.rest)
    body = mesh()
    body = Mesh(
        body.id, body.name, body.rig, body.positions, body.normals, body.triangles, bones.names,
        np.linalg.inv(model), body.influences, body.weights,
    )  # fmt: skip
    placed, turned = kinematics.skin(body, kinematics.skin_matrices(body, bones, model))
    assert np.allclose(placed, body.positions, atol=1e-5)
    assert np.allclose(turned, body.normals, atol=1e-5)


@pytest.mark.parametrize("compiled", [False, True])
def test_skin_several_poses_at_once_is_each_alone(compiled, monkeypatch):
    monkeypatch.setattr(kernels, "compiled", kernels.load if compiled else lambda: None)
    bones, body = skeleton(), mesh()
    matrices = kinematics.skin_matrices(body, bones, kinematics.model_matrices(bones, local(lead=(3,))))
    placed, turned = kinematics.skin(body, matrices)
    assert placed.shape == turned.shape == (3, 50, 3)
    for index in range(3):
        alone, alone_turned = kinematics.skin(body, matrices[index])
        assert np.allclose(placed[index], alone, atol=1e-6)
        assert np.allclose(turned[index], alone_turned, atol=1e-6)


def test_skin_morph_targets_are_added_before():
    rng = np.random.default_rng(7)
    shift = rng.normal(size=(50, 3)).astype(np.float32)
    body = mesh(morphs=(MorphTarget("smile", shift, shift), MorphTarget("rest", shift, None, 0.5)))
    still = np.tile(np.eye(4), (6, 1, 1))
    placed, _ = kinematics.skin(body, still, {"body/smile": 0.25, "rest": 0.0})
    assert np.allclose(placed, body.positions + 0.25 * shift, atol=1e-5)
    placed, _ = kinematics.skin(body, still)
    assert np.allclose(placed, body.positions + 0.5 * shift, atol=1e-5)


def test_skin_matrices_joint_that_is_no_bone_is_named():
    with pytest.raises(MissingReferenceError, match="b5"):
        kinematics.skin_matrices(mesh(), skeleton(5), np.tile(np.eye(4), (5, 1, 1)))


def test_furthest_kernel_agrees_with_its_twin():
    assert kernels.load() is not None
    rng = np.random.default_rng(0)
    before, after = rng.normal(size=(2, 5, 3, 4, 4))
    points = rng.normal(size=(3, 7, 3))
    found = kinematics.furthest(before, after, points)
    assert np.allclose(found, kinematics.furthest_numpy(before, after, points), atol=1e-12)
    assert kinematics.furthest(before[:0], after[:0], points).shape == (0, 3)
