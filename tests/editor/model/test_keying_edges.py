"""Keying at its edges: what is refused and why, labels, weights of morphs and curves, and what stays pending."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property, RootMotion
from core.clips.contacts import with_contacts
from core.clips.keying import KeyWhich, Tolerance
from core.errors import AnimError
from core.ids import AssetId
from core.math import euler
from core.pose.pose import Pose
from core.rig.mesh import MorphTarget
from core.tracks.keys import TangentMode, quaternion_track, scalar_track
from editor.model import new_keys
from editor.model.autokey import KeyState
from editor.model.channels import curve_channel, morph_channel
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.model.test_evaluator_edges import Still
from tests.editor.rigs import small_clip, small_project, small_rig, tube_mesh

HEAD, ARM = 3, Channel("upper_arm_l", Property.ROTATE, 1)
SPEED, SMILE, FROWN = curve_channel("speed"), morph_channel("body/smile"), morph_channel("body/frown")
NEW = curve_channel("new")


@pytest.fixture
def session() -> Session:
    """The small character with two morphs; its clip has a curve with keys at 0 s and 2 s, and contacts."""
    made, project = Session.create(), small_project()
    mesh = tube_mesh(small_rig())
    offsets = np.zeros_like(mesh.positions)
    mesh = replace(
        mesh, morphs=(MorphTarget("smile", offsets), MorphTarget("frown", offsets, default_weight=0.25))
    )
    clip = replace(project.clips[0], curves={"speed": scalar_track([0.0, 2.0], [1.0, 2.0])})
    clip = with_contacts(clip, "contact_left_foot", [(0.2, 0.8)])
    made.document.replace(project.with_assets(mesh, clip), None)
    yield made
    made.close()


def bent(session: Session, degrees: float = 20.0, bone: int = HEAD) -> Pose:
    return session.evaluator.pose().with_bone(bone, rotation=euler.to_quaternion([0.0, degrees, 0.0], 0))


def told(session: Session) -> list[None]:
    heard: list[None] = []
    session.keying.changed.connect(heard.append)
    return heard


def test_settings_tell_of_a_change_once_and_are_remembered(session: Session) -> None:
    heard = told(session)
    session.keying.auto = True
    assert heard == [] and session.keying.auto
    session.keying.auto = False
    assert len(heard) == 1 and session.preferences.get("auto_key") is False
    session.keying.tolerance = Tolerance(0.5, 2.0, 0.25)
    assert len(heard) == 2 and session.keying.tolerance == Tolerance(0.5, 2.0, 0.25)
    names = ("tolerance_translate", "tolerance_rotate", "tolerance_scale")
    assert [session.preferences.get(name) for name in names] == [0.5, 2.0, 0.25]


@pytest.mark.parametrize("event", ["time", "clip", "document", "pending"])
def test_states_of_keys_may_differ_after(session: Session, event: str) -> None:
    pose = bent(session)
    heard = told(session)
    if event == "time":
        session.playback.seek(1.0)
    elif event == "clip":
        session.playback.set_clip(None)
    elif event == "document":
        session.edits.set_settings("setting", {"a": 1})
    else:
        session.pending.put(session.rig, pose, ["head"])
    assert heard


# ---------------------------------------------------------------- poses
@pytest.mark.parametrize(
    ("bones", "words"),
    [
        (["head"], ("head is locked and was not changed", "Unlock it in the bone tree")),
        (["head", "chest"], ("2 bones are locked and were not changed", "Unlock them in the bone tree")),
    ],
)
def test_locked_bones_are_named_with_what_to_do(
    session: Session, bones: list[str], words: tuple[str, str]
) -> None:
    session.selection.set_flag("locked", bones)
    assert not session.keying.commit_pose("Rotate", bent(session), bones)
    latest = session.messages.latest
    assert (latest.text, latest.next_step) == words
    assert session.keying.commit_pose("Rotate", bent(session), [*bones, "spine", "pelvis"]) is False
    assert session.history.labels == ()


def test_a_bone_named_twice_is_no_locked_one(session: Session) -> None:
    assert session.keying.commit_pose("Rotate", bent(session), ["head", "head"])
    assert session.messages.latest is None


def test_what_is_keyed_besides_is_posed_and_what_is_placed_is_placed(session: Session) -> None:
    session.playback.seek(0.5)
    asked: list[tuple[str, ...]] = []

    def hold(pose: Pose, bones: tuple[str, ...]) -> tuple[Pose, tuple[str, ...]]:
        asked.append(bones)
        return pose, (*bones, "chest")

    session.keying.hold = hold
    assert session.keying.commit_pose("Rotate", bent(session), ["head"], placed=["spine", "head"])
    keyed = {c for c, track in session.clip.tracks.items() if 0.5 in track.times}
    expected = {Channel("chest", Property.ROTATE, axis) for axis in range(3)}
    expected |= {
        Channel("head", part, axis) for part in (Property.ROTATE, Property.TRANSLATE) for axis in range(3)
    }
    assert keyed == expected and asked == [("head",)]


def test_keyed_bones_are_no_longer_pending_and_others_are(session: Session) -> None:
    session.keying.auto = False
    pose = bent(session)
    session.keying.commit_pose("Rotate", pose.with_bone(2, rotation=pose.rotations[HEAD]), ["head", "chest"])
    session.keying.auto = True
    assert session.keying.commit_pose("Rotate", bent(session, 30.0), ["head"])
    assert set(session.keying.pending) == {"chest"}
    shown = session.evaluator.sampled_pose()
    assert not session.keying.commit_pose("Rotate", shown, ["chest"]) and not session.keying.pending


def test_without_a_clip_one_is_made_that_is_long_enough(session: Session) -> None:
    for time, length in ((0.25, 1.0), (3.5, 3.5)):
        session.playback.set_clip(None)
        session.playback.seek(time)
        assert session.keying.commit_pose("Rotate", bent(session), ["head"])
        assert session.clip.length == length and session.playback.time == time
        assert session.clip.tracks[Channel("head", Property.ROTATE, 1)].times.tolist() == [time]
        assert session.playback.clip == session.clip.id and session.clip.rig == session.rig.id
        assert session.clip.root_motion == RootMotion() and session.clip.rate.fps == 30.0
    assert [clip.name for clip in session.document.project.clips] == ["swing", "clip", "clip 2"]
    session.undo()
    assert (session.playback.clip, session.playback.time) == (None, 3.5)  # as it was before the key
    session.redo()
    assert session.playback.clip == session.document.project.clips[-1].id
    session.undo()
    assert [clip.name for clip in session.document.project.clips] == ["swing", "clip"]


def test_new_keys_get_the_tangents_chosen(session: Session) -> None:
    new_keys.choose(session.preferences, new_keys.NewTangents.LINEAR)
    session.playback.seek(0.5)
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    session.keying.commit_weights("Speed", {SPEED: 4.0})
    session.keying.set_key(["chest"], which="all")
    chosen = (Channel("head", Property.ROTATE, 1), Channel("chest", Property.SCALE, 0))
    for track in (*(session.clip.tracks[channel] for channel in chosen), session.clip.curves["speed"]):
        place = track.times.tolist().index(0.5)
        assert track.modes[place] == TangentMode.LINEAR


@pytest.mark.parametrize("auto", [True, False])
def test_nothing_is_keyed_while_something_else_is_shown(session: Session, auto: bool) -> None:
    session.keying.auto = auto
    pose = bent(session)
    source = Still(session)
    session.display.show(source)
    for verb in (
        lambda: session.keying.commit_pose("Rotate", pose, ["head"]),
        lambda: session.keying.commit_weights("Speed", {SPEED: 4.0}),
        lambda: session.keying.set_key(["head"]),
    ):
        count = len(session.messages.log)
        assert not verb()
        latest = session.messages.latest
        assert len(session.messages.log) == count + 1 and latest.level is Level.WARNING
        assert (
            latest.text == "“standing” is displayed, not the clip" and "Stop the preview" in latest.next_step
        )
    assert session.history.labels == () and not session.keying.pending and not session.pending.weights
    assert session.keying.delete_keys(["upper_arm_l"])  # of the clip, whatever is shown
    session.display.hide(source)


# ---------------------------------------------------------------- set, delete and insert
def test_set_key_of_nothing_does_nothing(session: Session) -> None:
    assert not session.keying.set_key([]) and session.messages.latest is None
    session.selection.set_flag("locked", ["head"])
    assert not session.keying.set_key(["head"], which="all") and session.history.labels == ()


@pytest.mark.parametrize(
    ("bones", "weights", "label"),
    [
        (["head"], (), "Set key head @ f15"),
        (["head", "chest"], (), "Set key 2 bones @ f15"),
        (["head"], (SPEED,), "Set key head, speed @ f15"),
        ([], (SPEED,), "Set key speed @ f15"),
        ([], (SPEED, SMILE), "Set key 2 morphs and curves @ f15"),
    ],
)
def test_set_key_says_what_is_keyed(
    session: Session, bones: list[str], weights: tuple[Channel, ...], label: str
) -> None:
    session.playback.seek(0.5)
    assert session.keying.set_key(bones, "all", weights) and session.history.labels == (label,)
    assert (0.5 in session.clip.curves["speed"].times) is (SPEED in weights)


def test_set_key_takes_the_selection_with_its_weights(session: Session) -> None:
    session.playback.seek(0.5)
    session.selection.select_weights([SMILE])
    assert session.keying.set_key(which="all")
    assert session.history.labels == ("Set key body/smile @ f15",)
    assert list(session.clip.morphs) == ["body/smile"]
    assert session.clip.tracks is not None and all(0.5 not in t.times for t in session.clip.tracks.values())
    session.selection.clear()
    session.playback.seek(0.75)
    assert session.keying.set_key(which="all")
    assert session.history.undo_label == "Set key 16 bones, 3 morphs and curves @ f22.5"


@pytest.mark.parametrize(
    ("which", "keyed"),
    [(KeyWhich.CHANGED, {"new"}), (KeyWhich.EXISTING, {"speed"}), (KeyWhich.ALL, {"speed", "new"})],
)
def test_weights_are_keyed_by_what_is_asked_for(session: Session, which: KeyWhich, keyed: set[str]) -> None:
    session.playback.seek(0.5)
    session.keying.auto = False
    session.keying.commit_weights("New", {NEW: 3.0})
    assert session.keying.set_key([], which, (SPEED, NEW))
    assert {name for name, track in session.clip.curves.items() if 0.5 in track.times} == keyed
    assert not session.pending.weights


def test_set_key_that_keys_nothing_says_why(session: Session) -> None:
    for verb, words in (
        (lambda: session.keying.set_key(["head"]), "the pose is the clip's own at frame 0"),
        (lambda: session.keying.set_key(["head"], "existing"), "there are no channels of head yet"),
        (
            lambda: session.keying.set_key(["pelvis"], "existing"),
            "the keys of pelvis at frame 0 are these already",
        ),
        (lambda: session.keying.set_key([], "existing", (SPEED,)), "there are no channels of speed yet"),
        (
            lambda: session.keying.set_key([], "all", (SPEED,)),
            "the keys of speed at frame 0 are these already",
        ),
    ):
        assert not verb()
        assert session.messages.latest.text == f"No key set: {words}"
    assert session.history.labels == ()


def test_set_key_without_a_clip_makes_one(session: Session) -> None:
    session.playback.set_clip(None)
    assert session.keying.set_key(["head"]) and session.clip.name == "clip" and not session.clip.tracks


def test_delete_and_insert_say_where_and_what(session: Session) -> None:
    session.playback.seek(20 / 30)
    assert not session.keying.delete_keys() and not session.keying.insert_key()
    session.selection.select(["upper_arm_l"])
    assert not session.keying.insert_key()  # there are keys already
    assert session.history.labels == ()
    assert session.keying.delete_keys()
    session.playback.seek(0.5)
    assert not session.keying.delete_keys()
    assert session.messages.latest.text == "The selection has no key at frame 15"
    assert session.keying.insert_key(["upper_arm_l", "pelvis"])
    assert session.history.labels == ("Delete keys upper_arm_l @ f20", "Insert key @ f15")
    assert {c.bone for c, t in session.clip.tracks.items() if 0.5 in t.times} == {"upper_arm_l", "pelvis"}


def test_delete_takes_the_selected_curves_along_and_only_those(session: Session) -> None:
    session.playback.seek(2.0)
    session.selection.select(["upper_arm_l"])
    session.selection.select_weights([SPEED])
    assert session.keying.delete_keys() and session.history.labels == (
        "Delete keys upper_arm_l, speed @ f60",
    )
    assert session.clip.curves["speed"].times.tolist() == [0.0] and len(session.clip.tracks[ARM]) == 3
    session.undo()
    assert session.keying.delete_keys(["upper_arm_l"])
    assert session.clip.curves["speed"].times.tolist() == [0.0, 2.0]
    session.undo()
    assert session.keying.delete_keys([], [SPEED]) and len(session.clip.tracks[ARM]) == 4


def test_keys_of_a_clip_from_outside_are_not_touched(session: Session) -> None:
    session.playback.set_transient_clip(small_clip(small_rig(), 1.0))
    session.display.show(Still(session))
    assert not session.keying.delete_keys(["upper_arm_l"]) and not session.keying.insert_key(["lower_arm_l"])
    assert session.messages.latest.text == "“standing” is displayed, not the clip"
    assert session.history.labels == ()


def test_without_a_clip_there_is_nothing_to_delete_or_insert(session: Session) -> None:
    session.playback.set_clip(None)
    assert not session.keying.delete_keys(["head"]) and not session.keying.insert_key(["head"])
    assert session.messages.latest is None


# ---------------------------------------------------------------- weights
def test_weights_with_auto_key_are_one_step_and_equal_ones_none(session: Session) -> None:
    assert not session.keying.commit_weights("Nothing", {})
    session.playback.seek(0.5)
    assert session.keying.commit_weights("Weights", {SPEED: 4.0, SMILE: 0.5})
    assert session.history.labels == ("Weights",)
    assert session.clip.curves["speed"].times.tolist() == [0.0, 0.5, 2.0]
    assert session.clip.morphs["body/smile"].values.tolist() == [0.5]
    assert not session.keying.commit_weights("Weights", {SPEED: 4.0})
    assert session.history.labels == ("Weights",)


def test_weights_without_auto_key_are_pending_until_they_are_keyed(session: Session) -> None:
    session.keying.auto = False
    assert session.keying.commit_weights("Weights", {SPEED: 4.0, SMILE: 0.5})
    assert session.history.labels == () and session.keying.weight(SPEED) == 4.0
    assert session.keying.weight_state(SPEED) is session.keying.weight_state(SMILE) is KeyState.PENDING
    session.keying.auto = True
    assert not session.keying.commit_weights("Back", {SPEED: 1.0})
    assert dict(session.pending.weights) == {SMILE: 0.5}
    assert session.keying.commit_weights("Smile", {SMILE: 0.75}) and not session.pending.weights
    session.keying.auto = False
    session.keying.commit_weights("Weights", {SMILE: 0.25})
    assert session.keying.drop_pending() and not session.keying.drop_pending()
    assert session.keying.weight(SMILE) == 0.75


def test_weights_without_a_clip_make_one(session: Session) -> None:
    session.playback.set_clip(None)
    assert session.keying.commit_weights("Smile", {SMILE: 0.5})
    assert session.clip.name == "clip" and session.keying.weight(SMILE) == 0.5


def test_values_and_states_of_weights_by_time(session: Session) -> None:
    keying = session.keying
    assert [keying.weight(c) for c in (SPEED, NEW, SMILE, FROWN)] == [1.0, 0.0, 0.0, 0.25]
    assert keying.weight(morph_channel("body/unknown")) == 0.0
    assert (keying.weight_state(SPEED), keying.weight_state(SMILE)) == (KeyState.KEYED, KeyState.NONE)
    session.playback.seek(0.5)
    assert keying.weight_state(SPEED) is KeyState.ANIMATED
    session.playback.set_clip(None)
    assert keying.weight_state(SPEED) is KeyState.NONE
    assert [keying.weight(c) for c in (SPEED, SMILE, FROWN)] == [0.0, 0.0, 0.25]


def test_weights_listed_are_morphs_and_curves_without_contacts(session: Session) -> None:
    other = replace(
        session.clip, id=AssetId("clip-2"), name="other", curves={}, morphs={"gone": scalar_track([0], [1])}
    )
    session.edits.put("other", other)
    assert session.keying.weight_channels() == (SMILE, FROWN, morph_channel("gone"), SPEED)
    session.preview.set_clip(replace(session.clip, curves={"new": scalar_track([0.0], [1.0])}))
    assert session.keying.weight_channels()[-2:] == (NEW, SPEED)
    session.preview.clear()
    session.files.new()
    assert session.keying.weight_channels() == () and session.keying.weight(SPEED) == 0.0


# ---------------------------------------------------------------- states
def test_a_quaternion_track_answers_for_every_axis_of_the_rotation_alone(session: Session) -> None:
    track = quaternion_track([0.0, 1.0], [[0, 0, 0, 1], [0, 0.6, 0, 0.8]])
    session.edits.put("turn", session.clip.with_tracks({Channel("head", Property.ROTATE, WHOLE): track}))
    state = session.keying.key_state
    assert {state("head", Property.ROTATE, axis) for axis in range(3)} == {KeyState.KEYED}
    assert state("head", Property.TRANSLATE, 0) is state("head", Property.SCALE, 0) is KeyState.NONE
    session.playback.seek(0.5)
    assert state("head", Property.ROTATE, 1) is KeyState.ANIMATED
    session.keying.auto = False
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    assert {state("head", Property.ROTATE, axis) for axis in range(3)} == {KeyState.PENDING}
    assert state("head", Property.TRANSLATE, 0) is KeyState.NONE


def test_without_a_clip_what_is_pending_differs_from_the_rest_pose(session: Session) -> None:
    session.playback.set_clip(None)
    session.keying.auto = False
    assert session.keying.commit_pose("Rotate", bent(session), ["head", "chest"])
    state = session.keying.key_state
    assert set(session.keying.pending) == {"head"}
    assert state("head", Property.ROTATE, 1) is KeyState.PENDING
    assert state("head", Property.ROTATE, 0) is state("chest", Property.ROTATE, 1) is KeyState.NONE


# ---------------------------------------------------------------- other characters
def test_what_is_pending_goes_with_a_warning_where_another_character_is_shown(session: Session) -> None:
    session.edits.put("another", replace(small_rig(), id=AssetId("rig-other"), name="another"))
    session.keying.auto = False
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    session.playback.set_clip(None)
    assert set(session.keying.pending) == {"head"} and session.messages.latest is None
    session.playback.set_clip(None, AssetId("rig-other"))
    assert not session.keying.pending and session.messages.latest.level is Level.WARNING
    assert session.messages.latest.text == "Pending changes belonged to another character and were discarded"


def test_without_a_character_keying_says_what_to_do(session: Session) -> None:
    session.files.new()
    for verb in (
        lambda: session.keying.set_key(),
        lambda: session.keying.commit_weights("Speed", {SPEED: 1.0}),
    ):
        with pytest.raises(AnimError, match="There is no character to key: open or import one first"):
            verb()
