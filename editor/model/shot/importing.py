"""Cameras, props and second characters out of files, read off the window's thread and added in one step."""

from pathlib import Path

from core.ids import new_id
from core.io.shot_files import read_prop, read_shot_cameras
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Prop
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.model.shot.characters import Characters
from editor.model.shot.state import Shot


def import_cameras(session: Session, path: Path) -> None:
    """Add every camera of a file."""
    shot = session.feature(Shot)

    def done(found: tuple[ShotCamera, ...]) -> None:
        shot.add(*found)
        count = trn("{count} camera", "{count} cameras", len(found))
        session.messages.info(tr("Imported {what} of {file}", what=count, file=path.name))

    _read(session, path, lambda progress: read_shot_cameras(path, progress), done)


def import_prop(session: Session, path: Path) -> None:
    """Add the meshes of a file as one prop, where the file has them."""
    shot = session.feature(Shot)

    def done(prop: Prop) -> None:
        shot.add(prop)
        session.messages.info(tr("Imported {file} as a prop", file=path.name))

    _read(session, path, lambda progress: read_prop(path, progress), done)


def add_character(session: Session, path: Path) -> None:
    """Show the first character of a file with its first clip beside the one that is edited."""
    characters = session.feature(Characters)
    session.feature(Shot).add(
        ShotCharacter(new_id("shot_character"), path.stem or tr("Character"), characters.relative(path))
    )


def _read(session: Session, path: Path, work, done) -> None:  # type: ignore[no-untyped-def]
    def failed(error: Exception) -> None:
        session.messages.error(tr("{file} was not imported", file=path.name), str(error))

    session.jobs.run(tr("Read {file}", file=path.name), work, done, failed)
