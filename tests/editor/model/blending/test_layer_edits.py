"""Edits of layers, their masks and filters: one step each with its name, what is refused and what is shown then."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.blending.layer_stack import LayerMode
from core.blending.layers import BranchFilter, CurveRule
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from core.tracks.keys import Interpolation
from editor.model.blending import branches
from editor.model.blending.layer_hand import LayerHand
from editor.model.blending.layers import CURVE_RULES, LayerEdits
from editor.model.blending.state import Blending
from editor.model.session import Session
from tests.editor.model.blending.layer_stage import last, no_step, one_step
from tests.editor.panel_stage import small_session

SWING, WAVE, THEIRS = AssetId("clip-small"), AssetId("clip-wave"), AssetId("clip-theirs")


@pytest.fixture
def session() -> Iterator[Session]:
    """A clip, another one that may be a layer, and one of another character."""
    made = small_session(mesh=False)
    other = replace(made.rig, id=AssetId("rig-other"), name="other")
    wave = replace(made.clip, id=WAVE, name="wave")
    made.edits.put("clips", wave, other, replace(wave, id=THEIRS, name="theirs", rig=other.id))
    yield made
    made.close()


@pytest.fixture
def layers(session) -> LayerEdits:
    return session.feature(Blending).layers


@pytest.fixture
def two(layers) -> LayerEdits:
    """“wave” over the clip, and “wave 2” over that."""
    layers.add(WAVE, LayerMode.OVERRIDE)
    layers.add(WAVE, LayerMode.ADDITIVE)
    return layers


@pytest.fixture
def hand(session) -> LayerHand:
    return session.feature(Blending).hand


# ---------------------------------------------------------------- adding and taking away
def test_without_a_clip_there_are_no_layers(session, layers):
    assert layers.stack is None
    with pytest.raises(AnimError, match="the clip has no layers"):
        layers.change(0, muted=True)
    session.playback.set_clip(None, session.rig.id)
    assert layers.clip is None and layers.stack is None and layers.choices() == ()
    with pytest.raises(AnimError, match="create or select a clip first"):
        layers.add(WAVE, LayerMode.OVERRIDE)


def test_clips_of_the_character_but_the_one_shown_may_be_layers(session, layers):
    assert [clip.id for clip in layers.choices()] == [WAVE] and layers.roots() == ("pelvis",)
    with pytest.raises(ValidationError, match="“theirs” is for another character"):
        layers.add(THEIRS, LayerMode.OVERRIDE)
    with pytest.raises(ValidationError, match="a clip cannot be a layer over itself: duplicate it first"):
        layers.add(SWING, LayerMode.OVERRIDE)


@pytest.mark.parametrize("mode", list(LayerMode))
def test_a_clip_becomes_a_layer_and_is_not_taken_in_hand(session, layers, mode):
    layers.layered.shown = False
    one_step(session, lambda: layers.add(WAVE, mode), "Add layer wave")
    layer = layers.stack.layers[0]
    assert (layer.clip, layer.mode, layer.own, layer.keyed) == (WAVE, mode, False, False)
    assert layers.stack.name == "Layers of swing" and layers.stack.clip == SWING
    assert session.playback.below is None and not layers.layered.shown
    one_step(session, lambda: layers.add(WAVE, mode), "Add layer wave 2")
    assert len(layers.stack.layers) == 2 and len(session.document.project.clips) == 3


@pytest.mark.parametrize("mode", list(LayerMode))
def test_an_empty_layer_is_made_like_the_clip_and_keyed_from_now_on(session, layers, hand, mode):
    session.edits.put("loop", replace(session.clip, looping=True))
    session.playback.seek(0.5)
    layers.layered.shown = False
    base = session.clip
    one_step(session, lambda: hand.new(mode), "Add layer swing layer")
    layer, own = layers.stack.layers[0], session.clip
    assert (layer.own, layer.keyed) == (True, mode is LayerMode.OVERRIDE) and layers.layered.shown
    assert own.id == layer.clip and session.playback.below == SWING and layers.clip is base
    assert (own.name, own.length, own.rate, own.looping) == ("swing layer", base.length, base.rate, True)
    wanted = Additive(AdditiveSpace.LOCAL, AdditiveBase.REST) if mode is LayerMode.ADDITIVE else None
    assert own.additive == wanted and not own.tracks and session.playback.time == pytest.approx(0.5)
    assert hand.number == 0 and hand.layer is layer
    session.undo()
    assert session.clip is base and session.playback.below is None and layers.stack is None


def test_the_last_layer_takes_the_stack_and_its_own_clip_along(session, layers, hand):
    before = dict(session.document.project.assets)
    hand.new(LayerMode.ADDITIVE)
    one_step(session, lambda: layers.remove(0), "Remove layer swing layer")
    assert dict(session.document.project.assets) == before
    assert session.playback.below is None and session.clip.id == SWING


def test_a_layer_of_a_clip_goes_without_it_and_others_stay(session, two):
    upper = two.stack.layers[1]
    one_step(session, lambda: two.remove(0), "Remove layer wave")
    assert two.stack.layers == (upper,) and WAVE in session.document.project.assets


def test_a_layer_in_hand_stays_in_hand_when_another_goes(session, two, hand):
    hand.new(LayerMode.ADDITIVE)
    own = session.clip
    two.remove(0)
    assert session.clip.id == own.id and hand.number == 1
    assert two.view_without(()) is None and two.view_without((WAVE,)) is None
    view = two.view_without((own.id,))
    assert (view.rig, view.clip, view.below) == (session.rig.id, SWING, None)


# ---------------------------------------------------------------- changing
def test_parts_of_a_layer_are_changed_in_a_step_that_ends_a_drag(session, two):
    two.preview(0, weight=0.25)
    assert two.stack.layers[0].weight == 0.25
    no_step(session, lambda: two.change(0, weight=1.0))
    assert two.stack.layers[0].weight == 1.0
    two.preview(0, weight=0.25)
    one_step(session, lambda: two.change(0, weight=0.5, stretch=True), "Change layer wave")
    assert (two.stack.layers[0].weight, two.stack.layers[0].stretch) == (0.5, True)
    assert two.stack.layers[1].weight == 1.0
    two.preview(1, weight=0.1)
    two.end_preview()
    assert two.stack.layers[1].weight == 1.0


@pytest.mark.parametrize("rule", [rule for rule in CurveRule if rule is not CurveRule.OVERRIDE])
def test_a_rule_of_curves_is_chosen_by_its_title(session, two, rule):
    no_step(session, lambda: two.set_curve_rule(CurveRule.OVERRIDE))
    one_step(session, lambda: two.set_curve_rule(rule), f"Curve rule of layers: {CURVE_RULES[rule][0]}")
    assert two.stack.curves is rule


def test_rotations_are_blended_in_model_space_or_bone_by_bone(session, two):
    no_step(session, lambda: two.set_model_rotations(False))
    one_step(session, lambda: two.set_model_rotations(True), "Model-space rotations of layers")
    no_step(session, lambda: two.set_model_rotations(True))
    one_step(session, lambda: two.set_model_rotations(False), "Local rotations of layers")


def test_keys_of_a_weight_are_in_order_linear_and_take_the_place_of_those_at_their_time(session, two):
    two.change(0, weight=0.5)
    for time, weight in ((1.0, 0.5), (0.5, 0.25), (1.0 + 9e-6, 0.75)):
        one_step(session, lambda t=time, w=weight: two.key_weight(0, t, w), "Key weight of wave")
    layer = two.stack.layers[0]
    assert layer.curve.times.tolist() == pytest.approx([0.5, 1.000009], abs=1e-9)
    assert layer.curve.values.tolist() == [0.25, 0.75]
    assert layer.weight == 1.0 and set(layer.curve.interpolations) == {Interpolation.LINEAR}
    two.key_weight(0, 1.0 + 5e-5, 0.5)
    assert len(two.stack.layers[0].curve) == 3
    one_step(session, lambda: two.clear_curve(0), "Constant weight of wave")
    assert two.stack.layers[0].curve is None and two.stack.layers[0].weight == 1.0
    no_step(session, lambda: two.clear_curve(0))


@pytest.mark.parametrize("number, place, moved", [
    (0, 1, True), (1, 0, True), (0, 0, False), (0, 2, False), (1, -1, False),
])  # fmt: skip
def test_a_layer_is_put_elsewhere_in_the_order(session, two, number, place, moved):
    names = [layer.name for layer in two.stack.layers]
    if moved:
        one_step(session, lambda: two.move(number, place), f"Move layer {names[number]}")
        assert [layer.name for layer in two.stack.layers] == names[::-1]
    else:
        no_step(session, lambda: two.move(number, place))


# ---------------------------------------------------------------- masks and additive clips
def test_a_new_mask_is_empty_and_used_by_the_layer_in_place_of_its_filters(session, two):
    branches.add(two, 0, ["chest"])
    steps = session.history.position
    assert two.new_mask(0) == "mask" and last(session) == "New mask mask"
    assert two.stack.layers[0].mask == "mask" and two.stack.layers[0].branches == ()
    assert dict(session.rig.masks["mask"]) == {} and two.stack.layers[1].mask is None
    assert two.new_mask() == "mask 2" and two.new_mask(None, "arm") == "arm"
    assert two.masks() == ("mask", "mask 2", "arm") and session.history.position == steps + 3


def test_bones_are_painted_up_to_one_and_taken_out_at_nothing(session, layers):
    layers.new_mask(None, "arm")
    one_step(session, lambda: layers.paint("arm", ["hand_l", "head"], 3.0), "Paint mask arm")
    assert dict(session.rig.masks["arm"]) == {"hand_l": 1.0, "head": 1.0}
    layers.paint("arm", ["hand_l"], 0.25)
    one_step(session, lambda: layers.paint("arm", ["head", "spine"], 0.0), "Paint mask arm")
    assert dict(session.rig.masks["arm"]) == {"hand_l": 0.25}
    no_step(session, lambda: layers.paint("arm", ["spine"], 0.0))
    no_step(session, lambda: layers.paint("arm", ["hand_l"], 0.25))
    one_step(session, lambda: layers.paint("new", ["spine"], 0.5), "Paint mask new")


def test_a_mask_of_bones_is_named_after_the_layer(session, two):
    branches.add(two, 1, ["chest"])
    one_step(session, lambda: two.mask_of(1, iter(["hand_l", "head"])), "Mask wave 2 to the selection")
    assert dict(session.rig.masks["wave 2"]) == {"hand_l": 1.0, "head": 1.0}
    assert two.stack.layers[1].mask == "wave 2" and two.stack.layers[0].mask is None
    assert two.stack.layers[1].branches == ()
    two.mask_of(1, ["spine"])
    assert two.stack.layers[1].mask == "wave 3"


def test_a_clip_is_declared_additive_or_not(session, layers):
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.REST)
    one_step(session, lambda: layers.set_additive(WAVE, additive), "wave is additive")
    no_step(session, lambda: layers.set_additive(WAVE, additive))
    assert layers.sampler(session.document.project.get(Clip, WAVE), session.rig) is not None
    one_step(session, lambda: layers.set_additive(WAVE, None), "wave is not additive")


def test_without_a_character_there_are_no_masks(session, layers):
    session.document.replace(Project({}), None)
    assert layers.masks() == ()


# ---------------------------------------------------------------- branch filters
def filters(layers: LayerEdits) -> list[tuple[str, int]]:
    return [(entry.bone, entry.depth) for entry in layers.stack.layers[0].branches]


def test_filters_are_added_changed_moved_and_removed_in_one_step_each(session, two):
    two.new_mask(0)
    one_step(session, lambda: branches.add(two, 0, ["chest", "head"]), "Add branch filter chest, head")
    assert filters(two) == [("chest", 1), ("head", 1)] and two.stack.layers[0].mask is None
    one_step(session, lambda: branches.add(two, 0, ["head", "hand_l"], 2), "Add branch filter hand_l")
    assert filters(two) == [("chest", 1), ("head", 1), ("hand_l", 2)]
    one_step(session, lambda: branches.change(two, 0, 1, depth=3), "Change branch filter head")
    no_step(session, lambda: branches.change(two, 0, 1, depth=3))
    one_step(session, lambda: branches.move(two, 0, 2, 0), "Move branch filter hand_l")
    assert filters(two) == [("hand_l", 2), ("chest", 1), ("head", 3)]
    one_step(session, lambda: branches.remove(two, 0, 1), "Remove branch filter chest")
    assert filters(two) == [("hand_l", 2), ("head", 3)]
    assert branches.changed(two, 0, 0, bone="spine") == (BranchFilter("spine", 2), BranchFilter("head", 3))


@pytest.mark.parametrize("place, to", [(0, 0), (0, 2), (1, -1)])
def test_a_filter_stays_where_there_is_no_other_place(session, two, place, to):
    branches.add(two, 0, ["chest", "head"])
    no_step(session, lambda: branches.move(two, 0, place, to))


def test_the_first_branch_that_is_left_alone_leaves_all_the_rest(session, two):
    branches.add(two, 0, ["head"], branches.EXCLUDED)
    assert filters(two) == [("pelvis", 1), ("head", -1)]
    branches.add(two, 0, ["hand_l"], branches.EXCLUDED)
    assert filters(two) == [("pelvis", 1), ("head", -1), ("hand_l", -1)]
    session.undo()
    session.undo()
    branches.add(two, 0, ["pelvis"], branches.EXCLUDED)
    assert filters(two) == [("pelvis", -1)]


def test_filters_that_cannot_be_added_are_refused(session, two):
    with pytest.raises(ValidationError, match="select the bone where the branch begins"):
        branches.add(two, 0, [])
    branches.add(two, 0, ["head"])
    with pytest.raises(ValidationError, match="head already has a branch filter in this layer"):
        branches.add(two, 0, ["head"])
    for number in (1, 0):
        two.remove(number)
    with pytest.raises(ValidationError, match="the clip has no layers"):
        branches.add(two, 0, ["head"])


def test_a_filter_ends_a_drag(session, two):
    branches.add(two, 0, ["head"])
    two.preview(0, branches=branches.changed(two, 0, 0, depth=4))
    assert filters(two) == [("head", 4)]
    assert branches.change(two, 0, 0, depth=5) and filters(two) == [("head", 5)]
