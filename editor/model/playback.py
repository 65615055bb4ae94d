"""What is shown and when: rig, clip, time, and how time runs."""

from collections import deque
from collections.abc import Callable
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.ids import AssetId
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from editor.model.document import Document
from editor.model.events import Event

MIN_SPEED, MAX_SPEED = 0.1, 4.0


class PlayMode(StrEnum):
    """What gives way when drawing is slower than the clip."""

    REAL_TIME = "real_time"
    EVERY_FRAME = "every_frame"


class LoopMode(StrEnum):
    """What happens at the end of the range."""

    LOOP = "loop"
    PING_PONG = "ping_pong"
    ONCE = "once"


class Playback:
    """The transport. The window calls `tick` by a timer while `playing`.

    At exactly the end of the range a stopped transport shows the end; going on from there shows
    the start. `turns` counts the loops since the last seek, for root motion.

    Attributes
    ----------
    time_changed, state_changed, clip_changed, range_changed : what differs
    key_times : gives the times that `next_key` and `previous_key` stop at
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._rig: AssetId | None = None
        self._clip: AssetId | None = None
        self._below: AssetId | None = None
        self._transient_clip: Clip | None = None
        self._time = 0.0
        self._playing = False
        self._last: float | None = None
        self._direction = 1
        self._turns = 0
        self._frames: deque[float] = deque(maxlen=30)
        self._range: tuple[float, float] | None = None
        self._speed = 1.0
        self._mode = PlayMode.REAL_TIME
        self._loop = LoopMode.LOOP
        self._in_place = True
        self.key_times: Callable[[], FloatArray] = lambda: np.zeros(0)
        self.time_changed: Event[float] = Event()
        self.state_changed: Event[None] = Event()
        self.clip_changed: Event[None] = Event()
        self.range_changed: Event[None] = Event()
        document.changed.connect(self._on_document)

    # ------------------------------------------------------------ what
    @property
    def rig(self) -> AssetId | None:
        """Id of the rig shown."""
        return self._rig

    @property
    def clip(self) -> AssetId | None:
        """Id of the clip shown."""
        return self._clip

    @property
    def below(self) -> AssetId | None:
        """Id of the clip that the layer in hand lies over: `clip` is the layer's then, and keys go there. None else."""
        return self._below

    def set_clip(
        self, clip: AssetId | None, rig: AssetId | None = None, below: AssetId | None = None
    ) -> None:
        """Show a clip, and its rig; without a clip, the rig in its rest pose. The time is clamped.

        Parameters
        ----------
        below : take the clip in hand as a layer over this one
        """
        asset = self._document.project.assets.get(clip) if clip else None
        if isinstance(asset, Clip):
            rig = asset.rig
        else:
            clip, rig = None, rig if rig is not None else self._rig
        if rig is not None and not isinstance(self._document.project.assets.get(rig), Rig):
            rig = None
        if clip is None or not isinstance(self._document.project.assets.get(below or clip), Clip):
            below = None
        if (clip, rig, below) == (self._clip, self._rig, self._below):
            self.set_transient_clip(None)
            return
        same = clip is not None and (below or clip) == (self._below or self._clip)  # a clip and its layers
        self._clip, self._rig, self._below, self._transient_clip = clip, rig, below, None
        if not same:
            self._turns = 0
        had_range = self._range is not None and not (same and self._range[1] <= self.length)
        if had_range or not same:
            self._range = None
        if clip is None:
            self.pause()
        self.clip_changed.emit(None)
        if had_range:
            self.range_changed.emit(None)
        if self._time > self.length:
            self.seek(self.length)

    @property
    def shown(self) -> Clip | None:
        """The document's clip that is shown."""
        asset = self._document.project.assets.get(self._clip) if self._clip else None
        return asset if isinstance(asset, Clip) else None

    @property
    def transient_clip(self) -> Clip | None:
        """A clip that is no part of the document and is played in place of the one shown, or None."""
        return self._transient_clip

    def set_transient_clip(self, clip: Clip | None) -> None:
        """Run over a clip outside the document (what a retarget will be); picking a clip ends that."""
        if clip is self._transient_clip:
            return
        self._transient_clip = clip
        had_range, self._range = self._range is not None, None
        self.clip_changed.emit(None)
        if had_range:
            self.range_changed.emit(None)
        if self._time > self.length:
            self.seek(self.length)

    @property
    def length(self) -> float:
        """Seconds of the clip that runs, 0 without one."""
        clip = self._transient_clip or self.shown
        return clip.length if clip else 0.0

    @property
    def rate(self) -> FrameRate:
        """Frame rate of the clip that runs, 30 without one."""
        clip = self._transient_clip or self.shown
        return clip.rate if clip else FrameRate.of(30)

    # ------------------------------------------------------------ when
    @property
    def time(self) -> float:
        """Seconds from the clip's start."""
        return self._time

    @property
    def frame(self) -> float:
        """Frame number (fractional) from the clip's start."""
        return self.rate.to_frame(self._time)

    @property
    def shown_frame(self) -> float:
        """Frame number as every panel writes it: while time runs the whole frame that has been reached."""
        return float(np.floor(self.frame + 1e-6)) if self._playing else self.frame

    @property
    def shown_time(self) -> float:
        """Seconds of `shown_frame`."""
        return self.rate.to_seconds(self.shown_frame) if self._playing else self._time

    @property
    def turns(self) -> int:
        """How often the range has been looped since the last seek (negative backwards)."""
        return self._turns

    @property
    def range(self) -> tuple[float, float] | None:
        """The preview range in seconds, or None for the whole clip."""
        return self._range

    @property
    def span(self) -> tuple[float, float]:
        """Start and end that are played, in seconds."""
        return self._range or (0.0, self.length)

    def set_range(self, start: float | None, end: float | None = None) -> None:
        """Play only from `start` to `end`, or the whole clip where None; too short a range counts as none.

        It is cut to the clip.
        """
        new = None
        if start is not None and end is not None:
            low, high = max(0.0, min(start, end)), min(max(start, end), self._last_time)
            new = (low, high) if high - low > TIME_EPSILON else None
        if new != self._range:
            self._range = new
            self.range_changed.emit(None)

    def seek(self, time: float) -> None:
        """Go to a time within the clip (without one: at or after 0); the way of root motion starts afresh."""
        self._turns = 0
        self._last = None
        self._set_time(min(max(0.0, time), self._last_time) if np.isfinite(time) else 0.0)

    @property
    def _last_time(self) -> float:
        """The end of what runs; a first clip, made for a time, is as long as that asks for."""
        return self.length if self._transient_clip is not None or self.shown is not None else float("inf")

    def step(self, frames: int) -> None:
        """Go by whole frames, from and to the frame grid; stays within the clip."""
        self.pause()
        exact = self.frame
        start = np.floor(exact + 1e-6) if frames > 0 else np.ceil(exact - 1e-6)
        self.seek(self.rate.to_seconds(float(start) + frames))

    def go_start(self) -> None:
        """Go to the start of the range."""
        self.seek(self.span[0])

    def go_end(self) -> None:
        """Go to the end of the range."""
        self.seek(self.span[1])

    def next_key(self) -> None:
        """Go to the next time that has a key; stays where there is none."""
        end = self._last_time + TIME_EPSILON
        later = [t for t in self.key_times() if self._time + TIME_EPSILON < t <= end]
        if later:
            self.pause()
            self.seek(float(min(later)))

    def previous_key(self) -> None:
        """Go to the last time before now that has a key; stays where there is none."""
        earlier = [t for t in self.key_times() if t < self._time - TIME_EPSILON]
        if earlier:
            self.pause()
            self.seek(float(max(earlier)))

    # ------------------------------------------------------------ how
    @property
    def playing(self) -> bool:
        """Whether time runs."""
        return self._playing

    @property
    def ticked_at(self) -> float | None:
        """The moment of the clock that the time shown while it runs belongs to; None before the first tick."""
        return self._last

    @property
    def direction(self) -> int:
        """1 while time runs forwards, -1 on the way back of a ping-pong."""
        return self._direction

    @property
    def speed(self) -> float:
        """Factor on time, 0.1 to 4."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._put("_speed", min(max(float(value), MIN_SPEED), MAX_SPEED))

    @property
    def mode(self) -> PlayMode:
        """Real time with frame drop, or every frame."""
        return self._mode

    @mode.setter
    def mode(self, value: PlayMode) -> None:
        self._put("_mode", PlayMode(value))

    @property
    def loop(self) -> LoopMode:
        """What happens at the end."""
        return self._loop

    @loop.setter
    def loop(self, value: LoopMode) -> None:
        self._direction = 1
        self._put("_loop", LoopMode(value))

    @property
    def in_place(self) -> bool:
        """Whether the character stays where it is instead of walking by root motion."""
        return self._in_place

    @in_place.setter
    def in_place(self, value: bool) -> None:
        self._put("_in_place", bool(value))

    @property
    def measured_fps(self) -> float:
        """Frames a second really shown over the last ticks, 0 while stopped."""
        if not self._playing or len(self._frames) < 2:
            return 0.0
        elapsed = self._frames[-1] - self._frames[0]
        return (len(self._frames) - 1) / elapsed if elapsed > 0.0 else 0.0

    def play(self) -> None:
        """Let time run; at the end of a range that does not loop, from its start again."""
        if self._playing or (self._clip is None and self._transient_clip is None):
            return
        start, end = self.span
        self._direction = 1
        if self._loop is LoopMode.ONCE and self._time >= end - TIME_EPSILON:
            self.seek(start)
        self._playing, self._last = True, None
        self._frames.clear()
        self.state_changed.emit(None)

    def pause(self) -> None:
        """Stop time where it is."""
        if self._playing:
            self._playing, self._last = False, None
            self.state_changed.emit(None)

    def toggle(self) -> None:
        """Play, or pause on the whole frame shown, so that keys set next do not fall between frames."""
        if self._playing:
            shown = self.shown_time
            self.pause()
            self._set_time(shown)
        else:
            self.play()

    def tick(self, now: float) -> bool:
        """Let time run up to `now` (seconds of a monotonic clock); whether another frame is shown."""
        if not self._playing:
            return False
        if self._last is None:
            self._last = now
            self._frames.append(now)
            return False
        elapsed = max(0.0, now - self._last)
        if self._mode is PlayMode.EVERY_FRAME:
            frame = self.rate.frame / self._speed
            if elapsed < frame - 1e-3:
                return False
            moved = self.rate.frame
        else:
            moved = elapsed * self._speed
        self._last = now
        self._frames.append(now)
        self._advance(moved)
        return True

    def _advance(self, seconds: float) -> None:
        start, end = self.span
        span = end - start
        if span <= TIME_EPSILON:
            self.pause()
            self._set_time(start)
            return
        time = self._time + self._direction * seconds
        if self._loop is LoopMode.LOOP and time >= end:
            over = int((time - start) // span)
            self._turns += over
            time -= over * span
        elif self._loop is LoopMode.PING_PONG and not start <= time < end:
            place = (time - start if self._direction > 0 else (2 * span - (time - start))) % (2 * span)
            self._direction = 1 if place < span else -1
            time = start + (place if place < span else 2 * span - place)
        elif self._loop is LoopMode.ONCE and time >= end:
            self.pause()
            time = end
        self._set_time(time)

    def _set_time(self, time: float) -> None:
        if time != self._time:
            self._time = time
            self.time_changed.emit(time)

    def _put(self, name: str, value: object) -> None:
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.state_changed.emit(None)

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        """Forget what has been deleted, and times that the clip no longer has."""
        project = self._document.project
        if self._clip is not None and self.shown is None:
            siblings = project.clips_of(self._rig) if self._rig is not None else ()
            kept = self._below if self._below in project.assets else None
            self.set_clip(kept or (siblings[0].id if siblings else None))
        if self._below is not None and self._below not in project.assets:
            self.set_clip(self._clip)
        if self._rig is not None and self._rig not in project.assets:
            self._rig, self._clip, self._below, self._transient_clip = None, None, None, None
            self.pause()
            self.clip_changed.emit(None)
        if self._clip in ids:
            if self._range is not None and self._range[1] > self.length:
                self.set_range(min(self._range[0], self.length), self.length)
            if self._time > self.length:
                self._set_time(self.length)
