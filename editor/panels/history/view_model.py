"""The history panel without Qt."""

from dataclasses import dataclass

from editor.model.i18n import tr
from editor.model.session import Session


@dataclass(frozen=True, slots=True)
class Steps:
    """What is listed: a first row for the opened document, then one a step.

    Parameters
    ----------
    labels : oldest first; row 0 is the document as it was opened
    position : row that the document stands at; later ones are undone
    """

    labels: tuple[str, ...]
    position: int


class HistoryList:
    """Lists the steps of a session and goes to them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def steps(self) -> Steps:
        """The steps now."""
        history = self._session.history
        first = tr("Opened") if self._session.document.path is not None else tr("Start")
        return Steps((first, *history.labels), history.position)

    def go_to(self, row: int) -> bool:
        """Undo or redo until this row is the newest one done."""
        return self._session.go_to(row)
