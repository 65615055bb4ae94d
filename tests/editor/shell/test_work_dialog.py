"""Dialogs that do some work: what they hold has the width that it needs, whatever size it was opened with."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QScrollArea, QScrollBar

from editor.shell.work_dialog import WorkDialog
from tests.editor.stage import stage


def bars(dialog: WorkDialog) -> tuple[QScrollBar, QScrollBar]:
    """Of what the dialog holds: sideways, and up and down."""
    area = dialog.findChild(QScrollArea)
    return area.horizontalScrollBar(), area.verticalScrollBar()


@pytest.mark.parametrize("action", ["file.export", "file.playblast", "file.sheet"])
def test_nothing_is_scrolled_sideways(qapp, action: str) -> None:
    with stage(qapp, "clips") as here:
        here.window.actions_registry.run(action)
        here.user.settle()
        dialog = next(d for d in here.window.findChildren(WorkDialog) if d.isVisible())
        for height in (dialog.height(), 200):
            dialog.resize(200, height)
            here.user.settle()
            assert bars(dialog)[0].maximum() == 0
        assert bars(dialog)[1].isVisible(), "the height is what is scrolled on a small screen"
        dialog.close()


def test_a_dialog_grows_with_what_comes_into_it(qapp) -> None:
    with stage(qapp, "clips") as here:
        dialog = WorkDialog(here.window, here.window.context, "Some work", "work", QSize(300, 200))
        dialog.open()
        here.user.settle()
        wide = QLabel("x" * 120)
        dialog.content.addWidget(wide)
        wide.show()
        here.user.settle()
        assert dialog.width() > wide.minimumSizeHint().width() and bars(dialog)[0].maximum() == 0
        dialog.close()
