"""A person at the layers: clips put over the one shown, weights, masks painted, merging down."""

import numpy as np
import pytest

from core.arrays import same_value
from core.blending.layer_stack import LayerStack
from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.project.project import Project
from core.tracks.keys import scalar_track
from tests.editor.rigs import small_rig, tube_mesh
from tests.editor.stage import stage
from tests.editor.user import ALT, SHIFT


def held(name: str, bone: str, degrees: float) -> Clip:
    tracks = {Channel(bone, Property.ROTATE, 2): scalar_track([0.0, 1.0], [degrees, degrees])}
    return Clip(AssetId(f"clip-{name}"), name, small_rig().id, 1.0, tracks=tracks)


def project() -> Project:
    rig = small_rig()
    clips = (
        held("walk", "upper_arm_l", 10.0),
        held("wave", "upper_arm_l", 70.0),
        held("lean", "spine", 20.0),
    )
    assets = (rig, tube_mesh(rig), *clips)
    return Project({asset.id: asset for asset in assets})


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "clips", "bone_tree", "layers", project=project) as made:
        made.window.layouts.use("blend")
        made.window.show_panel("layers")
        made.user.settle()
        yield made


def turned(here, bone: str) -> float:
    q = here.session.evaluator.pose().rotations[here.session.rig.skeleton.index(bone)]
    return float(np.degrees(2.0 * np.arctan2(q[2], q[3])))


def stack(here) -> LayerStack | None:
    return here.session.blending.layers.stack


def add(here, entry: str) -> None:
    here.user.click("addLayer" if here.user.visible("addLayer") else "emptyButton")
    here.user.choose_in_popup(entry)


def test_layer_is_added_seen_and_undone(here):
    before = here.session.document.project
    picture = here.user.picture("viewport")
    add(here, "wave")
    assert [layer.name for layer in stack(here).layers] == ["wave"]
    assert turned(here, "upper_arm_l") == pytest.approx(70.0)
    assert (here.user.picture("viewport") != picture).any()
    here.user.press("Ctrl+Z")
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)
    assert same_value(dict(here.session.document.project.assets), dict(before.assets))


def test_weight_is_dragged_live_and_is_one_step(here):
    add(here, "wave")
    field = here.user.find("weight.wave")
    steps = len(here.session.history.labels)
    seen = []
    here.user.drag(
        field, (30, 10), (-30, 10), during=lambda: seen.append(turned(here, "upper_arm_l")), steps=10
    )
    assert 10.0 < seen[0] < 70.0
    assert len(here.session.history.labels) == steps + 1
    assert turned(here, "upper_arm_l") == pytest.approx(seen[0])
    assert turned(here, "upper_arm_l") == pytest.approx(10.0 + 60.0 * stack(here).layers[0].weight, abs=1e-6)


def test_mute_solo_and_mode_do_what_they_say(here):
    add(here, "wave")
    add(here, "lean")
    assert turned(here, "upper_arm_l") == pytest.approx(0.0, abs=1e-6)  # “lean” covers it at rest
    here.user.click("solo.wave")
    assert turned(here, "upper_arm_l") == pytest.approx(70.0) and turned(here, "spine") == pytest.approx(0.0)
    here.user.click("solo.wave")
    here.user.click("mute.lean")
    assert turned(here, "upper_arm_l") == pytest.approx(70.0)
    here.user.click("mute.lean")
    here.session.blending.layers.change(1, mode="additive")
    here.user.settle()
    assert turned(here, "spine") == pytest.approx(20.0) and turned(here, "upper_arm_l") == pytest.approx(70.0)


def test_keyed_weight_follows_time(here):
    add(here, "wave")
    here.user.type_into("weight.wave", "0")
    here.user.click("keyWeight.wave")
    here.frame(30)
    here.user.type_into("weight.wave", "1")
    here.frame(15)
    assert turned(here, "upper_arm_l") == pytest.approx(40.0)


def test_merge_down_keeps_what_is_seen_and_only_rekeys_what_changed(here):
    add(here, "lean")
    here.session.blending.layers.change(0, mode="additive")
    here.user.settle()
    seen = turned(here, "spine"), turned(here, "upper_arm_l")
    arm = here.session.clip.tracks[Channel("upper_arm_l", Property.ROTATE, 2)]
    here.user.click("layerMore.lean")
    here.user.choose_in_popup("Merge down")
    assert stack(here) is None
    assert (turned(here, "spine"), turned(here, "upper_arm_l")) == pytest.approx(seen, abs=1e-6)
    assert here.session.clip.tracks[Channel("upper_arm_l", Property.ROTATE, 2)] is arm
    here.user.press("Ctrl+Z")
    assert len(stack(here).layers) == 1


def test_mask_is_painted_on_the_bone_tree_by_strokes(here):
    add(here, "wave")
    mask = here.session.blending.layers.new_mask(0)
    here.session.blending.paint(mask)
    here.user.settle()
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)  # an empty mask reaches no bone
    here.user.type_into("maskBrush", "0.5")
    here.user.click_row("bones", "upper_arm_l", modifiers=SHIFT)
    masks = here.session.rig.masks[mask]
    assert set(masks) == {"upper_arm_l", "lower_arm_l", "hand_l"} and set(masks.values()) == {0.5}
    assert turned(here, "upper_arm_l") == pytest.approx(40.0)
    here.user.click_row("bones", "hand_l", modifiers=ALT)
    assert "hand_l" not in here.session.rig.masks[mask]
    here.user.click("maskDone")
    here.user.click_row("bones", "hand_l")
    assert here.session.selection.bones == ("hand_l",)
    assert here.session.history.labels[-1] == f"Paint mask {mask}"


def test_pose_keyed_under_layers_is_what_was_seen(here):
    """What is keyed is the pose below: with the layers over it, the bone stands where it was put."""
    add(here, "lean")
    here.session.blending.layers.change(0, mode="additive", weight=0.5)
    session = here.session
    spine = session.rig.skeleton.index("spine")
    q = np.array([0.0, 0.0, np.sin(np.radians(20.0)), np.cos(np.radians(20.0))])
    session.keying.commit_pose("Bend", session.evaluator.pose().with_bone(spine, rotation=q), ["spine"])
    assert turned(here, "spine") == pytest.approx(40.0, abs=1e-4)
    session.evaluator.layers.shown = False
    assert turned(here, "spine") == pytest.approx(30.0, abs=1e-4)


def test_pose_keyed_under_a_half_override_is_what_was_seen(here):
    add(here, "wave")
    here.session.blending.layers.change(0, weight=0.5)
    session = here.session
    arm = session.rig.skeleton.index("upper_arm_l")
    assert turned(here, "upper_arm_l") == pytest.approx(40.0, abs=1e-6)
    q = np.array([0.0, 0.0, np.sin(np.radians(25.0)), np.cos(np.radians(25.0))])
    pose = session.evaluator.pose().with_bone(arm, rotation=q)
    session.keying.commit_pose("Bend", pose, ["upper_arm_l"])
    assert turned(here, "upper_arm_l") == pytest.approx(50.0, abs=1e-3)


def test_empty_layer_comes_with_a_clip_of_its_own_and_goes_alone(here):
    add(here, "Empty additive layer")
    layer = stack(here).layers[0]
    made = here.session.document.project.get(Clip, layer.clip)
    assert made.additive is not None and not made.tracks
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)
    here.user.click(f"layerMore.{layer.name}")
    here.user.choose_in_popup("Remove layer")
    assert stack(here) is None and made.id in here.session.document.project.assets
