"""Gestures at one widget of a panel, told whole: what shows while they are under way, what came, and taken back."""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from tests.editor.panel_stage import Stage
from tests.editor.portraits import pointer
from tests.editor.portraits.brush import Brush
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.in_hand import otherwise
from tests.editor.portraits.pointer import LEFT, NONE

MOST = 9
"""So many lines of a picture are told, of more only how many there are."""
NEVER = Qt.MouseButton.NoButton


def counted_ids(patch: pytest.MonkeyPatch) -> None:
    """Ids of what is made anew are told in the order in which it was made."""
    numbers = count(0xA0000000)
    patch.setattr("core.graph.graph.uuid4", lambda: SimpleNamespace(hex=f"{next(numbers):08x}"))


class Gestures:
    """Makes one gesture after the other at a widget.

    Attributes
    ----------
    partly : whether the widget paints only the part that is other; what is not painted then is still there

    Parameters
    ----------
    own : what else is told of a moment: a name and a text each; of what came only what is other
    reset : makes it as it was before a gesture, as far as Undo does not
    """

    partly = False

    def __init__(
        self,
        qapp: QApplication,
        stage: Stage,
        panel: QWidget,
        widget: QWidget,
        log: Brush,
        own: Callable[[], Mapping[str, str]],
        reset: Callable[[], object],
    ) -> None:
        self.stage, self.panel, self.widget, self.log = stage, panel, widget, log
        self.own, self.reset = own, reset
        self.hands = Hands(qapp, stage, panel, still=True)
        self._rest: list[str] = []
        self._shown: list[str] = []
        self.back()

    @property
    def lines(self) -> list[str]:
        return self.hands.lines

    # ------------------------------------------------------------ pictures
    def settle(self) -> None:
        """What waits a moment is done now."""
        self.hands.settle()
        late = [t for t in self.panel.findChildren(QTimer) if t.isSingleShot() and t.isActive()]
        for timer in late:
            timer.stop()
            timer.timeout.emit()
        if late:
            self.hands.settle()

    def picture(self, what: str) -> None:
        """The hint, the cursor, and what is painted by itself other than at rest."""
        self.settle()
        found = self.log.taken()
        told = otherwise(self._rest, found) if found else ["paints nothing"]
        if self.partly:
            told = [line for line in told if not line.startswith("- ") and "setClipRect" not in line]
        cursor = self.widget.cursor().shape().name.removesuffix("Cursor")
        same = told == self._shown
        self._shown = told
        self.lines.append(
            f"  {what}: {cursor} {self.stage.notes.hint!r}{' the same picture' if same and told else ''}"
        )
        if not same:
            more = [f"… {len(told)} lines"] if len(told) > MOST else []
            self.lines.extend(f"      {line}" for line in told[:MOST] + more)

    def back(self) -> None:
        """As at rest, and painted so."""
        QApplication.sendEvent(pointer.target(self.widget), QEvent(QEvent.Type.Leave))
        self.reset()
        self.settle()
        self.log.taken()
        self.widget.update()
        pointer.target(self.widget).update()
        self.settle()
        self._rest = self.log.taken()
        self._shown = []

    # ------------------------------------------------------------ gestures
    def do(self, what: str, deed: Callable[[], object], kept: bool = False) -> None:
        """Do something; tell what came of it; take it back unless it is kept."""
        position = self.stage.session.history.position
        before = dict(self.own())

        def done() -> None:
            deed()
            self.settle()

        at = len(self.lines)
        self.hands.do(what, done, back=False)
        mine = next(k for k in range(at, len(self.lines)) if self.lines[k].startswith(f"{what}:"))
        if mine > at:  # what was told under way stands below what was done
            self.lines[at : mine + 1] = [self.lines[mine], *self.lines[at:mine]]
        now = self.own()
        self.lines.extend(f"    {k}: {other(before[k], now[k])}" for k in now if now[k] != before.get(k))
        if kept:
            return
        session = self.stage.session
        while session.history.position > position and session.undo():
            pass
        self.back()

    def drag(
        self,
        what: str,
        at: QPoint,
        to: QPoint,
        *,
        held: Qt.KeyboardModifier = NONE,
        button: Qt.MouseButton = LEFT,
        during: Callable[[], object] = lambda: None,
        kept: bool = False,
        shown: bool = True,
    ) -> None:
        """Press, move on the way and to the end, do something meanwhile, let go."""

        def deed() -> None:
            pointer.press(self.widget, at, button, held)
            for share in (0.3, 0.7, 1.0):
                self.settle()
                self.log.taken()
                move(self.widget, at + (to - at) * share, button, held)
            if shown:
                self.picture("under way")
            during()
            if Shiboken.isValid(self.widget):
                pointer.let_go(self.widget, to, button, held)

        self.do(what, deed, kept)


def other(was: str, now: str) -> str:
    """How a text is other now; of a list only the parts that went and came."""
    old, new = was.split("; "), now.split("; ")
    if len(old) < 2 and len(new) < 2:
        return f"{was} → {now}"
    gone, came = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return f"{'; '.join(gone.elements())} → {'; '.join(came.elements())}"


def move(
    widget: QWidget, at: QPoint, buttons: Qt.MouseButton = NEVER, held: Qt.KeyboardModifier = NONE
) -> None:
    """The pointer goes somewhere, with a button down or with none."""
    pointer.mouse(widget, QEvent.Type.MouseMove, at, NEVER, buttons, held)
