"""The open montage tried out in the viewport: scrubbed, or played as in a game, from any section."""

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError
from core.graph.montage import Montage
from core.graph.montage_edits import section_at
from core.graph.montage_preview import MontagePlayer, MontageStand
from core.graph.montage_state import PlayingMontage
from core.graph.result import StepResult
from core.ids import AssetId
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.pose import Pose
from core.project.project import Project
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.display.transport import ClockedPreview, LookClock, TransportTaken
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.montage.montages import Montages
from editor.model.playback import Playback

LONGEST_STEP = 0.1
"""Seconds that the clock moves on at most between two looks, after a stall."""
FLASH = 0.35
"""Seconds for which a notify that fired is shown."""


class MontagePreview(ClockedPreview):
    """Plays or stands the open montage over the clip shown; the document stays as it is.

    It gives the evaluator its pose while `on`; playing a clip, choosing one, scrubbing or posing ends that.

    Attributes
    ----------
    changed : the pose differs (the evaluator listens)
    moved : the position or what it plays differs
    state_changed : whether it is on or runs, what loops, or what it plays over differs
    problem : why it cannot be shown, or ""
    """

    def __init__(self, montages: Montages, playback: Playback, display: Display, messages: Messages) -> None:
        self._montages, self._playback, self._display, self._messages = montages, playback, display, messages
        self._position = 0.0
        self._from = 0.0
        self._running = False
        self._looks = LookClock(LONGEST_STEP)
        self._looped = ""
        self._over_rest = False
        self._result: StepResult | None = None
        self._stands: Transform = transform.IDENTITY
        self._player: MontagePlayer | None = None
        self._stand: MontageStand | None = None
        self._made_of: tuple[Montage | None, Project, AssetId | None] = (None, Project(), None)
        self._clock = 0.0
        self._fired: dict[str, float] = {}
        self._weight = 0.0
        self.problem = ""
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        montages.changed.connect(lambda _: self._on_montage())
        self._transport = TransportTaken(playback, display, self)

    # ------------------------------------------------------------ what
    @property
    def position(self) -> float:
        """Seconds of the montage."""
        return self._position

    @property
    def weight(self) -> float:
        """With which it is shown over the clip."""
        return self._weight

    @property
    def looped(self) -> str:
        """Name of the section that repeats, or ""."""
        return self._looped

    @property
    def base(self) -> AssetId | None:
        """The clip that it plays over; None is the rest pose."""
        clip = self._playback.shown
        montage = self._montages.current
        if self._over_rest or clip is None or montage is None or clip.rig != montage.rig:
            return None
        return None if clip.additive is not None else clip.id

    @property
    def over_rest(self) -> bool:
        """Whether it plays over the rest pose instead of the clip shown."""
        return self._over_rest

    @over_rest.setter
    def over_rest(self, on: bool) -> None:
        if on != self._over_rest:
            self._over_rest = on
            self._on_montage()
            self.state_changed.emit(None)

    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        montage = self._montages.current
        return montage.name if montage is not None else ""

    @property
    def detail(self) -> str:
        """Section and weight."""
        montage = self._montages.current
        section = section_at(montage, self._position) if montage is not None else None
        parts = [section.name] if section is not None else []
        if self._running:
            parts.append(f"{self._weight:.0%}")
        return "  ".join(parts)

    def flash(self, name: str) -> float:
        """How freshly a notify of that name has fired, 1 now to 0."""
        fired = self._fired.get(name)
        return 0.0 if fired is None else max(1.0 - (self._clock - fired) / FLASH, 0.0)

    # ------------------------------------------------------------ PoseSource
    def pose(self) -> Pose | None:
        """The pose of montage and clip; None before the first step."""
        return None if self._result is None else self._result.pose

    def world(self) -> FloatArray:
        """Where the character stands by the root motion, unless it plays in place."""
        return np.eye(4) if self._playback.in_place else transform.to_matrix(self._stands)

    # ------------------------------------------------------------ doing
    def play(self, section: str = "", loop: bool = False) -> bool:
        """Play from a section on (else from the beginning), repeating it with `loop`."""
        if not self._show():
            return False
        names = [s.name for s in self._montages.require().sections]
        section = section if section in names else ""
        self._looped = section if loop else ""
        return self._begin(section, None, self._looped)

    def play_from_here(self) -> bool:
        """Play from where the playhead is."""
        if not self._show():
            return False
        return self._begin("", min(self._position, self._montages.require().length), "")

    def _begin(self, section: str, at: float | None, loop: str) -> bool:
        if self._player is None:
            montage, project, base = self._made_of
            assert montage is not None
            self._player = MontagePlayer(montage, project, base)
        self._looped = loop
        self._stands, self._clock, self._fired = transform.IDENTITY, 0.0, {}
        self._take(self._player.start(section, at, loop))
        self._from = self._position
        self._running = True
        self._looks.rest()
        self.changed.emit(None)
        self.state_changed.emit(None)
        return True

    def toggle(self) -> None:
        """Play from here, or pause."""
        if self.running:
            self.pause()
            return
        montage = self._montages.current
        if montage is not None and self._position >= montage.length - 1e-6:
            self.play()
        else:
            self.play_from_here()

    def seek(self, time: float) -> None:
        """Stand at a time of the montage, at full weight."""
        montage = self._montages.current
        if montage is None or not self._show():
            return
        was, self._running = self._running, False
        self._position = min(max(time, 0.0), montage.length)
        self._stand_here()
        self.changed.emit(None)
        self.moved.emit(None)
        if was:
            self.state_changed.emit(None)

    def tick(self, now: float) -> bool:
        """Let the clock run up to `now` (seconds, monotonic); whether anything moved."""
        if not self.running:
            self._looks.rest()
            return False
        seconds = self._looks.elapsed(now)
        if seconds is None:
            return False
        self.advance(seconds * self._playback.speed)
        return True

    def advance(self, seconds: float) -> None:
        """Play on by some seconds."""
        if not self.running or self._player is None:
            return
        self._clock += seconds
        result = self._player.step(seconds)
        for event in result.events:
            self._fired[event.name] = self._clock
        self._take(result)
        self.changed.emit(None)
        if not result.montages:
            self._running = False
            self._position = self._from
            self.state_changed.emit(None)
        self.moved.emit(None)

    def _take(self, result: StepResult) -> None:
        self._result = result
        playing = _ours(result, self._montages.current)
        self._weight = playing.weight if playing is not None else 0.0
        if playing is not None:
            self._position = playing.position
        if not self._playback.in_place:
            moved = transform.compose(self._stands, result.root_motion)
            self._stands = Transform(moved.translation, quat.normalise(moved.rotation), moved.scale)

    def _stand_here(self) -> None:
        assert self._stand is not None
        result = self._stand.at(self._position)
        self._result, self._weight = result, 1.0
        self._stands = result.root_motion

    # ------------------------------------------------------------ upkeep
    def _show(self) -> bool:
        """Have the viewport show it; False (with a message) where it cannot be."""
        if not self._made():
            self._messages.warn(tr("The montage cannot be shown: {problem}", problem=self.problem))
            return False
        if not self.on:
            self._display.leave(DisplayLevel.SOURCE)
            self._transport.take()
            self._stand_here()
            self._display.show(self)
            self.state_changed.emit(None)
        return True

    def _made(self) -> bool:
        montage, project, base = self._montages.current, self._montages.project, self.base
        known = self._made_of
        if self._stand is not None and montage is known[0] and project is known[1] and base == known[2]:
            return True
        if montage is None:
            self.problem = tr("there is no montage")
            return False
        same = known[0] is not None and project is known[1] and base == known[2]
        if self._stand is not None and same and _plays_alike(montage, known[0]):
            self._made_of, self._player = (montage, project, base), None
            return True
        try:
            stand = MontageStand(montage, project, base)
        except AnimError as error:
            self.problem = str(error)
            return False
        self._made_of = (montage, project, base)
        self._stand, self._player, self.problem = stand, None, ""
        self._position = min(self._position, montage.length)
        return True

    def _on_montage(self) -> None:
        """Another montage, or the same changed: what is shown follows; with faults the last good one stays."""
        if not self.on:
            return
        montage = self._montages.current
        if montage is None:
            self.stop()
            return
        if not self._made():
            self._running = False
            self.state_changed.emit(None)
            return
        names = [section.name for section in montage.sections]
        if self._running:
            self._begin("", self._position, self._looped if self._looped in names else "")
        else:
            self._stand_here()
        self.changed.emit(None)
        self.state_changed.emit(None)
        self.moved.emit(None)


def _plays_alike(one: Montage, other: Montage | None) -> bool:
    """Whether two montages look the same at every time: sections, blends and notifies do not show there."""
    return other is not None and (
        (one.id, one.group, one.root_motion, one.tracks)
        == (other.id, other.group, other.root_motion, other.tracks)
        and one.curves is other.curves
    )


def _ours(result: StepResult, montage: Montage | None) -> PlayingMontage | None:
    found = [playing for playing in result.montages if montage is not None and playing.name == montage.name]
    return found[-1] if found else None
