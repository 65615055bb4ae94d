"""The names of the workspaces at the right end of the menu bar; where that is narrow, one button with a menu."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from editor.model.i18n import tr
from editor.qt.menu import Menu
from editor.qt.theme import Theme
from editor.qt.widgets import MenuButton, dress
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
        self._entries: dict[str, QAction] = {}
        self._one = self._menu_button(theme, chosen)
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
        row.addWidget(self._one)
        self._wide = 0

    def _menu_button(self, theme: Theme, chosen: Callable[[str], None]) -> MenuButton:
        button = MenuButton()
        button.setObjectName("workspaceMenu")
        button.setProperty("choice", True)
        button.setToolTip(tr("Workspace"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIconSize(QSize(16, 16))
        dress(button, theme, "layers", "dim")
        menu = Menu(button)
        group = QActionGroup(menu)
        for workspace in WORKSPACES:
            entry = QAction(tr(workspace.title), menu, checkable=True)
            entry.triggered.connect(lambda _=False, id=workspace.id: chosen(id))
            group.addAction(entry)
            menu.addAction(entry)
            self._entries[workspace.id] = entry
        button.setMenu(menu)
        words = button.fontMetrics()
        widest = max(words.horizontalAdvance(tr(workspace.title)) for workspace in WORKSPACES)
        button.setFixedWidth(widest + 56)
        button.hide()
        return button

    def fit(self, room: int) -> bool:
        """Show every name where there is room for them (pixels), else one button; whether that is a change."""
        if not self._one.isVisibleTo(self):
            self._wide = self.sizeHint().width()
        narrow = room < self._wide
        if narrow == self._one.isVisibleTo(self):
            return False
        self._one.setVisible(narrow)
        for button in self._buttons.values():
            button.setVisible(not narrow)
        self.adjustSize()
        return True

    def show_workspace(self, workspace: str) -> None:
        """Mark the one in use."""
        self._buttons[workspace].setChecked(True)
        self._entries[workspace].setChecked(True)
        self._one.setText(self._entries[workspace].text())
