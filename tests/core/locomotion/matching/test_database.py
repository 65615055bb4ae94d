"""The database: which ranges take part, what their frames are, and features by a second route."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.errors import MissingReferenceError, ValidationError
from core.locomotion.matching.database import build
from core.locomotion.matching.features import COUNT, GROUPS, raw_features
from core.locomotion.matching.frames import AHEAD, bent, frames_of, mirrored_frames, paced
from core.locomotion.matching.ranges import proposed_tag, ranges_of
from core.locomotion.matching.setup import Choice, Matching, Tag
from core.math import quat
from core.math.transform import down_chain
from core.pose.mirror import mirror_map
from tests.core.locomotion.matching.sample import clip, database, project

QUICK = Matching(mirror=False, paces=(), bends=())
TAGS = {
    "idle": Tag.STAND, "walk": Tag.MOVE, "run 112 left": Tag.MOVE, "walk left hips back": Tag.MOVE, "sprint": Tag.MOVE,
    "sprint start": Tag.START, "run stop left RF": Tag.STOP, "pivot LF": Tag.PIVOT, "turn left 180": Tag.TURN,
    "crouch idle": Tag.CROUCH_STAND, "crouch walk": Tag.CROUCH_MOVE, "crouch turn left 90": Tag.TURN,
    "jump start": Tag.JUMP, "walk jump LF": Tag.JUMP, "jump land": Tag.LAND, "roll": Tag.LAND, "flail": Tag.FALL,
    "get up back": Tag.GET_UP, "wave": Tag.OTHER, "lean left": Tag.OTHER, "reach": Tag.OTHER,
}  # fmt: skip


def frames(name: str):
    rig = project().rigs[0]
    part = next(r for r in ranges_of(rig, [clip(name)], Matching()))
    return frames_of(rig, part, database().body)


# ------------------------------------------------------------------------- ranges
@pytest.mark.parametrize(("name", "tag"), TAGS.items())
def test_what_a_clip_is_for_is_told_by_its_name(name, tag):
    assert proposed_tag(project().rigs[0], clip(name)) is tag


def test_a_walk_that_carries_something_is_left_to_a_person():
    rig, walk = project().rigs[0], replace(clip("walk"), name="Walk_with_Rifle")
    assert proposed_tag(rig, walk) is Tag.OTHER
    (part,) = ranges_of(rig, [walk], Matching(choices=(Choice("Walk_with_Rifle", Tag.MOVE),)))
    assert part.on and part.tag is Tag.MOVE


def test_a_walk_whose_ends_meet_loops_though_its_file_cannot_say_so():
    rig = project().rigs[0]
    clips = [replace(clip(name), looping=False) for name in ("idle", "run back", "run stop forward LF")]
    assert [part.looping for part in ranges_of(rig, clips, Matching())] == [True, True, False]


def test_a_choice_leaves_out_a_clip_or_takes_a_part_of_it():
    rig = project().rigs[0]
    clips = [clip(name) for name in ("idle", "walk", "run")]
    setup = replace(QUICK, choices=(Choice("run", on=False), Choice("walk", first=0.2, last=0.7)))
    made = build(rig, clips, setup)
    assert [(s.clip, s.looping, s.count) for s in made.stretches] == [
        ("idle", True, 300),
        ("walk", False, 31),
    ]


def test_a_choice_of_no_clip_is_said_with_those_that_there_are():
    with pytest.raises(MissingReferenceError, match=r"'jog'; there are: walk"):
        ranges_of(project().rigs[0], [clip("walk")], Matching(choices=(Choice("jog"),)))


def test_without_a_clip_that_moves_or_stands_there_is_no_database():
    with pytest.raises(ValidationError, match="name one idle or walk"):
        build(project().rigs[0], [clip("wave")])


# ------------------------------------------------------------------------- frames
@pytest.mark.parametrize("name", ["walk", "run back", "walk stop left LF", "pivot RF", "idle"])
def test_frames_put_on_their_path_are_the_clip(name):
    rig, own = project().rigs[0], frames(name)
    times = own.seconds * np.arange(len(own))
    feet = list(database().body.feet)
    sampled = sample_many(rig, clip(name), times, wrap=False).local
    world = down_chain(rig.skeleton.parents, sampled).translation[:, feet]
    s, c = np.sin(own.path[: len(own), 2, None]), np.cos(own.path[: len(own), 2, None])
    x, z = own.points[:, 1:, 0], own.points[:, 1:, 2]
    made = np.stack(
        [own.path[: len(own), :1] + c * x + s * z, own.path[: len(own), 1:2] + c * z - s * x], axis=-1
    )
    start = world[0, :, [0, 2]].T - made[0]
    np.testing.assert_allclose(made + start.mean(axis=0), world[..., [0, 2]], atol=2e-3)
    assert len(own.path) >= len(own) + AHEAD


def test_a_loop_mirrored_twice_is_itself():
    rig, own = project().rigs[0], frames("walk 67 left")
    mapping, body = mirror_map(rig), database().body
    twice = mirrored_frames(rig, mirrored_frames(rig, own, body, mapping), body, mapping)
    np.testing.assert_allclose(twice.points, own.points, atol=1e-5)
    np.testing.assert_allclose(twice.path, own.path, atol=1e-9)
    assert set(twice.curves) == set(own.curves)
    for name, values in own.curves.items():
        np.testing.assert_allclose(twice.curves[name], values)


def test_the_other_sides_contact_is_mirrored_along():
    rig, own = project().rigs[0], frames("walk stop left LF")
    other = mirrored_frames(rig, own, database().body, mirror_map(rig))
    np.testing.assert_allclose(other.curves["contact_l"], own.curves["contact_r"])
    np.testing.assert_allclose(other.curves["FootPosition"], -own.curves["FootPosition"])
    np.testing.assert_allclose(other.points[:, 1, 0], -own.points[:, 2, 0], atol=1e-3)


# ------------------------------------------------------------------------- features
@pytest.mark.parametrize("name", ["walk", "run left", "walk stop forward LF", "pivot LF"])
def test_features_are_what_the_path_and_the_feet_do(name):
    own = frames(name)
    raw = raw_features(own)
    assert raw.shape == (len(own), COUNT) and sum(count for _, count in GROUPS) == COUNT
    for k in (2, len(own) // 2):
        yaw = own.path[k, 2]
        turn = np.array([0.0, np.sin(-yaw / 2), 0.0, np.cos(-yaw / 2)])

        def world(j: int, bone: int) -> np.ndarray:
            turned = np.array([0.0, np.sin(own.path[j, 2] / 2), 0.0, np.cos(own.path[j, 2] / 2)])
            return quat.rotate(turned, own.points[j, bone]) + (own.path[j, 0], 0.0, own.path[j, 1])

        for bone, at in ((1, 6), (2, 9), (0, 12)):
            speed = (world(k + 1, bone) - world(k - 1, bone)) * 30.0
            np.testing.assert_allclose(raw[k, at : at + 3], quat.rotate(turn, speed), atol=1e-6)
        later = np.array([own.path[k + 40, 0] - own.path[k, 0], 0.0, own.path[k + 40, 1] - own.path[k, 1]])
        np.testing.assert_allclose(raw[k, 17:19], quat.rotate(turn, later)[[0, 2]], atol=1e-6)
        ahead = own.path[k + 60, 2] - yaw
        np.testing.assert_allclose(raw[k, 25:27], [np.sin(ahead), np.cos(ahead)], atol=1e-6)


def test_features_of_a_loop_have_no_seam():
    raw = raw_features(frames("run"))
    inside = np.abs(np.diff(raw, axis=0)).max(axis=0)
    assert (np.abs(raw[0] - raw[-1]) <= 1.5 * inside + 1e-6).all()


def test_a_quicker_pace_goes_as_far_in_less_time():
    own = frames("walk")
    slow, quick = raw_features(own), raw_features(paced(own, 1.25))
    np.testing.assert_allclose(quick[:, :6], slow[:, :6])
    np.testing.assert_allclose(quick[:, 6:15], 1.25 * slow[:, 6:15], atol=1e-9)
    np.testing.assert_allclose(quick[:, 15:21], 1.25 * slow[:, 15:21], atol=0.02)


def test_a_bent_path_turns_by_its_rate_and_keeps_its_length():
    own = frames("walk")
    made = bent(own, 90.0)
    assert np.degrees(made.path[60, 2]) == pytest.approx(90.0)
    for path in (own.path, made.path):
        steps = np.hypot(*np.diff(path[:, :2], axis=0).T)
        assert steps.sum() == pytest.approx(1.4 * (len(path) - 1) / 60.0, rel=1e-3)
    assert made.path[60, 0] > 0.5  # to the left


def test_every_group_has_its_weight_as_its_mean_deviation():
    made = database()
    rows = np.array([made.index.row(k) for k in range(made.index.count)])
    first = 0
    for (_, count), weight in zip(GROUPS, made.setup.weights, strict=True):
        assert rows[:, first : first + count].std(axis=0).mean() == pytest.approx(weight, rel=1e-3)
        first += count


# ------------------------------------------------------------------------- candidates
def test_candidates_are_whole_loops_and_ranges_without_their_ends():
    made = database()
    for stretch in made.stretches:
        last = stretch.end if stretch.looping else stretch.end - made.setup.end
        spans = made.spans((stretch.tag,))
        assert [stretch.first, last] in spans.tolist()
    assert len(made.spans((Tag.GET_UP,))) == 0


def test_what_goes_too_fast_is_no_candidate_while_anything_slower_is():
    made = database()
    for first, _ in made.spans((Tag.MOVE,), 0.0, 2.0).tolist():
        assert made.stretches[int(made.stretch_of[first])].fastest <= 2.0
    assert len(made.spans((Tag.MOVE,), 0.0, 0.01)) == len(made.spans((Tag.MOVE,)))


def test_rows_wrap_in_loops_and_stop_at_ends():
    made = database()
    loop = next(s for s in made.stretches if s.looping)
    assert made.row(loop.end - 0.5) == (loop.row + loop.count - 1, loop.row, 0.5)
    once = next(s for s in made.stretches if not s.looping)
    assert made.row(float(once.end - 1))[:2] == (once.row + once.count - 1, once.row + once.count - 1)
