"""The slider of a weight: the wheel scrolls what it stands in, Escape takes a drag back."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.qt.weight_slider import STEPS, WeightSlider

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def slider(qtbot) -> Iterator[WeightSlider]:
    made = WeightSlider("smile")
    qtbot.addWidget(made)
    made.resize(220, 20)
    made.show()
    made.setValue(40)
    yield made


@pytest.mark.parametrize("notches", [1, -1])
def test_the_wheel_is_left_to_what_scrolls(slider: WeightSlider, notches: int) -> None:
    event = QWheelEvent(
        QPointF(100, 10), QPointF(100, 10), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    event.accept()
    QApplication.sendEvent(slider, event)
    assert slider.value() == 40 and not event.isAccepted()


def test_escape_takes_a_drag_back_and_what_is_held_moves_nothing_more(slider: WeightSlider) -> None:
    told: list[object] = []
    slider.valueChanged.connect(told.append)
    slider.cancelled.connect(lambda: told.append("cancelled"))
    start = QPoint(round(220 * 0.4), 10)
    QTest.mousePress(slider, LEFT, NONE, start)
    assert slider.isSliderDown()
    QTest.mouseMove(slider, start + QPoint(40, 0))
    moved = slider.value()
    told.clear()
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    assert told == ["cancelled"] and not slider.isSliderDown()
    QTest.mouseMove(slider, start + QPoint(80, 0))
    QTest.mouseRelease(slider, LEFT, NONE, start + QPoint(80, 0))
    assert told == ["cancelled"] and slider.value() == moved
    QTest.mousePress(slider, LEFT, NONE, start + QPoint(40, 0))  # the next drag is one again
    assert slider.isSliderDown()
    QTest.mouseRelease(slider, LEFT, NONE, start + QPoint(40, 0))


def test_keys_are_the_sliders_own_only_while_it_is_held(slider: WeightSlider) -> None:
    def kept() -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, NONE)
        event.ignore()
        QApplication.sendEvent(slider, event)
        return event.isAccepted()

    assert not kept()
    slider.setSliderDown(True)
    assert kept()
    slider.setSliderDown(False)
    told: list[object] = []
    slider.cancelled.connect(lambda: told.append("cancelled"))
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    assert told == [] and (slider.minimum(), slider.maximum()) == (0, STEPS)
