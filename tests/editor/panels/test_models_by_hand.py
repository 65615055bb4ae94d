"""Models of small panels, case by case with their words: bodies, simulating, the shot, history, the pose helper."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import MirrorSetup
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from editor.model.posing.blend import Goal
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.simulating import Simulating
from editor.model.shot.state import Shot
from editor.panels.bodies.view_model import BodiesModel
from editor.panels.history.view_model import HistoryList, megabytes
from editor.panels.pose.view_model import PoseHelper
from editor.panels.shot.view_model import ASPECTS, ShotModel
from editor.panels.simulate.view_model import SimulateModel
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    yield made
    made.close()


# ------------------------------------------------------------ bodies
def test_bodies_pass_through_those_of_either_side_of_a_pair(session) -> None:
    plan = propose_bodies(session.rig)
    plan = replace(plan, ignored=(("hand_l", "head"), ("pelvis", "hand_l"), ("hand_r", "head")))
    session.edits.put("bodies", replace(session.rig, body_plan=plan))
    session.feature(Bodies).watch(True)
    model = BodiesModel(session)
    for bone, others in {
        "hand_l": ["head", "pelvis"], "head": ["hand_l", "hand_r"], "pelvis": ["hand_l"], "hand_r": ["head"],
        "calf_l": [],
    }.items():  # fmt: skip
        session.selection.select([bone])
        assert sorted(model.passes_through()) == sorted(others), bone
        assert model.may_collide() == tuple(b for b in plan.bones if b != bone)
        assert [row.bone for row in model.rows() if row.active] == [bone]
        assert model.is_root(model.active) == (bone == plan.bodies[0].bone)
        assert len(model.axes()) == (0 if bone == plan.bodies[0].bone else len(model.active.axes))


def test_an_angle_is_inside_its_range_with_a_twentieth_of_a_degree(session) -> None:
    plan = propose_bodies(session.rig)
    session.selection.select(["lower_arm_l"])
    for low, high, inside in (
        (0.04, 50.0, True), (0.06, 50.0, False), (-50.0, -0.04, True), (-50.0, -0.06, False), (-1.0, 1.0, True),
    ):  # fmt: skip
        bodies = tuple(
            replace(body, axes=tuple(replace(axis, minimum=low, maximum=high) for axis in body.axes))
            if body.bone == "lower_arm_l" else body
            for body in plan.bodies
        )  # fmt: skip
        session.edits.put("bodies", replace(session.rig, body_plan=replace(plan, bodies=bodies)))
        session.feature(Bodies).watch(True)
        session.edits.put("still", replace(session.clip, tracks={}))
        rows = BodiesModel(session).axes()
        assert [(row.axis, row.minimum, row.maximum) for row in rows] == [
            (n, low, high) for n in range(len(rows))
        ]
        assert all(abs(row.angle) < 1e-6 and row.inside == inside for row in rows) and rows


# ------------------------------------------------------------ simulating
def test_what_is_simulated_is_told_in_words(session) -> None:
    model, simulating = SimulateModel(session), session.feature(Simulating)
    assert model.has_clip and model.chosen() == "Select bones in the view or the bone tree"
    assert model.counts() == "" and model.outcome() == ""
    for bones in (["hand_l"], ["hand_l", "hand_r", "head"], ["hand_l", "hand_r", "head", "foot_l"]):
        session.selection.select(bones)
        names = [session.bone_label(bone) for bone in simulating.chosen]
        some = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        assert model.chosen() == (f"{some} and all below" if simulating.options.below else some)
        count = model.counts()
        assert (
            count.endswith("as proposed: the character has no body plan yet") or "of them proposed" in count
        )
        assert model.counts() is count
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.selection.select(["hand_l"])
    assert model.counts() == "1 body"
    session.playback.set_clip(None, session.rig.id)
    assert not model.has_clip
    model.simulating = SimpleNamespace(outcome=SimpleNamespace(
        largest=lambda: (12.34, "hand_l"), bones=1, simulated=SimpleNamespace(times=np.zeros(31))))  # fmt: skip
    label = session.bone_label("hand_l")
    assert model.outcome() == f"1 bone over 31 frames; largest change 12.3° ({label})"


# ------------------------------------------------------------ the shot
def at(x: float, y: float, z: float) -> Transform:
    return Transform(np.array([x, y, z]), quat.IDENTITY, np.ones(3))


@pytest.fixture
def shot(session):
    state = session.feature(Shot)
    state.add(
        ShotCamera(AssetId("camera-a"), "one", at(1.0, 2.0, 3.0), 50.0),
        ShotCamera(AssetId("camera-b"), "flat", at(0.0, 1.0, 3.0), height=1.5),
        ShotCharacter(AssetId("character-a"), "twin", "", session.rig.id, session.clip.id, offset=0.5,
                      place=at(0.5, 0.0, 0.0)),
        ShotCharacter(AssetId("character-b"), "still", "", session.rig.id, None, visible=False),
    )  # fmt: skip
    return ShotModel(session)


def pick(model: ShotModel, name: str) -> None:
    model.shot.select(AssetId(name))


def test_rows_of_the_shot_tell_what_each_is(session, shot) -> None:
    assert [(r.icon, r.name, r.info, r.visible, r.problem) for r in shot.rows()] == [
        ("camera", "one", "50 mm", None, ""), ("camera", "flat", "parallel", None, ""),
        ("pose", "twin", session.clip.name, True, ""), ("pose", "still", "", False, ""),
    ]  # fmt: skip
    shot.toggle_visible(AssetId("character-a"))
    assert session.history.undo_label == "Hide twin" and shot.rows()[2].visible is False
    assert shot.rows()[2].info == ""
    shot.toggle_visible(AssetId("character-b"))
    assert session.history.undo_label == "Show still" and shot.rows()[3].visible
    steps = session.history.position
    for nothing in ("camera-a", "gone"):
        shot.toggle_visible(AssetId(nothing))
    assert session.history.position == steps


def test_a_place_is_set_by_one_number_at_a_time(session, shot) -> None:
    shot.shot.select(None)
    assert shot.place() is None and shot.selected is None
    shot.set_place("position", 0, 9.0)
    pick(shot, "camera-a")
    assert shot.place() == (pytest.approx((1.0, 2.0, 3.0)), pytest.approx((0.0, 0.0, 0.0), abs=1e-9))
    for axis, value in enumerate((4.0, 5.0, -6.0)):
        shot.set_place("position", axis, value)
    for axis, value in enumerate((10.0, -20.0, 30.0)):
        shot.set_place("rotation", axis, value)
    position, angles = shot.place()
    assert position == pytest.approx((4.0, 5.0, -6.0)) and angles == pytest.approx((10.0, -20.0, 30.0))
    assert session.history.undo_label == "Move one"
    shot.set_place("position", 1, 1.0)
    assert shot.place()[1] == pytest.approx((10.0, -20.0, 30.0))


def test_the_lens_is_told_by_its_field_of_view(session, shot) -> None:
    pick(shot, "character-a")
    assert shot.lens() is None and shot.fov() is None and shot.aspect() == "" and shot.lens_keyed() == "none"
    shot.set_fov(40.0)
    pick(shot, "camera-a")
    assert shot.lens() == pytest.approx(50.0) and shot.lens_keyed() == "none"
    width = shot.selected.sensor[0]
    assert shot.fov() == pytest.approx(np.degrees(2.0 * np.arctan(width / 2.0 / 50.0)))
    shot.set_fov(60.0)
    assert shot.fov() == pytest.approx(60.0) and shot.lens() == pytest.approx(
        width / 2.0 / np.tan(np.radians(30.0))
    )


def test_shapes_of_pictures_keep_their_height(session, shot) -> None:
    pick(shot, "camera-a")
    height = shot.selected.sensor[1]
    for name, value in ASPECTS:
        shot.set_aspect(name)
        assert shot.selected.sensor == pytest.approx((height * value, height)) and shot.aspect() == name
    steps = session.history.position
    shot.set_aspect("7:5")
    assert session.history.position == steps and session.history.undo_label == "Aspect ratio of one"
    shot.shot.change("odd", lambda one: replace(one, sensor=(height * 1.234, height)))
    assert shot.aspect() == "1.23:1"
    for off, name in ((0.004, "3:2"), (-0.004, "3:2"), (0.006, "1.51:1")):
        shot.shot.change("odd", lambda one, off=off: replace(one, sensor=(height * (1.5 + off), height)))
        assert shot.aspect() == name


def test_characters_play_a_clip_from_a_frame_on(session, shot) -> None:
    pick(shot, "camera-a")
    assert shot.clip_names() == () and shot.clip_name() == "" and shot.offset() == 0.0 and shot.holds() == ()
    pick(shot, "character-a")
    name = session.clip.name
    assert shot.clip_names() == (name,) and shot.clip_name() == name and shot.offset() == pytest.approx(15.0)
    shot.set_offset(7.5)
    assert shot.selected.offset == pytest.approx(0.25) and session.history.undo_label == "Clip start of twin"
    shot.set_clip("")
    assert (
        shot.selected.clip is None and shot.clip_name() == "" and session.history.undo_label == "Clip of twin"
    )
    shot.set_clip(name)
    assert shot.selected.clip == session.clip.id
    shot.set_ghosted(True)
    assert shot.selected.ghosted and session.history.undo_label == "See-through of twin"
    shot.set_ghosted(False)
    assert not shot.selected.ghosted
    assert shot.own_characters() == ()
    session.edits.put("other", replace(session.rig, id=AssetId("rig-other"), name="other"))
    assert shot.own_characters() == ((AssetId("rig-other"), "other"),)
    shot.add_own(AssetId("rig-other"))
    added = shot.shot.characters[-1]
    assert (added.name, added.rig, added.clip, added.file) == ("other", "rig-other", None, "")
    shot.add_own(session.rig.id)
    assert shot.shot.characters[-1].clip == session.clip.id


# ------------------------------------------------------------ history
@pytest.mark.parametrize(("size", "words"), [(0, "0 MB"), (1, "0.0 MB"), (2**20, "1.0 MB"),
    (10 * 2**20 - 60000, "9.9 MB"),
    (10 * 2**20, "10 MB"), (int(10.6 * 2**20), "11 MB"), (2**30, "1024 MB")])  # fmt: skip
def test_memory_as_people_say_it(size, words) -> None:
    assert megabytes(size) == words


def test_steps_and_what_they_hold() -> None:
    def listed(**changes):
        history = SimpleNamespace(**{"dropped": 0, "labels": ("a", "b"), "position": 1, "memory": 2**20,
                                     "max_bytes": 4 * 2**20, **changes})  # fmt: skip
        return SimpleNamespace(history=history, document=SimpleNamespace(path=changes.get("path")))

    for changes, first in (({}, "Start"), ({"path": "x"}, "Opened"), ({"dropped": 1}, "1 older step was discarded"),
                           ({"dropped": 3, "path": "x"}, "3 older steps were discarded")):  # fmt: skip
        steps = HistoryList(listed(**changes)).steps()
        assert (steps.labels, steps.position) == ((first, "a", "b"), 1)
    for changes, text, share in (
        ({}, "2 steps · 1.0 MB / 4.0 MB", 0.25), ({"labels": ("a",)}, "1 step · 1.0 MB / 4.0 MB", 0.25),
        ({"memory": 9 * 2**20}, "2 steps · 9.0 MB / 4.0 MB", 1.0),
        ({"max_bytes": 0, "memory": 0}, "2 steps · 0 MB / 0 MB", 0.0),
    ):  # fmt: skip
        memory = HistoryList(listed(**changes)).memory()
        assert (memory.text, memory.share) == (text, share)
        used, limit = text.split(" · ")[1].split(" / ")
        assert memory.tip.startswith(f"Undo uses {used} of {limit}.")


# ------------------------------------------------------------ the pose helper
def test_what_the_pose_helper_works_on(session) -> None:
    helper = PoseHelper(session)
    shown = helper.shown()
    assert shown.target == "All 16 bones" and shown.rig and shown.has_clip and not shown.can_paste
    session.selection.select(["head"])
    assert helper.shown().target == "head"
    session.selection.select(["head", "spine"])
    assert helper.shown().target == "2 selected bones"
    assert shown.mirror_hint == "6 pairs, 4 on the X plane"
    for mirror, words in (
        (MirrorSetup(), "Not set up: this rig has no mirror pairs yet"),
        (MirrorSetup(axis_bones=("pelvis",)), "0 pairs, 1 on the X plane, 15 on neither"),
        (
            replace(session.rig.mirror, pairs=session.rig.mirror.pairs[:1], axis=2),
            "1 pair, 4 on the Z plane, 10 on neither",
        ),
    ):
        session.edits.put("mirror", replace(session.rig, mirror=mirror))
        assert helper.shown().mirror_hint == words
    session.edits.put(
        "sets", replace(session.rig, bone_sets={"arm": ("hand_l", "lower_arm_l"), "x": ("head",)})
    )
    assert helper.shown().sets == (("arm", 2), ("x", 1))


def test_what_hinders_each_goal_and_where_the_handle_rests(session) -> None:
    helper = PoseHelper(session)
    session.selection.select(["upper_arm_l"])
    keys = sorted(
        {float(t) for c, k in session.clip.tracks.items() if c.bone == "upper_arm_l" for t in k.times}
    )
    first, second, last = keys[0], keys[1], keys[-1]
    sides = {
        Goal.PREVIOUS: "no key on that side",
        Goal.NEXT: "no key on that side",
        Goal.BREAKDOWN: "needs keys on both sides",
    }
    for time, before, after in (
        (first, False, True), (last, True, False), (0.25 * first + 0.75 * second, True, True), (second, True, True),
    ):  # fmt: skip
        session.playback.seek(time)
        for goal, words in sides.items():
            helper.goal = goal
            fine = {Goal.PREVIOUS: before, Goal.NEXT: after, Goal.BREAKDOWN: before and after}[goal]
            assert helper.shown().goal_hint == ("" if fine else words), (time, goal)
    helper.goal = Goal.BREAKDOWN
    session.playback.seek(0.25 * first + 0.75 * second)
    assert helper.shown().rest_share == pytest.approx(0.75)
    session.playback.seek(first)
    assert helper.rest_share() == 0.5
    helper.goal = Goal.REST
    assert helper.rest_share() == 0.0 and helper.shown().goal_hint == ""
    helper.goal = Goal.COPIED
    assert helper.shown().goal_hint == "copy a pose first"
    helper.goal = Goal.LIBRARY
    assert helper.shown().goal_hint == "select a pose in the library"
    session.document.replace(type(session.document.project)({}), None)
    assert (
        helper.shown().goal_hint == "open or import a character first"
        and helper.shown().target == "No character"
    )
    assert helper.rest_share() == 0.0 and helper.shown().mirror_hint == ""
