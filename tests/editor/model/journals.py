"""Documents with journals as a crash leaves them, for tests."""

import json
import os
from pathlib import Path

from core.clips.clip import Channel, Property
from core.tracks import edits
from editor.model.journal_file import MAGIC
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.rigs import small_project

CHANNEL = Channel("upper_arm_l", Property.ROTATE, 1)


def put_value(session: Session, value: float) -> None:
    clip = session.clip
    track = edits.set_value(clip.scalar(CHANNEL), 0.5, value)
    session.edits.put(f"value {value}", clip.with_tracks({CHANNEL: track}))


def crashed(data: Path, path: Path | None = None, steps: int = 5) -> Session:
    """A session whose journal is left as a crash leaves it, made to look as another's."""
    session = Session.create(data / "config", data)
    session.document.replace(small_project(), None)
    if path is not None:
        session.files.save(path)
    for step in range(steps):
        put_value(session, step + 1.0)
    session.undo()
    session.journal.flush()
    lock_path(session.journal.path).write_text(json.dumps({"pid": os.getpid(), "start": "another"}))
    return session


def write(path: Path, *parts: bytes) -> Path:
    path.write_bytes(MAGIC + b"".join(parts))
    return path
