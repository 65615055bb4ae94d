"""Terrain as JSON: there and back, and what is wrong by file and field."""

import json

import numpy as np
import pytest

from core.errors import FormatError
from core.terrain.course import course_terrain
from core.terrain.reading import read_terrain, write_terrain
from tests.core.terrain.test_queries import mixed


@pytest.mark.parametrize("make", [mixed, course_terrain])
def test_a_terrain_comes_back_the_same(make, tmp_path):
    terrain = make()
    write_terrain(terrain, tmp_path / "t.json")
    again = read_terrain(tmp_path / "t.json")
    assert again.name == terrain.name and [p.name for p in again.pieces] == [p.name for p in terrain.pieces]
    np.testing.assert_array_equal(again.mesh.table, terrain.mesh.table)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "format: expected 'posewright.terrain'"),
        ({"version": 9}, "version: expected version 1, got 9"),
        ({"pieces": []}, "pieces: expected 1 to"),
        ({"pieces": [{"kind": "hill"}]}, r"pieces\[0\].kind: expected one of plane"),
        ({"pieces": [{"kind": "plane"}, {"kind": "slope"}]}, r"pieces\[1\].angle: it is missing"),
        ({"pieces": [{"kind": "slope", "angle": 88}]}, r"pieces\[0\]: slope: angle: expected 0.01 to 80"),
        ({"pieces": [{"kind": "box", "size": [1, 2]}]}, r"pieces\[0\].size: expected 3 numbers, got 2"),
        ({"pieces": [{"kind": "box", "sise": 1}]}, r"pieces\[0\].sise: expected members of"),
        ({"pieces": [{"kind": "stairs", "count": 2.5}]}, r"pieces\[0\].count: expected a whole number"),
        ({"pieces": [{"kind": "height_field", "heights": [[0, 1], [2]]}]}, r"pieces\[0\].heights: expected rows"),
        ({"pieces": [{"kind": "height_field", "heights": [[0, "x"], [2, 3]]}]}, r"pieces\[0\].heights\[0\]: expected"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_file_and_field(change, message, tmp_path):
    good = {"format": "posewright.terrain", "version": 1, "pieces": [{"kind": "plane"}]}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**good, **change}))
    with pytest.raises(FormatError, match=message) as caught:
        read_terrain(path)
    assert caught.value.path == str(path)
    path.write_text("{")
    with pytest.raises(FormatError, match="line 1"):
        read_terrain(path)
    with pytest.raises(FormatError, match="No such file"):
        read_terrain(tmp_path / "none.json")
