"""A window with the view and the panel of inverse kinematics."""

import numpy as np
from PySide6.QtWidgets import QScrollArea, QWidget

from core.math.transform import down_chain
from editor.gl import camera as cameras
from editor.gl.gizmo import Handle, parts
from editor.panels.ik.panel import PANEL as IK
from editor.panels.viewport.panel import PANEL as VIEW
from tests.editor.panel_stage import Stage
from tests.editor.user import User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(VIEW.create(self.stage.context), 3)
        self.ik = self.stage.add(IK.create(self.stage.context), 2)
        self.stage.show(760, 900)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.model, self.view = self.panel.model, self.panel.view
        self.session.playback.seek(20 / 30)
        self.user.settle()

    def place(self, bone: str, frame: float | None = None) -> np.ndarray:
        session = self.session
        pose = session.evaluator.pose() if frame is None else session.evaluator.sampled_pose(frame / 30)
        skeleton = session.rig.skeleton
        return down_chain(skeleton.parents, pose.local).translation[skeleton.index(bone)]

    def rotations(self, frame: float | None = None) -> np.ndarray:
        session = self.session
        pose = session.evaluator.pose() if frame is None else session.evaluator.sampled_pose(frame / 30)
        return np.array(pose.rotations)

    def pixel(self, place) -> tuple[float, float]:
        found, _ = cameras.project(self.model.camera, np.asarray(place), self.view.view_size)
        return float(found[0]), float(found[1])

    def mark(self, name: str):
        from editor.tools.ik.marks import chain_marks

        return next(m for m in chain_marks(self.session) if m.setup.name == name)

    def select(self, *bones: str) -> None:
        self.session.selection.select(bones)
        self.user.settle()

    def propose(self) -> None:
        if self.user.visible("emptyButton"):
            self.user.click("emptyButton")

    def turn_on(self, name: str) -> None:
        rect = self.ik.list.row_rect(name)
        area = self.ik.list
        self.user.click(area, (12, rect.center().y()))

    def type_into(self, name: str, text: str) -> None:
        """Type into a field of the panel, scrolled into sight."""
        field = self.ik.findChild(QWidget, name)
        self.ik.findChild(QScrollArea).ensureWidgetVisible(field)
        self.user.settle()
        self.user.type_into(field, text)

    def drag_gizmo(self, handle: Handle, by: tuple[float, float], **more) -> None:
        gizmo = self.model.gizmo()
        part = next(
            p for p in parts(gizmo, self.model.camera, self.model.controller.size) if p.handle is handle
        )
        points = part.lines.reshape(-1, 3) if len(part.lines) else part.fill.reshape(-1, 3)
        middle = self.pixel(points.mean(axis=0) if handle is not Handle.CENTRE else gizmo.pivot)
        end = middle[0] + by[0], middle[1] + by[1]
        self.user.drag(self.view, middle, end, **more)
