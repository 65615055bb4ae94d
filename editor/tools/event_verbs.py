"""What one does to the selected notifies, sync markers and contacts of a clip; each is one step."""

from collections.abc import Callable
from dataclasses import replace

from core.errors import AnimError
from editor.model.event_text import HEAD, Copied, read, written
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import clip_events
from editor.tools.clip_events import ClipEvent, Kind

Events = tuple[ClipEvent, ...]


class EventVerbs:
    """Verbs on what is selected.

    Parameters
    ----------
    chosen : the selected events, the one that was picked last first
    choose : selects others
    renew : brings the lanes up to date at once
    """

    def __init__(
        self,
        session: Session,
        chosen: Callable[[], Events],
        choose: Callable[[Events], object],
        renew: Callable[[], object],
    ) -> None:
        self._session, self._chosen, self._choose, self._renew = session, chosen, choose, renew
        self._copied: Events = ()
        self._text = ""

    @property
    def chosen(self) -> Events:
        """The selected events."""
        return self._chosen()

    def delete(self) -> None:
        """Delete them."""
        clip_events.delete(self._session, self.chosen)

    # ------------------------------------------------------------ clipboard
    @property
    def can_paste(self) -> bool:
        """Whether the clipboard holds notifies, or what was copied here last."""
        return self._session.clipboard.kind == HEAD

    def copy(self) -> None:
        """Put them on the clipboard; sync markers and contacts can be pasted by this window alone."""
        if not self.chosen:
            return
        self._copied = self.chosen
        notifies = [clip_events.notify_of(e) for e in self.chosen if e.lane.kind is Kind.NOTIFY]
        self._session.clipboard.text = self._text = written(Copied((), tuple(notifies)))

    def paste(self) -> None:
        """Put what the clipboard holds at the playhead."""
        text = self._session.clipboard.text
        events = self._copied
        if text != self._text:
            try:
                events = tuple(clip_events.event_of(notify) for notify in read(text).notifies)
            except AnimError as error:
                self._session.messages.error(str(error))
                return
        if events:
            self._choose(clip_events.paste(self._session, events))

    def duplicate(self) -> None:
        """Copies of them behind them."""
        self._choose(clip_events.duplicate(self._session, self.chosen) or self.chosen)

    # ------------------------------------------------------------ times and lanes
    def nudge(self, seconds: float) -> None:
        """Move them along the time."""
        self._choose(clip_events.nudge(self._session, self.chosen, seconds) or self.chosen)

    def new_lane(self) -> None:
        """Put the notifies on a lane of their own."""
        clip = self._session.clip
        if clip is None or not any(e.lane.kind is Kind.NOTIFY for e in self.chosen):
            self._session.messages.info(tr("Select a notify first"))
            return
        self.to_lane(clip_events.free_lane(clip))

    def to_lane(self, name: str) -> None:
        """Put the notifies on a lane."""
        self._choose(clip_events.to_lane(self._session, self.chosen, name) or self.chosen)
        self._renew()

    # ------------------------------------------------------------ the one picked last
    def toggle_branching(self) -> None:
        """Let a notify act at its exact moment, or no longer."""
        event = self._notify()
        if event is not None:
            rule = replace(event.rule, branching=not event.rule.branching)
            self._change(tr("Branching of {what}", what=event.name), event, replace(event, rule=rule))

    def toggle_span(self) -> None:
        """Make a notify a span, or a moment."""
        event = self._notify()
        if event is not None:
            duration = 0.0 if event.duration > 0.0 else clip_events.SPAN
            label = tr("Make {what} a moment") if event.duration > 0.0 else tr("Make {what} a span")
            self._change(label.format(what=event.name), event, replace(event, duration=duration))

    def color(self, event: ClipEvent, color: str) -> None:
        """Give an event and its namesakes a colour; "" is the one of the name."""
        made = clip_events.color(self._session, event, color)
        if made is not None:
            self._choose((made,))

    def _notify(self) -> ClipEvent | None:
        if not self.chosen or self.chosen[0].lane.kind is not Kind.NOTIFY:
            self._session.messages.info(tr("Select a notify first"))
            return None
        return self.chosen[0]

    def _change(self, label: str, old: ClipEvent, new: ClipEvent) -> None:
        made = clip_events.change(self._session, label, old, new)
        if made is not None:
            self._choose((made,))
