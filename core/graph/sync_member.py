"""What a player must do to be a member of a sync group."""

from abc import abstractmethod
from typing import NamedTuple

from core.graph.graph import SyncRole
from core.graph.op import PoseOp, Run

LEAST_WAY = 1e-9
"""Turns within which a marker counts as passed already."""


class Phase(NamedTuple):
    """Where a member is.

    Parameters
    ----------
    markers : names of the marker passed last and of the next; None without markers
    between, whole : fractions 0..1 of the way between them and of its whole length
    """

    markers: tuple[str, str] | None
    between: float
    whole: float


class Sync(NamedTuple):
    """Sync group and role of a player; the group "" plays by itself."""

    group: str = ""
    role: SyncRole = SyncRole.CAN_LEAD


ALONE = Sync()


class SyncMember(PoseOp):
    """A player that may be in a sync group.

    Attributes
    ----------
    group : name of its sync group; "" where it plays by itself
    role : whether it may lead
    """

    group: str
    role: SyncRole

    @abstractmethod
    def is_new(self, run: Run) -> bool:
        """Whether it comes into the group in this step."""

    @abstractmethod
    def begin_step(self, run: Run) -> None:
        """Note where it is at the beginning of its span."""

    @abstractmethod
    def cycle(self, run: Run) -> float:
        """Seconds of a whole turn at its own rate; infinite where it stands still."""

    @abstractmethod
    def direction(self, run: Run) -> float:
        """1 where it plays forwards, −1 backwards."""

    @abstractmethod
    def phase(self, run: Run) -> Phase:
        """Where it is."""

    @abstractmethod
    def ahead(self, run: Run, seconds: float) -> Phase:
        """Where it will be some seconds after the beginning of its step, at its present pace."""

    @abstractmethod
    def start_at(self, run: Run, seconds: float) -> None:
        """Begin at a time of its clip (of a space's heaviest clip); what stands exactly there fires."""

    @abstractmethod
    def until_marker(self, run: Run, turns: float) -> float:
        """Seconds until it passes its next marker at so many turns a second; infinite without markers."""

    @abstractmethod
    def join(self, run: Run, phase: Phase) -> None:
        """Take a phase, without having passed anything."""

    @abstractmethod
    def go_on(self, run: Run, turns: float, start: float, stop: float) -> None:
        """Play on by so many turns a second from one moment of the step to another."""

    @abstractmethod
    def follow(self, run: Run, phase: Phase, turns: float, start: float, stop: float) -> None:
        """Play to a phase from one moment of the step to another."""
