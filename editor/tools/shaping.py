"""What the timing bar's slider does: modes, and one drag of it, previewed live. Free of Qt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.clips.cascade import cascaded, chain_depths
from core.clips.channels import morph_channel, track_of, with_tracks
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.clips.shaping import ClipShaping, Sources
from core.errors import ValidationError
from core.timing import TIME_EPSILON, frame_text
from core.tracks.edits import insert_key, key_at
from core.tracks.shaping import Shape
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.model.timing_state import TimingState
from editor.tools import key_commands, key_edits
from editor.tools.key_edits import Keys
from editor.tools.timing import channels_in_hand

CASCADE = "cascade"


@dataclass(frozen=True, slots=True)
class Mode:
    """One thing that the slider does.

    Parameters
    ----------
    id : a `Shape`, or `CASCADE`
    title, tip : what it is called, and what its two sides are
    low, high : ends of the slider, percent or frames
    marks : values with a number on the slider
    lines : values where a goal is
    rest : where the handle is before it is dragged
    unit : of the values
    """

    id: str
    title: str
    tip: str
    group: str
    low: float = -150.0
    high: float = 150.0
    marks: tuple[float, ...] = (-100.0, -50.0, 0.0, 50.0, 100.0)
    lines: tuple[float, ...] = (-100.0, 0.0, 100.0)
    rest: float = 0.0
    unit: str = "%"

    @property
    def neutral(self) -> float | None:
        """The value that changes nothing, or None where there is none."""
        return None if self.id == Shape.TWEEN else 0.0


def _modes() -> tuple[Mode, ...]:
    tween, blend, scale, shape = tr("Tween"), tr("Blend"), tr("Scale"), tr("Shape")
    return (
        Mode(
            Shape.TWEEN, tr("Tween"), tr("0 % is the previous key, 100 % the next key"), tween, -50.0, 150.0,
            (0.0, 25.0, 50.0, 75.0, 100.0), (0.0, 100.0), 50.0,
        ),
        Mode(
            Shape.TWEEN_NEIGHBOUR, tr("Tween to neighbour"), tr("Left: toward the previous key. Right: the next key"),
            tween,
        ),
        Mode(
            Shape.BLEND_NEIGHBOUR, tr("Blend to neighbour"),
            tr("Move keys that follow one another together, left to the previous key, right to the next"), blend,
        ),
        Mode(
            Shape.BLEND_EASE, tr("Blend to ease"), tr("Left: a slow start between the neighbours. Right: a slow end"),
            blend,
        ),
        Mode(Shape.BLEND_DEFAULT, tr("Blend to default"), tr("Right: toward the rest pose. Left: away from it"), blend),
        Mode(
            Shape.BLEND_BUFFER, tr("Blend to buffer"),
            tr("Right: toward the curves kept as buffer. Left: away from them"), blend,
        ),
        Mode(
            Shape.BLEND_MIRROR, tr("Blend to mirror"), tr("Right: toward the mirrored pose. Left: away from it"), blend,
        ),
        Mode(
            Shape.SCALE_AVERAGE, tr("Scale from average"), tr("Left: flatten onto the mean. Right: away"), scale,
        ),
        Mode(
            Shape.SCALE_FIRST, tr("Scale from first"), tr("Left: flatten onto the first key. Right: away from it"),
            scale,
        ),
        Mode(
            Shape.SCALE_LAST, tr("Scale from last"), tr("Left: flatten onto the last key. Right: away from it"), scale,
        ),
        Mode(
            Shape.PUSH_PULL, tr("Push and pull"),
            tr("Left: toward the straight line between the neighbours. Right: away from it"), scale,
        ),
        Mode(Shape.SMOOTH, tr("Smooth"), tr("Right: smoother. Left: rougher"), shape),
        Mode(Shape.NOISE, tr("Noise"), tr("Random offsets: 5°, 2 cm at 100 %"), shape),
        Mode(
            CASCADE, tr("Cascade"), tr("Frames by which each bone of the chain comes after the one above it"), shape,
            -10.0, 10.0, (-10.0, -5.0, 0.0, 5.0, 10.0), (-5.0, 0.0, 5.0), unit=tr("f"),
        ),
    )  # fmt: skip


MODES: Mapping[str, Mode] = {mode.id: mode for mode in _modes()}
"""Modes by id, in the order of the list."""


def mode_of(state: TimingState) -> Mode:
    """The mode in use; the first where the remembered one is unknown."""
    return MODES.get(state.mode, next(iter(MODES.values())))


class ShapeDrag:
    """One drag of the slider, from press to release: `move` shows it, then `finish` or `cancel`, once.

    Works on the selected keys; without any, on the selected bones at the playhead, where keys are put in on the curves
    that have none there.

    Parameters
    ----------
    what : name of the undo step, where it is not that of the mode and the value

    Raises
    ------
    ValidationError
        There is nothing to work on, or the mode's goal is missing; the message says what to do.
    """

    def __init__(self, session: Session, mode: Mode, what: str = "") -> None:
        self._session, self.mode, self.value, self._what = session, mode, mode.neutral, what
        clip = session.clip
        if clip is None:
            raise ValidationError(tr("create or select a clip first"))
        session.playback.pause()
        self._before = clip
        self._over = False
        self.count = 0
        self._keys: Keys = {}
        self._at: Callable[[float], Clip] = self._cascade(clip) if mode.id == CASCADE else self._shaping(clip)
        self._stop = session.document.changed.connect(lambda _: self.cancel())

    def move(self, value: float) -> None:
        """Show the outcome of a value, percent or frames."""
        if self._over:
            return
        self.value = value
        shown = self._before if value == self.mode.neutral else self._at(value)
        self._session.preview.set_clip(None if shown is self._before else shown)

    def finish(self) -> bool:
        """Commit what is shown, as one step; whether anything changed."""
        if self._over:
            return False
        self._end()
        done = False
        if self.value is not None and self.value != self.mode.neutral:
            made = self._at(self.value)
            done = made is not self._before and self._session.edits.put(self._label(self.value), made)
        self._session.preview.clear()
        if done and self._keys:
            self._session.selection.select_keys(self._keys)
        return done

    def cancel(self) -> None:
        """Show again what was there, bit for bit."""
        if not self._over:
            self._end()
            self._session.preview.clear()

    def _end(self) -> None:
        self._over = True
        self._stop()

    def _label(self, value: float) -> str:
        if self._what:
            return trn("{what}: {count} key", "{what}: {count} keys", self.count, what=self._what)
        text = frame_text(value).replace("-", "−") + (" " + self.mode.unit)
        if self.mode.id == CASCADE:
            return trn(
                "Cascade {value}: {count} bone", "Cascade {value}: {count} bones", self.count, value=text
            )
        return trn(
            "{what} {value}: {count} key", "{what} {value}: {count} keys", self.count, what=self.mode.title,
            value=text,
        )  # fmt: skip

    # ------------------------------------------------------------ what is worked on
    def _shaping(self, clip: Clip) -> Callable[[float], Clip]:
        session = self._session
        if key_edits.known(clip, session.selection.keys):
            found = key_commands.selected(session)
            if found is None:
                raise ValidationError(
                    tr("every selected key is of a locked bone: unlock it in the bone tree")
                )
            keyed, keys = found
            self._keys = keys
        else:
            keyed, keys = _keyed_here(session, clip, Shape(self.mode.id))
        state = session.feature(TimingState)
        sources = Sources(session.rig, state.buffer, _defaults(session), session.history.position)
        shaping = ClipShaping(keyed, keys, Shape(self.mode.id), sources)
        self.count = shaping.count
        return lambda value: shaping.at(value / 100.0)

    def _cascade(self, clip: Clip) -> Callable[[float], Clip]:
        session, rig = self._session, self._session.rig
        if rig is None:
            raise ValidationError(tr("open or import a character first"))
        keys = key_edits.known(clip, session.selection.keys)
        bones = session.selection.bones or tuple(dict.fromkeys(c.bone for c in keys if c.is_bone))
        depths, locked = chain_depths(rig.skeleton, bones), session.selection.locked
        moving = [b for b, depth in depths.items() if depth and b not in locked and b in clip.bones()]
        if not moving:
            raise ValidationError(tr("select at least two bones of a chain that have keys first"))
        held = bool(locked & set(bones))
        if held:
            session.messages.warn(
                tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree")
            )
        self.count = len(moving)
        some = keys or None

        def at(frames: float) -> Clip:
            done, now = cascaded(clip, rig.skeleton, bones, frames, some, locked)
            self._keys = now
            return done

        return at


NEEDS_NEIGHBOURS = frozenset(
    {Shape.TWEEN, Shape.TWEEN_NEIGHBOUR, Shape.BLEND_NEIGHBOUR, Shape.BLEND_EASE, Shape.PUSH_PULL}
)
"""Shapes for which a key before the first or after the last of a curve has nothing to go to."""


def _keyed_here(session: Session, clip: Clip, shape: Shape) -> tuple[Clip, dict[Channel, key_edits.Numbers]]:
    """The clip with keys at the playhead on the curves of the selected bones, and those keys."""
    time, loop = session.playback.time, loop_length(clip)
    changes = {}
    keys: dict[Channel, key_edits.Numbers] = {}
    for channel in channels_in_hand(session):
        track = track_of(clip, channel)
        if track is None:
            continue
        inside = track.times[0] - TIME_EPSILON < time < track.times[-1] + TIME_EPSILON
        if key_at(track, time) is None and shape in NEEDS_NEIGHBOURS and not inside:
            continue
        changes[channel] = whole = insert_key(track, time, loop)
        place = key_at(whole, time)
        if place is not None:
            keys[channel] = np.array([place], dtype=np.int64)
    if not keys:
        raise ValidationError(tr("select keys first, or bones that have keys on both sides of the playhead"))
    return with_tracks(clip, changes), keys


def _defaults(session: Session) -> dict[Channel, float]:
    """Weights of morphs that are not 0 at rest."""
    return {
        morph_channel(f"{mesh.name}/{morph.name}"): morph.default_weight
        for mesh in session.evaluator.meshes
        for morph in mesh.morphs
        if morph.default_weight
    }


def keep_buffer(session: Session) -> None:
    """Keep the curves of the clip shown, to blend to them later."""
    clip = session.clip
    if clip is not None:
        session.feature(TimingState).keep(clip)
        session.messages.info(tr("Kept the curves of “{name}” as buffer", name=clip.name))


def apply(session: Session, mode: str, value: float, what: str = "") -> bool:
    """Pull by a value at once, as one step of a name; whether anything changed."""
    drag = ShapeDrag(session, MODES[mode], what)
    drag.move(value)
    return drag.finish()
