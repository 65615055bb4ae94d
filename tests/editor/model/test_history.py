"""Undo and redo restore the very same data, whatever was done."""

import gc
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.clips.edits import duplicated
from core.project.project import Project
from core.project.references import check
from core.tracks import edits
from core.tracks.keys import scalar_track
from editor.model import commands
from editor.model import history as histories
from editor.model.commands import ViewState, command_for
from editor.model.document import Document
from editor.model.history import History
from editor.model.session import Session
from tests.editor.rigs import small_project

CHANNEL = Channel("upper_arm_l", Property.ROTATE, 1)


class Steps(RuleBasedStateMachine):
    """Random edits, undos and redos beside a plain list of project states."""

    def __init__(self) -> None:
        super().__init__()
        self.document = Document(small_project())
        self.history = History(self.document)
        self.states = [self.document.project]
        self.position = 0

    def do(self, after: Project) -> None:
        command = command_for("step", self.document.project, after)
        if self.history.do(command):
            del self.states[self.position + 1 :]
            self.states.append(after)
            self.position += 1

    @rule(pick=st.integers(0, 50), time=st.floats(0, 2), value=st.floats(-90, 90))
    def key(self, pick: int, time: float, value: float) -> None:
        clips = self.document.project.clips
        if clips:
            clip = clips[pick % len(clips)]
            track = edits.set_value(clip.scalar(CHANNEL), time, value)
            self.do(self.document.project.with_assets(clip.with_tracks({CHANNEL: track})))

    @rule(pick=st.integers(0, 50))
    def duplicate(self, pick: int) -> None:
        clips = self.document.project.clips
        if clips:
            self.do(self.document.project.with_assets(duplicated(clips[pick % len(clips)], [])))

    @rule(pick=st.integers(0, 50))
    def delete(self, pick: int) -> None:
        clips = self.document.project.clips
        if clips:
            self.do(self.document.project.without(clips[pick % len(clips)].id))

    @rule(value=st.integers(0, 3))
    def settings(self, value: int) -> None:
        self.do(replace(self.document.project, settings={"n": value}))

    @rule(seed=st.randoms(use_true_random=False))
    def reorder(self, seed) -> None:
        items = list(self.document.project.assets.items())
        seed.shuffle(items)
        self.do(replace(self.document.project, assets=dict(items)))

    @precondition(lambda self: self.position > 0)
    @rule()
    def undo(self) -> None:
        assert self.history.undo() is not None
        self.position -= 1

    @precondition(lambda self: self.position < len(self.states) - 1)
    @rule()
    def redo(self) -> None:
        assert self.history.redo() is not None
        self.position += 1

    @rule(where=st.integers(-3, 40))
    def go_to(self, where: int) -> None:
        self.history.go_to(where)
        self.position = min(max(where, 0), len(self.states) - 1)

    @invariant()
    def same_as_the_list(self) -> None:
        project, expected = self.document.project, self.states[self.position]
        assert list(project.assets) == list(expected.assets)
        assert same_value(project, expected)
        assert (self.history.position, len(self.history.labels)) == (self.position, len(self.states) - 1)
        assert self.document.dirty == (not _identical(project, self.states[0]) and self.position != 0)

    def teardown(self) -> None:
        self.history.go_to(0)
        assert _identical(self.document.project, self.states[0])
        check(self.document.project)
        self.history.clear()
        assert self.history.memory == 0


def _identical(a: Project, b: Project) -> bool:
    pairs = zip(a.assets.items(), b.assets.items(), strict=False)
    same = all(x == y and p is q for (x, p), (y, q) in pairs)
    return same and len(a.assets) == len(b.assets) and same_value(a.settings, b.settings)


TestSteps = Steps.TestCase
TestSteps.settings = settings(max_examples=25, stateful_step_count=25)


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def put_value(session: Session, time: float, value: float) -> None:
    clip = session.clip
    session.edits.put(
        f"value {value}", clip.with_tracks({CHANNEL: edits.set_value(clip.scalar(CHANNEL), time, value)})
    )


def test_history_keeps_a_thousand_steps_and_more(session: Session) -> None:
    start = session.document.project
    for step in range(1200):
        put_value(session, 0.5, float(step + 1))
    assert session.history.position == 1200
    session.history.go_to(0)
    assert same_value(session.document.project, start) and not session.document.dirty


def test_history_above_its_bytes_drops_the_oldest_and_still_undoes(session: Session) -> None:
    document = Document(small_project())
    history = History(document, max_bytes=200_000)
    clip = document.project.clips[0]
    for step in range(40):
        track = scalar_track(np.arange(500) / 30, np.full(500, float(step)) + np.arange(500))
        after = document.project.with_assets(clip.with_tracks({CHANNEL: track}))
        history.do(command_for(str(step), document.project, after))
    assert history.memory <= 200_000 and 1 < len(history.labels) < 40
    assert history.labels[-1] == "39" and history.position == len(history.labels)
    oldest = int(history.labels[0])
    history.go_to(0)
    values = document.project.clips[0].scalar(CHANNEL).values
    assert values[0] == oldest - 1


def test_history_tells_how_many_steps_it_dropped_until_another_document_is_open(session: Session) -> None:
    session.history.max_bytes = 500
    for step in range(30):
        put_value(session, 0.5, float(step + 1))
    dropped = session.history.dropped
    assert dropped > 0 and dropped + len(session.history.labels) == 30
    session.files.new()
    assert session.history.dropped == 0


def test_history_keeps_what_is_undone_when_its_limit_sinks(session: Session) -> None:
    for step in range(20):
        put_value(session, 0.5, float(step + 1))
    session.history.go_to(5)
    session.history.max_bytes = 1
    assert session.history.position == 1 and len(session.history.labels) == 16
    session.history.go_to(16)
    assert session.clip.scalar(CHANNEL).values.max() == 20.0


def test_history_takes_its_limit_from_the_preferences(session: Session) -> None:
    session.preferences.set("undo_megabytes", 64)
    assert session.history.max_bytes == 64 * 2**20


def test_history_memory_counts_only_what_is_not_shared(session: Session) -> None:
    before = session.history.memory
    session.clips.set_looping(session.clip.id, True)
    put_value(session, 0.5, 3.0)
    put_value(session, 0.5, 4.0)
    # Two versions of the columns of four or five keys and of their clip, and not of meshes, rigs or other tracks.
    assert before == 0 and session.history.memory < 8000


def test_undo_returns_to_the_clip_time_and_selection_it_changed(session: Session) -> None:
    session.selection.select(["hand_l"])
    session.playback.seek(0.5)
    first = session.playback.clip
    put_value(session, 0.5, 3.0)
    session.clips.new("other")
    session.selection.select(["head"])
    session.playback.seek(0.9)
    session.undo()  # takes the new clip away
    assert session.playback.clip == first
    session.playback.seek(1.5)
    session.selection.clear()
    session.undo()
    assert (session.playback.clip, session.playback.time, session.selection.bones) == (
        first,
        0.5,
        ("hand_l",),
    )
    session.redo()
    assert session.playback.time == 0.5


def test_do_of_nothing_leaves_no_step(session: Session) -> None:
    assert not session.edits.put("nothing", session.clip)
    assert session.history.labels == ()


def test_command_for_removed_assets_brings_them_back_to_their_places() -> None:
    project = small_project()
    ids = list(project.assets)
    command = command_for("x", project, project.without(ids[0], ids[2]), ViewState())
    assert command.order is None
    assert list(command.reverted(command.applied(project)).assets) == ids


def test_history_memory_is_what_small_edits_really_take(session: Session) -> None:
    # A key set on a track of few keys costs more in objects than in numbers: the limit must see both.
    put_value(session, 0.5, 0.5)
    tracemalloc.start()
    try:
        before, counted = tracemalloc.get_traced_memory()[0], session.history.memory
        for step in range(200):
            put_value(session, 0.5, float(step + 1))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    counted = session.history.memory - counted
    assert 0.4 * taken < counted < 1.5 * taken


def many_clips_anew(project: Project, value: float) -> Project:
    """The project with a track of every clip made anew."""
    return project.with_assets(
        *(clip.with_tracks({CHANNEL: scalar_track([0.0, 0.5], [value, 1.0])}) for clip in project.clips)
    )


def test_very_large_step_is_counted_bit_by_bit_and_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    project = small_project()
    project = project.with_assets(*(duplicated(project.clips[0], [str(n)]) for n in range(12)))
    sums = []
    for most in (10**9, 5):
        monkeypatch.setattr(histories, "AT_ONCE", most)
        document = Document(project)
        history, told = History(document), []
        history.changed.connect(told.append)
        history.do(command_for("all", project, many_clips_anew(project, 1.0)))
        assert history.counted == (most > 5)
        history.undo()
        while not history.counted:
            before, said = history.memory, len(told)
            history.count_on()
            assert history.memory > before or history.counted
            assert (len(told) > said) == history.counted, "the end of counting is told"
        history.redo()
        sums.append(history.memory)
        history.undo()
        history.do(command_for("too", project, many_clips_anew(project, 2.0)))
        history.count()
        assert history.memory == sums[-1] and history.labels == ("too",), "what was undone is released"
    assert sums[0] == sums[1] > 0


def test_large_clip_is_counted_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """One clip of 300 bones held the window for 30 ms at every step that changed all of it."""
    project = small_project()
    clip = project.clips[0]
    tracks = {Channel("upper_arm_l", Property.ROTATE, axis): scalar_track([0.0], [1.0]) for axis in range(3)}
    curves = {f"c{n}": scalar_track([0.0, float(n + 1)], [0.0, 1.0]) for n in range(200)}
    after = project.with_assets(replace(clip, tracks=tracks, curves=curves))
    command = command_for("all", project, after)
    monkeypatch.setattr(commands, "PIECE", 10**6)
    (whole,) = [piece for piece in command.sizes() if len(piece) > 100]
    monkeypatch.setattr(commands, "PIECE", 60)
    pieces = list(command.sizes())
    assert max(map(len, pieces)) < 100
    together = {key: size for piece in pieces for key, size in piece.items()}
    assert whole.items() <= together.items()


def test_oldest_steps_go_when_a_large_one_has_been_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "AT_ONCE", 5)
    project = small_project()
    document = Document(project)
    history = History(document, max_bytes=1)
    for value in (1.0, 2.0, 3.0):
        history.do(command_for(str(value), document.project, many_clips_anew(document.project, value)))
    assert len(history.labels) > 1 and not history.counted
    while not history.count_on():
        pass
    assert history.labels == ("3.0",) and history.dropped == 2
    alone = History(Document(document.project))
    again = many_clips_anew(document.project, 4.0)
    alone.do(command_for("3.0", document.project, again))
    alone.count()
    history.do(command_for("3.0", document.project, again))
    assert not history.counted, "what goes is counted bit by bit, too"
    history.count()
    assert history.memory == alone.memory, "nothing of what was dropped is held any more"
    history.undo()
    assert history.position == 0
