"""What a journal writes and when: its first record, numbers of states, what is on the disk, and beginning again."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import core.io
from core.arrays import same_value
from core.project.project import Project
from editor.model import journal as journals
from editor.model import journal_lock, recovery
from editor.model.commands import ViewState
from editor.model.file_state import digest, state_of
from editor.model.history import StepKind
from editor.model.journal import RETRY_AFTER, Journal, _Stack, pinned_path
from editor.model.journal_file import records, summaries
from tests.editor.rigs import small_project

PROJECT = small_project(mesh=False)
DO, UNDO, REDO = StepKind.DO, StepKind.UNDO, StepKind.REDO
VIEW = ViewState("rig-small", "clip-small", 1, ("head",))


def numbered(number: int) -> Project:
    return Project(PROJECT.assets, {"n": number})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal")
    yield made
    made.close()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "walk.posewright"
    core.io.save(PROJECT, path)
    return path


def step(
    journal: Journal, before: Project, after: Project, kind: StepKind = DO, view: ViewState = VIEW
) -> None:
    journal.record(kind, "step", view, before, after)
    assert journal.flush()


def read(journal: Journal) -> list[dict]:
    assert journal.flush()
    return [record.data for record in records(journal.path)]


def files(journal: Journal) -> list[str]:
    return sorted(path.suffix for path in journal.folder.iterdir()) if journal.folder.exists() else []


# ---------------------------------------------------------------- numbers of states
def test_states_are_numbered_from_the_base_on_and_undo_names_the_one_it_leads_to() -> None:
    stack = _Stack()
    assert [stack.step(kind) for kind in (DO, DO, UNDO, UNDO, REDO)] == [
        (DO, 0, 1),
        (DO, 1, 2),
        (UNDO, 2, 1),
        (UNDO, 1, 0),
        (REDO, 0, 1),
    ]
    assert stack.step(DO) == (DO, 1, 3)  # what was undone is forgotten
    assert stack.step(REDO) == (DO, 3, 4)
    assert stack.step(UNDO) == (UNDO, 4, 3)


def test_an_undo_of_what_the_journal_never_held_is_written_like_a_change() -> None:
    stack = _Stack()
    assert stack.step(UNDO) == (DO, 0, 1)
    assert stack.step(DO) == (DO, 1, 2)
    assert stack.step(UNDO) == (UNDO, 2, 1)
    assert stack.step(UNDO) == (DO, 1, 3)
    assert stack.step(REDO) == (DO, 3, 4)


def test_where_the_history_begins_undo_ends() -> None:
    stack = _Stack()
    stack.step(DO)
    stack.begin()
    assert stack.step(UNDO) == (DO, 1, 2)
    again = _Stack()
    again.step(DO)
    again.begin()
    again.step(DO)
    assert again.step(UNDO) == (UNDO, 2, 1)


# ---------------------------------------------------------------- the first record
def test_nothing_is_written_of_an_empty_document(journal: Journal) -> None:
    assert journal.path is None and journal.problem == "" and not journal.closed and journal.flush()
    journal.begin(Project(), None, on_disk=False)
    assert journal.flush() and journal.path is None and files(journal) == []


def test_a_document_that_was_never_saved_is_written_whole(journal: Journal) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    step(journal, PROJECT, numbered(1))
    base, first = read(journal)
    assert (base["kind"], base["path"]) == ("base", None) and "project" in base and "sha256" not in base
    assert (first["kind"], first["label"], first["from"], first["to"]) == ("do", "step", 0, 1)
    assert first["view"] == ["rig-small", "clip-small", 1.0, ["head"]] and "below" not in first
    assert type(first["view"][2]) is float and first["time"] >= base["time"] > 1e9
    assert files(journal) == [".journal", ".lock"] and journal_lock.owned(journal.path)


def test_a_clip_below_and_the_way_of_a_step_are_written(journal: Journal) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    view = ViewState("rig-small", "clip-small", 1.0, (), "clip-below")
    step(journal, PROJECT, numbered(1), view=view)
    step(journal, numbered(1), PROJECT, UNDO)
    _, first, second = read(journal)
    assert first["below"] == "clip-below" and "change" in first
    assert (second["kind"], second["from"], second["to"]) == ("undo", 1, 0) and "change" not in second


def test_a_saved_document_is_copied_and_named_by_its_checksum(journal: Journal, saved: Path) -> None:
    journal.begin(PROJECT, saved, on_disk=True, state=state_of(saved))
    assert journal.flush() and journal.path is None and files(journal) == [".base", ".lock"]
    step(journal, PROJECT, numbered(1))
    base, _ = read(journal)
    assert "project" not in base and (base["path"], base["sha256"]) == (str(saved), digest(saved))
    assert pinned_path(journal.path).read_bytes() == saved.read_bytes()


def test_without_a_state_the_file_counts_as_it_is_now(journal: Journal, saved: Path) -> None:
    journal.begin(PROJECT, saved, on_disk=True)
    step(journal, PROJECT, numbered(1))
    assert read(journal)[0]["sha256"] == digest(saved) and ".base" in files(journal)


def test_a_file_that_is_not_the_one_that_was_read_is_no_base(journal: Journal, saved: Path) -> None:
    known = state_of(saved)
    saved.write_bytes(b"another")
    journal.begin(PROJECT, saved, on_disk=True, state=known)
    base = read(journal)[0]
    assert "project" in base and base["sha256"] == known.sha256 and files(journal) == [".journal", ".lock"]


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_file_that_cannot_be_copied_or_is_another_is_written_whole(
    journal: Journal, tmp_path: Path, on_disk: bool, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "absent.posewright"
    journal.begin(PROJECT, path, on_disk=on_disk)
    base = read(journal)[0]
    assert "project" in base and base["path"] == str(path) and "sha256" not in base
    assert ("the journal holds the whole document" in caplog.text) is on_disk


def test_another_document_removes_what_was_written_of_the_last(journal: Journal) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    journal.flush()
    first = journal.path
    journal.begin(numbered(1), None, on_disk=False)
    journal.flush()
    assert journal.path != first and not first.exists() and files(journal) == [".journal", ".lock"]


# ---------------------------------------------------------------- saving
@pytest.mark.parametrize("goes_on", [False, True])
def test_a_save_starts_anew_with_what_came_meanwhile(journal: Journal, saved: Path, goes_on: bool) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    step(journal, PROJECT, numbered(1))
    first, now = journal.path, numbered(2) if goes_on else Project(dict(PROJECT.assets))
    journal.saved(saved, PROJECT, now, state_of(saved))
    assert journal.flush() and not first.exists()
    assert files(journal) == ([".base", ".journal", ".lock"] if goes_on else [".base", ".lock"])
    step(journal, now, numbered(3))
    step(journal, numbered(3), now, UNDO)
    step(journal, now, numbered(1), UNDO)
    kinds = [(data["kind"], data.get("from"), data.get("to")) for data in read(journal)[1:]]
    expected = [("do", 0, 1), ("undo", 1, 0), ("do", 0, 2)]
    assert kinds == ([("do", 0, 1), ("do", 1, 2), ("undo", 2, 1), ("do", 1, 3)] if goes_on else expected)
    journal_lock.release(journal.path)
    found = recovery.recover(journal.path)
    assert dict(found.project.settings) == {"n": 1}


# ---------------------------------------------------------------- on the disk
def test_what_is_written_is_on_the_disk_when_all_is_quiet(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fdatasync", lambda handle: synced.append(handle))
    journal.begin(PROJECT, None, on_disk=False)
    journal.flush()
    assert len(synced) == 1
    for number in range(3):
        step(journal, numbered(number), numbered(number + 1))
    assert len(synced) == 4


def test_small_pieces_go_together_and_large_ones_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(os, "write", lambda handle, data: written.append(bytes(data)) or len(data))
    monkeypatch.setattr(journals, "TOGETHER", 4)
    journals._write_all(0, [b"ab", b"cd", b"e", b"fghijk", b"lm"])
    assert written == [b"abcde", b"fghijk", b"lm"]
    written.clear()
    journals._write_all(0, [b"abcde", b"fg", b"hi", b"j"])
    assert written[:2] == [b"abcde", b"fghij"]
    written.clear()
    journals._write_all(0, [b"abcd", b"", b""])
    assert written == [b"abcd"]


def test_what_the_system_writes_in_parts_is_written_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(os, "write", lambda handle, data: written.append(bytes(data[:2])) or len(written[-1]))
    journals._write_all(0, [b"abcde"])
    assert written == [b"ab", b"cd", b"e"]


def test_securing_writes_what_is_open_and_then_tells(journal: Journal, saved: Path) -> None:
    told: list[int] = []
    journal.secure(lambda: told.append(len(files(journal))))
    assert journal.flush() and told == [] and journal.problem == ""  # no document yet
    journal.begin(PROJECT, saved, on_disk=True)
    journal.secure(lambda: told.append(len(files(journal))))
    assert journal.flush() and told == [3]
    base, start = read(journal)
    assert (start["kind"], start["label"], start["from"], start["to"]) == ("do", "", 0, 1)
    step(journal, PROJECT, numbered(1), UNDO)
    assert read(journal)[2]["kind"] == "do"  # of a step that it never held
    journal_lock.release(journal.path)
    assert recovery.recover(journal.path).steps == 2


# ---------------------------------------------------------------- trouble
def test_a_step_before_any_document_is_a_problem(journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    step(journal, PROJECT, numbered(1))
    assert journal.problem == "a step before any document was begun" and "could not be written" in caplog.text
    journal.retry()
    assert journal.flush() and journal.problem


def test_trouble_is_told_by_its_reason_and_another_document_ends_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    journal.flush()
    for error, words in (
        (OSError(28, "No space left"), "No space left"),
        (KeyError(), "KeyError"),
        (ValueError("x"), "x"),
    ):

        def fail(*given: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(journals, "_write_all", fail)
        step(journal, PROJECT, numbered(1))
        assert journal.problem == words and journal.path is None
        monkeypatch.undo()
        journal.begin(PROJECT, None, on_disk=False)
        assert journal.flush() and journal.problem == ""


@pytest.mark.parametrize(("later", "tried"), [(RETRY_AFTER, False), (RETRY_AFTER + 0.5, True)])
def test_steps_try_to_begin_again_not_too_often(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, later: float, tried: bool
) -> None:
    now = [100.0]
    monkeypatch.setattr(journals.time, "monotonic", lambda: now[0])
    journal.begin(PROJECT, None, on_disk=False)
    journal.flush()
    broken = [True]
    real = journals._write_all

    def fail(handle: int, pieces: list) -> None:
        if broken[0]:
            raise OSError(28, "No space left")
        real(handle, pieces)

    monkeypatch.setattr(journals, "_write_all", fail)
    step(journal, PROJECT, numbered(1))
    journal.retry()
    assert journal.flush() and journal.problem == "No space left"
    broken[0] = False
    now[0] += later
    step(journal, numbered(1), numbered(2))
    assert (journal.problem == "") is tried
    journal.retry()
    assert journal.flush() and journal.problem == "" and files(journal) == [".journal", ".lock"]
    journal_lock.release(journal.path)
    assert dict(recovery.recover(journal.path).project.settings) == {"n": 2}
    journal_lock.take(journal.path)


def test_what_begins_again_is_whole_and_belongs_to_the_file_it_came_from(
    journal: Journal, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.begin(PROJECT, saved, on_disk=True)
    journal.flush()
    with monkeypatch.context() as patched:
        patched.setattr(journals, "_write_all", lambda handle, pieces: 1 / 0)
        step(journal, PROJECT, numbered(1))
        assert journal.problem == "division by zero"
    journal.retry()
    base, start = read(journal)
    assert (base["path"], base["sha256"], "project" in base) == (str(saved), digest(saved), True)
    assert (start["kind"], start["label"]) == ("do", "") and files(journal) == [".journal", ".lock"]


def test_a_journal_that_was_deleted_is_noticed(journal: Journal) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    journal.flush()
    gone = journal.path
    gone.unlink()
    step(journal, PROJECT, numbered(1))
    assert journal.problem == f"{gone} was deleted"


# ---------------------------------------------------------------- the end
@pytest.mark.parametrize("discard", [True, False])
def test_a_closed_journal_is_removed_or_left_and_writes_no_more(journal: Journal, discard: bool) -> None:
    journal.begin(PROJECT, None, on_disk=False)
    step(journal, PROJECT, numbered(1))
    path = journal.path
    journal.close(discard)
    assert journal.closed and path.exists() is not discard
    journal.close(True)
    journal.record(DO, "late", VIEW, PROJECT, numbered(2))
    journal.begin(PROJECT, None, on_disk=False)
    assert journal.flush() and path.exists() is not discard and journal.path is None
    if not discard:
        assert [meta["kind"] for meta in summaries(path)] == ["base", "do"]


def test_a_copy_without_steps_goes_even_where_the_journal_is_left(journal: Journal, saved: Path) -> None:
    journal.begin(PROJECT, saved, on_disk=True)
    journal.flush()
    journal.close(discard=False)
    assert files(journal) == []


def test_projects_are_the_same_where_assets_order_and_settings_are() -> None:
    assert journals._same_project(PROJECT, Project(dict(PROJECT.assets), {}))
    assert not journals._same_project(PROJECT, numbered(1))
    assert not journals._same_project(PROJECT, Project(dict(reversed(PROJECT.assets.items()))))
    other = small_project(mesh=False)
    assert same_value(dict(other.assets), dict(PROJECT.assets)) and not journals._same_project(PROJECT, other)
