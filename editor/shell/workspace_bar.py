"""The names of the workspaces at the right end of the menu bar."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from editor.model.i18n import tr
from editor.qt.theme import Theme
from editor.shell.workspaces import WORKSPACES


class WorkspaceBar(QWidget):
    """One small tab for each workspace."""

    def __init__(self, theme: Theme, chosen: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("workspaces")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 8, 0)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QToolButton] = {}
        for number, workspace in enumerate(WORKSPACES, 1):
            button = QToolButton()
            button.setText(tr(workspace.title))
            button.setObjectName(f"workspace.{workspace.id}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setToolTip(tr("{name} workspace (Ctrl+{number})", name=tr(workspace.title), number=number))
            button.clicked.connect(lambda _=False, id=workspace.id: chosen(id))
            self._group.addButton(button)
            self._buttons[workspace.id] = button
            row.addWidget(button)

    def show_workspace(self, workspace: str) -> None:
        """Mark the one in use."""
        self._buttons[workspace].setChecked(True)
