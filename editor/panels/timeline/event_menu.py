"""The menu of the event lanes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from core.clips.clip import NotifyRule
from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.menu import Menu, submenu
from editor.tools import clip_events
from editor.tools.clip_events import ClipEvent, Kind, Lane
from editor.tools.event_verbs import EventVerbs
from editor.tools.span_part import Part


class Strip(Protocol):
    """What the menu asks of the lanes."""

    def add(
        self,
        lane: Lane,
        time: float | None = None,
        *,
        duration: float = 0.0,
        rule: NotifyRule = clip_events.PLAIN,
    ) -> None:
        """Add an event and type its name."""
        ...

    def name(self, event: ClipEvent) -> None:
        """Type another name."""
        ...

    def rename_lane(self, lane: Lane) -> None:
        """Type another name for a lane."""
        ...


class EventMenu(Menu):
    """One showing of the menu."""

    def __init__(self, strip: QWidget, verbs: EventVerbs) -> None:
        super().__init__(strip)
        self._strip: Strip = strip  # type: ignore[assignment]
        self._verbs = verbs
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def fill(self, lane: Lane | None, hit: tuple[ClipEvent, Part] | None, lanes: Sequence[Lane]) -> None:
        """Entries for what lies under the pointer, and for what is selected."""
        strip, verbs = self._strip, self._verbs
        if lane is not None:
            self._entry(tr("Add at the playhead"), partial(strip.add, lane))
        if lane is not None and lane.kind is Kind.NOTIFY:
            span = partial(strip.add, lane, duration=clip_events.SPAN)
            self._entry(tr("Add state at the playhead"), span)
            branching = partial(strip.add, lane, rule=NotifyRule(branching=True))
            self._entry(tr("Add branching at the playhead"), branching)
            self._entry(tr("Rename lane…"), partial(strip.rename_lane, lane))
        if hit is not None:
            self._held(hit[0], lanes)
        if verbs.chosen:
            self._entry(tr("Copy"), verbs.copy)
            self._entry(tr("Delete"), verbs.delete)
        if verbs.can_paste:
            self._entry(tr("Paste at the playhead"), verbs.paste)

    def _held(self, held: ClipEvent, lanes: Sequence[Lane]) -> None:
        verbs = self._verbs
        if held.lane.kind is not Kind.CONTACT:
            self._entry(tr("Rename"), partial(self._strip.name, held))
        if held.lane.kind is Kind.NOTIFY:
            kind = tr("Make it a moment") if held.duration > 0.0 else tr("Make it a span")
            self._entry(kind, verbs.toggle_span)
            self._entry(tr("Branching or not"), verbs.toggle_branching)
            self._entry(tr("Duplicate"), verbs.duplicate)
            others = submenu(self, tr("To lane"))
            for other in lanes:
                if other.kind is Kind.NOTIFY and other != held.lane:
                    self._entry(other.title, partial(verbs.to_lane, other.name), others)
            self._entry(tr("New lane"), verbs.new_lane, others)
        colors = submenu(self, tr("Colour"))
        for name, color in tokens.EVENT_COLORS:
            self._entry(tr(name), partial(verbs.color, held, color), colors).setIcon(swatch(color))
        self._entry(tr("From name"), partial(verbs.color, held, ""), colors)

    def _entry(self, text: str, work: Callable[[], object], into: QMenu | None = None) -> QAction:
        action = QAction(text, into or self)
        action.triggered.connect(lambda _=False: work())
        (into or self).addAction(action)
        return action


def swatch(color: str) -> QIcon:
    """A little square of a colour."""
    image = QPixmap(14, 14)
    image.fill(QColor(color))
    return QIcon(image)
