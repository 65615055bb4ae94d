"""Mesh and weights of the sample character: closed, symmetric, clean, and whole when bent."""

import numpy as np
import pytest

from tests.resources.conftest import Character

FINGERS = ("thumb", "index", "middle", "ring", "pinky")


def _edges(triangles: np.ndarray) -> np.ndarray:
    return triangles.astype(np.int64)[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)


def test_mesh_is_closed_and_oriented(character: Character) -> None:
    edges = _edges(character.mesh.triangles)
    forward = {tuple(e) for e in edges}
    assert len(forward) == len(edges), "an edge runs twice the same way"
    assert all((b, a) in forward for a, b in forward), "the surface has a hole"
    vertices = len(character.mesh.positions)
    assert vertices - len(edges) // 2 + len(character.mesh.triangles) == 2, "more than one piece, or a handle"


def test_mesh_has_a_sensible_size_and_even_triangles(character: Character) -> None:
    mesh = character.mesh
    assert 5_000 <= len(mesh.positions) <= 20_000
    a, b, c = (mesh.positions[mesh.triangles[:, k]].astype(float) for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    sides = ((b - a) ** 2).sum(1) + ((c - b) ** 2).sum(1) + ((a - c) ** 2).sum(1)
    quality = 4.0 * np.sqrt(3.0) * area / sides
    assert np.median(quality) > 0.93
    assert np.mean(quality < 0.3) < 0.003


def test_mesh_is_its_own_mirror_image(character: Character) -> None:
    mesh = character.mesh
    key = np.round(mesh.positions.astype(float), 6) + 0.0
    there = {tuple(p): i for i, p in enumerate(key)}
    image = np.array([there[tuple(p)] for p in key * [-1.0, 1.0, 1.0] + 0.0])
    np.testing.assert_allclose(mesh.positions[image], mesh.positions * np.float32([-1, 1, 1]), atol=1e-6)
    np.testing.assert_allclose(mesh.normals[image], mesh.normals * np.float32([-1, 1, 1]), atol=1e-6)
    for left, right in character.rig.mirror.pairs:
        np.testing.assert_allclose(character.weight_of(left), character.weight_of(right)[image], atol=1e-6)


def test_normals_are_units_and_point_outward(character: Character) -> None:
    mesh = character.mesh
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
    a, b, c = (mesh.positions[mesh.triangles[:, k]].astype(float) for k in range(3))
    face = np.cross(b - a, c - a)
    assert np.mean((face * mesh.normals[mesh.triangles].mean(axis=1)).sum(axis=1) > 0.0) > 0.999
    assert (a * np.cross(b, c)).sum() / 6.0 == pytest.approx(0.066, abs=0.02)  # volume of a person, m³


def test_weights_are_few_positive_and_sum_to_one(character: Character) -> None:
    weights = character.mesh.weights
    assert weights.shape[1] <= 4
    assert weights.min() >= 0.0
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-6)
    used = {character.mesh.bones[j] for j in np.unique(character.mesh.influences[weights > 0])}
    assert used == set(character.mesh.bones)


@pytest.mark.parametrize("side", ["l", "r"])
def test_fingers_do_not_share_vertices(character: Character, side: str) -> None:
    bones = [[f"{f}_{i:02d}_{side}" for i in (1, 2, 3)] for f in FINGERS]
    owned = np.stack([character.weight_of(*names) > 0.0 for names in bones])
    assert owned.sum(axis=0).max() == 1
    toes = np.stack(
        [character.weight_of(f"{t}_toe") > 0 for t in ("big", "index", "middle", "ring", "little")]
    )
    assert toes.sum(axis=0).max() == 1


def test_left_bones_leave_the_right_side_alone(character: Character) -> None:
    x = character.mesh.positions[:, 0]
    for left, right in character.rig.mirror.pairs:
        assert character.weight_of(left)[x <= 0.0].max() == 0.0
        assert character.weight_of(right)[x >= 0.0].max() == 0.0


def test_every_finger_and_toe_moves_some_skin(character: Character) -> None:
    for name in character.rig.skeleton.names:
        if name != "root":
            assert (character.weight_of(name) > 0.3).sum() > 10, name


def test_two_materials_cover_the_triangles(character: Character) -> None:
    mesh = character.mesh
    assert [p.material for p in mesh.parts] == [0, 1]
    assert mesh.parts[0].count + mesh.parts[1].count == len(mesh.triangles)
    light, dark = (sum(m.color[:3]) for m in mesh.materials)
    assert light > 3.0 * dark


def _region_volume(points: np.ndarray, triangles: np.ndarray) -> float:
    """Volume of a piece of tube, its open ends closed by fans."""
    centre = points[np.unique(triangles)].mean(axis=0)
    a, b, c = (points[triangles[:, k]] - centre for k in range(3))
    volume = (a * np.cross(b, c)).sum()
    edges = {tuple(e) for e in _edges(triangles)}
    rim = dict(e for e in edges if e[::-1] not in edges)
    while rim:
        start, at = rim.popitem()
        loop = [start]
        while at != start:
            loop.append(at)
            at = rim.pop(at)
        ring = points[loop] - centre
        volume += (ring.mean(axis=0) * np.cross(np.roll(ring, -1, axis=0), ring)).sum()
    return float(volume / 6.0)


@pytest.mark.parametrize(
    ("bone", "degrees", "ahead", "half", "least"),
    [
        ("lower_arm_l", 90.0, 0.0, 0.06, 0.85),
        ("lower_arm_l", 90.0, 0.0, 0.04, 0.72),
        ("calf_l", 90.0, 0.0, 0.06, 0.82),
        ("calf_r", 90.0, 0.0, 0.04, 0.70),
        ("hand_l", 70.0, 0.0, 0.03, 0.80),
        ("upper_arm_l forward", 90.0, 0.03, 0.06, 0.75),
        ("upper_arm_l up", 90.0, 0.03, 0.06, 0.85),
        ("index_02_l", 90.0, 0.0, 0.010, 0.70),
    ],
)
def test_joint_keeps_its_volume_when_bent(
    character: Character, bone: str, degrees: float, ahead: float, half: float, least: float
) -> None:
    rest = character.matrices(*character.rest())
    bone, _, way = bone.partition(" ")
    about = {"forward": (-1.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0)}.get(way)
    i = character.rig.skeleton.index(bone)
    reach = 0.2 if way else max(2.6 * half, 0.12)
    points = character.mesh.positions.astype(float)
    away = points - rest[i, :3, 3]
    near = (np.abs(away @ rest[i, :3, 1] - ahead) < half) & (np.linalg.norm(away, axis=1) < reach)
    if bone.startswith("index"):
        near &= character.weight_of("index_01_l", "index_02_l", "index_03_l") > 0.99
    triangles = character.mesh.triangles.astype(np.int64)
    piece = triangles[near[triangles].all(axis=1)]
    moved = character.skinned(character.bent(bone, degrees, about), np.arange(len(points)))
    ratio = _region_volume(moved, piece) / _region_volume(points, piece)
    assert least <= ratio <= 1.35
