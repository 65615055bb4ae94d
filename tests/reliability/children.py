"""What is killed: programs that edit, save, or stand in a window, and say each step that is safe.

python -m tests.reliability.children editing|saving|window|closing FOLDER SEED
"""

import os
import sys
import time
from pathlib import Path
from random import Random

from core.clips.clip import Channel, Property
from core.project.project import Project
from core.tracks import edits
from editor.model.session import Session
from tests.editor.rigs import small_project

CHANNEL = Channel("upper_arm_l", Property.ROTATE, 1)


def after(project: Project, step: int) -> Project:
    """The document with a step done; told by its number alone, so that whoever kills can do the same."""
    clip = project.clips[0]
    track = edits.set_value(clip.scalar(CHANNEL), 0.01 * (step % 150), float(step))
    return project.with_assets(clip.with_tracks({CHANNEL: track}))


def expected(steps: int) -> Project:
    """The document after so many steps."""
    project = small_project()
    for step in range(1, steps + 1):
        project = after(project, step)
    return project


def say(*words: object) -> None:
    """One line, at once."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def opened(folder: Path) -> Session:
    """A session with the small document."""
    session = Session.create(folder / "config", folder / "data")
    session.document.replace(small_project(), None)
    return session


def editing(folder: Path, chance: Random) -> None:
    """Edit for ever; a step is said when it is in the journal."""
    session = opened(folder)
    for step in range(1, 100_000):
        session.edits.commit(str(step), after(session.document.project, step))
        session.journal.flush()
        say("step", step)


def saving(folder: Path, chance: Random) -> None:
    """Edit and save for ever, so that most kills meet a save."""
    session = opened(folder)
    path = folder / "walk.posewright"
    for step in range(1, 100_000):
        session.edits.commit(str(step), after(session.document.project, step))
        session.journal.flush()
        say("step", step)
        session.files.save(path)
        say("saved", step)


def _window(folder: Path):
    from PySide6.QtWidgets import QApplication

    from editor.model.preferences import Preferences
    from editor.qt.collector import Collector
    from editor.qt.theme import Theme
    from editor.shell.panels import panel_specs
    from editor.shell.start import prepare
    from editor.shell.window import MainWindow

    prepare(Preferences(folder / "config"))
    app = QApplication(sys.argv[:1])
    Collector(app)
    session = Session.create(folder / "config", folder / "data")
    window = MainWindow(session, Theme(app, "dark"), panel_specs())
    session.document.replace(small_project(), None)
    session.playback.set_clip(session.document.project.clips[0].id)
    window.show()
    for _ in range(20):
        app.processEvents()
    return app, session, window


def window(folder: Path, chance: Random) -> None:
    """The real window, drawn and edited for ever, playing, with a save now and then."""
    app, session, shown = _window(folder)
    say("ready")
    for step in range(1, 100_000):
        session.edits.commit(str(step), after(session.document.project, step))
        if step % 20 == 0:
            session.files.save(folder / "walk.posewright")
        if step % 7 == 0:
            session.playback.toggle()
        app.processEvents()
        session.journal.flush()
        say("step", step)


def closing(folder: Path, chance: Random) -> None:
    """Close the window while a job runs: it must end by itself, with nothing left and nothing half-written."""
    app, session, shown = _window(folder)
    session.edits.commit("1", after(session.document.project, 1))
    path = folder / "walk.posewright"
    session.files.save(path)
    session.jobs.run(
        "Wait", lambda progress: [progress.report(k / 400) or time.sleep(0.005) for k in range(400)]
    )
    say("ready")
    until = time.monotonic() + chance.random() * 0.2
    while time.monotonic() < until:
        app.processEvents()
    shown._close_now()
    while not session.journal.closed or shown.isVisible():
        app.processEvents()
    say("closed")


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]), Random(int(sys.argv[3])))
