"""Keys of a camera along time: moved and deleted, each in one undo step. Free of Qt."""

from collections.abc import Callable, Sequence

from core.shot.camera import ShotCamera, retimed, unkeyed_at
from core.timing import FrameRate, frame_text
from editor.model.i18n import tr, trn
from editor.model.shot.state import Shot
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer


def retime(shot: Shot, camera: ShotCamera, times: Sequence[float], shift: float) -> bool:
    """Move keys of a camera by seconds; whether any moved."""
    made = retimed(camera, times, shift)
    shot.set_preview(None)
    label = trn("Retime {count} key of {name}", "Retime {count} keys of {name}", len(times), name=camera.name)
    return made is not camera and shot.put(label, made)


def delete(shot: Shot, camera: ShotCamera, times: Sequence[float]) -> bool:
    """Delete keys of a camera at some times."""
    made = camera
    for time in times:
        made = unkeyed_at(made, time)
    return shot.put(tr("Delete keys of {name}", name=camera.name), made)


class DragCameraKeys(Gesture):
    """Drag keys of a camera to other frames; whole frames, with Shift any.

    Parameters
    ----------
    times : seconds of the keys; the first is the one that is held
    seconds_at : time under an x pixel
    """

    def __init__(
        self, shot: Shot, camera: ShotCamera, times: Sequence[float], rate: FrameRate,
        seconds_at: Callable[[float], float],
    ) -> None:  # fmt: skip
        self._shot, self._camera, self._times, self._rate = shot, camera, tuple(times), rate
        self._seconds_at = seconds_at
        self._from = 0.0
        self.shift = 0.0

    def begin(self, pointer: Pointer) -> None:
        self._from = self._seconds_at(pointer.x)

    def move(self, pointer: Pointer) -> None:
        goal = self._times[0] + self._seconds_at(pointer.x) - self._from
        if Modifiers.SHIFT not in pointer.modifiers:
            goal = self._rate.to_seconds(round(self._rate.to_frame(goal)))
        self.shift = max(goal - self._times[0], -min(self._times))
        self._shot.set_preview(retimed(self._camera, self._times, self.shift))

    def finish(self, pointer: Pointer) -> None:
        retime(self._shot, self._camera, self._times, self.shift)

    def cancel(self) -> None:
        self.shift = 0.0
        self._shot.set_preview(None)

    @property
    def status(self) -> str:
        frames = frame_text(self._rate.to_frame(self._times[0] + self.shift))
        return tr("Key of {name} at frame {frame}", name=self._camera.name, frame=frames)

    @property
    def hint(self) -> str:
        return tr("Drag: another frame · Shift: between frames · Esc cancels")
