"""What every preview does with time: it takes the transport over while it is shown, and counts what passes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from editor.model.display.display import Display
from editor.model.display.source import PoseSource
from editor.model.events import Event
from editor.model.playback import Playback


class Previewed(Protocol):
    """A preview with a clock of its own."""

    @property
    def on(self) -> bool:
        """Whether the viewport shows it."""
        ...

    def toggle(self) -> None:
        """Run or pause it."""
        ...

    def stop(self) -> None:
        """Show the clip again."""
        ...


class ClockedPreview(PoseSource, Protocol):
    """A source of poses with a clock of its own, shown in place of the clip.

    Whoever implements it sets `_display` when it is made, and `_running` when its clock starts and stands.

    Attributes
    ----------
    state_changed : whether it is on or runs, or what it plays differs
    """

    _display: Display
    _running: bool
    state_changed: Event[None]

    @property
    def on(self) -> bool:
        """Whether the viewport shows it."""
        return self._display.source is self

    @property
    def running(self) -> bool:
        """Whether its clock runs."""
        return self.on and self._running

    def pause(self) -> None:
        """Hold the pose shown."""
        if self._running:
            self._running = False
            self.state_changed.emit(None)

    def stop(self) -> None:
        """Show the clip again; what is recorded stays."""
        if self.on:
            self._running = False
            self._display.hide(self)
            self.state_changed.emit(None)


class TransportTaken:
    """Hands the transport to a preview while the viewport shows it.

    The play button then runs and pauses the preview; choosing or scrubbing a clip, and posing, end it.

    Parameters
    ----------
    clip_chosen : what another clip does instead of ending the preview
    """

    def __init__(
        self,
        playback: Playback,
        display: Display,
        preview: Previewed,
        clip_chosen: Callable[[], object] | None = None,
    ) -> None:
        self._playback, self._preview = playback, preview
        self._own = False
        chosen = clip_chosen or preview.stop
        playback.clip_changed.connect(lambda _: chosen())
        playback.state_changed.connect(lambda _: self._on_play())
        playback.time_changed.connect(lambda _: None if self._own else preview.stop())
        display.dragged.connect(lambda _: preview.stop())

    @contextmanager
    def own(self) -> Iterator[None]:
        """While the preview itself changes the playback."""
        self._own = True
        try:
            yield
        finally:
            self._own = False

    def take(self) -> None:
        """Pause the clip: the preview begins."""
        with self.own():
            self._playback.pause()

    def _on_play(self) -> None:
        if self._preview.on and not self._own and self._playback.playing:
            self.take()
            self._preview.toggle()


class LookClock:
    """Seconds from one look at the clock to the next.

    Parameters
    ----------
    longest : seconds that count at most, after a stall
    """

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._last: float | None = None

    def rest(self) -> None:
        """What passes until the next look does not count."""
        self._last = None

    def elapsed(self, now: float) -> float | None:
        """Seconds since the last look; None at the first one after a rest.

        Parameters
        ----------
        now : seconds, monotonic
        """
        last, self._last = self._last, now
        return None if last is None else min(max(now - last, 0.0), self._longest)
