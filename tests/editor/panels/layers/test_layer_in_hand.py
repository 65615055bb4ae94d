"""A person keys layers: empty ones made by key and by mouse, posed, undone, masked, left; what is shown stays exact."""

import numpy as np
import pytest

from core.arrays import same_value
from core.blending.layer_stack import LayerMode, LayerStack
from core.clips.clip import Channel, Clip, Property
from core.pose.pose import Pose
from editor.model.blending.state import Blending
from editor.model.posing import verbs
from tests.editor.panels.layers.test_layers_panel import add, project, stack, turned
from tests.editor.stage import stage

WALK = "clip-walk"


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "clips", "bone_tree", "layers", "timeline", project=project) as made:
        made.window.layouts.use("blend")
        made.window.show_panel("layers")
        made.window.show_panel("timeline")
        yield made


def fresh(here) -> None:
    """The document as it is opened, auto key on: one window serves several jobs."""
    here.session.keying.drop_pending()
    here.session.document.replace(project(), None)
    here.session.playback.set_clip(WALK)
    here.session.keying.auto = True
    here.frame(0)
    here.user.settle()


def bent(here, bone: str, degrees: float) -> Pose:
    """The pose shown with a bone turned to an angle about Z."""
    session = here.session
    half = np.radians(degrees) / 2.0
    at = session.rig.skeleton.index(bone)
    return session.evaluator.pose().with_bone(at, rotation=np.array([0.0, 0.0, np.sin(half), np.cos(half)]))


def pose_bone(here, bone: str, degrees: float) -> bool:
    """What a tool does at the end of a gesture."""
    return bool(here.session.keying.commit_pose("Rotate", bent(here, bone, degrees), [bone]))


def additive_layer_by_key_receives_the_keys_of_tools_and_leaves_by_key(here):
    user, session = here.user, here.session
    walk = session.document.project.get(Clip, WALK)
    user.press("Ctrl+Alt+A")
    assert stack(here).layers[0].mode is LayerMode.ADDITIVE and stack(here).layers[0].own
    assert session.playback.below == WALK and session.clip.id == stack(here).layers[0].clip
    assert (
        user.visible("layerPlate")
        and user.visible("layerStrip")
        and "additive" in user.find("layerPlateText").text()
    )
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)
    before = session.document.project
    assert pose_bone(here, "upper_arm_l", 35.0)
    assert turned(here, "upper_arm_l") == pytest.approx(35.0, abs=1e-5)
    assert session.document.project.get(Clip, WALK) is walk
    track = session.clip.tracks[Channel("upper_arm_l", Property.ROTATE, 2)]
    assert track.values == pytest.approx([25.0], abs=1e-5)
    user.press("Ctrl+Z")
    assert same_value(dict(session.document.project.assets), dict(before.assets))
    assert session.playback.below == WALK, "undo comes back to the layer in hand"
    user.press("Ctrl+Shift+Z")
    assert turned(here, "upper_arm_l") == pytest.approx(35.0, abs=1e-5)
    user.press("Alt+Home")
    assert session.playback.below is None and session.clip.name == "walk" and not user.visible("layerPlate")
    assert turned(here, "upper_arm_l") == pytest.approx(35.0, abs=1e-5)


def override_layer_by_mouse_keys_only_what_is_posed(here):
    user, session = here.user, here.session
    add(here, "Empty override layer")
    layer = stack(here).layers[0]
    assert layer.keyed and turned(here, "upper_arm_l") == pytest.approx(10.0)
    here.frame(10)
    assert pose_bone(here, "spine", 15.0)
    assert turned(here, "spine") == pytest.approx(15.0, abs=1e-5)
    assert turned(here, "upper_arm_l") == pytest.approx(10.0), "what has no keys shows through"
    assert {channel.bone for channel in session.clip.tracks} == {"spine"}
    user.click("hand.clip")
    assert session.playback.below is None
    user.click(f"hand.{layer.name}")
    assert session.playback.below == WALK
    user.click("layerStripLeave")
    assert session.playback.below is None


def gizmo_drag_lands_on_the_layer_and_s_keys_it(here):
    user, session = here.user, here.session
    user.press("Ctrl+Alt+O")
    user.click_row("bones", "upper_arm_l")
    user.settle()
    user.press("S")
    assert {c.bone for c in session.clip.tracks} == {"upper_arm_l"} and len(session.clip.tracks) == 9
    assert turned(here, "upper_arm_l") == pytest.approx(10.0, abs=1e-6)
    keys = sum(len(track) for track in session.document.project.get(Clip, WALK).tracks.values())
    here.frame(15)
    assert pose_bone(here, "upper_arm_l", -20.0)
    here.frame(15)
    assert turned(here, "upper_arm_l") == pytest.approx(-20.0, abs=1e-5)
    assert sum(len(t) for t in session.document.project.get(Clip, WALK).tracks.values()) == keys
    here.frame(0)
    assert turned(here, "upper_arm_l") == pytest.approx(10.0, abs=1e-5)


def three_layers_are_stepped_through_by_key(here):
    user, session = here.user, here.session
    for key in ("Ctrl+Alt+A", "Ctrl+Alt+O", "Ctrl+Alt+A"):
        user.press(key)
    hand = session.feature(Blending).hand
    assert hand.number == 2
    seen = []
    for _ in range(4):
        user.press("Alt+PgDown")
        seen.append(hand.number)
    assert seen == [1, 0, None, None]
    user.press("Alt+PgUp")
    assert hand.number == 0
    assert pose_bone(here, "upper_arm_l", 50.0)
    assert turned(here, "upper_arm_l") == pytest.approx(50.0, abs=1e-5)


def mute_solo_and_weight_by_key_change_no_keys(here):
    user, session = here.user, here.session
    user.press("Ctrl+Alt+A")
    pose_bone(here, "upper_arm_l", 40.0)
    held = session.clip
    user.press("Ctrl+Alt+H")
    assert turned(here, "upper_arm_l") == pytest.approx(10.0) and session.clip is held
    assert not pose_bone(here, "upper_arm_l", 60.0) and "unmute" in session.messages.latest.text
    assert "unmute" in user.find("layerStripText").text()
    user.press("Ctrl+Alt+H")
    user.press("Ctrl+Alt+O")
    pose_bone(here, "upper_arm_l", 80.0)
    user.press("Alt+PgDown")
    user.press("Ctrl+Alt+S")
    assert turned(here, "upper_arm_l") == pytest.approx(40.0, abs=1e-5) and session.clip is held
    user.press("Ctrl+Alt+S")
    assert turned(here, "upper_arm_l") == pytest.approx(80.0, abs=1e-5)
    user.press("Alt+PgUp")
    user.press("Ctrl+Alt+W")
    layer = stack(here).layers[1]
    assert layer.curve is not None and layer.curve.values == pytest.approx([1.0])


def mask_by_key_is_kept_by_keying(here):
    user, session = here.user, here.session
    user.press("Ctrl+Alt+A")
    user.click_row("bones", "spine")
    user.press("Ctrl+Alt+B")
    assert session.rig.masks[stack(here).layers[0].mask] == {"spine": 1.0}
    assert not pose_bone(here, "upper_arm_l", 60.0)
    assert "does not reach" in session.messages.latest.text
    assert pose_bone(here, "spine", 12.0) and turned(here, "spine") == pytest.approx(12.0, abs=1e-5)


def neutral_key_by_key_and_by_mouse_keeps_earlier_frames(here):
    user, session = here.user, here.session
    user.press("Ctrl+Alt+A")
    here.frame(20)
    pose_bone(here, "upper_arm_l", 40.0)
    here.frame(0)
    assert turned(here, "upper_arm_l") == pytest.approx(40.0, abs=1e-5), "a lone key holds everywhere"
    user.press("Ctrl+Alt+Z")
    assert turned(here, "upper_arm_l") == pytest.approx(10.0, abs=1e-6)
    here.frame(30)
    user.click("layerStripNeutral")
    assert turned(here, "upper_arm_l") == pytest.approx(10.0, abs=1e-6)
    here.frame(20)
    assert turned(here, "upper_arm_l") == pytest.approx(40.0, abs=1e-5)
    assert [label.split(" @")[0] for label in session.history.labels[-2:]] == ["Key neutral upper_arm_l"] * 2


def pasted_and_mirrored_poses_land_on_the_layer(here):
    """A pose copied from the clip is shown as it was, whatever the layers below do; blend and mirror likewise."""
    user, session = here.user, here.session
    walk = session.document.project.get(Clip, WALK)
    pose_bone(here, "spine", 25.0)
    verbs.copy_pose(session)
    user.press("Ctrl+Z")
    user.press("Ctrl+Alt+A")
    here.frame(12)
    verbs.paste_pose(session)
    assert turned(here, "spine") == pytest.approx(25.0, abs=1e-4)
    assert session.document.project.get(Clip, WALK) is walk
    assert {c.bone for c in session.clip.tracks} == {"spine"}
    user.press("Ctrl+Z")
    user.press("Ctrl+Alt+O")
    pose_bone(here, "upper_arm_l", 50.0)
    session.selection.select(["upper_arm_l", "upper_arm_r"])
    was = turned(here, "upper_arm_l")
    verbs.mirror(session)
    assert {c.bone for c in session.clip.tracks} == {"upper_arm_l", "upper_arm_r"}
    assert turned(here, "upper_arm_r") == pytest.approx(-was, abs=1e-3)
    verbs.mirror(session)
    assert turned(here, "upper_arm_l") == pytest.approx(was, abs=1e-3)
    assert session.document.project.get(Clip, WALK) is walk


def pending_pose_on_a_layer_is_keyed_by_s(here):
    user, session = here.user, here.session
    user.press("Ctrl+Alt+O")
    session.keying.auto = False
    assert pose_bone(here, "upper_arm_l", 33.0) and session.pending.bones
    assert turned(here, "upper_arm_l") == pytest.approx(33.0, abs=1e-5)
    user.press("S")
    assert not session.pending.bones and turned(here, "upper_arm_l") == pytest.approx(33.0, abs=1e-5)
    assert session.clip.tracks


def layer_in_hand_goes_with_undo_of_its_making(here):
    user, session = here.user, here.session
    user.press("Ctrl+Alt+A")
    user.press("Ctrl+Z")
    assert session.playback.below is None and session.clip.name == "walk"
    assert not session.document.project.all(LayerStack)
    user.press("Ctrl+Shift+Z")
    assert session.playback.below == WALK and user.visible("layerStrip")


@pytest.mark.parametrize(
    "jobs",
    [
        (
            additive_layer_by_key_receives_the_keys_of_tools_and_leaves_by_key,
            override_layer_by_mouse_keys_only_what_is_posed,
            gizmo_drag_lands_on_the_layer_and_s_keys_it,
            three_layers_are_stepped_through_by_key,
            mute_solo_and_weight_by_key_change_no_keys,
        ),
        (
            mask_by_key_is_kept_by_keying,
            neutral_key_by_key_and_by_mouse_keeps_earlier_frames,
            pasted_and_mirrored_poses_land_on_the_layer,
            pending_pose_on_a_layer_is_keyed_by_s,
            layer_in_hand_goes_with_undo_of_its_making,
        ),
    ],
    ids=["keying", "state"],
)
def test_layer_in_hand(here, jobs):
    for job in jobs:
        fresh(here)
        job(here)
