"""The history panel without Qt."""

from dataclasses import dataclass

from editor.model.i18n import tr, trn
from editor.model.session import Session


@dataclass(frozen=True, slots=True)
class Steps:
    """What is listed: a first row for the opened document, then one a step.

    Parameters
    ----------
    labels : oldest first; row 0 is the document as it was opened, or as the discarded steps had left it
    position : row that the document stands at; later ones are undone
    """

    labels: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What undo costs.

    Parameters
    ----------
    text : how many steps, and how much memory of how much they hold
    share : of the limit, 0..1
    tip : the same in whole sentences
    """

    text: str
    share: float
    tip: str


class HistoryList:
    """Lists the steps of a session and goes to them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def steps(self) -> Steps:
        """The steps now."""
        history = self._session.history
        first = tr("Opened") if self._session.document.path is not None else tr("Start")
        if history.dropped:
            first = trn(
                "{count} older step was discarded", "{count} older steps were discarded", history.dropped
            )
        return Steps((first, *history.labels), history.position)

    def memory(self) -> Memory:
        """What the steps hold."""
        history = self._session.history
        used, limit, count = megabytes(history.memory), megabytes(history.max_bytes), len(history.labels)
        steps = trn("{count} step", "{count} steps", count)
        tip = tr(
            "Undo uses {used} of {limit}. Beyond that the oldest steps are discarded; set the limit in Preferences.",
            used=used,
            limit=limit,
        )
        return Memory(
            f"{steps} · {used} / {limit}", min(history.memory / max(history.max_bytes, 1), 1.0), tip
        )

    def go_to(self, row: int) -> bool:
        """Undo or redo until this row is the newest one done."""
        return self._session.go_to(row)


def megabytes(size: int) -> str:
    """Bytes as people say them."""
    return f"{size / 2**20:.0f} MB" if size >= 10 * 2**20 or not size else f"{size / 2**20:.1f} MB"
