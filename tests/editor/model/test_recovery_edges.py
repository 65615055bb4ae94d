"""Recovering journals record by record: what is left out and said, whose a file is, and what is shown afterwards."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import core.io
from core.arrays import same_value
from core.errors import FormatError
from core.project.project import Project
from editor.model import journal_lock, recovery
from editor.model.codec import difference, encode, pack
from editor.model.commands import ViewState
from editor.model.file_state import digest
from editor.model.journal import pinned_path
from editor.model.journal_file import Record, frame
from editor.model.messages import Level
from editor.model.recovery import Recoverable
from editor.model.session import Session
from tests.editor.model.journals import crashed, write
from tests.editor.rigs import small_project

PROJECT = small_project(mesh=False)
MOVED = Project(PROJECT.assets, {"n": 1})


def record(
    data: dict[str, object], write_down: Callable[[list], dict[str, object]] = lambda arrays: {}
) -> bytes:
    """One record's bytes; `write_down` gives its body, putting arrays into the list given."""
    arrays: list = []
    body = write_down(arrays)
    return b"".join(bytes(piece) for piece in frame(*pack({**data, **body}, arrays)))


def base(project: Project = PROJECT, **data: object) -> bytes:
    return record({"kind": "base", **data}, lambda arrays: {"project": encode(project, arrays)})


def step(before: Project = PROJECT, after: Project = MOVED, **data: object) -> bytes:
    given = {"kind": "do", "from": 0, "to": 1, **data}
    return record(given, lambda arrays: {"change": difference(before, after, arrays)})


# ---------------------------------------------------------------- lists of journals
def test_a_journal_tells_its_document_its_steps_and_the_last_of_them(tmp_path: Path) -> None:
    steps = (
        step(label="one", time=5.0),
        step(label="x" * 201, time=7.0),
        step(label="", time=0),
        step(label=3, time="a"),
        step(time=1e11),
    )
    journal = write(tmp_path / "a.journal", base(path="/a/walk.posewright", label="base", time=99.0), *steps)
    (found,) = recovery.recoverable(tmp_path)
    assert found == Recoverable(journal, Path("/a/walk.posewright"), 5, "x" * 200, 7.0)
    assert found.title == "walk" and Recoverable(journal, None, 1, "", 0.0).title == ""


@pytest.mark.parametrize("path", [None, "", 5])
def test_a_path_that_is_none_is_not_believed(tmp_path: Path, path: object) -> None:
    write(tmp_path / "a.journal", base(path=path), step())
    assert recovery.recoverable(tmp_path)[0].document is None


def test_journals_are_listed_newest_first_and_damaged_records_do_not_count(tmp_path: Path) -> None:
    write(tmp_path / "a.journal", base(), step(time=5.0))
    write(tmp_path / "b.journal", base(), step(time=9.0), b"torn")
    (tmp_path / "c.journal").write_bytes(b"something else")
    write(tmp_path / "d.journal", base())
    found = recovery.recoverable(tmp_path)
    assert [(item.journal.name, item.steps) for item in found] == [("b.journal", 1), ("a.journal", 1)]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.journal", "b.journal", "c.journal"]


def test_copies_without_a_journal_are_removed_where_nobody_owns_them(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.base").write_text("")
    journal_lock.take(tmp_path / "b.journal")
    assert recovery.recoverable(tmp_path) == []
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b.base", "b.lock"]


def test_a_discarded_journal_takes_its_copy_and_its_lock_along(tmp_path: Path) -> None:
    journal = write(tmp_path / "a.journal", base())
    pinned_path(journal).write_text("")
    journal_lock.take(journal)
    recovery.discard(journal)
    recovery.discard(journal)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- replaying
def test_steps_are_replayed_and_the_last_view_is_shown(tmp_path: Path) -> None:
    view = ["rig-small", "clip-small", 1.5, ["head"]]
    journal = write(tmp_path / "a.journal", base(), step(view=view, below="clip-below"))
    found = recovery.recover(journal)
    assert dict(found.project.settings) == {"n": 1} and found.steps == 1 and found.problem == ""
    assert found.view == ViewState("rig-small", "clip-small", 1.5, ("head",), "clip-below")
    assert found.document is None and not found.changed and journal_lock.owned(journal)


@pytest.mark.parametrize(
    "view",
    [
        None,
        [None, None, "1", []],
        [None, None, 1.0, [5]],
        [5, None, 1.0, []],
        [None, 5, 1.0, []],
        [None, None, 1.0],
        [None, None, 1.0, "ab"],
    ],
    ids=str,
)
def test_a_view_that_makes_no_sense_leaves_the_one_before(tmp_path: Path, view: object) -> None:
    first = step(view=["rig-small", None, 2, ["head"]])
    second = step(MOVED, PROJECT, view=view, **{"from": 1, "to": 2})
    found = recovery.recover(write(tmp_path / "a.journal", base(), first, second))
    assert found.view == ViewState("rig-small", None, 2.0, ("head",)) and found.steps == 2


@pytest.mark.parametrize("below", [5, ["a"]])
def test_a_clip_below_that_makes_no_sense_leaves_the_view_before(tmp_path: Path, below: object) -> None:
    found = recovery.recover(
        write(tmp_path / "a.journal", base(), step(view=["rig-small", None, 2.0, []], below=below))
    )
    assert found.view == ViewState()


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"kind": "jump", "from": 1, "to": 2}, "step 2: .*a step of kind 'jump' is not possible here"),
        ({"kind": "undo", "from": 1, "to": 7}, "step 2: .*the step that it takes back or does again could not"),
        ({"kind": "redo", "from": 1, "to": 7}, "step 2: .*the step that it takes back or does again could not"),
        ({"kind": "do", "from": 1, "to": 2, "change": ["new", 5]}, "step 2: .*a step made no project"),
        ({"kind": "do", "from": 1, "to": 2}, "step 2: "),
    ],
    ids=range(5),
)  # fmt: skip
def test_a_step_that_cannot_be_applied_is_left_out_alone(
    tmp_path: Path, bad: dict[str, object], words: str
) -> None:
    last = step(MOVED, Project(MOVED.assets, {"n": 2}), **{"from": 1, "to": 3})
    found = recovery.recover(write(tmp_path / "a.journal", base(), step(), record(bad), last))
    assert dict(found.project.settings) == {"n": 2} and found.steps == 2
    with pytest.raises(FormatError, match=words):
        raise FormatError("journal", "", found.problem)


def test_undo_and_redo_go_to_the_states_they_name(tmp_path: Path) -> None:
    undo, redo = record({"kind": "undo", "from": 1, "to": 0}), record({"kind": "redo", "from": 0, "to": 1})
    for number, (steps, settings) in enumerate((((undo,), {}), ((undo, redo), {"n": 1}))):
        found = recovery.recover(write(tmp_path / f"{number}.journal", base(), step(), *steps))
        assert dict(found.project.settings) == settings and found.steps == 1 + len(steps)


def replay(*kinds: str) -> list[dict]:
    """Settings after each step of a journal of version 1, whose records say only which way they went."""
    made, seen = recovery._Replay(PROJECT), []
    for number, kind in enumerate(kinds):
        change = difference(made.project, Project(PROJECT.assets, {"n": number}), [])
        made.step(Record({"kind": kind, "change": change}, []))
        seen.append(dict(made.project.settings))
    return seen


def test_steps_without_numbers_go_by_their_kinds() -> None:
    assert replay("do", "do", "undo", "undo", "redo") == [{"n": 0}, {"n": 1}, {"n": 0}, {}, {"n": 0}]
    assert replay("do", "undo", "do", "undo", "redo") == [{"n": 0}, {}, {"n": 2}, {}, {"n": 2}]


@pytest.mark.parametrize(
    "kinds",
    [("undo",), ("redo",), ("do", "redo"), ("do", "undo", "undo"), ("do", "undo", "do", "redo"), ("x",)],
)
def test_steps_without_numbers_stay_within_what_was_done(kinds: tuple[str, ...]) -> None:
    with pytest.raises(FormatError, match=f"a step of kind '{kinds[-1]}' is not possible here"):
        replay(*kinds)


def test_a_last_state_that_is_no_document_gives_the_one_before(tmp_path: Path) -> None:
    bad = ["patch", {"assets": ["items", [["clip-small", ["patch", {"length": ["new", -1.0]}]]], [], None]}]
    worse = ["patch", {"assets": ["items", [["clip-small", ["patch", {"tracks": ["new", 5]}]]], [], None]}]
    for name, change in (("a", bad), ("b", worse)):
        last = record({"kind": "do", "from": 1, "to": 2, "change": change})
        found = recovery.recover(write(tmp_path / f"{name}.journal", base(), step(), last))
        assert dict(found.project.settings) == {"n": 1} and found.problem and ";" not in found.problem


def test_a_last_state_that_files_refuse_gives_the_one_before_and_says_why(tmp_path: Path) -> None:
    bad = ["patch", {"assets": ["items", [["clip-small", ["patch", {"name": ["new", 5]}]]], [], None]}]
    last = record({"kind": "do", "from": 1, "to": 2, "change": bad})
    found = recovery.recover(write(tmp_path / "a.journal", base(), step(), last))
    assert dict(found.project.settings) == {"n": 1} and found.project.clips[0].name == "swing"
    assert found.problem.endswith("expected text, got 5") and found.steps == 2


# ---------------------------------------------------------------- what cannot be recovered
def test_a_journal_in_use_is_not_recovered(tmp_path: Path) -> None:
    journal = write(tmp_path / "a.journal", base(), step())
    journal_lock.take(journal)
    with pytest.raises(FormatError, match="another window of the editor is using it"):
        recovery.recover(journal)
    assert recovery.recoverable(tmp_path) == [] and journal.exists()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([], "the journal is empty"),
        ([b"torn"], "the last record is incomplete"),
        ([step()], "the journal does not begin with its base"),
        ([record({"kind": "base", "project": 5})], "the base is no project"),
        ([record({"kind": "base"})], "the base names no file"),
        ([record({"kind": "base", "path": "/absent/a.posewright"})], "its copy of /absent/a.posewright is missing"),
        ([record({"kind": "base", "path": "/absent/a.posewright", "sha256": ""})], "is missing or damaged"),
    ],
    ids=range(7),
)  # fmt: skip
def test_a_journal_whose_base_cannot_be_read_says_why(tmp_path: Path, parts: list[bytes], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        recovery.recover(write(tmp_path / "a.journal", *parts))


@pytest.mark.parametrize("where", ["pinned", "document", "elsewhere"])
def test_a_base_that_is_a_file_is_found_by_its_checksum(tmp_path: Path, where: str) -> None:
    document, backup = tmp_path / "walk.posewright", tmp_path / "backup"
    core.io.save(PROJECT, document)
    data = {"path": str(document), "sha256": digest(document)}
    journal = write(tmp_path / "a.journal", record({"kind": "base", **data}), step())
    place = {"pinned": pinned_path(journal), "document": document, "elsewhere": backup}[where]
    document.rename(place)
    asked: list[Path] = []
    found = recovery.recover(journal, lambda path: asked.append(path) or [backup])
    assert dict(found.project.settings) == {"n": 1} and found.document == document
    assert same_value(dict(found.project.assets), dict(PROJECT.assets)) and asked == [document]


@pytest.mark.parametrize(
    ("holds", "changed"),
    [(None, False), ("base", False), ("recovered", False), ("other", True), ("junk", True)],
)
def test_a_file_counts_as_changed_where_it_is_neither_the_base_nor_what_is_recovered(
    tmp_path: Path, holds: str | None, changed: bool
) -> None:
    document = tmp_path / "walk.posewright"
    core.io.save(PROJECT, document)
    data = {"path": str(document), "sha256": digest(document)}
    journal = write(tmp_path / "a.journal", record({"kind": "base", **data}), step())
    document.rename(pinned_path(journal))
    if holds == "junk":
        document.write_text("junk")
    elif holds is not None:
        contents = {"base": PROJECT, "recovered": MOVED, "other": Project(PROJECT.assets, {"n": 2})}
        core.io.save(contents[holds], document)
    if holds == "base":
        document.write_bytes(pinned_path(journal).read_bytes())
    assert recovery.recover(journal).changed is changed


# ---------------------------------------------------------------- as the editor does it
@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session.create(tmp_path / "config", tmp_path / "data")
    yield made
    made.close()


def test_what_was_not_all_recovered_is_said(session: Session) -> None:
    folder = session.journal.folder
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "a.journal", base(path="/absent/walk.posewright"), step(), record({"kind": "jump"}))
    (item,) = session.files.recoverable()
    session.files.recover(item)
    latest = session.messages.latest
    assert latest.level is Level.WARNING
    assert latest.text.startswith("Recovered 1 step, but not all of it: step 2: ")
    assert session.document.dirty and session.document.title == "walk"


def test_recovering_what_cannot_be_read_says_so_and_leaves_it_for_later(session: Session) -> None:
    folder = session.journal.folder
    folder.mkdir(parents=True, exist_ok=True)
    journal = write(folder / "a.journal", record({"kind": "base"}), step())
    before = session.document.project
    session.files.recover(Recoverable(journal, None, 1, "", 0.0))
    assert session.messages.latest.level is Level.ERROR
    assert "the base names no file" in session.messages.latest.text
    assert session.document.project is before and journal.exists() and not journal_lock.owned(journal)


def test_recovered_steps_are_counted_shown_and_kept_by_a_journal_of_their_own(
    tmp_path: Path, session: Session
) -> None:
    folder = session.journal.folder
    folder.mkdir(parents=True, exist_ok=True)
    view = ["rig-small", "clip-small", 0.5, ["head"]]
    journal = write(folder / "a.journal", base(), step(view=view))
    session.files.recover(session.files.recoverable()[0])
    session.journal.flush()
    assert (session.messages.latest.text, session.messages.latest.next_step) == (
        "Recovered 1 step",
        "Save to keep them",
    )
    assert (session.playback.clip, session.playback.time) == ("clip-small", 0.5)
    assert not journal.exists() and session.journal.path is not None
    assert session.document.path is None and session.document.title == "Untitled"


def test_discarding_what_a_crash_left_removes_it(tmp_path: Path, session: Session) -> None:
    old = crashed(tmp_path / "data")
    items = session.files.recoverable()
    assert [item.journal for item in items] == [old.journal.path]
    session.files.discard(items[0])
    assert session.files.recoverable() == [] and not items[0].journal.exists()
    old.journal.close()


def test_lock_of_a_journal_names_this_process(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    journal_lock.take(journal)
    assert json.loads(journal_lock.lock_path(journal).read_text())["pid"] == os.getpid()
