import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from editor.gl.camera import Camera
from editor.gl.capture import OffscreenRenderer
from editor.gl.colors import LIGHT
from editor.gl.draw_list import DrawList, Grid
from editor.gl.viewport_widget import ViewportWidget
from editor.tools.pointer import Button, Modifiers
from tests.editor.gl.figure import WALKING, figure


class Told:
    """Writes down what the widget tells."""

    def __init__(self) -> None:
        self.events = []

    def __getattr__(self, name):
        def note(*values):
            self.events.append((name, *values))
            return False

        return note


@pytest.fixture(params=["image", "window"])
def widget(qtbot, monkeypatch, request):
    monkeypatch.setenv("POSEWRIGHT_CANVAS", request.param)
    shown = ViewportWidget()
    qtbot.addWidget(shown, before_close_func=lambda w: w.release())
    shown.resize(360, 240)
    shown.show()
    qtbot.waitExposed(shown, timeout=60_000)
    qtbot.waitUntil(lambda: shown.ready, timeout=60_000)
    return shown


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 4].reshape(image.height(), image.width(), 4)[..., :3].astype(int)


def frame() -> DrawList:
    posed = figure(WALKING)
    return DrawList(Grid(), (posed.mesh,), bones=posed.bones)


def test_widget_shows_what_the_renderer_draws_off_screen(widget, qtbot):
    with qtbot.waitSignal(widget.drawn, timeout=60_000):
        widget.show_frame(frame(), Camera(), LIGHT)
    shown = pixels(widget.shown_image())
    ratio = widget.devicePixelRatioF()
    with OffscreenRenderer(samples=0) as view:
        wanted = view.render(frame(), Camera(), (360, 240), LIGHT, ratio)[..., :3].astype(int)
    assert shown.shape == wanted.shape
    assert np.abs(shown - wanted).mean() < 1.0
    assert widget.problem is None and widget.stats.draw_calls >= 3 and widget.frame_seconds


def test_an_equal_frame_asks_for_no_repaint(widget, qtbot):
    with qtbot.waitSignal(widget.drawn, timeout=60_000):
        widget.show_frame(frame(), Camera())
    with qtbot.assertNotEmitted(widget.drawn, wait=60):
        widget.show_frame(frame(), Camera())
        widget.update()  # Qt repaints, the picture is only copied
    with qtbot.waitSignal(widget.drawn, timeout=60_000):
        widget.show_frame(frame(), Camera(yaw=1.0))


def test_pointer_wheel_and_keys_reach_the_receiver(widget):
    told = Told()
    widget.set_input(told)
    QTest.mousePress(widget, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.AltModifier, QPoint(50, 60))
    QTest.mouseRelease(widget, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.AltModifier, QPoint(70, 61))
    names = [event[0] for event in told.events]
    assert names[0] == "press" and names[-1] == "release"
    pressed = told.events[0][1]
    assert (pressed.pixel, pressed.button, pressed.modifiers) == ((50, 60), Button.MIDDLE, Modifiers.ALT)
    told.events.clear()
    QTest.keyPress(widget, Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    name, key, text, *rest = told.events[-1]
    assert (name, key, text.lower(), rest) == ("key", int(Qt.Key.Key_W), "w", [Modifiers.SHIFT, True, False])
    turned = QWheelEvent(
        QPointF(10, 20), QPointF(10, 20), QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, turned)
    name, pointer, steps = told.events[-1]
    assert (name, pointer.pixel, pointer.modifiers, steps) == ("wheel", (10, 20), Modifiers.CTRL, -2.0)


@pytest.mark.parametrize("canvas", ["image", "window"])
def test_floating_and_docking_keeps_the_picture(qtbot, monkeypatch, canvas):
    monkeypatch.setenv("POSEWRIGHT_CANVAS", canvas)
    window = QMainWindow()
    qtbot.addWidget(window)
    shown = ViewportWidget()
    dock = QDockWidget("view")
    dock.setWidget(shown)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(500, 400)
    window.show()
    qtbot.waitExposed(window, timeout=60_000)
    shown.show_frame(frame(), Camera())
    for floating in (True, False, True):
        dock.setFloating(floating)
        qtbot.waitUntil(lambda: shown.ready, timeout=60_000)
        QApplication.processEvents()
        image = pixels(shown.shown_image())
        assert image.std() > 8 and shown.problem is None
    shown.release()
    assert not shown._renderer.ready


@pytest.mark.parametrize("with_parent", [False, True])
def test_closing_releases_what_lies_on_the_graphics_card(qtbot, with_parent):
    window = QMainWindow()
    shown = ViewportWidget()
    window.setCentralWidget(shown)
    window.show()
    qtbot.waitExposed(shown, timeout=60_000)
    renderer = shown._renderer
    qtbot.waitUntil(lambda: renderer.ready, timeout=60_000)
    doomed = window if with_parent else shown
    doomed.deleteLater()
    QApplication.sendPostedEvents(doomed, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: not renderer.ready, timeout=60_000)
    if not with_parent:
        window.close()
        window.deleteLater()


def test_resizing_draws_anew_at_the_new_size(widget, qtbot):
    widget.show_frame(frame(), Camera())
    with qtbot.waitSignal(widget.drawn, timeout=60_000):
        widget.resize(420, 300)
    assert widget.view_size == (420.0, 300.0)
    shown = pixels(widget.shown_image())
    assert shown.shape[:2] == (300, 420)


def test_a_picture_that_stands_still_becomes_smooth_and_a_change_is_quick_again(widget, qtbot):
    if not widget.software:
        pytest.skip("a graphics card multisamples every picture")
    widget.show_frame(frame(), Camera())
    qtbot.waitUntil(lambda: widget.refined, timeout=60_000)
    shown = pixels(widget.shown_image())
    with OffscreenRenderer(samples=4) as view:
        wanted = view.render(frame(), Camera(), (360, 240), device_pixel_ratio=widget.devicePixelRatioF())
    assert np.abs(shown - wanted[..., :3].astype(int)).max() <= 2
    counted = len(widget.frame_seconds)
    widget.update()  # Qt repaints: the smooth picture is kept
    QApplication.processEvents()
    assert widget.refined and len(widget.frame_seconds) == counted
    with qtbot.waitSignal(widget.drawn, timeout=60_000):
        widget.show_frame(frame(), Camera(yaw=1.0))
    assert not widget.refined
