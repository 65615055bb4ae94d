"""What GUI tests stand on: a small character, and the real window with the panels a test is about."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import MirrorSetup, Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import quaternion_track, scalar_track
from editor.model.session import Session
from editor.qt.theme import Theme
from editor.shell.panels import panel_specs
from editor.shell.window import MainWindow
from tests.editor.user import User

BONES = (
    ("root", -1, (0.0, 0.0, 0.0)),
    ("pelvis", 0, (0.0, 1.0, 0.0)),
    ("spine", 1, (0.0, 0.2, 0.0)),
    ("head", 2, (0.0, 0.4, 0.0)),
    ("arm_l", 2, (0.2, 0.3, 0.0)),
    ("hand_l", 4, (0.3, 0.0, 0.0)),
    ("arm_r", 2, (-0.2, 0.3, 0.0)),
    ("hand_r", 6, (-0.3, 0.0, 0.0)),
)
RIG, WALK, TURN = AssetId("rig-test"), AssetId("clip-walk"), AssetId("clip-turn")


def small_rig() -> Rig:
    """Eight bones, left and right."""
    count = len(BONES)
    rest = Transform(
        np.array([place for _, _, place in BONES]), np.tile(quat.IDENTITY, (count, 1)), np.ones((count, 3))
    )
    skeleton = Skeleton(
        tuple(name for name, _, _ in BONES), np.array([p for _, p, _ in BONES], np.int32), rest
    )
    mirror = MirrorSetup(0, ("root", "pelvis", "spine", "head"), (("arm_l", "arm_r"), ("hand_l", "hand_r")))
    return Rig(RIG, "tester", skeleton, mirror)


def small_project() -> Project:
    """The rig with two clips: walk (Euler keys on arm_l at frames 0 and 30), turn (a quaternion track on head)."""
    rig = small_rig()
    arm = {
        Channel("arm_l", Property.ROTATE, axis): scalar_track([0.0, 1.0], [0.0, 10.0 * axis])
        for axis in range(3)
    }
    pelvis = {Channel("pelvis", Property.TRANSLATE, 1): scalar_track([0.0, 0.5, 1.0], [1.0, 0.9, 1.0])}
    walk = Clip(WALK, "walk", RIG, 1.0, FrameRate.of(30), tracks=arm | pelvis)
    half = quat.from_axis_angle([0.0, 1.0, 0.0], 1.0)
    head = {Channel("head", Property.ROTATE, WHOLE): quaternion_track([0.0, 0.5], [quat.IDENTITY, half])}
    turn = Clip(TURN, "turn", RIG, 0.5, FrameRate.of(30), tracks=head)
    return Project({rig.id: rig, walk.id: walk, turn.id: turn})


class Stage:
    """A session in a window, and the person in front of it."""

    def __init__(
        self, app: QApplication, panels: tuple[str, ...], project: Project | None, theme: str
    ) -> None:
        self.app = app
        self.session = Session.create()
        self.session.edit_jobs.grace = 400.0  # an edit is done when its action returns, on any machine
        self.theme = Theme(app, theme)
        specs = [spec for spec in panel_specs() if spec.id in panels]
        self.window = MainWindow(self.session, self.theme, specs)
        if project is not None:
            self.load(project)
        self.window.resize(1280, 720)
        self.user = User(self.window)

    def load(self, project: Project) -> None:
        """Open a project as if it had been read from a file."""
        self.session.document.replace(project, None)
        if project.clips:
            self.session.playback.set_clip(project.clips[0].id)
        elif project.rigs:
            self.session.playback.set_clip(None, project.rigs[0].id)

    def clip(self, id: AssetId = WALK) -> Clip:
        """A clip as it is in the document now."""
        return self.session.document.project.get(Clip, id)

    def frame(self, number: float) -> None:
        """Go to a frame."""
        self.session.playback.seek(self.session.playback.rate.to_seconds(number))
        self.user.settle()

    def close(self) -> None:
        """Close the window for good, whatever is unsaved."""
        self.window._close_now()
        self.window.deleteLater()
        self.session.journal.flush()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


def with_view(request: pytest.FixtureRequest, *panels: str) -> tuple[str, ...]:
    """The panels, and the viewport too where the test is marked ``view``.

    Drawing the view after every event takes more than half of a window test's time.
    """
    return ("viewport", *panels) if request.node.get_closest_marker("view") else panels


@contextmanager
def stage(
    app: QApplication,
    *panels: str,
    project: Callable[[], Project] | None = small_project,
    theme: str = "dark",
) -> Iterator[Stage]:
    """The window with these panels, on a project; closed at the end."""
    made = Stage(app, panels, project() if project is not None else None, theme)
    try:
        yield made
    finally:
        made.close()
        del made
        gc.collect()
