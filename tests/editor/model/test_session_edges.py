"""The session as a whole: what undo shows, keys of the clip, the transport that is remembered, and what is told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.errors import AnimError
from core.ids import AssetId
from core.project.project import Project
from core.tracks.edits import set_mode
from core.tracks.keys import TangentMode
from core.tracks.tangents import Ends
from editor.model import session as sessions
from editor.model.bone_sets import BoneSets
from editor.model.commands import ViewState
from editor.model.features import make_features
from editor.model.file_state import digest
from editor.model.messages import Level
from editor.model.playback import LoopMode, PlayMode
from editor.model.session import Session
from tests.editor.model.test_evaluator_edges import Still
from tests.editor.panel_stage import small_session
from tests.editor.rigs import small_clip, small_project, small_rig

RIG, CLIP, OTHER = (AssetId(name) for name in ("rig-small", "clip-small", "clip-other"))
ARM = Channel("upper_arm_l", Property.ROTATE, 1)


@pytest.fixture
def session() -> Session:
    made = small_session(mesh=False)
    made.edits.put("other", replace(made.clip, id=OTHER, name="other", tracks={}))
    made.history.clear()
    yield made
    made.close()


# ---------------------------------------------------------------- what is shown
def test_the_view_is_what_is_shown_and_selected(session: Session) -> None:
    session.playback.set_clip(OTHER, below=CLIP)
    session.playback.seek(0.5)
    session.selection.select(["head", "chest"])
    assert session.view() == ViewState(RIG, OTHER, 0.5, ("head", "chest"), CLIP)


def test_a_view_is_shown_as_far_as_it_still_exists(session: Session) -> None:
    session.selection.select(["head"])
    session.show(None)
    assert session.playback.clip == CLIP and session.selection.bones == ("head",)
    session.show(ViewState(RIG, OTHER, 1.5, ("chest", "nobody")))
    assert (session.playback.clip, session.playback.time) == (OTHER, 1.5)
    assert session.selection.bones == ("chest",)
    session.show(ViewState(RIG, CLIP, 9.0, (), OTHER))
    assert (session.playback.clip, session.playback.below, session.playback.time) == (CLIP, OTHER, 2.0)
    session.show(ViewState(RIG, AssetId("gone"), 0.25))
    assert (session.playback.clip, session.playback.time) == (CLIP, 0.25)
    session.show(ViewState(AssetId("gone"), AssetId("gone"), 0.5))
    assert (session.playback.clip, session.playback.time) == (CLIP, 0.5)


def test_a_view_of_a_clip_that_went_shows_the_first_one_of_its_character(session: Session) -> None:
    rig = replace(small_rig(), id=AssetId("rig-b"), name="b")
    clip = replace(small_clip(rig), id=AssetId("clip-b"), name="b", rig=rig.id)
    bare = replace(rig, id=AssetId("rig-c"), name="c")
    session.edits.put("others", rig, clip, bare)
    session.show(ViewState(rig.id, AssetId("gone")))
    assert session.playback.clip == clip.id
    session.show(ViewState(bare.id, None))
    assert (session.playback.clip, session.playback.rig) == (None, bare.id)
    session.show(ViewState(RIG, AssetId("gone")))
    assert session.playback.clip == CLIP


def test_a_view_without_a_clip_shows_none(session: Session) -> None:
    session.playback.seek(1.5)
    session.show(ViewState(RIG, None, 0.5))
    assert (session.playback.clip, session.playback.rig, session.playback.time) == (None, RIG, 0.5)
    session.playback.set_clip(CLIP)
    session.show(ViewState(None, None, 0.25))
    assert (session.playback.clip, session.playback.time) == (CLIP, 0.25)


def test_a_view_of_the_clip_that_is_shown_leaves_a_transient_one(session: Session) -> None:
    outside = small_clip(small_rig(), 1.0)
    session.playback.set_transient_clip(outside)
    session.show(ViewState(RIG, CLIP, 0.5))
    assert session.playback.transient_clip is outside
    session.show(ViewState(RIG, OTHER, 0.5))
    assert session.playback.transient_clip is None


@pytest.mark.parametrize("way", ["undo", "redo", "go to"])
def test_going_through_the_history_ends_a_drag_and_stops_time(session: Session, way: str) -> None:
    assert not session.undo() and not session.redo() and not session.go_to(0)
    session.clips.rename(CLIP, "walk")
    if way == "redo":
        session.undo()
    session.preview.set_pose(session.evaluator.pose())
    session.playback.play()
    done = {"undo": session.undo, "redo": session.redo, "go to": lambda: session.go_to(0)}[way]
    assert done() and not session.preview.active and not session.playback.playing
    assert session.clip.name == ("walk" if way == "redo" else "swing")


def test_a_preview_from_elsewhere_can_be_stopped(session: Session) -> None:
    session.display.show(Still(session))
    session.stop_preview()
    assert session.display.source is None


@pytest.mark.parametrize(("folded", "label"), [(True, "head"), (False, "hero:head")])
def test_bones_are_written_without_the_prefix_that_all_share_by_a_switch(
    session: Session, folded: bool, label: str
) -> None:
    skeleton = session.rig.skeleton
    named = replace(skeleton, names=tuple(f"hero:{name}" for name in skeleton.names))
    rig = replace(small_rig(), id=AssetId("rig-hero"), skeleton=named, mirror=type(small_rig().mirror)())
    session.document.replace(Project({rig.id: rig}), None)
    session.switches.set("short_names", folded)
    assert session.bone_label("hero:head") == label
    session.files.new()
    assert session.bone_label("hero:head") == "hero:head"


def test_another_document_shows_a_character_that_has_clips(session: Session) -> None:
    session.playback.play()
    session.selection.select(["head"])
    session.selection.select_keys({ARM: [1]})
    session.preview.set_pose(session.evaluator.pose())
    bare, project = replace(small_rig(), id=AssetId("rig-a"), name="a"), small_project(mesh=False)
    session.document.replace(Project({bare.id: bare, **project.assets}), None)
    assert (session.playback.rig, session.playback.clip, session.playback.time) == (RIG, CLIP, 0.0)
    assert session.selection.bones == () and not session.selection.keys
    assert not session.preview.active and not session.playback.playing
    session.document.replace(Project({bare.id: bare}), None)
    assert (session.playback.rig, session.playback.clip) == (bare.id, None)
    session.document.replace(Project(), None)
    assert (session.playback.rig, session.playback.clip) == (None, None)


def test_another_clip_deselects_keys_and_bones_it_has_not(session: Session) -> None:
    session.selection.select(["head"])
    session.selection.select_keys({ARM: [1]})
    session.playback.set_clip(OTHER)
    assert session.selection.bones == ("head",) and not session.selection.keys


# ---------------------------------------------------------------- keys
def test_times_of_keys_are_those_of_the_bones_asked_for(session: Session) -> None:
    frames = [
        np.round(session.key_times(bones) * 30.0).tolist() for bones in (None, [], ["pelvis"], ["head"])
    ]
    assert frames == [[0, 20, 40, 60], [0, 20, 40, 60], [0, 60], []]
    assert not session.key_times().flags.writeable
    session.selection.select(["pelvis"])
    assert len(session.key_times()) == 2 and session.playback.key_times is not None
    session.playback.set_clip(OTHER)
    assert len(session.key_times()) == 0
    session.playback.set_clip(None)
    assert len(session.key_times()) == 0


def test_times_of_keys_are_looked_for_again_after_an_edit_of_the_clip(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    real = sessions._key_times
    monkeypatch.setattr(sessions, "_key_times", lambda clip, bones: asked.append(1) or real(clip, bones))
    first = session.key_times(["pelvis"])
    assert session.key_times(["pelvis"]) is first and len(asked) == 1
    session.edits.set_settings("other", {"a": 1})
    assert session.key_times(["pelvis"]) is first
    session.clips.rename(CLIP, "walk")
    assert session.key_times(["pelvis"]) is not first and len(asked) == 2
    session.key_times(["head"])
    assert len(asked) == 3


@pytest.mark.parametrize("flat", [True, False])
def test_ends_of_curves_are_flat_by_the_preference_in_drags_and_edits_alike(
    session: Session, flat: bool
) -> None:
    session.preferences.set("auto_ends", str(Ends.FLAT if flat else Ends.ONE_SIDED))
    linear = set_mode(session.clip.tracks[ARM], range(4), TangentMode.LINEAR)
    session.edits.put("linear", session.clip.with_tracks({ARM: linear}))
    changed = session.clip.with_tracks({ARM: set_mode(linear, range(4), TangentMode.AUTO)})
    session.preview.set_clip(changed)
    dragged = session.preview.clip.tracks[ARM]
    outside = replace(changed, id=AssetId("nobody"))
    session.preview.set_clip(outside)
    assert session.preview.clip is outside
    session.preview.clear()
    session.edits.put("change", changed)
    for found in (dragged, session.clip.tracks[ARM]):
        assert (float(found.out_slopes[0]) == float(found.in_slopes[-1]) == 0.0) is flat


# ---------------------------------------------------------------- preferences
def test_the_transport_begins_as_it_was_left() -> None:
    first = Session.create()
    first.playback.mode, first.playback.loop = PlayMode.EVERY_FRAME, LoopMode.PING_PONG
    first.playback.in_place = False
    first.close()
    second = Session.create()
    assert (second.playback.mode, second.playback.loop) == (PlayMode.EVERY_FRAME, LoopMode.PING_PONG)
    assert not second.playback.in_place
    for name in ("play_mode", "loop_mode"):
        second.preferences.set(name, "nonsense")
    second.close()
    third = Session.create()
    assert (third.playback.mode, third.playback.loop) == (PlayMode.REAL_TIME, LoopMode.LOOP)
    third.close()


def test_memory_of_undo_follows_its_preference_and_no_other(session: Session) -> None:
    assert session.history.max_bytes == 512 << 20
    session.preferences.set("undo_megabytes", 3)
    assert session.history.max_bytes == 3 << 20
    session.history.max_bytes = 7
    session.preferences.set("theme", "light")
    assert session.history.max_bytes == 7


# ---------------------------------------------------------------- jobs, journal, end
@pytest.mark.parametrize(
    ("error", "words"), [(AnimError("no room"), "Work failed: no room"), (KeyError("x"), "Work failed: KeyError('x')")]
)  # fmt: skip
def test_a_job_whose_error_nobody_takes_is_told(session: Session, error: Exception, words: str) -> None:
    def work(progress: object) -> None:
        raise error

    session.jobs.run("Work", work)
    assert session.messages.latest.level is Level.ERROR and session.messages.latest.text == words


def test_trouble_with_the_journal_is_said_once_and_its_end_too(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[None] = []
    tries: list[int] = []
    session.journal_changed.connect(heard.append)
    monkeypatch.setattr(session.journal, "retry", lambda: tries.append(1))
    session.journal.flush()
    session.journal._problem = "disk full"
    for _ in range(3):
        session.check_journal()
    told = [(message.level, message.text) for message in session.messages.log]
    assert told == [(Level.WARNING, "Steps cannot be written to the journal: disk full")]
    assert "Save often" in session.messages.latest.next_step
    assert len(heard) == 1 and len(tries) == 3 and session.journal_problem == "disk full"
    session.journal._problem = "gone"
    session.check_journal()
    assert len(session.messages.log) == 1 and len(heard) == 2
    session.journal._problem = ""
    for _ in range(2):
        session.check_journal()
    assert session.messages.latest.text == "Steps are written to the journal again"
    assert len(session.messages.log) == 2 and len(heard) == 3 and len(tries) == 4


def test_the_journal_gets_each_step_with_the_view_it_leads_to(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple] = []
    monkeypatch.setattr(session.journal, "record", lambda *given: written.append(given))
    session.playback.seek(0.5)
    view = session.view()
    session.edits.put("one", replace(session.clip, name="walk"), view_after=replace(view, time=1.0))
    session.undo()
    session.redo()
    assert [(str(kind), label, shown.time) for kind, label, shown, *_ in written] == [
        ("do", "one", 1.0),
        ("undo", "one", 0.5),
        ("redo", "one", 1.0),
    ]
    names = [tuple(project.clips[0].name for project in given[3:]) for given in written]
    assert names == [("swing", "walk"), ("walk", "swing"), ("swing", "walk")]


def test_the_journal_begins_from_the_file_as_it_was_read(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "walk.posewright"
    session.files.save(path)
    begun: list[tuple] = []
    monkeypatch.setattr(
        session.journal,
        "begin",
        lambda project, path, on_disk, state=None: begun.append((path, on_disk, state)),
    )
    session.files.open(path)
    session.document.replace(session.document.project, None, saved=False)
    session.files.new()
    assert [(place, on_disk) for place, on_disk, _ in begun] == [(path, True), (None, False), (None, True)]
    assert begun[0][2].sha256 == digest(path) and [state for *_, state in begun[1:]] == [None, None]


def test_closing_stops_time_and_jobs_and_is_told(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.playback.play()
    done: list[str] = []
    monkeypatch.setattr(session.jobs, "cancel_all", lambda: done.append("jobs"))
    session.closing.connect(lambda _: done.append("closing"))
    session.close()
    assert done == ["jobs", "closing"] and not session.playback.playing and session.journal.closed


# ---------------------------------------------------------------- features
class Plain:
    """A feature that takes a service and, where there is one, another feature."""

    def __init__(self, document: object, other: object = None) -> None:
        self.document, self.other = document, other


class Needing:
    """A feature that takes the one above it."""

    def __init__(self, plain: Plain, other: object = "own") -> None:
        self.plain, self.other = plain, other


class Lost:
    """A feature that takes what nobody offers."""

    def __init__(self, nothing: object, plain: Plain) -> None: ...


def test_features_take_services_and_features_above_them() -> None:
    made = make_features({"plain": Plain, "needing": Needing}, {"document": 5})
    assert made[Plain].document == 5 and made[Plain].other is None
    assert made[Needing].plain is made[Plain] and made[Needing].other == "own"
    assert make_features({"plain": Plain}, {"document": 5, "other": 6})[Plain].other == 6
    with pytest.raises(
        TypeError, match='the feature "lost" takes nothing, plain, but a session offers document'
    ):
        make_features({"lost": Lost}, {"document": 5})


def test_a_feature_that_a_session_lacks_is_said() -> None:
    session = Session.create(features={})
    with pytest.raises(LookupError, match=r"BoneSets has no entry in editor/model/features.py"):
        session.feature(BoneSets)
    assert "journal_problem" not in session._services() and "document" in session._services()
    session.close()
