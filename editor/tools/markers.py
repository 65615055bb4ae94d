"""Markers: named moments of a clip, to read and to snap to. Pure functions, and the gesture that drags one."""

from collections.abc import Callable
from dataclasses import replace

from core.clips.clip import Clip, Marker
from core.clips.edits import checked_name, unique_name
from core.timing import frame_text
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.transform import JITTER


def with_marker(clip: Clip, time: float, name: str = "") -> tuple[Clip, Marker]:
    """The clip with a marker more; a name that is taken, or none, gets a number."""
    names = [marker.name for marker in clip.markers]
    made = Marker(unique_name(checked_name(name or tr("marker")), names), max(float(time), 0.0))
    return _sorted(clip, (*clip.markers, made)), made


def without_marker(clip: Clip, marker: Marker) -> Clip:
    """The clip without a marker."""
    return replace(clip, markers=tuple(m for m in clip.markers if m != marker))


def moved_marker(clip: Clip, marker: Marker, time: float) -> tuple[Clip, Marker]:
    """The clip with a marker elsewhere."""
    made = replace(marker, time=max(float(time), 0.0))
    return _sorted(clip, tuple(made if m == marker else m for m in clip.markers)), made


def renamed_marker(clip: Clip, marker: Marker, name: str) -> tuple[Clip, Marker]:
    """The clip with a marker of another name.

    Raises
    ------
    ValidationError
        The name is empty.
    """
    others = [m.name for m in clip.markers if m != marker]
    made = replace(marker, name=unique_name(checked_name(name), others))
    return _sorted(clip, tuple(made if m == marker else m for m in clip.markers)), made


def _sorted(clip: Clip, markers: tuple[Marker, ...]) -> Clip:
    return replace(clip, markers=tuple(sorted(markers, key=lambda m: (m.time, m.name))))


# ---------------------------------------------------------------- on a session
def add(session: Session, time: float | None = None) -> Marker | None:
    """Put a marker at a time, the current one by default; one step."""
    clip = session.clip
    if clip is None:
        return None
    new, marker = with_marker(clip, session.playback.time if time is None else time)
    session.edits.put(tr("Add marker @ f{frame}", frame=frame_text(clip.rate.to_frame(marker.time))), new)
    return marker


def rename(session: Session, marker: Marker, name: str) -> bool:
    """Give a marker another name; one step."""
    clip = session.clip
    if clip is None or marker not in clip.markers or name == marker.name:
        return False
    new, made = renamed_marker(clip, marker, name)
    return session.edits.put(tr("Rename marker {old} to {new}", old=marker.name, new=made.name), new)


def delete(session: Session, marker: Marker) -> bool:
    """Take a marker away; one step."""
    clip = session.clip
    if clip is None or marker not in clip.markers:
        return False
    return session.edits.put(tr("Delete marker {name}", name=marker.name), without_marker(clip, marker))


class DragMarker(Gesture):
    """Drag a marker along the ruler; a click without a drag goes to it.

    Parameters
    ----------
    time_at : seconds at an x pixel, snapped unless the second argument says no
    """

    def __init__(self, session: Session, marker: Marker, time_at: Callable[[float, bool], float]) -> None:
        clip = session.clip
        if clip is None:
            raise ValueError("markers can only be dragged in a clip")
        self._session, self._clip, self._marker, self._time_at = session, clip, marker, time_at
        self._start: Pointer | None = None
        self._result: Clip | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._session.playback.pause()

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._result is None and abs(pointer.x - self._start.x) < JITTER):
            return
        snap = self._session.switches["snap"] != pointer.has(Modifiers.CTRL)
        self._result, _ = moved_marker(self._clip, self._marker, self._time_at(pointer.x, snap))
        self._session.preview.set_clip(self._result)

    def finish(self, pointer: Pointer) -> None:
        if self._result is None:
            self._session.playback.seek(self._marker.time)
            return
        self._session.edits.put(tr("Move marker {name}", name=self._marker.name), self._result)
        self._session.preview.clear()

    def cancel(self) -> None:
        self._session.preview.clear()

    @property
    def hint(self) -> str:
        return tr("Ctrl: between frames · Esc or right button cancels")
