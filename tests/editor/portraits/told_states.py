"""A panel in what a person brings it to, one thing after the other: what is shown and painted then, in lines."""

import re
from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from editor.model.session import Session
from tests.editor.portraits import dialogs, happenings, sitter, words
from tests.editor.portraits.brush import noted
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.in_hand import otherwise, whole
from tests.editor.turning import in_front

Deed = Callable[[Session, QWidget], object]


PLACE = re.compile(r" @-?\d+,-?\d+,\d+,\d+$")


def seen(panel: QWidget, places: bool = True) -> list[str]:
    """Words of a panel and how far its lists are scrolled; with the title bar, or with where its widgets stand."""
    areas = [a for a in panel.findChildren(QAbstractScrollArea) if a.isVisible()]
    bars = [(a.objectName() or type(a).__name__, a.verticalScrollBar()) for a in areas]
    if places:
        told = words.lines(panel)
    else:
        titles = getattr(panel, "portrait_titles", ())
        told = [PLACE.sub("", line) for top in (panel, *titles) for line in words.lines(top)]
    return (
        told
        + dialogs.tables(panel)
        + [f"scrolled {name} {b.value()} of {b.maximum()}" for name, b in bars if b.maximum()]
    )


def states_of(
    qapp: QApplication, panel: str, begin: str, things: Mapping[str, Deed], by_hand: bool = False
) -> list[str]:
    """What is other after each deed than before it: words, and pictures; a picture that comes late is a fault.

    Parameters
    ----------
    begin : stage at which the panel begins
    things : what happens to it then, in order
    by_hand : the window has the keyboard, and all that a deed brings is told: steps, changes, menus, the selection;
        not where each widget stands, which portraits hold
    """
    stage, widget = sitter.seated(qapp, panel, begin)
    hands = Hands(qapp, stage, widget, still=True)
    found: list[str] = []
    try:
        with noted() as log:
            hands.settle()
            before, rest = seen(widget, not by_hand), whole(hands, log)
            for what, deed in things.items():
                said = len(stage.session.messages.log)
                if by_hand:
                    in_front(stage.window)
                moment = happenings.moment(stage, widget, shown=False) if by_hand else None
                try:
                    deed(stage.session, widget)
                except Exception as error:
                    error.add_note(f"in the deed {what!r}")
                    raise
                hands.settle()
                if by_hand and in_front(stage.window):
                    hands.settle()
                told = [f"said {m.text!r}" for m in stage.session.messages.log[said:]]
                if moment is not None:
                    came_up = len(happenings.windows()) > len(moment.windows)
                    told = happenings.beside(stage, moment)
                    if came_up:  # and is closed now
                        hands.settle()
                own = log.taken()
                now, picture = seen(widget, not by_hand), whole(hands, log)
                found += [f"=== {what}", *told]
                found += happenings.differs(before, now)
                found += [f"paints {line}" for line in otherwise(rest, picture)]
                found += [f"LATE {line}" for line in picture if line not in rest and line not in own]
                before, rest = now, picture
    finally:
        sitter.away(qapp, stage, widget)
    return [happenings.MADE.sub("-made", line) for line in found]
