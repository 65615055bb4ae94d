"""The menu bar, built from the registry; submenus where a menu's path says so."""

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from editor.model.i18n import tr
from editor.qt.menu import Menu
from editor.shell.commands import Commands

ORDER = (
    "File", "Edit", "Select", "Tool", "Key", "Curve", "Clip", "Pose", "IK", "Blend", "Graph", "Retarget", "Playback",
    "View", "Window", "Help",
)  # fmt: skip


class LateMenu(Menu):
    """A menu that gets its entries when it first opens, or is first asked for them: most are never opened."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.setToolTipsVisible(True)
        self._fillers: list[Callable[[], object]] = []
        self.aboutToShow.connect(self.fill)

    def later(self, filler: Callable[[], object]) -> None:
        """Have something put entries into the menu, after those that were to do so before."""
        self._fillers.append(filler)

    def fill(self) -> None:
        """Put the entries in, once."""
        while self._fillers:
            self._fillers.pop(0)()

    def actions(self) -> list[QAction]:
        self.fill()
        return super().actions()


def build_menus(window: QMainWindow, commands: Commands) -> dict[str, LateMenu]:
    """Fill the window's menu bar; returns the menus by path."""
    registry = commands.registry
    titles = [tr(title) for title in ORDER]
    paths = registry.menus
    tops = [path for path in paths if "/" not in path]
    tops.sort(key=lambda path: titles.index(path) if path in titles else len(titles) - 1.5)
    made: dict[str, LateMenu] = {}
    for top in dict.fromkeys([*tops, *(path.partition("/")[0] for path in paths)]):
        made[top] = LateMenu(f"&{top}", window)
        window.menuBar().addMenu(made[top])
        made[top].later(_entries(commands, made[top], top))
    for path in paths:
        top, _, title = path.partition("/")
        if title:
            made[path] = LateMenu(title, made[top])
            made[path].later(_entries(commands, made[path], path))
            made[top].later(_submenu(made[top], made[path]))
    return made


def _entries(commands: Commands, menu: QMenu, path: str) -> Callable[[], None]:
    def fill() -> None:
        rows = commands.registry.in_menu(path)
        commands.fill(menu, [action.id if action is not None else None for action in rows], opens=True)

    return fill


def _submenu(parent: QMenu, submenu: QMenu) -> Callable[[], None]:
    def put() -> None:
        line = _last_line(parent)
        if line is None:
            parent.addMenu(submenu)
        else:
            parent.insertMenu(line, submenu)

    return put


def _last_line(menu: QMenu) -> QAction | None:
    """The last separator of a menu, above which submenus are put."""
    lines = [action for action in menu.actions() if action.isSeparator()]
    return lines[-1] if lines else None
