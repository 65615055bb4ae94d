"""Dialogs of the retarget panel: sources and maps."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.errors import AnimError
from core.io.common.opening import read_regular
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.qt.dialogs import Files, choose_files
from editor.qt.file_filters import readable

MAPS = "Chain map (*.json)"


def open_source(parent: QWidget, session: Session) -> None:
    """Ask for a file, and make it the source."""
    choose_files(
        parent, tr("Open a retarget source"), readable(), lambda paths: session.feature(Retargeting).load(paths[0]),
        start=folder_of(session),
    )  # fmt: skip


def load_map(parent: QWidget, session: Session) -> None:
    """Ask for a map, and use it."""
    choose_files(
        parent, tr("Load a map"), [MAPS], lambda paths: _told(session, lambda: _read(session, paths[0])),
        start=folder_of(session),
    )  # fmt: skip


def save_map(parent: QWidget, session: Session) -> None:
    """Ask where, and write the map."""
    source = session.feature(Retargeting).subject.source
    name = (Path(source.title).stem if source is not None else "map") + ".map.json"
    choose_files(
        parent,
        tr("Save the map"),
        [MAPS],
        lambda paths: _told(session, lambda: _write(session, paths[0])),
        start=folder_of(session) / name,
        suffix="json",
        mode=Files.SAVE,
    )


def folder_of(session: Session) -> Path:
    """Where sources were found last, else the document's folder."""
    source = session.feature(Retargeting).subject.source
    near = [source.path] if source is not None and source.path is not None else []
    near += [session.document.path] if session.document.path is not None else []
    near += list(session.preferences.recent[:1])
    return next((path.parent for path in near if path.parent.is_dir()), Path.home())


def _read(session: Session, path: Path) -> None:
    try:
        text = read_regular(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        session.messages.error(tr("{name} cannot be read: {error}", name=path.name, error=error))
        return
    session.feature(Retargeting).edits.read_map(text)
    session.messages.info(tr("Using the map of {name}", name=path.name))


def _write(session: Session, path: Path) -> None:
    try:
        path.write_text(session.feature(Retargeting).edits.map_text(), encoding="utf-8")
    except OSError as error:
        session.messages.error(tr("{name} cannot be written: {error}", name=path.name, error=error))
        return
    session.messages.info(tr("Saved {name}", name=path.name))


def _told(session: Session, work: Callable[[], None]) -> None:
    """Do something that may be refused; the reason goes to the message bar."""
    try:
        work()
    except AnimError as error:
        session.messages.error(str(error))
