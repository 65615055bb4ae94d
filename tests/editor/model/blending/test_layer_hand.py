"""The layer in hand: taken, left and stepped through; what verbs are about, neutral keys, and what is refused."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import LayerMode
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.tracks.keys import scalar_track
from editor.model.blending.layer_hand import LayerHand
from editor.model.blending.layers import LayerEdits
from editor.model.blending.state import Blending
from editor.model.session import Session
from tests.editor.model.blending.layer_stage import one_step
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


# ---------------------------------------------------------------- in hand
def test_a_layer_is_taken_in_hand_and_left(session, two, hand):
    session.edits.remove("fewer", two.stack.id)
    two.add(WAVE, LayerMode.OVERRIDE)
    assert hand.number is None and hand.layer is None and hand.why_not == "" and hand.aimed() == 0
    two.layered.shown = False
    hand.take(0)
    assert two.layered.shown and session.clip.id == WAVE and session.playback.below == SWING
    assert hand.number == 0 and hand.layer is two.stack.layers[0]
    hand.toggle(0)
    assert session.clip.id == SWING and session.playback.below is None
    hand.leave()
    assert session.clip.id == SWING
    hand.toggle(0)
    assert hand.number == 0


def test_what_cannot_be_taken_in_hand_is_refused(session, layers, hand):
    for work in (lambda: hand.take(0), lambda: hand.step(1), hand.aimed, hand._stack, hand.mute, hand.solo):
        with pytest.raises(AnimError, match="the clip has no layers"):
            work()
    layers.add(WAVE, LayerMode.ADDITIVE)
    wave = session.document.project.get(Clip, WAVE)
    itself = Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME)
    session.edits.put("itself", replace(wave, additive=itself))
    with pytest.raises(ValidationError, match="“wave” is a difference from itself"):
        hand.take(0)
    session.undo()
    layers.add(WAVE, LayerMode.OVERRIDE)
    with pytest.raises(ValidationError, match="“wave” is the clip of two layers: duplicate it first"):
        hand.take(1)
    assert session.playback.below is None


def test_steps_go_up_to_the_highest_and_down_to_the_clip(session, layers, hand):
    for _ in range(2):
        hand.new(LayerMode.OVERRIDE)
    hand.leave()
    seen = []
    for by in (-1, 1, 1, 1, -1, -1, -1):
        hand.step(by)
        seen.append(hand.number)
    assert seen == [None, 0, 1, 1, 0, None, None]
    hand.step(1)
    assert hand.aimed() == 0
    hand.leave()
    assert hand.aimed() == 1


def test_a_layer_is_muted_and_alone_and_back(session, two, hand):
    for verb, name in ((hand.mute, "muted"), (hand.solo, "solo")):
        for on in (True, False):
            one_step(session, verb, "Change layer wave 2")
            assert getattr(two.stack.layers[1], name) is on and not getattr(two.stack.layers[0], name)


def test_a_weight_is_keyed_at_the_playhead_as_it_is(session, two, hand):
    two.change(1, weight=0.5)
    session.playback.seek(0.5)
    hand.key_weight()
    assert two.stack.layers[1].curve.values.tolist() == [0.5]
    session.playback.seek(1.0)
    hand.key_weight(0.0)
    curve = two.stack.layers[1].curve
    assert curve.times.tolist() == [0.5, 1.0] and curve.values.tolist() == [0.5, 0.0]


def test_a_mask_of_the_selection_needs_one(session, two, hand):
    with pytest.raises(AnimError, match="select the bones of the mask first"):
        hand.mask_selection()
    session.selection.select(["head"])
    one_step(session, hand.mask_selection, "Mask wave 2 to the selection")
    assert dict(session.rig.masks["wave 2"]) == {"head": 1.0}


def turn(session: Session, *bones: str) -> None:
    pose = session.evaluator.pose()
    for bone in bones:
        pose = pose.with_bone(session.rig.skeleton.index(bone), rotation=np.array([0.0, 0.6, 0.0, 0.8]))
    assert session.keying.commit_pose("turned", pose, bones)


def test_a_neutral_key_makes_a_layer_change_nothing_here(session, layers, hand):
    with pytest.raises(AnimError, match="take a layer in hand first"):
        hand.key_neutral()
    hand.new(LayerMode.ADDITIVE)
    with pytest.raises(AnimError, match="the layer has no keys yet"):
        hand.key_neutral()
    session.playback.seek(0.5)
    turn(session, "head", "hand_l")
    session.playback.seek(1.0)
    session.selection.select(["head", "spine"])
    one_step(session, hand.key_neutral, "Key neutral head @ f30")
    keyed = {c.bone for c, t in session.clip.tracks.items() if np.isclose(t.times, 1.0).any()}
    assert keyed == {"head"}
    shown, base = session.evaluator.pose(), session.document.project.get(Clip, SWING)
    assert shown.rotations[3] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-7)
    assert Channel("head", Property.ROTATE, 0) not in base.tracks
    with pytest.raises(AnimError, match="the layer changes nothing here already"):
        hand.key_neutral()
    session.selection.select(["spine"])
    one_step(session, hand.key_neutral, "Key neutral 2 bones @ f30")


def test_a_layer_whose_weight_is_nothing_cannot_be_keyed_neutral(session, layers, hand):
    hand.new(LayerMode.ADDITIVE)
    turn(session, "head")
    layers.change(0, muted=True)
    assert hand.why_not
    with pytest.raises(AnimError, match=hand.why_not.replace("(", r"\(").replace(")", r"\)")):
        hand.key_neutral()


def test_the_clip_is_keyed_again_when_its_layer_is_no_longer_one(session, layers, hand):
    hand.new(LayerMode.ADDITIVE)
    stack = layers.stack
    session.edits.commit("Drop", session.document.project.without(stack.id))
    assert session.playback.below is None and session.clip.id == SWING and hand.number is None


def test_another_edit_leaves_the_layer_in_hand(session, layers, hand):
    hand.new(LayerMode.ADDITIVE)
    own = session.clip.id
    wave = session.document.project.get(Clip, WAVE)
    session.edits.put("Name", replace(wave, curves={"speed": scalar_track([0.0], [1.0])}))
    assert session.clip.id == own and hand.number == 0
