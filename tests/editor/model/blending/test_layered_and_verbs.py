"""Which layers are shown and what plays them; verbs of layers that are worked out beside the window."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import LayerMode
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.errors import AnimError
from core.ids import AssetId
from core.math import quat
from core.tracks.keys import scalar_track
from editor.model.blending import layer_verbs
from editor.model.blending.layer_verbs import LayerVerbs
from editor.model.blending.layered import Layered
from editor.model.blending.layers import LayerEdits
from editor.model.blending.state import Blending
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.model.blending.layer_stage import one_step
from tests.editor.panel_stage import small_session

SWING, WAVE = AssetId("clip-small"), AssetId("clip-wave")
ARM, LOWER = Channel("upper_arm_l", Property.ROTATE, 1), Channel("lower_arm_l", Property.ROTATE, 1)
FRAMES = np.arange(61) / 30.0


@pytest.fixture
def session() -> Iterator[Session]:
    """A clip, and another one that nods."""
    made = small_session(mesh=False)
    nod = {Channel("head", Property.ROTATE, 0): scalar_track([0.0, 1.0, 2.0], [0.0, 30.0, 0.0])}
    made.edits.put("wave", replace(made.clip, id=WAVE, name="wave", tracks=nod))
    yield made
    made.close()


@pytest.fixture
def layers(session) -> LayerEdits:
    return session.feature(Blending).layers


@pytest.fixture
def verbs(session) -> LayerVerbs:
    return session.feature(Blending).layer_verbs


@pytest.fixture
def layered(session) -> Layered:
    made = session.evaluator.layers
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def player(layered: Layered, session: Session):
    return layered.player(session.rig, SWING, ())


def shown(session: Session) -> np.ndarray:
    """Rotations of all bones at every frame, as they are shown."""
    return session.evaluator.sample_many(FRAMES).local.rotation


# ---------------------------------------------------------------- which layers
def test_layers_and_their_result_are_shown_or_not_told_once(layered):
    assert layered.shown and not layered.result
    for name in ("shown", "result"):
        before = getattr(layered, name)
        for value in (not before, not before, before):
            setattr(layered, name, value)
            assert getattr(layered, name) is value
    assert len(layered.told) == 4


def test_a_drag_of_the_stack_is_shown_in_place_of_the_documents_told_once(session, layers, layered):
    layers.add(WAVE, LayerMode.OVERRIDE)
    stack = layers.stack
    layered.told.clear()
    dragged = replace(stack, name="dragged")
    layered.set_preview(dragged)
    layered.set_preview(dragged)
    assert layered.stack(SWING) is dragged and layered.stack(WAVE) is None and len(layered.told) == 1
    layered.set_preview(replace(stack, id=AssetId("another")))
    assert layered.stack(SWING) is stack
    session.undo()
    assert layered.stack(SWING) is None
    layered.set_preview(None)


def test_nothing_plays_without_layers_that_count(session, layers, layered):
    assert player(layered, session) is None
    layers.add(WAVE, LayerMode.OVERRIDE)
    assert player(layered, session) is not None and layered.player(session.rig, WAVE, ()) is None
    layered.shown = False
    assert player(layered, session) is None
    layered.shown = True
    layers.change(0, muted=True)
    assert player(layered, session) is None


def test_what_plays_is_the_same_until_something_of_it_differs(session, layers, layered):
    layers.add(WAVE, LayerMode.OVERRIDE)
    first = player(layered, session)
    assert player(layered, session) is first
    session.edits.put("Name", replace(session.document.project.get(Clip, WAVE), name="nod"))
    second = player(layered, session)
    assert second is not first and second.layers[0].clip is session.document.project.assets[WAVE]
    session.edits.put("More", replace(session.clip, id=AssetId("clip-more"), name="more"))
    third = player(layered, session)
    session.edits.put("Name", replace(session.document.project.get(Clip, AssetId("clip-more")), name="x"))
    assert player(layered, session).stack is third.stack
    layers.change(0, weight=0.5)
    assert player(layered, session).stack is layers.stack
    session.edits.put("rig", replace(session.rig, name="other"))
    assert player(layered, session).rig is session.rig


def test_an_edited_base_of_a_difference_makes_a_new_player(session, layers, layered):
    base = replace(session.clip, id=AssetId("clip-base"), name="base")
    wave = session.document.project.get(Clip, WAVE)
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, base.id)
    session.edits.put("base", base, replace(wave, additive=additive))
    layers.add(WAVE, LayerMode.ADDITIVE)
    first = shown(session)
    turned = base.with_tracks({Channel("head", Property.ROTATE, 0): scalar_track([0.0], [20.0])})
    session.edits.put("turned", turned)
    assert quat.angle_between(shown(session), first).max() > 0.1


def test_layers_that_cannot_be_played_are_left_out_and_say_why(session, layers, layered):
    layers.add(WAVE, LayerMode.OVERRIDE)
    assert layered.problem == ""
    layered.set_preview(replace(layers.stack, layers=(replace(layers.stack.layers[0], mask="gone"),)))
    assert player(layered, session) is None and "gone" in layered.problem
    layered.set_preview(None)
    assert player(layered, session) is not None and layered.problem == ""


def test_changes_that_concern_the_layers_are_those_of_the_stack_and_its_clips(session, layers, layered):
    assert not layered.concerns(SWING, frozenset({WAVE})) and not layered.concerns(None, frozenset({WAVE}))
    layers.add(WAVE, LayerMode.OVERRIDE)
    stack = layers.stack.id
    player(layered, session)
    assert layered.concerns(SWING, frozenset({WAVE})) and layered.concerns(SWING, frozenset({stack}))
    assert not layered.concerns(SWING, frozenset({SWING})) and layered.concerns(None, frozenset({stack}))
    session.undo()
    assert layered.concerns(SWING, frozenset({stack})) and not layered.concerns(SWING, frozenset({WAVE}))


# ---------------------------------------------------------------- verbs
def test_merging_down_keeps_what_is_shown_and_takes_the_layer(session, layers, verbs):
    layers.add(WAVE, LayerMode.OVERRIDE)
    layers.change(0, weight=0.5)
    before = shown(session)
    one_step(session, verbs.merge_down, "Merge wave down")
    assert layers.stack is None and quat.angle_between(shown(session), before).max() < 1e-3
    session.undo()
    assert len(layers.stack.layers) == 1


@pytest.mark.parametrize("number, label, left", [
    (None, "Merge all layers", 0), (0, "Merge wave into the clip", 1), (1, "Merge wave 2 into the clip", 0),
])  # fmt: skip
def test_layers_up_to_one_are_merged_into_the_clip(session, layers, verbs, number, label, left):
    for _ in range(2):
        layers.add(WAVE, LayerMode.OVERRIDE)
    one_step(session, lambda: verbs.merge_all(number), label)
    assert (0 if layers.stack is None else len(layers.stack.layers)) == left


def test_the_layer_in_hand_is_merged_and_the_clip_is_keyed_again(session, layers, verbs):
    hand = session.feature(Blending).hand
    hand.new(LayerMode.ADDITIVE)
    pose = session.evaluator.pose().with_bone(3, rotation=np.array([0.0, 0.6, 0.0, 0.8]))
    session.keying.commit_pose("turned", pose, ["head"])
    layers.add(WAVE, LayerMode.OVERRIDE)
    one_step(session, verbs.merge_down, "Merge swing layer down")
    assert session.playback.below is None and session.clip.id == SWING and len(layers.stack.layers) == 1


def test_without_layers_or_a_clip_there_is_nothing_to_merge_or_reduce(session, verbs):
    for work in (verbs.merge_down, verbs.reduce, lambda: verbs.merge_all(None), lambda: verbs.reduce(0)):
        with pytest.raises(AnimError, match="the clip has no layers"):
            work()
    session.playback.set_clip(None, session.rig.id)
    for work in (verbs.split, verbs.extract_range, lambda: verbs.merge_down(0)):
        with pytest.raises(AnimError, match="create or select a clip first"):
            work()


def test_with_a_layer_in_hand_nothing_is_extracted_or_split(session, verbs):
    session.feature(Blending).hand.new(LayerMode.ADDITIVE)
    for work in (verbs.split, verbs.extract_keys, verbs.extract_range):
        with pytest.raises(AnimError, match="go back to the clip first: a layer is in hand"):
            work()


def test_selected_keys_become_a_layer_and_what_is_shown_stays(session, layers, verbs):
    with pytest.raises(AnimError, match="select keys first"):
        verbs.extract_keys()
    session.selection.select_keys({ARM: np.array([1, 2]), LOWER: np.zeros(0, np.int64)})
    before = shown(session)
    one_step(session, verbs.extract_keys, "Extract keys to a layer")
    own = session.document.project.get(Clip, layers.stack.layers[0].clip)
    assert {channel.bone for channel in own.tracks} == {"upper_arm_l"}
    assert quat.angle_between(shown(session), before).max() < 1e-3


@pytest.mark.parametrize("keys, span", [
    ({ARM: [1, 2]}, (0.0, 60.0)), ({ARM: [1]}, (0.0, 40.0)), ({ARM: [2]}, (20.0, 60.0)), ({ARM: [0]}, (0.0, 20.0)),
    ({ARM: [3]}, (40.0, 60.0)), ({ARM: [1], LOWER: [2]}, (0.0, 60.0)),
])  # fmt: skip
def test_a_layer_of_keys_reaches_to_the_keys_that_stay_beside_them(session, keys, span):
    clip = session.clip
    times = {c: tuple(float(clip.tracks[c].times[n]) for n in numbers) for c, numbers in keys.items()}
    found = layer_verbs._span_around(clip, times)
    assert tuple(second * 30 for second in found) == pytest.approx(span)


def test_a_range_of_the_selected_bones_becomes_a_layer(session, layers, verbs):
    session.playback.set_range(0.5, 1.5)
    session.selection.select(["lower_arm_l", "head"])
    before = shown(session)
    one_step(session, verbs.extract_range, "Extract range to a layer")
    own = session.document.project.get(Clip, layers.stack.layers[0].clip)
    assert {channel.bone for channel in own.tracks} == {"lower_arm_l"}
    assert quat.angle_between(shown(session), before).max() < 1e-3


def test_locked_bones_are_told_and_left(session, verbs):
    session.selection.set_flag("locked", ["lower_arm_l"])
    bones = {channel.bone for channel in verbs._channels(session.clip)}
    assert bones == {"pelvis", "upper_arm_l"}
    message = session.messages.latest
    assert (message.level, message.text) == (Level.WARNING, "lower_arm_l is locked and was not changed")
    assert message.next_step == "Unlock it in the bone tree"
    count = len(session.messages.log)
    session.selection.select(["upper_arm_l"])
    assert {channel.bone for channel in verbs._channels(session.clip)} == {"upper_arm_l"}
    assert len(session.messages.log) == count
    session.selection.select_keys({ARM: np.array([1]), LOWER: np.array([1])})
    assert dict(verbs._key_times(session.clip)) == {ARM: (pytest.approx(20 / 30),)}
    assert len(session.messages.log) == count + 1


def test_a_clip_is_split_into_the_selected_keys_and_the_rest(session, layers, verbs):
    session.selection.select_keys({ARM: np.array([2])})
    before = shown(session)
    one_step(session, verbs.split, "Split base and delta")
    assert layers.stack.layers[0].mode is LayerMode.ADDITIVE
    np.testing.assert_allclose(session.clip.tracks[ARM].times * 30, [0.0, 40.0, 60.0], atol=1e-6)
    assert quat.angle_between(shown(session), before).max() < 1e-3
    assert len(session.clip.tracks[LOWER]) == 4


def test_a_layer_is_reduced_and_says_what_that_moved(session, layers, verbs):
    times = np.arange(61) / 30.0
    dense = {Channel("head", Property.ROTATE, 0): scalar_track(times, 15.0 * times)}
    session.edits.put("dense", replace(session.document.project.get(Clip, WAVE), tracks=dense))
    layers.add(WAVE, LayerMode.OVERRIDE)
    one_step(session, verbs.reduce, "Reduce layer wave")
    assert layer_verbs.REDUCE == 0.5
    own = session.document.project.get(Clip, WAVE)
    count = sum(len(track) for track in own.every_track())
    assert 2 <= count < 61
    assert session.messages.latest.text.startswith(f"61 → {count} keys; the largest change shown is 0.")
    assert session.messages.latest.text.endswith(" mm")
    steps = session.history.position
    assert not verbs.reduce(0) and session.history.position == steps
    assert session.messages.latest.text == "No removable keys at this tolerance"


def test_the_largest_move_is_that_of_the_bones_in_metres(session, layers):
    layers.add(WAVE, LayerMode.OVERRIDE)
    project = session.document.project
    lift = {Channel("pelvis", Property.TRANSLATE, 1): scalar_track([0.0, 1.0, 2.0], [1.0, 1.3, 1.0])}
    still = replace(project.get(Clip, WAVE), tracks={})
    plain, lifted = (project.with_assets(replace(still, tracks=tracks)) for tracks in ({}, lift))
    assert layer_verbs._moved(plain, lifted, session.clip) == pytest.approx(0.3)
    assert layer_verbs._count(session.clip) == sum(len(track) for track in session.clip.tracks.values())
