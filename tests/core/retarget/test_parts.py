"""Small parts of retargeting by their own promises: nearness to the floor, spans, files of maps, proposed modes."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.align import STILL, align, standing_frame, tip_bones, with_flat_feet
from core.retarget.chain_map import SCHEMA, ChainMap, ChainPair, Part, map_to_json, parsed_map, propose_map
from core.retarget.contacts import mask_of, runs, spans_of, speeds, standing
from core.retarget.modes import proposed_modes
from core.retarget.planting import AWAY, BETWEEN, closeness, near_floor, smooth_step
from core.rig.rig import RetargetMode
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure

masks = st.lists(st.booleans(), min_size=1, max_size=40).map(np.array)


@given(st.floats(0.0, 2.0), st.floats(0.2, 3.0))
def test_nearness_to_the_floor_is_whole_on_it_and_gone_some_leg_heights_up(share, size):
    near = float(closeness(np.array([share * AWAY * size]), size)[0])
    u = min(share, 1.0)
    assert near == pytest.approx(1.0 - (3.0 * u**2 - 2.0 * u**3), abs=1e-9)
    assert closeness(np.array([-1.0]), size)[0] == 1.0
    assert smooth_step(np.array([0.25]))[0] == pytest.approx(0.15625)


def test_a_foot_keeps_to_its_height_only_far_in_time_from_where_it_stands():
    fps, size = 30.0, 0.9
    heights = np.full(90, 0.1)
    mask = np.zeros((2, 90), dtype=bool)
    np.testing.assert_array_equal(near_floor(heights, mask, size, fps), closeness(heights, size))
    mask[0, 20], mask[1, 30] = True, True
    found = near_floor(heights, mask, size, fps)
    whole = closeness(heights, size)[0]
    for frame in range(90):
        seconds = min(abs(frame - 20), abs(frame - 30)) / fps
        u = min(max((seconds - BETWEEN) / BETWEEN, 0.0), 1.0)
        assert found[frame] == pytest.approx(whole * u * u * (3.0 - 2.0 * u))


@given(masks, st.integers(0, 1))
def test_runs_and_spans_of_a_mask_give_it_back(mask, point):
    back = np.zeros(len(mask), dtype=bool)
    for first, last in runs(mask):
        assert mask[first : last + 1].all()
        back[first : last + 1] = True
    assert np.array_equal(back, mask)
    spans = (*spans_of("left foot", point, mask), *spans_of("right foot", point, ~mask))
    assert np.array_equal(mask_of(spans, "left foot", point, len(mask)), mask)
    assert np.array_equal(mask_of(spans, "right foot", point, len(mask)), ~mask)
    assert not mask_of(spans, "left foot", 1 - point, len(mask)).any()


def test_speeds_are_metres_a_second_and_a_path_of_one_frame_or_no_leg_stands_nowhere():
    path = np.cumsum(np.tile([0.03, 0.0, 0.04], (9, 1)), axis=0)
    np.testing.assert_allclose(speeds(path, 30.0), 1.5)
    for places, size in ((np.zeros((1, 3)), 1.0), (np.zeros((9, 3)), 0.0)):
        down = standing(places, size, 30.0)
        assert down.dtype == bool and down.shape == (len(places),) and not down.any()


@pytest.mark.parametrize("told", [
    "[]", "no json", json.dumps({"chains": []}), json.dumps({"schema": "other", "chains": []}),
    json.dumps({"schema": SCHEMA}), json.dumps({"schema": SCHEMA, "chains": {}}),
    json.dumps({"schema": SCHEMA, "chains": [3]}),
])  # fmt: skip
def test_a_map_of_another_shape_is_refused(told):
    with pytest.raises(ValidationError):
        parsed_map(told)


ROW = {"name": "left arm", "part": "arm", "source": ["a"], "target": ["b"], "confidence": 0.5, "moves": True}


@pytest.mark.parametrize("change", [
    {"name": 3}, {"part": 3}, {"part": "wing"}, {"confidence": 1.5}, {"confidence": -0.1}, {"confidence": "much"},
    {"moves": 1}, {"source": "a"}, {"target": [3]}, {"source": None},
])  # fmt: skip
def test_a_chain_with_a_field_of_another_kind_is_refused(change):
    with pytest.raises(ValidationError):
        parsed_map(json.dumps({"schema": SCHEMA, "chains": [ROW | change]}))


def test_a_map_comes_back_from_its_text_and_fields_have_defaults():
    chains = propose_map(figure(), figure(4))
    assert parsed_map(map_to_json(chains)).chains == chains.chains
    (bare,) = parsed_map(json.dumps({"schema": SCHEMA, "chains": [{k: ROW[k] for k in ("name", "source", "target")}]}))\
        .chains  # fmt: skip
    assert (bare.part, bare.confidence, bare.moves) == (Part.OTHER, 1.0, False)


def test_a_map_is_written_for_people_to_read():
    chains = ChainMap((ChainPair("left “arm”", Part.ARM, ("a", "b"), ("c",), 0.85, True),))
    assert (
        map_to_json(chains)
        == """{
  "schema": "posewright-chain-map/1",
  "chains": [
    {
      "name": "left “arm”",
      "part": "arm",
      "source": [
        "a",
        "b"
      ],
      "target": [
        "c"
      ],
      "confidence": 0.85,
      "moves": true
    }
  ]
}
"""
    )


def test_modes_are_proposed_by_what_bones_are_called():
    rest = Transform(np.zeros((12, 3)), np.tile(quat.IDENTITY, (12, 1)), np.ones((12, 3)))
    names = ("Armature", "pelvis_bone", "MyHips", "hip", "hipster", "ik_hand", "hand_IK_l", "Handslot.l", "prop_1",
             "weapon", "aprop", "chest")  # fmt: skip
    modes = proposed_modes(Skeleton(names, np.array([-1, *[0] * 11]), rest))
    moved, scaled = RetargetMode.ANIMATION, RetargetMode.ANIMATION_SCALED
    wanted = [
        moved,
        scaled,
        scaled,
        scaled,
        *[RetargetMode.SKELETON],
        *[moved] * 5,
        *[RetargetMode.SKELETON] * 2,
    ]
    assert dict(modes) == dict(zip(names, wanted, strict=True))


def lifted_foot(frames: int = 40):
    """A figure that stands; its left foot hangs and turns in the first half, and the whole turns slowly about."""
    body = figure()
    local = Transform(*(np.repeat(part[None], frames, axis=0) for part in body.rest))
    calf, foot = body.index("calf_l"), body.index("foot_l")
    local.rotation[:, body.index("root")] = quat.from_axis_angle(
        [0.0, 1.0, 0.0], np.linspace(0.0, 0.6, frames)
    )
    local.rotation[: frames // 2, calf] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.8)
    local.rotation[: frames // 2, foot] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.5)
    return body, local


def test_a_foot_in_the_air_is_tilted_as_where_it_stands_and_keeps_its_heading():
    body, local = lifted_foot()
    chains = propose_map(body, body)
    made = with_flat_feet(body, chains, local, 5)
    one = Transform(*(part[None] for part in made))
    model, was = kinematics.to_model(body, one), kinematics.to_model(body, local)
    sole = {}
    for side in "lr":
        foot, ball = body.index(f"foot_{side}"), body.index(f"ball_{side}")
        sole[side] = model.translation[0, ball] - model.translation[0, foot]
        stood = body.rest.translation[ball]
        assert sole[side][1] == pytest.approx(stood[1], abs=1e-6)
        before = was.translation[5, ball] - was.translation[5, foot]
        assert np.cross(sole[side], before)[1] == pytest.approx(0.0, abs=1e-9)
    others = [b for b, name in enumerate(body.names) if not name.startswith(("foot_", "ball_"))]
    np.testing.assert_allclose(made.rotation[others], local.rotation[5][others], atol=1e-12)
    alone = with_flat_feet(body, chains, Transform(*(part[5:6] for part in local)), 0)
    np.testing.assert_allclose(alone.rotation, local.rotation[5], atol=1e-12)


def test_a_foot_stands_where_it_is_low_and_still():
    body, local = lifted_foot()
    hips = body.index("hips")
    local.translation[30:, hips, 1] -= 0.01  # lower, but on the move
    local.translation[30:, hips, 0] += np.linspace(0.0, 1.0, 10)
    local.rotation[30:, body.index("foot_l")] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.3)
    assert STILL * 0.1 > 0.02
    made = with_flat_feet(body, propose_map(body, body), local, 5)
    model = kinematics.to_model(body, Transform(*(part[None] for part in made))).translation[0]
    ball = model[body.index("ball_l")] - model[body.index("foot_l")]
    assert ball[1] == pytest.approx(body.rest.translation[body.index("ball_l")][1], abs=1e-6)


def test_the_frame_that_stands_like_the_rest_is_found_and_a_heading_says_nothing():
    body, local = lifted_foot(20)
    rng = np.random.default_rng(2)
    wild = quat.from_rotation_vector(rng.normal(scale=0.4, size=(20, len(body), 3)))
    wild[13] = quat.IDENTITY
    local = local._replace(rotation=np.array(wild))
    local.rotation[13, 0] = quat.from_axis_angle([0.0, 1.0, 0.0], 2.0)
    assert standing_frame(body, figure(size=0.8), propose_map(body, body), local) == 13


def test_a_body_without_head_and_arms_stands_by_its_legs_and_a_lying_one_does_not():
    body = figure()
    chains = propose_map(body, body)
    assert align(body, body, chains).standing
    lying = body.rest._replace(rotation=np.array(body.rest.rotation))
    lying.rotation[0] = quat.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2.0)
    assert not align(body, body, chains, lying).standing
    ends = [body.names[b] for b in tip_bones(body, chains, body.index("hips"), True)]
    assert ends == ["spine_1"]
