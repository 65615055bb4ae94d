"""Which bone V and a drag take: the one in front, a hand before its fingers; and how far its wrist bends."""

import numpy as np
import pytest

from core.ik.body import Reach
from core.math import quat
from core.rig.roles import Role
from editor.gl.camera import View
from editor.model.ik import edits
from editor.model.ik.state import IkState
from editor.panels.viewport.pulling import CLEARLY, pulled_at
from tests.core.ik.test_hands import FINGERS
from tests.editor import rigs
from tests.editor.panels.viewport.test_viewport_direct_drags import Scene


@pytest.fixture
def scene(qapp, monkeypatch):
    monkeypatch.setattr(rigs, "BONES", (*rigs.BONES, *FINGERS))
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def drag(scene: Scene, start, step=(-40, -30)) -> tuple[str, ...]:
    """Pull from a pixel; the bones that are selected then, undone."""
    first, steps = scene.session.clip, scene.session.history.position
    with scene.user.holding("V"):
        scene.user.drag(scene.view, start, (start[0] + step[0], start[1] + step[1]))
    taken = scene.session.selection.bones
    assert scene.session.history.position == steps + 1
    scene.session.undo()
    assert scene.session.clip is first
    return taken


def test_a_finger_pulls_its_hand_unless_it_is_selected_or_large_in_the_view(scene):
    start = scene.on("index_02_l")
    with scene.user.holding("V"):
        scene.user.move(scene.view, start)
        assert scene.session.selection.hover == "hand_l"  # what would be taken glows
    assert scene.session.selection.hover == "index_02_l"
    assert drag(scene, start) == ("hand_l",)
    scene.user.click(scene.view, start)
    assert scene.session.selection.bones == ("index_02_l",)
    assert drag(scene, start, (-4, -8)) == ("index_02_l",)
    scene.session.selection.select(())
    assert drag(scene, scene.on("toe_l"), (0, -30)) == ("foot_l",)
    scene.session.selection.select(("hand_l",))
    scene.user.move(scene.view, start)
    scene.user.press("F")
    for _ in range(200):
        scene.user.settle()
        hand, tip = scene.pixel(scene.place("hand_l")), scene.pixel(scene.place("index_02_l"))
        if np.hypot(hand[0] - tip[0], hand[1] - tip[1]) > CLEARLY:
            break
        scene.model.controller.dolly(0.9)
    assert drag(scene, scene.on("index_02_l"), (-6, -9)) == ("index_02_l",)


@pytest.mark.parametrize("bone", ["spine", "thigh_l"])
def test_the_waist_and_a_thigh_take_the_hips_and_stay_on_them(scene, bone):
    session, start = scene.session, scene.on(bone)
    skeleton, time = session.rig.skeleton, session.playback.time
    number, hips = skeleton.index(bone), skeleton.index("pelvis")
    before = session.evaluator.sampled_pose(time).local.translation
    with scene.user.holding("V"):
        scene.user.drag(scene.view, start, (start[0] + 20, start[1] + 30))
    after = session.evaluator.sampled_pose(time).local.translation
    assert session.selection.bones == ("pelvis",)
    assert np.linalg.norm(after[hips] - before[hips]) > 0.01
    assert np.abs(after[number] - before[number]).max() < 1e-9


def test_in_an_orthographic_view_what_the_arm_hides_is_not_taken(scene):
    """The hand is in front of the thigh, whose bone lies under much of the arm's skin."""
    session, names = scene.session, scene.session.rig.skeleton.names
    base = session.evaluator.pose()
    pose = edits.pull(session, base, "hand_l", np.array([0.1, 0.72, 0.3]), Reach.CHAIN)
    edits.commit_pose(session, "front of the thigh", base, pose)
    scene.model.controller.look_from(View.FRONT)
    for _ in range(60):
        scene.user.settle()
    assert scene.model.camera.orthographic
    x, y = scene.pixel(scene.place("hand_l"))
    spots = [(x + dx, y + dy) for dx in range(-24, 25, 4) for dy in range(-60, 13, 6)]
    arm, through = {"upper_arm_l", "lower_arm_l", "hand_l"}, 0
    for spot in spots:
        skin = scene.model.scene.skin_at(spot)
        if skin is None or names[skin[0]] not in arm:
            continue
        assert pulled_at(scene.model, spot) in arm, spot
        through += scene.model.bones_at(spot)[0] not in arm
    assert through  # a click there selects by the shapes of bones, as ever


def test_the_wrist_stays_comfortable_unless_hands_are_to_keep_their_rotation(scene):
    session, rig = scene.session, scene.session.rig
    hand, arm = rig.skeleton.index("hand_l"), rig.skeleton.index("lower_arm_l")
    assert session.feature(IkState).roles().of("hand_l") == (Role.HAND, 1)
    bends = {}
    for keeps in (False, True):
        if keeps:
            assert scene.stage.actions.run("ik.keep_hands")
        start = scene.on("hand_l")
        with scene.user.holding("V"):
            scene.user.drag(scene.view, start, (start[0] - 60, start[1] - 150))
        pose = session.evaluator.sampled_pose(1.0)
        bends[keeps] = float(np.degrees(quat.angle_between(pose.rotations[hand], quat.IDENTITY)))
        assert rig.skeleton.parent(hand) == arm
        session.undo()
    assert bends[True] > 60.0 and bends[False] < bends[True] - 10.0
