"""Keying with a layer in hand, and bones that follow spaces: what is pending, what is refused, and what is said."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Property
from core.clips.keying import KeyWhich, Tolerance, key_pose
from core.clips.keying_layers import key_layer
from core.errors import ValidationError
from core.math import euler
from core.pose.pose import Pose, rest_pose
from core.rig.ik_setup import IkSpace, IkTarget
from core.rig.rig import Rig
from editor.actions.every import registry
from editor.model.autokey import KeyState
from editor.model.blending.state import Blending
from editor.model.channels import curve_channel, morph_channel
from editor.model.layer_keys import LayerKeys
from editor.model.messages import Level
from editor.model.session import Session
from editor.model.spaces import Spaces
from tests.editor.actions import rich

SPEED = curve_channel("speed")
WORLD = IkTarget(IkSpace.WORLD)


@pytest.fixture
def session() -> Iterator[Session]:
    made = rich.session()
    made.playback.set_range(None)
    made.selection.select_keys({})
    yield made
    made.close()


@pytest.fixture
def layered(session: Session) -> Session:
    """A layer in hand that replaces the hand and the upper arm at frame 10."""
    actions = registry(session)
    assert actions.run("layer.new_override") and actions.run("key.set")
    return session


def keys(session: Session) -> LayerKeys:
    return LayerKeys(session.evaluator, session.playback, session.messages)


def turned(session: Session, bone: str, degrees: float = 20.0) -> Pose:
    number = session.rig.skeleton.index(bone)
    return session.evaluator.pose().with_bone(number, rotation=euler.to_quaternion([0.0, degrees, 0.0], 0))


def moved(session: Session, bone: str, metres: float) -> Pose:
    number, pose = session.rig.skeleton.index(bone), session.evaluator.pose()
    return pose.with_bone(number, translation=pose.translations[number] + [0.0, metres, 0.0])


# ---------------------------------------------------------------- layers
def test_without_a_layer_keying_is_left_as_it_is(session: Session) -> None:
    found, pose = keys(session), session.evaluator.pose()
    assert found.hand is None and found.key_pose is key_pose
    assert found.reached(pose, ("head", "chest")) == ["head", "chest"]
    assert found.moved(pose, ["head"]) is None
    assert found.differs("head", pose, Property.ROTATE, Tolerance()) is None
    values = {SPEED: 2.0, morph_channel("x"): 1.0}
    assert found.weights(values) is values


def test_with_a_layer_bones_differ_from_what_is_shown_beyond_the_tolerance(layered: Session) -> None:
    found, tolerance = keys(layered), Tolerance(0.01, 1.0, 0.01)
    assert found.hand is not None and found.key_pose is key_layer
    pose = layered.evaluator.pose()
    assert not found.differs("hand_l", pose, Property.ROTATE, tolerance)
    for degrees, differs in ((0.9, False), (1.1, True)):
        pose = turned(layered, "hand_l", degrees)
        assert found.differs("hand_l", pose, Property.ROTATE, tolerance) is differs
        assert found.moved(pose, ["hand_l", "head"]) == ["hand_l"]
        assert not found.differs("hand_l", pose, Property.TRANSLATE, tolerance)
    for metres, differs in ((0.009, False), (-0.009, False), (0.011, True), (-0.011, True)):
        pose = moved(layered, "hand_l", metres)
        assert found.differs("hand_l", pose, Property.TRANSLATE, tolerance) is differs
        assert not found.differs("hand_l", pose, Property.SCALE, tolerance)
        assert not found.differs("head", pose, Property.TRANSLATE, tolerance)


def test_what_is_pending_over_a_layer_is_told_by_property(layered: Session) -> None:
    layered.keying.auto = False
    assert layered.keying.commit_pose("Rotate", turned(layered, "hand_l"), ["hand_l", "upper_arm_l"])
    state = layered.keying.key_state
    assert set(layered.keying.pending) == {"hand_l"}
    assert {state("hand_l", Property.ROTATE, axis) for axis in range(3)} == {KeyState.PENDING}
    assert state("hand_l", Property.TRANSLATE, 0) is not KeyState.PENDING
    assert state("upper_arm_l", Property.ROTATE, 0) is not KeyState.PENDING
    layered.keying.drop_pending()
    assert layered.keying.commit_pose("Move", moved(layered, "hand_l", 0.1), ["hand_l"])
    assert state("hand_l", Property.TRANSLATE, 1) is KeyState.PENDING
    assert state("hand_l", Property.ROTATE, 1) is not KeyState.PENDING


def test_a_layer_that_is_not_seen_is_not_keyed_and_that_is_said(layered: Session) -> None:
    layered.feature(Blending).hand.mute()
    before, pose = layered.document.project, turned(layered, "hand_l")
    for verb in (
        lambda: layered.keying.commit_pose("Rotate", pose, ["hand_l"]),
        lambda: layered.keying.set_key(["hand_l"]),
    ):
        said = len(layered.messages.log)
        assert not verb() and layered.document.project is before
        latest = layered.messages.latest
        assert len(layered.messages.log) == said + 1 and latest.level is Level.WARNING
        assert latest.text == f"The layer in hand cannot be keyed: {layered.evaluator.in_hand.why_not}"
    assert keys(layered).reached(pose, []) == [] and len(layered.messages.log) == said + 1


def test_bones_that_a_layer_does_not_reach_are_said_where_they_would_have_moved(layered: Session) -> None:
    layers = layered.feature(Blending).layers
    layers.mask_of(layered.feature(Blending).hand.number, ["hand_l"])
    found, said = keys(layered), len(layered.messages.log)
    assert "head" not in found.reached(layered.evaluator.pose(), ["hand_l", "head"])
    assert len(layered.messages.log) == said
    assert "hand_l" in found.reached(turned(layered, "head"), ["hand_l", "head"])
    latest = layered.messages.latest
    assert latest.text == "head is not keyed: the layer in hand does not reach it here"
    assert latest.next_step == "Look at the layer's mask and weight, and at the layers above it"
    assert not layered.keying.commit_pose("Rotate", turned(layered, "head"), ["head"])
    assert not layered.keying.set_key(["head"])


def test_values_of_curves_and_morphs_come_back_as_they_were_asked_for(layered: Session) -> None:
    shown = {SPEED: 3.0, morph_channel("body/smile"): 0.5}
    found = keys(layered).weights(shown)
    assert set(found) == set(shown) and keys(layered).weights({}) == {}
    layered.keying.commit_weights("Weights", shown)
    assert {channel: layered.keying.weight(channel) for channel in shown} == pytest.approx(shown)
    assert layered.evaluator.to_clip_weights({}, False) == {}


# ---------------------------------------------------------------- spaces
def following(session: Session, frame: float = 5.0) -> Spaces:
    """The left hand follows the world from a frame on."""
    spaces = session.feature(Spaces)
    session.playback.seek(frame / 30.0)
    assert spaces.switch(("hand_l",), WORLD)
    return spaces


@pytest.mark.parametrize(("name", "value"), [("keep", True), ("bake", True), ("frames", 7)])
def test_ways_of_switching_are_kept(session: Session, name: str, value: object) -> None:
    spaces = session.feature(Spaces)
    assert (spaces.keep, spaces.bake_at_once, spaces.frames) == (False, False, 0)
    spaces.set_way(name, value)
    assert session.preferences.get(f"space_{name}") == value
    assert {"keep": spaces.keep, "bake": spaces.bake_at_once, "frames": spaces.frames}[name] == value


@pytest.mark.parametrize(
    ("frames", "within", "time", "end"),
    [
        (0, None, 0.5, None),
        (6, None, 0.5, 0.7),
        (6, (0.0, 1.0), 0.5, 0.7),
        (0, (0.25, 1.0), 0.25, 1.0),
        (0, (0.25, 1.0), 0.2, None),
        (0, (0.25, 1.0), 1.0, None),
    ],
)
def test_a_span_ends_after_its_frames_or_with_the_range(
    session: Session, frames: int, within: tuple[float, float] | None, time: float, end: float | None
) -> None:
    spaces = session.feature(Spaces)
    spaces.set_way("frames", frames)
    session.playback.set_range(*(within or (None,)))
    session.playback.seek(time)
    assert spaces.span_end() == (None if end is None else pytest.approx(end))


def test_a_bone_is_in_its_span_from_the_switch_to_its_end(session: Session) -> None:
    session.feature(Spaces).set_way("frames", 15)
    spaces = following(session, 15.0)
    (span,) = spaces.spans()
    assert spaces.spans("hand_l") == (span,) and spaces.spans("head") == ()
    for frame, inside in ((14, False), (15, True), (29, True), (31, False), (60, False)):
        session.playback.seek(frame / 30.0)
        assert (spaces.now("hand_l") == span) is inside, frame
    assert spaces.now("head") is None


def test_a_span_to_the_end_of_the_clip_holds_at_its_end(session: Session) -> None:
    spaces = following(session)
    session.playback.seek(session.clip.length)
    assert spaces.now("hand_l") == spaces.spans()[0]


def test_without_a_character_nothing_follows(session: Session) -> None:
    spaces = session.feature(Spaces)
    session.files.new()
    assert spaces.spans() == () and spaces.now("hand_l") is None and spaces.span_end() is None
    assert not spaces.switch(("hand_l",), WORLD)
    for verb, words in (
        (lambda: spaces.release(("hand_l",)), "hand_l follows no space here"),
        (lambda: spaces.release(("hand_l", "head")), "2 bones follow no space here"),
        (spaces.bake, "No bone follows a space in this clip"),
    ):
        with pytest.raises(ValidationError, match=words):
            verb()


def test_without_a_clip_switching_says_what_to_do(session: Session) -> None:
    session.playback.set_clip(None)
    session.feature(Spaces).set_way("frames", 7)
    assert session.feature(Spaces).span_end() is None
    assert not session.feature(Spaces).switch(("hand_l",), WORLD)
    assert (session.messages.latest.level, session.messages.latest.text) == (
        Level.INFO,
        "Select a clip first",
    )


def test_a_bone_that_cannot_follow_is_said(session: Session) -> None:
    before = session.document.project
    assert not session.feature(Spaces).switch(("hand_l",), IkTarget(IkSpace.BONE, "nobody"))
    assert session.messages.latest.level is Level.WARNING and session.document.project is before


def test_locked_chains_are_named_with_what_to_do(session: Session) -> None:
    session.selection.set_flag("locked", ["upper_arm_l", "lower_arm_l"])
    assert not session.feature(Spaces).switch(("hand_l",), WORLD)
    latest = session.messages.latest
    assert set(latest.text.removeprefix("Locked: ").split(", ")) == {"upper_arm_l", "lower_arm_l"}
    assert latest.next_step == "Unlock them in the bone tree" and latest.level is Level.WARNING


def test_steps_of_spaces_say_what_and_where(session: Session) -> None:
    spaces = following(session)
    assert session.history.undo_label == "Follow world: hand_l @ f5"
    session.playback.seek(0.5)
    assert spaces.release(("hand_l", "head")) and session.history.undo_label == "Release hand_l @ f15"
    assert spaces.now("hand_l") is None
    session.undo()
    assert spaces.bake() and session.history.undo_label == "Bake the space of hand_l @ f15"
    assert spaces.spans() == ()
    session.undo()
    with pytest.raises(ValidationError, match="No bone follows a space"):
        spaces.bake(("head",))


def test_a_span_that_would_begin_elsewhere_is_said(session: Session) -> None:
    spaces = session.feature(Spaces)
    session.playback.seek(20.0 / 30.0)
    assert spaces.switch(("hand_l",), IkTarget(IkSpace.BONE, "head"))
    session.playback.seek(10.0 / 30.0)
    assert spaces.switch(("hand_l",), WORLD)
    assert [span.space for span in spaces.spans("hand_l")] == ["world", "head"]
    latest = session.messages.latest
    assert latest.level is Level.WARNING and latest.next_step == "Switch the space there again"
    assert latest.text.startswith("The span that follows starts ") and latest.text.endswith(" mm away")
    assert float(latest.text.split()[5]) > 1.0


def test_a_bone_posed_within_its_span_gets_its_key_on_the_goal(session: Session) -> None:
    spaces = following(session)
    session.playback.seek(0.5)
    before, wanted = session.clip, moved(session, "hand_l", 0.1)
    assert session.keying.commit_pose("Move", wanted, ["hand_l", "head"])
    assert {c for c in session.clip.tracks if c.bone == "hand_l"} == {
        c for c in before.tracks if c.bone == "hand_l"
    }
    changed = {name for name, track in session.clip.curves.items() if before.curves.get(name) is not track}
    assert changed and all(0.5 in session.clip.curves[name].times for name in changed)
    assert len(spaces.spans()) == 1


def test_what_is_dragged_is_shown_following_its_space(session: Session) -> None:
    following(session)
    session.playback.seek(0.5)
    hand = session.rig.skeleton.index("hand_l")
    place = session.evaluator.model().translation[hand]
    session.preview.set_pose(moved(session, "pelvis", -0.02))
    np.testing.assert_allclose(session.evaluator.model().translation[hand], place, atol=1e-4)
    session.preview.clear()
    session.preview.set_pose(turned(session, "upper_arm_l", 30.0))
    assert np.abs(session.evaluator.model().translation[hand] - place).max() > 0.05


def test_a_pose_of_another_character_is_shown_as_it_is(session: Session) -> None:
    following(session)
    other: Rig = replace(session.rig, id=type(session.rig.id)("rig-other"))
    pose = rest_pose(other)
    session.preview.set_pose(pose)
    assert session.preview.pose is pose


def test_keys_of_a_layer_are_asked_for_by_what_is_wanted(layered: Session) -> None:
    layered.playback.seek(0.5)
    assert layered.keying.set_key(["hand_l"], KeyWhich.ALL)
    assert {c.bone for c, track in layered.clip.tracks.items() if 0.5 in track.times} >= {"hand_l"}


# ---------------------------------------------------------------- what is shown of a layer
def test_the_layer_in_hand_is_one_object_until_a_part_of_it_changes(layered: Session) -> None:
    evaluator = layered.evaluator
    first = evaluator.in_hand
    layered.playback.seek(1.0)
    assert evaluator.in_hand is first and first.clip is layered.clip
    assert first.base.clip.id == layered.playback.below == evaluator.layered_clip.id
    dragged = replace(layered.clip, name="dragged")
    layered.preview.set_clip(dragged)
    second = evaluator.in_hand
    assert second is not first and second.clip is dragged and second.base.clip is first.base.clip
    assert evaluator.in_hand is second
    layered.preview.clear()
    layered.edits.put("below", replace(evaluator.layered_clip, name="below"))
    third = evaluator.in_hand
    assert third.base.clip.name == "below" and third.clip is layered.clip and evaluator.in_hand is third


def test_a_clip_from_outside_is_shown_as_it_is_over_a_layer_in_hand(layered: Session) -> None:
    outside = replace(layered.clip, id=type(layered.clip.id)("clip-outside"), name="outside")
    layered.playback.set_transient_clip(outside)
    assert layered.evaluator.in_hand is None and layered.evaluator.pipeline.clip is outside
    layered.playback.set_transient_clip(None)
    assert layered.evaluator.in_hand is not None


def test_edits_of_the_clip_below_are_told(layered: Session) -> None:
    below = layered.evaluator.layered_clip
    told: list[None] = []
    layered.evaluator.changed.connect(told.append)
    layered.edits.put("below", replace(below, name="below"))
    assert len(told) == 1
