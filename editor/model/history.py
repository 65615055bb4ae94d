"""Undo and redo: the steps done, where we stand among them, and what they cost."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.project.references import check_step
from editor.model.commands import Command, ViewState
from editor.model.document import Document
from editor.model.events import Event

MAX_STEPS = 5000
MAX_BYTES = 512 * 2**20
AT_ONCE = 300
"""Values of a step after which the rest waits: 0.5 ms, and as much for the piece that they end in."""
LATER = 10
"""How many times that are counted in a turn in which nothing else goes on."""
WAITING = 6
"""Steps still to be counted, above which a new one waits for all of them: without a window nobody else counts."""


class StepKind(StrEnum):
    """Which way a step went."""

    DO = "do"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Step:
    """What has just happened to the document; the journal writes it down."""

    kind: StepKind
    command: Command


class History:
    """The stack of commands of one document.

    Parameters
    ----------
    max_steps, max_bytes : the oldest steps are dropped above either; the newest always stays

    Attributes
    ----------
    changed : labels, position or memory differ
    stepped : a command was done, undone or redone
    dropped : how many of the oldest steps have been discarded because of the limits
    """

    def __init__(self, document: Document, max_steps: int = MAX_STEPS, max_bytes: int = MAX_BYTES) -> None:
        self._document = document
        self._commands: list[Command] = []
        self._position = 0
        self._max_steps, self._max_bytes = max_steps, max_bytes
        self._held: dict[int, list[int]] = {}  # id of value → [bytes, commands that hold it]
        self._memory = 0
        self._uncounted: deque[tuple[Iterator[dict[int, int]], bool]] = deque()  # and whether it comes
        self.dropped = 0
        self.changed: Event[None] = Event()
        self.stepped: Event[Step] = Event()
        document.replaced.connect(lambda _: self.clear())

    @property
    def labels(self) -> tuple[str, ...]:
        """What was done, oldest first; those from `position` on are undone."""
        return tuple(command.label for command in self._commands)

    @property
    def position(self) -> int:
        """How many of the steps are done."""
        return self._position

    @property
    def can_undo(self) -> bool:
        return self._position > 0

    @property
    def can_redo(self) -> bool:
        return self._position < len(self._commands)

    @property
    def undo_label(self) -> str:
        """Label of the step that undo takes back, or ""."""
        return self._commands[self._position - 1].label if self.can_undo else ""

    @property
    def redo_label(self) -> str:
        """Label of the step that redo does again, or ""."""
        return self._commands[self._position].label if self.can_redo else ""

    @property
    def memory(self) -> int:
        """Bytes of what steps hold, as far as `counted`; each value once, those that both sides share not."""
        return self._memory

    @property
    def counted(self) -> bool:
        """Whether what the steps hold has been counted to its end."""
        return not self._uncounted

    @property
    def max_bytes(self) -> int:
        """Bytes above which the oldest steps are discarded."""
        return self._max_bytes

    @max_bytes.setter
    def max_bytes(self, limit: int) -> None:
        if limit != self._max_bytes:
            self._max_bytes = limit
            self.count()
            self.changed.emit(None)

    def do(self, command: Command) -> bool:
        """Apply a command and put it on the stack; what was undone is forgotten. False if it changes nothing.

        Raises
        ------
        MissingReferenceError, ValidationError
            It would leave an asset referring to what is not in the document; nothing is changed.
        """
        if command.empty:
            return False
        check_step(self._document.project, {change.id: change.after for change in command.changes})
        self._document.apply(command)
        if len(self._uncounted) > WAITING:
            self.count()
        self._uncounted.extend((gone.sizes(), False) for gone in self._commands[self._position :])
        del self._commands[self._position :]
        self._commands.append(command)
        self._position += 1
        self._uncounted.append((command.sizes(), True))
        self.count(AT_ONCE)
        self.stepped.emit(Step(StepKind.DO, command))
        self.changed.emit(None)
        return True

    def undo(self) -> ViewState | None:
        """Take the last step back; returns what to show, or None where there is nothing to undo."""
        if not self.can_undo:
            return None
        command = self._commands[self._position - 1]
        self._position -= 1
        self._document.revert(command)
        self.stepped.emit(Step(StepKind.UNDO, command))
        self.changed.emit(None)
        return command.view_before

    def redo(self) -> ViewState | None:
        """Do the next step again; returns what to show, or None where there is nothing to redo."""
        if not self.can_redo:
            return None
        command = self._commands[self._position]
        self._position += 1
        self._document.apply(command)
        self.stepped.emit(Step(StepKind.REDO, command))
        self.changed.emit(None)
        return command.view_after

    def go_to(self, position: int) -> ViewState | None:
        """Undo or redo until `position` steps are done (clamped); returns what to show last."""
        position = min(max(position, 0), len(self._commands))
        view: ViewState | None = None
        while self._position > position:
            view = self.undo()
        while self._position < position:
            view = self.redo()
        return view

    def clear(self) -> None:
        """Forget everything (another document has been opened)."""
        self._commands.clear()
        self._held.clear()
        self._uncounted.clear()
        self._position = self._memory = self.dropped = 0
        self.changed.emit(None)

    def count(self, most: int | None = None) -> bool:
        """Count what steps that came hold, and those that went held; drop the oldest where all is too much.

        A step that replaces two hundred clips holds a million values: the window counts them bit by bit. Returns
        whether all is counted.

        Parameters
        ----------
        most : values after which to leave the rest for later; None counts all
        """
        looked = 0
        while most is None or looked < most:
            if not self._uncounted and not self._let_go():
                return True
            pieces, comes = self._uncounted[0]
            piece = next(pieces, None)
            if piece is None:
                self._uncounted.popleft()
                continue
            looked += len(piece)
            (self._hold if comes else self._release)(piece)
        return not self._uncounted and not self._let_go()

    def _hold(self, piece: dict[int, int]) -> None:
        for key, size in piece.items():
            entry = self._held.setdefault(key, [size, 0])
            if entry[1] == 0:
                self._memory += size
            entry[1] += 1

    def _release(self, piece: dict[int, int]) -> None:
        for key in piece:
            entry = self._held[key]
            entry[1] -= 1
            if entry[1] == 0:
                self._memory -= entry[0]
                del self._held[key]

    def count_on(self) -> bool:
        """Count a little more of what steps hold; whether all is counted (which is told)."""
        if self._uncounted and self.count(LATER * AT_ONCE):
            self.changed.emit(None)
        return not self._uncounted

    def _let_go(self) -> bool:
        """Drop the oldest step where the limits are passed; what is undone, and the newest step done, always stay."""
        over = len(self._commands) > self._max_steps or self._memory > self._max_bytes
        if self._position <= 1 or not over:
            return False
        self._uncounted.append((self._commands.pop(0).sizes(), False))
        self._position -= 1
        self.dropped += 1
        return True
