"""A panel in what a person brings it to, one thing after the other: what is shown and painted then, in lines."""

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from editor.model.session import Session
from tests.editor.portraits import dialogs, happenings, sitter, words
from tests.editor.portraits.brush import noted
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.in_hand import otherwise, whole

Deed = Callable[[Session, QWidget], object]


def seen(panel: QWidget) -> list[str]:
    """Words of a panel, and how far its lists are scrolled."""
    areas = [a for a in panel.findChildren(QAbstractScrollArea) if a.isVisible()]
    bars = [(a.objectName() or type(a).__name__, a.verticalScrollBar()) for a in areas]
    return (
        words.lines(panel)
        + dialogs.tables(panel)
        + [f"scrolled {name} {b.value()} of {b.maximum()}" for name, b in bars if b.maximum()]
    )


def states_of(qapp: QApplication, panel: str, begin: str, things: Mapping[str, Deed]) -> list[str]:
    """What is other after each deed than before it: words, and pictures; a picture that comes late is a fault.

    Parameters
    ----------
    begin : stage at which the panel begins
    things : what happens to it then, in order
    """
    stage, widget = sitter.seated(qapp, panel, begin)
    hands = Hands(qapp, stage, widget, still=True)
    found: list[str] = []
    try:
        with noted() as log:
            hands.settle()
            before, rest = seen(widget), whole(hands, log)
            for what, deed in things.items():
                said = len(stage.session.messages.log)
                deed(stage.session, widget)
                hands.settle()
                own = log.taken()
                now, picture = seen(widget), whole(hands, log)
                found.append(f"=== {what}")
                found += [f"said {m.text!r}" for m in stage.session.messages.log[said:]]
                found += happenings.differs(before, now)
                found += [f"paints {line}" for line in otherwise(rest, picture)]
                found += [f"LATE {line}" for line in picture if line not in rest and line not in own]
                before, rest = now, picture
    finally:
        sitter.away(qapp, stage, widget)
    return [happenings.MADE.sub("-made", line) for line in found]
