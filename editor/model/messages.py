"""Quiet messages: what the bar at the bottom says; never a dialog in the way."""

from collections import deque
from dataclasses import dataclass
from enum import IntEnum

from editor.model.events import Event


class Level(IntEnum):
    """How much a message matters."""

    INFO = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, slots=True)
class Message:
    """One message: what happened and what to do next.

    Parameters
    ----------
    action : id of an action that is the next step, or tells more
    button : what its button says; "" is the action's title
    """

    level: Level
    text: str
    next_step: str = ""
    action: str = ""
    button: str = ""


class Messages:
    """The messages of a session, the newest last; `posted` tells of each, `resolved` that errors are of the past."""

    def __init__(self, keep: int = 200) -> None:
        self._log: deque[Message] = deque(maxlen=keep)
        self.posted: Event[Message] = Event()
        self.resolved: Event[None] = Event()

    @property
    def log(self) -> tuple[Message, ...]:
        """What has been said, oldest first."""
        return tuple(self._log)

    @property
    def latest(self) -> Message | None:
        """The newest message, or None."""
        return self._log[-1] if self._log else None

    def resolve(self) -> None:
        """Something like what failed before went well: errors still in sight may go."""
        self.resolved.emit(None)

    def post(self, level: Level, text: str, next_step: str = "", action: str = "", button: str = "") -> None:
        """Say something."""
        message = Message(level, text, next_step, action, button)
        self._log.append(message)
        self.posted.emit(message)

    def info(self, text: str, next_step: str = "") -> None:
        """Say that something went well."""
        self.post(Level.INFO, text, next_step)

    def warn(self, text: str, next_step: str = "", action: str = "") -> None:
        """Say that something is not as expected."""
        self.post(Level.WARNING, text, next_step, action)

    def error(self, text: str, next_step: str = "", action: str = "", button: str = "") -> None:
        """Say that something failed."""
        self.post(Level.ERROR, text, next_step, action, button)
