"""Draw an arc in the view: the path of a bone is laid onto it, and the keys of its limb follow."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.drawn_arc import SHORT, covered, laid_onto
from core.evaluation.path import keys_between, moved_bones, path_through
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.scene import Pixel


class DrawArc(Gesture):
    """One stroke. On release the frames between its ends lie on it, as far apart along it as they were; one undo step.

    Parameters
    ----------
    bone : whose path it is
    times, pixels, places : its frames ``(T,)`` in seconds, where they are seen ``(T, 2)`` and in the world ``(T, 3)``
    moved : how far in the world a place moves when it is seen at another pixel
    show : shows the stroke, or hides it
    """

    grabs_keys = True

    def __init__(
        self, session: Session, bone: str, times: FloatArray, pixels: FloatArray, places: FloatArray,
        moved: Callable[[FloatArray, Pixel, Pixel], FloatArray], show: Callable[[list[Pixel]], None],
    ) -> None:  # fmt: skip
        self._session, self._bone, self._moved, self._show = session, bone, moved, show
        self._times, self._pixels, self._places = times, pixels, places
        self._stroke: list[Pixel] = []

    def begin(self, pointer: Pointer) -> None:
        self._session.playback.pause()
        self._stroke = [pointer.pixel]

    def move(self, pointer: Pointer) -> None:
        self._stroke.append(pointer.pixel)
        self._show(self._stroke)

    def finish(self, pointer: Pointer) -> None:
        self._end()
        stroke = np.array([*self._stroke, pointer.pixel], dtype=np.float64)
        pipeline = self._session.evaluator.pipeline
        if pipeline is None or np.linalg.norm(np.diff(stroke, axis=0), axis=-1).sum() < SHORT:
            return
        held = [
            b for b in moved_bones(pipeline.rig.skeleton, self._bone) if b in self._session.selection.locked
        ]
        if held:
            self._session.messages.warn(
                tr("Locked: {bones}", bones=", ".join(held)), tr("Unlock in the bone tree to pose")
            )
            return
        self._lay(pipeline, stroke, pointer.has(Modifiers.SHIFT))

    def cancel(self) -> None:
        self._end()

    def _end(self) -> None:
        """Hide the stroke; the next drag is an ordinary one again."""
        self._show([])
        self._session.switches.set("path_draw", False)

    def _lay(self, pipeline: ClipPipeline, stroke: FloatArray, every_frame: bool) -> None:
        """Key the frames between the stroke's ends onto it: those that have keys, or every one."""
        first, last, stroke = covered(self._pixels, stroke)
        span = slice(first, last + 1)
        onto = laid_onto(self._pixels[span], stroke)
        places = np.array([
            place + self._moved(place, (float(a[0]), float(a[1])), (float(b[0]), float(b[1])))
            for place, a, b in zip(self._places[span], self._pixels[span], onto, strict=True)
        ])  # fmt: skip
        frames = self._times[span]
        times = frames if every_frame else keys_between(pipeline, self._bone, frames[0], frames[-1])
        goals = np.stack([np.interp(times, frames, places[:, axis]) for axis in range(3)], axis=-1)
        into = np.linalg.inv(self._session.evaluator.worlds(times, pipeline))
        goals = np.einsum("tij,tj->ti", into[:, :3, :3], goals) + into[:, :3, 3]
        clip = path_through(pipeline, self._bone, times, goals, self._session.keying.tolerance)
        if clip is pipeline.clip:
            return
        self._session.edits.put(tr("Draw path of {bone}", bone=self._bone), clip)
        self._session.messages.info(
            trn(
                "The path follows the arc at {count} key",
                "The path follows the arc at {count} keys",
                len(times),
            )
        )

    @property
    def status(self) -> str:
        return tr("Draw path of {bone}", bone=self._bone)

    @property
    def hint(self) -> str:
        return tr(
            "Release to lay the path onto the arc, with Shift at every frame · Esc or right button cancels"
        )
