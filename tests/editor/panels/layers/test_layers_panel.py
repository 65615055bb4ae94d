"""A person at the layers: clips put over the one shown, weights, masks painted, merging down."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from core.arrays import same_value
from core.blending.layer_stack import LayerStack
from core.blending.layers import BranchFilter, CurveRule
from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.blending.state import Blending
from tests.editor.rigs import small_rig, tube_mesh
from tests.editor.stage import stage, with_view
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
def here(qapp, request):
    with stage(qapp, *with_view(request, "clips", "bone_tree", "layers"), project=project) as made:
        made.window.layouts.use("blend")
        made.window.show_panel("layers")
        made.user.settle()
        yield made


def turned(here, bone: str) -> float:
    q = here.session.evaluator.pose().rotations[here.session.rig.skeleton.index(bone)]
    return float(np.degrees(2.0 * np.arctan2(q[2], q[3])))


def stack(here) -> LayerStack | None:
    return here.session.feature(Blending).layers.stack


def add(here, entry: str) -> None:
    here.user.click("addLayer" if here.user.visible("addLayer") else "emptyButton")
    here.user.choose_in_popup(entry)


@pytest.mark.view
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


def test_escape_takes_the_drag_of_a_weight_back(here):
    add(here, "wave")
    field, steps = here.user.find("weight.wave"), len(here.session.history.labels)
    middle = field.height() / 2
    here.user.drag(field, (80, middle), (20, middle), release=False)
    assert 10.0 < turned(here, "upper_arm_l") < 70.0
    here.user.press("Esc")
    here.user.release_mouse((20, middle))
    assert turned(here, "upper_arm_l") == pytest.approx(70.0) and field.value == 1.0
    assert len(here.session.history.labels) == steps


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
    here.session.feature(Blending).layers.change(1, mode="additive")
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


@pytest.mark.view
def test_merge_down_keeps_what_is_seen_and_only_rekeys_what_changed(here):
    add(here, "lean")
    here.session.feature(Blending).layers.change(0, mode="additive")
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


def test_keyed_weight_is_shown_as_it_is_at_the_playhead(here):
    add(here, "wave")
    here.frame(0)
    here.user.click("keyWeight.wave")
    here.frame(30)
    here.user.type_into("weight.wave", "0.2")
    shown = []
    for number in (0, 15, 30):
        here.frame(number)
        shown.append(here.user.find("weight.wave").value)
    assert shown == pytest.approx([1.0, 0.6, 0.2], abs=1e-6)


def row_picture(here, bone: str) -> np.ndarray:
    view = here.window.docks["bone_tree"].body.panel.view
    row = view.visualRect(here.user.row(view, bone))
    return here.user.picture(view.viewport())[row.top() : row.bottom()]


def test_mask_is_painted_on_the_bone_tree_by_strokes(here):
    add(here, "wave")
    plain = row_picture(here, "lower_arm_l")
    panel = here.window.docks["layers"].body.panel
    assert not panel.rows[0].brush.isEnabled() and not panel.painting.isVisible()
    mask = here.session.feature(Blending).layers.new_mask(0)
    here.session.feature(Blending).paint(mask)
    here.user.settle()
    assert panel.rows[0].brush.isEnabled() and panel.painting.isVisible()
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)  # an empty mask reaches no bone
    here.user.type_into("maskBrush", "0.5")
    here.user.click_row("bones", "upper_arm_l", modifiers=SHIFT)
    masks = here.session.rig.masks[mask]
    assert set(masks) == {"upper_arm_l", "lower_arm_l", "hand_l"} and set(masks.values()) == {0.5}
    weighted = row_picture(here, "lower_arm_l")
    assert not np.array_equal(weighted, plain), "the tree shows what is painted"
    assert turned(here, "upper_arm_l") == pytest.approx(40.0)
    here.user.click_row("bones", "hand_l", modifiers=ALT)
    assert "hand_l" not in here.session.rig.masks[mask]
    here.user.click("maskDone")
    assert np.array_equal(row_picture(here, "lower_arm_l"), plain)
    here.session.feature(Blending).paint(mask)
    here.user.settle()
    assert np.array_equal(row_picture(here, "lower_arm_l"), weighted), (
        "weights are there before the first stroke"
    )
    here.user.click("maskDone")
    assert panel.rows[0].brush.isEnabled() and not panel.painting.isVisible()
    here.user.click_row("bones", "hand_l")
    assert here.session.selection.bones == ("hand_l",)
    assert here.session.history.labels[-1] == f"Paint mask {mask}"


def test_pose_keyed_under_layers_is_what_was_seen(here):
    """What is keyed is the pose below: with the layers over it, the bone stands where it was put."""
    add(here, "lean")
    here.session.feature(Blending).layers.change(0, mode="additive", weight=0.5)
    session = here.session
    spine = session.rig.skeleton.index("spine")
    q = np.array([0.0, 0.0, np.sin(np.radians(20.0)), np.cos(np.radians(20.0))])
    session.keying.commit_pose("Bend", session.evaluator.pose().with_bone(spine, rotation=q), ["spine"])
    assert turned(here, "spine") == pytest.approx(40.0, abs=1e-4)
    session.evaluator.layers.shown = False
    assert turned(here, "spine") == pytest.approx(30.0, abs=1e-4)


def test_pose_keyed_under_a_half_override_is_what_was_seen(here):
    add(here, "wave")
    here.session.feature(Blending).layers.change(0, weight=0.5)
    session = here.session
    arm = session.rig.skeleton.index("upper_arm_l")
    assert turned(here, "upper_arm_l") == pytest.approx(40.0, abs=1e-6)
    q = np.array([0.0, 0.0, np.sin(np.radians(25.0)), np.cos(np.radians(25.0))])
    pose = session.evaluator.pose().with_bone(arm, rotation=q)
    session.keying.commit_pose("Bend", pose, ["upper_arm_l"])
    assert turned(here, "upper_arm_l") == pytest.approx(50.0, abs=1e-3)


@pytest.mark.view
def test_empty_layer_comes_with_a_clip_of_its_own_which_goes_with_it(here):
    add(here, "Empty additive layer")
    layer = stack(here).layers[0]
    made = here.session.document.project.get(Clip, layer.clip)
    assert made.additive is not None and not made.tracks
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)
    here.user.click(f"layerMore.{layer.name}")
    here.user.choose_in_popup("Remove layer")
    assert stack(here) is None and made.id not in here.session.document.project.assets
    assert here.session.clip.name == "walk"
    here.user.press("Ctrl+Z")
    assert (
        here.session.document.project.get(Clip, layer.clip) is made and here.session.playback.clip == made.id
    )


# ---------------------------------------------------------------- branch filters


def filters(here) -> tuple[BranchFilter, ...]:
    return stack(here).layers[0].branches


def with_branch(here, bone: str = "upper_arm_l") -> None:
    """A layer "wave" with one branch filter, made as a person does."""
    add(here, "wave")
    here.user.click_row("bones", bone)
    pick(here, "mask.wave", "Descendants of the selected bone")


def pick(here, box: str, text: str) -> None:
    """Choose an entry of a box by the keyboard."""
    widget = here.user.find(box)
    here.user.click(widget)
    here.user.press("Home")
    for _ in range([widget.itemText(k) for k in range(widget.count())].index(text)):
        here.user.press("Down")
    here.user.press("Return")


def test_branch_filter_begins_at_the_selected_bone_and_is_one_step(here):
    with_branch(here, "lower_arm_l")
    assert filters(here) == (BranchFilter("lower_arm_l", 1),)
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)  # above the branch: the clip's own
    assert here.session.history.labels[-1] == "Add branch filter lower_arm_l"
    here.user.press("Ctrl+Z")
    assert filters(here) == () and turned(here, "upper_arm_l") == pytest.approx(70.0)
    assert not here.user.visible("branchBone.wave.0")


def test_branch_filter_without_a_selected_bone_says_what_to_do(here):
    add(here, "wave")
    here.session.selection.clear()
    steps = len(here.session.history.labels)
    pick(here, "mask.wave", "Descendants of the selected bone")
    assert filters(here) == () and len(here.session.history.labels) == steps
    assert "select the bone where the branch begins" in here.session.messages.latest.text


def test_depth_is_typed_and_grows_over_the_bones(here):
    with_branch(here, "upper_arm_l")
    here.user.type_into("branchDepth.wave.0", "3")
    assert filters(here) == (BranchFilter("upper_arm_l", 3),)
    assert turned(here, "upper_arm_l") == pytest.approx(10.0 + 60.0 / 3.0)  # the first of three bones
    here.user.type_into("branchDepth.wave.0", "-1")
    assert filters(here)[0].depth == -1 and turned(here, "upper_arm_l") == pytest.approx(10.0)
    assert here.user.visible("excluded")


def test_depth_is_dragged_live_and_escape_leaves_no_trace(here):
    with_branch(here, "upper_arm_l")
    field, steps = here.user.find("branchDepth.wave.0"), len(here.session.history.labels)
    seen = []
    here.user.drag(
        field, (6, 10), (46, 10), during=lambda: seen.append(turned(here, "upper_arm_l")), release=False
    )
    assert 10.0 < seen[0] < 70.0 and len(here.session.history.labels) == steps
    here.user.press("Esc")
    here.user.release_mouse((46, 10))
    assert turned(here, "upper_arm_l") == pytest.approx(70.0)
    assert filters(here) == (BranchFilter("upper_arm_l", 1),) and len(here.session.history.labels) == steps


@pytest.mark.parametrize(
    ("depth", "words"),
    [("-1", "excluded"), ("0", "in full"), ("1", "in full"), ("2", "grows"), ("7", "grows")],
)
def test_what_a_depth_does_is_said_beside_it(here, depth, words):
    with_branch(here, "upper_arm_l")
    here.user.type_into("branchDepth.wave.0", depth)
    assert [word for word in ("excluded", "in full", "grows") if here.user.visible(word)] == [words]


def movable(here, button: str) -> tuple[bool, bool]:
    """Whether the menu of a filter moves it up, and down."""
    here.user.click(button)
    found = {action.text(): action.isEnabled() for action in QApplication.activePopupWidget().actions()}
    here.user.press("Esc")
    return found["Move up"], found["Move down"]


def test_filters_are_added_changed_reordered_and_removed_by_mouse(here):
    with_branch(here, "spine")
    assert turned(here, "upper_arm_l") == pytest.approx(70.0)
    here.user.click_row("bones", "upper_arm_l")
    here.user.click("addBranch.wave")
    assert filters(here) == (BranchFilter("spine", 1), BranchFilter("upper_arm_l", 1))
    assert movable(here, "branchMore.wave.0") == (False, True)
    assert movable(here, "branchMore.wave.1") == (True, False)
    here.user.click("branchMore.wave.1")
    here.user.choose_in_popup("Exclude the branch")
    assert turned(here, "upper_arm_l") == pytest.approx(10.0)
    here.user.click("branchMore.wave.1")
    here.user.choose_in_popup("Move up")
    assert [entry.bone for entry in filters(here)] == ["upper_arm_l", "spine"]
    assert turned(here, "upper_arm_l") == pytest.approx(70.0)  # the later filter speaks for its branch
    pick(here, "branchBone.wave.1", "hand_l")
    assert filters(here)[1].bone == "hand_l" and turned(here, "upper_arm_l") == pytest.approx(10.0)
    here.user.click("branchMore.wave.0")
    here.user.choose_in_popup("Remove branch filter")
    assert filters(here) == (BranchFilter("hand_l", 1),)
    here.user.click("branchMore.wave.0")
    here.user.choose_in_popup("Remove branch filter")
    assert filters(here) == () and turned(here, "upper_arm_l") == pytest.approx(70.0)
    labels = len(here.session.history.labels)
    for _ in range(6):
        here.user.press("Ctrl+Z")
    assert filters(here) == (BranchFilter("spine", 1),) and len(here.session.history.labels) == labels


def test_second_filter_for_one_bone_is_refused_in_words(here):
    with_branch(here, "spine")
    here.user.click("addBranch.wave")
    assert filters(here) == (BranchFilter("spine", 1),)
    assert "spine already has a branch filter" in here.session.messages.latest.text


# ---------------------------------------------------------------- options of all layers


def test_curve_rule_is_chosen_from_seven_and_undone(here):
    add(here, "wave")
    box = here.user.find("curveRule")
    assert box.count() == len(CurveRule)
    pick(here, "curveRule", "Maximum")
    assert stack(here).curves is CurveRule.MAXIMUM
    assert here.session.history.labels[-1] == "Curve rule of layers: Maximum"
    here.user.press("Ctrl+Z")
    assert stack(here).curves is CurveRule.OVERRIDE and box.currentText() == "Override"
    steps = len(here.session.history.labels)
    here.user.click(box)
    here.user.press("Down")
    here.user.press("Esc")
    assert stack(here).curves is CurveRule.OVERRIDE and len(here.session.history.labels) == steps


def test_model_rotations_keep_the_arm_where_the_layer_points_it(here):
    """Second route: angles about one axis add up along the chain."""
    with_branch(here, "upper_arm_l")
    here.session.keying.commit_pose("Lean", leaning(here, 30.0), ["spine"])
    here.user.settle()
    assert turned(here, "upper_arm_l") == pytest.approx(70.0, abs=1e-4)  # on top of the lean
    here.user.click("modelRotations")
    assert stack(here).model_rotations
    assert turned(here, "upper_arm_l") == pytest.approx(40.0, abs=1e-4)  # 70° in model space less the lean
    here.user.press("Ctrl+Z")
    assert not stack(here).model_rotations and not here.user.find("modelRotations").isChecked()


def leaning(here, degrees: float):
    half = np.radians(degrees) / 2.0
    q = np.array([0.0, 0.0, np.sin(half), np.cos(half)])
    return here.session.evaluator.pose().with_bone(here.session.rig.skeleton.index("spine"), rotation=q)


@pytest.mark.parametrize(
    ("words", "done"),
    [
        ("branch filter", lambda s: s.layers[0].branches == (BranchFilter("upper_arm_l", 1),)),
        ("exclude branch", lambda s: [f.depth for f in s.layers[0].branches] == [1, -1]),
        ("curve rule minimum", lambda s: s.curves is CurveRule.MINIMUM),
        ("mesh space rotation", lambda s: s.model_rotations),
    ],
)
def test_palette_finds_layer_options_by_their_words_and_shows_the_panel(here, words, done):
    add(here, "wave")
    here.user.click_row("bones", "upper_arm_l")
    here.window.show_panel("bone_tree")
    here.user.press("F3")
    here.user.type(words)
    here.user.press("Return")
    here.user.settle()
    assert done(stack(here)) and here.user.visible("layersPanel")


def test_layers_are_hidden_in_the_viewport_and_shown_again_by_their_button(here):
    add(here, "wave")
    with_layer = turned(here, "upper_arm_l")
    here.user.click("showLayers")
    assert turned(here, "upper_arm_l") != pytest.approx(with_layer)
    here.user.click("showLayers")
    assert turned(here, "upper_arm_l") == pytest.approx(with_layer)
