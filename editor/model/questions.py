"""What opening, saving and recovering have to ask; the window asks with dialogs, scripts take the safe answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.project.project import Project
from editor.model.disk import ChangedOutsideError, LockedError
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.recovery import Recoverable, Recovered

Answer = Callable[[str], object]
"""Gets the choice; "" is none of them."""


class Questions(Protocol):
    """Each gets what happened, and a function for the answer."""

    @property
    def asking(self) -> bool:
        """Whether the user is being asked something, or is about to be: what a look at the file finds has to wait."""

    def locked(self, error: LockedError, answer: Answer) -> None:
        """A document to be opened is open elsewhere: "read_only", "copy" or "take_over"."""

    def conflict(self, error: ChangedOutsideError | LockedError, answer: Answer) -> None:
        """A file to be saved over is another's, or not what was opened: "overwrite" or "save_as"."""

    def outside(self, path: Path, answer: Answer) -> None:
        """The open document's file was changed by another program: "reload" (unsaved changes are discarded)."""

    def recovered(self, item: Recoverable, found: Recovered, answer: Answer) -> None:
        """The file that lost steps belong to holds something else now: "copy" (of the lost work) or "file"."""


class Unasked:
    """Nobody is there to ask: nothing is overwritten, and what was done instead is said."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    @property
    def asking(self) -> bool:
        """Never: there is no one who could be disturbed."""
        return False

    def locked(self, error: LockedError, answer: Answer) -> None:
        """Open it without the right to save over it."""
        self._messages.warn(str(error), tr("It was opened read-only"))
        answer("read_only")

    def conflict(self, error: ChangedOutsideError | LockedError, answer: Answer) -> None:
        """Do not save."""
        self._messages.error(str(error), tr("Nothing was written"))
        answer("")

    def outside(self, path: Path, answer: Answer) -> None:
        """Say so."""
        self._messages.warn(tr("{name} was changed by another program", name=path.name))
        answer("")

    def recovered(self, item: Recoverable, found: Recovered, answer: Answer) -> None:
        """Open the lost work beside the file."""
        self._messages.warn(
            tr("{name} is not the version these steps were made on", name=str(item.document)),
            tr("They were recovered as a copy"),
        )
        answer("copy")


def file_project(path: Path) -> Project:
    """The document in a file, to be compared; for a worker."""
    import core.io

    return core.io.load(path, format="posewright").project
