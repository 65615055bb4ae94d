"""Opening and saving at their edges: what is refused, asked, told and remembered."""

from collections.abc import Callable
from pathlib import Path

import pytest

import core.io
from core.io import ExportReport
from editor.model import opening
from editor.model.disk import Access
from editor.model.file_lock import lock_of
from editor.model.messages import Level
from editor.model.opening import comes_with_the_program, sample_path
from editor.model.session import Session
from tests.editor.model.test_two_editors import Told, change_outside, others_lock
from tests.editor.rigs import small_project


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session.create(tmp_path / "config", tmp_path / "data")
    made.document.replace(small_project(), None)
    yield made
    made.close()


@pytest.fixture
def path(session: Session, tmp_path: Path) -> Path:
    """A document that is saved and open."""
    path = tmp_path / "walk.posewright"
    session.files.save(path)
    return path


class Later:
    """A runner that works and tells when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], None], Callable[[], None]]] = []

    def __call__(self, work: Callable[[], None], then: Callable[[], None]) -> None:
        self.waiting.append((work, then))

    def go(self) -> None:
        waiting, self.waiting = self.waiting, []
        for work, then in waiting:
            work()
            then()


def last(session: Session) -> tuple[Level, str, str]:
    latest = session.messages.latest
    return latest.level, latest.text, latest.next_step


# ---------------------------------------------------------------- saving
@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", "a.posewright"), ("a.b", "a.b.posewright"), ("a.POSEWRIGHT", "a.POSEWRIGHT")],
)
def test_a_file_gets_the_suffix_it_lacks(session: Session, tmp_path: Path, name: str, expected: str) -> None:
    done: list[int] = []
    assert session.files.save(tmp_path / "new" / name, lambda: done.append(1)) and done == [1]
    assert session.document.path == tmp_path / "new" / expected and session.document.path.exists()
    assert last(session) == (Level.INFO, f"Saved {expected}", "")
    assert session.preferences.recent == (session.document.path,) and not session.files.saving


def test_backups_are_as_many_as_the_preference_says(session: Session, path: Path) -> None:
    session.preferences.set("backups", 2)
    for number in range(4):
        session.edits.set_settings("setting", {"n": number})
        session.files.save()
    assert len(session.files.backups.of(path)) == 2


def test_what_a_save_could_not_write_is_said_before_it_is_done(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[None] = []
    session.messages.resolved.connect(resolved.append)
    real = core.io.save

    def warning(*given: object, **named: object) -> ExportReport:
        report = real(*given, **named)
        report.warnings[:] = ["one", "two"]
        return report

    monkeypatch.setattr(core.io, "save", warning)
    session.files.save()
    said, done = session.messages.log[-2:]
    assert (said.level, said.text) == (Level.WARNING, "Saved walk.posewright, but one; two")
    assert "previous version is in the backups" in said.next_step
    assert done.text == "Saved walk.posewright" and resolved == []
    monkeypatch.undo()
    session.files.save()
    assert len(resolved) == 1


def test_a_folder_that_cannot_be_made_is_said(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    session.files.save(tmp_path / "file" / "a.posewright")
    level, text, _ = last(session)
    assert level is Level.ERROR and "its folder cannot be made: " in text and "save it elsewhere" in text
    assert not session.files.saving and session.document.path is None


def test_a_save_asked_for_meanwhile_follows_where_something_has_changed(session: Session, path: Path) -> None:
    later = session.jobs.runner = Later()
    assert session.files.save() and session.files.saving
    assert session.files.save()
    later.go()
    assert later.waiting == [] and not session.files.saving  # nothing new
    session.edits.set_settings("one", {"n": 1})
    session.files.save()
    session.edits.set_settings("two", {"n": 2})
    session.files.save()
    later.go()
    assert len(later.waiting) == 1 and session.files.saving
    later.go()
    assert not session.document.dirty and dict(core.io.load(path).project.settings)["n"] == 2


def test_a_save_elsewhere_asked_for_meanwhile_goes_there(
    session: Session, path: Path, tmp_path: Path
) -> None:
    later = session.jobs.runner = Later()
    other = tmp_path / "other.posewright"
    session.files.save()
    session.files.save(other)
    later.go()
    later.go()
    assert session.document.path == other and other.exists()


def test_the_first_save_that_is_under_way_says_where_the_next_goes(session: Session, tmp_path: Path) -> None:
    later = session.jobs.runner = Later()
    session.files.save(tmp_path / "a.posewright")
    assert session.files.save()
    later.go()
    assert session.document.path == tmp_path / "a.posewright"


def test_a_cancelled_save_forgets_what_was_asked_for_meanwhile(session: Session, path: Path) -> None:
    later = session.jobs.runner = Later()
    session.edits.set_settings("one", {"n": 1})
    session.files.save()
    session.files.save()
    session.jobs.cancel_all()
    later.go()
    assert later.waiting == [] and not session.files.saving and session.document.dirty


def test_who_answers_something_else_overwrites_nothing(session: Session, path: Path) -> None:
    told = session.files.questions = Told(conflict="save_as")
    change_outside(path)
    session.edits.set_settings("one", {"n": 1})
    session.files.save()
    assert [name for name, _ in told.asked] == ["conflict"] and session.document.dirty
    assert core.io.load(path).project.clips[0].name == "theirs" and not session.files.saving
    assert session.files.backups.of(path) == []  # theirs is not put among the backups either


def test_read_only_documents_are_saved_over_on_purpose_alone(session: Session, path: Path) -> None:
    session.files.open(path, access=Access.READ_ONLY)
    assert session.document.read_only and not session.files.save()
    assert not session.files.save(path)
    assert last(session) == (
        Level.WARNING,
        "walk.posewright was opened read-only",
        "Save it under another name",
    )
    assert session.files.save(path, overwrite=True) and not session.document.read_only


def test_another_document_forgets_what_saving_the_last_one_worked_out(session: Session, path: Path) -> None:
    memory = session.files._saving._memory
    session.document.replace(small_project(), None)
    fresh = session.files._saving._memory
    assert fresh is not memory
    session.files._saving.remember("something else")
    assert session.files._saving._memory is fresh
    session.files._saving.remember(memory)
    assert session.files._saving._memory is memory


# ---------------------------------------------------------------- opening
def test_new_is_an_empty_document(session: Session, path: Path) -> None:
    session.files.new()
    assert (
        session.document.path is None and not session.document.dirty and not session.document.project.assets
    )
    assert not lock_of(path).exists() and session.files.disk.state is None


def test_opening_is_told_when_it_is_done_and_by_name_meanwhile(session: Session, path: Path) -> None:
    session.files.new()
    later, done = Later(), []
    session.jobs.runner = later
    job = session.files.open(path, lambda: done.append(session.document.path))
    assert session.jobs.opening == "walk.posewright" and job.title == "Open walk.posewright" and done == []
    later.go()
    assert done == [path] and session.jobs.opening == "" and last(session)[1] == "Read walk.posewright"


def test_a_cancelled_open_gives_its_lock_back(session: Session, path: Path) -> None:
    session.files.new()
    later = session.jobs.runner = Later()
    job = session.files.open(path)
    (work, then), later.waiting = later.waiting[0], []
    work()
    assert lock_of(path).exists()
    job.state = type(job.state).CANCELLED
    then()
    assert not lock_of(path).exists() and not session.document.project.assets


def test_a_file_that_cannot_be_read_gives_its_lock_back_and_offers_another(
    session: Session, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.posewright"
    bad.write_bytes(b"junk")
    session.files.open(bad)
    assert not lock_of(bad).exists()
    assert (session.messages.latest.action, session.messages.latest.button) == (
        "file.open",
        "Choose another…",
    )


def test_a_foreign_file_is_a_document_without_a_path_and_its_origin_is_known(
    session: Session, tmp_path: Path
) -> None:
    foreign = tmp_path / "walk.glb"
    core.io.save(small_project(), foreign)
    session.files.open(foreign)
    assert session.document.path is None and session.document.title == "walk.glb"
    assert session.files.origins.first == foreign and session.preferences.recent == (foreign,)
    assert [file for file, _ in session.files.reports] == [foreign] and not lock_of(foreign).exists()


def test_a_copy_is_named_so_and_neither_remembered_nor_told(session: Session, path: Path) -> None:
    session.files.new()
    session.preferences.forget_recent()
    said = len(session.messages.log)
    session.files.open(path, as_copy=True)
    assert session.document.path is None and session.document.title == "walk (copy)"
    assert session.preferences.recent == () and session.files.origins.all == ()
    assert len(session.messages.log) == said and not lock_of(path).exists()
    done: list[int] = []
    session.files.open_sample(lambda: done.append(1))
    assert done == [1] and session.document.title == "Sample character" and session.files.reports == ()


def test_a_document_whose_references_were_cleared_differs_from_its_file(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = core.io.load

    def cleared(*given: object, **named: object) -> object:
        loaded = real(*given, **named)
        loaded.report.cleared.append("a clip that is gone")
        return loaded

    monkeypatch.setattr(core.io, "load", cleared)
    session.files.open(path)
    assert session.document.dirty and session.document.path == path
    assert session.messages.latest.text == "walk.posewright: a clip that is gone"
    monkeypatch.undo()
    session.files.open(path)
    assert not session.document.dirty


def test_what_comes_with_the_program_is_told_by_its_folder(tmp_path: Path) -> None:
    assert comes_with_the_program(sample_path()) and sample_path().is_file()
    assert comes_with_the_program(sample_path().with_name("other.glb"))
    assert not comes_with_the_program(tmp_path / sample_path().name)


@pytest.mark.parametrize(
    ("answer", "path_is", "read_only"),
    [("read_only", True, True), ("take_over", True, False), ("copy", False, False), ("", None, False)],
)
def test_answers_to_a_document_open_elsewhere(
    session: Session, path: Path, answer: str, path_is: bool | None, read_only: bool
) -> None:
    session.files.new()
    others_lock(path)
    told = session.files.questions = Told(locked=answer)
    done: list[int] = []
    session.files.open(path, lambda: done.append(1))
    assert [name for name, _ in told.asked] == ["locked"] and session.document.read_only is read_only
    assert session.document.path == (path if path_is else None) and len(done) == (path_is is not None)
    lock_of(path).unlink(missing_ok=True)


def test_write_protected_is_said_and_read_only_on_purpose_is_not(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "writable", lambda path: False)
    session.files.open(path)
    assert last(session) == (Level.INFO, "walk.posewright is write-protected", "Save it under another name")
    session.files.open(path, access=Access.READ_ONLY)
    assert last(session)[1] == "Read walk.posewright" and session.document.read_only


def test_reload_opens_the_file_as_it_was_opened(session: Session, path: Path) -> None:
    for access in (Access.ASK, Access.READ_ONLY):
        session.files.open(path, access=access)
        session.edits.set_settings("one", {"n": 1})
        session.files.reload()
        assert not session.document.dirty and session.document.read_only is (access is Access.READ_ONLY)
    session.files.new()
    said = len(session.messages.log)
    session.files.reload()
    assert len(session.messages.log) == said


def test_a_look_waits_for_a_look_and_a_save(session: Session, path: Path) -> None:
    told = session.files.questions = Told()
    later = session.jobs.runner = Later()
    session.files.look()
    assert session.files.looking
    session.files.look()
    assert len(later.waiting) == 1
    change_outside(path)
    session.files.save()
    later.waiting[:] = later.waiting[:1]
    later.go()
    assert not session.files.looking and told.asked == []  # a save is under way
    session.files.look()
    assert later.waiting == []
    session.files._saving._saving = None
    session.files.look()
    later.go()
    assert [name for name, _ in told.asked] == ["outside"]


def test_nothing_is_looked_at_without_a_file(session: Session, path: Path) -> None:
    later = session.jobs.runner = Later()
    session.files.disk.state = None
    session.files.look()
    session.files.new()
    session.files.look()
    assert later.waiting == [] and not session.files.looking


def test_a_new_owner_is_named_and_the_document_stays_as_it_is(session: Session, path: Path) -> None:
    others_lock(path)
    session.files.look()
    level, text, step = last(session)
    assert (
        level is Level.WARNING
        and text.startswith("anna on ")
        and text.endswith("has opened walk.posewright for writing")
    )
    assert "compared with yours" in step and not session.document.dirty
    lock_of(path).unlink()


def test_a_file_that_went_is_said_and_makes_the_document_unsaved(session: Session, path: Path) -> None:
    path.unlink()
    session.files.look()
    expected = (
        Level.WARNING,
        "walk.posewright was deleted or moved by another program",
        "Saving creates it again",
    )
    assert last(session) == expected and session.document.dirty
