from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.gl.bone_geometry import bone_frames, bone_tips
from editor.gl.camera import Camera, project
from editor.gl.draw_list import BoneShapes, BoneState, BoneStyle
from editor.gl.picking import bones_in_box, next_hit, pick_bones
from editor.gl.screen_geometry import segments_meet_rectangle
from tests.editor.gl.figure import BONES, WALKING, figure, with_states

SIZE = (900.0, 500.0)
CAMERA = Camera(target=(0, 0.85, 0), yaw=0.7, pitch=0.25, distance=3.2)
NAMES = [row[0] for row in BONES]


def middle(shapes: BoneShapes, camera: Camera, share: float = 0.4) -> np.ndarray:
    return project(camera, shapes.heads + share * (shapes.tails - shapes.heads), SIZE)[0]


@pytest.mark.parametrize("style", list(BoneStyle))
@pytest.mark.parametrize("orthographic", [False, True])
def test_projected_middle_of_a_bone_picks_it(style, orthographic):
    camera = replace(CAMERA, orthographic=orthographic)
    shapes = replace(figure(WALKING).bones, style=style)
    for bone, pixel in enumerate(middle(shapes, camera)):
        hits = pick_bones(shapes, camera, SIZE, tuple(pixel))
        mine = [hit for hit in hits if hit.bone == bone]
        assert mine and mine[0].gap == pytest.approx(0.0, abs=1e-6), NAMES[bone]
        inside = [hit for hit in hits if hit.gap < 0.05]
        assert [hit.depth for hit in inside] == sorted(hit.depth for hit in inside)


def test_depth_of_a_hit_is_that_of_the_place_under_the_pixel():
    shapes = figure(WALKING).bones
    spots = shapes.heads + 0.4 * (shapes.tails - shapes.heads)
    pixels, depth = project(CAMERA, spots, SIZE)
    for bone, pixel in enumerate(pixels):
        hit = next(h for h in pick_bones(shapes, CAMERA, SIZE, tuple(pixel)) if h.bone == bone)
        assert hit.depth == pytest.approx(float(depth[bone]), abs=1e-5)


def test_overlapping_bones_come_near_before_far_and_a_repeat_click_cycles():
    heads = np.array([(0, 0.5, z) for z in (-1, 1, 0)], np.float32)
    shapes = BoneShapes(heads, heads + (0, 0.8, 0))
    camera = Camera(target=(0, 0.9, 0), yaw=0, pitch=0, distance=5, orthographic=True)
    hits = pick_bones(shapes, camera, SIZE, (450, 250))
    assert [hit.bone for hit in hits] == [1, 2, 0]
    taken = []
    current = None
    for _ in range(4):
        current = next_hit(hits, current)
        taken.append(current)
    assert taken == [1, 2, 0, 1]
    assert next_hit((), 3) is None


def test_hidden_bones_and_bones_behind_the_eye_are_not_picked():
    shapes = figure().bones
    pixel = tuple(middle(shapes, CAMERA)[0])
    hidden = with_states(shapes, hidden=[0])
    assert 0 not in [hit.bone for hit in pick_bones(hidden, CAMERA, SIZE, pixel)]
    away = Camera(target=(0, 0.85, 9), yaw=np.pi, pitch=0, distance=3)
    assert not any(pick_bones(shapes, away, SIZE, (x, y)) for x in range(0, 900, 50) for y in (150, 250, 350))
    assert bones_in_box(shapes, away, SIZE, (0, 0), (900, 500)) == ()


def test_a_bone_that_passes_the_eye_is_picked_by_the_part_in_front():
    camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=2)
    shapes = BoneShapes(np.array([(0.2, 0, 10.0)]), np.array([(0.2, 0, -10.0)]))
    pixel, _ = project(camera, (0.2, 0, -5.0), SIZE)
    assert pick_bones(shapes, camera, SIZE, tuple(pixel))[0].bone == 0


def test_box_catches_bones_that_only_cross_it():
    shapes = figure().bones
    ends, _ = project(CAMERA, np.stack([shapes.heads, shapes.tails], 1), SIZE)
    thigh = NAMES.index("thigh_l")
    at = ends[thigh].mean(axis=0)
    assert thigh in bones_in_box(shapes, CAMERA, SIZE, tuple(at + 2), tuple(at - 2))
    assert bones_in_box(shapes, CAMERA, SIZE, (0, 0), (900, 500)) == tuple(range(len(NAMES)))
    assert bones_in_box(shapes, CAMERA, SIZE, (0, 0), (5, 5)) == ()
    states = replace(shapes, states=np.full(len(NAMES), BoneState.HIDDEN))
    assert bones_in_box(states, CAMERA, SIZE, (0, 0), (900, 500)) == ()


numbers = st.floats(-10, 10, allow_nan=False, allow_subnormal=False)


@given(*[st.tuples(numbers, numbers)] * 4)
def test_segment_and_rectangle_meet_where_sampling_finds_a_point(a, b, c, d):
    low, high = np.minimum(c, d), np.maximum(c, d)
    found = bool(segments_meet_rectangle(np.array([a]), np.array([b]), low, high)[0])
    points = np.array(a) + np.linspace(0, 1, 400)[:, None] * (np.array(b) - a)
    if ((points > low + 1e-9) & (points < high - 1e-9)).all(axis=1).any():
        assert found
    if not found:
        assert not ((points > low + 1e-6) & (points < high - 1e-6)).all(axis=1).any()


def test_tips_follow_only_children_spread_hands_and_end_chains():
    local = [(0, 1, 0), (0, 0.3, 0), (0.1, 0, 0), (0.1, 0, 0.02), (0.1, 0, -0.02)]
    tips = bone_tips(local, [-1, 0, 1, 1, 1])
    np.testing.assert_allclose(tips[0], local[1])
    np.testing.assert_allclose(tips[1], (0.1, 0, 0))
    np.testing.assert_allclose(tips[2], (0.07, 0, 0))


def test_bones_without_length_or_side_still_get_a_frame():
    shapes = BoneShapes(np.zeros((2, 3)), np.array([(0, 0, 0), (0, 1, 0)]), np.array([(0, 1, 0), (0, 2, 0)]))
    along, side = bone_frames(shapes)
    assert (np.linalg.norm(along, axis=1) > 1e-3).all()
    np.testing.assert_allclose(np.linalg.norm(side, axis=1), 1)
    np.testing.assert_allclose(np.einsum("bi,bi->b", along, side), 0, atol=1e-12)
    assert bone_tips([(0, 0, 0)], [-1]).any()


def test_a_root_on_the_ground_far_below_the_hips_points_forward():
    tips = bone_tips([(0, 0, 0), (0, 0.95, 0), (0, 0.2, 0)], [-1, 0, 1])
    assert tips[0][2] > 0.1 and tips[0][1] == 0
    np.testing.assert_allclose(tips[1], (0, 0.2, 0))
    np.testing.assert_allclose(bone_tips([(0, 0, 0), (0, 0.3, 0), (0, 0.5, 0)], [-1, 0, 1])[0], (0, 0.3, 0))
