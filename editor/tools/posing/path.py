"""Drag a motion trail: the frames around follow with a falloff, and their keys with them."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.path import moved_bones, path_times, pulled_path
from core.timing import frame_text
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.scene import Pixel
from editor.tools.transform import JITTER
from editor.tools.typed import Typed

FRAMES = "path_frames"
MOST = 1000


def falloff(session: Session) -> int:
    """Frames to either side that follow a drag of a path."""
    return int(session.preferences.get(FRAMES))


def set_falloff(session: Session, frames: int) -> None:
    """Let so many frames follow; told in the message bar."""
    session.preferences.set(FRAMES, min(max(int(frames), 0), MOST))
    count = falloff(session)
    session.messages.info(trn("Path drag: {count} frame follows", "Path drag: {count} frames follow", count))


def wider(session: Session, sign: int) -> None:
    """Let more frames follow, or fewer: a quarter more each time."""
    now = falloff(session)
    set_falloff(session, now + sign * max(1, now // 4))


class DragPath(Gesture):
    """One drag of a dot; digits typed meanwhile are the falloff in frames. One undo step.

    Parameters
    ----------
    bone, time : the dot
    moved : how far (world metres) a pointer at a pixel has moved it
    show : shows the falloff on the trail, as time and seconds, or hides it
    """

    grabs_keys = True

    def __init__(
        self,
        session: Session,
        bone: str,
        time: float,
        moved: Callable[[Pixel], FloatArray],
        show: Callable[[tuple[float, float] | None], None],
    ) -> None:
        self._session, self._bone, self._time, self._moved, self._show = session, bone, time, moved, show
        self._before = session.playback.time
        self._frames = float(falloff(session))
        self._typed = Typed()
        self._start: Pointer | None = None
        self._last: Pointer | None = None
        self._base: ClipPipeline | None = None
        self._clip: Clip | None = None
        self._locked = False

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._session.playback.pause()
        self._session.playback.seek(self._time)
        self._base = self._session.evaluator.pipeline
        self._mark()

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._clip is None and pointer.distance(self._start) < JITTER):
            return
        self._last = pointer
        self._update()

    def type_text(self, text: str) -> bool:
        typed = self._typed.with_text(text)
        if typed is None:
            return False
        self._typed = typed
        values = typed.values() if typed else ()
        self._frames = min(abs(values[0]), float(MOST)) if values else float(falloff(self._session))
        self._mark()
        if self._clip is not None:
            self._update()
        return True

    def finish(self, pointer: Pointer) -> None:
        clip, base = self._clip, self._base
        self._show(None)
        if typed := self._typed.values() if self._typed else ():
            self._session.preferences.set(FRAMES, round(min(abs(typed[0]), MOST)))
        self._session.preview.clear()
        if clip is not None and base is not None and clip is not base.clip:
            frame = frame_text(base.clip.rate.to_frame(self._time))
            self._session.edits.put(tr("Drag path of {bone} @ f{frame}", bone=self._bone, frame=frame), clip)

    def cancel(self) -> None:
        self._show(None)
        self._session.preview.clear()
        self._session.playback.seek(self._before)

    # ------------------------------------------------------------ what it comes to
    def _seconds(self) -> float:
        return 0.0 if self._base is None else self._base.clip.rate.to_seconds(self._frames)

    def _mark(self) -> None:
        self._show((self._time, self._seconds()))

    def _update(self) -> None:
        base, session = self._base, self._session
        if base is None or self._last is None or self._refused(base):
            return
        step = np.asarray(self._moved(self._last.pixel), dtype=np.float64)

        def into(times: FloatArray) -> FloatArray:
            back = np.linalg.inv(session.evaluator.worlds(times, base)[:, :3, :3])
            return np.asarray(back, dtype=np.float64)

        self._clip = pulled_path(
            base, self._bone, self._time, step, self._seconds(), session.keying.tolerance, into
        )
        session.preview.set_clip(self._clip)

    def _refused(self, base: ClipPipeline) -> bool:
        """Whether a bone that has to turn is locked, which is said once."""
        held = [b for b in moved_bones(base.rig.skeleton, self._bone) if b in self._session.selection.locked]
        if held and not self._locked:
            self._locked = True
            self._session.messages.warn(
                tr("Locked: {bones}", bones=", ".join(held)), tr("Unlock in the bone tree to pose")
            )
        return bool(held)

    @property
    def status(self) -> str:
        if self._base is None:
            return ""
        count = len(path_times(self._base, self._bone, self._time, self._seconds()))
        keys = trn("{count} key", "{count} keys", count)
        return tr(
            "Path of {bone}  ± {frames} f · {keys}",
            bone=self._bone,
            frames=frame_text(self._frames),
            keys=keys,
        )

    @property
    def hint(self) -> str:
        return tr("Type the number of frames that follow · Esc or right button cancels")
