"""A blend space tried out: the point, the clock that runs on, the trail, paths recorded and replayed."""

from collections import deque
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.blend_space import BlendSpace, Smoothing, SpaceAxis
from core.blending.space_bake import DrivenPath
from core.blending.space_player import SpacePlayer, SpaceState
from core.blending.weights import SpaceWeights
from core.clips.clip import Notify
from core.clips.sample import ClipEvaluator, PoseOutput
from core.errors import AnimError
from core.ids import AssetId
from core.math import transform
from core.math.transform import Transform
from core.pose.pose import Pose
from editor.model.blending.spaces import Spaces
from editor.model.display.display import Display
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.playback import Playback

TRAIL = 1.5
"""Seconds that the trail of the point lasts."""
LONGEST_STEP = 0.25
"""Seconds that the clock moves on at most between two looks, after a stall."""


class LiveBlend:
    """Plays the open blend space in the viewport while its point is moved.

    It gives the evaluator its pose while `on`; picking a clip, scrubbing or posing ends that. The
    transport's play button then runs and stops this clock.

    Attributes
    ----------
    changed : the pose differs (the evaluator listens)
    moved : point, weights or trail differ
    state_changed : on, running, recording or replaying differs
    """

    def __init__(
        self, spaces: Spaces, evaluator: Evaluator, playback: Playback, display: Display, messages: Messages
    ) -> None:
        self._spaces, self._evaluator, self._playback = spaces, evaluator, playback
        self._display, self._messages = display, messages
        self._points: dict[AssetId, tuple[float, ...]] = {}
        self._player: SpacePlayer | None = None
        self._evaluators: dict[AssetId, ClipEvaluator] = {}
        self._made_of: tuple[object, ...] = ()
        self._seen: tuple[object, object, object] = (self, self, self)
        self._why = ""
        self._state: SpaceState | None = None
        self._sampled: PoseOutput[Notify] | None = None
        self._stands: Transform = transform.IDENTITY
        self._on = self._running = False
        self._ours = False
        self._last: float | None = None
        self._now = 0.0
        self.trail: deque[tuple[float, tuple[float, ...]]] = deque()
        self.path: DrivenPath | None = None
        self._noted: list[tuple[float, tuple[float, ...]]] | None = None
        self._replay: float | None = None
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        spaces.changed.connect(lambda _: self._on_space())
        playback.state_changed.connect(lambda _: self._on_transport())
        playback.clip_changed.connect(lambda _: self.stop())
        playback.time_changed.connect(lambda _: self._on_elsewhere(not self._ours))
        display.dragged.connect(lambda _: self._on_elsewhere(True))

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
        state = self._state
        if self._on and state is not None and state.weights is not None:
            return state.weights
        field = self.field
        return field(np.array(self.point)) if field is not None else np.zeros(len(space.samples))

    @property
    def shown_point(self) -> tuple[float, ...]:
        """Where the smoothed input stands; the point itself without smoothing."""
        return self._state.point if self._on and self._state is not None else self.point

    @property
    def field(self) -> SpaceWeights | None:
        """The open space's weights, None without samples."""
        player = self.player
        return player.field if player is not None else None

    @property
    def player(self) -> SpacePlayer | None:
        """What plays the open space; None where it cannot (`why` says why)."""
        space, rig, project = self.space, self._evaluator.rig, self._spaces.project
        if self._seen[0] is space and self._seen[1] is rig and self._seen[2] is project:
            return self._player
        self._seen = (space, rig, project)
        clips = self._spaces.clips()
        if space is None or rig is None:
            self._player, self._why, self._made_of = None, tr("create a blend space first"), ()
            return None
        made_of = (
            space,
            rig,
            *(clips.get(s.clip) for s in space.samples),
            clips.get(space.base_clip or AssetId("")),
        )
        if len(made_of) == len(self._made_of) and all(
            a is b for a, b in zip(made_of, self._made_of, strict=True)
        ):
            return self._player
        before, self._made_of = self._player, made_of
        self._player, self._why = None, ""
        try:
            self._player = SpacePlayer(rig, space, clips, self._evaluators)
            self._evaluators = self._player.evaluators
        except AnimError as error:
            self._why = str(error)
        self._carry_over(before)
        return self._player

    @property
    def why(self) -> str:
        """Why the open space cannot play, or ""."""
        return "" if self.player is not None else self._why

    @property
    def sampled(self) -> PoseOutput[Notify] | None:
        """The moment shown."""
        player = self.player
        if player is None:
            return None
        if self._state is None:
            self._state = player.start(self.point)
        if self._sampled is None:
            self._sampled = player.sample(self._state)
        return self._sampled

    @property
    def normalised(self) -> float:
        """How far the cycle is, 0..1."""
        player, state = self.player, self._state
        return 0.0 if player is None or state is None else player.playback(state).normalised

    # ------------------------------------------------------------ PoseSource
    def pose(self) -> Pose:
        """The blended pose."""
        sampled = self.sampled
        if sampled is None:
            raise AnimError(self._why)
        return sampled.pose

    def world(self) -> FloatArray:
        """Where the character stands: walking by its root motion, unless it plays in place."""
        return np.eye(4) if self._playback.in_place else transform.to_matrix(self._stands)

    # ------------------------------------------------------------ doing
    def start(self, running: bool = True) -> bool:
        """Show the blend in the viewport; False (with a message) where it cannot."""
        if self.player is None:
            self._messages.warn(self._why)
            return False
        if not self._on:
            self._ours = True
            try:
                self._playback.set_transient_clip(None)
                self._playback.pause()
            finally:
                self._ours = False
            self._on = True
            self._stands = transform.IDENTITY
            self._display.show(self)
        self._running = running
        self._last = None
        self.state_changed.emit(None)
        return True

    def stop(self) -> None:
        """Show the clip again."""
        if self._on:
            self._on = self._running = False
            self._finish_recording()
            self._replay = None
            self._display.hide(self)
            self.trail.clear()
            self.state_changed.emit(None)

    def toggle(self) -> None:
        """Run or stop the clock; shows the blend first."""
        if not self._on:
            self.start()
        else:
            self._running = not self._running
            self._last = None
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
        if self._noted is not None:
            self._noted.append((self._now, kept))
        if not self._running or not self._on or _follows_at_once(space):
            self._settle(kept)
        self.moved.emit(None)

    def tick(self, now: float) -> bool:
        """Let the clock run up to `now` (seconds, monotonic); whether anything moved."""
        if not self.running:
            self._last = None
            return False
        last, self._last = self._last, now
        if last is None:
            return False
        seconds = min(max(now - last, 0.0), LONGEST_STEP) * self._playback.speed
        self._advance(seconds)
        return True

    def _advance(self, seconds: float) -> None:
        player = self.player
        if player is None:
            self.stop()
            return
        self._now += seconds
        self._replay_on(seconds, player)
        before = self._state or player.start(self.point)
        self._state = player.moved(before, self.point, seconds)
        if self._noted is not None:
            self._noted.append((self._now, self.point))
        if not self._playback.in_place:
            moved = player.motion_between(before, self._state)
            self._stands = transform.compose(self._stands, moved)
        self.trail.append((self._now, self._state.point))
        while self.trail and self._now - self.trail[0][0] > TRAIL:
            self.trail.popleft()
        self._sampled = None
        self.changed.emit(None)
        self.moved.emit(None)

    # ------------------------------------------------------------ paths
    @property
    def recording(self) -> bool:
        """Whether the point's path is being noted."""
        return self._noted is not None

    @property
    def replaying(self) -> bool:
        """Whether the noted path drives the point."""
        return self._replay is not None

    def record(self) -> None:
        """Begin to note the path, or end it."""
        if self._noted is not None:
            self._finish_recording()
        elif self.start():
            self._replay = None
            self._noted = [(self._now, self.point)]
        self.state_changed.emit(None)

    def replay(self) -> None:
        """Let the noted path drive the point from its start, or stop that."""
        if self._replay is not None:
            self._replay = None
        elif self.path is None:
            self._messages.info(tr("No path yet"), tr("Press record, then drag the point"))
        elif self.start():
            self._finish_recording()
            self._replay = 0.0
        self.state_changed.emit(None)

    def _finish_recording(self) -> None:
        noted, self._noted = self._noted, None
        if noted is None:
            return
        rows = [row for k, row in enumerate(noted) if k + 1 == len(noted) or noted[k + 1][0] > row[0]]
        if len(rows) > 1:
            times = np.array([time for time, _ in rows])
            self.path = DrivenPath(times - times[0], np.array([point for _, point in rows]))

    def _replay_on(self, seconds: float, player: SpacePlayer) -> None:
        path = self.path
        if self._replay is None or path is None or path.points.shape[1] != len(player.space.axes):
            return
        self._replay += seconds
        length = float(path.times[-1])
        at = self._replay % length if length > 0.0 else 0.0
        self._points[player.space.id] = tuple(float(v) for v in path.at(np.array([at]), player)[0])

    # ------------------------------------------------------------ upkeep
    def _settle(self, point: tuple[float, ...]) -> None:
        """Without a running clock the blend follows the point at once."""
        player = self.player
        if player is None:
            return
        state = self._state or player.start(point)
        kept = player.space.kept(point)
        self._state = replace(
            state, weights=player.field(np.array(kept)), point=kept, velocity=(0.0,) * len(kept)
        )
        self._sampled = None
        self.changed.emit(None)

    def _carry_over(self, before: SpacePlayer | None) -> None:
        """Another player: the cycle goes on where it was, under weights of the new samples."""
        state, player = self._state, self._player
        self._sampled = None
        if player is None or state is None or before is None or before.space.id != player.space.id:
            self._state = None if player is None else player.start(self.point)
            return
        cycle = state.clock / before.group.intervals * player.group.intervals
        self._state = replace(
            state,
            clock=cycle,
            weights=player.field(np.array(self.point)),
            point=player.space.kept(self.point),
            velocity=(0.0,) * len(player.space.axes),
        )

    def _on_space(self) -> None:
        if self._on and self.player is None:
            self.stop()
        elif self._on:
            self.changed.emit(None)
        self.moved.emit(None)

    def _on_elsewhere(self, away: bool) -> None:
        """Somebody scrubs or poses: the clip is what they mean."""
        if away:
            self.stop()

    def _on_transport(self) -> None:
        """The play button runs the blend while that is what is shown."""
        if self._on and not self._ours and self._playback.playing:
            self._ours = True
            try:
                self._playback.pause()
            finally:
                self._ours = False
            self.toggle()


def _follows_at_once(space: BlendSpace) -> bool:
    """Whether nothing smooths the way from the point to the weights."""
    still = all(a.smoothing is Smoothing.NONE or a.smoothing_time <= 0.0 for a in space.axes)
    return still and space.weight_speed <= 0.0


def _unit(axis: SpaceAxis) -> str:
    """The unit as it is written after a number."""
    return axis.unit if axis.unit in ("", "°", "%") else f" {axis.unit}"
