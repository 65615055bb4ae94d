"""The clips of the sample character: they close, stand, stay above the ground and within the limits."""

import numpy as np
import pytest

from core.clips.clip import AdditiveBase, AdditiveSpace, Clip
from core.clips.root_motion import character_at
from core.clips.sample import ClipEvaluator
from core.math import quat
from core.rig.rig import JointLimit, LimitKind
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack
from tests.resources.conftest import RATE, Character

GAITS = {  # metres a second, and degrees from straight ahead to the left
    "walk": (1.4, 0.0),
    "run": (3.6, 0.0),
    "walk back": (1.4, 180.0),
    "walk left": (1.4, 90.0),
    "walk right": (1.4, -90.0),
    "run back": (3.6, 180.0),
    "run left": (3.6, 90.0),
    "run right": (3.6, -90.0),
    **{
        f"{gait} {way}": (speed, heading)
        for gait, speed in (("walk", 1.4), ("run", 3.6))
        for way, heading in (
            ("forward left", 45.0),
            ("forward right", -45.0),
            ("back left", 135.0),
            ("back right", -135.0),
        )
    },
    **{
        f"{gait} {side} hips back": (speed, heading)
        for gait, speed in (("walk", 1.4), ("run", 3.6))
        for side, heading in (("left", 90.0), ("right", -90.0))
    },
    "crouch walk": (0.9, 0.0),
}
LOOPS = ("idle", "crouch idle", "jump loop", *GAITS)
JUMPS = ("jump start", "jump loop", "jump land")
TURNS = ("turn left 90", "turn right 90")
CLIPS = (*LOOPS, "wave", "jump start", "jump land", *TURNS)
AIMS = {  # degrees to the left, and up
    "centre": (0.0, 0.0),
    "left": (60.0, 0.0),
    "right": (-60.0, 0.0),
    "up": (0.0, 45.0),
    "down": (0.0, -45.0),
    "left up": (60.0, 45.0),
    "left down": (60.0, -45.0),
    "right up": (-60.0, 45.0),
    "right down": (-60.0, -45.0),
}
LEANS = ("centre", "forward", "back", "left", "right")
POSES = (*(f"aim {name}" for name in AIMS), *(f"lean {name}" for name in LEANS))


def _clip(character: Character, name: str) -> Clip:
    return character.project.clip_named(name)


def test_clips_have_their_lengths_and_play_as_meant(character: Character) -> None:
    lengths = {c.name: c.length for c in character.project.clips}
    assert 4.0 <= lengths["idle"] <= 6.0
    assert lengths["walk"] == pytest.approx(1.05, abs=0.1)
    assert lengths["run"] == pytest.approx(0.7, abs=0.05)
    assert lengths["wave"] == pytest.approx(2.5, abs=0.3)
    assert {c.name for c in character.project.clips if c.looping} == set(LOOPS)
    assert set(lengths) == {*CLIPS, *POSES}
    assert {c.name for c in character.project.clips if c.root_motion.enabled} == {*GAITS, *TURNS}


@pytest.mark.parametrize("name", CLIPS)
def test_clip_is_keyed_and_not_baked(character: Character, name: str) -> None:
    clip = _clip(character, name)
    frames = clip.length * 30 + 1
    legs = ("thigh", "calf", "foot", "ball")
    for channel, track in clip.tracks.items():
        assert isinstance(track, ScalarTrack)
        if not channel.bone.startswith(legs):
            assert len(track) <= max(12, 0.35 * frames), channel


@pytest.mark.parametrize("name", LOOPS)
def test_loop_closes_in_place_and_speed(character: Character, name: str) -> None:
    clip = _clip(character, name)
    for channel, track in clip.tracks.items():
        if channel.bone == "root":
            continue
        assert isinstance(track, ScalarTrack)
        if len(track) > 1:
            assert track.times[0] == 0.0
            assert track.times[-1] == pytest.approx(clip.length, abs=1e-9)
            assert track.values[-1] == pytest.approx(track.values[0], abs=1e-9), channel
            landing = abs(track.in_slopes[0] - track.out_slopes[0])  # a foot may stop short on the ground
            assert abs(track.in_slopes[-1] - track.out_slopes[0]) <= landing + 1e-6, channel
    rotations, translations = character.play(name).rotations, character.play(name).translations
    assert quat.angle_between(rotations[0], rotations[-1]).max() < 1e-9
    np.testing.assert_allclose(translations[0, 1:], translations[-1, 1:], atol=1e-9)


@pytest.mark.parametrize("name", GAITS)
def test_root_motion_goes_straight_in_its_direction(character: Character, name: str) -> None:
    clip = _clip(character, name)
    speed, heading = GAITS[name]
    ends = character_at(
        ClipEvaluator(character.rig, clip), np.array([0.0, 0.4 * clip.length, 3.0 * clip.length])
    )
    way = ends.translation
    once = speed * clip.length * np.array([np.sin(np.radians(heading)), 0.0, np.cos(np.radians(heading))])
    np.testing.assert_allclose(way[1] - way[0], 0.4 * once, atol=1e-9)
    np.testing.assert_allclose(way[2] - way[0], 3.0 * once, atol=1e-9)


def _foot_vertices(character: Character, side: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices under the heel and under the ball of a foot."""
    points = character.mesh.positions
    low = points[:, 1] < 0.006
    heel = low & (character.weight_of(f"foot_{side}") > 0.95) & (points[:, 2] < -0.03)
    ball = low & (character.weight_of(f"ball_{side}") > 0.9)
    return np.flatnonzero(heel), np.flatnonzero(ball)


def _slide(places: np.ndarray, down: np.ndarray) -> float:
    """Greatest way (metres) of a point over the ground within one spell on it, ``places`` (T, 3)."""
    spells = np.flatnonzero(np.diff(np.r_[0, down.astype(int), 0])).reshape(-1, 2)
    worst = 0.0
    for start, end in spells:
        ground = places[start:end][:, [0, 2]]
        worst = max(worst, float(np.linalg.norm(ground - ground[0], axis=1).max()))
    return worst


@pytest.mark.parametrize("name", CLIPS)
def test_planted_feet_do_not_slide(character: Character, name: str) -> None:
    clip = _clip(character, name)
    times, matrices = character.play(name).times, character.play(name).matrices
    for side in "lr":
        contact = evaluate_scalar(clip.curves[f"contact_{side}"], times) > 0.999
        stood = np.zeros(len(times), bool)
        for vertices in _foot_vertices(character, side):
            places = character.skinned(matrices, vertices)
            down = (places[..., 1] < 0.006) & contact[:, None]
            stood |= down.any(axis=1)
            assert max(_slide(places[:, v], down[:, v]) for v in range(len(vertices))) <= 0.010
        assert not contact.any() or stood[contact].mean() > 0.95, (
            "the contact curve says down while the foot is in the air"
        )


@pytest.mark.parametrize("name", (*CLIPS, *POSES))
def test_feet_stay_above_the_ground(character: Character, name: str) -> None:
    matrices = character.play(name).matrices
    low = np.flatnonzero(character.mesh.positions[:, 1] < 0.01)
    step = 1 + len(matrices) // 300  # slow clips need fewer looks
    assert character.skinned(matrices[::step], low)[..., 1].min() > -0.005


def test_run_leaves_the_ground_and_walk_does_not(character: Character) -> None:
    low = np.flatnonzero(character.mesh.positions[:, 1] < 0.02)
    lowest = {}
    for name in ("walk", "run"):
        lowest[name] = character.skinned(character.play(name).matrices[::2], low)[..., 1].min(axis=1)
    assert lowest["walk"].max() < 0.006
    assert (lowest["run"] > 0.02).mean() > 0.15


def _beyond(limit: JointLimit, turn: np.ndarray) -> float:
    """How many degrees turns from rest ``(T, 4)`` go beyond a limit, at worst."""
    axis = np.array(limit.axis)
    along = turn[:, :3] @ axis
    twist = np.degrees(2.0 * np.arctan2(along, turn[:, 3]))
    twist = (twist + 180.0) % 360.0 - 180.0
    lean = np.degrees(2.0 * np.arccos(np.clip(np.hypot(along, turn[:, 3]), 0.0, 1.0)))
    slack = 3.0 if limit.kind is LimitKind.HINGE else limit.cone  # a knee turns a little with the hip
    return float(max((twist - limit.maximum).max(), (limit.minimum - twist).max(), (lean - slack).max()))


@pytest.mark.parametrize("name", (*CLIPS, *POSES))
def test_clip_respects_the_joint_limits(character: Character, name: str) -> None:
    rotations = character.play(name).rotations
    rest, _ = character.rest()
    for bone, limit in character.rig.limits.items():
        i = character.rig.skeleton.index(bone)
        turn = quat.multiply(quat.conjugate(rest[i]), rotations[:, i])
        assert _beyond(limit, turn) <= 0.0, bone


def _assert_same_pose(character: Character, first: tuple[str, int], second: tuple[str, int]) -> None:
    """Poses of two clips at their ends (0 or -1), seen from the root."""
    a, b = (character.play(name) for name, _ in (first, second))
    (_, i), (_, j) = first, second
    assert np.degrees(quat.angle_between(a.rotations[i, 1:], b.rotations[j, 1:])).max() < 0.01, (
        first,
        second,
    )
    np.testing.assert_allclose(a.translations[i, 1:], b.translations[j, 1:], atol=1e-6)


@pytest.mark.parametrize("name", ["wave", "jump start", *TURNS])
def test_action_begins_as_idle_begins(character: Character, name: str) -> None:
    _assert_same_pose(character, (name, 0), ("idle", 0))


@pytest.mark.parametrize("name", ["wave", "jump land", *TURNS])
def test_action_ends_as_idle_begins(character: Character, name: str) -> None:
    _assert_same_pose(character, (name, -1), ("idle", 0))


def test_parts_of_the_jump_follow_one_another(character: Character) -> None:
    _assert_same_pose(character, ("jump start", -1), ("jump loop", 0))
    _assert_same_pose(character, ("jump loop", -1), ("jump land", 0))


def test_jump_rises_and_falls_as_gravity_has_it(character: Character) -> None:
    """Second differences of the pelvis's height while no foot is on the ground."""
    pelvis = character.rig.skeleton.index("pelvis")
    for name, air in (("jump start", slice(16, 24)), ("jump land", slice(0, 8))):
        height = character.play(name).matrices[:: RATE // 30, pelvis, 1, 3][air]
        times = np.arange(len(height)) / 30.0
        fall = -2.0 * np.polyfit(times, height, 2)[0]
        assert fall == pytest.approx(9.8, abs=1.5), name
    low = np.flatnonzero(character.mesh.positions[:, 1] < 0.02)
    hang = character.skinned(character.play("jump loop").matrices[::8], low)[..., 1]
    assert hang.min() > 0.3


@pytest.mark.parametrize(("name", "yaw"), [("turn left 90", 90.0), ("turn right 90", -90.0)])
def test_turn_is_root_motion_and_both_feet_step(character: Character, name: str, yaw: float) -> None:
    clip = _clip(character, name)
    end = character_at(ClipEvaluator(character.rig, clip), np.array([clip.length]))
    assert end.rotation[0] == pytest.approx([0.0, np.sin(np.radians(yaw / 2)), 0.0, np.sqrt(0.5)], abs=1e-6)
    assert np.abs(end.translation).max() < 1e-9
    times = character.play(name).times
    on = [evaluate_scalar(clip.curves[f"contact_{side}"], times) > 0.5 for side in "lr"]
    assert (on[0] | on[1]).all(), "one foot is always down"
    assert all(not foot.all() for foot in on)


def test_wave_lifts_the_hand(character: Character) -> None:
    wave = character.play("wave")
    hand = character.rig.skeleton.index("hand_r")
    height = wave.matrices[:, hand, 1, 3]
    assert height.max() > 1.4


@pytest.mark.parametrize("name", AIMS)
def test_aim_points_hands_and_face_its_way(character: Character, name: str) -> None:
    yaw, pitch = np.radians(AIMS[name])
    way = np.array([np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)])
    matrices = character.play(f"aim {name}").matrices[0]
    index = character.rig.skeleton.index
    rest = character.matrices(*character.rest())[index("head")]
    face = matrices[index("head"), :3, :3] @ rest[:3, :3].T @ np.array([0.0, 0.0, 1.0])
    assert np.degrees(np.arccos(face @ way)) < 12.0
    hands = [matrices[index(f"hand_{side}"), :3, 3] for side in "lr"]
    assert np.linalg.norm(hands[0] - hands[1]) < 0.09
    held = 0.5 * (hands[0] + hands[1]) - matrices[index("head"), :3, 3]
    assert np.degrees(np.arccos(held @ way / np.linalg.norm(held))) < 25.0


def test_poses_to_add_share_one_base_in_model_space(character: Character) -> None:
    declared = {_clip(character, name).additive for name in POSES}
    assert len(declared) == 1
    (only,) = declared
    assert only is not None
    assert (only.space, only.base) == (AdditiveSpace.MODEL, AdditiveBase.FRAME)
    assert only.base_clip == _clip(character, "idle").id


def test_leans_bring_the_head_their_way(character: Character) -> None:
    head = character.rig.skeleton.index("head")
    at = {name: character.play(f"lean {name}").matrices[0, head, :3, 3] for name in LEANS}
    for name, axis, sign in (("left", 0, 1), ("right", 0, -1), ("forward", 2, 1), ("back", 2, -1)):
        assert sign * (at[name] - at["centre"])[axis] > 0.05, name


def test_idle_breathes(character: Character) -> None:
    chest = character.play("idle").matrices[:, character.rig.skeleton.index("neck_01"), :3, 3]
    assert 0.002 < np.ptp(chest[:, 1]) < 0.03


@pytest.mark.parametrize("name", GAITS)
def test_steps_are_marked_where_the_feet_land(character: Character, name: str) -> None:
    clip = _clip(character, name)
    marks = {m.name: m.time for m in clip.sync_markers}
    falls = pytest.approx({"left_down": 0.0, "right_down": 0.5 * clip.length})
    assert {n.name: n.time for n in clip.notifies} == falls
    assert {n: t for n, t in marks.items() if n.endswith("_down")} == falls
    assert evaluate_scalar(clip.curves["contact_l"], [0.1 * clip.length])[0] == 1.0
    assert evaluate_scalar(clip.curves["contact_r"], [0.6 * clip.length])[0] == 1.0


def test_cycles_carry_the_same_markers_in_the_same_order(character: Character) -> None:
    for name in set(LOOPS) - set(JUMPS):
        names = [m.name for m in _clip(character, name).sync_markers]
        assert names == ["left_down", "left_push", "right_down", "right_push"], name


@pytest.mark.parametrize("name", CLIPS)
def test_no_bone_jerks_between_frames(character: Character, name: str) -> None:
    rotations = character.play(name).rotations
    speed = np.degrees(quat.angle_between(rotations[1:], rotations[:-1])) * RATE
    assert speed.max() < 1300.0  # a runner's knee folds at about 1000 degrees a second
