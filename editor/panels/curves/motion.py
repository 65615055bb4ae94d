"""How the selected bone moves, over the curves: its speed and acceleration at each frame in sight. Free of Qt."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.math import paths
from editor.model.i18n import tr
from editor.model.posing.live_clip import LiveClip
from editor.model.session import Session
from editor.model.time_axis import TimeAxis

MOST_FRAMES = 600
"""Frames that are evaluated at most; beyond, some are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Speed and acceleration of one bone's head in the world.

    Parameters
    ----------
    bone : its name
    times : seconds ``(T,)``
    speed : metres a second ``(T,)``
    acceleration : metres a second squared ``(T,)``, without its direction
    """

    bone: str
    times: FloatArray
    speed: FloatArray
    acceleration: FloatArray

    def at(self, time: float) -> tuple[float, float]:
        """Speed and acceleration at a time, linear between frames."""
        return float(np.interp(time, self.times, self.speed)), float(
            np.interp(time, self.times, self.acceleration)
        )


class MotionCurves:
    """The motion of the bone selected last; worked out again only when the clip, the bone or the frames differ.

    Root motion counts as it is shown: in place, the root's own way is no part of it.
    """

    def __init__(self, session: Session) -> None:
        self._session, self._live = session, LiveClip(session)
        self._key: object = None
        self._known: Motion | None = None

    def shown(self, axis: TimeAxis) -> Motion | None:
        """What is drawn for the stretch of time in sight; None while switched off or without bone or clip."""
        session = self._session
        if not session.switches["curves_motion"]:
            return None
        rig, pipeline = session.rig, self._live.pipeline()
        bones = [b for b in session.selection.bones if rig is not None and rig.skeleton.find(b) is not None]
        times = self._times(axis)
        if rig is None or pipeline is None or not bones or len(times) < 2:
            return None
        key = (bones[-1], times.tobytes(), session.playback.in_place)
        known = self._key
        if not (isinstance(known, tuple) and known[0] is pipeline and known[1:] == key):
            self._key = (pipeline, *key)
            places = self._live.matrices(times)[:, rig.skeleton.index(bones[-1]), :3, 3]
            self._known = Motion(
                bones[-1],
                times,
                np.linalg.norm(paths.velocity(places, times), axis=-1),
                np.linalg.norm(paths.acceleration(places, times), axis=-1),
            )
        return self._known

    def _times(self, axis: TimeAxis) -> FloatArray:
        """Frames in sight and one beyond each end, within the play range."""
        playback = self._session.playback
        rate, (start, end) = playback.rate, playback.span
        first = int(np.floor(rate.to_frame(max(start, axis.start)))) - 1
        last = int(np.ceil(rate.to_frame(min(end, axis.end)))) + 1
        step = max(1, -(-(last - first) // MOST_FRAMES))
        times = np.arange(first, last + 1, step) / rate.fps
        return np.asarray(times[(times >= start - 1e-9) & (times <= end + 1e-9)], dtype=np.float64)


def motion_text(motion: Motion, time: float) -> tuple[str, str]:
    """What is written of a motion: its speed and its acceleration at a time, with the largest in sight."""
    speed, acceleration = motion.at(time)
    return (
        tr(
            "{bone} · speed {now} of {most} m/s",
            bone=motion.bone, now=f"{speed:.2f}", most=f"{motion.speed.max():.2f}",
        ),
        tr(
            "acceleration {now} of {most} m/s²",
            now=f"{acceleration:.1f}", most=f"{motion.acceleration.max():.1f}",
        ),
    )  # fmt: skip
