from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from editor.gl.camera import Camera
from editor.gl.canvas import ImageCanvas, changed_box, in_software
from editor.gl.draw_list import DrawList, Grid, Layer, Lines
from editor.gl.viewport_widget import ViewportWidget

SIZE = (240, 160)


class Over(QWidget):
    """A translucent widget over the picture."""

    def paintEvent(self, event):
        painter = QPainter(self)
        painter.fillRect(QRect(0, 0, self.width(), 3), "#80ff0000")
        painter.end()


@pytest.fixture
def scene(qtbot, monkeypatch):
    monkeypatch.setenv("POSEWRIGHT_CANVAS", "image")
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    shown = ViewportWidget()
    shown.setFixedSize(*SIZE)
    over = Over(shown)
    over.resize(*SIZE)
    label = QLabel("0")
    column.addWidget(shown)
    column.addWidget(label)
    window.show()
    qtbot.waitExposed(window, timeout=60_000)
    qtbot.waitUntil(lambda: shown.ready, timeout=60_000)
    yield window, shown, label
    shown.release()


def line(x: float) -> DrawList:
    """A short upright line in front of the grid, somewhere across the picture."""
    ends = np.array([[[x, 40.0, 0.0], [x, 90.0, 0.0]]], np.float32)
    return DrawList(
        Grid(), shapes=(Lines(ends, np.array([1, 1, 0, 1], np.float32), 4.0, layer=Layer.OVERLAY),)
    )


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


def on_screen(window: QWidget) -> np.ndarray:
    """What the window system shows of the window."""
    QApplication.processEvents()
    screen = window.screen()
    return pixels(screen.grabWindow(window.winId()).toImage())


@given(
    st.integers(1, 9), st.integers(1, 9),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=4),
)  # fmt: skip
def test_the_box_of_what_changed_holds_every_changed_pixel_and_touches_one_on_each_side(rows, columns, spots):
    before = np.zeros((rows, columns), np.uint32)
    after = before.copy()
    for y, x in spots:
        after[y % rows, x % columns] = 7
    box = changed_box(before, after)
    if box is None:
        assert (before == after).all()
        return
    top, bottom, left, right = box
    differs = before != after
    inside = differs[top:bottom, left:right]
    assert inside.sum() == differs.sum()
    assert inside[0].any() and inside[-1].any() and inside[:, 0].any() and inside[:, -1].any()


def test_after_partial_repaints_the_window_shows_what_a_whole_one_does(scene):
    window, shown, label = scene
    rng = np.random.default_rng(3)
    for x in rng.uniform(5.0, 235.0, 12):
        shown.show_frame(line(float(x)), Camera())
        label.setText(f"{x:.0f}")
        part = on_screen(window)
        window.repaint()
        assert np.array_equal(part, on_screen(window))


def test_only_what_changed_is_painted_again_and_nothing_for_another_widget(scene, monkeypatch):
    window, shown, label = scene
    shown.show_frame(line(40.0), Camera())
    QApplication.processEvents()
    painted = []
    paint = ImageCanvas.paint
    monkeypatch.setattr(
        ImageCanvas, "paint", lambda self, event: (painted.append(event.rect()), paint(self, event))[1]
    )
    shown.show_frame(line(50.0), Camera())
    QApplication.processEvents()
    assert len(painted) == 1
    assert painted[0].contains(QPoint(45, 60)) and painted[0].width() < 40 and painted[0].height() < 70
    painted.clear()
    label.setText("another")
    QApplication.processEvents()
    assert not painted


def test_a_picture_that_comes_out_of_sight_is_drawn_when_it_is_seen(scene, qtbot):
    window, shown, _ = scene
    shown.show_frame(line(40.0), Camera())
    window.hide()
    drawn = []
    shown.drawn.connect(drawn.append)
    shown.show_frame(line(90.0), Camera())
    assert not drawn
    window.show()
    qtbot.waitUntil(lambda: bool(drawn), timeout=60_000)
    image = pixels(shown.shown_image())
    assert image[60, 90] & 0xFFFFFF == 0xFFFF00 and image[60, 40] & 0xFFFFFF != 0xFFFF00


def test_software_is_recognised_and_gets_an_image(qapp, monkeypatch):
    monkeypatch.delenv("POSEWRIGHT_CANVAS", raising=False)
    if not in_software():
        pytest.skip("a graphics card draws here")
    shown = ViewportWidget()
    assert isinstance(shown._canvas, ImageCanvas)
    shown.deleteLater()


def test_a_translucent_picture_over_the_whole_view_is_laid_on_the_background_either_way(qapp):
    from editor.gl.capture import OffscreenRenderer
    from editor.gl.draw_list import PictureShape

    rng = np.random.default_rng(5)
    source = SimpleNamespace(pixels=rng.integers(0, 256, (SIZE[1], SIZE[0], 4), np.uint8), size=SIZE)
    frame = DrawList(pictures=(PictureShape(source, (0.0, 0.0, *map(float, SIZE)), 0.6, True),))
    with OffscreenRenderer(0) as own:
        kept = own.render(frame, Camera(), SIZE).astype(int)
        with own.current():
            own.renderer._passes.background._software = False  # the background is drawn with the picture
            own.renderer.forget_picture()
        drawn = own.render(frame, Camera(), SIZE).astype(int)
        bare = own.render(DrawList(), Camera(), SIZE).astype(int)
    assert np.abs(kept - drawn).max() <= 1
    assert np.abs(kept - bare).max() > 50
