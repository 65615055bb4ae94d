"""File › Open recent."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMainWindow, QMenu

from editor.model.i18n import tr
from editor.model.paths import printable
from editor.model.recent_pictures import picture_path
from editor.model.session import Session
from editor.qt.menu import Menu
from editor.shell.menus import LateMenu


class RecentMenu(QObject):
    """Lists the files opened last, each with its folder; those that are gone are disabled."""

    def __init__(
        self,
        window: QMainWindow,
        menus: Mapping[str, LateMenu],
        session: Session,
        open_file: Callable[[Path], None],
    ) -> None:
        super().__init__(window)
        self._open, self._session = open_file, session
        parent = menus[tr("File")]
        self.menu = Menu(tr("Open recent"), parent)
        self.menu.setToolTipsVisible(True)
        parent.later(partial(self._place, parent))
        self.menu.aboutToShow.connect(self._fill)
        parent.aboutToShow.connect(self._enable)

    def _place(self, parent: QMenu) -> None:
        before = next((a for a in parent.actions() if a.objectName() == "file.sample"), None)
        parent.insertMenu(before, self.menu)  # type: ignore[arg-type]
        self._enable()

    def _enable(self) -> None:
        self.menu.setEnabled(bool(self._session.preferences.recent))

    def _fill(self) -> None:
        self.menu.clear()
        for path in self._session.preferences.recent:
            entry = self.menu.addAction(printable(path.name).replace("&", "&&"))
            entry.setToolTip(printable(str(path)))
            picture = picture_path(path)
            if picture.is_file():
                entry.setIcon(QIcon(str(picture)))
                entry.setIconVisibleInMenu(True)
            entry.setEnabled(path.is_file())
            entry.triggered.connect(lambda _=False, path=path: self._open(path))
        self.menu.addSeparator()
        self.menu.addAction(tr("Clear list")).triggered.connect(
            lambda _=False: self._session.preferences.forget_recent()
        )
