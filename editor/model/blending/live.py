"""A blend space tried out: the point, the clock that runs on, the trail, paths recorded and replayed."""

import numpy as np

from core.arrays import FloatArray
from core.blending.blend_space import BlendSpace, Smoothing, SpaceAxis
from core.blending.space_player import SpacePlayer
from core.blending.weights import SpaceWeights
from core.ids import AssetId
from core.math import transform
from core.pose.pose import Pose
from editor.model.blending.blend_clock import BlendClock
from editor.model.blending.path_recorder import PathRecorder
from editor.model.blending.player_cache import PlayerCache
from editor.model.blending.spaces import Spaces
from editor.model.display.display import Display
from editor.model.display.transport import TransportTaken
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.playback import Playback


class LiveBlend:
    """Plays the open blend space in the viewport while its point is moved.

    It gives the evaluator its pose while `on`; picking a clip, scrubbing or posing ends that. The
    transport's play button then runs and stops this clock.

    Attributes
    ----------
    changed : the pose differs (the evaluator listens)
    moved : point, weights or trail differ
    state_changed : on, running, recording or replaying differs
    clock : where in the cycle it stands, and where the point was
    recorder : the path that the point was dragged along
    """

    def __init__(
        self, spaces: Spaces, evaluator: Evaluator, playback: Playback, display: Display, messages: Messages
    ) -> None:
        self._spaces, self._evaluator, self._playback = spaces, evaluator, playback
        self._display, self._messages = display, messages
        self._points: dict[AssetId, tuple[float, ...]] = {}
        self._on = self._running = False
        self.clock, self.recorder = BlendClock(), PathRecorder()
        self._cache = PlayerCache(spaces, evaluator, self._on_player)
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        spaces.changed.connect(lambda _: self._on_space())
        self._transport = TransportTaken(playback, display, self)

    # ------------------------------------------------------------ what
    @property
    def space(self) -> BlendSpace | None:
        """The open space, as a drag shows it."""
        return self._spaces.current

    @property
    def on(self) -> bool:
        """Whether the viewport shows the blend."""
        return self._on

    @property
    def running(self) -> bool:
        """Whether its clock runs."""
        return self._on and self._running

    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        space = self.space
        return space.name if space is not None else ""

    @property
    def detail(self) -> str:
        """Where the point stands, in words."""
        space = self.space
        if space is None:
            return ""
        pairs = zip(space.axes, self.point, strict=True)
        return "  ".join(f"{axis.name} {value + 0.0:.4g}{_unit(axis)}" for axis, value in pairs)

    @property
    def point(self) -> tuple[float, ...]:
        """Where the point stands."""
        space = self.space
        if space is None:
            return ()
        middle = tuple(0.0 if a.minimum <= 0.0 <= a.maximum else a.minimum for a in space.axes)
        point = self._points.get(space.id, middle)
        return space.kept(point if len(point) == len(space.axes) else middle)

    @property
    def weights(self) -> FloatArray:
        """``(n,)`` weights in effect, a sample each."""
        space = self.space
        if space is None or not space.samples:
            return np.zeros(0)
        state = self.clock.state
        if self._on and state is not None and state.weights is not None:
            return state.weights
        field = self.field
        return field(np.array(self.point)) if field is not None else np.zeros(len(space.samples))

    @property
    def shown_point(self) -> tuple[float, ...]:
        """Where the smoothed input stands; the point itself without smoothing."""
        state = self.clock.state
        return state.point if self._on and state is not None else self.point

    @property
    def field(self) -> SpaceWeights | None:
        """The open space's weights, None without samples."""
        player = self.player
        return player.field if player is not None else None

    @property
    def player(self) -> SpacePlayer | None:
        """What plays the open space; None where it cannot (`why` says why)."""
        return self._cache.player

    @property
    def why(self) -> str:
        """Why the open space cannot play, or ""."""
        return self._cache.why

    @property
    def normalised(self) -> float:
        """How far the cycle is, 0..1."""
        player, state = self.player, self.clock.state
        return 0.0 if player is None or state is None else player.playback(state).normalised

    # ------------------------------------------------------------ PoseSource
    def pose(self) -> Pose | None:
        """The blended pose; None where the space cannot be played (see `why`)."""
        player = self.player
        return None if player is None else self.clock.sampled(player, self.point).pose

    def world(self) -> FloatArray:
        """Where the character stands: walking by its root motion, unless it plays in place."""
        return np.eye(4) if self._playback.in_place else transform.to_matrix(self.clock.stands)

    # ------------------------------------------------------------ doing
    def start(self, running: bool = True) -> bool:
        """Show the blend in the viewport; False (with a message) where it cannot."""
        if self.player is None:
            self._messages.warn(self.why)
            return False
        if not self._on:
            with self._transport.own():
                self._playback.set_transient_clip(None)
            self._transport.take()
            self._on = True
            self.clock.stands = transform.IDENTITY
            self._display.show(self)
        self._running = running
        self.clock.rest()
        self.state_changed.emit(None)
        return True

    def stop(self) -> None:
        """Show the clip again."""
        if self._on:
            self._on = self._running = False
            self.recorder.finish()
            self.recorder.stop_replay()
            self._display.hide(self)
            self.clock.trail.clear()
            self.state_changed.emit(None)

    def toggle(self) -> None:
        """Run or stop the clock; shows the blend first."""
        if not self._on:
            self.start()
        else:
            self._running = not self._running
            self.clock.rest()
            self.state_changed.emit(None)

    def set_point(self, point: tuple[float, ...]) -> None:
        """Move the point; it stays within the axes."""
        space = self.space
        if space is None or len(point) != len(space.axes):
            return
        kept = tuple(
            a.kept(v) if a.wrap and not a.minimum <= v <= a.maximum else min(max(v, a.minimum), a.maximum)
            for v, a in zip(point, space.axes, strict=True)
        )
        if kept == self._points.get(space.id):
            return
        self._points[space.id] = kept
        self.recorder.note(self.clock.now, kept)
        if not self._running or not self._on or _follows_at_once(space):
            self._settle(kept)
        self.moved.emit(None)

    def tick(self, now: float) -> bool:
        """Let the clock run up to `now` (seconds, monotonic); whether anything moved."""
        if not self.running:
            self.clock.rest()
            return False
        seconds = self.clock.elapsed(now)
        if seconds is None:
            return False
        self._advance(seconds * self._playback.speed)
        return True

    def _advance(self, seconds: float) -> None:
        player = self.player
        if player is None:
            self.stop()
            return
        replayed = self.recorder.replayed(seconds, player)
        if replayed is not None:
            self._points[player.space.id] = replayed
        self.clock.advance(player, self.point, seconds, not self._playback.in_place)
        self.recorder.note(self.clock.now, self.point)
        self.changed.emit(None)
        self.moved.emit(None)

    # ------------------------------------------------------------ paths
    def record(self) -> None:
        """Begin to note the path, or end it."""
        if self.recorder.recording:
            self.recorder.finish()
        elif self.start():
            self.recorder.begin(self.clock.now, self.point)
        self.state_changed.emit(None)

    def replay(self) -> None:
        """Let the noted path drive the point from its start, or stop that."""
        if self.recorder.replaying:
            self.recorder.stop_replay()
        elif self.recorder.path is None:
            self._messages.info(tr("No path yet"), tr("Press record, then drag the point"))
        elif self.start():
            self.recorder.start_replay()
        self.state_changed.emit(None)

    # ------------------------------------------------------------ upkeep
    def _settle(self, point: tuple[float, ...]) -> None:
        """Without a running clock the blend follows the point at once."""
        player = self.player
        if player is None:
            return
        self.clock.settle(player, point)
        self.changed.emit(None)

    def _on_player(self, before: SpacePlayer | None, player: SpacePlayer | None) -> None:
        self.clock.carry_over(before, player, self.point)

    def _on_space(self) -> None:
        if self._on and self.player is None:
            self.stop()
        elif self._on:
            self.changed.emit(None)
        self.moved.emit(None)


def _follows_at_once(space: BlendSpace) -> bool:
    """Whether nothing smooths the way from the point to the weights."""
    still = all(a.smoothing is Smoothing.NONE or a.smoothing_time <= 0.0 for a in space.axes)
    return still and space.weight_speed <= 0.0


def _unit(axis: SpaceAxis) -> str:
    """The unit as it is written after a number."""
    return axis.unit if axis.unit in ("", "°", "%") else f" {axis.unit}"
