"""The reliability scripts, for a few seconds each; `python -m tests.reliability` runs them for as long as asked."""

import sys
from pathlib import Path

import pytest

from tests.reliability import edits, faults, kills

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL and pipes")


@POSIX
@pytest.mark.parametrize("kind", ["editing", "saving", "helper"])
def test_killed_program_loses_at_most_the_last_gesture(kind: str) -> None:
    told = kills.run(1, seed=7, kinds=(kind,))
    assert not told.problems and not told.lost, told.problems


def test_random_edits_are_undone_and_recovered_exactly(tmp_path: Path) -> None:
    walk = edits.Walk(tmp_path, edits.small_start(), seed=11, even=True)
    try:
        told = walk.run(120)
        walk._guarded("save and open", walk._save)
        walk._guarded("recover", walk._recover)
    finally:
        walk.close()
    assert not told.problems and len(told.kinds) > 10, told.problems


def test_random_edits_of_a_long_clip_are_undone_exactly(tmp_path: Path) -> None:
    from core.project.project import Project
    from tests.big_documents import big_clip, big_rig

    rig = big_rig(20)
    clip = big_clip(rig, 4000, properties=1)
    walk = edits.Walk(tmp_path, Project({rig.id: rig, clip.id: clip}), seed=5, even=True)
    try:
        told = walk.run(30)
    finally:
        walk.close()
    assert not told.problems, told.problems


def test_walk_notices_what_is_written_into_a_shared_array(tmp_path: Path) -> None:
    """The check itself: an edit that writes in place is found."""
    walk = edits.Walk(tmp_path, edits.small_start(), seed=1, even=True)
    try:
        for asset in walk.session.document.project.assets.values():
            walk.sums[id(asset)] = (asset, edits.fingerprint(asset))
        track = next(iter(walk.session.clip.tracks.values()))
        track.values.flags.writeable = True
        track.values[0] += 1.0
        for _ in range(2000):
            walk._compare()
    finally:
        walk.close()
    assert any("wrote into" in problem for problem in walk.told.problems)


@pytest.fixture
def gestures(qapp):
    """Gestures by mouse in the whole window."""
    from editor.shell.panels import panel_specs
    from tests.editor.rigs import small_project
    from tests.editor.stage import stage
    from tests.reliability.gestures import Gestures

    with stage(qapp, *(spec.id for spec in panel_specs()), project=small_project) as here:
        yield Gestures(here, seed=4)


def test_random_gestures_by_mouse_are_undone_exactly(gestures) -> None:
    told = gestures.run(30)
    assert not told.problems and told.checks >= 3 and told.steps > 1, (told.problems, told.gestures)


def test_gestures_notice_an_undo_that_gives_something_else_and_what_is_written_in_place(gestures) -> None:
    session = gestures.session
    session.clips.set_length(session.document.project.clips[0].id, 3.0)
    gestures.start = session.document.project  # as if undoing it had left the change
    gestures.check()
    assert any("gives another document" in problem for problem in gestures.told.problems)
    track = next(iter(session.clip.tracks.values()))
    track.values.flags.writeable = True
    track.values[0] += 1.0
    gestures.check()
    assert any("wrote into" in problem for problem in gestures.told.problems)


@POSIX
@pytest.mark.parametrize("what", faults.CASES)
def test_failing_files_lose_nothing_and_are_said(what: str, tmp_path: Path) -> None:
    saw, sound = faults.CASES[what](tmp_path)
    assert sound, saw
