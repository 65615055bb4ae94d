"""Choices that preferences keep: switches, tangents of new keys, places of keys, the timing bar, the Blocking view."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.new_keys import NewTangents
from core.tracks.key_types import KeyType
from core.tracks.places import KeyPlaces
from editor.model import key_places, new_keys, preferences
from editor.model.blocking import NONE, STEPS, Blocking
from editor.model.document import Document
from editor.model.event_choice import EventChoice
from editor.model.key_filter import KeyFilter
from editor.model.preferences import DEFAULTS, RANGES, Preferences
from editor.model.session import Session
from editor.model.switches import DEFAULTS as SWITCHES
from editor.model.switches import SHADINGS, TRAIL_COLORS, Switches
from editor.model.timing_state import TimingState
from tests.editor.panel_stage import small_session
from tests.editor.rigs import small_clip, small_project, small_rig


@pytest.fixture
def kept(tmp_path: Path) -> Preferences:
    return Preferences(tmp_path)


# ---------------------------------------------------------------- preferences
def test_defaults_hold_until_something_is_set_and_after_it_is_reset(kept: Preferences) -> None:
    heard: list[str] = []
    kept.changed.connect(heard.append)
    assert kept.get("backups") == 5 and kept.get("unknown") is None and kept.get("unknown", 3) == 3
    kept.reset("backups")
    kept.set("backups", 5)
    assert heard == [] and not kept.path.exists()
    kept.set("backups", 7)
    kept.reset("backups")
    assert heard == ["backups"] * 2 and kept.get("backups") == 5
    kept.set("theme", "light")
    assert kept.path.read_text() == '{\n "theme": "light"\n}'
    kept.reset("theme")
    assert json.loads(kept.path.read_text()) == {}


@pytest.mark.parametrize("name", sorted(RANGES))
def test_numbers_are_believed_within_their_range_and_not_beyond(tmp_path: Path, name: str) -> None:
    low, high = RANGES[name]
    for value, believed in ((low, True), (high, True), (low - 0.5, False), (high + 0.5, False)):
        (tmp_path / "preferences.json").write_text(json.dumps({name: value}))
        assert Preferences(tmp_path).get(name) == (value if believed else DEFAULTS[name])


@pytest.mark.parametrize(
    ("name", "value", "believed"),
    [
        ("theme", "light", True),
        ("theme", 1, False),
        ("auto_key", False, True),
        ("auto_key", 0, False),
        ("backups", True, False),
        ("backups", 6.0, True),
        ("recent", ["a"], True),
        ("recent", {"a": 1}, False),
        ("shortcuts", {"a": 1}, True),
        ("timing_frames", 1e9, False),
        ("blocking_frames", 1e9, False),
        ("blocking_frames", 1e9 - 1, True),
        ("a panel's", None, True),
    ],
)
def test_values_are_believed_where_their_type_is_the_defaults(
    tmp_path: Path, name: str, value: object, believed: bool
) -> None:
    (tmp_path / "preferences.json").write_text(json.dumps({name: value}))
    assert Preferences(tmp_path).get(name) == (value if believed else DEFAULTS[name])


def test_a_value_of_another_type_that_is_set_does_not_count(kept: Preferences) -> None:
    kept.set("theme", 3)
    assert kept.get("theme") == "dark"
    kept.set("mine", 3)
    assert kept.get("mine", "text") == "text" and kept.get("mine") == 3


def test_recent_lists_leave_out_what_is_no_text(kept: Preferences) -> None:
    kept.set("recent", ["/a", 3, None])
    assert kept.recent == (Path("/a"),)
    kept.forget_recent(Path("/b"))
    assert kept.recent == (Path("/a"),)


def test_a_file_too_large_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"theme": "light"})
    for more, theme in ((0, "light"), (1, "dark")):
        (tmp_path / "preferences.json").write_text(text)
        monkeypatch.setattr(preferences, "MOST_BYTES", len(text) - more)
        assert Preferences(tmp_path).get("theme") == theme
        assert (tmp_path / "preferences.broken.json").exists() is bool(more)


def test_a_save_that_fails_leaves_nothing_but_the_file_before(
    kept: Preferences, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept.set("theme", "light")

    def full(*given: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(preferences.json, "dump", full)
    kept.set("theme", "dark")
    assert "could not be written" in caplog.text
    assert [file.name for file in kept.path.parent.iterdir()] == ["preferences.json"]
    monkeypatch.undo()
    assert Preferences(kept.path.parent).get("theme") == "light"


def test_names_that_are_no_unicode_are_kept(kept: Preferences) -> None:
    kept.set("mine", "\udcff ü")
    assert Preferences(kept.path.parent).get("mine") == "\udcff ü"


# ---------------------------------------------------------------- switches
def test_switches_begin_as_they_were_left_and_tell_of_changes_only(kept: Preferences) -> None:
    kept.set("switches", {"grid": False, "nonsense": True})
    switches = Switches(kept)
    heard: list[str] = []
    switches.changed.connect(heard.append)
    assert {name: switches[name] for name in SWITCHES} == {**SWITCHES, "grid": False}
    switches.set("grid", False)
    assert heard == []
    switches.set("grid", True)
    switches.toggle("axes")
    assert heard == ["grid", "axes"] and kept.get("switches")["axes"] is True
    with pytest.raises(KeyError):
        switches.set("nonsense", True)


@pytest.mark.parametrize("value", [3, None, [1], "x"])
def test_switches_of_another_type_are_the_defaults(kept: Preferences, value: object) -> None:
    kept.set("switches", value)
    switches = Switches(kept)
    assert {name: switches[name] for name in SWITCHES} == dict(SWITCHES)


def test_shadings_go_round_in_their_order(kept: Preferences) -> None:
    switches = Switches(kept)
    seen = [switches.shading()]
    for _ in range(4):
        assert switches.next_shading() == switches.shading()
        seen.append(switches.shading())
        assert {name: switches[name] for name in SHADINGS[seen[-1]]} == SHADINGS[seen[-1]]
    assert seen == ["textured", "clay", "unlit", "silhouette", "textured"]
    switches.set("unlit", True)
    switches.set("clay", True)
    assert switches.shading() == "clay"
    switches.set("silhouette", True)
    assert switches.shading() == "silhouette"


def test_colors_of_trails_exclude_each_other(kept: Preferences) -> None:
    switches = Switches(kept)
    assert switches.trail_colors() == "time"
    for name in ("speed", "curvature", "time", "curvature", "speed"):
        switches.set_trail_colors(name)
        assert switches.trail_colors() == name
        assert {key: switches[key] for key in TRAIL_COLORS[name]} == TRAIL_COLORS[name]
    switches.set("trails_curvature", True)
    assert switches.trail_colors() == "speed"
    with pytest.raises(KeyError):
        switches.set_trail_colors("nothing")


# ---------------------------------------------------------------- new keys and places of keys
def test_tangents_of_new_keys_go_round_and_are_kept(kept: Preferences) -> None:
    assert new_keys.chosen(kept) is NewTangents.CURVE
    order = tuple(NewTangents)
    for choice in (*order[1:], order[0]):
        assert new_keys.next_choice(kept) is choice is new_keys.chosen(kept)
    assert tuple(new_keys.TITLES) == order


@pytest.mark.parametrize(
    ("choice", "stored", "ends"),
    [
        (NewTangents.FLAT_ENDS, "auto", "flat"),
        (NewTangents.AUTO, "auto", "one_sided"),
        (NewTangents.CLAMPED, "clamped", "flat"),
    ],
)
def test_auto_and_flat_ends_say_how_ends_are_too(
    kept: Preferences, choice: NewTangents, stored: str, ends: str
) -> None:
    kept.set("auto_ends", "flat")
    new_keys.choose(kept, choice)
    assert (kept.get("new_tangents"), kept.get("auto_ends")) == (stored, ends)
    assert new_keys.chosen(kept) is choice


def test_unknown_choices_are_the_first(kept: Preferences) -> None:
    kept.set("new_tangents", "nonsense")
    kept.set("key_places", "nonsense")
    assert new_keys.chosen(kept) is NewTangents.CURVE and key_places.key_places(kept) is KeyPlaces.OWN


def test_every_place_of_keys_is_offered_once_and_can_be_chosen(kept: Preferences) -> None:
    offered = [places for places, title, words in key_places.choices() if title and words]
    assert sorted(offered) == sorted(KeyPlaces)
    for places in KeyPlaces:
        key_places.choose(kept, places)
        assert key_places.key_places(Preferences(kept.path.parent)) is places


# ---------------------------------------------------------------- the timing bar, types of keys, notifies
def test_timing_mode_and_buffer_tell_of_changes_only(kept: Preferences) -> None:
    document, clip = Document(), small_clip(small_rig())
    state = TimingState(document, kept)
    heard: list[None] = []
    state.changed.connect(heard.append)
    state.choose("tween")
    state.keep(None)
    assert heard == [] and state.mode == "tween" and state.buffer is None
    state.choose("blend")
    state.keep(clip)
    state.keep(clip)
    assert len(heard) == 2 and kept.get("timing_mode") == "blend" and state.buffer is clip
    state.keep(replace(clip))
    assert len(heard) == 3
    document.replace(small_project(mesh=False), None)
    assert state.buffer is None and state.mode == "blend" and len(heard) == 4


@pytest.mark.parametrize("kind", list(KeyType))
def test_one_type_of_keys_is_shown_until_another_document_comes(kind: KeyType) -> None:
    document = Document()
    shown = KeyFilter(document)
    heard: list[None] = []
    shown.changed.connect(heard.append)
    assert shown.only is None and shown.shown is None
    shown.show_only(kind)
    shown.show_only(kind)
    assert len(heard) == 1 and shown.only is kind
    assert shown.shown.tolist() == [other is kind for other in KeyType]
    document.replace(small_project(mesh=False), None)
    assert shown.only is None and len(heard) == 2


def test_choice_of_notifies_tells_of_changes_only() -> None:
    choice = EventChoice()
    heard: list[None] = []
    choice.changed.connect(heard.append)
    choice.choose()
    assert heard == [] and choice.notifies == ()
    for _ in range(2):
        choice.choose("a", "b")
    assert len(heard) == 1 and choice.notifies == ("a", "b")
    choice.choose()
    assert len(heard) == 2


# ---------------------------------------------------------------- the Blocking view
@pytest.fixture
def session() -> Session:
    made = small_session(mesh=False)
    yield made
    made.close()


def test_blocking_view_is_told_once_and_ends_with_the_document(session: Session) -> None:
    blocking = session.feature(Blocking)
    heard: list[None] = []
    blocking.changed.connect(heard.append)
    blocking.set(False)
    assert heard == [] and blocking.title == ""
    blocking.set(True)
    blocking.set(True)
    assert len(heard) == 1 and blocking.on and blocking.title == "Blocking view: key poses"
    session.document.replace(small_project(mesh=False), None)
    assert not blocking.on and len(heard) == 2


@pytest.mark.parametrize("frames", [0, 2, 3, 4])
def test_blocking_view_holds_each_pose_for_its_frames(session: Session, frames: int) -> None:
    blocking = session.feature(Blocking)
    heard: list[None] = []
    blocking.changed.connect(heard.append)
    blocking.hold_for(frames)
    blocking.hold_for(frames)
    assert blocking.frames == frames and len(heard) == (frames != 0)
    blocking.set(True)
    for frame in (0, 1, 2, 5, 11, 19, 20, 21, 39, 40, 60):
        session.playback.seek(frame / 30.0)
        first = frame // frames * frames if frames else max(key for key in (0, 20, 40, 60) if key <= frame)
        assert session.evaluator.shown_time == pytest.approx(first / 30.0, abs=1e-9)
    assert blocking.title == f"Blocking view: {STEPS[frames].lower()}"
    assert blocking.held_pose(39.0 / 30.0) == pytest.approx(20.0 / 30.0)


def test_blocking_view_that_is_on_holds_for_another_time_at_once(session: Session) -> None:
    blocking = session.feature(Blocking)
    session.playback.seek(7.0 / 30.0)
    blocking.hold_for(2)
    assert session.evaluator.shown_time == session.playback.time
    blocking.set(True)
    told: list[None] = []
    session.evaluator.changed.connect(told.append)
    blocking.hold_for(4)
    assert session.evaluator.shown_time == pytest.approx(4.0 / 30.0) and told


def test_frames_that_are_no_choice_count_as_key_poses(session: Session) -> None:
    session.preferences.set("blocking_frames", 7)
    assert session.feature(Blocking).frames == 0


def test_key_poses_are_those_of_the_clip_and_found_once(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocking = session.feature(Blocking)
    assert np.round(blocking.poses().times * 30.0).tolist() == [0, 20, 40, 60]
    assert blocking.poses_of(None) is NONE and len(NONE.times) == 0
    a, b, c = (replace(session.clip, name=name) for name in "abc")
    found = blocking.poses_of(a)
    blocking.poses_of(b)
    assert blocking.poses_of(a) is found and blocking.poses_of(a) is found
    blocking.poses_of(c)
    blocking.poses_of(b)
    assert blocking.poses_of(a) is not found
