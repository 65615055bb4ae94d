"""A stage for the curve editor: a small arm with curves of every kind, in a window of its own."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtWidgets import QApplication, QMainWindow

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import quaternion_track, scalar_track
from core.tracks.tangents import with_tangents
from editor.actions import curves
from editor.actions.registry import Registry
from editor.model.session import Session
from editor.panels.curves.widget import CurvesPanel
from editor.qt.panel import PanelContext
from editor.qt.theme import Theme
from editor.tools.curves.lanes import Lane
from editor.tools.state import ToolState
from tests.editor.user import User

RIG, CLIP = AssetId("rig-arm"), AssetId("clip-arm")
X, Y, Z = (Channel("arm", Property.ROTATE, axis) for axis in range(3))
TURN = Channel("hand", Property.ROTATE, WHOLE)
TIMES = np.array([0.0, 6.0, 14.0, 22.0, 30.0, 41.0, 50.0, 60.0]) / 30.0


def arm_rig(count: int = 3) -> Rig:
    """A chain: arm, elbow, hand, and as many more as are asked for."""
    names = ("arm", "elbow", "hand", *(f"bone_{n:02d}" for n in range(3, count)))
    places = np.tile([0.0, 0.25, 0.0], (count, 1))
    rest = Transform(places, np.tile(quat.IDENTITY, (count, 1)), np.ones((count, 3)))
    return Rig(RIG, "arm", Skeleton(names, np.arange(-1, count - 1, dtype=np.int32), rest))


def arm_project() -> Project:
    """Rotation and position of the arm, a quaternion hand, a float curve."""
    r = np.random.default_rng(3)
    tracks = {}
    for prop, size in ((Property.TRANSLATE, 0.05), (Property.ROTATE, 30.0)):
        for axis in range(3):
            track = scalar_track(TIMES, np.round(r.normal(size=8) * size, 3))
            tracks[Channel("arm", prop, axis)] = with_tangents(track)
    q = quat.continuous(quat.normalise(np.cumsum(r.normal(size=(5, 4)) * 0.4, axis=0) + [0, 0, 0, 3]))
    tracks[TURN] = quaternion_track(np.arange(5) * 0.5, q)
    blink = {"blink": with_tangents(scalar_track([0.0, 1.0, 2.0], [0.0, 1.0, 0.0]))}
    rig = arm_rig()
    clip = Clip(CLIP, "wave", RIG, 2.0, FrameRate.of(30), tracks=tracks, curves=blink)
    return Project({rig.id: rig, clip.id: clip})


def large_project(bones: int = 65, keys: int = 4000) -> Project:
    """Nine channels a bone with a key at every frame, as an edited motion capture has."""
    r = np.random.default_rng(0)
    rig = arm_rig(bones)
    times = np.arange(keys) / 30.0
    times.flags.writeable = False
    tracks = {}
    for bone in rig.skeleton.names:
        for prop in Property:
            for axis in range(3):
                wave = sum(
                    r.normal() * size * np.sin(times * f + r.uniform(0, 6))
                    for f, size in ((0.3, 20.0), (1.1, 10.0), (2.7, 8.0), (6.0, 4.0))
                )
                value = {0: wave * 0.01, 1: wave, 2: 1.0 + wave * 0.001}[int(prop)]
                tracks[Channel(bone, prop, axis)] = with_tangents(scalar_track(times, value))
    clip = Clip(CLIP, "long", RIG, float(times[-1]), FrameRate.of(30), tracks=tracks)
    return Project({rig.id: rig, clip.id: clip})


class Window:
    """What the panel asks of the window; kept for the test to see."""

    def __init__(self) -> None:
        self.hint = ""

    def set_hint(self, text: str) -> None:
        self.hint = text


class CurveStage:
    """The panel, its session, and the person in front of it."""

    def __init__(self, app: QApplication, project: Project, theme: str, size: tuple[int, int]) -> None:
        self.app = app
        self.session = Session.create()
        self.theme = Theme(app, theme)
        self.services = Window()
        self.registry = Registry(self.session, curves.actions())
        context = PanelContext(self.session, self.registry, self.theme, None, self.services, ToolState())  # type: ignore[arg-type]
        self.load(project)
        self.listeners = self.listening()
        self.window = QMainWindow()
        self.panel = CurvesPanel(context)
        self.window.setCentralWidget(self.panel)
        self.theme.dress(self.window)
        self.window.resize(*size)
        self.user = User(self.window)
        self.model, self.plot = self.panel.model, self.panel.plot
        self.user.settle()

    def listening(self) -> list[int]:
        """How many listen to the session's events."""
        session = self.session
        return [
            len(event)
            for event in (
                session.preview.changed, session.selection.keys_changed, session.selection.bones_changed,
                session.document.changed, session.playback.time_changed, session.playback.clip_changed,
            )
        ]  # fmt: skip

    def load(self, project: Project) -> None:
        """Open a project."""
        self.session.document.replace(project, None)
        if project.clips:
            self.session.playback.set_clip(project.clips[0].id, project.rigs[0].id)

    @property
    def clip(self) -> Clip:
        """The clip as it is in the document now."""
        return self.session.document.project.get(Clip, CLIP)

    def track(self, channel: Channel):
        """A track as it is in the document now."""
        return self.clip.tracks[channel]

    def show(self, *bones: str) -> None:
        """Select bones, and let their curves fill the plot."""
        self.session.selection.select(bones)
        self.user.settle()
        self.model.view.fit_all()
        self.user.settle()

    def only(self, *channels: Channel) -> None:
        """Show no curves but these."""
        wanted = set(channels)
        self.model.lanes.set_flag(
            "hidden", [lane for lane in self.model.lanes.all() if lane.channel not in wanted]
        )
        self.model.view.fit_all()
        self.user.settle()

    def at(self, x: float, y: float) -> QPointF:
        """A place of the plot, for the user to point at in the plot's viewport."""
        return self.plot.view_place(x, y)

    def key_place(self, channel: Channel, key: int, part: int = 0) -> QPointF:
        """Where a key is in the plot's viewport."""
        curve = self.model.lanes.curve(Lane(channel, part))
        xs, ys = self.model.view.key_places(curve, np.array([key]))
        return self.at(float(xs[0]), float(ys[0]))

    def handle_place(self, channel: Channel, key: int, side: int) -> QPointF:
        """Where a handle is in the plot's viewport."""
        found = next(
            h for h in self.model.view.handles() if (h.lane.channel, h.key, h.side) == (channel, key, side)
        )
        return self.at(*found.place)

    @property
    def canvas(self):
        """The widget to point at."""
        return self.plot.viewport()

    def loop(self) -> None:
        """Let the clip loop."""
        self.session.edits.put("loop", replace(self.clip, looping=True))

    def close(self) -> None:
        self.panel.close_panel()
        self.window.close()
        self.window.deleteLater()
        self.session.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


@contextmanager
def curve_stage(
    app: QApplication,
    project: Project | None = None,
    theme: str = "dark",
    size: tuple[int, int] = (1280, 460),
) -> Iterator[CurveStage]:
    """The curve editor on a project; closed at the end."""
    made = CurveStage(app, project or arm_project(), theme, size)
    try:
        yield made
    finally:
        made.close()
        del made
        gc.collect()


def shifted(place, dx, dy):
    return QPointF(place.x() + dx, place.y() + dy)


def pixels(stage, channel, dx, dy):
    """Seconds and value units that a drag is."""
    return dx / stage.model.view.axis.scale, stage.model.view.rise(Lane(channel), dy)
