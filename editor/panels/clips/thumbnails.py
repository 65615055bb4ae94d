"""Small pictures of the clips, made one after the other on another thread while nothing else goes on."""

import logging
from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from core.arrays import ByteArray
from core.clips.clip import Clip
from core.errors import AnimError
from core.evaluation.clip_pipeline import parts_of
from core.ids import AssetId
from core.project.project import Asset, Project
from core.rig.rig import Rig
from editor.gl.clip_sketch import ClipSketcher
from editor.gl.png import encode_png
from editor.model.recent_pictures import keep_picture
from editor.model.session import Session

logger = logging.getLogger(__name__)

QUIET, NEXT, BUSY = 400, 20, 500
"""Milliseconds without a change before the first picture is made, between two of them, and while the clip plays."""

Parts = tuple[Asset, ...]
"""What a clip's poses are made of; the same picture as long as they are the same values."""


class ClipThumbnails(QObject):
    """Makes pictures of what is asked for; `ready` tells that there is one more.

    A picture is kept as long as all that the clip's poses are made of are the same values, layers and meshes included.
    Until it is there, the one before is shown.
    """

    ready = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._known: dict[AssetId, tuple[Parts, QPixmap]] = {}
        self._due: dict[AssetId, None] = {}
        self._failed: dict[AssetId, Parts] = {}
        self._parts: dict[AssetId, Parts] = {}
        self._parts_of: Project | None = None
        self._sketcher = ClipSketcher()
        self._making: tuple[AssetId, Parts] | None = None
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._make_one)

    @property
    def waiting(self) -> bool:
        """Whether a picture that was asked for is still to come."""
        return self._making is not None or bool(self._due)

    def picture(self, clip: AssetId) -> QPixmap | None:
        """The picture of a clip of the document, or the one before; one that is not there is made later."""
        project = self._session.document.project
        asset, known = project.assets.get(clip), self._known.get(clip)
        if not isinstance(asset, Clip) or asset.rig not in project.assets:
            return None
        parts = self._parts_now(project, asset)
        making = self._making[1] if self._making is not None and self._making[0] == clip else ()
        taken = (known[0] if known is not None else (), making, self._failed.get(clip, ()))
        if clip not in self._due and not any(_same(parts, others) for others in taken):
            self._due[clip] = None
            self._timer.start(QUIET)
        return known[1] if known is not None else None

    def _parts_now(self, project: Project, clip: Clip) -> Parts:
        """What a clip's picture is made of; looked for once, as every row that is painted asks."""
        if self._parts_of is not project:
            self._parts_of, self._parts = project, {}
        parts = self._parts.get(clip.id)
        if parts is None:
            parts = self._parts[clip.id] = parts_of(project, clip)
        return parts

    def _make_one(self) -> None:
        if self._making is not None or self._closed or not self._due:
            return
        if self._session.playback.playing or self._session.jobs.running:
            self._timer.start(BUSY)
            return
        id_ = next(iter(self._due))
        del self._due[id_]
        project = self._session.document.project
        clip = project.assets.get(id_)
        rig = project.assets.get(clip.rig) if isinstance(clip, Clip) else None
        if not isinstance(clip, Clip) or not isinstance(rig, Rig):
            self._timer.start(NEXT)
            return
        parts = self._parts_now(project, clip)
        self._making = id_, parts
        made: list[ByteArray] = []

        def work() -> None:
            try:
                made.append(self._sketcher.draw(project, rig, clip))
            except (
                AnimError,
                ArithmeticError,
                ValueError,
            ) as error:  # a clip that cannot be drawn has no picture
                logger.info("no picture of clip %s: %s", clip.name, error)

        self._session.jobs.runner(work, lambda: self._made(clip, parts, made))

    def _made(self, clip: Clip, parts: Parts, made: list[ByteArray]) -> None:
        self._making = None
        if self._closed:
            return
        if made:
            height, width = made[0].shape[:2]
            image = QImage(made[0].data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
            self._known[clip.id] = parts, QPixmap.fromImage(image)
            self._keep_for_file(clip, made[0])
            self.ready.emit()
        else:
            self._failed[clip.id] = parts
        if self._due:
            self._timer.start(NEXT)

    def _keep_for_file(self, clip: Clip, picture: ByteArray) -> None:
        """The picture of the clip shown stands for the file among the recent ones."""
        document, recent = self._session.document, self._session.preferences.recent
        path = document.path or next((path for path in recent if path.name == document.title), None)
        if path is not None and path in recent and self._session.playback.clip == clip.id:
            self._session.jobs.runner(lambda: keep_picture(path, encode_png(picture), recent), lambda: None)

    def forget(self, kept: Iterable[AssetId]) -> None:
        """Drop pictures of clips that are gone."""
        alive = set(kept)
        self._known = {key: value for key, value in self._known.items() if key in alive}
        self._failed = {key: value for key, value in self._failed.items() if key in alive}

    def close(self) -> None:
        """Make no more."""
        self._closed = True
        self._timer.stop()
        self._due.clear()


def _same(a: Parts, b: Parts) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))
