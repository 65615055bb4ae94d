"""A document that was recovered and not saved is no file's: after another crash all of it is there, new steps too."""

import json
import os

from core.arrays import same_value
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.model.journals import CHANNEL, crashed, put_value


def recovered(data) -> Session:
    """The next session, with what the crash left."""
    made = Session.create(data / "config", data)
    (item,) = made.files.recoverable()
    made.files.recover(item)
    return made


def crash(session: Session) -> None:
    """Leave a session as a crash does."""
    session.journal.flush()
    lock_path(session.journal.path).write_text(json.dumps({"pid": os.getpid(), "start": "another"}))


def value(session: Session) -> float:
    track = session.clip.scalar(CHANNEL)
    return float(track.values[abs(track.times - 0.5).argmin()])


def test_steps_before_and_after_a_recovery_outlive_the_next_crash(tmp_path) -> None:
    file = tmp_path / "walk.posewright"
    first = crashed(tmp_path, file)
    first_project = first.document.project
    second = recovered(tmp_path)
    assert same_value(second.document.project, first_project) and second.document.path == file
    assert second.document.dirty
    put_value(second, 77.0)
    kept = second.document.project
    crash(second)
    third = recovered(tmp_path)
    assert same_value(third.document.project, kept) and value(third) == 77.0
    assert third.document.dirty and third.document.path == file
    third.journal.flush()
    third.close()


def test_a_file_that_was_opened_is_the_journals_start_and_is_not_written_again(tmp_path) -> None:
    file = tmp_path / "walk.posewright"
    crashed(tmp_path / "elsewhere", file)
    session = Session.create(tmp_path / "config", tmp_path)
    session.files.open(file)
    put_value(session, 5.0)
    session.journal.flush()
    # The step alone: it lies beside a copy of the file.
    assert session.journal.path.stat().st_size < file.stat().st_size
    crash(session)
    again = recovered(tmp_path)
    assert value(again) == 5.0
    again.close()
