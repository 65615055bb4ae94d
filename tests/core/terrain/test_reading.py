"""Terrain as JSON: there and back, and what is wrong by file and field."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import FormatError, ValidationError
from core.terrain.course import course_terrain
from core.terrain.pieces import Bumps
from core.terrain.reading import read_terrain, terrain_values, write_terrain
from core.terrain.terrain import Terrain
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


ODD = (None, True, -1, 0, 1e-300, 1e308, 2.5, "x", [], {}, [1, 2, 3], [[0, 1], [2, 3]], 10**400)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_file_is_read_or_refused_by_its_name(data, tmp_path):
    """No other exception, whatever stands where a number or a list is expected."""
    whole = terrain_values(mixed())
    entry = data.draw(st.sampled_from([whole, *whole["pieces"]]))
    key = data.draw(st.sampled_from([*entry, "yaw", "size", "cell", "count", "heights"]))
    entry[key] = data.draw(st.sampled_from(ODD))
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(whole))
    try:
        terrain = read_terrain(path)
    except FormatError as error:
        assert error.path == str(path)
    else:
        assert np.isfinite(terrain.mesh.table).all()


def test_pieces_with_too_many_triangles_together_are_refused(tmp_path):
    with pytest.raises(ValidationError, match="at most 1000000 triangles together"):
        Terrain((Bumps(size=(80.0, 80.0)),) * 4)
    bumps = {"kind": "bumps", "size": [80, 80]}
    path = tmp_path / "big.json"
    path.write_text(json.dumps({"format": "posewright.terrain", "version": 1, "pieces": [bumps] * 4}))
    with pytest.raises(FormatError, match="at most 1000000 triangles together"):
        read_terrain(path)
