"""Plates over the view: which layer is in hand, and what is previewed in place of the clip, as approved."""

import numpy as np
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from core.pose.pose import Pose, rest_pose
from editor.model.blending.state import Blending
from editor.model.events import Event
from editor.model.play.state import Play
from editor.model.session import Session
from editor.panels.viewport.preview_plate import PreviewPlate
from editor.qt.layer_banner import LayerBanner
from editor.qt.theme import Theme
from tests.editor.actions import rich
from tests.editor.portraits import approved
from tests.editor.portraits.alone import Alone, alone


class Still:
    """Another source than the clip."""

    detail = ""

    def __init__(self, session: Session, title: str) -> None:
        self._session, self.title = session, title
        self.changed: Event[None] = Event()

    def pose(self) -> Pose:
        return rest_pose(self._session.rig)

    def world(self) -> np.ndarray:
        return np.eye(4)

    def stop(self) -> None:
        self._session.display.hide(self)


def banner(qapp: QApplication) -> list[str]:
    """Which layer receives keys, why it does not now, and the ways out; over the view and over the timeline."""
    session, actions = rich.at_stage("layer")

    def plates(theme: Theme) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.addWidget(LayerBanner(session, actions, theme, "strip"))
        view = QWidget()
        view.setFixedHeight(80)
        below = QWidget(view)
        below.setObjectName("below")
        below.setFixedHeight(12)
        below.hide()
        LayerBanner(session, actions, theme, "plate", plate=True, below=below).setParent(view)
        column.addWidget(view)
        theme.dress(holder)
        for made in holder.findChildren(LayerBanner):
            made.refresh()
        return holder

    try:
        with alone(qapp, plates, (640, 200)) as here:
            blending = session.feature(Blending)
            here.lines += [f"    {b.text.text()!r}" for b in here.widget.findChildren(LayerBanner)]
            here.do(
                "above another plate", here.widget.findChild(QWidget, "below").show, here.find("plate").place
            )
            here.do("mute", lambda: blending.layers.change(0, muted=True))
            here.do("heard again", session.undo)
            here.do("a keyed neutral", lambda: steps(here, session, "plateNeutral"))
            here.do("additive", lambda: actions.run("layer.new_additive"))
            here.do("light", lambda: here.theme.use("light"))
            here.do("back to the clip", lambda: steps(here, session, "plateLeave"))
            return here.lines
    finally:
        session.close()


def steps(here: Alone, session: Session, button: str) -> None:
    """Press a button, and note the steps that it makes."""
    before = session.history.position
    here.find(button).click()
    here.heard.extend(session.history.labels[before : session.history.position])


def preview(qapp: QApplication) -> list[str]:
    """What is previewed and the way back; a character that is driven has a workspace of its own."""
    session = rich.session()

    def view(theme: Theme) -> QWidget:
        holder = QWidget()
        holder.setFixedHeight(80)
        PreviewPlate(holder, session, theme)
        return holder

    try:
        with alone(qapp, view, (400, 120)) as here:
            for title in ("Walk and run", "Another"):
                here.do(title, lambda t=title: session.display.show(Still(session, t)))
            here.do("light", lambda: here.theme.use("light"))
            here.do("stopped", lambda: here.find("stopPreview").click())
            here.do("driven", lambda: session.display.show(session.feature(Play)))
            return here.lines
    finally:
        session.display.hide(session.feature(Play))
        session.close()


def test_plates_over_the_view_are_as_approved(qapp) -> None:
    problem = approved.problem_of("view-plates", lambda: [*banner(qapp), *preview(qapp)])
    assert not problem, problem
