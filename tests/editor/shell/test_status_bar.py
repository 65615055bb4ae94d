"""The status bar without a window: hints and news, what is saved, the journal, frames a second."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLabel, QToolButton

from editor.model.events import Event
from editor.model.session import Session
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel
from editor.shell.status_bar import NEWS, JobBox, StatusBar
from tests.editor.panel_stage import small_session


@pytest.fixture
def session(qapp) -> Iterator[Session]:
    made = small_session()
    yield made
    made.close()


@pytest.fixture
def bar(qtbot, qapp, session: Session) -> Iterator[StatusBar]:
    theme = Theme(qapp)
    made = StatusBar(session, theme)
    theme.dress(made)
    qtbot.addWidget(made)
    made.resize(900, 24)
    made.show()
    yield made
    made.stop()


def hint(bar: StatusBar) -> str:
    return bar.findChild(ElidedLabel, "hint").whole_text()


def label(bar: StatusBar, name: str) -> QLabel:
    return bar.findChild(QLabel, name)


def test_news_stand_for_a_moment_in_place_of_the_hint(bar: StatusBar) -> None:
    bar.set_hint("Drag: move")
    bar.say("Saved")
    assert hint(bar) == "Saved" and bar._news.isActive() and bar._news.interval() == NEWS
    bar.set_hint("Drag: turn")
    assert hint(bar) == "Saved", "a hint waits until the news were there"
    bar._news.stop()
    bar._news.timeout.emit()
    assert hint(bar) == "Drag: turn"
    bar.set_hint("")
    assert hint(bar) == bar.default_hint
    bar.say("Saved")
    bar.stop()
    assert not bar._news.isActive()


@pytest.mark.parametrize(
    ("rate", "behind", "text", "tip", "role"),
    [
        (None, False, "", "", "caption"),
        (59.6, False, "60 fps", "", "caption"),
        (12.4, True, "12 fps", "Playback is slower than the clip: frames are left out", "warning"),
    ],
)
def test_frames_a_second(bar: StatusBar, rate, behind: bool, text: str, tip: str, role: str) -> None:
    bar.set_frame_rate(rate, behind)
    found = label(bar, "frameRate")
    assert (found.text(), found.toolTip(), found.property("role")) == (text, tip, role)


def test_what_is_saved(bar: StatusBar, session: Session, tmp_path: Path) -> None:
    found = label(bar, "savedState")

    def told() -> tuple[str, str, str]:
        bar._refresh()
        return found.text(), found.property("role"), found.toolTip()

    assert told() == ("nothing to save", "caption", "Not saved to a file yet")
    session.edits.put("longer", replace(session.clip, length=3.0))
    assert told() == ("not saved", "warning", "Not saved to a file yet")
    path = tmp_path / "a.posewright"
    session.files.save(path)
    assert told() == ("saved", "caption", str(path))


def test_a_journal_that_failed_is_red_and_says_why(bar: StatusBar, session: Session, monkeypatch) -> None:
    found = label(bar, "journalState")
    assert (found.text(), found.property("role")) == ("journal ok", "caption") and "0.1 s" in found.toolTip()
    session.journal_problem = "the disk is full"
    monkeypatch.setattr(Session, "check_journal", lambda s: None)
    bar.check_journal()
    assert (found.text(), found.property("role"), found.toolTip()) == (
        "journal failed", "error", "the disk is full",
    )  # fmt: skip


def test_work_under_way_is_told_with_how_many_more(qtbot, qapp) -> None:
    cancelled: list[object] = []
    jobs = SimpleNamespace(running=[], changed=Event(), cancel=cancelled.append)
    box = JobBox(SimpleNamespace(jobs=jobs), Theme(qapp))  # type: ignore[arg-type]
    qtbot.addWidget(box)
    try:
        for running, words, value in (
            ([("Bake", "walk", 0.25)], "Bake: walk", 250),
            ([("Bake", "", 0.5)], "Bake", 500),
            ([("Bake", "walk", 0.5), ("Read", "", 0.0)], "Bake: walk (and 1 more)", 500),
            ([("Bake", "", 1.0), ("Read", "", 0.0), ("Save", "", 0.0)], "Bake (and 2 more)", 1000),
        ):
            jobs.running = [SimpleNamespace(title=t, text=x, fraction=f) for t, x, f in running]
            box._refresh()
            assert (box._text.text(), box._bar.value()) == (words, value)
            assert box._timer.isActive() and not box.isHidden()
        box.findChild(QToolButton, "cancelJob").click()
        assert cancelled == [jobs.running[0]]
        jobs.running = []
        box._refresh()
        assert box.isHidden() and not box._timer.isActive()
    finally:
        box._timer.stop()
