"""Onion skin: the character some frames or keys before and after, light and fading. Free of Qt."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, within_clip
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import DARK, Color, with_alpha
from editor.gl.draw_list import Ghost, Lines, Shape
from editor.model.posing.live_clip import LiveClip
from editor.model.preferences import Preferences
from editor.model.session import Session

OPACITY, FARTHEST = 0.62, 0.4
"""Of the nearest ghost; and of the farthest, as a part of it: that one stands out the most, and must be seen."""
STICK = 2.0
"""Logical pixels of the bones of a character without a mesh."""

_Made = tuple[tuple[Ghost, ...], tuple[Shape, ...]]


@dataclass(frozen=True, slots=True)
class GhostOptions:
    """How many ghosts, how far apart, and what is counted: frames or keys."""

    before: int = 5
    after: int = 5
    step: int = 1
    by_keys: bool = False

    @classmethod
    def read(cls, preferences: Preferences) -> "GhostOptions":
        """As the preferences stand; what makes no sense is not believed."""

        def number(name: str, default: int, least: int) -> int:
            value = preferences.get(name, default)
            usable = isinstance(value, int | float) and not isinstance(value, bool)
            return int(np.clip(value, least, 50)) if usable else default

        return cls(
            number("ghosts_before", 5, 0),
            number("ghosts_after", 5, 0),
            number("ghosts_step", 1, 1),
            preferences.get("ghosts_by", "frames") == "keys",
        )


def ghost_times(session: Session, options: GhostOptions) -> tuple[FloatArray, FloatArray]:
    """Times of the ghosts (those furthest off first) and how near each is: −1..0 before, 0..1 after."""
    playback, length = session.playback, session.playback.length
    now, rate = playback.time, playback.rate
    if options.by_keys:
        keys = session.key_times()
        before: FloatArray = keys[keys < now - TIME_EPSILON][::-1][: options.before]
        after: FloatArray = keys[keys > now + TIME_EPSILON][: options.after]
    else:
        steps = options.step / rate.fps
        before = np.asarray(now - steps * np.arange(1, options.before + 1), dtype=np.float64)
        after = np.asarray(now + steps * np.arange(1, options.after + 1), dtype=np.float64)
    near_before = -(1.0 - np.arange(len(before)) / max(len(before), 1))
    near_after = 1.0 - np.arange(len(after)) / max(len(after), 1)
    times = np.concatenate([before[::-1], after[::-1]])
    near = np.concatenate([near_before[::-1], near_after[::-1]])
    clip = session.clip
    if clip is not None and clip.looping and length > 0.0 and playback.in_place:
        return within_clip(times, length, True), near
    inside = (times > -TIME_EPSILON) & (times < length + TIME_EPSILON)
    return times[inside], near[inside]


def _held(session: Session, times: FloatArray, near: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ghosts of the poses that the Blocking view shows at times: each once, where it is nearest, and not the own."""
    shown = session.evaluator.shown_times(times)
    if shown is times:
        return times, near
    order = np.argsort(-np.abs(near), kind="stable")
    _, first = np.unique(np.round(shown[order] / TIME_EPSILON), return_index=True)
    kept = np.sort(order[first])
    kept = kept[np.abs(shown[kept] - session.evaluator.shown_time) > TIME_EPSILON]
    return shown[kept], near[kept]


class Ghosts:
    """Makes the ghosts of a picture; keeps them while nothing that they show changes."""

    def __init__(self, session: Session, live: LiveClip) -> None:
        self._session, self._live = session, live
        self.tints: tuple[Color, Color] = (DARK.ghost_before, DARK.ghost_after)
        self._key: object = None
        self._made: _Made = (), ()

    def made(self, character: CharacterDrawables, meshes: tuple[Mesh, ...], rig: Rig) -> tuple[Ghost, ...]:
        """The ghosts to draw; none where the switch is off or no clip is shown."""
        return self._looked_up(character, meshes, rig)[0]

    def sticks(self, character: CharacterDrawables, meshes: tuple[Mesh, ...], rig: Rig) -> tuple[Shape, ...]:
        """Ghosts of a character without a mesh: its bones as lines."""
        return self._looked_up(character, meshes, rig)[1]

    def _looked_up(self, character: CharacterDrawables, meshes: tuple[Mesh, ...], rig: Rig) -> _Made:
        session = self._session
        pipeline = self._live.pipeline() if session.switches["ghosts"] else None
        if pipeline is None:
            self._key, self._made = None, ((), ())
            return self._made
        times, near = ghost_times(session, GhostOptions.read(session.preferences))
        times, near = _held(session, times, near)
        playback = session.playback
        world = b"" if playback.in_place else session.evaluator.world().tobytes()
        key = (pipeline, times.tobytes(), near.tobytes(), meshes, self.tints, playback.in_place, world)
        if self._key is None or not _same_key(key, self._key):
            self._key = key
            self._made = self._build(character, meshes, rig, times, near)
        return self._made

    def _build(
        self,
        character: CharacterDrawables,
        meshes: tuple[Mesh, ...],
        rig: Rig,
        times: FloatArray,
        near: FloatArray,
    ) -> _Made:
        if not len(times):
            return (), ()
        matrices = self._live.matrices(times)
        made: list[Ghost] = []
        lines: list[Shape] = []
        for placed, nearness in zip(matrices, near, strict=True):
            opacity = OPACITY * (FARTHEST + (1.0 - FARTHEST) * abs(float(nearness)))
            tint = with_alpha(self.tints[0] if nearness < 0.0 else self.tints[1], opacity)
            made += character.ghosts(meshes, rig, placed, tint)
            if not meshes:
                heads = placed[:, :3, 3]
                tails = heads + np.einsum("bij,bj->bi", placed[:, :3, :3], character.tips(rig.skeleton))
                lines.append(Lines(np.stack([heads, tails], axis=1), np.array(tint), STICK))
        return tuple(made), tuple(lines)


def _same_key(a: tuple[object, ...], b: object) -> bool:
    """Whether two keys stand for the same ghosts; pipelines and meshes are told apart by identity."""
    if not isinstance(b, tuple) or a[0] is not b[0] or a[1:3] != b[1:3] or a[4:] != b[4:]:
        return False
    first, second = a[3], b[3]
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    return len(first) == len(second) and all(x is y for x, y in zip(first, second, strict=True))
