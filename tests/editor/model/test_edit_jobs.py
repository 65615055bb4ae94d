"""Edits beside the window: short ones are done at once, long ones become jobs that never touch a newer document."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property
from core.errors import ValidationError
from core.progress import Progress, counted, running
from core.tracks.keys import scalar_track
from editor.model.edit_jobs import Made
from editor.model.session import Session
from tests.editor.stage import WALK, small_project


class Threads:
    """A runner whose work is delivered when asked: the window's, without the window."""

    def __init__(self):
        self.waiting = []

    def __call__(self, work, then):
        thread = threading.Thread(target=work)
        thread.start()
        self.waiting.append((thread, then))

    def deliver(self):
        for thread, then in self.waiting:
            thread.join(400.0)
            then()
        self.waiting.clear()


@pytest.fixture
def session(tmp_path):
    made = Session.create(tmp_path / "config", tmp_path / "data")
    made.document.replace(small_project(), None)
    made.playback.set_clip(WALK)
    made.jobs.runner = Threads()
    yield made
    made.jobs.runner.deliver()
    made.close()


def longer(session, until=None):
    """Work that makes the clip a second longer, after an event where there is one."""
    clip = session.document.project.get(Clip, WALK)

    def work(progress):
        while until is not None and not until.is_set():
            progress.report(0.5)
            time.sleep(0.002)
        return Made("Longer", (replace(clip, length=clip.length + 1.0),))

    return work


def length(session):
    return session.document.project.get(Clip, WALK).length


def test_short_edit_is_done_when_the_call_returns(session):
    session.edit_jobs.grace = 400.0
    told = []
    assert session.edit_jobs.run("Longer", longer(session), told.append)
    assert length(session) == 2.0 and told == [True] and session.history.labels == ("Longer",)
    session.jobs.runner.deliver()
    assert told == [True] and len(session.history.labels) == 1, (
        "the late delivery of the thread does nothing more"
    )


def test_long_edit_is_a_job_and_one_step_at_its_end(session):
    session.edit_jobs.grace, go = 0.01, threading.Event()
    assert not session.edit_jobs.run("Longer", longer(session, go))
    assert session.edit_jobs.busy and [job.title for job in session.jobs.running] == ["Longer"]
    assert length(session) == 1.0
    go.set()
    session.jobs.runner.deliver()
    assert length(session) == 2.0 and session.history.labels == ("Longer",) and not session.jobs.running
    session.undo()
    assert length(session) == 1.0


def test_long_edit_is_dropped_with_words_where_the_document_changed_meanwhile(session):
    session.edit_jobs.grace, go, dropped = 0.01, threading.Event(), []
    session.edit_jobs.run("Longer", longer(session, go), dropped=lambda: dropped.append(1))
    clip = session.document.project.get(Clip, WALK)
    session.edits.put("Rename", replace(clip, name="stroll"))
    go.set()
    session.jobs.runner.deliver()
    assert length(session) == 1.0 and session.history.labels == ("Rename",) and dropped == [1]
    assert (
        "changed in the meantime" in session.messages.latest.text
        and "again" in session.messages.latest.next_step
    )


def test_cancel_acts_at_once_and_leaves_no_trace(session):
    session.edit_jobs.grace, go = 0.01, threading.Event()
    session.edit_jobs.run("Longer", longer(session, go))
    session.edit_jobs.cancel()
    assert not session.jobs.running and not session.edit_jobs.busy
    assert "cancelled" in session.messages.latest.text
    session.jobs.runner.deliver()
    assert length(session) == 1.0 and not session.history.labels


def test_second_edit_waits_for_the_first(session):
    session.edit_jobs.grace, go = 0.01, threading.Event()
    session.edit_jobs.run("Longer", longer(session, go))
    assert not session.edit_jobs.run("Other", longer(session))
    assert "still running" in session.messages.latest.text
    go.set()
    session.jobs.runner.deliver()
    assert session.history.labels == ("Longer",)


def test_failure_is_raised_where_it_was_waited_for_and_told_later(session):
    def broken(progress):
        raise ValidationError("no")

    session.edit_jobs.grace = 400.0
    with pytest.raises(ValidationError, match="no"):
        session.edit_jobs.run("Broken", broken)
    session.edit_jobs.grace = 0.0
    session.edit_jobs.run("Broken", broken)
    session.jobs.runner.deliver()
    assert "Broken failed: no" in session.messages.latest.text and not session.edit_jobs.busy


def test_counted_nested_loops_share_one_progress_and_stop_at_a_cancel():
    told = []
    progress = Progress(lambda fraction, text: told.append(fraction))
    with running(progress):
        for _ in counted("ab"):
            list(counted("xy"))
        assert told == [0.0, 0.0, 0.25, 0.5, 0.5, 0.75]
        seen = []
        with pytest.raises(Exception, match="cancelled"):
            for item in counted("abc"):
                seen.append(item)
                progress.cancel()
        assert seen == ["a"]
    assert list(counted("ab")) == ["a", "b"], "without work that is listened to it only iterates"


def test_mirroring_every_clip_is_a_job_that_can_be_cancelled(session):
    from editor.model.posing import verbs

    session.edit_jobs.grace = 0.0
    assert not verbs.mirror_clips(session, [clip.id for clip in session.document.project.clips])
    assert session.edit_jobs.busy
    session.jobs.runner.deliver()
    assert session.history.labels == ("Mirror 2 clips",)


def test_edit_that_has_ended_and_is_not_committed_can_be_cancelled(session):
    project, dropped = session.document.project, []
    session.edit_jobs.grace = 0.0
    session.edit_jobs.run("Longer", longer(session), dropped=lambda: dropped.append(True))
    for thread, _ in session.jobs.runner.waiting:
        thread.join(400.0)
    session.edit_jobs.cancel()
    session.jobs.runner.deliver()
    assert not session.edit_jobs.busy and session.document.project is project and dropped == [True]


def test_mirroring_keys_is_a_job_that_can_be_cancelled(session):
    from editor.model.posing import verbs

    rig = session.rig
    left = rig.mirror.pairs[0][0]
    track = scalar_track(np.arange(2000) / 30.0, np.sin(np.arange(2000) / 9.0) * 20.0)
    clip = session.clip.with_tracks({Channel(left, Property.ROTATE, 2): track})
    session.edits.put("keys", clip)
    project = session.document.project
    session.selection.select_keys({Channel(left, Property.ROTATE, 2): np.arange(2000)})
    session.edit_jobs.grace = 0.0
    verbs.mirror_keys(session)
    assert session.edit_jobs.busy
    session.edit_jobs.cancel()
    assert not session.edit_jobs.busy and session.document.project is project


def test_absurdly_many_keys_are_not_copied_but_said(session, monkeypatch):
    from editor.tools import key_commands

    monkeypatch.setattr(key_commands, "MAX_COPIED", 3)
    key_commands.select_all(session)
    with pytest.raises(ValidationError, match="the clipboard takes 3 keys"):
        key_commands.copy(session)


def test_tracks_that_an_edit_worked_on_one_by_one_share_their_times_again(session):
    """Else whatever looks at times does so for each of three hundred bones."""
    session.edit_jobs.grace = 400.0
    clip = session.document.project.get(Clip, WALK)
    channels = list(clip.tracks)[:4]
    at = np.array([0.0, 0.5, 1.0])
    session.edits.put("Alike", clip.with_tracks({c: scalar_track(at, [1.0, 2.0, 3.0]) for c in channels}))
    session.selection.select({c.bone for c in channels})
    session.playback.seek(0.5)
    session.keying.delete_keys()
    after = session.document.project.get(Clip, WALK)
    assert all(len(after.tracks[c].times) == 2 for c in channels)
    assert len({id(after.tracks[c].times) for c in channels}) == 1


def test_key_times_are_found_once_for_a_clip_and_a_selection(session):
    bones = session.rig.skeleton.names
    session.selection.select(bones[:3])
    first = session.key_times()
    assert session.key_times() is first and not first.flags.writeable
    session.selection.select(())
    every = session.key_times()
    assert every is not first and set(first) <= set(every)
    clip = session.document.project.get(Clip, WALK)
    channel = next(iter(clip.tracks))
    session.edits.put("Key", clip.with_tracks({channel: scalar_track([0.0, 0.123], [0.0, 1.0])}))
    assert 0.123 in session.key_times() and 0.123 not in every
