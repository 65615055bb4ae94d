"""The mode of the timing bar by list and by keys, and the keys that the pose strip keeps for itself."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from editor.model.timing_state import TimingState
from editor.tools.shaping import MODES
from tests.editor.panels.timeline.test_timeline_by_hand import Scene


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    for name in ("timing_bar", "pose_strip"):
        made.session.switches.set(name, True)
    made.user.settle()
    yield made
    for name in ("timing_bar", "pose_strip"):
        made.session.switches.set(name, False)
    made.session.preferences.reset("timing_mode")
    made.stage.close(qapp)


@pytest.mark.parametrize("opened", [True, False])
def test_a_mode_from_the_opened_list_has_its_number_ready_to_be_typed(scene, opened: bool) -> None:
    bar, wanted = scene.panel.timing, list(MODES)[2]
    assert not bar.number.editing
    bar.modes.opened = opened
    bar.modes.setCurrentIndex(bar.modes.findData(wanted))
    bar.modes.activated.emit(bar.modes.currentIndex())
    assert scene.session.feature(TimingState).mode == wanted and bar.number.editing is opened


def test_the_bar_is_hidden_by_its_button(scene) -> None:
    scene.user.click("timingHide")
    assert not scene.session.switches["timing_bar"] and not scene.panel.timing.isVisible()


@pytest.mark.parametrize("dragging", [True, False])
@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Escape, Qt.Key.Key_Up])
def test_arrows_are_the_pose_strips_and_escape_while_it_is_dragged(
    scene, key: Qt.Key, dragging: bool
) -> None:
    strip = scene.panel.poses
    drag, strip._drag = strip._drag, SimpleNamespace(running=dragging)
    try:
        kept = []
        for held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            event = QKeyEvent(QEvent.Type.ShortcutOverride, key, held)
            event.ignore()
            QApplication.sendEvent(strip, event)
            kept.append(event.isAccepted())
    finally:
        strip._drag = drag
    own = key in (Qt.Key.Key_Left, Qt.Key.Key_Right) or (key == Qt.Key.Key_Escape and dragging)
    assert kept == [own, False]
