"""What the timing bar's slider does: modes, and one drag of it, previewed live. Free of Qt."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.clips.cascade import cascaded, chain_depths
from core.clips.channels import morph_channel, track_of, with_tracks
from core.clips.clip import Channel, Clip
from core.clips.follow import followed
from core.clips.keying import loop_length
from core.clips.new_keys import with_new_tangents
from core.clips.shaping import ClipShaping, Sources
from core.errors import ValidationError
from core.progress import Progress
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, frame_text
from core.tracks.edits import insert_key, key_at
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track
from core.tracks.shaping import Shape
from core.tracks.together import evaluate_scalars, set_together
from editor.model import new_keys
from editor.model.autokey import AT_ONCE
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.model.timing_state import TimingState
from editor.tools import key_commands, key_edits
from editor.tools.key_edits import Keys
from editor.tools.timing import bake_span, channels_in_hand

CASCADE, FOLLOW = "cascade", "follow"
IN_FRAMES = (CASCADE, FOLLOW)
"""Modes of a chain of bones, whose values are frames."""
Make = Callable[[], Callable[[float], Clip]]
"""Prepares what gives the clip at a value."""


@dataclass(frozen=True, slots=True)
class Mode:
    """One thing that the slider does.

    Parameters
    ----------
    id : a `Shape`, or one of `IN_FRAMES`
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
        Mode(
            FOLLOW, tr("Follow-through"),
            tr("Frames by which the end of the chain trails the motion above it; bones swing past a stop and settle"),
            shape, 0.0, 12.0, (0.0, 3.0, 6.0, 9.0, 12.0), (0.0,), unit=tr("f"),
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
        chains = {CASCADE: self._cascade, FOLLOW: self._follow}
        self._make, size = chains.get(mode.id, self._shaping)(clip)
        self._at = self._make() if size <= AT_ONCE else None
        self._stop = session.document.changed.connect(lambda _: self.cancel())

    def move(self, value: float) -> None:
        """Show the outcome of a value, percent or frames."""
        if self._over:
            return
        self.value = value
        if self._at is None:
            return
        shown = self._before if value == self.mode.neutral else self._at(value)
        self._session.preview.set_clip(None if shown is self._before else shown)

    def finish(self) -> bool:
        """Commit what is shown, as one step; whether anything changed."""
        if self._over:
            return False
        self._end()
        done = False
        if self.value is None or self.value == self.mode.neutral:
            pass
        elif self._at is None:
            return self._finish_beside(self.value)
        else:
            made = self._at(self.value)
            done = made is not self._before and self._session.edits.put(self._label(self.value), made)
        self._session.preview.clear()
        if done and self._keys:
            self._session.selection.select_keys(self._keys)
        return done

    def _finish_beside(self, value: float) -> bool:
        """Work the step out as a job: there are too many keys to show it live."""
        before, label, make = self._before, self._label(value), self._make

        def work(progress: Progress) -> Made:
            clip = make()(value)
            return Made(label, () if clip is before else (clip,))

        return self._session.edit_jobs.run(label, work)

    @property
    def live(self) -> bool:
        """Whether the outcome is shown during the drag; with very many keys it is computed on release."""
        return self._at is not None

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
        if self.mode.id in IN_FRAMES:
            return trn(
                "{what} {value}: {count} bone", "{what} {value}: {count} bones", self.count,
                what=self.mode.title, value=text,
            )  # fmt: skip
        return trn(
            "{what} {value}: {count} key", "{what} {value}: {count} keys", self.count, what=self.mode.title,
            value=text,
        )  # fmt: skip

    # ------------------------------------------------------------ what is worked on
    def _shaping(self, clip: Clip) -> tuple[Make, int]:
        session, shape = self._session, Shape(self.mode.id)
        if key_edits.known(clip, session.selection.keys):
            found = key_commands.selected(session)
            if found is None:
                raise ValidationError(
                    tr("every selected key is of a locked bone: unlock it in the bone tree")
                )
            keyed, keys = found
            self._keys = keys
        else:
            keyed, keys = _keyed_here(session, clip, shape)
        buffer = session.feature(TimingState).buffer
        declared = clip.additive
        base = (
            None if declared is None else session.document.project.assets.get(declared.base_clip or clip.id)
        )
        sources = Sources(
            session.rig,
            buffer,
            _defaults(session),
            session.history.position,
            base if isinstance(base, Clip) else None,
        )
        self.count = key_edits.count(keys)

        def make() -> Callable[[float], Clip]:
            ready = ClipShaping(keyed, keys, shape, sources)
            self.count = ready.count
            return lambda value: ready.at(value / 100.0)

        return make, _size(keyed, keys)

    def _chain(self, keys: Keys) -> tuple[Rig, tuple[str, ...], list[str]]:
        """The character, the bones in hand, and those that are below the top of a chain and not locked."""
        session, rig = self._session, self._session.rig
        if rig is None:
            raise ValidationError(tr("open or import a character first"))
        bones = session.selection.bones or tuple(dict.fromkeys(c.bone for c in keys if c.is_bone))
        depths, locked = chain_depths(rig.skeleton, bones), session.selection.locked
        if locked & set(bones):
            session.messages.warn(
                tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree")
            )
        return rig, bones, [b for b, depth in depths.items() if depth and b not in locked]

    def _follow(self, clip: Clip) -> tuple[Make, int]:
        session = self._session
        rig, bones, moving = self._chain(key_edits.known(clip, session.selection.keys))
        if not moving:
            raise ValidationError(tr("select at least two bones of a chain first"))
        span = bake_span(session)
        whole = span[0] <= TIME_EPSILON and span[1] >= clip.length - TIME_EPSILON
        self.count, locked = len(moving), session.selection.locked

        def at(frames: float) -> Clip:
            return followed(rig, clip, bones, frames, None if whole else span, locked)

        seconds = span[1] - span[0]
        return lambda: at, round(clip.rate.to_frame(seconds) * len(moving) * FOLLOW_COST)

    def _cascade(self, clip: Clip) -> tuple[Make, int]:
        session = self._session
        keys = key_edits.known(clip, session.selection.keys)
        rig, bones, below = self._chain(keys)
        locked, keyed = session.selection.locked, set(clip.bones())
        moving = [bone for bone in below if bone in keyed]
        if not moving:
            raise ValidationError(tr("select at least two bones of a chain that have keys first"))
        self.count = len(moving)
        some = keys or None

        def at(frames: float) -> Clip:
            done, now = cascaded(clip, rig.skeleton, bones, frames, some, locked)
            self._keys = now
            return done

        return lambda: at, _size(clip, [c for c in clip.tracks if c.bone in moving])


FOLLOW_COST = 20
"""A frame of a bone on a spring costs as much as so many keys that are moved."""


def _size(clip: Clip, channels: Iterable[Channel]) -> int:
    """Keys on the tracks of channels: what a drag copies with every move."""
    tracks = (track_of(clip, channel) for channel in channels)
    return sum(len(track) for track in tracks if track is not None)


NEEDS_NEIGHBOURS = frozenset(
    {Shape.TWEEN, Shape.TWEEN_NEIGHBOUR, Shape.BLEND_NEIGHBOUR, Shape.BLEND_EASE, Shape.PUSH_PULL}
)
"""Shapes for which a key before the first or after the last of a curve has nothing to go to."""


def _keyed_here(session: Session, clip: Clip, shape: Shape) -> tuple[Clip, dict[Channel, key_edits.Numbers]]:
    """The clip with keys at the playhead on the curves of the selected bones, and those keys."""
    time, loop = session.playback.time, loop_length(clip)
    found: dict[Channel, Track] = {}
    for channel in channels_in_hand(session):
        track = track_of(clip, channel)
        if track is not None:
            inside = track.times[0] - TIME_EPSILON < time < track.times[-1] + TIME_EPSILON
            if inside or shape not in NEEDS_NEIGHBOURS:
                found[channel] = track
    keyed: dict[Channel, Track] = {
        c: insert_key(t, time, loop) for c, t in found.items() if isinstance(t, QuaternionTrack)
    }
    scalars = {c: t for c, t in found.items() if isinstance(t, ScalarTrack)}
    # A new key is as auto key sets it: its slopes follow its value.
    rows = list(scalars.values())
    made = set_together(rows, time, evaluate_scalars(rows, time, loop), loop)
    keyed |= {
        c: track if key_at(track, time) is not None else new
        for (c, track), new in zip(scalars.items(), made, strict=True)
    }
    keys = {
        c: np.array([place], dtype=np.int64)
        for c, t in keyed.items()
        if (place := key_at(t, time)) is not None
    }
    if not keys:
        raise ValidationError(tr("select keys first, or bones that have keys on both sides of the playhead"))
    whole = with_new_tangents(
        clip, with_tracks(clip, dict(keyed)), time, new_keys.chosen(session.preferences)
    )
    return whole, keys


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
