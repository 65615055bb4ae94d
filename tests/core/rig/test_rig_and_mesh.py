"""Rigs and meshes refuse what cannot be."""

from typing import Any

import numpy as np
import pytest

from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.rig.mesh import Material, Mesh, MeshPart, bounds, normalised_weights
from core.rig.rig import JointLimit, LimitKind, MirrorSetup, Rig, SourceFrame
from core.rig.skeleton import Skeleton

RIG = AssetId("rig-1")


def skeleton() -> Skeleton:
    rest = Transform(np.zeros((2, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (2, 1)), np.ones((2, 3)))
    return Skeleton(("root", "arm"), np.array([-1, 0]), rest)


def triangle(**changes: Any) -> Mesh:
    values: dict[str, Any] = {
        "id": AssetId("mesh-1"),
        "name": "patch",
        "rig": RIG,
        "positions": np.eye(3),
        "normals": np.tile([0.0, 0.0, 1.0], (3, 1)),
        "triangles": [[0, 1, 2]],
        "bones": ("root", "arm"),
        "inverse_bind": np.tile(np.eye(4), (2, 1, 1)),
        "influences": [[0, 1]] * 3,
        "weights": [[0.5, 0.5]] * 3,
    }
    return Mesh(**{**values, **changes})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inverse_bind": np.eye(4)[None]}, "2 bones but 1 inverse bind"),
        ({"weights": [[0.5, 0.2]] * 3}, "weights of vertex 0 sum to 0.69"),
        ({"weights": [[np.nan, 0.5]] * 3}, "weights of vertex 0"),
        ({"influences": [[0, 2]] * 3}, "bone 2 of 2"),
        ({"triangles": [[0, 1, 3]]}, "vertex 3 of 3"),
        ({"positions": np.full((3, 3), np.inf)}, "positions: expected finite"),
        ({"normals": np.zeros((2, 3))}, "normals: expected shape"),
        ({"parts": (MeshPart(0, 2, 0),)}, "triangles that are not there"),
        ({"parts": (MeshPart(0, 1, 3),)}, "material 3"),
        ({"influences": np.zeros((3, 9)), "weights": np.full((3, 9), 1 / 9)}, "at most 8"),
    ],
)
def test_mesh_that_cannot_be_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        triangle(**change)


def test_mesh_without_parts_is_one_part_of_the_first_material() -> None:
    assert triangle().parts == (MeshPart(0, 1, 0),)
    assert triangle(materials=(Material("a"), Material("b"))).materials[1].name == "b"


def test_bounds_of_nothing_is_none() -> None:
    assert bounds([]) is None
    low, high = bounds([triangle()]) or (None, None)
    assert np.array_equal(low, np.zeros(3))
    assert np.array_equal(high, np.ones(3))


def test_weights_are_normalised_whatever_comes() -> None:
    weights = normalised_weights([[2.0, 2.0], [0.0, 0.0], [np.nan, 3.0], [-1.0, 1.0]])
    assert np.allclose(weights, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    "lists",
    [
        {"mirror": MirrorSetup(0, ("tail",))},
        {"mirror": MirrorSetup(0, (), (("arm", "wing"),))},
        {"limits": {"wing": JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), 0.0, 90.0)}},
        {"masks": {"upper": {"wing": 1.0}}},
        {"bone_sets": {"fingers": ("wing",)}},
    ],
)
def test_list_that_names_an_unknown_bone_is_refused(lists: dict[str, Any]) -> None:
    with pytest.raises(MissingReferenceError, match=r"tail|wing"):
        Rig(RIG, "figure", skeleton(), **lists)


def test_limits_and_units_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValidationError, match="above maximum"):
        JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), 10.0, -10.0)
    with pytest.raises(ValidationError, match="unit axis"):
        JointLimit(LimitKind.HINGE, (1.0, 1.0, 0.0), 0.0, 10.0)
    with pytest.raises(ValidationError, match="positive length"):
        SourceFrame(0.0)
