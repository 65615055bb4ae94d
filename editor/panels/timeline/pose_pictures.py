"""Small pictures of a clip's poses, drawn on another thread while nothing else goes on."""

import hashlib
import logging
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from core.arrays import ByteArray, FloatArray
from core.clips.clip import Clip
from core.errors import AnimError
from core.evaluation.clip_pipeline import ClipPipeline
from core.pose import kinematics
from core.project.project import Project
from core.rig.rig import Rig
from editor.gl.clip_sketch import ClipSketcher
from editor.model.session import Session

logger = logging.getLogger(__name__)

QUIET, NEXT, BUSY = 200, 10, 400
"""Milliseconds without a change before the first picture is drawn, between two slices, and while the clip plays."""
SLICE = 4
"""Pictures that are drawn before those that are there are shown."""
MOST_KEPT = 400


class Asked(NamedTuple):
    """What pictures are wanted of."""

    project: Project
    clip: Clip
    times: tuple[float, ...]

    def is_same(self, other: "Asked") -> bool:
        """Whether another one wants the same pictures."""
        return self.project is other.project and self.clip is other.clip and self.times == other.times


class PosePictures(QObject):
    """Draws the poses that are asked for; `ready` tells that there are more.

    A picture belongs to where the bones are, so that a pose that is retimed, copied or swapped is not drawn again.
    """

    ready = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._sketcher = session, ClipSketcher()
        self._pictures: dict[bytes, QPixmap] = {}
        self._names: dict[float, bytes] = {}
        self._asked: Asked | None = None
        self._busy = self._closed = self._failed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._draw_some)
        self._telling = QTimer(self)
        self._telling.setSingleShot(True)
        self._telling.timeout.connect(self._tell_apart)

    def picture(self, time: float) -> QPixmap | None:
        """The picture of the pose at a time, None while there is none."""
        name = self._names.get(round(time, 6))
        return self._pictures.get(name) if name is not None else None

    def ask(self, clip: Clip | None, times: FloatArray) -> None:
        """Draw the poses of a clip at these times, as soon as it is quiet."""
        if clip is None:
            return
        asked = Asked(self._session.document.project, clip, tuple(times.tolist()))
        known = self._asked
        if known is None or not known.is_same(asked):
            self._asked, self._failed = asked, False
            self._telling.start(0)
            self._timer.start(QUIET)

    def _tell_apart(self) -> None:
        """Find out which pictures belong where, at once: drawing waits, and other poses' pictures must not stay."""
        asked, rig = self._asked, self._session.rig
        self._names = {}
        if asked is None or rig is None:
            return
        try:
            self._names = told_apart(asked.project, rig, asked.clip, asked.times)[0]
        except (AnimError, ArithmeticError, ValueError) as error:
            logger.info("poses of %s cannot be told apart: %s", asked.clip.name, error)
        self.ready.emit()

    def _draw_some(self) -> None:
        if self._busy or self._closed or self._asked is None or self._failed:
            return
        if self._session.playback.playing or self._session.jobs.running or self._session.preview.active:
            self._timer.start(BUSY)
            return
        asked, rig = self._asked, self._session.rig
        if rig is None or not asked.times:
            return
        self._busy = True
        known = frozenset(self._pictures)
        made: list[tuple[dict[float, bytes], dict[bytes, ByteArray], bool]] = []

        def work() -> None:
            try:
                made.append(drawn(self._sketcher, asked.project, rig, asked.clip, asked.times, known))
            except (AnimError, ArithmeticError, ValueError) as error:
                logger.info("no pictures of poses of %s: %s", asked.clip.name, error)

        self._session.jobs.runner(work, lambda: self._take(asked, made))

    def _take(
        self,
        asked: Asked,
        made: list[tuple[dict[float, bytes], dict[bytes, ByteArray], bool]],
    ) -> None:
        self._busy = False
        if self._closed:
            return
        current, complete = asked is self._asked, all(whole for _, _, whole in made)
        self._failed = current and not made  # what failed for one clip says nothing about another
        for names, pictures, _ in made:
            if len(self._pictures) > MOST_KEPT:
                self._pictures.clear()
            for name, pixels in pictures.items():
                height, width = pixels.shape[:2]
                image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
                self._pictures[name] = QPixmap.fromImage(image)
            if current:
                self._names = names
            self.ready.emit()
        if not (current and complete):
            self._timer.start(NEXT)

    def close(self) -> None:
        """Draw no more."""
        self._closed = True
        self._timer.stop()
        self._telling.stop()


def cropped(picture: ByteArray) -> ByteArray:
    """The part of a picture ``(H, W, 4)`` that anything is on; all of an empty one."""
    seen = picture[..., 3] > 0
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return picture
    return np.ascontiguousarray(picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def told_apart(
    project: Project, rig: Rig, clip: Clip, times: tuple[float, ...]
) -> tuple[dict[float, bytes], FloatArray]:
    """Names of poses by time, the same for the same pose, and their model matrices ``(P, B, 4, 4)``.

    Poses are taken at the very times: a little before a stepped key there is another one.
    """
    if not times:
        return {}, np.zeros((0, len(rig.skeleton), 4, 4))
    poses = ClipPipeline.of(project, clip).sample_many(np.array(times))
    matrices = kinematics.model_matrices(rig.skeleton, poses.local)
    shown = np.round(matrices - matrices[:, :1, :, 3:] * (np.arange(4) == 3), 4)  # wherever the root is
    base = hashlib.blake2b(
        repr([id(mesh) for mesh in project.meshes_of(rig.id)]).encode(), digest_size=8
    ).digest()
    names = {
        round(t, 6): base + hashlib.blake2b(m.tobytes(), digest_size=16).digest()
        for t, m in zip(times, shown, strict=True)
    }
    return names, matrices


def drawn(
    sketcher: ClipSketcher,
    project: Project,
    rig: Rig,
    clip: Clip,
    times: tuple[float, ...],
    known: frozenset[bytes],
) -> tuple[dict[float, bytes], dict[bytes, ByteArray], bool]:
    """Names of the poses by time, pictures of some that are not known yet, and whether these were all."""
    meshes = project.meshes_of(rig.id)
    names, matrices = told_apart(project, rig, clip, times)
    missing = [n for n, time in enumerate(times) if names[round(time, 6)] not in known]
    unique = list({names[round(times[n], 6)]: n for n in missing}.items())
    pictures = {name: cropped(sketcher.draw_pose(rig, meshes, matrices[n])) for name, n in unique[:SLICE]}
    return names, pictures, len(unique) <= SLICE
