"""From poses at frames to a clip with sparse keys."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip, Notify, Property, RootMotion, SyncMarker
from core.ids import AssetId
from core.math import euler
from core.timing import FrameRate
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, scalar_track
from core.tracks.tangents import with_tangents
from resources.sample.motion.figure import FIGURE, Posing
from resources.sample.rig import RIG_ID, build_rig

RATE = 30
STILL = 1e-7
BESIDE = 0.02
"""Frames to either side of a key at which a slope is taken."""
SMOOTH = 40.0
"""Degrees a second by which the slopes before and after a key may differ and still be made one."""


@dataclass(slots=True)
class ClipBuilder:
    """Collects poses at frames; every bone is keyed only where a pose sets it.

    ``travel`` is how far the root goes over the clip (metres, the character's axes): one straight line of
    two keys. ``ease`` is the tangent mode of all other keys.
    """

    name: str
    frames: int
    looping: bool
    travel: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ease: TangentMode = TangentMode.AUTO
    notifies: list[Notify] = field(default_factory=list)
    markers: list[SyncMarker] = field(default_factory=list)
    curves: dict[str, ScalarTrack] = field(default_factory=dict)
    _turns: dict[str, dict[float, FloatArray]] = field(default_factory=dict)
    _shifts: dict[str, dict[float, FloatArray]] = field(default_factory=dict)
    _beside: dict[str, dict[float, tuple[FloatArray, FloatArray]]] = field(default_factory=dict)

    @property
    def length(self) -> float:
        """Seconds."""
        return self.frames / RATE

    def key(self, frame: float, pose: Posing, only: Iterable[str] | None = None) -> None:
        """Key what the pose sets (or only those bones of it) at a frame."""
        rotations, translations = pose.local()
        wanted = None if only is None else set(only)
        for bone in pose.turns:
            if wanted is None or bone in wanted:
                self._turns.setdefault(bone, {})[frame] = rotations[FIGURE.index[bone]]
        for bone in pose.shifts:
            if wanted is None or bone in wanted:
                self._shifts.setdefault(bone, {})[frame] = translations[FIGURE.index[bone]]

    def key_moving(self, frame: float, before: Posing, pose: Posing, after: Posing) -> None:
        """Key turns with the slopes they have there, from the poses `BESIDE` frames before and after.

        For what must follow a path closely with few keys, such as a leg whose foot is planted.
        """
        self.key(frame, pose)
        earlier, later = before.local()[0], after.local()[0]
        for bone in pose.turns:
            i = FIGURE.index[bone]
            self._beside.setdefault(bone, {})[frame] = earlier[i], later[i]

    def step(self, name: str, frame: float) -> None:
        """Mark a footfall: a notify and a sync marker."""
        self.notifies.append(Notify(name, frame / RATE))
        self.sync(name, frame)

    def sync(self, name: str, frame: float) -> None:
        """A sync marker."""
        self.markers.append(SyncMarker(name, frame / RATE))

    def curve(self, name: str, keys: Iterable[tuple[float, float]]) -> None:
        """A named float curve of ``(frame, value)`` keys, straight between them."""
        rows = np.array(list(keys))
        track = scalar_track(
            rows[:, 0] / RATE, rows[:, 1], interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR
        )
        self.curves[name] = with_tangents(track)

    def build(self) -> Clip:
        """The clip so far."""
        tracks: dict[Channel, ScalarTrack] = {}
        orders = build_rig().skeleton.euler_orders
        for bone, name in enumerate(FIGURE.names):
            if name in self._shifts:
                self._add(
                    tracks, name, Property.TRANSLATE, self._shifts[name], FIGURE.rest_translations[bone]
                )
            if name in self._turns:
                order = int(orders[bone])
                rest = euler.from_quaternion(FIGURE.rest_rotations[bone], order)
                angles = _followed(self._turns[name], order, rest)
                slopes = self._slopes(name, order, angles)
                self._add(tracks, name, Property.ROTATE, angles, rest, slopes)
        for axis, way in enumerate(self.travel):
            if way:
                line = scalar_track(
                    [0.0, self.length],
                    [0.0, way],
                    interpolations=Interpolation.LINEAR,
                    modes=TangentMode.LINEAR,
                )
                tracks[Channel("root", Property.TRANSLATE, axis)] = with_tangents(line)
        return Clip(
            AssetId(f"clip-{self.name.replace(' ', '-')}"),
            self.name,
            RIG_ID,
            self.length,
            FrameRate.of(RATE),
            self.looping,
            tracks,
            self.curves,
            notifies=tuple(sorted(self.notifies, key=lambda n: n.time)),
            sync_markers=tuple(sorted(self.markers, key=lambda m: m.time)),
            root_motion=RootMotion(
                enabled=any(self.travel) or "root" in self._turns or "root" in self._shifts
            ),
        )

    def _slopes(self, bone: str, order: int, angles: dict[float, FloatArray]) -> dict[float, FloatArray]:
        """Degrees a second into and out of the keys that have them, ``(2, 3)`` each."""
        beside = self._beside.get(bone, {})
        frames = [f for f in angles if f in beside]
        if not frames:
            return {}
        at = np.array([angles[f] for f in frames])
        before, after = (
            euler.nearest(np.array([beside[f][side] for f in frames]), order, at) for side in (0, 1)
        )
        found = np.stack([at - before, after - at], axis=1) * (RATE / BESIDE)
        return dict(zip(frames, found, strict=True))

    def _add(
        self,
        tracks: dict[Channel, ScalarTrack],
        bone: str,
        part: Property,
        keys: dict[float, FloatArray],
        rest: FloatArray,
        slopes: dict[float, FloatArray] | None = None,
    ) -> None:
        """One track an axis; a channel that never leaves rest gets none, one that never moves one key."""
        frames = sorted(keys)
        table = np.array([keys[f] for f in frames])
        closing = self.looping and bone != "root"  # the root goes on where a loop begins again
        if closing and frames[0] == 0 and frames[-1] == self.frames:
            table[-1] = table[0]
        times = np.array(frames) / RATE
        for axis in range(3):
            column = np.round(table[:, axis], 9)
            if np.ptp(column) < STILL:
                if abs(column[0] - rest[axis]) < STILL:
                    continue
                track = scalar_track(times[:1], column[:1], modes=self.ease)
            elif slopes and len(slopes) == len(frames):
                track = _sloped(times, column, np.array([slopes[f][:, axis] for f in frames]))
            else:
                track = scalar_track(times, column, modes=self.ease)
            tracks[Channel(bone, part, axis)] = with_tangents(track, self.length if closing else None)


def _followed(turns: dict[float, FloatArray], order: int, rest: FloatArray) -> dict[float, FloatArray]:
    """Angles by frame, each the nearest to the one before, the first to rest."""
    frames = sorted(turns)
    rotations = np.array([turns[f] for f in frames])
    angles, last = euler.nearest(rotations, order, rest), rest
    for row in range(len(frames)):
        if np.abs(angles[row] - last).max() > 60.0:  # nearer than this it is the nearest already
            angles[row:] = euler.nearest(rotations[row:], order, last)
        last = angles[row]
    return dict(zip(frames, angles, strict=True))


def _sloped(times: FloatArray, values: FloatArray, slopes: FloatArray) -> ScalarTrack:
    """A track with given slopes ``(K, 2)`` into and out of each key; one slope where they nearly agree."""
    apart = np.abs(slopes[:, 0] - slopes[:, 1]) > SMOOTH
    mean = slopes.mean(axis=1)
    into, out = (np.round(np.where(apart, slopes[:, side], mean), 6) for side in (0, 1))
    modes = np.where(apart, TangentMode.BROKEN, TangentMode.FREE)
    return scalar_track(times, values, into, out, modes=modes)


def renamed(clip: Clip, name: str) -> Clip:
    """The clip under another name and id."""
    return replace(clip, name=name, id=AssetId(f"clip-{name.replace(' ', '-')}"))
