"""What a pull keys: whole rotations of all bones that it decides, so that later keys leave the pose where it is."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.ik.body import PinKind
from editor.model.ik.edits import add
from editor.model.ik.state import IkState
from tests.editor.panels.viewport.test_viewport_direct_drags import Scene
from tests.editor.user import CTRL

ARM = ("upper_arm_l", "lower_arm_l", "hand_l")
FRAMES = (8, 15, 22)


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def at(scene: Scene, frame: float) -> None:
    scene.session.playback.seek(frame / 30)
    scene.user.settle()


def pulled(scene: Scene, bone: str, step: tuple[float, float], **more) -> None:
    start = scene.on(bone)
    with scene.user.holding("V"):
        scene.user.drag(scene.view, start, (start[0] + step[0], start[1] + step[1]), **more)


def keyed_at(scene: Scene, bone: str, part: Property, frame: float) -> list[bool]:
    clip = scene.session.clip
    tracks = [clip.scalar(Channel(bone, part, axis)) for axis in range(3)]
    return [t is not None and bool(np.isclose(t.times, frame / 30).any()) for t in tracks]


def test_pulls_at_later_frames_leave_the_hand_where_earlier_pulls_put_it(scene, qapp):
    """Each pull is at another frame of the same hand; only the keys at that frame may move it there."""
    places = {}
    for frame, step in zip(FRAMES, ((-40, -40), (30, 10), (-20, 45)), strict=True):
        at(scene, frame)
        pulled(scene, "hand_l", step)
        places[frame] = scene.place("hand_l", frame)
        for bone in ARM:
            assert keyed_at(scene, bone, Property.ROTATE, frame) == [True] * 3
            assert keyed_at(scene, bone, Property.TRANSLATE, frame) == [False] * 3
        for earlier, place in places.items():
            assert np.linalg.norm(scene.place("hand_l", earlier) - place) < 1e-9, (frame, earlier)


def test_a_pull_of_the_body_keys_the_place_of_the_hips_and_the_limbs_that_hold(scene):
    places = {}
    for frame, step, modifiers in ((8, (0, 30), CTRL), (22, (20, -10), CTRL)):
        at(scene, frame)
        pulled(scene, "hand_l", step, modifiers=modifiers)
        places[frame] = {b: scene.place(b, frame) for b in ("pelvis", "hand_l", "foot_l", "foot_r")}
        assert keyed_at(scene, "pelvis", Property.TRANSLATE, frame) == [True] * 3
        for bone in ("calf_l", "foot_r", "spine", *ARM):
            assert keyed_at(scene, bone, Property.ROTATE, frame) == [True] * 3
    for frame, known in places.items():
        for bone, place in known.items():
            assert np.linalg.norm(scene.place(bone, frame) - place) < 1e-9, (frame, bone)


def test_limbs_that_pins_hold_in_a_drag_are_keyed_whole_too(scene):
    session = scene.session
    session.feature(IkState).toggle_pin(("foot_l",), PinKind.BOTH)
    at(scene, 8)
    pulled(scene, "pelvis", (0, 12))
    for bone in ("thigh_l", "calf_l", "foot_l"):
        assert keyed_at(scene, bone, Property.ROTATE, 8) == [True] * 3


@pytest.mark.parametrize("mirror", [False, True])
def test_a_drag_of_a_goal_keys_its_chain_and_is_mirrored_live(scene, mirror):
    session = scene.session
    session.selection.select(("hand_l",))
    add(session)
    if mirror:
        session.switches.toggle("live_mirror")
    first, other = session.clip, scene.place("hand_r", 8)
    at(scene, 8)
    x, y = scene.pixel(scene.place("hand_l", 8))
    scene.user.press_mouse(scene.view, (x, y))
    for step in range(1, 6):
        scene.user.move_held((x - 8 * step, y - 8 * step))
    shown = session.evaluator.pose().rotations[session.rig.skeleton.index("upper_arm_r")]
    scene.user.release_mouse((x - 40, y - 40))
    arm = [keyed_at(scene, bone, Property.ROTATE, 8) for bone in ARM]
    right = [keyed_at(scene, bone[:-1] + "r", Property.ROTATE, 8) for bone in ARM]
    assert arm == [[True] * 3] * 3 and right == [[mirror] * 3] * 3
    left, now = scene.place("hand_l", 8), scene.place("hand_r", 8)
    assert np.allclose(left * (-1, 1, 1), now, atol=1e-4) is mirror
    if mirror:
        kept = session.evaluator.sampled_pose(8 / 30).rotations[session.rig.skeleton.index("upper_arm_r")]
        assert np.allclose(np.abs(shown @ kept), 1.0, atol=1e-6)  # seen during the drag already
    else:
        assert np.array_equal(now, other)
    session.undo()
    assert session.clip is first


def test_a_trail_keys_its_limb_whole_by_one_dot_and_by_its_path(scene):
    session = scene.session
    first = session.clip
    session.selection.select(("hand_l",))
    session.switches.set("trails", True)
    scene.user.settle()
    for modifiers in (None, CTRL):
        more = {} if modifiers is None else {"modifiers": modifiers}
        x, y = scene.pixel(scene.place("hand_l", 15))
        scene.user.drag(scene.view, (x, y), (x - 20, y - 30), **more)
        for bone in ARM:
            assert keyed_at(scene, bone, Property.ROTATE, 15) == [True] * 3, modifiers
        session.undo()
        assert session.clip is first
