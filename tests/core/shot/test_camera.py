"""Cameras of a shot: fields of view, keys, and what edits leave as it was."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.errors import ValidationError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.shot.camera import (
    ShotCamera,
    fov_of,
    key_times,
    keyed_at,
    lens_at,
    lens_of,
    placed,
    unkeyed_at,
    view_at,
    with_lens,
)

numbers = st.floats(-50.0, 50.0, allow_nan=False)
turns = st.tuples(*[st.floats(-1.0, 1.0, allow_nan=False)] * 4).filter(lambda q: sum(v * v for v in q) > 0.01)


def plain(name: str = "cam") -> ShotCamera:
    return ShotCamera(AssetId("camera-1"), name)


def test_a_lens_of_50_mm_on_full_frame_sees_as_the_text_books_say() -> None:
    assert np.degrees(fov_of(50.0, 36.0)) == pytest.approx(39.5978, abs=1e-4)
    assert np.degrees(fov_of(50.0, 24.0)) == pytest.approx(26.9915, abs=1e-4)
    assert lens_of(fov_of(35.0, 20.25), 20.25) == pytest.approx(35.0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.tuples(numbers, numbers, numbers), turns, st.floats(2.0, 400.0), st.floats(0.0, 20.0))
def test_a_key_is_passed_exactly(
    place: tuple[float, ...], turn: tuple[float, ...], lens: float, time: float
) -> None:
    rotation = quat.normalise(np.array(turn))
    camera = with_lens(placed(plain(), np.array(place), rotation, time, key=True), lens, time, key=True)
    seen = view_at(camera, time)
    assert np.abs(seen.position - place).max() < 1e-9
    assert quat.angle_between(seen.rotation, rotation) < 1e-7
    assert lens_at(camera, time) == pytest.approx(lens, abs=1e-9)


def test_keying_a_camera_changes_nothing_that_is_seen() -> None:
    camera = placed(
        plain(), np.array([1.0, 2.0, 3.0]), quat.from_axis_angle([0.0, 1.0, 0.0], 0.7), 0.0, key=False
    )
    assert not camera.keyed
    keyed = keyed_at(camera, 0.5)
    assert keyed.keyed
    assert key_times(keyed).tolist() == [0.5]
    for time in (0.0, 0.5, 2.0):
        before, after = view_at(camera, time), view_at(keyed, time)
        assert np.abs(before.position - after.position).max() < 1e-9
        assert quat.angle_between(before.rotation, after.rotation) < 1e-7
        assert after.fov == pytest.approx(before.fov, abs=1e-12)


def test_between_two_keys_it_moves_and_beyond_them_it_stands() -> None:
    camera = placed(plain(), np.zeros(3), quat.IDENTITY, 0.0, key=True)
    camera = placed(camera, np.array([4.0, 0.0, 0.0]), quat.IDENTITY, 1.0, key=True)
    assert view_at(camera, 0.5).position[0] == pytest.approx(2.0)
    assert view_at(camera, 9.0).position[0] == pytest.approx(4.0)
    assert view_at(camera, -9.0).position[0] == pytest.approx(0.0)


def test_the_last_key_removed_leaves_the_camera_where_it_was() -> None:
    camera = keyed_at(placed(plain(), np.array([3.0, 1.0, 2.0]), quat.IDENTITY, 0.0, key=True), 0.0)
    camera = with_lens(camera, 80.0, 0.0, key=True)
    still = unkeyed_at(camera, 0.0)
    assert not still.keyed
    assert view_at(still, 0.0).position.tolist() == [3.0, 1.0, 2.0]
    assert still.lens == pytest.approx(80.0)


def test_a_saved_camera_comes_back_bit_for_bit() -> None:
    rotation = quat.normalise(np.array([0.1, 0.2, 0.3, 0.9]))
    camera = placed(plain(), np.array([1.0, 2.0, 3.0]), rotation, 0.0, key=True)
    camera = with_lens(placed(camera, np.zeros(3), quat.IDENTITY, 1.0, key=True), 85.0, 1.0, key=True)
    parallel = ShotCamera(
        AssetId("camera-2"), "plan", Transform(np.ones(3), rotation, np.ones(3)), height=2.5
    )
    project = Project().with_assets(camera, parallel)
    back = from_bytes(to_bytes(project))
    assert same_value(project, back)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "expected a name"),
        ({"lens": 0.0}, "focal length of 1 to 5000 mm"),
        ({"lens": float("nan")}, "focal length"),
        ({"sensor": (36.0, 0.0)}, "sensor of two lengths"),
        ({"height": -1.0}, "height above 0 m"),
        ({"near": 2.0, "far": 1.0}, "near < far"),
        ({"place": Transform(np.array([0.0, np.inf, 0.0]), quat.IDENTITY, np.ones(3))}, "place of 3 numbers"),
        ({"place": Transform(np.zeros(3), np.zeros(4), np.ones(3))}, "rotation quaternion"),
    ],
)
def test_what_cannot_be_a_camera_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ShotCamera(**{"id": AssetId("camera-1"), "name": "cam", **change})  # type: ignore[arg-type]
