"""The Play workspace is Play: going there starts it, leaving it ends it, and Esc goes back to where one came from."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from editor.model.play.state import Play
from editor.qt.binding import Bindings

WORKSPACE = "play"


class PlayMode(QObject):
    """Keeps Play and the workspaces together.

    Parameters
    ----------
    current : id of the workspace shown
    use : goes to another one, without a word to this
    show : brings a panel to the front
    """

    def __init__(
        self,
        owner: QObject,
        play: Play,
        current: Callable[[], str],
        use: Callable[[str], None],
        show: Callable[[str], object],
    ) -> None:
        super().__init__(owner)
        self._play, self._current, self._use, self._show = play, current, use, show
        self._back = ""
        self._was_on = False
        Bindings(self).on(play.state_changed, lambda _: self._follow())

    def enter(self) -> None:
        """Go to the workspace and play; from within, leave."""
        if self._play.on:
            self._play.leave()
            return
        self.go(WORKSPACE)

    def go(self, workspace: str) -> None:
        """Go to a workspace."""
        before = self._current()
        if workspace == WORKSPACE:
            if before != WORKSPACE:
                self._back = before
                self._use(workspace)
            if not self._play.on and not self._play.choices.why_not():
                self._play.start()
            return
        self._back = ""
        self._use(workspace)
        self._play.leave()

    def _follow(self) -> None:
        busy = self._play.on or self._play.preparing
        was, self._was_on = self._was_on, busy
        if was and not busy and self._play.failed and self._current() == WORKSPACE:
            self._show("play_setup")  # here is what it lacks; one goes back by hand
        elif was and not busy and self._back and self._current() == WORKSPACE:
            QTimer.singleShot(0, self, self._return)  # not amid the event that ended it

    def _return(self) -> None:
        back, self._back = self._back, ""
        if back and not self._play.on and not self._play.preparing and self._current() == WORKSPACE:
            self._use(back)
