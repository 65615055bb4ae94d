"""Motion trails: where the selected bones go, with a dot a frame that can be dragged. Free of Qt."""

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.clips.clip import Clip
from core.evaluation.path import share
from core.math import paths
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel, Size
from editor.gl.colors import DARK, Color, with_alpha
from editor.gl.draw_list import Layer, Lines, Points, PointShape, Shape
from editor.model.i18n import tr
from editor.model.posing.live_clip import LiveClip
from editor.model.session import Session

MOST_BONES = 24
WHOLE_CLIP = 240
"""Up to so many frames the whole clip is drawn, beyond only some round the playhead."""
AROUND = 60
REACH = 7.0
"""Logical pixels round a dot within which it is hit."""
WIDTH = 1.5
DOT, KEY_DOT, HERE_DOT, HOVER_DOT = 3.5, 7.5, 9.0, 11.0


@dataclass(frozen=True, slots=True, eq=False)
class Dot:
    """A frame of a trail: the bone, seconds, where it is in the world, and metres a second there."""

    bone: str
    time: float
    place: FloatArray
    speed: float


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    bones: tuple[str, ...]
    times: FloatArray
    places: FloatArray
    keyed: BoolArray


class Trails:
    """Makes the trails of a picture; keeps them while nothing that they show changes."""

    def __init__(self, session: Session, live: LiveClip) -> None:
        self._session, self._live = session, live
        self.tints: tuple[Color, Color] = (DARK.ghost_before, DARK.ghost_after)
        self.marks: tuple[Color, Color, Color] = (DARK.bone_selected, DARK.text, DARK.bone_outline)
        self.ramp: tuple[Color, Color, Color] = (DARK.path_low, DARK.text, DARK.path_high)
        self.hovered: Dot | None = None
        self.stroke: FloatArray | None = None
        self.window: tuple[float, float] | None = None
        self._key: object = None
        self._drawn: _Drawn | None = None

    def shapes(self, rig: Rig) -> tuple[Shape, ...]:
        """Lines and dots; none where the switch is off, nothing is selected or no clip is shown."""
        drawn = self._trails(rig)
        return () if drawn is None else self._shapes(drawn)

    def dot_at(self, rig: Rig, camera: Camera, size: Size, pixel: Pixel) -> Dot | None:
        """The dot under a pixel, the nearest one; keys win over frames that are as near."""
        drawn = self._trails(rig)
        if drawn is None:
            return None
        flat = drawn.places.reshape(-1, 3)
        pixels, depth = cameras.project(camera, flat, size)
        away = np.hypot(pixels[:, 0] - pixel[0], pixels[:, 1] - pixel[1])
        if not camera.orthographic:
            away = np.where(depth > 0.0, away, np.inf)
        away = away - np.where(drawn.keyed.reshape(-1), 1.5, 0.0)
        nearest = int(np.argmin(away))
        if away[nearest] > REACH:
            return None
        bone, frame = divmod(nearest, len(drawn.times))
        speed = float(np.linalg.norm(paths.velocity(drawn.places[bone], drawn.times)[frame]))
        return Dot(drawn.bones[bone], float(drawn.times[frame]), drawn.places[bone, frame], speed)

    def path(self, rig: Rig) -> tuple[str, FloatArray, FloatArray] | None:
        """The trail of the bone selected last: its name, times ``(T,)`` and world places ``(T, 3)``."""
        drawn = self._trails(rig)
        return None if drawn is None else (drawn.bones[-1], drawn.times, drawn.places[-1])

    # -------------------------------------------------- making
    def _trails(self, rig: Rig) -> _Drawn | None:
        session = self._session
        pipeline = self._live.pipeline() if session.switches["trails"] else None
        bones = tuple(b for b in session.selection.bones if rig.skeleton.find(b) is not None)[-MOST_BONES:]
        if pipeline is None or not bones:
            self._key = self._drawn = None
            return None
        times = trail_times(session)
        playback = session.playback
        world = b"" if playback.in_place else session.evaluator.world().tobytes()
        shown = session.evaluator.shown_times(times)  # of the Blocking view: a dot a pose
        key = (pipeline, bones, times.tobytes(), shown.tobytes(), playback.in_place, world)
        known = self._key
        if not (isinstance(known, tuple) and known[0] is key[0] and known[1:] == key[1:]):
            self._key = key
            rows = [rig.skeleton.index(name) for name in bones]
            places = np.swapaxes(self._live.matrices(shown)[..., :3, 3][:, rows], 0, 1)
            keyed = np.stack([_keyed(pipeline.clip, rig, row, times) for row in rows])
            self._drawn = _Drawn(bones, times, places, keyed)
        return self._drawn

    def _shapes(self, drawn: _Drawn) -> tuple[Shape, ...]:
        now = self._session.playback.time
        count = len(drawn.times)
        span = max(float(np.abs(drawn.times - now).max()), 1e-9)
        colors = self._colors(drawn, now)
        colors[..., 3] = 1.0 - 0.72 * np.abs(drawn.times - now) / span
        shapes: list[Shape] = []
        if count > 1:
            lines = np.stack([drawn.places[:, :-1], drawn.places[:, 1:]], axis=2).reshape(-1, 2, 3)
            tones = np.stack([colors[:, :-1], colors[:, 1:]], axis=2).reshape(-1, 2, 4)
            shapes.append(Lines(lines, tones, WIDTH, layer=Layer.FRONT, caps=False))
        selected, bright, outline = self.marks
        keyed = drawn.keyed
        sizes = np.where(keyed, KEY_DOT, DOT)
        tints = np.array(colors)
        tints[keyed] = with_alpha(bright, 1.0)
        here = np.abs(drawn.times - now) < 0.5 * TIME_EPSILON + 1e-6
        sizes[:, here] = HERE_DOT
        tints[:, here] = selected
        if self.window is not None:  # what follows a drag of the path, the more the larger
            near = np.array([share(abs(float(t) - self.window[0]), self.window[1]) for t in drawn.times])
            sizes = np.where(near > 0.0, DOT + near * (HOVER_DOT - DOT), sizes)
            tints[:, near > 0.0] = selected
        if self.hovered is not None and self.hovered.bone in drawn.bones:
            frame = int(np.argmin(np.abs(drawn.times - self.hovered.time)))
            sizes[drawn.bones.index(self.hovered.bone), frame] = HOVER_DOT
            tints[drawn.bones.index(self.hovered.bone), frame] = selected
        order = np.argsort(sizes.reshape(-1), kind="stable")
        shapes.append(
            Points(
                drawn.places.reshape(-1, 3)[order], tints.reshape(-1, 4)[order], sizes.reshape(-1)[order],
                with_alpha(outline, 0.85), 1.0, PointShape.DISC, Layer.FRONT,
            )
        )  # fmt: skip
        if self.stroke is not None and len(self.stroke) > 1:
            pieces = np.stack([self.stroke[:-1], self.stroke[1:]], axis=1)
            tone = np.broadcast_to(np.array(selected), (*pieces.shape[:2], 4))
            shapes.append(Lines(pieces, tone, WIDTH, layer=Layer.FRONT, caps=False))
        return tuple(shapes)

    def _colors(self, drawn: _Drawn, now: float) -> FloatArray:
        """Colors ``(B, T, 4)`` of the trails' frames: before and after now, or by what their switches ask for."""
        by = self._session.switches.trail_colors()
        if by == "time":
            before, after = (np.array(tint) for tint in self.tints)
            colors = np.where((drawn.times <= now)[:, None], before, after)
            return np.tile(colors, (len(drawn.bones), 1, 1))
        if by == "speed":
            amounts = np.linalg.norm(paths.velocity(drawn.places, drawn.times), axis=-1)
        else:
            amounts = paths.curvature(drawn.places, drawn.times)
        # A bend about a point that nearly stands still has any curvature: the sharpest twentieth is one red.
        most = float(np.quantile(amounts, 0.95)) if by == "curvature" else float(amounts.max())
        share = np.clip(amounts / max(most, 1e-9), 0.0, 1.0)
        return np.stack(
            [np.interp(share, (0.0, 0.5, 1.0), channel) for channel in np.array(self.ramp).T], axis=-1
        )


def dot_text(session: Session, dot: Dot) -> str:
    """What is written beside a dot under the pointer: its frame and how fast the bone is there."""
    frame = session.playback.rate.to_frame(dot.time)
    return tr(
        "frame {frame} · {speed} m/s",
        frame=f"{frame:.2f}".rstrip("0").rstrip("."), speed=f"{dot.speed:.2f}",
    )  # fmt: skip


def trail_times(session: Session) -> FloatArray:
    """The frames that trails show: the play range or the clip, or some round the playhead of a long one."""
    playback = session.playback
    rate, (start, end) = playback.rate, playback.span
    first, last = int(np.ceil(rate.to_frame(start) - 1e-6)), int(np.floor(rate.to_frame(end) + 1e-6))
    if last - first > WHOLE_CLIP:
        middle = round(playback.frame)
        first, last = max(first, middle - AROUND), min(last, middle + AROUND)
    times = np.arange(first, max(last, first) + 1) / rate.fps
    now = playback.time
    if start <= now <= end and np.abs(times - now).min() > TIME_EPSILON:
        times = np.sort(np.append(times, now))
    return np.asarray(times, dtype=np.float64)


def _keyed(clip: Clip, rig: Rig, bone: int, times: FloatArray) -> BoolArray:
    """Whether a key of the bone, or of the two above it, stands at each time ``(T,)``."""
    names = set()
    for _ in range(3):
        if bone < 0:
            break
        names.add(rig.skeleton.names[bone])
        bone = rig.skeleton.parent(bone)
    shared = {id(t.times): t.times for c, t in clip.tracks.items() if c.bone in names}
    if not shared:
        return np.zeros(len(times), dtype=bool)
    keys = np.unique(np.concatenate(list(shared.values())))
    places = np.clip(np.searchsorted(keys, times), 1, max(len(keys) - 1, 1))
    low, high = keys[np.minimum(places - 1, len(keys) - 1)], keys[np.minimum(places, len(keys) - 1)]
    return np.asarray((np.abs(low - times) < TIME_EPSILON) | (np.abs(high - times) < TIME_EPSILON))
