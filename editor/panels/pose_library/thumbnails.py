"""Pictures of library poses, rendered off screen, a few each turn of the event loop."""

import logging

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from core.ids import AssetId
from core.pose import kinematics
from core.pose.library import LibraryPose
from core.pose.pose import Pose, rest_pose
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.gl.bone_geometry import bone_tips
from editor.gl.camera import Camera, frame
from editor.gl.capture import NoContextError, OffscreenRenderer
from editor.gl.colors import ViewportColors
from editor.gl.draw_list import BoneShapes, DrawList, MeshGeometry, MeshInstance
from editor.gl.mesh_source import geometry_of, part_colors

logger = logging.getLogger(__name__)

YAW, PITCH = 0.42, 0.10
"""From where poses are seen, radians: a little from the character's left, a little from above."""

EDGE = 96


class Thumbnails(QObject):
    """Renders pictures when asked; `ready` tells which card to paint again.

    Pictures are kept by the identity of pose, rig, meshes and colours, so that an edit of one pose
    renders one image.
    """

    ready = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._known: dict[AssetId, tuple[tuple[object, ...], QPixmap]] = {}
        self._due: dict[AssetId, tuple[LibraryPose, Rig, tuple[Mesh, ...], ViewportColors, float]] = {}
        self._geometry: dict[AssetId, tuple[Mesh, MeshGeometry]] = {}
        self._view: OffscreenRenderer | None = None
        self._failed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._render_one)

    def image(
        self, pose: LibraryPose, rig: Rig, meshes: tuple[Mesh, ...], colors: ViewportColors, ratio: float
    ) -> QPixmap | None:
        """The picture of a pose; None while it is not made yet (it will be)."""
        key = (pose, rig.skeleton, meshes, colors, ratio)
        known = self._known.get(pose.id)
        if known is not None and all(a is b or a == b for a, b in zip(known[0], key, strict=True)):
            return known[1]
        if not self._failed:
            self._due[pose.id] = (pose, rig, meshes, colors, ratio)
            if not self._timer.isActive():
                self._timer.start()
        return known[1] if known is not None else None

    def _render_one(self) -> None:
        if not self._due:
            return
        id, (pose, rig, meshes, colors, ratio) = next(iter(self._due.items()))
        del self._due[id]
        try:
            if self._view is None:
                self._view = OffscreenRenderer()
            image = self._rendered(self._view, pose, rig, meshes, colors, ratio)
        except NoContextError as error:
            self._failed = True
            logger.warning("no thumbnails: %s", error)
            return
        self._known[id] = ((pose, rig.skeleton, meshes, colors, ratio), image)
        self.ready.emit(id)
        if self._due:
            self._timer.start()

    def _rendered(
        self, view: OffscreenRenderer, pose: LibraryPose, rig: Rig, meshes: tuple[Mesh, ...],
        colors: ViewportColors, ratio: float,
    ) -> QPixmap:  # fmt: skip
        whole = pose.over(rig.skeleton, rest_pose(rig))
        matrices = kinematics.model_matrices(rig.skeleton, whole.local)
        drawn = DrawList(meshes=self._instances(rig, meshes, matrices, whole), shadow=False)
        if not meshes:
            drawn = DrawList(bones=self._bones(rig, matrices))
        low, high = framing(rig, pose, matrices)
        camera = frame(Camera(yaw=YAW, pitch=PITCH), low, high, (float(EDGE), float(EDGE)), margin=0.98)
        pixels = view.render(drawn, camera, (EDGE, EDGE), colors, ratio)
        height, width = pixels.shape[:2]
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _instances(
        self, rig: Rig, meshes: tuple[Mesh, ...], matrices, pose: Pose
    ) -> tuple[MeshInstance, ...]:
        made = []
        for mesh in meshes:
            known = self._geometry.get(mesh.id)
            if known is None or known[0] is not mesh:
                known = mesh, geometry_of(mesh, ("thumbnail", mesh.id, id(mesh)))
                self._geometry[mesh.id] = known
            bones = kinematics.joint_bones(mesh, rig.skeleton)
            weights = None
            if mesh.morphs:
                weights = np.array([morph.default_weight for morph in mesh.morphs], np.float32)
            skin = matrices[bones] @ mesh.inverse_bind
            made.append(MeshInstance(known[1], skin, part_colors(mesh), weights, shadow=False))
        return tuple(made)

    def _bones(self, rig: Rig, matrices) -> BoneShapes:
        tips = bone_tips(rig.skeleton.rest.translation, rig.skeleton.parents)
        heads = matrices[:, :3, 3]
        tails = heads + np.einsum("bij,bj->bi", matrices[:, :3, :3], tips)
        return BoneShapes(heads, tails, matrices[:, :3, 0])

    def forget(self, kept: set[AssetId]) -> None:
        """Release images of poses that are gone."""
        for table in (self._known, self._due):
            for id in [id for id in table if id not in kept]:
                del table[id]

    def close(self) -> None:
        """Free what lies on the graphics card."""
        self._timer.stop()
        self._due.clear()
        view, self._view = self._view, None
        if view is not None:
            view.close()


def framing(rig: Rig, pose: LibraryPose, matrices) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box to look at: a pose of a few bones is seen from near."""
    bones = [rig.skeleton.index(name) for name in pose.held(rig.skeleton)] or list(range(len(rig.skeleton)))
    tips = bone_tips(rig.skeleton.rest.translation, rig.skeleton.parents)[bones]
    heads = matrices[bones, :3, 3]
    points = np.concatenate([heads, heads + np.einsum("bij,bj->bi", matrices[bones, :3, :3], tips)])
    low, high = points.min(axis=0), points.max(axis=0)
    room = max(0.06 * float((high - low).max()), 0.04)
    return low - room, high + room
