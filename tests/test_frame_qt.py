"""What the installed Qt must do for us, apart from our own code."""

import sys

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QOffscreenSurface, QOpenGLContext, QPainter, QSurfaceFormat

CALLS = 1000


class Emitter(QObject):
    plain = Signal()
    flag = Signal(bool)


def test_painter_thousand_void_calls_keep_the_references_to_none(qapp):
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        painter.save()
        painter.drawLine(0, 0, 7, 7)
        painter.restore()
    lost = before - sys.getrefcount(None)
    painter.end()
    # PySide6 6.12.0 on Python 3.11 loses one with every such call, and Python aborts when none are left.
    assert abs(lost) < CALLS // 10


def test_signal_thousand_emits_keep_the_references_to_none_and_true(qapp):
    emitter = Emitter()
    seen = []
    emitter.plain.connect(lambda: seen.append(None))
    emitter.flag.connect(seen.append)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(CALLS):
        emitter.plain.emit()
        emitter.flag.emit(True)
    count = len(seen)
    seen.clear()
    lost = before[0] - sys.getrefcount(None), before[1] - sys.getrefcount(True)
    assert count == 2 * CALLS
    assert max(map(abs, lost)) < CALLS // 10


def test_virtual_screen_gives_an_opengl_33_core_context(qapp):
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    context = QOpenGLContext()
    context.setFormat(wanted)
    assert context.create()
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    assert context.makeCurrent(surface)
    given = context.format()
    context.doneCurrent()
    surface.destroy()
    assert (given.majorVersion(), given.minorVersion()) >= (3, 3)
    assert given.profile() == QSurfaceFormat.OpenGLContextProfile.CoreProfile


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is Linux's")
def test_screen_is_full_hd_at_single_scale(qapp):
    size = qapp.primaryScreen().size()
    assert (size.width(), size.height(), qapp.primaryScreen().devicePixelRatio()) == (1920, 1080, 1.0)
