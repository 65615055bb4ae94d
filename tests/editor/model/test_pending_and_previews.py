"""What lies over the clip until it is keyed or dropped, drags, selected keys through edits, and sets of bones."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property, RootMotion
from core.clips.edits import KeepTime
from core.errors import AnimError, MissingReferenceError, ValidationError
from core.ids import AssetId
from core.pose.pose import Pose, rest_pose
from core.rig.rig import Rig
from core.rig.set_color import SetColor
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from editor.model.bone_sets import BoneSets, Held, proposed_name
from editor.model.channels import curve_channel, morph_channel
from editor.model.kept_keys import KeptKeys
from editor.model.pending import PendingPose
from editor.model.preview import Preview
from editor.model.selection import Mode, Selection
from editor.model.session import Session
from tests.editor.panel_stage import small_session
from tests.editor.rigs import small_clip, small_rig

SPEED, SMILE = curve_channel("speed"), morph_channel("body/smile")
X, Y = Channel("head", Property.ROTATE, 0), Channel("head", Property.ROTATE, 1)
RIG = small_rig()
OTHER = replace(RIG, id=AssetId("rig-other"))


def away(rig: Rig = RIG) -> Pose:
    """A pose with head and chest elsewhere."""
    return rest_pose(rig).with_bone(3, translation=[1.0, 2.0, 3.0]).with_bone(2, scale=[2.0, 2.0, 2.0])


def told(event) -> list[None]:
    heard: list[None] = []
    event.connect(heard.append)
    return heard


# ---------------------------------------------------------------- pending
def test_nothing_is_pending_at_first_and_dropping_that_tells_nobody() -> None:
    pending = PendingPose()
    heard, pose = told(pending.changed), away()
    pending.drop()
    pending.drop(["head"])
    pending.drop_weights([SPEED])
    assert not pending and pending.rig is None and heard == [] and pending.over(RIG, pose) is pose


def test_bones_and_weights_are_pending_beside_each_other_until_they_are_dropped() -> None:
    pending = PendingPose()
    heard = told(pending.changed)
    pending.put(RIG, away(), ["head"])
    pending.put_weights(RIG, {SPEED: 2.0})
    pending.put(RIG, away(), ["chest"])
    pending.put_weights(RIG, {SMILE: 0.5})
    assert set(pending.bones) == {"head", "chest"} and dict(pending.weights) == {SPEED: 2.0, SMILE: 0.5}
    assert len(heard) == 4 and pending and pending.rig == RIG.id
    pending.drop(["nobody"])
    pending.drop_weights([morph_channel("x")])
    assert len(heard) == 4
    pending.drop(["head"])
    pending.drop_weights([SPEED])
    assert set(pending.bones) == {"chest"} and set(pending.weights) == {SMILE} and len(heard) == 6
    pending.drop(["chest"])
    assert pending.rig == RIG.id and pending
    pending.drop_weights([SMILE])
    assert pending.rig is None and not pending and len(heard) == 8


def test_all_is_dropped_at_once_and_weights_alone_too() -> None:
    pending = PendingPose()
    pending.put(RIG, away(), ["head"])
    pending.put_weights(RIG, {SPEED: 2.0})
    heard = told(pending.changed)
    pending.drop()
    assert not pending and len(heard) == 1 and pending.rig is None
    pending.put_weights(RIG, {SPEED: 2.0})
    pending.drop()
    assert not pending and len(heard) == 3


@pytest.mark.parametrize("weights", [True, False])
def test_what_is_pending_of_another_character_replaces_all(weights: bool) -> None:
    pending = PendingPose()
    pending.put(RIG, away(), ["head"])
    pending.put_weights(RIG, {SPEED: 2.0})
    if weights:
        pending.put_weights(OTHER, {SMILE: 1.0})
        assert dict(pending.bones) == {} and dict(pending.weights) == {SMILE: 1.0}
    else:
        pending.put(OTHER, away(OTHER), ["chest"])
        assert set(pending.bones) == {"chest"} and dict(pending.weights) == {}
    assert pending.rig == OTHER.id


def test_what_is_pending_lies_over_a_pose_of_its_character() -> None:
    pending, pose = PendingPose(), replace(rest_pose(RIG), curves={"speed": 1.0, "b": 3.0}, morphs={})
    pending.put(RIG, away(), ["head"])
    found = pending.over(RIG, pose)
    assert found.translations[3].tolist() == [1.0, 2.0, 3.0] and found.scales[2].tolist() == [1.0, 1.0, 1.0]
    assert found.curves == pose.curves and pending.over(OTHER, pose) is pose
    pending.put_weights(RIG, {SPEED: 2.0, SMILE: 0.5})
    found = pending.over(RIG, pose)
    assert dict(found.curves) == {"speed": 2.0, "b": 3.0} and dict(found.morphs) == {"body/smile": 0.5}
    pending.drop(["head"])
    found = pending.over(RIG, pose)
    assert dict(found.curves)["speed"] == 2.0 and found.translations is pose.translations


def test_bones_that_a_character_lost_do_not_count() -> None:
    pending = PendingPose()
    pending.put(RIG, away(), ["head", "chest"])
    names = tuple("skull" if name == "head" else name for name in RIG.skeleton.names)
    changed = replace(RIG, skeleton=replace(RIG.skeleton, names=names), mirror=type(RIG.mirror)())
    found = pending.over(changed, rest_pose(changed))
    assert (
        found.scales[2].tolist() == [2.0] * 3
        and found.translations[3].tolist() == rest_pose(RIG).translations[3].tolist()
    )


def test_what_was_pending_comes_back_as_it_was() -> None:
    pending = PendingPose()
    pending.put(RIG, away(), ["head"])
    pending.put_weights(RIG, {SPEED: 2.0})
    back = pending.kept()
    pending.put(OTHER, away(OTHER), ["chest"])
    heard = told(pending.changed)
    back()
    assert (pending.rig, set(pending.bones), dict(pending.weights)) == (RIG.id, {"head"}, {SPEED: 2.0})
    assert len(heard) == 1


# ---------------------------------------------------------------- previews
def test_a_drag_goes_through_what_holds_and_settles_and_tells_of_changes_only() -> None:
    preview, pose, clip = Preview(), away(), small_clip(RIG)
    heard = told(preview.changed)
    preview.set_pose(None)
    preview.set_clip(None)
    preview.clear()
    assert heard == [] and not preview.active
    held, settled = rest_pose(RIG), replace(clip, name="settled")
    preview.hold, preview.settle = lambda given: held, lambda given: settled
    for _ in range(2):
        preview.set_pose(pose)
    assert preview.pose is held and preview.active and len(heard) == 1
    for _ in range(2):
        preview.set_clip(clip)
    assert preview.clip is settled and len(heard) == 2
    preview.set_pose(None)
    assert preview.pose is None and preview.active and len(heard) == 3
    preview.clear()
    assert preview.clip is None and not preview.active and len(heard) == 4


# ---------------------------------------------------------------- selected keys
class Kept:
    """Selected keys of a clip that is exchanged."""

    def __init__(self, *times: float) -> None:
        self.selection = Selection(lambda: RIG)
        self.put(*times)
        self.kept = KeptKeys(self.selection, lambda: self.clip)

    def put(self, *times: float) -> None:
        track = scalar_track(times, np.zeros(len(times)))
        self.clip = replace(small_clip(RIG), tracks={X: track, Y: track})

    def after(self, *times: float) -> list[int]:
        self.put(*times)
        self.kept.follow()
        return self.selection.keys.get(X, np.zeros(0)).tolist()


@pytest.mark.parametrize(
    ("numbers", "after", "expected"),
    [
        ([1], (0.0, 0.5, 1.0, 2.0), [2]),
        ([1], (1.0, 2.0), [0]),
        ([0, 2], (0.0, 2.0), [0, 1]),
        ([1], (0.0, 2.0, 3.0), [1]),
        ([1], (0.0, 2.0), []),
        ([2], (0.0,), []),
        ([0, 1, 2], (0.0, 1.0, 2.0), [0, 1, 2]),
        ([1], (0.0, 1.0 + 4e-6, 1.5, 2.0), [1]),
    ],
)
def test_selected_keys_are_found_again_at_their_times(
    numbers: list[int], after: tuple[float, ...], expected: list[int]
) -> None:
    kept = Kept(0.0, 1.0, 2.0)
    kept.selection.select_keys({X: numbers})
    assert kept.after(*after) == expected


def test_selected_keys_of_a_track_that_went_are_none() -> None:
    kept = Kept(0.0, 1.0)
    kept.selection.select_keys({X: [1], Y: [0]})
    kept.clip = replace(kept.clip, tracks={Y: kept.clip.tracks[Y]})
    kept.kept.follow()
    assert {channel: k.tolist() for channel, k in kept.selection.keys.items()} == {Y: [0]}
    kept.clip = None
    kept.kept.follow()
    assert not kept.selection.keys


# ---------------------------------------------------------------- clips
@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    yield made
    made.close()


def test_a_new_clip_has_the_length_and_rate_asked_for_and_a_free_name(session: Session) -> None:
    first = session.clips.new()
    assert (session.clip.id, session.clip.name, session.clip.length) == (first, "clip", 1.0)
    assert session.clip.rate == FrameRate.of(30) and session.history.undo_label == "New clip clip"
    session.clips.new("run", 2.5, FrameRate.of(24))
    assert (session.clip.name, session.clip.length, session.clip.rate.fps) == ("run", 2.5, 24.0)
    session.clips.new()
    assert session.clip.name == "clip 2" and session.clip.rate.fps == 24.0
    with pytest.raises(ValidationError, match="there is already a clip named “run”: choose another name"):
        session.clips.new("run")


def test_changes_of_a_clip_are_one_step_each_and_equal_ones_none(session: Session) -> None:
    clip = session.clip.id
    for change, label in (
        (lambda: session.clips.set_length(clip, 3.0), "Length of swing"),
        (lambda: session.clips.set_rate(clip, FrameRate.of(60), KeepTime.FRAMES), "Frame rate of swing"),
        (lambda: session.clips.set_looping(clip, True), "Loop of swing"),
        (lambda: session.clips.set_root_motion(clip, RootMotion(True)), "Root motion of swing"),
    ):
        assert change() and session.history.undo_label == label
        assert not change() and session.history.undo_label == label
    assert session.clip.length == 1.5 and session.clips.reverse(clip)
    assert session.history.undo_label == "Reverse of swing"
    assert session.clips.rename(clip, "walk") and session.history.undo_label == "Rename swing to walk"
    assert not session.clips.rename(clip, "walk")
    session.clips.duplicate(clip)
    assert session.history.undo_label == "Duplicate clip walk" and session.clip.id != clip
    with pytest.raises(AnimError):
        session.clips.rename(session.clip.id, "walk")


def test_trimming_goes_along_only_where_the_clip_is_shown(session: Session) -> None:
    clip = session.clip.id
    session.playback.set_range(0.25, 1.75)
    session.playback.seek(1.0)
    assert session.clips.trim(clip, 0.5, 1.5)
    assert (session.playback.range, session.playback.time, session.clip.length) == (None, 0.5, 1.0)
    session.playback.seek(0.25)
    session.clips.trim(clip, 0.5, 1.0)
    assert session.playback.time == 0.0
    other = session.clips.new("other", 2.0)
    session.playback.set_range(0.5, 1.5)
    session.playback.seek(1.0)
    session.clips.trim(clip, 0.1, 0.4)
    assert (session.playback.clip, session.playback.range, session.playback.time) == (other, (0.5, 1.5), 1.0)


def test_deleting_a_clip_that_is_not_shown_shows_what_was_shown(session: Session) -> None:
    other = session.clips.new("other")
    session.clips.delete(AssetId("clip-small"))
    assert session.playback.clip == other and session.history.undo_label == "Delete clip swing"
    assert session.clips.why_not_delete(other) == ""


# ---------------------------------------------------------------- sets of bones
def test_sets_are_made_taken_in_hand_and_told(session: Session) -> None:
    sets = session.feature(BoneSets)
    heard, named = told(sets.changed), []
    sets.named.connect(named.append)
    assert sets.names == () and sets.in_hand == "" and sets.bone_colors() == {}
    with pytest.raises(ValidationError, match="select the bones of the set first"):
        sets.make("arm")
    session.selection.select(["hand_l", "lower_arm_l"])
    assert sets.make(" arm ", SetColor.GREEN) == "arm" and named == ["arm"] and sets.in_hand == "arm"
    assert session.history.undo_label == "New bone set arm" and heard
    with pytest.raises(ValidationError, match="there is a bone set “arm” already"):
        sets.make(" arm ")
    count = len(heard)
    sets.choose("arm")
    assert len(heard) == count
    assert sets.make() == "lower_arm_l" and sets.in_hand == "lower_arm_l"
    sets.choose("gone")
    assert sets.in_hand == ""
    session.undo()
    assert sets.in_hand == "arm"  # the only one


@pytest.mark.parametrize(
    ("bones", "name"),
    [(("hand_l", "lower_arm_l"), "lower_arm_l"), (("hand_l", "hand_r"), "bones"), (("head",), "head")],
)
def test_a_set_is_named_after_the_bone_that_all_are_below(bones: tuple[str, ...], name: str) -> None:
    assert proposed_name(RIG, bones) == name


def test_edits_of_sets_are_one_step_each_and_nothing_is_none(session: Session) -> None:
    sets = session.feature(BoneSets)
    session.selection.select(["hand_l", "lower_arm_l"])
    sets.make("arm", SetColor.GREEN)
    assert not sets.add("arm") and not sets.recolor("arm", SetColor.GREEN) and not sets.rename("arm", "arm")
    session.selection.select(["upper_arm_l"])
    assert not sets.remove("arm")
    assert sets.add("arm") and session.history.undo_label == "Add to bone set arm"
    assert sets.bones("arm") == ("upper_arm_l", "lower_arm_l", "hand_l")
    assert sets.remove("arm") and session.history.undo_label == "Remove from bone set arm"
    colors = tuple(SetColor)
    assert sets.recolor("arm", colors[-1]) and session.history.undo_label == "Color of bone set arm"
    assert sets.next_color("arm") and sets.color("arm") is colors[0]
    assert sets.next_color("arm") and sets.color("arm") is colors[1]
    assert sets.rename("arm", " limb ") and sets.in_hand == "limb"
    assert session.history.undo_label == "Rename bone set arm to limb"
    assert sets.delete("limb") and session.history.undo_label == "Delete bone set limb" and sets.names == ()
    with pytest.raises(MissingReferenceError):
        sets.bones("limb")


def test_a_rename_that_fails_leaves_the_set_in_hand(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = session.feature(BoneSets)
    session.selection.select(["hand_l"])
    sets.make("arm")
    session.selection.select(["head"])
    sets.make("face")
    sets.choose("arm")

    def fail(*given: object, **named: object) -> bool:
        raise AnimError("no")

    monkeypatch.setattr(session.edits, "put", fail)
    with pytest.raises(AnimError):
        sets.rename("arm", "limb")
    assert sets.in_hand == "arm"
    monkeypatch.undo()
    assert sets.rename("face", "head") and sets.in_hand == "arm"


def test_sets_select_their_bones_and_say_how_much_is_selected(session: Session) -> None:
    sets = session.feature(BoneSets)
    session.selection.select(["hand_l", "lower_arm_l"])
    sets.make("arm", SetColor.GREEN)
    session.selection.select(["hand_l", "head"])
    sets.make("ends", SetColor.BLUE)
    assert [sets.held(name) for name in sets.names] == [Held.SOME, Held.ALL]
    assert sets.colors_of_selection() == (SetColor.GREEN, SetColor.BLUE)
    session.selection.select(["chest"])
    assert sets.held("arm") is Held.NONE and sets.colors_of_selection() == ()
    session.selection.set_flag("locked", ["hand_l"])
    sets.select("arm")
    assert session.selection.bones == ("lower_arm_l",) and sets.in_hand == "arm"
    session.selection.set_flag("locked", ())
    sets.select("ends", Mode.ADD)
    assert set(session.selection.bones) == {"lower_arm_l", "hand_l", "head"}
    session.selection.set_flag("locked", ["hand_l"])
    sets.select("arm", Mode.REMOVE)
    assert session.selection.bones == ("head",)
    sets.select_colors([SetColor.GREEN])
    assert set(session.selection.bones) == {"lower_arm_l", "hand_l"}


def test_isolating_a_set_twice_shows_all_again(session: Session) -> None:
    sets = session.feature(BoneSets)
    session.selection.select(["hand_l", "lower_arm_l"])
    sets.make("arm")
    for solo in ({"hand_l", "lower_arm_l"}, set()):
        sets.isolate("arm")
        assert session.selection.solo == solo and sets.in_hand == "arm"


def test_sets_of_other_characters_are_copied_but_not_the_own(session: Session) -> None:
    sets = session.feature(BoneSets)
    other = replace(OTHER, bone_sets={"arm": ("hand_l",)})
    assert not sets.carry([session.rig]) and sets.carry([session.rig, other])
    assert sets.names == ("arm",) and session.history.undo_label == "Copy bone sets"


def test_without_a_character_there_are_no_sets(session: Session) -> None:
    sets = session.feature(BoneSets)
    session.files.new()
    assert sets.names == () and sets.in_hand == "" and sets.bone_colors() == {}
    with pytest.raises(ValidationError, match="there is no character: open or import one first"):
        sets.bones("arm")
