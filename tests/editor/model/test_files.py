"""Open, save, import, export: what reaches the disk, and what a bad file leaves untouched."""

import itertools
import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.arrays import same_value
from core.clips.clip import Clip
from core.errors import ValidationError
from core.io import backups
from core.io.backups import Backups
from core.io.native import clip_schema, write
from core.io.native.kinds import kind_of
from core.io.native.packs import PackWriter
from core.io.native.schema import Document
from core.progress import Progress
from editor.model.disk import read_stable
from editor.model.file_lock import lock_of
from editor.model.file_state import state_of
from editor.model.importing import read_for_import, with_fresh_ids
from editor.model.messages import Level
from editor.model.opening import sample_path
from editor.model.session import Session
from tests.editor.rigs import small_project


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def test_save_and_open_again_gives_the_same_data(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "Übung 練習.posewright"
    session.clips.set_length(session.clip.id, 3.0)
    assert session.document.dirty and session.document.title == "Untitled"
    assert not session.files.save()  # where to?
    assert session.files.save(path)
    assert (
        not session.document.dirty
        and session.document.path == path
        and session.document.title == "Übung 練習"
    )
    before = session.document.project
    session.files.new()
    assert session.document.project.assets == {} and session.history.labels == ()
    session.files.open(path)
    assert same_value(dict(session.document.project.assets), dict(before.assets))
    assert session.playback.clip == "clip-small" and not session.document.dirty
    assert session.preferences.recent[0] == path


def test_a_file_is_read_again_only_where_it_was_exchanged_meanwhile(tmp_path: Path) -> None:
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    read: list[str] = []
    path.write_text("one", encoding="utf-8")
    state = read_stable(path, lambda: read.append(path.read_text(encoding="utf-8")))
    assert read == ["one"] and state == state_of(path)

    def exchanged() -> None:
        read.append(path.read_text(encoding="utf-8"))
        if len(read) == 2:
            other.write_text("two", encoding="utf-8")
            other.replace(path)

    assert read_stable(path, exchanged) == state_of(path)
    assert read == ["one", "one", "two"]


def test_a_file_that_was_only_touched_is_no_news_and_is_known_as_it_is_now(
    session: Session, tmp_path: Path
) -> None:
    path, disk = tmp_path / "a.posewright", session.files.disk
    assert session.files.save(path)
    was = disk.state
    assert was is not None
    touched = path.stat().st_mtime + 7.0
    os.utime(path, (touched, touched))
    assert disk.news(disk.look(path), was) is None
    assert disk.state is not was and disk.look(path).changed is None


def test_first_save_after_opening_works_out_only_what_changed(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.posewright"
    session.files.save(path)
    session.files.new()
    session.files.open(path)
    session.clips.set_length(session.clip.id, 3.0)
    packed: list[object] = []
    known = clip_schema.KIND.to_document

    def counted(asset: Clip, packs: PackWriter) -> Document:
        packed.append(asset)
        return known(asset, packs)

    with monkeypatch.context() as patched:
        patched.setattr(write, "kind_of", lambda a: replace(kind_of(a), to_document=counted))
        session.files.save()
    assert packed == [session.clip]
    assert path.read_bytes() == write.to_bytes(session.document.project)


def test_save_gives_the_file_its_suffix(session: Session, tmp_path: Path) -> None:
    session.files.save(tmp_path / "a.b")
    assert (tmp_path / "a.b.posewright").is_file()


def test_undo_back_to_what_was_saved_is_clean(session: Session, tmp_path: Path) -> None:
    session.files.save(tmp_path / "a.posewright")
    session.clips.set_length(session.clip.id, 3.0)
    assert session.document.dirty
    session.undo()
    assert not session.document.dirty


def test_save_keeps_rotating_backups(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    session.preferences.set("backups", 2)
    contents = []
    for length in (3.0, 4.0, 5.0, 6.0):
        session.clips.set_length(session.clip.id, length)
        session.files.save(path)
        contents.append(path.read_bytes())
    backups = session.files.backups.of(path)
    assert [b.read_bytes() for b in backups] == [contents[2], contents[1]]


def test_backups_keep_their_order_where_a_second_ends_between_two_looks_at_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = tmp_path / "a.posewright", Backups(tmp_path / "backups", keep=2)
    clock = itertools.count(
        1_800_000_000_000_000_000 - 250_000_000, 250_000_000
    )  # each look is a quarter second later
    now = SimpleNamespace(
        time_ns=lambda: next(clock),
        localtime=time.gmtime,
        strftime=lambda form, at=None: time.strftime(form, at or time.gmtime(next(clock) // 1_000_000_000)),
    )
    monkeypatch.setattr(backups, "time", now)
    for number in range(12):
        path.write_text(str(number), encoding="utf-8")
        kept.before_saving(path)
        assert kept.of(path)[0].read_text(encoding="utf-8") == str(number)


def test_save_runs_on_a_worker_with_the_project_as_it_was(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    done = threading.Event()
    later: list = []

    def runner(work, then) -> None:
        thread = threading.Thread(target=lambda: (work(), later.append(then), done.set()))
        thread.start()
        thread.join()

    session.jobs.runner = runner
    before = session.document.project
    session.files.save(path)
    session.edits.put("Length", replace(session.clip, length=9.0))  # at once, beside the save
    assert session.files.saving and done.is_set()
    session.files.save()  # again while the first is under way: done after it
    later.pop(0)()
    assert session.files.saving
    later.pop(0)()
    assert not session.document.dirty
    session.files.open(path)
    later.pop(0)()
    assert session.clip.length == 9.0 and before.clips[0].length == 2.0


def test_save_that_fails_leaves_the_old_file_and_says_so(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    session.files.save(path)
    whole = path.read_bytes()
    session.clips.set_length(session.clip.id, 3.0)
    blocked = tmp_path / "file"
    blocked.write_text("x")
    session.files.save(blocked / "a.posewright")
    assert (
        session.messages.latest.level is Level.ERROR and session.document.dirty and not session.files.saving
    )
    assert session.document.path == path and path.read_bytes() == whole


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04broken", b"{}", b"glTF\x02\0\0\0", b"HIERARCHY\nROOT", b"\0" * 99]
)
def test_open_of_a_bad_file_leaves_the_document_untouched(
    session: Session, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "bad.posewright"
    path.write_bytes(content)
    before = session.document.project
    session.files.open(path)
    assert session.document.project is before and session.messages.latest.level is Level.ERROR
    assert "bad.posewright" in session.messages.latest.text
    session.files.open(tmp_path / "absent.glb")
    assert session.document.project is before


def test_import_of_another_character_is_one_step_with_ids_of_its_own(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "other.posewright"
    session.files.save(path)
    item = read_for_import(session.document.project, path, None, Progress())
    assert item.fits == ("rig-small",)
    assert session.files.accept(item)
    project = session.document.project
    assert len(project.rigs) == 2 and [c.name for c in project.clips] == ["swing", "swing 2"]
    assert project.clips[1].rig == project.rigs[1].id and project.meshes_of(project.rigs[1].id)
    assert session.playback.clip == project.clips[1].id
    session.undo()
    assert len(session.document.project.assets) == 3 and session.playback.clip == "clip-small"


def test_import_of_clips_onto_a_character_brings_only_the_clips(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "other.posewright"
    session.files.save(path)
    found = read_for_import(session.document.project, path, None, Progress())
    session.files.accept(found, onto=session.rig.id)
    assert len(session.document.project.rigs) == 1 and session.clip.name == "swing 2"
    assert same_value(session.clip.tracks, small_project().clips[0].tracks)


def test_clips_of_one_name_get_a_number_each_and_what_is_not_chosen_stays_away(
    session: Session, tmp_path: Path
) -> None:
    path, first = tmp_path / "other.posewright", session.clip
    more = [replace(first, id=f"clip-{n}", name=name) for n, name in enumerate(("swing", "jump", "swing"))]
    session.edits.put("More", *more)
    session.files.save(path)
    found = read_for_import(session.document.project, path, None, Progress())
    session.undo()
    assert session.files.accept(found, session.rig.id, [first.id, *(c.id for c in more if c.name == "swing")])
    assert [c.name for c in session.document.project.clips] == ["swing", "swing 2", "swing 3", "swing 4"]
    before = session.document.project
    with pytest.raises(ValidationError, match=r"other\.posewright holds no clip to import"):
        session.files.accept(found, session.rig.id, [])
    with pytest.raises(ValidationError, match=r"other\.posewright holds nothing to import"):
        session.files.accept(replace(found, project=type(before)()))
    assert session.document.project is before


def test_with_fresh_ids_keeps_references_together() -> None:
    project = small_project()
    fresh = with_fresh_ids(project)
    assert not set(fresh.assets) & set(project.assets)
    assert fresh.clips[0].rig == fresh.rigs[0].id and fresh.meshes_of(fresh.rigs[0].id)
    assert same_value(fresh.clips[0].tracks, project.clips[0].tracks)


@pytest.mark.parametrize("name", ["out.glb", "out.bvh"])
def test_export_writes_what_can_be_read_again(session: Session, tmp_path: Path, name: str) -> None:
    told = []
    session.files.exported.connect(told.append)
    part = session.files.exportable(session.rig.id, [session.clip.id], meshes=False)
    session.files.export(tmp_path / name, part)
    assert told and told[0][0].is_file()
    session.files.open(tmp_path / name)
    assert session.rig.skeleton.find("hand_l") is not None
    assert session.document.path is None and session.document.title == name


def test_cancelled_open_leaves_the_document_untouched(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    session.files.save(path)
    before = session.document.project
    later = []
    session.jobs.runner = lambda work, then: later.append((work, then))
    session.files.open(path).cancel()
    for work, then in later:
        work()
        then()
    assert session.document.project is before and session.jobs.running == ()


def test_open_sample_is_a_document_without_a_file(session: Session) -> None:
    session.files.open_sample()
    assert session.document.path is None and not session.document.dirty
    assert len(session.rig.skeleton) >= 60 and len(session.document.project.clips) >= 4
    assert session.preferences.recent == ()


def test_a_sample_that_is_opened_by_its_path_is_a_copy_without_a_lock(session: Session) -> None:
    session.files.open(sample_path())
    assert session.document.path is None and session.document.project.rigs
    assert not lock_of(sample_path()).exists()
    assert sample_path() not in session.preferences.recent
