import numpy as np
import pytest

from core.errors import ValidationError
from editor.gl.camera import Camera, View, metres_per_pixel, project, standard_view
from editor.gl.colors import DARK
from editor.gl.draw_list import GizmoShape, Triangles
from editor.gl.gizmo import AXES, RING, Handle, handle_at, parts, towards_eye, view_scale
from editor.gl.gizmo_drag import rotation_matrix
from editor.gl.gizmo_shapes import gizmo_shapes

SIZE = (900.0, 500.0)
CAMERA = Camera(target=(0.1, 0.8, 0), yaw=0.6, pitch=0.4, distance=4)
PIVOT = (0.1, 0.9, 0.2)
TURNED = rotation_matrix((0.3, 1.0, 0.2), 0.4).T


def gizmo(mode: str, axes=None, **more) -> GizmoShape:
    return GizmoShape(mode, np.array(PIVOT), np.eye(3) if axes is None else axes, **more)


def at(shape: GizmoShape, *amounts: float) -> tuple[float, float]:
    """Pixel of a place given along the gizmo's axes, in parts of its size."""
    scale = view_scale(shape, CAMERA, SIZE)
    pixel, _ = project(CAMERA, shape.pivot + np.array(amounts) @ shape.axes * scale, SIZE)
    return float(pixel[0]), float(pixel[1])


@pytest.mark.parametrize("mode", ["translate", "scale"])
@pytest.mark.parametrize("axes", [np.eye(3), TURNED], ids=["world", "turned"])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_arrow_is_caught_along_its_length_and_beside_it(mode, axes, n):
    shape = gizmo(mode, axes)
    for reach in (0.6, 0.9):
        x, y = at(shape, *(np.eye(3)[n] * reach))
        assert handle_at(shape, CAMERA, SIZE, (x, y)) is AXES[n]
    x, y = at(shape, *(np.eye(3)[n] * 0.75))
    assert handle_at(shape, CAMERA, SIZE, (x + 3.5, y + 3.5)) is AXES[n]
    assert handle_at(shape, CAMERA, SIZE, (x + 300, y)) is None


@pytest.mark.parametrize(
    ("handle", "place"),
    [
        (Handle.XY, (0.35, 0.35, 0)),
        (Handle.YZ, (0, 0.35, 0.35)),
        (Handle.ZX, (0.35, 0, 0.35)),
        (Handle.CENTRE, (0, 0, 0)),
    ],
)
def test_planes_and_middle_are_caught_inside(handle, place):
    for mode in ("translate", "scale"):
        shape = gizmo(mode)
        assert handle_at(shape, CAMERA, SIZE, at(shape, *place)) is handle
    assert handle.normal == {Handle.XY: 2, Handle.YZ: 0, Handle.ZX: 1}.get(handle)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_near_half_of_a_ring_is_caught_and_the_far_half_is_not(n):
    shape = gizmo("rotate")
    eye = towards_eye(CAMERA, PIVOT)
    a = np.cross(np.eye(3)[n], eye)
    a /= np.linalg.norm(a)
    near = np.cross(a, np.eye(3)[n]) * RING
    assert near @ eye > 0
    assert handle_at(shape, CAMERA, SIZE, at(shape, *near)) is AXES[n]
    assert handle_at(shape, CAMERA, SIZE, at(shape, *-near)) is not AXES[n]


def test_view_ring_and_trackball_are_caught_where_no_ring_is():
    shape = gizmo("rotate")
    x, y = at(shape, 0, 0, 0)
    assert handle_at(shape, CAMERA, SIZE, (x + 92, y)) is Handle.VIEW
    free = [
        handle_at(shape, CAMERA, SIZE, (x + dx, y + dy))
        for dx in range(-40, 41, 8)
        for dy in range(-40, 41, 8)
    ]
    assert Handle.TRACKBALL in free


@pytest.mark.parametrize("distance", [0.3, 4.0, 80.0])
@pytest.mark.parametrize("orthographic", [False, True])
def test_size_on_the_screen_does_not_depend_on_the_distance(distance, orthographic):
    camera = Camera(target=PIVOT, yaw=0, pitch=0, distance=distance, orthographic=orthographic)
    shape = gizmo("translate")
    end = np.array(PIVOT) + np.array((1, 0, 0)) * view_scale(shape, camera, SIZE)
    pixels, _ = project(camera, [PIVOT, end], SIZE)
    assert np.linalg.norm(pixels[1] - pixels[0]) == pytest.approx(92, rel=1e-6)


def test_an_axis_that_points_at_the_eye_is_not_caught():
    camera = standard_view(CAMERA, View.FRONT)
    shape = gizmo("translate")
    pixel, _ = project(camera, PIVOT, SIZE)
    assert handle_at(shape, camera, SIZE, tuple(pixel)) is Handle.CENTRE
    assert all(part.visible == 0 for part in parts(shape, camera, SIZE) if part.handle is Handle.Z)


def test_dragged_ring_shows_the_swept_sector():
    shape = gizmo("rotate", active=Handle.Z, sweep=(0.2, 1.0))
    sectors = [s for s in gizmo_shapes(shape, CAMERA, SIZE, DARK) if isinstance(s, Triangles)]
    fan = sectors[-1].points.astype(np.float64)
    radius = view_scale(shape, CAMERA, SIZE) * RING
    area = np.linalg.norm(np.cross(fan[:, 1] - fan[:, 0], fan[:, 2] - fan[:, 0]), axis=1).sum() / 2
    assert area == pytest.approx(radius**2 / 2, rel=0.01)


def test_unknown_mode_is_refused():
    with pytest.raises(ValidationError, match="translate, rotate, scale"):
        parts(gizmo("bend"), CAMERA, SIZE)


def test_shapes_are_finite_even_with_the_eye_at_the_pivot():
    camera = Camera(target=PIVOT, distance=1e-3)
    for mode in ("translate", "rotate", "scale"):
        for shape in gizmo_shapes(gizmo(mode), camera, SIZE, DARK):
            assert np.isfinite(shape.points).all()
    assert metres_per_pixel(camera, PIVOT, SIZE) > 0
