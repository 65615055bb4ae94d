"""The menu bar, built from the registry; submenus where a menu's path says so."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from editor.model.i18n import tr
from editor.qt.menu import Menu
from editor.shell.commands import Commands

ORDER = (
    "File", "Edit", "Select", "Tool", "Key", "Curve", "Clip", "Pose", "IK", "Blend", "Graph", "Retarget", "Playback",
    "View", "Window", "Help",
)  # fmt: skip


def build_menus(window: QMainWindow, commands: Commands) -> dict[str, QMenu]:
    """Fill the window's menu bar; returns the menus by path."""
    registry = commands.registry
    titles = [tr(title) for title in ORDER]
    tops = [path for path in registry.menus if "/" not in path]
    tops.sort(key=lambda path: titles.index(path) if path in titles else len(titles) - 1.5)
    made: dict[str, QMenu] = {}
    for top in tops:
        menu = Menu(f"&{top}", window)
        window.menuBar().addMenu(menu)
        menu.setToolTipsVisible(True)
        made[top] = menu
        commands.fill(menu, [action.id if action is not None else None for action in registry.in_menu(top)])
    for path in registry.menus:
        if "/" not in path:
            continue
        top, _, title = path.partition("/")
        if top not in made:
            made[top] = Menu(f"&{top}", window)
            window.menuBar().addMenu(made[top])
        parent = made[top]
        submenu = Menu(title, parent)
        submenu.setToolTipsVisible(True)
        commands.fill(
            submenu, [action.id if action is not None else None for action in registry.in_menu(path)]
        )
        line = _last_line(parent)
        if line is None:
            parent.addMenu(submenu)
        else:
            parent.insertMenu(line, submenu)
        made[path] = submenu
    return made


def _last_line(menu: QMenu) -> QAction | None:
    """The last separator of a menu, above which submenus are put."""
    lines = [action for action in menu.actions() if action.isSeparator()]
    return lines[-1] if lines else None
