"""A dialog that sits for its portrait: what it shows, what its controls do, and what comes of each way to end it."""

import re
from collections.abc import Callable
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QPushButton,
    QTableView,
    QTreeView,
    QWidget,
)
from shiboken6 import Shiboken

from tests.editor.panel_stage import Notes
from tests.editor.portraits import happenings, words
from tests.editor.portraits.brush import noted
from tests.editor.portraits.deeds import everything
from tests.editor.portraits.hands import Hands
from tests.editor.stage import Stage

ENDS = ("Cancel", "Close", "Done", "OK")
"""Buttons that end a dialog, by parts of their names."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


def shown() -> QDialog:
    """The dialog in sight."""
    (dialog,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]
    return dialog


def painted(widget: QWidget) -> list[str]:
    with noted() as log:
        widget.grab()
        return [f"paints {line}" for line in log.taken()]


def tables(widget: QWidget) -> list[str]:
    """How wide the columns of lists and tables are, and what a drag of a row does."""
    found: list[str] = []
    for view in [v for v in widget.findChildren(QAbstractItemView) if v.isVisible() and v.model()]:
        wide = ""
        if isinstance(view, QTreeView | QTableView):
            wide = " columns @" + ",".join(
                str(view.columnWidth(k)) for k in range(view.model().columnCount())
            )
        drags = f" {view.dragDropMode().name} {view.defaultDropAction().name}"
        found.append(f"table {view.objectName()}{wide}{'' if 'NoDrag' in drags else drags}")
    return found


def told(widget: QWidget) -> list[str]:
    """Widgets, the order of Tab, and what is painted."""
    return [
        *words.lines(widget),
        *tables(widget),
        f"Tab: {', '.join(words.focus_order(widget))}",
        *painted(widget),
    ]


def around(here: Stage) -> SimpleNamespace:
    """What deeds and happenings ask of a stage."""
    return SimpleNamespace(session=here.session, notes=Notes(), actions=here.window.actions_registry)


def settled(here: Stage) -> None:
    here.user.wait_until(lambda: not here.session.jobs.running)
    here.user.settle()


def endings(here: Stage, opens: Callable[[], object], prepare: Callable[[QDialog], object]) -> list[str]:
    """What comes of each button in the last row, of Return and of Escape, each in a dialog opened for it.

    Parameters
    ----------
    prepare : what a person does in the dialog before
    """
    opens()
    settled(here)
    low = max(b.mapTo(shown(), b.rect().topLeft()).y() for b in shown().findChildren(QPushButton))
    buttons = [
        b for b in shown().findChildren(QPushButton) if b.mapTo(shown(), b.rect().topLeft()).y() >= low - 4
    ]
    texts = [b.text() for b in sorted(buttons, key=lambda b: b.mapTo(shown(), b.rect().topLeft()).x())]
    shown().close()
    settled(here)
    found: list[str] = []
    for end in (*texts, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        opens()
        settled(here)
        dialog, stage = shown(), around(here)
        prepare(dialog)
        before = happenings.moment(stage, dialog)
        if isinstance(end, Qt.Key):
            QTest.keyClick(dialog, end)
        else:
            next(b for b in dialog.findChildren(QPushButton) if b.text() == end).click()
        settled(here)
        found += [f"{end.name if isinstance(end, Qt.Key) else end}:"]
        found += [f"    {line}" for line in happenings.came(stage, dialog, before)]
        while here.session.history.position > before.position and here.session.undo():
            pass
        for left in [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]:
            left.close()
        settled(here)
    return found


def sitting(qapp: QApplication, here: Stage, left: tuple[str, ...] | None = ()) -> list[str]:
    """The dialog in sight, which is closed at the end.

    Parameters
    ----------
    left : controls that are not used, by parts of their names; None leaves all
    """
    dialog = shown()
    focus = dialog.focusWidget()
    found = [
        f"window {dialog.windowTitle()!r}",
        f"focus {focus.objectName() or type(focus).__name__ if focus else 'nowhere'}",
        *told(dialog),
    ]
    if left is not None:
        found += ["=== deeds", *everything(Hands(qapp, around(here), dialog, (*left, *ENDS)))]
    if Shiboken.isValid(dialog):
        dialog.close()
    here.user.settle()
    return [MOMENT.sub("WHEN", line) for line in found]
