"""What the window shows once it has come to rest: panels that are painted in part, or later, are right in the end."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QAbstractItemView, QWidget

from core.clips.clip import Channel, Property
from core.tracks.evaluate import evaluate_scalar
from editor.gl.camera import project
from editor.gl.gizmo import Handle, parts
from editor.panels.bone_tree.item_model import NAME_COLUMN, MarkRole
from editor.panels.bone_tree.view_model import Mark
from editor.panels.curves.plot import PlotView
from editor.panels.timeline.track_view import TrackView
from editor.panels.viewport.widget import ViewportPanel
from tests.editor.stage import WALK, stage


class NoTips(QObject):
    """Takes every tool tip away: one that comes between two grabs of a busy screen lies over what is compared."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.ToolTip


@pytest.fixture
def no_tips(qapp):
    tips = NoTips()
    qapp.installEventFilter(tips)
    yield
    qapp.removeEventFilter(tips)


@pytest.fixture
def here(qapp, no_tips):
    with stage(qapp, "clips", "bone_tree", "timeline", "curves", "inspector", "history", "viewport") as made:
        made.user.settle()
        yield made


def on_screen(here, widget: QWidget) -> np.ndarray:
    """The pixels of a widget as the screen has them: nothing is painted for this."""
    here.user.settle()
    place = widget.mapTo(here.window, QPoint(0, 0))
    image = (
        here.window.screen()
        .grabWindow(here.window.winId(), place.x(), place.y(), widget.width(), widget.height())
        .toImage()
    )
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1).copy()


def assert_right(here, *names: str) -> None:
    """What is on the screen is what painting all of it gives."""
    for name in names:
        view = here.user.find(name)
        shown = view.viewport() if isinstance(view, QAbstractItemView) else view
        before = on_screen(here, shown)
        shown.update()
        assert np.array_equal(before, on_screen(here, shown)), f"{name} was out of date"


def mark_of(here, bone: str) -> Mark:
    view = here.user.find("bones")
    return here.user.row(view, bone, column=NAME_COLUMN).data(MarkRole)


def euler_at(here, seconds: float) -> list[float]:
    """Degrees that the document's keys of the arm give at a time."""
    tracks = here.clip().tracks
    channels = [Channel("arm_l", Property.ROTATE, axis) for axis in range(3)]
    return [float(evaluate_scalar(tracks[channel], np.array([seconds]))[0]) for channel in channels]


def turn_with_gizmo(here, by: float) -> None:
    """Drag the outer ring of the gizmo."""
    panel = here.window.findChild(ViewportPanel)
    ring = next(
        part for part in parts(panel.model.gizmo(), panel.model.camera, panel.view.view_size)
        if part.handle is Handle.VIEW
    )  # fmt: skip
    (x, y), _ = project(panel.model.camera, ring.lines[3].mean(axis=0), panel.view.view_size)
    here.user.drag(panel.view, (float(x), float(y)), (float(x) + by, float(y) + by), steps=4)


def test_rows_of_the_bone_tree_are_right_after_each_step(here):
    user, view = here.user, here.user.find("bones")
    for bone in ("hand_l", "arm_l", "spine"):
        user.click_row(view, bone)
        assert_right(here, "bones")
    user.move(view.viewport(), view.visualRect(user.row(view, "pelvis")).center())
    assert_right(here, "bones")
    user.click_row(view, "arm_l")
    assert mark_of(here, "arm_l") == Mark.KEYED
    here.frame(7)
    assert mark_of(here, "arm_l") == Mark.ANIMATED
    assert_right(here, "bones")
    user.press("S", "viewport")
    assert mark_of(here, "arm_l") == Mark.KEYED
    assert_right(here, "bones")
    user.press("Ctrl+Z", "viewport")
    assert mark_of(here, "arm_l") == Mark.ANIMATED
    assert_right(here, "bones")
    here.session.selection.set_flag("locked", ["head"])
    assert_right(here, "bones")
    user.type_into("boneSearch", "arm", enter=False)
    assert_right(here, "bones")


def test_every_panel_is_right_when_a_drag_of_a_bone_has_ended(here):
    here.user.click_row("bones", "arm_l")
    here.frame(15)
    here.session.keying.auto = True
    here.window.actions_registry.run("tool.rotate")
    before = here.clip()
    turn_with_gizmo(here, 40.0)
    assert here.clip() is not before
    assert mark_of(here, "arm_l") == Mark.KEYED
    tracks = here.window.findChild(TrackView)
    summary = tracks._model.view.row_views()[0]
    assert 15 in [round(time * 30) for time in summary.keys.times]
    angles = [here.user.find(f"rotate.{axis}").value for axis in "xyz"]
    assert angles == pytest.approx(euler_at(here, 15 / 30), abs=0.01)
    assert_right(here, "bones", "timelineTracks")
    here.user.press("Ctrl+Z", "viewport")
    assert here.clip() is before
    assert mark_of(here, "arm_l") == Mark.ANIMATED
    assert 15 not in [round(time * 30) for time in tracks._model.view.row_views()[0].keys.times]
    assert_right(here, "bones", "timelineTracks")


def test_panel_that_was_hidden_during_a_drag_is_right_when_it_is_shown(here):
    here.user.click_row("bones", "arm_l")
    here.window.show_panel("curves")
    here.user.settle()
    plot = here.window.findChild(PlotView)
    drawn = plot.item.drawn
    here.window.docks["curves"].hide()
    here.frame(15)
    here.session.keying.auto = True
    here.window.actions_registry.run("tool.rotate")
    turn_with_gizmo(here, 40.0)
    assert plot.item.drawn <= drawn + 1, "what is out of sight is not drawn"
    here.window.show_panel("curves")
    here.user.settle()
    curve = next(c for c in plot._model.lanes.curves() if c.lane.channel.bone == "arm_l")
    assert curve.track is here.clip(WALK).tracks[curve.lane.channel]
    assert_right(here, "curvesPlot")
